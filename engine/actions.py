"""What a player does: an accepted action as plain ints, ready to be applied."""

from __future__ import annotations

from itertools import repeat
from typing import Final, NamedTuple

from engine.types import INVENTORY_TOOL, MARKET_TOOL, Answer, Card

Link = tuple[int, Card]
"""One target of a copy chain: the zone it lies in (an index of State.zones, or STALL) and the card."""

STALL: Final = -2
"""The zone of a link whose target lies in the own rightmost stack."""


class Copy(NamedTuple):
    """A classic chameleon and the chain of targets it copies (R-CPC-05)."""

    card: Card
    chain: tuple[Link, ...]


class Action(NamedTuple):
    """One action, filled in: nothing about it is left to a default.

    tool: which of the eight tools. card: the technique or the card with the ability.
    cards: payment, stack cards from the hand or cards discarded, in placement order.
    source: slot 0 to 4 or FROM_MARKET_DISCARD. extra: junk of the payment thrown away (market), or cards
    taken from the own discard pile (stall). adjust: (Accordion, -1 or +1). answers: one answer for
    each question of the effect (technique, ability), or one for the pending question (choose).
    """

    tool: int
    card: Card = -1
    cards: tuple[Card, ...] = ()
    source: int = -1
    extra: tuple[Card, ...] = ()
    adjust: tuple[tuple[Card, int], ...] = ()
    answers: tuple[Answer, ...] = ()
    copies: tuple[Copy, ...] = ()


new_action: Final = tuple.__new__
"""Makes an action from all of its fields; quicker than by its name."""


def purchase(source: int, cards: tuple[Card, ...], extra: tuple[Card, ...] = ()) -> Action:
    """A purchase without copies."""
    return new_action(Action, (MARKET_TOOL, -1, cards, source, extra, (), (), ()))


def inventory(cards: tuple[Card, ...]) -> Action:
    """An Inventory action."""
    return new_action(Action, (INVENTORY_TOOL, -1, cards, -1, (), (), (), ()))


def inventories(chosen: list[tuple[Card, ...]]) -> list[Action]:
    """The Inventory action of each of these choices."""
    none, nothing = repeat(-1), repeat(())
    fields = zip(repeat(INVENTORY_TOOL), none, chosen, none, nothing, nothing, nothing, nothing, strict=False)
    return list(map(new_action, repeat(Action), fields))
