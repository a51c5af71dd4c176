"""How the merchant ends its action phase: with a stack, a purchase, an Inventory action or a technique without +.

Every candidate is judged by the holding it leaves behind (see ``merchant_plan``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from harness.agents.base import Proposal
from harness.agents.merchant_plan import AHEAD, Holding, holding_of, outlook
from harness.agents.merchant_view import JUNK, View, cards, key_of, mean_value, slug_of, without

PAYMENTS_JUDGED = 4
"""Payments judged in full for each card on sale; the cheapest ones by ``_loss``."""
STACKS_JUDGED = 12
_BUILT = 1.0
"""For a stack that stands: other players can take cards from a hand, never a finished stack."""
_BONUS_STACK = 0.6
_GOLD = 0.1
"""Against each gold spent: more than junk is worth in the hand, less than any other card."""
_UNSEEN = 0.5
"""For a card of another player's deck that nobody has seen."""


class Final(NamedTuple):
    """A way to end the action phase; ``used`` are the hand cards it needs, as slugs."""

    proposal: Proposal
    score: float
    used: tuple[str, ...]


def best_final(view: View, proposals: Sequence[Proposal]) -> Final:
    """Return the best action that ends the action phase; there always is one: cards may be discarded."""
    kept = outlook(holding_of(view)).kept
    finals = [
        *_stacks(view, proposals),
        *_purchases(view, proposals, kept),
        *_inventories(view, kept),
        *_takings(view, proposals),
    ]
    return max(finals, key=lambda final: final.score)


def best_stack(view: View, proposals: Sequence[Proposal]) -> Final | None:
    """Return the best way to build the next stack, None if it cannot be built."""
    return max(_stacks(view, proposals), key=lambda final: final.score, default=None)


def score(view: View, own: Holding) -> float:
    """Judge what an action leaves behind, over the stacks that are ahead now."""
    return outlook(own, view.number + AHEAD - 1).score


def _stacks(view: View, proposals: Iterable[Proposal]) -> list[Final]:
    """Every stack on offer; of many, those that spare the most valuable cards are judged."""
    builds = [proposal for proposal in proposals if proposal["tool"] == "stall"]
    builds.sort(key=lambda build: _worth(view, (*_slugs(build, "cards"), *_slugs(build, "from_discard"))))
    finals = []
    for build in builds[:STACKS_JUDGED]:
        used, dug = _slugs(build, "cards"), _slugs(build, "from_discard")
        own = holding_of(view)._replace(
            number=view.number + 1, hand=without(view.hand, used), discard=without(view.discard, dug)
        )
        bonus = _BONUS_STACK if "winter_is_coming" in used + dug else 0.0
        finals.append(Final(build, score(view, own) + _BUILT + bonus, used))
    return finals


def _worth(view: View, slugs: Iterable[str]) -> int:
    """The printed value of cards, junk not counted."""
    info = cards(view.edition)
    return sum(info[slug].value for slug in slugs if slug != JUNK)


def _purchases(view: View, proposals: Iterable[Proposal], kept: Sequence[str]) -> list[Final]:
    by_source: dict[str, list[tuple[float, Proposal]]] = {}
    for proposal in proposals:
        if proposal["tool"] == "market":
            loss = _loss(view, _slugs(proposal, "payment"), kept) - len(_slugs(proposal, "throw_away"))
            by_source.setdefault(proposal["arguments"]["source"], []).append((loss, proposal))
    finals = []
    for source, found in by_source.items():
        found.sort(key=lambda entry: entry[0])
        finals += [_purchase(view, source, proposal) for _, proposal in found[:PAYMENTS_JUDGED]]
    return finals


def _loss(view: View, paid: Sequence[str], kept: Sequence[str]) -> float:
    """What a payment gives up, roughly: planned cards above all, then value; junk is nothing lost."""
    info = cards(view.edition)
    loss = sum(0.3 * info[slug].value for slug in paid if slug != JUNK)
    return loss + 2.0 * (len(kept) - len(without(kept, paid)))


