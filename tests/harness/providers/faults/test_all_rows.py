"""The ledger of faults seen at real servers has fifty rows; each has its tests in this folder, found by its number."""

from __future__ import annotations

import re
from pathlib import Path

ROWS = 50


def test_every_row_of_the_ledger_has_a_test() -> None:
    found = {
        int(number)
        for path in Path(__file__).parent.glob("test_*.py")
        for number in re.findall(r"(?:@row|\bcase)\((\d+)", path.read_text(encoding="utf-8"))
    }
    assert found == set(range(1, ROWS + 1))
