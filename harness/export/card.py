"""The dataset card of an export: a README.md with a YAML head as the Hugging Face Hub wants it, made from the logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

import yaml
from jinja2 import Environment, FunctionLoader, StrictUndefined

from harness.export.columns import TABLES
from harness.export.figures import ABOUT
from harness.export.files import Format
from harness.log import GameLog
from harness.records import SeatRecord
from harness.report import OWN_SETTINGS
from harness.reporting import Analysis
from harness.text import clean_line
from harness.versions import VERSION

FEW_BLOCKS: Final = 30
"""Fewer blocks than this are called few."""
_SIZES: Final = ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST: Final = "n>1M"


def card(
    logs: Sequence[GameLog], analysis: Analysis, sizes: Mapping[str, int], form: Format, texts: bool, licence: str
) -> str:
    """Return the card; the same logs give the same text. ``sizes`` are the numbers of rows by table."""
    report = analysis.report
    head = yaml.safe_dump(
        _head(report.run, sizes, form, licence, _languages(logs)), sort_keys=False, allow_unicode=True
    )
    return (
        _environment()
        .get_template("card.md.j2")
        .render(
            head=head,
            run=report.run,
            runs=list(dict.fromkeys(log.header.run for log in logs)),
            settings=report.settings,
            entrants=[(entry, _under(entry.settings)) for entry in report.entries],
            models=_models(logs),
            games=report.games,
            finished=sum(log.outcome is not None for log in logs),
            blocks=analysis.ratings.blocks,
            few=analysis.ratings.blocks < FEW_BLOCKS,
            tables=[(name, table, table.shown(texts), sizes[name]) for name, table in TABLES.items()],
            figures=ABOUT,
            form=form,
            texts=texts,
            licence=licence,
            version=VERSION,
        )
    )


def _head(run: str, sizes: Mapping[str, int], form: Format, licence: str, languages: Sequence[str]) -> dict[str, Any]:
    """The YAML head: one configuration for each table, the seats first to be seen."""
    most = max(sizes.values())
    return {
        "license": licence,
        "language": list(languages),
        "pretty_name": clean_line(f"dale-arena: {run}"),
        "size_categories": [next((name for bound, name in _SIZES if most < bound), _LARGEST)],
        "tags": ["llm-evaluation", "rule-following", "board-games", "tool-calling"],
        "configs": [
            {"config_name": name, "data_files": f"{name}.{form}", **({"default": True} if name == "seats" else {})}
            for name in TABLES
        ],
    }


def _languages(logs: Sequence[GameLog]) -> list[str]:
    """The languages players were told the game in, by the tags of the Hub; English are the tables themselves."""
    told = {str(who.settings.get("language", "en")) for log in logs for who in log.header.seats.values()}
    return sorted({tag.partition("-")[0] for tag in told | {"en"}})


def _under(settings: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {settings[name]}" for name in OWN_SETTINGS if settings[name] is not None
    )


def _models(logs: Sequence[GameLog]) -> list[str]:
    seats: list[SeatRecord] = [who for log in logs for who in log.header.seats.values()]
    names = ((who.settings.get("profile") or {}).get("model") for who in seats)
    return list(dict.fromkeys(str(name) for name in names if name))


def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(lambda name: files("harness.export").joinpath(name).read_text(encoding="utf-8")),
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    environment.filters["line"] = _line
    return environment


def _line(value: object, limit: int = 200) -> str:
    """A value as one line of Markdown in which nothing is markup."""
    shown = "/".join(map(str, value)) if isinstance(value, list) else str(value)
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#" else letter for letter in clean_line(shown, limit))
