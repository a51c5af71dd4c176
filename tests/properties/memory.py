"""A player's own notes: which hidden card lies where, written down from nothing but the events the seat is shown.

The engine keeps its knowledge on the cards; here it is kept by the reader of the events, who knows the rules of
looking (R-INF-01 to R-INF-03), of drawing and of shuffling. Both must come to the same places.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

Shown = dict[str, Any]

NOT_OF_THE_HAND = ("loyal_partner", "new_season", "sabotage")
"""The techniques that throw away or discard cards of the market, of a discard pile or of a deck."""


class Memory:
    """What one seat can note. A deck is a list of slugs, top first, None for a card that is not known."""

    def __init__(self, seen: Shown) -> None:
        self.seat: str = seen["seat"]
        self.decks: dict[str, list[str | None]] = {"market_deck": [None] * seen["market_deck_size"]}
        self.hands: dict[str, Counter[str]] = {}
        for seat, public in seen["seats"].items():
            self.decks[f"deck_{seat}"] = [None] * public["deck_size"]
            if seat != self.seat:
                self.hands[seat] = Counter()
        self.looking: tuple[str, int] | None = None
        self.turning = False
        self.paid = 0
        self.copied: tuple[str, str] = ("", "")
        self.playing = ""
        self.noted: Counter[str] = Counter()

    def places(self) -> list[Shown]:
        """The notes in the form of the observation's `known`."""
        found: list[Shown] = []
        for zone, deck in self.decks.items():
            for position, card in enumerate(deck):
                if card is not None:
                    found.append({"zone": zone, "position": position, "card": card})
        for seat, held in self.hands.items():
            found += [{"zone": f"hand_{seat}", "card": card} for card in held.elements()]
        return found

    def read(self, happened: Shown) -> None:
        """Note what one event tells."""
        note = getattr(self, f"_{happened['type']}", None)
        if note is not None:
            note(happened, happened["seat"])

    def gains(self, seat: str, cards: list[str]) -> None:
        """These cards are seen to come into a hand."""
        if seat != self.seat:
            self.hands[seat] += Counter(cards)

    def loses(self, seat: str, cards: list[str] | None) -> None:
        """These cards are seen to leave a hand; None: nobody can say which ones did."""
        if seat != self.seat:
            self.hands[seat] = Counter() if cards is None else self.hands[seat] - Counter(cards)

    def shows(self, seat: str, card: str) -> None:
        """A card of a hand is shown and stays there; it may be one that was known already."""
        if seat != self.seat and not self.hands[seat][card]:
            self.hands[seat][card] = 1

    # decks

    def _shuffle(self, event: Shown, seat: str) -> None:
        """The cards go below what is left; where they lie is known to nobody."""
        self.decks[event["zone"]] += [None] * event["count"]
        self.noted["shuffle"] += 1

    def _draw(self, event: Shown, seat: str) -> None:
        """A card whose place was known is known in the hand afterwards; so is nothing else."""
        deck = self.decks[event.get("zone", f"deck_{seat}")]
        self.gains(seat, [card for card in deck[: event["count"]] if card is not None])
        del deck[: event["count"]]

    def _look(self, event: Shown, seat: str) -> None:
        self.looking = (event["zone"], event["count"])
        if "cards" in event:
            self.decks[event["zone"]][: event["count"]] = event["cards"]

    def _put_back(self, event: Shown, seat: str) -> None:
        """The last card put back is the top card; whoever does not see the order knows none of them any more."""
        cards = event["cards"][::-1] if "cards" in event else [None] * event["count"]
        self.decks[event["zone"]][: event["count"]] = cards
        self.looking = None
        self.noted["put back"] += "cards" in event

    def _place(self, event: Shown, seat: str) -> None:
        card = event.get("card")
        self.decks[event["zone"]].insert(0, card)
        self.loses(seat, [card] if card else None)
        self.noted["placed"] += card is not None

    def _swap_piles(self, event: Shown, seat: str) -> None:
        self.decks[f"deck_{seat}"] = [None] * event["deck_size"]

    def _refill(self, event: Shown, seat: str) -> None:
        del self.decks["market_deck"][: len(event["new"])]

    def _reveal(self, event: Shown, seat: str) -> None:
        if event["zone"] == "market_deck":  # Charm's card is in play until it is built or thrown away
            del self.decks["market_deck"][:1]
            self.gains(seat, [event["card"]])
        else:
            self.shows(seat, event["card"])

    def _throw_away(self, event: Shown, seat: str) -> None:
        """From the cards looked at, from the top of the market deck by an ability, or else from a hand or in play."""
        if self.looking is not None:
            zone, count = self.looking
            del self.decks[zone][:count]
            self.looking = None
        elif self.turning:
            del self.decks["market_deck"][:1]
        else:
            self.leaves(seat, event["cards"])
        self.turning = False

    # hands

    def _take(self, event: Shown, seat: str) -> None:
        zone, card = event["zone"], event.get("card")
        if zone in self.decks:
            assert self.looking is not None
            deck, count = self.decks[zone], self.looking[1]
            if card is None:
                deck[:count] = [None] * (count - 1)
            else:
                deck.remove(card)
            self.looking = (zone, count - 1) if count > 1 else None
        elif zone.startswith("hand_"):
            self.loses(zone[-1], [card] if card else None)
            self.noted["taken"] += card is not None
        if card is not None:
            self.gains(seat, [card])

    def _give(self, event: Shown, seat: str) -> None:
        card = event.get("card")
        self.loses(seat, [card] if card else None)
        if card is not None:
            self.gains(event["to"], [card])
            self.noted["given"] += 1

    def _exchange(self, event: Shown, seat: str) -> None:
        self.loses(seat, event.get("given"))
        self.loses(event["to"], event.get("received"))
        if "given" in event:
            self.gains(seat, event["received"])
            self.gains(event["to"], event["given"])
            self.noted["exchanged"] += 1

    def _swap(self, event: Shown, seat: str) -> None:
        self.gains(seat, [event["taken"]])

    def _market(self, event: Shown, seat: str) -> None:
        """The payment leaves first (R-MKT-11); the throw-away and the discard that follow tell of it again."""
        self.loses(seat, event["payment"])
        self.gains(seat, [event["card"]])
        self.paid = len(event["payment"])

    def leaves(self, seat: str, cards: list[str]) -> None:
        """Cards of a hand are discarded or thrown away, unless they are the payment."""
        if self.paid:
            self.paid -= len(cards)
        elif self.playing not in NOT_OF_THE_HAND:
            self.loses(seat, cards)

    def _junk(self, event: Shown, seat: str) -> None:
        self.gains(seat, ["junk"] * event["count"])

    def _discard(self, event: Shown, seat: str) -> None:
        self.leaves(seat, event["cards"])

    def _technique(self, event: Shown, seat: str) -> None:
        card = event["card"]
        self.loses(seat, [card])
        self.playing = self.copied[1] if self.copied[0] == card else card

    def _bonus(self, event: Shown, seat: str) -> None:
        self.playing = ""

    def _turn(self, event: Shown, seat: str) -> None:
        self.turning = False
        self.playing = ""
        self.copied = ("", "")

    def _stall(self, event: Shown, seat: str) -> None:
        self.loses(seat, event["cards"])

    def _ability(self, event: Shown, seat: str) -> None:
        self.shows(seat, event["card"])
        self.turning = True

    def _roll(self, event: Shown, seat: str) -> None:
        self.turning = False

    def _copy(self, event: Shown, seat: str) -> None:
        """A chameleon that counts as Cookies is shown; so is the hand card that Seeing Doubles copies (R-CPC-10)."""
        self.copied = (event["card"], event["copied"])
        if event["copied"] == "cookies":
            self.shows(seat, event["card"])
        for copying, target in pairwise([event["card"], *event["targets"]]):
            if copying == "seeing_doubles":
                self.shows(seat, target)
