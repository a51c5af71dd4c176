"""Questions for cards, orders and numbers, most of them answered in the call that plays the card."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from engine.frames import Question, Wrong, distinct
from engine.moves import name
from engine.references import (
    Choices,
    Reader,
    absent_name,
    copy_name,
    first_of_each,
    kind_named,
    kinds_of,
    of_kind,
    strangers,
)
from engine.state import Frame, State
from engine.tables import SLUGS
from engine.types import EMPTY, JSON, JUNK, KIND_MASK, SEATS, SLOTS, Answer, Kind
from engine.verbs.asking import listed, opponents_of, rest_of_hand
from engine.verbs.spelling import spell_cards, spell_hand
from engine.verbs.wrong import no_seat, occupied_slots, too_many_cards, wrong_cards, wrong_hand_cards, wrong_slots


class hand_card(Question):
    """One card of the remaining hand; mandatory if there is one."""

    field = "cards"
    from_hand = True

    def options(self, g: State, f: Frame) -> list[Answer]:
        """One of each group of alike cards."""
        return [(card,) for card in distinct(g, rest_of_hand(g, f))]

    def count(self, g: State, f: Frame) -> int:
        """As many as there are groups."""
        if g.alterations or g.used or g.locks:
            return len(self.options(g, f))
        return len({card & KIND_MASK for card in g.hand(f.actor) if card != f.card})

    def settled(self, others: int, players: int) -> int:
        """As many as there are other cards that differ."""
        return others

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Exactly one name of the hand."""
        wanted = listed(choices, "cards")
        if not wanted:
            reader.blame("missing_required_choice", field="cards")
            return None
        cards = reader.cards(reader.g.hand(f.actor), wanted, "hand")
        if len(wanted) > 1:
            reader.blame("too_many_targets", field="cards", given=len(wanted), most=1)
        return tuple(cards) if len(cards) == 1 == len(wanted) else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, cards that are not there, or two of them."""
        yield "missing_required_choice", {}
        yield from wrong_hand_cards(g, f)
        yield from too_many_cards(g, f)

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `cards`."""
        return {"cards": spell_hand(g, f.actor, answer, without=f.card)}


class market_card(Question):
    """One card of the market; mandatory if there is one."""

    field = "slots"

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every occupied slot."""
        return [(slot,) for slot, card in enumerate(g.market) if card != EMPTY]

    def count(self, g: State, f: Frame) -> int:
        """As many as there are cards."""
        return SLOTS - g.market.count(EMPTY)

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Exactly one occupied slot."""
        wanted = listed(choices, "slots")
        if not wanted:
            cards = listed(choices, "cards")
            kinds = [reader.kind(card) for card in cards]
            elsewhere = [card for card, kind in zip(cards, kinds, strict=True) if not of_kind(reader.g.market, kind)]
            if elsewhere and min(kinds) >= 0:
                reader.blame("card_in_wrong_zone", card=elsewhere[0], zone="market")
            reader.blame("missing_required_choice", field="slots")
            return None
        slots = [reader.slot(slot) for slot in wanted]
        if len(wanted) > 1:
            reader.blame("too_many_targets", field="slots", given=len(wanted), most=1)
        return (slots[0],) if len(slots) == 1 and slots[0] >= 0 else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, a card by its name, slots without a card, or two slots."""
        yield "missing_required_choice", {}
        elsewhere = [kind for kind in (f.card & KIND_MASK, *kinds_of(g)) if not of_kind(g.market, kind)]
        for kind in elsewhere[:1]:
            yield "card_in_wrong_zone", {"cards": [SLUGS[kind]]}
        yield from wrong_slots(g)
        for slot in occupied_slots(g):
            for other in occupied_slots(g):
                yield "too_many_targets", {"slots": [slot, other]}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `slots`."""
        return {"slots": [f"slot_{slot}" for slot in answer]}


