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
from engine.groups import ACTS, BUILDS, COPIES_CARDS, PLAYABLE, TRAITS, Groups, grouped
from engine.listing import stacks
from engine.payments import exact_sums
from engine.plays import copied_technique_parts, program_parts
from engine.purchases import copying_market_parts, market_parts
from engine.stacks import next_stack
from engine.state import State
from engine.tables import SET_OF, SETS, VALUE
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
    Seat,
)
from engine.values import plain
from engine.window import usable


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
        size = 0
        for part in self._parts:
            size += part[0]
        self._size = size

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
        groups, traits = grouped(g, hand)
        add = self._parts.append
        if traits & COPIES_CARDS:
            copying_market_parts(g, seat, add)
        else:
            market_parts(g, hand, groups, add)
        if traits & (PLAYABLE | COPIES_CARDS):
            table = TRAITS[g.edition]
            for group in groups:
                card = group[0]
                if table[card & KIND_MASK] & COPIES_CARDS:
                    copied_technique_parts(g, seat, card, add)
                elif table[card & KIND_MASK] & PLAYABLE:
                    program_parts(g, seat, card, card & KIND_MASK, (), add)
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


def stall_actions(g: State, seat: Seat) -> list[Action]:
    """Every legal way to build the next stack (R-STL-11)."""
    groups, traits = grouped(g, g.hand(seat))
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
            _exact_stacks(g, seat, [group for group in groups if sets[group[0] & KIND_MASK] == own], number, result)
    return result


def _exact_stacks(g: State, seat: Seat, groups: Groups, number: int, result: list[Action]) -> None:
    """Add the stacks of these groups of one set that have exactly this sum."""
    if g.alterations:
        sizes = tuple([(plain(g, group[0]).value, len(group)) for group in groups])
    else:
        sizes = tuple([(VALUE[group[0] & KIND_MASK], len(group)) for group in groups])
    hand = g.hand(seat)
    for vector in exact_sums(sizes, number):
        chosen = [card for group, count in zip(groups, vector, strict=True) for card in group[:count]]
        chosen.sort(key=hand.index)
        result.append(Action(STALL_TOOL, cards=tuple(chosen)))