def _purchase(view: View, source: str, proposal: Proposal) -> Final:
    paid, thrown = _slugs(proposal, "payment"), _slugs(proposal, "throw_away")
    bought = _on_sale(view, source)
    own = holding_of(view)._replace(
        hand=(*without(view.hand, paid), bought),
        discard=view.discard + without(paid, thrown),
        market=tuple(offer for offer in view.market if offer.slot != source),
    )
    return Final(proposal, score(view, own) - _GOLD * _gold_spent(view, source, proposal), paid)


def _gold_spent(view: View, source: str, proposal: Proposal) -> int:
    """What the cards leave open of the cost, copies not looked at (R-TRM-03)."""
    if not view.gold:
        return 0
    costs = {offer.slot: offer.cost for offer in view.market}
    if source == "market_discard":
        costs[source] = cards(view.edition)[view.market_discard[-1]].value
    total = sum(view.values[name] for name in proposal["arguments"]["payment"])
    return max(0, costs[source] - total)


def _on_sale(view: View, source: str) -> str:
    return view.market_discard[-1] if source == "market_discard" else _in_slot(view, source)


def _in_slot(view: View, slot: str) -> str:
    return next(offer.slug for offer in view.market if offer.slot == slot)


def _inventories(view: View, kept: Sequence[str]) -> list[Final]:
    """Discard nothing, the junk, what is worth less than a drawn card, all that is not planned for, or everything.

    A full hand is never kept as it is: the next turn would be the same.
    """
    info = cards(view.edition)
    drawn = mean_value(view.edition, view.deck or view.discard)
    loose = without(view.hand, kept)
    choices = {
        (),
        tuple(slug for slug in loose if slug == JUNK),
        tuple(slug for slug in loose if info[slug].value < drawn),
        tuple(slug for slug in loose if key_of(view.edition, slug) is None or info[slug].value < drawn),
        loose,
        view.hand,
    }
    if view.hand and len(view.hand) >= view.limit:
        choices.discard(())
    finals = []
    for slugs in sorted(choices):
        own = holding_of(view)._replace(hand=without(view.hand, slugs), discard=view.discard + slugs)
        names = named(view, slugs)
        finals.append(Final({"tool": "inventory", "arguments": {"cards": names}}, score(view, own), ()))
    return finals


def named(view: View, slugs: Iterable[str]) -> list[str]:
    """Return hand cards as the observation spells them, the copies of least value first, in hand order."""
    picked: list[str] = []
    left = sorted(view.names, key=lambda name: view.values[name])
    for slug in slugs:
        name = next(name for name in left if slug_of(name) == slug)
        left.remove(name)
        picked.append(name)
    return picked


def _takings(view: View, proposals: Iterable[Proposal]) -> list[Final]:
    """The techniques without + that bring a card: Prepaid Good, Special Offer, Treasure Hunter."""
    finals = []
    for proposal in proposals:
        if proposal["tool"] != "technique":
            continue
        slug = played(proposal)
        taken: tuple[str, ...] = ()
        bonus = 0.0
        choices = proposal["arguments"].get("choices", {})
        card = slug_of(proposal["arguments"]["card"])
        if slug == "prepaid_good":
            taken = tuple(_in_slot(view, slot) for slot in choices.get("slots", ()))
        elif slug == "treasure_hunter":
            if choices.get("option") == "deck":
                bonus = _UNSEEN
            else:
                taken = tuple(view.opponents[seat]["discard"][-1] for seat in choices.get("opponents", ()))
        elif slug == "special_offer":
            bonus = 1.3
        else:
            continue
        own = holding_of(view)._replace(
            hand=without(view.hand, (card,)) + taken,
            discard=(*view.discard, card),
            market=tuple(offer for offer in view.market if offer.slot not in choices.get("slots", ())),
        )
        finals.append(Final(proposal, score(view, own) + bonus, (card,)))
    return finals


def played(proposal: Proposal) -> str:
    """Return which technique a call plays: its card, or what a chameleon copies."""
    arguments = proposal["arguments"]
    for entry in arguments.get("copies", ()):
        if entry["card"] == arguments["card"]:
            target: str = entry["targets"][-1]
            return slug_of(target.partition(":")[2])
    return slug_of(arguments["card"])


def _slugs(proposal: Proposal, field: str) -> tuple[str, ...]:
    return tuple(slug_of(name) for name in proposal["arguments"].get(field, ()))
