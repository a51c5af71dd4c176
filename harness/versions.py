"""The versions that stand in every log, raised by hand."""

from __future__ import annotations

VERSION = "0.1.0"
"""Version of the distribution (a test holds it to pyproject.toml)."""

ENGINE_VERSION = VERSION
"""Runs are gone on with by the engine that began them only."""

RULES_VERSION = "1"
"""Raised when docs/rules.md or docs/decks.md changes what is legal or what happens."""

HARNESS_EPOCH = 6
"""Raised whenever figures of older runs stop being comparable with new ones."""
