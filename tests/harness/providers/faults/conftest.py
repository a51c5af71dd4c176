"""The row of the ledger a test belongs to."""

from __future__ import annotations

import pytest


@pytest.fixture
def row(request: pytest.FixtureRequest) -> int:
    return int(request.param)
