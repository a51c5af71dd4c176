"""Taking a decision back: the log is cut off before it, and what was there is kept beside the game's logs."""

from __future__ import annotations

from pathlib import Path

from harness.errors import UserError
from harness.log import read_log
from harness.records import AttemptRecord, DecisionRecord


def take_back(path: Path, seat: str) -> Path | None:
    """Cut a game's log off before the last decision of a seat, so that the game can be gone on with from there.

    The whole log is kept as ``undone/<game>-<n>.jsonl`` beside the folder of the logs, where nothing counts it. Returns
    its path; None, and changes nothing, if the seat has not decided yet. Raises UserError if the disk refuses.
    """
    log = read_log(path)
    mine = [record.number for record in log.decisions if record.seat == seat]
    if not mine:
        return None
    kept = [
        not isinstance(record, AttemptRecord | DecisionRecord) or record.number < mine[-1] for record in log.records
    ].count(True)
    folder = path.parent.parent / "undone"
    part = path.with_suffix(".part")
    try:
        whole = path.read_bytes()
        folder.mkdir(exist_ok=True)
        number = 1
        while (aside := folder / f"{path.stem}-{number}.jsonl").exists():
            number += 1
        aside.write_bytes(whole)
        part.write_bytes(b"".join(whole.splitlines(keepends=True)[:kept]))
        part.replace(path)
    except OSError as error:
        raise UserError(f"cannot take back a decision of {path}: {error.strerror}.") from None
    return aside
