"""From the names in a proposal to cards, seats and slots, and the codes for names that fit nothing (contract 2)."""

from __future__ import annotations

from typing import Final

from engine.codes import Violation, fault
from engine.state import State
from engine.tables import KINDS, SET_KINDS, SET_OF, SLUGS
from engine.types import JUNK, KIND_MASK, SEATS, SLOTS, Card, Kind, Seat, in_play_zone

Choices = dict[str, object]
"""The six fields of `choices`; a field that was not given is missing."""

Zone = list[Card] | tuple[Card, ...]
"""Cards in an order."""


def split_name(name: str) -> tuple[str, int]:
    """A card name as (slug, n): `bold_haggler#2` is ("bold_haggler", 2), without `#n` n is 0, with a bad one -1."""
    slug, mark, number = name.partition("#")
    if not mark:
        return slug, 0
    return slug, int(number) if number.isascii() and number.isdigit() and len(number) < 4 and int(number) else -1


def kind_in_game(g: State, slug: str) -> Kind:
    """The kind of a slug that belongs to this game, else -1 (R-CMP-05)."""
    kind = KINDS.get(slug, -1)
    if kind == JUNK or (kind > 0 and SET_OF[g.edition][kind] in g.sets):
        return kind
    return -1


def kind_named(g: State, name: str) -> Kind:
    """The kind that a name with or without `#n` means in this game, else -1."""
    slug, number = split_name(name)
    return kind_in_game(g, slug) if number >= 0 else -1


def kinds_of(g: State) -> list[Kind]:
    """Every kind that belongs to this game, junk first, then by set and value."""
    return [JUNK, *(kind for number in g.sets for kind in SET_KINDS[g.edition][number])]


def strangers(g: State) -> list[str]:
    """The slugs of the cards of other sets and of the other edition: no cards of this game."""
    return [slug for slug in SLUGS if kind_in_game(g, slug) < 0]


def absent_name(zone: Zone, kind: Kind) -> str:
    """One name of this kind that a zone does not hold: the bare slug, or one copy too far."""
    copies = len(of_kind(zone, kind))
    return f"{SLUGS[kind]}#{copies + 1}" if copies else SLUGS[kind]


def numbered_name(zone: Zone, card: Card) -> str:
    """The name `slug#n` of a card of a zone."""
    kind = card & KIND_MASK
    return f"{SLUGS[kind]}#{of_kind(zone, kind).index(card) + 1}"


def copy_name(zone: Zone, card: Card) -> str:
    """The name that means exactly this card of a zone: the bare slug if there is no other copy, else `slug#n`."""
    kind = card & KIND_MASK
    return SLUGS[kind] if len(of_kind(zone, kind)) < 2 else numbered_name(zone, card)


def of_kind(cards: Zone, kind: Kind) -> list[Card]:
    """The cards of a zone with this printed kind, in order."""
    return [card for card in cards if card & KIND_MASK == kind]


def first_of_each(cards: Zone) -> list[Card]:
    """The first card of each printed kind, in order."""
    first: dict[Kind, Card] = {}
    for card in cards:
        first.setdefault(card & KIND_MASK, card)
    return list(first.values())


