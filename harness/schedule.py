"""Which games a tournament consists of.

A block is one deal played by one line-up in every rotation of its seats. All line-ups play the same deals, so that
luck of the deal falls on everybody alike; the deal number in each log says which games belong together.
"""

from __future__ import annotations

from itertools import combinations

from harness.config import Tournament
from harness.plan import MatchPlan
from harness.randomness import derive_seed

SEATS = "ABCD"


def line_ups(tournament: Tournament) -> list[tuple[str, ...]]:
    """Return who meets whom, each line-up once, in the order of the file."""
    schedule = tournament.schedule
    if schedule.line_ups is not None:
        return [tuple(table) for table in schedule.line_ups]
    names = [entrant.name for entrant in tournament.entrants]
    return [
        table for table in combinations(names, tournament.players)
        if schedule.entrant is None or schedule.entrant in table
    ]  # fmt: skip


def make_schedule(tournament: Tournament) -> list[MatchPlan]:
    """Return all games, deal by deal, so that a run cut short is balanced as far as it got.

    A game's id (deal, line-up, rotation) and seed stay the same when deals are added.
    """
    sets = tuple(tournament.sets) if tournament.sets is not None else None
    return [
        MatchPlan(
            run=tournament.name,
            run_seed=tournament.seed,
            game=f"d{deal:03}-p{number:02}-r{rotation}",
            deal=deal,
            line_up=number,
            rotation=rotation,
            edition=tournament.edition,
            sets=sets,
            seed=derive_seed(tournament.seed, "deal", deal),
            seats={SEATS[i]: table[(i + rotation) % len(table)] for i in range(len(table))},
            settings=tournament.match_settings,
            provider_failure=tournament.provider_failure,
            variant=tournament.variant,
            start=tournament.start,
        )
        for deal in range(1, tournament.schedule.deals + 1)
        for number, table in enumerate(line_ups(tournament), 1)
        for rotation in range(len(table) if tournament.schedule.rotate else 1)
    ]
