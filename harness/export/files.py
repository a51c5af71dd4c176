"""Tables as files: CSV by the standard library, Parquet by DuckDB, which also is what people query them with.

The same rows give the same bytes of CSV. An empty cell says that a value is unknown or that there is none.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from harness.errors import UserError
from harness.export.columns import Column, Type
from harness.text import clean

if TYPE_CHECKING:
    import duckdb

Format = Literal["csv", "parquet"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

_SQL: Final[Mapping[Type, str]] = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "dollars": "DECIMAL(38, 18)",
    "yes/no": "BOOLEAN",
}
_LONGEST: Final = 64 * 1024 * 1024
"""Bytes that a line of CSV may have where it is read again, and characters a cell may have."""


def csv_text(columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table as CSV with a header line; KeyError for a row that lacks a column."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    for row in rows:
        writer.writerow([_cell(row[column.name]) for column in columns])
    return file.getvalue()


def _cell(value: Any) -> str:
    """A value as CSV; texts without control characters, for they may come from a model."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    return clean(str(value), _LONGEST)


def parquet_writer() -> duckdb.DuckDBPyConnection:
    """Return what ``to_parquet`` writes with; UserError with the remedy if DuckDB is not installed."""
    try:
        import duckdb
    except ImportError:
        raise UserError(
            "Parquet files need DuckDB: pip install 'dale-arena[export]', or write --format csv instead."
        ) from None
    return duckdb.connect(":memory:")


def to_parquet(writer: duckdb.DuckDBPyConnection, columns: Sequence[Column], source: Path, target: Path) -> None:
    """Write a table that lies in a CSV file as Parquet, with the types of its columns."""
    types = ", ".join(f"'{column.name}': '{_SQL[column.type]}'" for column in columns)
    rows = (
        "read_csv($source, header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"', nullstr = '', "
        f"parallel = false, max_line_size = {_LONGEST}, columns = {{{types}}})"
    )
    copy = f"COPY (SELECT * FROM {rows}) TO $target (FORMAT parquet, COMPRESSION zstd)"
    writer.execute(copy, {"source": str(source), "target": str(target)})
