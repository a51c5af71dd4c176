"""Where the sloppy player breaks a rule: the open decision as its ways of breaking rules look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from engine import SETS
from harness.agents.base import Proposal, Turn
from harness.agents.merchant import without_inventories
from harness.agents.merchant_view import COPYING, JUNK, cards, slug_of

NOWHERE = "lodestone"
"""The name of no card of any edition."""

Make = Callable[["Spot"], Proposal | None]


class Way(NamedTuple):
    """A way to break a rule: ``make`` proposes what is judged with ``code`` first of all, or None where it cannot."""

    code: str
    make: Make


@dataclass(frozen=True)
class Spot:
    """A decision, and what can be used to answer it wrongly."""

    turn: Turn

    @property
    def observation(self) -> dict[str, Any]:
        """What the seat is shown."""
        return self.turn.observation

    @property
    def edition(self) -> str:
        """The edition's name."""
        return str(self.observation["edition"])

    @cached_property
    def legal(self) -> list[Proposal]:
        """The legal list but for its Inventory actions."""
        return without_inventories(self.turn.legal)

    @cached_property
    def copying(self) -> frozenset[str]:
        """Cards that may count as something else than themselves: all classic chameleons, remastered ones once used."""
        if self.edition == "classic":
            return COPYING
        return frozenset(slug_of(card["card"]) for card in self.observation["hand"] if "copies" in card)

    @cached_property
    def hand(self) -> list[dict[str, Any]]:
        """The hand cards that are what they are printed as: no copying card, and no copy."""
        return [
            card
            for card in self.observation["hand"]
            if "copies" not in card and slug_of(card["card"]) not in self.copying
        ]

    @cached_property
    def slugs(self) -> list[str]:
        """Every hand card by its slug."""
        return [slug_of(card["card"]) for card in self.observation["hand"]]

    @cached_property
    def animalfolk(self) -> list[dict[str, Any]]:
        """The cards of ``hand`` without junk."""
        return [card for card in self.hand if slug_of(card["card"]) != JUNK]

    @cached_property
    def purchases(self) -> list[Proposal]:
        """The legal purchases by cards alone in which none copies and Stock Clearance lifts no overpay rule."""
        return [
            proposal
            for proposal in self.of_tool("market")
            if "stock_clearance" not in proposal["arguments"]["payment"]
            and {slug_of(name) for name in proposal["arguments"]["payment"]}.isdisjoint(self.copying)
            and not (self.gold and self._takes_gold(proposal))
        ]

    @property
    def gold(self) -> int:
        """The own gold; none but in the tournament variant."""
        gold: int = self.observation["seats"][self.turn.seat].get("gold", 0)
        return gold

    def _takes_gold(self, purchase: Proposal) -> bool:
        source = purchase["arguments"]["source"]
        costs = {offer["slot"]: offer["cost"] for offer in self.observation["market"] if offer is not None}
        for slug in self.observation["market_discard"][-1:]:
            costs["market_discard"] = cards(self.edition)[slug].value
        values = {card["card"]: card["value"] for card in self.observation["hand"]}
        return bool(sum(values[name] for name in purchase["arguments"]["payment"]) < costs[source])

    @cached_property
    def techniques(self) -> list[Proposal]:
        """The legal techniques in which no card copies."""
        return [
            proposal
            for proposal in self.of_tool("technique")
            if "copies" not in proposal["arguments"] and slug_of(proposal["arguments"]["card"]) not in self.copying
        ]

    @property
    def outsider(self) -> str:
        """A card of a set that is not in play; a name of no card if all are."""
        absent = [name for name in SETS if name not in self.observation["sets"]]
        return next((card.slug for card in cards(self.edition).values() if card.set in absent[:1]), NOWHERE)

    @cached_property
    def strangers(self) -> list[str]:
        """The cards of the sets in play that are not in the hand."""
        sets = self.observation["sets"]
        return [slug for slug, card in cards(self.edition).items() if card.set in sets and slug not in self.slugs]

    def of_tool(self, tool: str) -> list[Proposal]:
        """The legal proposals of one tool."""
        return [proposal for proposal in self.legal if proposal["tool"] == tool]

    def lies_with(self, seat: str, slug: str) -> bool:
        """Whether a seat has such a card in a public zone."""
        zones = self.observation["seats"][seat]
        return slug in zones["discard"] or slug in zones["in_play"] or any(slug in stack for stack in zones["stall"])

    def built(self, slug: str) -> bool:
        """Whether such a card lies in the own stall."""
        return any(slug in stack for stack in self.observation["seats"][self.turn.seat]["stall"])

    def only_with_others(self, slug: str) -> bool:
        """Whether such a card lies open with other seats, but not with this one (R-ERR-05)."""
        others = [seat for seat in self.observation["seats"] if seat != self.turn.seat]
        return not self.lies_with(self.turn.seat, slug) and any(self.lies_with(seat, slug) for seat in others)


def call(tool: str, **arguments: Any) -> Proposal:
    """Return a proposal."""
    return {"tool": tool, "arguments": arguments}


def changed(proposal: Proposal, **arguments: Any) -> Proposal:
    """Return a proposal with some arguments replaced, or left out where None is given."""
    every = {**proposal["arguments"], **arguments}
    return call(proposal["tool"], **{name: value for name, value in every.items() if value is not None})


def choosing(proposal: Proposal, **choices: Any) -> Proposal:
    """Return a proposal with some of its choices replaced."""
    return changed(proposal, choices={**proposal["arguments"].get("choices", {}), **choices})


def choices_of(proposal: Proposal) -> Mapping[str, Any]:
    """Return the choices of a proposal, empty if it has none."""
    choices: Mapping[str, Any] = proposal["arguments"].get("choices", {})
    return choices


def first(found: Iterable[Proposal]) -> Proposal | None:
    """Return the first proposal, None if there is none."""
    return next(iter(found), None)


def first_slug(slugs: Sequence[str], make: Callable[[str], Proposal]) -> Proposal | None:
    """Return the proposal made with the first card, None if there is no card."""
    return make(slugs[0]) if slugs else None
