"""Listing payments and stacks of hands whose cards can be several things: chameleons and building passives.

Selections are put together group by group and dropped as soon as nothing legal can come of them; every one that
is left passes the same tests as a proposal does.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

from engine.actions import Action, Copy
from engine.copying import copies_on, identities
from engine.frames import likeness
from engine.payments import LIFTS_OVERPAY, OPENS_DISCARD, lowest_cost, overpays, role_of
from engine.stacks import (
    Content,
    Piece,
    accordions_in,
    content_of,
    faults_of,
    fitting_adjustment,
    hand_items_in,
    items_in,
    lacks_chest,
    lacks_vendor,
    lifts_tests,
    set_mask,
    sum_in,
)
from engine.state import State
from engine.types import JUNK, KIND_MASK, STALL_TOOL, Card, Seat
from engine.values import Identity, gold_of

_NOTHING = 99
"""Larger than any value: the smallest card of an empty selection."""


Spending = tuple[tuple[Piece, ...], int, int, int]
"""One selection of hand cards as a payment: its pieces, their total, the smallest value, a mask of 1 << role."""


def junk_of(spending: Spending) -> tuple[Card, ...]:
    """The cards that are junk in a payment (PAN3c-3)."""
    return tuple([piece.card for piece in spending[0] if piece.identity.kind == JUNK])


def opens_discard(spending: Spending) -> bool:
    """Whether a payment holds a card that currently is Market Discovery (PAN4c-2)."""
    return bool(spending[3] >> OPENS_DISCARD & 1)


def groups_of(g: State, cards: list[Card]) -> list[list[Card]]:
    """The cards in groups of alike ones, in order of their first cards."""
    groups: dict[tuple[object, ...], list[Card]] = {}
    for card in cards:
        groups.setdefault(likeness(g, card), []).append(card)
    return list(groups.values())


def groups_by_name(cards: list[Card]) -> list[list[Card]]:
    """The cards in groups of one name, in order of their first cards."""
    groups: dict[int, list[Card]] = {}
    for card in cards:
        groups.setdefault(card & KIND_MASK, []).append(card)
    return list(groups.values())


def _selections(group: list[Card], options: list[Identity]) -> list[tuple[Piece, ...]]:
    """Every way to use cards of a group of alike ones, none included."""
    result: list[tuple[Piece, ...]] = [()]
    for count in range(1, len(group) + 1):
        for chosen in combinations_with_replacement(options, count):
            result.append(tuple([Piece(card, one) for card, one in zip(group, chosen, strict=False)]))
    return result


def copies_of(g: State, pieces: tuple[Piece, ...] | list[Piece]) -> tuple[Copy, ...]:
    """What has to be announced for these pieces; a locked chameleon needs nothing."""
    return tuple([Copy(card, one.chain) for card, one in pieces if one.chain and copies_on(g, card)])


def spendings(g: State, seat: Seat, costs: set[int]) -> dict[int, list[Spending]]:
    """The legal payments of the hand for each of these costs, chameleons in every identity (R-MKT-06, R-TRM-03)."""
    by_cost: dict[int, list[Spending]] = {cost: [] for cost in costs}
    dearest = max(costs, default=0)
    gold = gold_of(g, seat)
    for one in _all_spendings(g, seat, dearest):
        _, total, smallest, roles = one
        lowest = lowest_cost(total, smallest, bool(roles >> LIFTS_OVERPAY & 1))
        for cost in range(lowest, min(total + gold, dearest) + 1):
            if cost in by_cost:
                by_cost[cost].append(one)
    if 0 in by_cost:
        by_cost[0].append(((), 0, _NOTHING, 0))
    return by_cost


def _all_spendings(g: State, seat: Seat, dearest: int) -> list[Spending]:
    """Every selection of hand cards that can pay some cost up to `dearest`."""
    groups = [_ways_to_spend(g, seat, group) for group in groups_of(g, g.hand(seat))]
    # those that can lift the overpay rule first: after them a surplus is final
    groups.sort(key=lambda ways: not _lifts(ways))
    lifting = sum([_lifts(ways) for ways in groups])
    found: list[Spending] = [((), 0, _NOTHING, 0)]
    for place, ways in enumerate(groups):
        open_ended = place < lifting - 1
        more = []
        for pieces, total, smallest, roles in found:
            for own, own_total, own_smallest, own_roles in ways:
                paid = total + own_total
                least = smallest if smallest < own_smallest else own_smallest
                both = roles | own_roles
                if not overpays(paid, least, dearest) or both >> LIFTS_OVERPAY & 1 or open_ended:
                    more.append((pieces + own, paid, least, both))
        found = more
    return found


def _lifts(ways: list[Spending]) -> bool:
    return any([way[3] >> LIFTS_OVERPAY & 1 for way in ways])


def _ways_to_spend(g: State, seat: Seat, group: list[Card]) -> list[Spending]:
    result = []
    for pieces in _selections(group, identities(g, seat, group[0])):
        total = 0
        smallest = _NOTHING
        roles = 0
        for _, identity in pieces:
            total += identity.value
            smallest = min(smallest, identity.value)
            roles |= 1 << role_of(identity.kind)
        result.append((pieces, total, smallest, roles))
    return result


Part = tuple[tuple[Piece, ...], Content, int]
"""Some cards of a stack: the pieces, their content, the mask of their sets."""


def stacks(g: State, seat: Seat, number: int) -> list[Action]:
    """Every legal Stall action for this stack number."""
    hand = g.hand(seat)
    groups = [_parts(g, group, identities(g, seat, group[0])) for group in groups_of(g, hand)]
    pile = _pile_parts(g, seat) if any([_helps(parts, hand_items_in) for parts in groups]) else []
    adjustable = _most(groups, accordions_in) + sum([accordions_in(content) for _, content in pile])
    result = []
    for pieces, content, sets in _selected(groups, pile, number, adjustable):
        if not faults_of(content, sets, number):
            result.append(_stall(g, hand, pieces, (), number))
        if hand_items_in(content):
            for included, total in _with_pile(content, pile, items_in(content), number + adjustable):
                if not faults_of(total, sets, number):
                    result.append(_stall(g, hand, pieces, included, number))
    return result


def _selected(groups: list[list[Part]], pile: list[tuple[Piece, Content]], number: int, adjustable: int) -> list[Part]:
    """The selections of hand cards from which a legal stack can come: others are dropped on the way."""
    every = [content for parts in groups for _, content, _ in parts] + [content for _, content in pile]
    hopeful = any([lifts_tests(content) for content in every])
    groups = sorted(groups, key=lambda parts: not _helps(parts, lifts_tests))
    helpful = sum([_helps(parts, lifts_tests) for parts in groups])
    least = 0 if pile else number - adjustable
    left = sum([max([sum_in(content) for _, content, _ in parts]) for parts in groups])
    found: list[Part] = [((), 0, 0)]
    for place, parts in enumerate(groups):
        settled = not hopeful or (place >= helpful - 1 and not pile)
        left -= max([sum_in(content) for _, content, _ in parts])
        more = []
        for pieces, content, sets in found:
            for own, own_content, own_sets in parts:
                both = content + own_content
                masks = sets | own_sets
                total = sum_in(both)
                if total > number + adjustable or total + left < least:
                    continue
                if settled and (lacks_vendor(both) or lacks_chest(both, masks)):
                    continue
                more.append((pieces + own, both, masks))
        found = more
    return found


def _most(groups: list[list[Part]], of: Callable[[Content], int]) -> int:
    return sum([max([of(content) for _, content, _ in parts]) for parts in groups])


def _helps(parts: list[Part], of: Callable[[Content], int]) -> bool:
    return any([of(content) for _, content, _ in parts])


def _parts(g: State, group: list[Card], options: list[Identity]) -> list[Part]:
    """Every way to use cards of a group in a stack."""
    result: list[Part] = [((), 0, 0)]
    if len(options) == 1:
        (one,) = options
        content = content_of(one, from_hand=True)
        mask = set_mask(g, one.kind)
        pieces: tuple[Piece, ...] = ()
        for count, card in enumerate(group, 1):
            pieces = (*pieces, Piece(card, one))
            result.append((pieces, content * count, mask))
        return result
    for pieces in _selections(group, options)[1:]:
        content = sum([content_of(piece.identity, from_hand=True) for piece in pieces])
        mask = 0
        for piece in pieces:
            mask |= set_mask(g, piece.identity.kind)
        result.append((pieces, content, mask))
    return result


def _pile_parts(g: State, seat: Seat) -> list[tuple[Piece, Content]]:
    """Every card of the own discard pile in every identity it could be included as (SQU3-5)."""
    result = []
    for card in g.discard(seat):
        for identity in identities(g, seat, card):
            result.append((Piece(card, identity), content_of(identity, from_hand=False)))
    return result


def _with_pile(
    content: Content, pile: list[tuple[Piece, Content]], room: int, most: int, start: int = 0
) -> list[tuple[tuple[Piece, ...], Content]]:
    """Every selection of discard cards as far as Nostalgic Items allow (SQU3-1); alike ones once, the lowest first."""
    result: list[tuple[tuple[Piece, ...], Content]] = []
    seen = set()
    for place in range(start, len(pile)):
        piece, more = pile[place]
        mark = (piece.card & KIND_MASK, piece.identity.kind, piece.identity.value)
        if mark in seen or sum_in(content) + sum_in(more) > most:
            continue
        seen.add(mark)
        whole = content + more
        result.append(((piece,), whole))
        left = room - 1 + items_in(more)
        if left:
            rest = _after(pile, place)
            result += [((piece, *own), end) for own, end in _with_pile(whole, pile, left, most, rest)]
    return result


def _after(pile: list[tuple[Piece, Content]], place: int) -> int:
    """The first entry after this one that is another physical card."""
    following = place + 1
    while following < len(pile) and pile[following][0].card == pile[place][0].card:
        following += 1
    return following


def _stall(g: State, hand: list[Card], pieces: tuple[Piece, ...], included: tuple[Piece, ...], number: int) -> Action:
    chosen = sorted(pieces, key=lambda piece: hand.index(piece.card))
    every = [*chosen, *included]
    return Action(
        STALL_TOOL,
        cards=tuple([piece.card for piece in chosen]),
        extra=tuple([piece.card for piece in included]),
        adjust=fitting_adjustment(every, number),
        copies=copies_of(g, every),
    )
