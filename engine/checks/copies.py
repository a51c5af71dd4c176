"""What a classic chameleon counts as in a proposal: the stated chain followed link by link (R-CPC-03 to R-CPC-12)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import STALL, Link
from engine.copying import copies_on, reachable, targets
from engine.references import Reader, Zone, kind_in_game, kind_named, numbered_name, of_kind, split_name
from engine.stacks import Piece
from engine.state import State
from engine.tables import SLUGS
from engine.types import HAND, KIND_MASK, MARKET, MARKET_DISCARD, SEATS, ZONES_PER_SEAT, Card, hand_zone
from engine.values import Identity, copied, likeness, lock_of, plain


def zone_name(zone: int) -> str:
    """How the zone of a link is written (contract section 1)."""
    if zone in (STALL, MARKET, MARKET_DISCARD):
        return {STALL: "stall", MARKET: "market", MARKET_DISCARD: "market_discard"}[zone]
    seat, kind = divmod(zone - HAND, ZONES_PER_SEAT)
    return "hand" if kind == 0 else f"discard_{SEATS[seat]}"


def _card_in(target: str) -> str:
    """The name of the card in a target."""
    return target.partition(":")[2]


class Copying:
    """Resolves the stated copies of one proposal; every entry must be used by some card of it."""

    def __init__(self, reader: Reader, stated: object) -> None:
        self.reader = reader
        self.used: set[int] = set()
        self.locked: list[Card] = []
        entries = stated if isinstance(stated, list) else []
        self.entries = [(str(entry["card"]), list(entry["targets"])) for entry in entries]
        self._read_names()

    def _read_names(self) -> None:
        """Blame cards that are not of this game and copies named twice; such an entry belongs to no card."""
        named: list[Card] = []
        for index, (name, stated) in enumerate(self.entries):
            for target in stated:
                if ":" in target:
                    self.reader.kind(_card_in(target))
            if self.reader.kind(name) < 0:
                self.used.add(index)
                continue
            card = self._numbered(name)
            if card >= 0 and card in named:
                self.reader.blame("duplicate_card", card=name)
                self.used.add(index)
            named.append(card)

    def _numbered(self, name: str) -> Card:
        """The hand card named by `#n`; -1 for a bare slug and for a copy that is not there."""
        slug, number = split_name(name)
        copies = of_kind(self.reader.g.hand(self.reader.seat), kind_in_game(self.reader.g, slug))
        return copies[number - 1] if 0 < number <= len(copies) else -1

    def identity(self, card: Card, name: str) -> Identity | None:
        """What the card counts as, or None after blaming why that is not known."""
        g = self.reader.g
        stated = self._stated_for(card, name)
        if not copies_on(g, card, self.reader.playing):
            if stated is not None and not self._repeats_lock(card, stated):
                self.reader.blame("copy_not_possible", card=name)
            return plain(g, card)
        reached = reachable(g, self.reader.seat, card, self.reader.playing)
        if stated is not None:
            return self._follow(card, stated, name)
        if not reached:
            return plain(g, card)
        if len(reached) == 1:
            return reached[0]
        self.reader.blame("copy_target_missing", card=name, identities=sorted({SLUGS[one.kind] for one in reached}))
        return None

    def named(self, card: Card) -> bool:
        """Whether copies are stated for this card, by its slug or its number."""
        return any(self._means(name, card) for name, _ in self.entries)

    def finish(self, perhaps: Sequence[Card] = ()) -> None:
        """Blame the entries that belong to no card of the proposal.

        perhaps: cards of which it cannot be told whether they belong to it (R-ERR-04).
        """
        self._serve_locked()
        for index, (name, _) in enumerate(self.entries):
            if index not in self.used and not any(self._means(name, card) for card in perhaps):
                self.reader.blame("copy_not_possible", card=name)

    def others(self, card: Card) -> list[Card]:
        """The hand cards but this one that must copy: the secret card of a Blindfold may be one of them (OCE5Bc-4)."""
        g = self.reader.g
        return [one for one in g.hand(self.reader.seat) if one != card and copies_on(g, one, card)]

    def _means(self, name: str, card: Card) -> bool:
        slug, number = split_name(name)
        if kind_in_game(self.reader.g, slug) != card & KIND_MASK:
            return False
        return number == 0 or self._numbered(name) == card

    def _stated_for(self, card: Card, name: str) -> list[str] | None:
        """The targets stated for a card; entries of one slug serve its copies in order.

        A locked card waits with those that have no number: they are meant for the copies that must copy.
        """
        g = self.reader.g
        locked = bool(lock_of(g, card)) and not copies_on(g, card, self.reader.playing)
        for numbered in (True,) if locked else (True, False):
            for index, (entry, stated) in enumerate(self.entries):
                if index not in self.used and ("#" in entry) == numbered and self._means(entry, card):
                    self.used.add(index)
                    return stated
        if locked:
            self.locked.append(card)
        return None

    def _serve_locked(self) -> None:
        """Give the entries that are left to the locked cards whose locks they repeat."""
        for index, (name, stated) in enumerate(self.entries):
            if index not in self.used:
                meant = [one for one in self.locked if self._means(name, one) and self._repeats_lock(one, stated)]
                for card in meant[:1]:
                    self.locked.remove(card)
                    self.used.add(index)

    def _repeats_lock(self, card: Card, stated: list[str]) -> bool:
        """Whether the targets stated are those of the card's lock, or cards alike."""
        g = self.reader.g
        chain = lock_of(g, card)
        kind = card & KIND_MASK
        for link, written in zip(chain, stated, strict=False):
            named = self._target(targets(g, self.reader.seat, kind, card), written)
            if named is None or named[0] != link[0] or likeness(g, named[1]) != likeness(g, link[1]):
                return False
            kind = link[1] & KIND_MASK
        return len(chain) == len(stated) > 0

    def _follow(self, card: Card, stated: list[str], name: str) -> Identity | None:
        """Check a chain link by link."""
        reader = self.reader
        g = reader.g
        chain: list[Link] = []
        kind = card & KIND_MASK
        seen = [kind]
        for position, target in enumerate(stated):
            if position and not copies_on(g, chain[-1][1], reader.playing):
                reader.blame("copy_chain_invalid", card=name, target=target)
                return None
            link = self._target(targets(g, reader.seat, kind, card, reader.playing), target)
            if link is None and ":" in target and kind_named(g, _card_in(target)) < 0:
                return None  # the name has been blamed
            if link is None:
                own = position > 0 and split_name(_card_in(target))[0] == SLUGS[card & KIND_MASK]
                reader.blame("copy_chain_invalid" if own else "copy_target_invalid", card=name, target=target)
                return None
            kind = link[1] & KIND_MASK
            if copies_on(g, link[1], reader.playing):
                if kind in seen:
                    reader.blame("copy_chain_invalid", card=name, target=target)
                    return None
                seen.append(kind)
            chain.append(link)
        if not chain or copies_on(g, chain[-1][1], reader.playing):
            reader.blame("copy_chain_invalid", card=name, target=stated[-1] if stated else "")
            return None
        return copied(g, card, tuple(chain))

    def _target(self, valid: list[Link], written: str) -> Link | None:
        """The valid target that is written so, the first of alike ones."""
        zone = written.partition(":")[0]
        slug, number = split_name(_card_in(written))
        links = [link for link in valid if zone_name(link[0]) == zone and SLUGS[link[1] & KIND_MASK] == slug]
        if number == 0:
            return links[0] if links else None
        hand = of_kind(self.reader.g.hand(self.reader.seat), kind_in_game(self.reader.g, slug))
        if zone == "hand" and 0 < number <= len(hand):
            return next((link for link in links if link[1] == hand[number - 1]), None)
        return links[number - 1] if 0 < number <= len(links) else None


