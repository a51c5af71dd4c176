"""The legal list of a decision as a lazy sequence (contract section 1).

It holds every legal action once, filled in and in default order. Length and a single entry come from
counts and tables; the entries of ordinary hands are made only when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from engine.actions import Action, Copy
from engine.cards._define import PROGRAMS
from engine.frames import BONUS_STACK_PROGRAM, Asking
from engine.groups import ACTS, COPIES_CARDS, PLAYABLE, TRAITS, Groups, grouped
from engine.hands import OrdinaryHand, first_of, ordinary
from engine.listing import stacks
from engine.plays import copied_technique_parts, play, program_parts
from engine.purchases import copying_market_parts, market_parts, table_parts
from engine.stacks import next_stack
from engine.state import State
from engine.types import (
    ABILITY_TOOL,
    ACTION,
    CHOOSE_TOOL,
    END_OF_TURN,
    END_TURN_TOOL,
    HAND,
    INVENTORY_TOOL,
    KIND_MASK,
    OVER,
    SKIP_TOOL,
    STALL_TOOL,
    ZONES_PER_SEAT,
    Card,
    Kind,
    Seat,
)
from engine.window import has_effect, usable


class LegalActions(Sequence[Action]):
    """Every legal action of the pending decision; empty when the game is over."""

    __slots__ = ("_parts", "_size")

    def __init__(self, g: State) -> None:
        self._parts: list[tuple[int, Callable[[int], Action]]] = []
        if g.phase == ACTION and not g.frames:
            self._action(g)
        else:
            self._other(g)
        size = 0
        for part in self._parts:
            size += part[0]
        self._size = size

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
            self._listed(stacks(g, g.turn, next_stack(g, g.turn)))
            self._listed(_abilities(g))
            self._listed([Action(SKIP_TOOL)])
            return
        step = PROGRAMS[g.edition][frame.program].steps[frame.at]
        if isinstance(step, Asking):
            self._listed([Action(CHOOSE_TOOL, answers=(one,)) for one in step.question.options(g, frame)])

    def _action(self, g: State) -> None:
        seat = g.turn
        hand = g.zones[HAND + ZONES_PER_SEAT * seat]
        read = ordinary(g, hand)
        if read is None:
            g.memo = {}
            self._any_hand(g, seat, hand)
            g.memo = None
        else:
            self._ordinary_hand(g, seat, hand, read)

    def _ordinary_hand(self, g: State, seat: Seat, hand: list[Card], read: OrdinaryHand) -> None:
        add = self._parts.append
        table_parts(g, read.table, read.junk, lambda vector: read.cards(hand, vector), add)
        if read.played:
            add((read.played, lambda index: _play(g, seat, hand, read.plays, index)))
        for kind in read.open_plays:
            program_parts(g, seat, first_of(hand, kind), kind, (), add)
        number = next_stack(g, seat)
        if read.builds:
            self._listed(stacks(g, seat, number))
        else:
            vectors = read.stacks_of(number)
            if vectors:
                add((len(vectors), lambda index: Action(STALL_TOOL, cards=read.cards(hand, vectors[index]))))
        add((read.inventory, lambda index: Action(INVENTORY_TOOL, cards=read.discarded(hand, index))))
        for kind in read.acts:
            if has_effect(g, kind):
                self._listed([Action(ABILITY_TOOL, first_of(hand, kind))])

    def _any_hand(self, g: State, seat: Seat, hand: list[Card]) -> None:
        groups, traits = grouped(g, hand)
        add = self._parts.append
        if traits & COPIES_CARDS:
            copying_market_parts(g, seat, add)
        else:
            market_parts(g, hand, groups, add)
        table = TRAITS[g.edition]
        for group in groups:
            card = group[0]
            if table[card & KIND_MASK] & COPIES_CARDS:
                copied_technique_parts(g, seat, card, add)
            elif table[card & KIND_MASK] & PLAYABLE:
                program_parts(g, seat, card, card & KIND_MASK, (), add)
        self._listed(stacks(g, seat, next_stack(g, seat)))
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

    def of_tool(self, tool: int, source: int | None = None) -> Iterator[Action]:
        """The actions of one tool, in order; of purchases only those from this source, if one is given.

        Parts of the list in which there are none are passed over.
        """
        for size, make in self._parts:
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


def _play(g: State, seat: Seat, hand: list[Card], plays: list[tuple[Kind, int]], index: int) -> Action:
    """The index-th way to play one of these techniques."""
    for kind, ways in plays:
        if index < ways:
            return play(g, seat, first_of(hand, kind), kind, (), index)
        index -= ways
    raise IndexError(index)


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
    for card, _, chain in usable(g, g.turn):
        result.append(Action(ABILITY_TOOL, card, copies=(Copy(card, chain),) if chain else ()))
    return result