class discarded_animalfolk(Question):
    """One animalfolk card of the own discard pile, any position; mandatory if there is one (OCE2-1)."""

    field = "cards"

    def options(self, g: State, f: Frame) -> list[Answer]:
        """One of each name, the lowest copy in the pile."""
        return [(card,) for card in first_of_each(g.discard(f.actor)) if card & KIND_MASK != JUNK]

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Exactly one name of the discard pile that is no junk."""
        wanted = listed(choices, "cards")
        if not wanted:
            reader.blame("missing_required_choice", "OCE2-1", field="cards")
            return None
        cards = reader.cards(reader.g.discard(f.actor), wanted, "card_in_wrong_zone")
        junk = [written for written in wanted if kind_named(reader.g, written) == JUNK]
        if junk:
            reader.blame("target_invalid", "OCE2-1", card=junk[0])
        if len(wanted) > 1:
            reader.blame("too_many_targets", "OCE2-1", field="cards", given=len(wanted), most=1)
        return tuple(cards) if len(cards) == 1 == len(wanted) and not junk else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, junk, cards that are not in the pile, or two of them."""
        yield "missing_required_choice", {}
        yield "target_invalid", {"cards": [SLUGS[JUNK]]}
        yield from wrong_cards(g, g.discard(f.actor), "card_in_wrong_zone")
        names: list[JSON] = [name(card) for card in g.discard(f.actor) if card & KIND_MASK != JUNK]
        for pair in pairwise(names):
            yield "too_many_targets", {"cards": [*pair]}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `cards`."""
        return {"cards": spell_cards(g.discard(f.actor), answer)}


class hand_order(Question):
    """The order in which the remaining hand is discarded; optional, default as shown in the hand (R-DIS-02)."""

    field = "cards"
    from_hand = True
    optional = True

    def count(self, g: State, f: Frame) -> int:
        """One order is listed."""
        return 1

    def settled(self, others: int, players: int) -> int:
        """One order is listed."""
        return 1

    def options(self, g: State, f: Frame) -> list[Answer]:
        """The default order alone: other orders are legal, but not listed (contract section 1)."""
        rest = rest_of_hand(g, f)
        return [tuple(rest)] if rest else []

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Nothing, or every remaining card exactly once."""
        rest = rest_of_hand(reader.g, f)
        wanted = listed(choices, "cards")
        if not wanted:
            return tuple(rest)
        before = len(reader.faults)
        cards = reader.cards(reader.g.hand(f.actor), wanted, "hand")
        if len(reader.faults) == before and sorted(cards) != sorted(rest):
            reader.blame("invalid_order", given=list(wanted), expected=len(rest))
        return tuple(cards) if len(reader.faults) == before else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Cards that are not there, or an order that leaves cards out."""
        yield from wrong_hand_cards(g, f)
        names: list[JSON] = [copy_name(g.hand(f.actor), card) for card in rest_of_hand(g, f)]
        for place in range(1, len(names)):
            yield "invalid_order", {"cards": names[:place]}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `cards`, left out where the order is the default one."""
        return {} if answer == tuple(rest_of_hand(g, f)) else self.spell_out(g, f, answer)

    def spell_out(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `cards`."""
        return {"cards": spell_hand(g, f.actor, answer, without=f.card)}


class market_order(Question):
    """The order in which all market cards are thrown away; optional, default slot 0 first (PAN1c-1)."""

    field = "slots"
    optional = True

    def count(self, g: State, f: Frame) -> int:
        """One order is listed."""
        return 1

    def settled(self, others: int, players: int) -> int:
        """One order is listed."""
        return 1

    def options(self, g: State, f: Frame) -> list[Answer]:
        """The default order alone."""
        occupied = tuple(slot for slot, card in enumerate(g.market) if card != EMPTY)
        return [occupied] if occupied else []

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Nothing, or every occupied slot exactly once."""
        wanted = listed(choices, "slots")
        occupied = tuple(slot for slot, card in enumerate(reader.g.market) if card != EMPTY)
        if not wanted:
            return occupied
        slots = [reader.slot(slot) for slot in wanted]
        if min(slots) >= 0 and sorted(slots) != list(occupied):
            reader.blame("invalid_order", "PAN1c-1", given=list(wanted), expected=len(occupied))
            return None
        return tuple(slots) if min(slots) >= 0 else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Slots without a card, or an order that leaves slots out or names one twice."""
        yield from wrong_slots(g)
        slots: list[JSON] = [*occupied_slots(g)]
        for place, slot in enumerate(slots):
            yield "invalid_order", {"slots": slots[:place] or [slot, slot]}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `slots`, left out where the order is the default one."""
        return {} if list(answer) == sorted(answer) else self.spell_out(g, f, answer)

    def spell_out(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `slots`."""
        return {"slots": [f"slot_{slot}" for slot in answer]}


class market_cards(Question):
    """Any number of market cards, none included, in the order in which they are thrown away (PAN1r-1)."""

    field = "slots"

    def options(self, g: State, f: Frame) -> list[Answer]:
        """For every row that can be left the first selection, slot 0 first (contract section 1).

        Other orders and selections that leave the same row are legal, but not listed: the refill closes every gap
        before anybody can tell them apart (R-REF-05).
        """
        occupied = [slot for slot, card in enumerate(g.market) if card != EMPTY]
        kinds = [g.market[slot] & KIND_MASK for slot in occupied]
        found: dict[tuple[Kind, ...], Answer] = {}
        for count in range(len(occupied) + 1):
            rows = [*combinations(kinds, len(kinds) - count)]  # what each selection leaves, the last selection first
            for chosen, row in zip(combinations(occupied, count), rows[::-1], strict=True):
                found.setdefault(row, chosen)
        return list(found.values())

    def count(self, g: State, f: Frame) -> int:
        """The number of rows that can be left: each further card is kept or not; with an alike one before it, twice."""
        rows = 1
        before: dict[Kind, int] = {}
        for card in g.market:
            if card != EMPTY:
                kind = card & KIND_MASK
                rows, before[kind] = 2 * rows - before.get(kind, 0), rows
        return rows

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Different occupied slots."""
        wanted = listed(choices, "slots")
        slots = [reader.slot(slot, "PAN1r-1") for slot in wanted]
        twice = [slot for place, slot in enumerate(wanted) if slot in wanted[:place]]
        if twice:
            reader.blame("duplicate_card", "PAN1r-1", slot=twice[0])
        return None if twice or min(slots, default=0) < 0 else tuple(slots)

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Slots without a card, or one slot twice."""
        yield from wrong_slots(g)
        for slot in occupied_slots(g):
            yield "duplicate_card", {"slots": [slot, slot]}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `slots`."""
        return {"slots": [f"slot_{slot}" for slot in answer]}


class stall_card(Question):
    """A card in another player's stall; mandatory if there is one (SQU4-1)."""

    field = "stack"

    def options(self, g: State, f: Frame) -> list[Answer]:
        """One of each name in each stack."""
        result: list[Answer] = []
        for seat in opponents_of(g, f):
            for number, stack in enumerate(g.stalls[seat], 1):
                result += [(seat, number, card) for card in first_of_each(stack)]
        return result

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """A seat, the number of a stack it has, and a card in it."""
        stack = choices.get("stack")
        if not isinstance(stack, dict):
            reader.blame("missing_required_choice", "SQU4-1", field="stack")
            return None
        number = stack["number"]
        seat = reader.opponent(stack["seat"], "SQU4-4")
        kind = reader.kind(stack["card"])
        if seat < 0 or kind < 0:
            return None
        stall = reader.g.stalls[seat]
        if not 1 <= number <= len(stall):
            reader.blame("target_invalid", "SQU4-1", seat=stack["seat"], number=number, card=stack["card"])
            return None
        cards = reader.cards(list(stall[number - 1]), [stack["card"]], "card_in_wrong_zone")
        return (seat, number, cards[0]) if cards else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, the own stall, players, stacks and cards that are not there."""
        yield "missing_required_choice", {}
        junk = SLUGS[JUNK]
        yield "target_self", {"stack": {"seat": SEATS[f.actor], "number": 1, "card": junk}}
        yield "target_unknown_player", {"stack": {"seat": no_seat(g), "number": 1, "card": junk}}
        for seat in opponents_of(g, f):
            built = len(g.stalls[seat])
            yield "target_invalid", {"stack": {"seat": SEATS[seat], "number": built + 1, "card": junk}}
            for slug in strangers(g):
                yield "unknown_card", {"stack": {"seat": SEATS[seat], "number": 1, "card": slug}}
            for number, stack in enumerate(g.stalls[seat], 1):
                absent = absent_name(stack, JUNK)
                yield "card_in_wrong_zone", {"stack": {"seat": SEATS[seat], "number": number, "card": absent}}

    def keep(self, f: Frame, answer: Answer) -> None:
        """Seat, stack number and card."""
        f.seat, f.count = answer[0], answer[1]
        f.picked = [answer[2]]

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `stack`."""
        seat, number, card = answer
        (written,) = spell_cards(g.stalls[seat][number - 1], (card,))
        return {"stack": {"seat": SEATS[seat], "number": number, "card": written}}


class number_between(Question):
    """A number in a range."""

    field = "value"

    def __init__(self, lowest: int, highest: int, *rules: str) -> None:
        self.lowest = lowest
        self.highest = highest
        self.rules = rules

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every number of the range."""
        return [(value,) for value in range(self.lowest, self.highest + 1)]

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """One integer."""
        value = choices.get("value")
        if not isinstance(value, int):
            reader.blame("missing_required_choice", *self.rules, field="value")
            return None
        if not self.lowest <= value <= self.highest:
            reader.blame("value_out_of_range", *self.rules, value=value, lowest=self.lowest, highest=self.highest)
            return None
        return (value,)

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, or a number beyond either end."""
        yield "missing_required_choice", {}
        for value in (self.highest + 1, self.lowest - 1, self.highest + 4):
            yield "value_out_of_range", {"value": value}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `value`."""
        return {"value": answer[0]}


class top_card_value(number_between):
    """A guess at the printed value of the own deck's top card; without a card nothing is guessed (OCE5Br-1)."""

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every number of the range if there is a card."""
        return super().options(g, f) if g.deck(f.actor) or g.discard(f.actor) else []
