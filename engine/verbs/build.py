"""Building outside a Stall action: Charm, and the bonus stack of Winter is Coming."""

from __future__ import annotations

from collections.abc import Iterator

from engine import moves
from engine.announce import announce
from engine.copying import copies_on, identities
from engine.frames import BONUS_STACK_PROGRAM, Question, Step, Wrong
from engine.references import Choices, Reader, kind_in_game, kinds_of
from engine.stacks import Piece, next_stack, stack_faults
from engine.state import Frame, State
from engine.tables import SLUGS, WINTER_IS_COMING
from engine.types import EMPTY, JSON, SEATS, STACKS, Answer, Card, Seat, in_play_zone
from engine.values import Identity
from engine.verbs.look import ask_if_unlike


def lay_stack(g: State, seat: Seat, cards: tuple[Card, ...], winter: bool) -> None:
    """Add a finished stack to a stall; the eighth wins at once (R-END-01, R-END-02), Winter is Coming offers another.

    Another one, however many such cards it holds, and before a Charm goes on (SQU5B-1 to SQU5B-3).
    """
    g.stalls[seat].append(cards)
    number = len(g.stalls[seat])
    if number == STACKS:
        g.winner = seat
        stacks: dict[str, JSON] = {SEATS[one]: len(g.stalls[one]) for one in range(g.players)}
        moves.emit(g, "win", seat, stacks=stacks)
    elif winter:
        g.frames.append(Frame(BONUS_STACK_PROGRAM, seat, EMPTY))
        moves.emit(g, "bonus_stack", seat, number=number + 1)


def fitting(g: State, f: Frame) -> list[Identity]:
    """The identities of the revealed card that make a legal stack of it alone."""
    if not f.picked:
        return []
    card = f.picked[0]
    number = next_stack(g, f.actor)
    found = identities(g, f.actor, card)
    return [one for one in found if not stack_faults(g, [Piece(card, one)], [], number)]


class identity_to_build(Question):
    """As which copy a revealed chameleon is built (OCE4-6)."""

    field = "option"

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Each name once."""
        return [(kind,) for kind in dict.fromkeys(one.kind for one in fitting(g, f))]

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """The slug of one of them."""
        option = choices.get("option")
        if not isinstance(option, str):
            reader.blame("missing_required_choice", "OCE4-6", field="option")
            return None
        kind = kind_in_game(reader.g, option)
        if (kind,) not in self.options(reader.g, f):
            reader.blame("target_invalid", "OCE4-6", card=option)
            return None
        return (kind,)

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, or a card that it cannot be built as."""
        yield "missing_required_choice", {}
        fitting = self.options(g, f)
        for kind in kinds_of(g):
            if (kind,) not in fitting:
                yield "target_invalid", {"option": SLUGS[kind]}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `option`."""
        return {"option": SLUGS[answer[0]]}


class reveal_market_deck_top(Step):
    """Reveal the top card of the market deck to all (OCE4-1); it lies in play until it is built or thrown away."""

    def start(self, g: State, f: Frame) -> bool:
        """Nothing happens if no card exists."""
        card = moves.reveal_market_top(g)
        f.picked = [] if card == EMPTY else [card]
        for one in f.picked:
            g.zones[in_play_zone(f.actor)].append(one)
            moves.emit(g, "reveal", f.actor, card=moves.name(one), zone="market_deck")
        return True


class build_or_throw(ask_if_unlike):
    """Build the revealed card alone as the next stack if that is legal, else throw it away (OCE4-2 to OCE4-6)."""

    asks = "build_as"

    def __init__(self) -> None:
        self.question = identity_to_build()

    def start(self, g: State, f: Frame) -> bool:
        """No choice unless a chameleon fits in several ways."""
        if f.picked and not self.question.options(g, f):
            (card,) = f.picked
            g.zones[in_play_zone(f.actor)].remove(card)
            moves.throw(g, card)
            moves.emit(g, "throw_away", f.actor, cards=[moves.name(card)])
            return True
        return super().start(g, f)

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Build it."""
        (card,) = f.picked
        if copies_on(g, card):
            chosen = next(one for one in fitting(g, f) if one.kind == answer[0])
            if chosen.chain:
                announce(g, f.actor, card, chosen.chain)
        g.zones[in_play_zone(f.actor)].remove(card)
        moves.emit(g, "stall", f.actor, number=next_stack(g, f.actor), cards=[moves.name(card)])
        lay_stack(g, f.actor, (card,), answer[0] == WINTER_IS_COMING)
        return True


class offer_bonus_stack(Step):
    """Wait until the player builds another stack or skips (R-STL-13); turn.py carries out either."""

    def start(self, g: State, f: Frame) -> bool:
        """Always asked, also when only skipping is legal (contract section 1)."""
        return False
