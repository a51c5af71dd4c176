"""Writing the tables of some runs, and their card, into a folder of their own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.export import figures, rows
from harness.export.card import card
from harness.export.columns import TABLES
from harness.export.files import Format, csv_text, parquet_writer, to_parquet
from harness.log import GameLog
from harness.reporting import Analysis, analyse


def export(
    logs: Sequence[GameLog], folder: Path, form: Format = "csv", texts: bool = False, licence: str = "mit"
) -> dict[str, int]:
    """Write all tables of some logs and a README.md; return the numbers of rows by table.

    ``texts`` adds what was sent and answered, from the runs' blobs; ``licence`` is the identifier the card names.
    The folder appears whole or not at all. Raises UserError for a folder that holds something already, logs that the
    engine now plays differently, a blob that is missing, or where DuckDB is needed and not installed.
    """
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise UserError(f"{folder} exists and is not empty: give a new folder with --to.")
    writer = parquet_writer() if form == "parquet" else None
    analysis = analyse(logs, rules=True, skill=True)
    found = _rows(logs, analysis, texts)
    sizes: dict[str, int] = {}
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as made:
            part = Path(made) / "part"
            part.mkdir()
            for name, table in TABLES.items():
                columns, data = table.shown(texts), list(found[name])
                sizes[name] = len(data)
                plain = part / f"{name}.csv"
                plain.write_text(csv_text(columns, data), encoding="utf-8", newline="")
                if writer is not None:
                    to_parquet(writer, columns, plain, part / f"{name}.parquet")
                    plain.unlink()
            (part / "README.md").write_text(card(logs, analysis, sizes, form, texts, licence), encoding="utf-8")
            if folder.is_dir():
                folder.rmdir()
            shutil.move(part, folder)
    except OSError as error:
        raise UserError(f"cannot write the tables into {folder}: {error.strerror}.") from None
    return sizes


def _rows(logs: Sequence[GameLog], analysis: Analysis, texts: bool) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    report = analysis.report
    return {
        "games": rows.games(logs, report),
        "seats": rows.seats(logs, report),
        "decisions": rows.decisions(logs, report),
        "attempts": rows.attempts(logs, report, texts),
        "violations": rows.violations(logs, report),
        "opportunities": rows.opportunities(analysis.first or []),
        "ratings": figures.ratings(analysis),
        "rates": figures.rates(analysis),
    }
