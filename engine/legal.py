"""The legal list of a decision as a lazy sequence (contract section 1).

It holds every legal action once, filled in and in default order. Length and a single entry come from
counts and tables; the entries of ordinary hands are made only when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from engine.actions import Action, Copy
from engine.builds import stack_of, stack_parts
from engine.cards._define import PROGRAMS
from engine.copying import copies_on
from engine.frames import BONUS_STACK_PROGRAM, Asking
from engine.groups import ACTS, COPIES_CARDS, TRAITS, Groups, groups_of
from engine.hands import HandTable, first_of, fixed_hand, ordinary
from engine.open_cards import NO_OPEN_CARDS, ways_of
from engine.payments import Vector
from engine.plays import copied_technique_parts, play, program_parts
from engine.purchases import count_purchases, purchase_at, purchase_parts
from engine.stacks import next_stack
from engine.state import State
from engine.tables import IS_TECHNIQUE
from engine.types import (
    ABILITY_TOOL,
    ACTION,
    CHOOSE_TOOL,
    EMPTY,
    END_OF_TURN,
    END_TURN_TOOL,
    HAND,
    INVENTORY_TOOL,
    KIND_MASK,
    OVER,
    SKIP_TOOL,
    ZONES_PER_SEAT,
    Card,
    Seat,
)
from engine.values import plain
from engine.window import answers_of, has_effect, usable


class LegalActions(Sequence[Action]):
    """Every legal action of the pending decision; empty when the game is over."""

    __slots__ = ("_g", "_hand", "_parts", "_size", "_table")

    _hand: list[Card]
    _table: HandTable

    def __init__(self, g: State) -> None:
        self._g = g
        self._size = 0
        self._parts: list[tuple[int, Callable[[int], Action]]] = []
        if g.phase == ACTION and not g.frames:
            hand = self._hand = g.zones[HAND + ZONES_PER_SEAT * g.turn]
            table = ordinary(g, hand)
            if table is not None:
                self._table = table
                self._ordinary_hand(g, g.turn, table)
                return
            g.memo = {}
            self._any_hand(g, g.turn, hand)
            g.memo = None
        else:
            self._other(g)
        self._size = sum([size for size, _ in self._parts])

    def _other(self, g: State) -> None:
        g.memo = {}
        if g.phase == OVER:
            pass
        elif g.frames:
            self._frame(g)
        elif g.phase == END_OF_TURN:
            self._listed(_abilities(g))
            self._listed([Action(END_TURN_TOOL)])
        g.memo = None

    def _listed(self, actions: list[Action]) -> None:
        if actions:
            self._parts.append((len(actions), actions.__getitem__))

    def _frame(self, g: State) -> None:
        frame = g.frames[-1]
        if frame.program == BONUS_STACK_PROGRAM:
            hand = g.hand(g.turn)
            fixed, unsettled, _ = _split(g, hand)
            table, pick = fixed_hand(g, hand, fixed)
            stack_parts(g, g.turn, table, ways_of(g, g.turn, unsettled), pick, self._parts.append)
            self._listed(_abilities(g))
            self._listed([Action(SKIP_TOOL)])
            return
        step = PROGRAMS[g.edition][frame.program].steps[frame.at]
        if isinstance(step, Asking):
            self._listed([Action(CHOOSE_TOOL, answers=(one,)) for one in step.question.options(g, frame)])

    def _ordinary_hand(self, g: State, seat: Seat, table: HandTable) -> None:
        bought = count_purchases(g, table.table)
        parts = self._parts
        parts += (bought, self._purchase), (table.played, self._play)
        for kind in table.open_plays:
            program_parts(g, seat, first_of(self._hand, kind), kind, (), parts.append)
        if table.item:
            stack_parts(g, seat, table, NO_OPEN_CARDS, self._pick, parts.append)
        else:
            built = table.stacks(len(g.stalls[seat]) + 1)
            if built:
                parts.append((len(built), self._stack))
        parts.append((table.inventory, self._discard))
        for kind in table.acts:
            if g.edition:
                self._listed(_abilities(g))
                break
            if has_effect(g, kind, EMPTY):
                self._listed([Action(ABILITY_TOOL, first_of(self._hand, kind))])
        size = 0
        for part in parts:
            size += part[0]
        self._size = size

    def _pick(self, vector: Vector) -> tuple[Card, ...]:
        return self._table.pick(self._hand, vector)

    def _purchase(self, index: int) -> Action:
        return purchase_at(self._g, self._table.table, self._pick, index)

    def _play(self, index: int) -> Action:
        """The index-th way to play one of the techniques the hand alone settles."""
        for kind, ways in self._table.plays:
            if index < ways:
                return play(self._g, self._g.turn, first_of(self._hand, kind), kind, (), index)
            index -= ways
        raise IndexError(index)

    def _stack(self, index: int) -> Action:
        number = next_stack(self._g, self._g.turn)
        return stack_of(self._g, number, self._pick(self._table.stacks(number)[index]))

    def _discard(self, index: int) -> Action:
        return Action(INVENTORY_TOOL, -1, self._table.discarded(self._hand, index))

    def _any_hand(self, g: State, seat: Seat, hand: list[Card]) -> None:
        add = self._parts.append
        fixed, unsettled, traits = _split(g, hand)
        table, pick = fixed_hand(g, hand, fixed)
        ways = ways_of(g, seat, unsettled)
        purchase_parts(g, seat, table, ways, pick, add)
        groups = fixed + unsettled
        for group in fixed:
            kind = plain(g, group[0]).kind
            if IS_TECHNIQUE[g.edition][kind]:
                program_parts(g, seat, group[0], kind, (), add)
        for group in unsettled:
            copied_technique_parts(g, seat, group[0], add)
        stack_parts(g, seat, table, ways, pick, add)
        size = table.inventory
        for group in unsettled:
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
        if index >= 0:
            for size, make in self._parts:
                if index < size:
                    return make(index)
                index -= size
        raise IndexError("there are not so many legal actions")

    def of_tool(self, tool: int, source: int | None = None) -> Iterator[Action]:
        """The actions of one tool, in order; of purchases only those from this source, if one is given.

        Parts of the list in which there are none are passed over.
        """
        for size, make in self._parts:
            if not size:
                continue
            first = make(0)
            if first.tool == tool and (source is None or first.source <= source <= make(size - 1).source):
                for index in range(size):
                    action = make(index)
                    if source is None or action.source == source:
                        yield action

    def __iter__(self) -> Iterator[Action]:
        for size, make in self._parts:
            for index in range(size):
                yield make(index)


def _split(g: State, hand: list[Card]) -> tuple[Groups, Groups, int]:
    """The hand in groups of alike cards: those that are one thing, the open ones; and the traits of all together."""
    fixed = []
    unsettled = []
    traits = 0
    for group in groups_of(g, hand):
        own = TRAITS[g.edition][group[0] & KIND_MASK]
        traits |= own
        if own & COPIES_CARDS and copies_on(g, group[0]):
            unsettled.append(group)
        else:
            fixed.append(group)
    return fixed, unsettled, traits


def _inventory(hand: list[Card], groups: Groups, index: int) -> Action:
    """The index-th choice of how many cards of each group to discard, in hand order (R-DIS-02)."""
    chosen: list[Card] = []
    for group in groups:
        index, count = divmod(index, len(group) + 1)
        chosen += group[:count]
    chosen.sort(key=hand.index)
    return Action(INVENTORY_TOOL, cards=tuple(chosen))


def _abilities(g: State) -> list[Action]:
    result = []
    for use in usable(g, g.turn):
        copies = (Copy(use.card, use.chain),) if use.chain else ()
        result += [Action(ABILITY_TOOL, use.card, answers=answers, copies=copies) for answers in answers_of(g, use)]
    return result
