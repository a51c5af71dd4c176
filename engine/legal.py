"""The legal list of a decision as a lazy sequence (contract section 1).

It holds every legal action once, filled in and in default order. Length and a single entry come from
counts and tables; the entries of ordinary hands are made only when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, overload

from engine.actions import Action, Copy, inventories, inventory, new_action
from engine.builds import stack_of, stack_parts
from engine.cards._define import PROGRAMS
from engine.choices import MOST_CARDS, TAKERS, Choice, cards_of, masks_by_group, masks_of
from engine.copying import copies_on, identities
from engine.frames import BONUS_STACK_PROGRAM, Asking
from engine.groups import ACTS, COPIES_CARDS, TRAITS, Groups, groups_of
from engine.hand_parts import ways_to_play
from engine.hand_tables import HandTable
from engine.hands import first_of, fixed_hand, ordinary
from engine.open_cards import NO_OPEN_CARDS, ways_of
from engine.plays import copied_technique_parts, every_play, play, program_parts
from engine.polynomials import FIELD, FIELD_MASK
from engine.purchases import count_purchases, every_purchase, purchase_at, purchase_parts
from engine.stacks import next_stack
from engine.state import State
from engine.tables import ACCORDION, HAS_ABILITY, IS_TECHNIQUE, SECRET
from engine.types import (
    ABILITY_TOOL,
    CHOOSE_TOOL,
    EMPTY,
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
from engine.window import answers_of, has_effect, usable

Part = tuple[int, Callable[[int], Action]]
"""A part of the list: how many actions, and how to make one of them."""
_NO_PARTS: Final[list[Part]] = []


class LegalActions(Sequence[Action]):
    """Every legal action of the pending decision; empty when the game is over.

    Of an ordinary hand what is kept is numbers: first how many purchases there are, then techniques its table settles;
    `_parts` of which more has to be told; how many stacks; from `_choices` on inventory actions; then abilities.
    Any other hand is `_parts` alone, the inventory actions of its `_groups` at place `_discards`.
    """

    __slots__ = (
        "_abilities",
        "_bought",
        "_built",
        "_choices",
        "_discards",
        "_g",
        "_groups",
        "_hand",
        "_parts",
        "_size",
        "_table",
    )

    _table: HandTable | None

    def __init__(self, g: State) -> None:
        self._g = g
        if g.phase or g.frames:
            self._table = None
            self._groups: Groups | None = None
            self._parts: list[Part] = []
            self._other(g)
        else:
            hand = self._hand = g.zones[HAND + ZONES_PER_SEAT * g.turn]
            table = self._table = ordinary(g, hand)
            if table is not None:
                self._bought = bought = count_purchases(g, table.table)
                self._parts = _NO_PARTS
                self._built = built = table.sums >> FIELD * (len(g.stalls[g.turn]) + 1) & FIELD_MASK
                self._choices = choices = bought + table.played + built
                self._size = choices + table.inventory
                if not table.plain:
                    self._more(g, table)
                return
            self._parts = []
            self._groups = None
            g.memo = {}
            self._any_hand(g, g.turn, hand)
            g.memo = None
        self._size = sum([size for size, _ in self._parts])

    def _more(self, g: State, table: HandTable) -> None:
        """What the table of an ordinary hand does not settle."""
        self._parts = []
        if table.builds:
            self._built = 0 if table.item else table.count_stacks(len(g.stalls[g.turn]) + 1)
        for kind in table.open_plays:
            program_parts(g, g.turn, first_of(self._hand, kind), kind, (), self._parts.append)
        if table.item:
            pick = partial(cards_of, self._hand, table.places)
            stack_parts(g, g.turn, table, NO_OPEN_CARDS, pick, self._parts.append)
        self._choices = self._bought + table.played + self._built + sum([size for size, _ in self._parts])
        if not g.edition:
            self._abilities = [
                new_action(Action, (ABILITY_TOOL, first_of(self._hand, kind), (), -1, (), (), (), ()))
                for kind in table.acts
                if has_effect(g, kind, EMPTY)
            ]
        else:
            self._abilities = _abilities(g) if table.acts else []
        self._size = self._choices + table.inventory + len(self._abilities)

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

    def _of_ordinary(self, table: HandTable, index: int) -> Action:
        if index < self._bought:
            return purchase_at(self._g, table.table, self._pick, index)
        index -= self._bought
        if index < table.played:
            return self._play(table, index)
        index -= table.played
        for size, make in self._parts:
            if index < size:
                return make(index)
            index -= size
        if index < self._built:
            return self._stack(table, index)
        return self._abilities[index - self._built - table.inventory]

    def _pick(self, choice: Choice) -> tuple[Card, ...]:
        return self._table.pick(self._hand, choice) if self._table is not None else ()

    def _play(self, table: HandTable, index: int) -> Action:
        """The index-th way to play one of the techniques the hand alone settles."""
        for kind, ways in table.plays:
            if index < ways:
                return play(self._g, self._g.turn, first_of(self._hand, kind), kind, (), index)
            index -= ways
        raise IndexError(index)

    def _stack(self, table: HandTable, index: int) -> Action:
        number = next_stack(self._g, self._g.turn)
        return self._stack_of(table, number, self._pick(table.stacks(number)[index]))

    def _stack_of(self, table: HandTable, number: int, cards: tuple[Card, ...]) -> Action:
        if ACCORDION in table.places:
            return stack_of(self._g, number, cards)
        return new_action(Action, (STALL_TOOL, -1, cards, -1, (), (), (), ()))

    def _any_hand(self, g: State, seat: Seat, hand: list[Card]) -> None:
        add = self._parts.append
        fixed, unsettled, traits = _split(g, hand)
        table, pick = fixed_hand(g, hand, fixed)
        ways = ways_of(g, seat, unsettled)
        purchase_parts(g, seat, table, ways, pick, add)
        groups = fixed + unsettled
        unchanged = not (g.alterations or g.used or g.locks)
        for group in fixed:
            kind = group[0] & KIND_MASK if unchanged else plain(g, group[0]).kind
            if IS_TECHNIQUE[g.edition][kind]:
                size = 0
                if unchanged and kind != SECRET[g.edition]:  # what is chosen for Blindfold may be open
                    size = ways_to_play(g.edition, g.players, kind, len(groups) - (len(group) == 1))
                if size:
                    add((size, partial(play, g, seat, group[0], kind, ())))
                else:
                    program_parts(g, seat, group[0], kind, (), add)
        for group in unsettled:
            copied_technique_parts(g, seat, group[0], add)
        stack_parts(g, seat, table, ways, pick, add)
        size = table.inventory
        for group in unsettled:
            size *= len(group) + 1
        self._groups = groups
        self._discards = len(self._parts)
        add((size, partial(_inventory, hand, groups)))
        if traits & ACTS or any([_may_act(g, seat, group[0]) for group in unsettled]):
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
            raise IndexError("there are not so many legal actions")
        table = self._table
        if table is not None:
            place = index - self._choices
            if 0 <= place < table.inventory:
                cards = cards_of(self._hand, table.places, place)
                return new_action(Action, (INVENTORY_TOOL, -1, cards, -1, (), (), (), ()))
            return self._of_ordinary(table, index)
        for size, make in self._parts:
            if index < size:
                return make(index)
            index -= size
        raise IndexError(index)

    def _all_parts(self) -> list[Part]:
        table = self._table
        if table is None:
            return self._parts
        parts: list[Part] = [(self._bought, self._buy), (table.played, partial(self._play, table)), *self._parts]
        parts += (self._built, partial(self._stack, table)), (table.inventory, self._discard)
        if not table.plain:
            parts.append((len(self._abilities), self._abilities.__getitem__))
        return parts

    def _buy(self, index: int) -> Action:
        return self[index]

    def _discard(self, index: int) -> Action:
        return inventory(self._pick(index))

    def of_tool(self, tool: int, source: int | None = None) -> Iterator[Action]:
        """The actions of one tool, in order; of purchases only those from this source, if one is given.

        Parts of the list in which there are none are passed over.
        """
        for size, make in self._all_parts():
            if not size:
                continue
            first = make(0)
            if first.tool == tool and (source is None or first.source <= source <= make(size - 1).source):
                for index in range(size):
                    action = make(index)
                    if source is None or action.source == source:
                        yield action

    def __iter__(self) -> Iterator[Action]:
        if self._table is not None:
            if len(self._hand) <= MOST_CARDS:
                return iter(self._every(self._table))
        elif self._groups is not None and len(self._hand) <= MOST_CARDS:
            return iter(self._every_of_any(self._groups))
        return (make(index) for size, make in self._all_parts() for index in range(size))

    def _every_of_any(self, groups: Groups) -> list[Action]:
        """The whole list of a small hand of any cards."""
        every: list[Action] = []
        for place, (size, make) in enumerate(self._parts):
            if place == self._discards:
                every += _every_inventory(self._hand, groups)
            else:
                every += map(make, range(size))
        return every

    def _every(self, table: HandTable) -> list[Action]:
        """The whole list of a small ordinary hand."""
        hand = tuple(self._hand)
        taken = [TAKERS[mask](hand) for mask in masks_of(self._hand, table.places)]
        every = every_purchase(self._g, table.table, taken)
        for kind, _ in table.plays:
            every += every_play(self._g, self._g.turn, first_of(self._hand, kind), kind)
        for size, make in self._parts:
            every += [make(index) for index in range(size)]
        if self._built:
            number = next_stack(self._g, self._g.turn)
            every += [self._stack_of(table, number, taken[choice]) for choice in table.stacks(number)]
        every += inventories(taken)
        return every if table.plain else every + self._abilities


def _split(g: State, hand: list[Card]) -> tuple[Groups, Groups, int]:
    """The hand in groups of alike cards: those that are one thing, the open ones; and the traits of the former."""
    fixed = []
    unsettled = []
    traits = 0
    for group in groups_of(g, hand):
        own = TRAITS[g.edition][group[0] & KIND_MASK]
        if own & COPIES_CARDS and copies_on(g, group[0]):
            unsettled.append(group)
        else:
            traits |= own
            fixed.append(group)
    return fixed, unsettled, traits


def _may_act(g: State, seat: Seat, card: Card) -> bool:
    """Whether an open card has an ability or can copy one, used or not."""
    has_ability = HAS_ABILITY[g.edition]
    return has_ability[card & KIND_MASK] or any([has_ability[one.kind] for one in identities(g, seat, card)])


def _inventory(hand: list[Card], groups: Groups, index: int) -> Action:
    """The index-th choice of how many cards of each group to discard, in hand order (R-DIS-02)."""
    if len(hand) <= MOST_CARDS:
        return inventory(TAKERS[masks_by_group(hand, groups)[index]](tuple(hand)))
    chosen: list[Card] = []
    for group in groups:
        index, count = divmod(index, len(group) + 1)
        chosen += group[:count]
    chosen.sort(key=hand.index)
    return inventory(tuple(chosen))


def _every_inventory(hand: list[Card], groups: Groups) -> list[Action]:
    """All of these choices, of a small hand."""
    cards = tuple(hand)
    return inventories([TAKERS[mask](cards) for mask in masks_by_group(hand, groups)])


def _abilities(g: State) -> list[Action]:
    result = []
    for use in usable(g, g.turn):
        copies = (Copy(use.card, use.chain),) if use.chain else ()
        result += [Action(ABILITY_TOOL, use.card, answers=answers, copies=copies) for answers in answers_of(g, use)]
    return result
