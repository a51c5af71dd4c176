"""The legal list of a decision as a lazy sequence (contract section 1).

It holds every legal action once, filled in and in default order. Length and a single entry come from
counts and tables; the entries of ordinary hands are made only when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import overload

from engine.actions import Action, Copy
from engine.cards._define import PROGRAMS
from engine.copying import copies_on, identities
from engine.frames import BONUS_STACK_PROGRAM, Asking
from engine.listing import Spending, copies_of, groups_of, spendings, stacks
from engine.payments import NO_ROLE, ROLES, Vector, exact_sums, payments
from engine.stacks import SPECIAL_KINDS, next_stack
from engine.state import Frame, State
from engine.tables import BLINDFOLD, CLASSIC_CHAMELEONS, ESSENTIAL_PURCHASE, IS_TECHNIQUE, SET_OF, SETS, SLUGS, VALUE
from engine.types import (
    ABILITY_TOOL,
    ACTION,
    CHOOSE_TOOL,
    EDITIONS,
    EMPTY,
    END_OF_TURN,
    END_TURN_TOOL,
    FROM_MARKET_DISCARD,
    HAND,
    INVENTORY_TOOL,
    JUNK,
    KIND_MASK,
    MARKET,
    MARKET_TOOL,
    OVER,
    SKIP_TOOL,
    SLOTS,
    STALL_TOOL,
    TECHNIQUE_TOOL,
    ZONES_PER_SEAT,
    Answer,
    Card,
    Kind,
    Seat,
)
from engine.values import market_discard_cost, plain, slot_cost
from engine.window import ABILITY_KINDS, usable

MOST_THROWN = 3
"""How many paid junk cards Essential Purchase may throw away (PAN3c-2)."""
_CHAMELEONS = frozenset(CLASSIC_CHAMELEONS)


class LegalActions(Sequence[Action]):
    """Every legal action of the pending decision; empty when the game is over."""

    __slots__ = ("_parts", "_size")

    def __init__(self, g: State) -> None:
        self._parts: list[tuple[int, Callable[[int], Action]]] = []
        g.memo = {}
        if g.phase == OVER:
            pass
        elif g.frames:
            self._frame(g)
        elif g.phase == ACTION:
            self._action(g)
        elif g.phase == END_OF_TURN:
            self._listed(_abilities(g))
            self._listed([Action(END_TURN_TOOL)])
        g.memo = None
        self._size = sum(size for size, _ in self._parts)

    def _listed(self, actions: list[Action]) -> None:
        if actions:
            self._parts.append((len(actions), actions.__getitem__))

    def _frame(self, g: State) -> None:
        frame = g.frames[-1]
        if frame.program == BONUS_STACK_PROGRAM:
            self._listed(stall_actions(g, g.turn))
            self._listed(_abilities(g))
            self._listed([Action(SKIP_TOOL)])
            return
        step = PROGRAMS[g.edition][frame.program].steps[frame.at]
        if isinstance(step, Asking):
            self._listed([Action(CHOOSE_TOOL, answers=(one,)) for one in step.question.options(g, frame)])

    def _action(self, g: State) -> None:
        seat = g.turn
        hand = g.zones[HAND + ZONES_PER_SEAT * seat]
        groups, traits = _grouped(g, hand)
        add = self._parts.append
        if traits & COPIES_CARDS:
            _copying_market_parts(g, seat, add)
        else:
            _market_parts(g, hand, groups, add)
        if traits & (PLAYABLE | COPIES_CARDS):
            table = _TRAITS[g.edition]
            for group in groups:
                card = group[0]
                if table[card & KIND_MASK] & COPIES_CARDS:
                    _copied_technique_parts(g, seat, card, add)
                elif table[card & KIND_MASK] & PLAYABLE:
                    _program_parts(g, seat, card, card & KIND_MASK, (), add)
        self._listed(stacks(g, seat, next_stack(g, seat)) if traits & BUILDS else _plain_stacks(g, seat, groups))
        size = 1
        for group in groups:
            size *= len(group) + 1
        add((size, lambda index: _inventory(hand, groups, index)))
        if traits & ACTS:
            self._listed(_abilities(g))

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> list[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | list[Action]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(self._size))]
        if index < 0:
            index += self._size
        if not 0 <= index < self._size:
            raise IndexError(index)
        for size, make in self._parts:
            if index < size:
                return make(index)
            index -= size
        raise IndexError(index)

    def __iter__(self) -> Iterator[Action]:
        for size, make in self._parts:
            for index in range(size):
                yield make(index)


PLAYABLE = 1
COPIES_CARDS = 2
BUILDS = 4
ACTS = 8


def _traits(edition: int) -> list[int]:
    """For each kind what has to be looked at when it is in a hand."""
    result = []
    for kind in range(len(SLUGS)):
        copies = COPIES_CARDS | BUILDS | ACTS if kind in _CHAMELEONS else 0
        builds = BUILDS if kind in SPECIAL_KINDS else 0
        acts = ACTS if kind in ABILITY_KINDS else 0
        result.append(copies | builds | acts | (PLAYABLE if IS_TECHNIQUE[edition][kind] else 0))
    return result


_TRAITS = tuple(_traits(edition) for edition in range(len(EDITIONS)))

Groups = list[list[Card]]


def _grouped(g: State, hand: list[Card]) -> tuple[Groups, int]:
    """The hand in groups of alike cards, and the traits of all its cards together."""
    traits = 0
    table = _TRAITS[g.edition]
    groups: dict[Kind, list[Card]] = {}
    for card in hand:
        kind = card & KIND_MASK
        group = groups.get(kind)
        if group is None:
            groups[kind] = [card]
            traits |= table[kind]
        else:
            group.append(card)
    if g.used or g.locks or g.alterations:
        return groups_of(g, hand), traits
    return list(groups.values()), traits


Add = Callable[[tuple[int, Callable[[int], Action]]], None]


def _inventory(hand: list[Card], groups: list[list[Card]], index: int) -> Action:
    """The index-th choice of how many cards of each group to discard, in hand order (R-DIS-02)."""
    chosen: list[Card] = []
    for group in groups:
        index, count = divmod(index, len(group) + 1)
        chosen += group[:count]
    chosen.sort(key=hand.index)
    return Action(INVENTORY_TOOL, cards=tuple(chosen))


def _abilities(g: State) -> list[Action]:
    result = []
    for card, _, chain in usable(g, g.turn):
        result.append(Action(ABILITY_TOOL, card, copies=(Copy(card, chain),) if chain else ()))
    return result


# Purchases


def _market_parts(g: State, hand: list[Card], groups: Groups, add: Add) -> None:
    altered = bool(g.alterations)
    entries = []
    for place, group in enumerate(groups):
        kind = group[0] & KIND_MASK
        value = plain(g, group[0]).value if altered else VALUE[kind]
        entries.append((value, len(group), ROLES.get(kind, NO_ROLE), place))
    entries.sort()
    key = tuple([entry[:3] for entry in entries])
    ordered = [groups[entry[3]] for entry in entries]
    table = payments(key)
    for slot, card in enumerate(g.zones[MARKET]):
        if card != EMPTY:
            cost = slot_cost(g, slot) if altered else VALUE[card & KIND_MASK] + slot
            vectors = table.slots.get(cost, ()) if cost else ((0,) * len(key),)
            if vectors:
                _purchase_part(hand, ordered, vectors, slot, card, add)
    if table.market_discard and g.market_discard:
        vectors = table.market_discard.get(market_discard_cost(g), ())
        if vectors:
            _purchase_part(hand, ordered, vectors, FROM_MARKET_DISCARD, g.market_discard[-1], add)


def _purchase_part(
    hand: list[Card], groups: list[list[Card]], vectors: tuple[Vector, ...], source: int, bought: Card, add: Add
) -> None:
    """The purchases of one card; for Essential Purchase each with 0 to 3 paid junk cards thrown away (PAN3c-2)."""
    if bought & KIND_MASK != ESSENTIAL_PURCHASE:
        add((len(vectors), lambda index: _purchase(hand, groups, vectors[index], source, 0)))
        return
    junk = next((index for index, group in enumerate(groups) if group[0] & KIND_MASK == JUNK), -1)
    variants = [
        (vector, thrown)
        for vector in vectors
        for thrown in range(min(MOST_THROWN, vector[junk] if junk >= 0 else 0) + 1)
    ]
    add((len(variants), lambda index: _purchase(hand, groups, variants[index][0], source, variants[index][1])))


def _purchase(hand: list[Card], groups: list[list[Card]], vector: Vector, source: int, thrown: int) -> Action:
    paid: list[Card] = []
    for group, count in zip(groups, vector, strict=True):
        if count:
            paid += group[:count]
    paid.sort(key=hand.index)
    junk = tuple([card for card in paid if card & KIND_MASK == JUNK][:thrown]) if thrown else ()
    return Action(MARKET_TOOL, cards=tuple(paid), source=source, extra=junk)


def _copying_market_parts(g: State, seat: Seat, add: Add) -> None:
    sources = [(slot, slot_cost(g, slot), card) for slot, card in enumerate(g.market) if card != EMPTY]
    if g.market_discard:
        sources.append((FROM_MARKET_DISCARD, market_discard_cost(g), g.market_discard[-1]))
    every = spendings(g, seat, max((cost for _, cost, _ in sources), default=0))
    for source, cost, bought in sources:
        found = [one for one in every if one.pays(cost, source == FROM_MARKET_DISCARD)]
        if bought & KIND_MASK == ESSENTIAL_PURCHASE:
            variants = [(one, thrown) for one in found for thrown in _throwable(one.junk())]
        else:
            variants = [(one, ()) for one in found]
        if variants:
            add((len(variants), _spender(g, seat, source, variants)))


def _spender(
    g: State, seat: Seat, source: int, variants: list[tuple[Spending, tuple[Card, ...]]]
) -> Callable[[int], Action]:
    hand = g.hand(seat)

    def make(index: int) -> Action:
        spending, thrown = variants[index]
        pieces = sorted(spending.pieces, key=lambda piece: hand.index(piece.card))
        paid = tuple([piece.card for piece in pieces])
        return Action(MARKET_TOOL, cards=paid, source=source, extra=thrown, copies=copies_of(g, pieces))

    return make


def _throwable(junk: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    """Every choice of up to three junk cards that differs by name (PAN3c-2, PAN3c-3)."""
    found: dict[tuple[Kind, ...], tuple[Card, ...]] = {}
    for picks in product((True, False), repeat=len(junk)):
        chosen = tuple(card for card, picked in zip(junk, picks, strict=True) if picked)
        if len(chosen) <= MOST_THROWN:
            found.setdefault(tuple(sorted(card & KIND_MASK for card in chosen)), chosen)
    return list(found.values())


# Techniques


def _copied_technique_parts(g: State, seat: Seat, card: Card, add: Add) -> None:
    """A chameleon as every technique it can be; a locked one needs no copies again."""
    free = copies_on(g, card)
    for identity in identities(g, seat, card):
        if IS_TECHNIQUE[g.edition][identity.kind]:
            copies = (Copy(card, identity.chain),) if free else ()
            _program_parts(g, seat, card, identity.kind, copies, add)


def _program_parts(g: State, seat: Seat, card: Card, kind: Kind, copies: tuple[Copy, ...], add: Add) -> None:
    """Every combination of answers to the questions asked when the card is played."""
    questions = PROGRAMS[g.edition][kind].questions
    if not questions:
        add((1, lambda _: Action(TECHNIQUE_TOOL, card, copies=copies)))
        return
    frame = Frame(kind, seat, card)
    lists = [question.options(g, frame) or [()] for question in questions]
    size = 1
    for options in lists:
        size *= len(options)
    secret = _secret_copies(g, seat, frame, kind, lists)
    if secret is not None:
        variants = [
            Action(TECHNIQUE_TOOL, card, answers=answers, copies=copies + extra)
            for answers in product(*lists)
            for extra in secret.get(answers[0], [()])
        ]
        add((len(variants), variants.__getitem__))
        return

    def make(index: int) -> Action:
        answers: list[Answer] = []
        for options in lists:
            index, place = divmod(index, len(options))
            answers.append(options[place])
        return Action(TECHNIQUE_TOOL, card, answers=tuple(answers), copies=copies)

    add((size, make))


def _secret_copies(
    g: State, seat: Seat, frame: Frame, kind: Kind, lists: list[list[Answer]]
) -> dict[Answer, list[tuple[Copy, ...]]] | None:
    """For Blindfold: the copies a chameleon chosen as the secret card can be (OCE5Bc-4); None if there is none."""
    if kind != BLINDFOLD:
        return None
    found = {}
    for answer in lists[0]:
        if answer and copies_on(g, answer[0]):
            chains = [one.chain for one in identities(g, seat, answer[0]) if one.chain]
            if chains:
                found[answer] = [(Copy(answer[0], chain),) for chain in chains]
    return found or None


# Stacks


def stall_actions(g: State, seat: Seat) -> list[Action]:
    """Every legal way to build the next stack (R-STL-11)."""
    groups, traits = _grouped(g, g.hand(seat))
    return stacks(g, seat, next_stack(g, seat)) if traits & BUILDS else _plain_stacks(g, seat, groups)


def _plain_stacks(g: State, seat: Seat, groups: Groups) -> list[Action]:
    """The legal stacks of a hand without building passives and chameleons: one set, exact sum (R-STL-03, R-STL-04)."""
    number = next_stack(g, seat)
    sets = SET_OF[g.edition]
    altered = bool(g.alterations)
    sums = [0] * (len(SETS) + 1)
    for group in groups:
        kind = group[0] & KIND_MASK
        sums[sets[kind]] += (plain(g, group[0]).value if altered else VALUE[kind]) * len(group)
    result: list[Action] = []
    for own in g.sets:
        if sums[own] >= number:
            members = [group for group in groups if sets[group[0] & KIND_MASK] == own]
            sizes = tuple([(plain(g, group[0]).value, len(group)) for group in members])
            hand = g.hand(seat)
            for vector in exact_sums(sizes, number):
                chosen = [card for group, count in zip(members, vector, strict=True) for card in group[:count]]
                chosen.sort(key=hand.index)
                result.append(Action(STALL_TOOL, cards=tuple(chosen)))
    return result
