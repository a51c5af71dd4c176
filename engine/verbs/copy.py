"""Copying of the remastered chameleons: what each of them copies, chosen when its ability is used (R-CPR-01 to 06)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine import chance, knowledge, moves
from engine.announce import announce_copy
from engine.frames import Question, Step, Wrong, distinct
from engine.moves import name
from engine.references import Choices, Reader, copy_name, first_of_each, of_kind, split_name, strangers
from engine.state import COPY, SET, Frame, State
from engine.tables import SLUGS
from engine.types import EMPTY, JSON, JUNK, SEATS, Answer, Card, Seat
from engine.values import plain
from engine.verbs.asking import listed, opponents_of
from engine.verbs.look import SHOWN, ask_if_unlike, looked_card
from engine.verbs.players import opponent
from engine.verbs.questions import market_card
from engine.verbs.sources import FROM_DECK, pile_of_opponent
from engine.verbs.spelling import spell_hand
from engine.verbs.wrong import no_seat, too_many_cards, wrong_hand_cards

MOST_SHOWN: Final = 2
"""How many cards Sound Detectors look at (CHA4r-1)."""
YES: Final = 1
NO: Final = 0


def become(g: State, seat: Seat, card: Card, target: Card) -> None:
    """From now on the card is a copy of the target as it is now, until it leaves the hand (R-CPR-02, CHA-r-1).

    Its earlier alterations are lost; it has the target's value, and its ability is used if the target's is (R-CPR-03),
    so that a copied chameleon may copy on (R-CPR-04).
    """
    one = plain(g, target)
    g.alterations = [change for change in g.alterations if change[0] != card]
    g.alterations += [(card, COPY, one.kind), (card, SET, one.value)]
    if not one.used:
        g.used.remove(card)
    announce_copy(g, seat, card, target, one)


class own_stack_card(Question):
    """A card of the own rightmost stack (CHA1r-1)."""

    field = "stack"

    def options(self, g: State, f: Frame) -> list[Answer]:
        """One of each name."""
        stall = g.stalls[f.actor]
        if not stall:
            return []
        return [(f.actor, len(stall), card) for card in first_of_each(stall[-1])]

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """The own seat, the number of the highest stack and a card in it."""
        stack = choices.get("stack")
        if not isinstance(stack, dict):
            reader.blame("missing_required_choice", "CHA1r-1", field="stack")
            return None
        g = reader.g
        kind = reader.kind(stack["card"])
        if stack["seat"] not in list(SEATS[: g.players]):
            reader.blame("target_unknown_player", "CHA1r-1", seat=stack["seat"])
            return None
        if kind < 0:
            return None
        stall = g.stalls[f.actor]
        number = split_name(stack["card"])[1]
        copies = of_kind(stall[-1], kind)
        own = stack["seat"] == SEATS[f.actor] and stack["number"] == len(stall)
        if not own or len(copies) < max(1, number):
            seat, place, target = stack["seat"], stack["number"], stack["card"]
            reader.blame("copy_target_invalid", "CHA1r-1", card=name(f.card), target=target, number=place, seat=seat)
            return None
        return (f.actor, len(stall), copies[0])

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, a player there is not, other stacks than the own rightmost one, cards that are not in it."""
        yield "missing_required_choice", {}
        built = len(g.stalls[f.actor])
        junk = SLUGS[JUNK]
        yield "target_unknown_player", {"stack": {"seat": no_seat(g), "number": built, "card": junk}}
        for slug in strangers(g):
            yield "unknown_card", {"stack": {"seat": SEATS[f.actor], "number": built, "card": slug}}
        for seat in opponents_of(g, f):
            yield "copy_target_invalid", {"stack": {"seat": SEATS[seat], "number": built, "card": junk}}
        for number in range(built + 1, 0, -1):
            yield "copy_target_invalid", {"stack": {"seat": SEATS[f.actor], "number": number, "card": name(f.card)}}

    def keep(self, f: Frame, answer: Answer) -> None:
        """The card."""
        f.picked = [answer[2]]

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `stack`."""
        return {"stack": {"seat": SEATS[answer[0]], "number": answer[1], "card": name(answer[2])}}


class other_hand_card(Question):
    """Another card of the own hand (CHA5Br-1)."""

    field = "cards"
    from_hand = True

    def options(self, g: State, f: Frame) -> list[Answer]:
        """One of each group of alike cards."""
        return [(card,) for card in distinct(g, [card for card in g.hand(f.actor) if card != f.card])]

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Exactly one name of the hand that does not mean the copying card itself."""
        wanted = listed(choices, "cards")
        if not wanted:
            reader.blame("missing_required_choice", "CHA5Br-1", field="cards")
            return None
        cards = reader.cards(reader.g.hand(f.actor), wanted, "hand", reserved=[f.card])
        if len(wanted) > 1:
            reader.blame("too_many_targets", "CHA5Br-1", field="cards", given=len(wanted), most=1)
        if f.card in cards:
            reader.blame("copy_target_invalid", "CHA5Br-1", card=name(f.card), target=name(f.card))
            return None
        return tuple(cards) if len(cards) == 1 == len(wanted) else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, the copying card itself, cards that are not there, or two of them."""
        yield "missing_required_choice", {}
        yield "copy_target_invalid", {"cards": [copy_name(g.hand(f.actor), f.card)]}
        yield from wrong_hand_cards(g, f)
        yield from too_many_cards(g, f)

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `cards`."""
        return {"cards": spell_hand(g, f.actor, answer, without=f.card)}


