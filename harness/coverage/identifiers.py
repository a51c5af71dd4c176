"""Rule and statement IDs as they are written in prose: single ones, lists and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ID = r"(?:R-[A-Z]{3}-\d\d|EX-[A-Z]{3}[0-9A-Z]*-\d+|(?:[A-Z]{3}\d[AB]?[cr]?|GV|[A-Z]{3}-[cr])-\d+)"
_CITED = re.compile(rf"(?<![\w-])({_ID})(?![\w-])(?:(?:,? to |\.\.)({_ID}|\d+)(?![\w-])|((?:/\d+)+))?")
_ONE = re.compile(_ID)


def is_identifier(text: str) -> bool:
    """Whether a text is one ID and nothing else."""
    return _ONE.fullmatch(text) is not None


def identifiers(text: str) -> Iterator[str]:
    """Every ID a text names; `R-MKT-05 to R-MKT-09`, `R-STL-03 to 05` and `R-CLN-08/09` stand for all they mean."""
    for found in _CITED.finditer(text):
        first, last, others = found.groups()
        head, _, number = first.rpartition("-")
        yield first
        for other in (others or "").split("/")[1:]:
            yield f"{head}-{other}"
        if last:
            end_head, _, end = last.rpartition("-")
            if end_head in ("", head):
                yield from (f"{head}-{one:0{len(number)}}" for one in range(int(number) + 1, int(end) + 1))
            else:
                yield last
