"""Re-dealing what a seat cannot know: another game that seat could just as well be in (contract section 7).

The observation, the decision, the legal list, the tool schemas and every refusal stay the same for that seat. What the
other seats know and do not know stays with the places: they know the cards that lie there now.
"""

from __future__ import annotations

from engine import rng
from engine.copying import break_locks, copies_on, lock, reachable, unlock
from engine.decisions import pending_step
from engine.knowledge import classes, is_placed, owners, pool
from engine.state import ALL_CARDS, State
from engine.tables import SECRET
from engine.types import MARKET_POOL, Card, Seat
from engine.verbs.look import SHOWN, looked_card


def determinise(g: State, seat: Seat, seed: int) -> State:
    """A clone in which every card whose place the seat does not know is dealt again, uniformly, by `seed`.

    Cards that may be in several pools are dealt among those pools first, then each pool among its places, but for those
    where a card was seen to be placed: there lies one that could have been placed. All that chance has yet to decide
    comes from `seed` too: the clone has another seed, and no forced outcomes.
    """
    other = g.clone()
    other.seed = rng.stream(seed, rng.REDEALS, 0)
    other.forced = []
    bit = 1 << seat
    places = _places(other, seat)
    before = [zone[index] for zone, index in places]
    draw = 1
    secret = _secret_place(other, seat)
    shown = _shown_places(other)
    followed: list[tuple[list[Card], int]] = []
    for lost in classes(other, seat):
        spread = [(zone, index) for zone, index in places if zone[index] in lost]
        followed += [(zone, index) for zone, index in spread if is_placed(other, seat, zone[index])]
        _deal(spread, rng.stream(seed, rng.REDEALS, draw))
        draw += 1
    placed = {zone[index] for zone, index in followed}
    for owner in owners(other):
        free = {card for card in pool(other, seat, owner) if not other.known.get(card, 0) & bit} - placed
        _deal([(zone, index) for zone, index in places if zone[index] in free], rng.stream(seed, rng.REDEALS, draw))
        draw += 1
    _mark_as_placed(other, seat, placed)
    _keep_marks(other, seat, dict(zip(before, [zone[index] for zone, index in places], strict=True)))
    _drop_loose_ends(other)
    if secret >= 0:
        _choose_secret(other, secret)
    if shown:
        frame = other.frames[-1]
        frame.picked = [other.hand(frame.seat)[place] for place in shown]
    return other


def _places(g: State, seat: Seat) -> list[tuple[list[Card], int]]:
    """Every place of a hidden zone, as (zone, index)."""
    zones = []
    for owner in owners(g):
        if owner == MARKET_POOL:
            zones.append(g.market_deck)
        else:
            zones.append(g.deck(owner))
            if owner != seat:
                zones.append(g.hand(owner))
    return [(zone, index) for zone in zones for index in range(len(zone))]


def _deal(places: list[tuple[list[Card], int]], start: int) -> None:
    """Permute the cards of these places."""
    cards = rng.shuffled([zone[index] for zone, index in places], start)
    for (zone, index), card in zip(places, cards, strict=True):
        zone[index] = card


def _mark_as_placed(g: State, seat: Seat, placed: set[Card]) -> None:
    """These cards lie now where the seat saw cards placed that it cannot name, and no others."""
    g.limbo[seat] = {card: -abs(one) if card in placed else abs(one) for card, one in g.limbo[seat].items()}


def _keep_marks(g: State, seat: Seat, dealt: dict[Card, Card]) -> None:
    """What the other seats know or have lost sight of is where it was; `dealt`: what lies there now, by what lay there.

    The seat's own knowledge is of cards, which the deal has respected: a card whose place it knows has not moved.
    """
    g.known = {dealt.get(card, card): seats for card, seats in g.known.items()}
    for observer, lost in enumerate(g.limbo):
        if observer != seat:
            g.limbo[observer] = {dealt.get(card, card): number for card, number in lost.items()}


def _secret_place(g: State, seat: Seat) -> int:
    """Where in its owner's hand the secret card of a Blindfold lies while another seat guesses; else -1."""
    frame = g.frames[-1] if g.frames else None
    if frame is None or frame.program != SECRET[g.edition] or frame.actor == seat or frame.at or not frame.picked:
        return -1
    return g.hand(frame.actor).index(frame.picked[0])


def _shown_places(g: State) -> list[int]:
    """Where in their owner's hand the cards lie that another seat has been shown and may choose from (CHA4r-1)."""
    step = pending_step(g)
    if step is None or not isinstance(step.question, looked_card) or step.question.where != SHOWN:
        return []
    frame = g.frames[-1]
    return [g.hand(frame.seat).index(card) for card in frame.picked]


def _choose_secret(g: State, place: int) -> None:
    """The card that now lies in the place of the secret one is the secret; a chameleon copies the first it can."""
    frame = g.frames[-1]
    card = g.hand(frame.actor)[place]
    if card != frame.picked[0]:
        unlock(g, [one for one in g.locks if one[0] == frame.picked[0]])
        frame.picked = [card]
    if copies_on(g, card):
        found = reachable(g, frame.actor, card)
        if found:
            lock(g, card, found[0].chain)


def _drop_loose_ends(g: State) -> None:
    """What was tied to a card of the active hand ends if the card is elsewhere now, a copy of such a card too."""
    hand = g.hand(g.turn)
    g.alterations = [change for change in g.alterations if change[0] == ALL_CARDS or change[0] in hand]
    g.locks = [one for one in g.locks if one[0] in hand]
    g.used = [card for card in g.used if card in hand]
    g.counted = [card for card in g.counted if card in hand]
    break_locks(g)
