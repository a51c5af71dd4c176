"""What a seat is shown: everything it is entitled to and nothing else (contract section 7)."""

from __future__ import annotations

from engine.cleanup import hand_limit
from engine.decisions import decision_of, pending_step
from engine.knowledge import classes, owners, pool
from engine.moves import name
from engine.stacks import next_stack
from engine.state import ADD, ALL_CARDS, COPY, COST, LIMIT, SET, State, copy_of
from engine.tables import HAS_ABILITY, SETS, SLUGS, VALUE
from engine.types import (
    EDITIONS,
    EMPTY,
    JSON,
    JUNK_PILE,
    KIND_MASK,
    MARKET_POOL,
    SEATS,
    TOURNAMENT,
    VARIANTS,
    Card,
    Kind,
    Seat,
    in_play_zone,
)
from engine.values import counted_cards, lock_of, plain, slot_cost
from engine.verbs.draft import banned_sets, in_draft, sets_left
from engine.verbs.look import looked_at, looked_card, looked_order
from engine.verbs.spelling import spell_card

Observation = dict[str, JSON]


def observe(g: State, seat: Seat) -> Observation:
    """The observation of a seat, as plain JSON with a fixed order of keys; open piles whole (R-ZON-01, R-ZON-02)."""
    decision = decision_of(g)
    seats: dict[str, JSON] = {SEATS[other]: _public(g, other) for other in range(g.players)}
    return {
        "seat": SEATS[seat],
        "edition": EDITIONS[g.edition],
        "sets": [SETS[number] for number in g.sets],
        "round": g.rounds[g.turn],
        "turn": SEATS[g.turn],
        "decision": None if decision is None else dict(decision._asdict()),
        "next_stack": next_stack(g, seat),
        "hand_limit": hand_limit(g, seat) if seat == g.turn else None,
        "hand": [_hand_card(g, seat, card) for card in g.hand(seat)],
        "market": [_market_card(g, slot, card) for slot, card in enumerate(g.market)],
        "market_deck_size": len(g.market_deck),
        "market_discard": [name(card) for card in g.market_discard],
        "junk_pile": len(g.zones[JUNK_PILE]),
        "seats": seats,
        "offered": _offered(g, seat),
        "known": _known(g, seat),
        **_pools(g, seat),
        **(_variant(g) if g.gold else {}),
        **(_in_force(g) if g.alterations else {}),
    }


def _in_force(g: State) -> dict[str, JSON]:
    """What effects change for all cards of the active player this turn, in the form of the events that told it."""
    types = {ADD: "value", COST: "costs", LIMIT: "hand_limit"}
    changes: list[JSON] = [
        {"type": types[operation], "seat": SEATS[g.turn], "add": amount}
        for card, operation, amount in g.alterations
        if card == ALL_CARDS
    ]
    return {"in_force": changes} if changes else {}


def _variant(g: State) -> dict[str, JSON]:
    """What only the tournament variant shows; `draft` while sets are banned and picked (R-TRM-01)."""
    shown: dict[str, JSON] = {"variant": VARIANTS[TOURNAMENT]}
    if in_draft(g):
        banned: list[JSON] = [SETS[number] for number in banned_sets(g)]
        left: list[JSON] = [SETS[number] for number in sets_left(g, g.frames[-1])]
        shown["draft"] = {"banned": banned, "left": left}
    return shown


def _public(g: State, seat: Seat) -> dict[str, JSON]:
    stall: list[JSON] = [[name(card) for card in stack] for stack in g.stalls[seat]]
    return {
        "hand_size": len(g.hand(seat)),
        "deck_size": len(g.deck(seat)),
        "discard": [name(card) for card in g.discard(seat)],
        "stall": stall,
        "in_play": [name(card) for card in g.zones[in_play_zone(seat)]],
        "forfeited": bool(g.forfeited >> seat & 1),
        **({"gold": g.gold[seat]} if g.gold else {}),
    }


