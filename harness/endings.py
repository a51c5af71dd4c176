"""How a game stands or ended, told in one line."""

from __future__ import annotations

from collections.abc import Mapping

from harness.prompts import Texts
from harness.records import OutcomeRecord


def ended(names: Mapping[str, str], outcome: OutcomeRecord | None, texts: Texts) -> str:
    """Return who played and how it ended; ``names`` are by seat and fit to be shown."""
    table = texts.say("table", players=list(names.values()))
    if outcome is None:
        return texts.say("ending_open", table=table)
    values = {"table": table, "score": "-".join(map(str, outcome.stacks.values())), "rounds": outcome.rounds}
    if outcome.winner is not None:
        return texts.say("ending_win", winner=names[outcome.winner], **values)
    if outcome.result == "void":
        return texts.say("ending_void", table=table, reason=texts.say(f"reason_{outcome.reason}"))
    return texts.say("ending_unfinished", **values)
