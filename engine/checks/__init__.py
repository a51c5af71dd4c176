"""Judging a proposal: first its form, then who may act, then every rule of the action (rules.md 18).

Each module checks one tool. Nothing here changes the state. May import everything up to `legal` and `turn`'s
query functions.
"""

from engine.checks.judge import judge

__all__ = ["judge"]