class Reader:
    """Reads the names of one proposal by one seat and collects what is wrong with them.

    playing: the technique being played, or -1; it is no longer part of the hand (R-VOC-04).
    """

    def __init__(self, g: State, seat: Seat) -> None:
        self.g = g
        self.seat = seat
        self.playing: Card = -1
        self.faults: list[Violation] = []

    def blame(self, code: str, *rules: str, **facts: object) -> None:
        """Note a violation."""
        self.faults.append(fault(code, *rules, **facts))  # type: ignore[arg-type]  # facts are JSON by construction

    def kind(self, name: str) -> Kind:
        """The kind a name means; -1 after blaming an unknown card."""
        kind = kind_named(self.g, name)
        if kind < 0:
            self.blame("unknown_card", card=name)
        return kind

    def cards(
        self,
        zone: Zone,
        names: list[str],
        missing: str,
        reserved: list[Card] | None = None,
        offered: Zone | None = None,
    ) -> list[Card]:
        """The cards of a zone that these names mean, in their order; `#n` first, then bare slugs in zone order.

        A name the zone does not hold is blamed with the code `missing`; with "hand" by R-ERR-05. reserved: cards that a
        bare slug means only where there is no other one. offered: the cards of the zone that may be named, in the order
        in which bare slugs take them.
        """
        found = self.named(zone, names, reserved, offered)
        missed = [name for name, card in zip(names, found, strict=True) if card == ABSENT]
        for name in sorted(missed, key=lambda one: "#" in one):
            self._miss(KINDS[split_name(name)[0]], name, missing)
        return [card for card in found if card >= 0]

    def named(
        self, zone: Zone, names: list[str], reserved: list[Card] | None = None, offered: Zone | None = None
    ) -> list[Card]:
        """The card of each name, as `cards` finds them; ABSENT, without blame, where there is none, -1 after blame."""
        offered = zone if offered is None else offered
        found = self._numbered(zone, names, offered)
        taken = [card for card in found if card >= 0]
        last = reserved or []
        for place, name in enumerate(names):
            if found[place] == _BARE:
                left = [one for one in of_kind(offered, KINDS[name]) if one not in taken and one != self.playing]
                found[place] = min(left, key=lambda one: one in last, default=ABSENT)
                taken.append(found[place])
        return found

    def _numbered(self, zone: Zone, names: list[str], offered: Zone) -> list[Card]:
        """The card each `#n` names; _BARE for a bare slug, ABSENT for a copy that is not there, _BAD after blame."""
        found: list[Card] = []
        for name in names:
            kind = self.kind(name)
            number = split_name(name)[1]
            if kind < 0:
                found.append(_BAD)
            elif number == 0:
                found.append(_BARE)
            else:
                copies = of_kind(zone, kind)
                card = copies[number - 1] if number <= len(copies) else ABSENT
                if card not in offered:
                    card = ABSENT
                if card >= 0 and card in found:
                    self.blame("duplicate_card", card=name)
                    card = _BAD
                elif card == self.playing and card >= 0:
                    self.blame("self_reference", card=name)
                    card = _BAD
                found.append(card)
        return found

    def _miss(self, kind: Kind, name: str, missing: str) -> None:
        if missing == "hand":
            self.blame(self.absent_from_hand(kind), card=name)
        else:
            self.blame(missing, card=name)

    def absent_from_hand(self, kind: Kind) -> str:
        """The code for a card named as if in the own hand that is not there, from public zones alone (R-ERR-05)."""
        g = self.g
        if self.playing >= 0 and self.playing & KIND_MASK == kind:
            return "self_reference"
        if any(of_kind(stack, kind) for stack in g.stalls[self.seat]):
            return "stall_card_reuse"
        if not _public(g, self.seat, kind) and any(
            _public(g, other, kind) for other in range(g.players) if other != self.seat
        ):
            return "card_of_other_player"
        return "card_not_in_hand"

    def opponent(self, name: str, *rules: str) -> Seat:
        """The seat of another player; -1 after blame."""
        seat = SEATS.find(name) if len(name) == 1 else -1
        if not 0 <= seat < self.g.players:
            self.blame("target_unknown_player", *rules, seat=name)
            return -1
        if seat == self.seat:
            self.blame("target_self", *rules, seat=name)
            return -1
        return seat

    def slot(self, name: str, *rules: str) -> int:
        """The number of an occupied slot; -1 after blame."""
        number = slot_number(name)
        if number < 0:
            self.blame("slot_out_of_range", *rules, slot=name)
        elif self.g.market[number] < 0:
            self.blame("slot_empty", *rules, slot=name)
            number = -1
        return number


_BAD: Final = -1
ABSENT: Final = -2
"""What a name means that no card of the zone has."""
_BARE: Final = -3


def slot_number(name: str) -> int:
    """The number in `slot_3`; -1 if it names no slot."""
    digit = name.removeprefix("slot_")
    return int(digit) if name.startswith("slot_") and digit in _SLOT_DIGITS else -1


_SLOT_DIGITS: Final = tuple(str(number) for number in range(SLOTS))


def _public(g: State, seat: Seat, kind: Kind) -> bool:
    """Whether a seat has such a card in a public zone: discard pile, stall or in play."""
    zones: list[Zone] = [g.discard(seat), g.zones[in_play_zone(seat)], *g.stalls[seat]]
    return any(of_kind(zone, kind) for zone in zones)
