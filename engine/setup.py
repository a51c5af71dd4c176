"""Setting up a game (rules.md 1 and 16)."""

from __future__ import annotations

from collections.abc import Sequence

from engine import rng
from engine.deal import deal, starting_gold
from engine.errors import PositionError
from engine.state import State, blank_state
from engine.tables import SETS
from engine.turn import begin_turn, run
from engine.types import EDITIONS, SEATS, TOURNAMENT, VARIANTS
from engine.verbs.draft import open_draft


def edition_number(edition: object) -> int:
    """The number of an edition (R-EDN-01); PositionError for any other."""
    if edition not in EDITIONS:
        raise PositionError(f"unknown edition {edition!r}: the editions are {', '.join(EDITIONS)}")
    return EDITIONS.index(str(edition))


def check_players(players: object) -> int:
    """The number of players if it is 2, 3 or 4 (R-CMP-01)."""
    if isinstance(players, bool) or players not in (2, 3, 4):
        raise PositionError(f"{players!r} players: the game is for 2, 3 or 4")
    return int(str(players))


def set_numbers(sets: Sequence[str], players: int) -> tuple[int, ...]:
    """The indices of the sets in play, in the order of SETS; one more than players (R-SET-01)."""
    for name in sets:
        if name not in SETS:
            raise PositionError(f"unknown set {name!r}: the sets are {', '.join(SETS)}")
    if len(set(sets)) < len(sets):
        raise PositionError(f"a set is named twice in {', '.join(sets)}")
    if len(sets) != players + 1:
        raise PositionError(f"{len(sets)} sets for {players} players: it must be {players + 1}, one more than players")
    return tuple(sorted(SETS.index(name) for name in sets))


def random_sets(players: int, seed: int) -> tuple[int, ...]:
    """Sets chosen by the seed, without repetition (R-SET-01)."""
    order = rng.shuffled(list(range(len(SETS))), rng.stream(seed, rng.SETS, 0))
    return tuple(sorted(order[: players + 1]))


def is_tournament(variant: object) -> bool:
    """Whether a variant is the tournament variant (R-TRM-01); PositionError for one there is not."""
    if variant not in VARIANTS:
        raise PositionError(f"unknown variant {variant!r}: the variants are {', '.join(VARIANTS)}")
    return variant == VARIANTS[TOURNAMENT]


def new_state(
    edition: str, players: int, sets: Sequence[str] | None, seed: int, start: str | None, variant: str
) -> State:
    """A game whose first decision is pending (R-SET-01 to R-SET-08). Raises PositionError.

    In the tournament variant without given sets that is the first of the draft, and nothing is dealt yet (R-TRM-01).
    """
    number = edition_number(edition)
    players = check_players(players)
    tournament = is_tournament(variant)
    chosen: tuple[int, ...] = ()
    if sets is not None:
        chosen = set_numbers(sets, players)
    elif not tournament:
        chosen = random_sets(players, seed)
    if start is not None and start not in SEATS[:players]:
        raise PositionError(f"unknown start seat {start!r}: the seats are {', '.join(SEATS[:players])}")
    g = blank_state(number, players, chosen, seed)
    first = rng.below(players, rng.stream(seed, rng.START_PLAYER, 0)) if start is None else SEATS.index(start)
    if tournament:
        g.gold = starting_gold(players, first)
    if chosen:
        deal(g)
        begin_turn(g, first)
    else:
        open_draft(g, first)
        run(g)
    return g
