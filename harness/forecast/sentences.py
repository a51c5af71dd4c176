"""What is said of a forecast beside its tables: the games, the time, and what the figures rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from statistics import fmean

from harness.figures import duration
from harness.forecast import assumptions as assumed
from harness.forecast.budgets import about
from harness.forecast.estimate import Expected
from harness.forecast.forecast import Forecast
from harness.forecast.precision import LUCK, SPREAD
from harness.providers.estimate import CHARACTERS_PER_TOKEN
from harness.ratings.standings import ELO
from harness.text import clean_line

_AIMS = (100, 50, 25)
"""Half-widths of ratings, in Elo points, for which the number of deals is told."""
_NAMED = 5
"""Names told in one sentence."""


def games(found: Forecast) -> Iterator[str]:
    """Yield which games there are."""
    tournament = found.tournament
    parts = (
        _count(len(found.tables), "line-up"),
        _count(tournament.schedule.deals, "deal"),
        _count(found.rotations, "seating"),
    )
    yield f"{tournament.name}: {_count(len(found.plans), 'game')} = {' x '.join(parts)}"
    yield (
        f"{tournament.players} players, {tournament.edition} edition, at most {tournament.round_limit} turns per seat, "
        f"{_count(tournament.attempts, 'attempt')} per decision; {_count(tournament.concurrency, 'game')} at a time"
    )
    if found.ending is not None:
        yield (
            "The run ends as soon as its blocks have decided: of two equal entrants after "
            f"{found.ending.blocks:.0f} blocks on the mean, and {found.ending.decided:.0%} of such runs before the "
            "last block. All figures below are of the whole."
        )


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def time(found: Forecast) -> Iterator[str]:
    """Yield how long the run takes, as far as it can be said."""
    told = found.time
    if told.expected is not None:
        at_a_time = _count(found.tournament.concurrency, "game")
        yield f"Time: about {duration(told.expected)} of waiting for models, {at_a_time} at a time."
    elif told.untimed:
        names = _names(told.untimed)
        least = f"; limits per minute alone make it {duration(told.least)}" if told.least else ""
        yield f"Time: not known, because nothing says how long a call takes: {names}{least}."
    else:
        yield "Time: no model plays; scripted agents take some milliseconds of computing for each decision."


def notes(found: Forecast) -> Iterator[str]:
    """Yield what the figures rest on and what is not known."""
    models = [one for one in found.expected if one.calls is not None and one.games]
    unpriced = [one.name for one in models if one.calls is not None and not one.calls.tariff.known]
    if unpriced:
        known = sum((own.cost for own in found.sums if own.cost is not None), Decimal())
        rest = f"; all others come to {about(known)} US dollars" if known else ""
        yield f'Price unknown: {_names(unpriced)}{rest}. Declare it in [prices."MODEL"].'
    bases = {basis for one in found.expected if one.games for basis in one.basis.values()}
    if "computed" in bases and not models:
        yield "computed: decisions from a few quick games with these settings."
    elif "computed" in bases:
        yield (
            "computed: decisions from quick games in which merchant sits in for models; input from the very requests "
            f"they would have got, {CHARACTERS_PER_TOKEN:g} characters to a token (more tokens in other languages than "
            "English), a second attempt as long as a first; where the provider caches, the rules and tools are paid "
            "for once in a game and then read from the cache (never at L1, whose tools change)."
        )
    if "assumed" in bases:
        yield from _assumed(models)
    if "sample" in bases:
        yield "sample: means of entrants with the same agent, level, rulebook and language in the logs given."
    apart = f"; two equal entrants differ by up to ± {found.strength.apart:.0f}" if found.strength.apart else ""
    if found.strength.groups:
        groups = "; ".join(" and ".join(clean_line(name, 48) for name in group) for group in found.strength.groups)
        yield f"No common rating: these never meet, directly or through others: {groups}."
    else:
        yield (
            "Ratings: from simulated tournaments of equal entrants in which the luck of a deal is worth "
            f"{LUCK.deal * ELO:.0f} Elo points (one standard deviation) and a seat {LUCK.seat * ELO:.0f} over the "
            f"next{apart}."
        )
        yield from _other_widths(found)
    if any(not one.seen.firsts for one in found.expected):
        yield (
            f"Violations: where no sample tells, {assumed.VIOLATION_RATE:.0%} of first attempts are assumed to break a "
            f"rule, with a correlation of {assumed.CLUSTERING:g} within a deal."
        )


def _other_widths(found: Forecast) -> Iterator[str]:
    """The intervals of unlike entrants, and the deals for other widths, which shrink as the root of that number."""
    widths = [width for width in found.strength.alone.values() if width is not None]
    wide = [width for width in found.field.alone.values() if width is not None]
    if widths and wide:
        yield (
            f"Of entrants that are not equal but {SPREAD:.0f} points from the first to the last, given the deal, the "
            f"intervals are ± {fmean(wide):.0f} on the mean and up to ± {max(wide):.0f}."
        )
        deals, mean = found.tournament.schedule.deals, fmean(widths)
        told = [f"± {aim} about {max(1, round(deals * (mean / aim) ** 2))}" for aim in _AIMS]
        yield f"Deals for other intervals of ratings, with these line-ups: {', '.join(told)}."


def _names(names: Sequence[str]) -> str:
    """A few names, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(clean_line(name, 48) for name in names[:_NAMED]) + more


def _assumed(models: list[Expected]) -> Iterator[str]:
    told = []
    if any(one.basis.get("calls") == "assumed" for one in models):
        told.append(f"{assumed.ATTEMPTS_PER_DECISION:g} attempts per decision (L0: 1)")
    if any(one.basis.get("output") == "assumed" for one in models):
        told.append(f"answers of {assumed.OUTPUT_OF_CALL} tokens (L0: {assumed.OUTPUT_OF_MENU})")
        efforts = ", ".join(f"{name} {count}" for name, count in assumed.REASONING.items() if count)
        usual = ", ".join(f"{kind}: {effort}" for kind, effort in assumed.USUAL_EFFORT.items())
        told.append(f"tokens of reasoning by effort ({efforts}; unless stated {usual}, of others none)")
    yield (
        f'assumed: {"; ".join(told)}. A calibration run (--sample), or [estimate."MODEL"] in the file, replaces this.'
    )
