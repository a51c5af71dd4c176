"""The smallest change that makes a refused proposal legal.

Nearest is the legal proposal that comes first in this order: one of the same tool; of those one with the same subject
(the source of a purchase, the card of a technique or ability); of those one with the fewest changes (`changes_in`:
every name dropped or added and every other value changed is one; copies and adjustments that may be left out cost
nothing); of those the first in the legal list. Edits that turn out not to be needed are left out again. The tool
changes only if nothing of the stated tool is legal here. So that a crowded hand with chameleons takes no long time,
only the first MOST_COMPARED legal proposals of a tool, with the same subject or of all, are compared.

Legal is what the judge accepts. Everything is found in the seat's own legal list, so it depends on nothing else than
what the seat is entitled to know.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from engine.actions import Action
from engine.cards._define import PROGRAMS
from engine.checks.ability import used_card
from engine.checks.authority import ALLOWED
from engine.checks.form import ARGUMENTS, read_form
from engine.checks.judge import judge
from engine.checks.technique import played_card
from engine.codes import Violation
from engine.copying import reachable
from engine.decisions import Decision, decision_of, pending_step
from engine.explanations.calls import Fields, flat, nested, settled
from engine.explanations.edits import LIST_FIELDS, Edit, applied, changes_in, edits_between
from engine.frames import ABILITY_PROGRAMS
from engine.legal import LegalActions
from engine.proposals import Proposal, proposal_of, used_kind
from engine.references import Reader, slot_number, split_name
from engine.stacks import next_stack
from engine.state import Frame, State
from engine.tables import GOOD_OLD_TIMES, NO_KIND, SLUGS
from engine.types import (
    ABILITY_TOOL,
    EMPTY,
    FROM_MARKET_DISCARD,
    INVENTORY_TOOL,
    JSON,
    KIND_MASK,
    SEATS,
    STALL_TOOL,
    TECHNIQUE_TOOL,
    TOOLS,
    Card,
    Seat,
)
from engine.values import plain

MOST_COMPARED: Final = 1_500
"""More purchases of one card, plays of one technique or stacks are hardly ever possible."""


class Explanation(NamedTuple):
    """Why a proposal is refused, and what would be legal instead.

    violations: as `judge` gives them, empty if the proposal is legal. change: the nearest legal proposal in canonical
    form, None if the proposal is legal, cannot be read, or the seat does not decide. edits: how it differs (see
    `explanations.edits`).
    """

    violations: tuple[Violation, ...]
    change: Proposal | None
    edits: tuple[Edit, ...]


def explain(g: State, seat: Seat, tool: object, arguments: object) -> Explanation:
    """Judge a proposal and, where it is refused, look for the nearest legal one. Changes nothing."""
    found = judge(g, seat, tool, arguments)
    if isinstance(found, Action):
        return Explanation((), None, ())
    decision = decision_of(g)
    form = read_form(tool, arguments)
    if decision is None or decision.seat != SEATS[seat] or isinstance(form, Violation):
        return Explanation(found, None, ())
    search = _Search(g, seat, decision, str(tool), flat(form))  # type: ignore[arg-type]  # JSON, as read
    return Explanation(found, *search.result())


class _Search:
    """The comparison of one stated call with the legal list."""

    def __init__(self, g: State, seat: Seat, decision: Decision, tool: str, stated: Fields) -> None:
        self.g = g
        self.seat = seat
        self.allowed = ALLOWED[decision.kind]
        self.tool = tool
        self.raw = stated
        used = self._used(stated)
        self.chosen_from_hand = self._chosen_from_hand(used)
        self.stated = settled(g, seat, stated, self.chosen_from_hand, used)
        self.legal = LegalActions(g)
        self.single: dict[tuple[Card, Card], bool] = {}
        self.best: tuple[str, Action, list[Edit]] | None = None
        self.changes = 0

    def _chosen_from_hand(self, used: Card) -> bool:
        """Whether `choices.cards` names cards of the hand; so it is said to do where nothing asks for cards."""
        step = pending_step(self.g)
        if step is not None:
            return step.question.from_hand
        kind = plain(self.g, used).kind if used >= 0 else NO_KIND
        program = PROGRAMS[self.g.edition].get(kind + ABILITY_PROGRAMS if self.tool == "ability" else kind)
        asked = [one for one in program.questions if one.field == "cards"] if program is not None else []
        return all(question.from_hand for question in asked)

    def _used(self, stated: Fields) -> Card:
        """The hand card whose technique or ability is to be used; -1 if there is none."""
        find = {"technique": played_card, "ability": used_card}.get(self.tool)
        choices = nested(stated).get("choices")
        if find is None:
            return -1
        return find(Reader(self.g, self.seat), str(stated["card"]), dict(choices) if isinstance(choices, dict) else {})

    def result(self) -> tuple[Proposal | None, tuple[Edit, ...]]:
        """The nearest legal proposal and the edits that lead to it."""
        if self.tool in self.allowed:
            self._compare_all(self.tool, same_subject=True)
            if self.best is None:
                self._compare_all(self.tool, same_subject=False)
        if self.best is None:
            for tool in self._other_tools():
                self._compare_all(tool, same_subject=False)
        if self.best is None:
            return None, ()
        tool, action, edits = self.best
        if tool != self.tool:
            return proposal_of(self.g, action), ({"field": "tool", "from": self.tool, "to": tool}, *edits)
        return self._without_needless(action, edits)

    def _other_tools(self) -> list[str]:
        """The tools worth looking at if the stated one is out of the question.

        Where Inventory is possible, discarding nothing changes least unless a tool takes fields that were stated.
        """
        if "inventory" not in self.allowed:
            return list(self.allowed)
        given = {field.partition(".")[0] for field in self.stated}
        return [tool for tool in self.allowed if tool == "inventory" or given & ARGUMENTS[tool].keys()]

    def _without_needless(self, action: Action, edits: list[Edit]) -> tuple[Proposal, tuple[Edit, ...]]:
        """Leave out every edit without which the call is legal too; the proposal it amounts to.

        But a list that was stated is not touched again: what its names mean depends on the others. So it is with
        adjustments that name a copy by its number.
        """
        lists = LIST_FIELDS | {"adjust"} if "#" in str(self.stated.get("adjust")) else LIST_FIELDS
        for edit in [one for one in edits if one["field"] not in lists or one["field"] not in self.stated]:
            rest = [one for one in edits if one is not edit]
            if isinstance(self._judged(rest), Action):
                edits = rest
        final = self._judged(edits)
        return proposal_of(self.g, final if isinstance(final, Action) else action), tuple(edits)

    def _judged(self, edits: list[Edit]) -> object:
        return judge(self.g, self.seat, self.tool, nested(applied(self.stated, edits)))

    def _compare_all(self, tool: str, same_subject: bool) -> None:
        """Compare the legal proposals of a tool with the stated call."""
        for action in islice(self._actions(tool, same_subject), MOST_COMPARED):
            if self.best is not None and self.changes <= (tool == self.tool):
                return  # nothing can be nearer
            if tool == self.tool and self.best is not None and self._least(tool, action) >= self.changes:
                continue
            for wanted in self._wanted(action):
                edits = edits_between(self.stated, wanted, self.chosen_from_hand)
                changes = changes_in(edits)
                if self.best is None or changes < self.changes:
                    self.best = tool, action, edits
                    self.changes = changes

    def _actions(self, tool: str, same_subject: bool) -> Iterator[Action]:
        """The legal actions of a tool, all or those with the same subject."""
        number = TOOLS.index(tool)
        if tool == "inventory":
            yield self._inventory()
        elif not same_subject:
            yield from self.legal.of_tool(number)
        elif tool == "market":
            written = str(self.stated["source"])
            source = FROM_MARKET_DISCARD if written == "market_discard" else slot_number(written)
            yield from self.legal.of_tool(number, source)
        elif tool in ("technique", "ability"):
            slug = split_name(str(self.stated["card"]))[0]
            yield from (one for one in self.legal.of_tool(number) if SLUGS[one.card & KIND_MASK] == slug)
        else:
            yield from self.legal.of_tool(number)

    def _inventory(self) -> Action:
        """Of all Inventory actions the one with the named cards that are there."""
        names: list[JSON] = []
        cards: list[Card] = []
        stated = self.raw.get("cards")
        for name in stated if isinstance(stated, list) else []:
            found = judge(self.g, self.seat, "inventory", {"cards": [*names, name]})
            if isinstance(found, Action):
                names.append(name)
                cards = [*found.cards]
        return Action(INVENTORY_TOOL, cards=tuple(cards))

    def _least(self, tool: str, action: Action) -> int:
        """A number of changes that an action needs at least: cheap to tell."""
        field = {"market": "payment", "stall": "cards"}.get(tool)
        stated = self.stated.get(field) if field else None
        return abs(len(action.cards) - len(stated)) if isinstance(stated, list) else 0

    def _wanted(self, action: Action) -> Iterator[Fields]:
        """The fields of a legal action to compare with: those that may be left out only if they were stated."""
        fields = flat(proposal_of(self.g, action)["arguments"])  # type: ignore[arg-type]  # an object by construction
        if "adjust" not in self.stated:
            fields.pop("adjust", None)
        if "stack" in self.stated and action.tool == STALL_TOOL:
            fields["stack"] = next_stack(self.g, self.seat)
        if action.copies and "copies" not in self.stated and self._filled_in(action):
            fields.pop("copies", None)
        yield fields
        if action.tool == TECHNIQUE_TOOL:
            spelled = self._spelled_out(action)
            if spelled:
                yield {**fields, **spelled}

    def _filled_in(self, action: Action) -> bool:
        """Whether an action's copies are filled in if they are not stated (R-CPC-12).

        Good Old Times without a copy uses its own ability.
        """
        if action.tool == ABILITY_TOOL and action.card & KIND_MASK == GOOD_OLD_TIMES:
            return False
        playing = action.card if action.tool == TECHNIQUE_TOOL else EMPTY
        return all(self._has_one_identity(card, EMPTY if card == playing else playing) for card, _ in action.copies)

    def _has_one_identity(self, card: Card, playing: Card) -> bool:
        """Whether there is one thing a chameleon can copy, beside the technique being played."""
        if (card, playing) not in self.single:
            self.single[card, playing] = len(reachable(self.g, self.seat, card, playing)) == 1
        return self.single[card, playing]

    def _spelled_out(self, action: Action) -> Fields:
        """The orders of a technique that may be left out and were stated."""
        kind = used_kind(self.g, action, action.card)
        frame = Frame(kind, self.seat, action.card)
        fields: Fields = {}
        for question, answer in zip(PROGRAMS[self.g.edition][kind].questions, action.answers, strict=True):
            if question.optional and answer and f"choices.{question.field}" in self.stated:
                spelled = question.spell_out(self.g, frame, answer)
                fields.update({f"choices.{field}": value for field, value in spelled.items()})
        return fields