def pieces_of(copying: Copying, cards: list[Card]) -> list[Piece] | None:
    """The cards with what they count as, or None if that is not known for all."""
    found = [(card, copying.identity(card, SLUGS[card & KIND_MASK])) for card in cards]
    known = [Piece(card, identity) for card, identity in found if identity is not None]
    return known if len(known) == len(found) else None


def spell_chain(g: State, seat: int, chain: tuple[Link, ...]) -> list[str]:
    """A chain as the contract writes it: `#n` for unlike copies in the hand, and where a bare slug means another."""
    result = []
    for zone, card in chain:
        copies = of_kind(_cards_in(g, seat, zone), card & KIND_MASK)
        unlike = zone == hand_zone(seat) and len({plain(g, one) for one in copies}) > 1
        numbered = card in copies and (unlike or copies[0] != card)
        named = numbered_name(copies, card) if numbered else SLUGS[card & KIND_MASK]
        result.append(f"{zone_name(zone)}:{named}")
    return result


def _cards_in(g: State, seat: int, zone: int) -> Zone:
    """The cards that targets in a zone are numbered among; of a pile the top card alone is one (R-CPC-04)."""
    if zone == STALL:
        return g.stalls[seat][-1] if g.stalls[seat] else ()
    return g.zones[zone] if zone in (MARKET, hand_zone(seat)) else ()