class card_in_market(market_card):
    """A card of the market to copy; its surcharge is irrelevant, so that alike cards are one target (CHA5Ar-1)."""

    def options(self, g: State, f: Frame) -> list[Answer]:
        """The first slot of each group of alike cards."""
        return [(g.market.index(card),) for card in distinct(g, [card for card in g.market if card != EMPTY])]

    def count(self, g: State, f: Frame) -> int:
        """As many as there are groups."""
        return len(self.options(g, f))


class pile_to_copy(pile_of_opponent):
    """Another player, and whether a card of that deck is discarded before the top of the discard pile is copied."""

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every deck, and of the discard piles with alike cards on top the first: they are one target (CHA2r-1)."""
        tops = distinct(g, [g.discard(seat)[-1] for seat in opponents_of(g, f) if g.discard(seat)])
        return [
            (seat, source)
            for seat, source in super().options(g, f)
            if source == FROM_DECK or g.discard(seat)[-1] in tops
        ]


class throw_first(Question):
    """Whether the top card of the market deck is thrown away before the top of the market discard is copied (CHA3r-1).

    The pile named must hold a card: behind the market deck stands the market discard, which is reshuffled.
    """

    field = "option"

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Yes if there is a card to throw away, no if there is one to copy already."""
        return [(answer,) for answer in (NO, YES) if self._possible(g, answer)]

    def _possible(self, g: State, answer: int) -> bool:
        return bool(g.market_discard) or (answer == YES and bool(g.market_deck))

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Yes or no."""
        option = choices.get("option")
        if not isinstance(option, str):
            reader.blame("missing_required_choice", "CHA3r-1", field="option")
            return None
        if option not in _YES_NO:
            reader.blame("target_invalid", "CHA3r-1", field="option", given=option, options=list(_YES_NO))
            return None
        answer = _YES_NO.index(option)
        if not self._possible(reader.g, answer):
            reader.blame("ability_no_effect", "CHA3r-1", card=name(f.card), option=option)
            return None
        return (answer,)

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, another word, or a pile without a card."""
        yield "missing_required_choice", {}
        yield "target_invalid", {"option": SLUGS[JUNK]}
        for option in _YES_NO:
            yield "ability_no_effect", {"option": option}

    def keep(self, f: Frame, answer: Answer) -> None:
        """As the frame's count."""
        f.count = answer[0]

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `option`."""
        return {"option": _YES_NO[answer[0]]}


_YES_NO: Final = ("no", "yes")


class holder(opponent):
    """One other player who holds a card (CHA4r-1)."""

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every other seat with a card in hand."""
        return [one for one in super().options(g, f) if g.hand(one[0])]

    def settled(self, others: int, players: int) -> int:
        """It depends on the other hands."""
        return -1

    def count(self, g: State, f: Frame) -> int:
        """As many as there are such seats."""
        return len(self.options(g, f))

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Exactly one seat letter, and that hand must not be empty."""
        answer = super().read(reader, f, choices)
        if answer is not None and not reader.g.hand(answer[0]):
            reader.blame("ability_no_effect", "CHA4r-1", card=name(f.card), seat=SEATS[answer[0]])
            return None
        return answer

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """As for any player, and those with an empty hand."""
        yield from super().wrong(g, f)
        for seat in opponents_of(g, f):
            if not g.hand(seat):
                yield "ability_no_effect", {"opponents": [SEATS[seat]]}

    def stray(self, reader: Reader, f: Frame, field: str, choices: Choices) -> str:
        """Naming the card that chance should pick."""
        return "random_choice_required" if field == "cards" else "superfluous_choice"


class copy_chosen(Step):
    """Copy the chosen card of the own stack or hand (CHA1r-1, CHA5Br-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """It stays where it is."""
        (target,) = f.picked
        become(g, f.actor, f.card, target)
        return True


class copy_in_slot(Step):
    """Copy the card in the chosen market slot; its surcharge is irrelevant (CHA5Ar-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """It stays where it is."""
        (slot,) = f.picked
        become(g, f.actor, f.card, g.market[slot])
        return True


class copy_discarded(Step):
    """Discard the top card of the chosen player's deck if so chosen; copy the top of that discard pile (CHA2r-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """The card discarded is public."""
        if f.count == FROM_DECK:
            moves.supply(g, f.seat, 1)
            card = moves.reveal_deck_top(g, f.seat)
            moves.lay_off(g, f.seat, card)
            moves.emit(g, "discard", f.seat, cards=[name(card)])
        become(g, f.actor, f.card, g.discard(f.seat)[-1])
        return True


class copy_thrown_away(Step):
    """Throw away the top card of the market deck and copy it, or copy the top of the market discard (CHA3r-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """The card thrown away is public; junk, which a position may have there, goes to the junk pile (R-JNK-05)."""
        if f.count == YES:
            card = moves.reveal_market_top(g)
            moves.throw(g, card)
            moves.emit(g, "throw_away", f.actor, cards=[name(card)])
        else:
            card = g.market_discard[-1]
        become(g, f.actor, f.card, card)
        return True


class look_at_hand(Step):
    """Look at two random cards of the chosen player's hand, one if it holds one only (CHA4r-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """The two players know which cards they are, nobody else does; they stay in that hand."""
        hand = g.hand(f.seat)
        f.picked = chance.pick(g, hand, min(MOST_SHOWN, len(hand)))
        knowledge.show_to(g, f.actor, f.seat, f.picked)
        secret: dict[str, JSON] = {"cards": moves.names(f.picked)}
        knows = 1 << f.actor | 1 << f.seat
        moves.emit_private(g, "look", f.actor, knows, secret, zone=f"hand_{SEATS[f.seat]}", count=len(f.picked))
        return True


class copy_shown(ask_if_unlike):
    """Copy one of the cards looked at; it becomes public, the other does not (CHA4r-1)."""

    asks = "copy"

    def __init__(self) -> None:
        self.question = looked_card(SHOWN, "CHA4r-1")

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Everybody learns that this card is in that hand."""
        (target,) = answer
        knowledge.show_in_hand(g, f.seat, target)
        become(g, f.actor, f.card, target)
        return True
