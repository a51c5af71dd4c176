"""Finding the violation codes that are open at a decision, each with an example the checker has confirmed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import Final, NamedTuple

from engine import rng
from engine.codes import CODES
from engine.decisions import decision_of
from engine.opportunities.authority import out_of_turn
from engine.opportunities.catalogue import MAKERS
from engine.opportunities.effects import wrong_answers
from engine.opportunities.spot import Call, Spot, primary_code
from engine.state import State
from engine.types import JSON, SEATS, Seat

_VARIETY: Final = 32
"""Among how many examples of a code a seed chooses."""
_OUT_OF_TURN: Final = ("not_your_decision", "second_action_without_bonus")


class Opportunity(NamedTuple):
    """A violation code that a readable proposal can break here as the primary one, and a proposal that does."""

    code: str
    tool: str
    arguments: dict[str, JSON]


def opportunities(g: State, seat: Seat | None = None, seed: int | None = None) -> tuple[Opportunity, ...]:
    """Every code that is open to a seat, by default the deciding one, in the order of R-ERR-01.

    A code is open if some proposal of the form of contract section 1 would be refused with it as the primary code.
    Which codes are open, and the examples, depend on what the seat is entitled to know and on `seed`, which chooses
    among several examples; without one the plainest is taken.
    """
    decision = decision_of(g)
    if decision is None:
        return ()
    if seat is not None and SEATS[seat] != decision.seat:
        return _of_idle_seat(g, seat, seed)
    spot = Spot(g, decision)
    answers = wrong_answers(spot)
    found = []
    for number, code in enumerate(CODES):
        maker = MAKERS.get(code)
        claims = chain(maker(spot) if maker is not None else (), answers.get(code, ()))
        call = next((one for one in _varied(claims, seed, number) if primary_code(g, spot.seat, one) == code), None)
        if call is not None:
            found.append(Opportunity(code, *call))
    return tuple(found)


def _of_idle_seat(g: State, seat: Seat, seed: int | None) -> tuple[Opportunity, ...]:
    """The codes of a seat that does not decide."""
    found = []
    for number, code in enumerate(_OUT_OF_TURN):
        call = next((one for one in _varied(out_of_turn(), seed, number) if primary_code(g, seat, one) == code), None)
        if call is not None:
            found.append(Opportunity(code, *call))
    return tuple(found)


def _varied(claims: Iterable[Call], seed: int | None, number: int) -> Iterable[Call]:
    """The claims, the first of them in an order that the seed decides."""
    if seed is None:
        return claims
    rest = iter(claims)
    first = list(islice(rest, _VARIETY))
    order = rng.shuffled(list(range(len(first))), rng.stream(seed, rng.PICKS, number))
    return chain((first[place] for place in order), rest)