def _hand_card(g: State, seat: Seat, card: Card) -> dict[str, JSON]:
    """A card of the own hand with its current value and what has changed it by itself.

    A locked chameleon, and one that has copied, says what it is.
    """
    identity = plain(g, card)
    shown: dict[str, JSON] = {"card": spell_card(g, seat, card), "value": identity.value}
    if lock_of(g, card) or copy_of(g, card) >= 0:
        shown["copies"] = SLUGS[identity.kind]
    if seat == g.turn and (card in g.used or HAS_ABILITY[g.edition][identity.kind]):
        # what a chameleon used as a copy counts for every further copy of this turn (R-PAS-05)
        shown["ability"] = "used" if identity.used else "unused"
    changes = _changes(g, card) if g.alterations else []
    if changes:
        shown["changes"] = changes
    return shown


def _changes(g: State, card: Card) -> list[JSON]:
    """What was added to the value of this card, or what it was set to, in the order it happened (R-VAL-02).

    What happened to cards that a locked chameleon copies comes before what happened to itself (R-CPC-06). `overrides`:
    how much all cards counted more before a value was set; that counts no more for this one (R-VAL-03). The value that
    comes with a copy is left out where the copied card's name and those additions make it (R-CPR-03).
    """
    changes: list[JSON] = []
    for one in counted_cards(g, card, lock_of(g, card))[::-1]:
        changes += _own_changes(g, one)
    return changes


def _own_changes(g: State, card: Card) -> list[JSON]:
    changes: list[JSON] = []
    for_all = 0
    by_copy = None
    for changed, operation, amount in g.alterations:
        if changed == ALL_CARDS:
            for_all += amount if operation == ADD else 0
        elif changed == card and operation == ADD:
            changes.append({"add": amount})
        elif changed == card and operation == SET and amount != by_copy:
            changes.append({"set": amount, **({"overrides": for_all} if for_all else {})})
        by_copy = VALUE[amount] + for_all if changed == card and operation == COPY else None
    return changes


def _market_card(g: State, slot: int, card: Card) -> JSON:
    if card == EMPTY:
        return None
    return {"slot": f"slot_{slot}", "card": name(card), "value": VALUE[card & KIND_MASK], "cost": slot_cost(g, slot)}


def _offered(g: State, seat: Seat) -> list[JSON]:
    """The cards a pending effect shows this seat, the top card first."""
    step = pending_step(g)
    if step is None:
        return []
    frame = g.frames[-1]
    question = step.question
    if step.chooser(frame) == seat and isinstance(question, looked_card | looked_order):
        return [name(card) for card in looked_at(g, frame, question.where)]
    return []


def _known(g: State, seat: Seat) -> list[JSON]:
    """Every place of a hidden card this seat knows: decks from the top, hands without a place."""
    bit = 1 << seat
    places: list[JSON] = []
    for owner in owners(g):
        deck = g.market_deck if owner == MARKET_POOL else g.deck(owner)
        zone = "market_deck" if owner == MARKET_POOL else f"deck_{SEATS[owner]}"
        for position, card in enumerate(reversed(deck)):
            if g.known.get(card, 0) & bit:
                places.append({"zone": zone, "position": position, "card": name(card)})
        if owner not in (MARKET_POOL, seat):
            held = sorted((name(card), copy_of(g, card)) for card in g.hand(owner) if g.known.get(card, 0) & bit)
            places += [_held(owner, slug, copied) for slug, copied in held]
    return places


def _held(owner: Seat, slug: str, copied: Kind) -> dict[str, JSON]:
    """A card known in another hand, and what it has been announced to copy (R-CPR-06)."""
    place: dict[str, JSON] = {"zone": f"hand_{SEATS[owner]}", "card": slug}
    return place if copied < 0 else {**place, "copies": SLUGS[copied]}


def _pools(g: State, seat: Seat) -> dict[str, JSON]:
    """What each hidden pool must contain, and what is known to be spread over several of them."""
    lost = set().union(*classes(g, seat))
    pools: dict[str, JSON] = {}
    for owner in owners(g):
        cards = pool(g, seat, owner)
        label = "market_deck" if owner == MARKET_POOL else SEATS[owner]
        certain: list[JSON] = [*sorted(name(card) for card in cards if card not in lost)]
        pools[label] = {"cards": certain, "unknown": sum(card in lost for card in cards)}
    nowhere: list[JSON] = [*sorted(name(card) for card in lost)]
    return {"pools": pools, "unlocated": nowhere}
