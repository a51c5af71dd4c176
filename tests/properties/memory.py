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
        self.turn: str = seen["turn"]
        self.decks: dict[str, list[str | None]] = {"market_deck": [None] * seen["market_deck_size"]}
        self.hands: dict[str, Counter[str]] = {}
        self.sizes: Counter[str] = Counter()
        for seat, public in seen["seats"].items():
            self.decks[f"deck_{seat}"] = [None] * public["deck_size"]
            if seat != self.seat:
                self.hands[seat] = Counter()
                self.sizes[seat] = public["hand_size"]
        self.looking: tuple[str, int] | None = None
        self.turning = False
        self.paid = 0
        self.held = ""
        self.using = ""
        self.remastered = seen["edition"] == "remastered"
        self.copied: tuple[str, str] = ("", "")
        self.became: list[tuple[str, str]] = []
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
            became = [pair for pair in self.became if seat == self.turn]
            plain = held - Counter(card for card, _ in became)
            found += [{"zone": f"hand_{seat}", "card": card} for card in plain.elements()]
            found += [{"zone": f"hand_{seat}", "card": card, "copies": copied} for card, copied in became]
        return found

    def read(self, happened: Shown) -> None:
        """Note what one event tells."""
        note = getattr(self, f"_{happened['type']}", None)
        if note is not None:
            note(happened, happened["seat"])

    def gains(self, seat: str, cards: list[str], count: int | None = None) -> None:
        """So many cards come into a hand, by default those that are seen."""
        if seat != self.seat:
            self.hands[seat] += Counter(cards)
            self.sizes[seat] += len(cards) if count is None else count

    def loses(self, seat: str, cards: list[str] | None, count: int | None = None) -> None:
        """Cards leave a hand; None: nobody can say which ones did."""
        if seat != self.seat:
            self.hands[seat] = Counter() if cards is None else self.hands[seat] - Counter(cards)
            self.sizes[seat] -= len(cards or ()) if count is None else count
            for card in cards if cards is not None else [card for card, _ in self.became]:
                if len(self.copies(seat, card)) > self.hands[seat][card]:
                    self.became.remove(next(pair for pair in self.became if pair[0] == card))

    def only_name(self, seat: str) -> str | None:
        """The name of every card in a hand that is known whole and holds no other; so one of them can be followed."""
        if seat == self.seat or self.hands[seat].total() < self.sizes[seat] or len(self.hands[seat]) != 1:
            return None
        (card,) = self.hands[seat]
        copies = self.copies(seat, card)
        if copies and (len(copies) < self.sizes[seat] or len(set(copies)) > 1):
            return None
        self.noted["followed"] += 1
        return card

    def shows(self, seat: str, card: str, copied: str = "") -> None:
        """A card of a hand is shown and stays there; it may be one that was known already, if that is the same copy."""
        if seat == self.seat:
            return
        copies = self.copies(seat, card)
        if copied and copied not in copies:
            self.became.append((card, copied))
            self.hands[seat][card] += 1
        elif not copied and self.hands[seat][card] == len(copies):
            self.hands[seat][card] += 1

    def copies(self, seat: str, card: str) -> list[str]:
        """What those known cards of this name in a hand are that have been announced as copies (R-CPR-06)."""
        return [copied for name, copied in self.became if name == card and seat == self.turn]

    # decks

    def _deal(self, event: Shown, seat: str) -> None:
        """What the draft ends with: five of ten cards are in the hand, and five of all market cards in the market."""
        self.decks = {zone: [None] * 5 for zone in self.decks}
        self.decks["market_deck"] = [None] * (11 * len(event["sets"]) - 5)
        self.sizes = Counter(dict.fromkeys(self.hands, 5))

    def _swap_tops(self, event: Shown, seat: str) -> None:
        """Whoever knew where a card lay knows where it lies now; nobody else learns a thing."""
        mine, theirs, count = self.decks[f"deck_{seat}"], self.decks[f"deck_{event['to']}"], event["count"]
        mine[:count], theirs[:count] = theirs[:count], mine[:count]
        self.noted["swapped"] += any(mine[:count] + theirs[:count])

    def _shuffle(self, event: Shown, seat: str) -> None:
        """The cards go below what is left; where they lie is known to nobody."""
        self.decks[event["zone"]] += [None] * event["count"]
        self.noted["shuffle"] += 1

    def _draw(self, event: Shown, seat: str) -> None:
        """A card whose place was known is known in the hand afterwards; so is nothing else."""
        deck = self.decks[event.get("zone", f"deck_{seat}")]
        self.gains(seat, [card for card in deck[: event["count"]] if card is not None], event["count"])
        del deck[: event["count"]]

    def _look(self, event: Shown, seat: str) -> None:
        """At a deck, or at cards of a hand, among which those known already may be."""
        zone = event["zone"]
        if zone not in self.decks:
            self.held = zone[-1]
            if "cards" in event and self.held != self.seat:
                self.hands[self.held] |= Counter(event["cards"])
                self.noted["looked at in a hand"] += 1
            return
        self.looking = (zone, event["count"])
        if "cards" in event:
            self.decks[zone][: event["count"]] = event["cards"]

    def _put_back(self, event: Shown, seat: str) -> None:
        """The last card put back is the top card; whoever does not see the order knows none of them any more."""
        cards = event["cards"][::-1] if "cards" in event else [None] * event["count"]
        self.decks[event["zone"]][: event["count"]] = cards
        self.looking = None
        self.noted["put back"] += "cards" in event

    def _place(self, event: Shown, seat: str) -> None:
        card = event.get("card")
        self.noted["placed"] += card is not None
        card = card or self.only_name(seat)
        self.decks[event["zone"]].insert(0, card)
        self.loses(seat, [card] if card else None, 1)

    def _swap_piles(self, event: Shown, seat: str) -> None:
        self.decks[f"deck_{seat}"] = [None] * event["deck_size"]

    def _refill(self, event: Shown, seat: str) -> None:
        del self.decks["market_deck"][: len(event["new"])]

    def _reveal(self, event: Shown, seat: str) -> None:
        if event["zone"] == "market_deck":  # Charm's card is in play until it is built or thrown away
            del self.decks["market_deck"][:1]
            self.gains(seat, [event["card"]])
        elif event["zone"] == "hand":
            self.shows(seat, event["card"])
        else:  # the card that Blindfold guessed at lies on the deck until it is taken or discarded
            self.looking = (event["zone"], 1)
            self.decks[event["zone"]][0] = event["card"]

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
        if zone in self.decks and self.looking is None:  # Treasure Hunter
            top = self.decks[zone].pop(0)
            card = card or top
            self.noted["hunted"] += 1
        elif zone in self.decks:
            assert self.looking is not None
            deck, count = self.decks[zone], self.looking[1]
            if card is None:
                deck[:count] = [None] * (count - 1)
            else:
                deck.remove(card)
            self.looking = (zone, count - 1) if count > 1 else None
        elif zone.startswith("hand_"):
            self.noted["taken"] += card is not None
            card = card or self.only_name(zone[-1])
            self.loses(zone[-1], [card] if card else None, 1)
        self.gains(seat, [card] if card else [], 1)

    def _give(self, event: Shown, seat: str) -> None:
        card = event.get("card")
        self.noted["given"] += card is not None
        card = card or self.only_name(seat)
        self.loses(seat, [card] if card else None, 1)
        self.gains(event["to"], [card] if card else [], 1)

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
        """From a hand; by Blindfold and by an ability from the top of the deck of this seat."""
        if self.turning or self.looking is not None:
            del self.decks[f"deck_{seat}"][0]
        else:
            self.leaves(seat, event["cards"])
        self.turning = False
        self.looking = None

    def _technique(self, event: Shown, seat: str) -> None:
        card = event["card"]
        if (card, event.get("copied")) in self.became:
            self.became.remove((card, event["copied"]))
        self.loses(seat, [card])
        self.playing = event.get("copied") or (self.copied[1] if self.copied[0] == card else card)

    def _bonus(self, event: Shown, seat: str) -> None:
        self.playing = ""

    def _turn(self, event: Shown, seat: str) -> None:
        self.turning = False
        self.playing = ""
        self.copied = ("", "")
        self.became = []
        self.turn = seat

    def _stall(self, event: Shown, seat: str) -> None:
        self.loses(seat, event["cards"])

    def _ability(self, event: Shown, seat: str) -> None:
        self.using = event.get("copied", "")
        self.shows(seat, event["card"], self.using)
        self.turning = True
        self.held = ""

    def _roll(self, event: Shown, seat: str) -> None:
        self.turning = False

    def _copy(self, event: Shown, seat: str) -> None:
        """A chameleon that counts as Cookies is shown; so is the hand card that Seeing Doubles copies (R-CPC-10)."""
        self.turning = False
        self.copied = (event["card"], event["copied"])
        if self.remastered:
            self.became_a_copy(event, seat)
            return
        if event["copied"] == "cookies":
            self.shows(seat, event["card"])
        for copying, target in pairwise([event["card"], *event["targets"]]):
            if copying == "seeing_doubles":
                self.shows(seat, target)

    def became_a_copy(self, event: Shown, seat: str) -> None:
        """The chameleon whose ability was used is a copy from now on; what it copies in a hand is shown."""
        (target,) = event["targets"]
        if seat != self.seat:
            if self.using:
                self.became.remove((event["card"], self.using))
            self.became.append((event["card"], event["copied"]))
        if self.held:
            self.shows(self.held, target)
        elif (self.using or event["card"]) == "seeing_doubles":
            self.shows(seat, target, event["copied"] if event["copied"] != target else "")
        self.noted["copied"] += 1
