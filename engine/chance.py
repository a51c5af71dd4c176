"""Random events: shuffles, random cards from hands, die rolls. A forced outcome, if there is one, comes first.

An event with one possible result uses no forced outcome (contract section 5).
"""

from __future__ import annotations

from engine import rng
from engine.errors import ForcedOutcomeError
from engine.state import State
from engine.tables import DIE, SLUGS
from engine.types import KIND_MASK, Card
from engine.values import likeness


def _next(g: State, source: int) -> int:
    count = g.counters[source]
    g.counters[source] = count + 1
    return rng.stream(g.seed, source, count)


def _forced(g: State, wanted: str) -> object:
    kind, outcome = g.forced[0]
    if kind != wanted:
        raise ForcedOutcomeError(f"the next random event is a {wanted}, but the forced outcome is {kind}: {outcome}")
    g.forced.pop(0)
    return outcome


def _by_name(cards: list[Card], names: object, event: str) -> list[Card]:
    """The cards with these names, in the order named, each card once; `slug#n` is the n-th copy among them."""
    left = cards[:]
    result = []
    for name in names if isinstance(names, list | tuple) else [names]:
        slug, mark, number = str(name).partition("#")
        copies = [card for card in cards if SLUGS[card & KIND_MASK] == slug]
        meant = copies[int(number) - 1 : int(number)] if mark else copies
        card = next((card for card in meant if card in left), None)
        if card is None:
            raise ForcedOutcomeError(f"the forced {event} names {name}, which is not among the cards concerned")
        left.remove(card)
        result.append(card)
    return result


def shuffle(g: State, source: int, cards: list[Card]) -> list[Card]:
    """The cards in a random order; the last one is the top (R-RND-02)."""
    start = _next(g, source)
    if g.forced and len({card & KIND_MASK for card in cards}) > 1:
        order = _by_name(cards, _forced(g, "shuffle"), "shuffle")
        if len(order) != len(cards):
            raise ForcedOutcomeError(f"the forced shuffle names {len(order)} cards, but {len(cards)} are shuffled")
        return order[::-1]
    return rng.shuffled(cards, start)


def pick(g: State, cards: list[Card], count: int) -> list[Card]:
    """`count` random cards of a hand, in the order they were picked (R-EFF-05).

    Copies of one name that differ in value or use are different results, told apart by `slug#n`.
    """
    start = _next(g, rng.PICKS)
    if g.forced and 0 < count < len(cards) and len({likeness(g, card) for card in cards}) > 1:
        picked = _by_name(cards, _forced(g, "pick"), "pick")
        if len(picked) != count:
            raise ForcedOutcomeError(f"the forced pick names {len(picked)} cards, but {count} are taken")
        return picked
    return rng.sample(cards, count, start)


def roll(g: State) -> int:
    """The result of the ocelot die (R-RND-03)."""
    start = _next(g, rng.DICE)
    faces = DIE[g.edition]
    if g.forced:
        face = _forced(g, "die")
        if face not in faces:
            raise ForcedOutcomeError(f"the forced die shows {face}, but the die has the faces {sorted(set(faces))}")
        return faces[faces.index(int(str(face)))]
    return faces[rng.below(len(faces), start)]
