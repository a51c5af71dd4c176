"""The draft before a tournament game: bans, picks, a last set drawn at random, and the deal (R-TRM-01).

The frame's actor is the start player, `count` says how many seats have had their say in the running phase, `seat` whose
say it is, `picked` which sets are banned. The sets picked are the sets in play so far.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from engine import moves, rng
from engine.deal import deal
from engine.frames import DRAFT_PROGRAM, Asking, Question, Step, Wrong
from engine.references import Choices, Reader
from engine.state import Frame, State
from engine.tables import SETS, SLUGS
from engine.types import EMPTY, JSON, JUNK, MARKET, SLOTS, Answer, Seat


def open_draft(g: State, first: Seat) -> None:
    """Begin the draft of a game that is not dealt; `first` is the start player."""
    g.zones[MARKET] = [EMPTY] * SLOTS
    g.turn = first
    g.frames.append(Frame(DRAFT_PROGRAM, first, EMPTY))


def in_draft(g: State) -> bool:
    """Whether bans or picks are being made."""
    return bool(g.frames) and g.frames[-1].program == DRAFT_PROGRAM


def banned_sets(g: State) -> list[int]:
    """The sets banned so far, in order."""
    return g.frames[-1].picked


def sets_left(g: State, f: Frame) -> list[int]:
    """The sets neither banned nor picked."""
    return [number for number in range(len(SETS)) if number not in f.picked and number not in g.sets]


class free_set(Question):
    """One set that is neither banned nor picked; mandatory."""

    field = "option"

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every such set."""
        return [(number,) for number in sets_left(g, f)]

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """The name of one of them."""
        option = choices.get("option")
        if not isinstance(option, str):
            reader.blame("missing_required_choice", "R-TRM-01", field="option")
            return None
        left = [SETS[number] for number in sets_left(reader.g, f)]
        if option not in left:
            reader.blame("target_invalid", "R-TRM-01", field="option", option=option, options=left)
            return None
        return (SETS.index(option),)

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, a set that is banned or picked already, or what is no set."""
        yield "missing_required_choice", {}
        left = sets_left(g, f)
        for number, slug in enumerate(SETS):
            if number not in left:
                yield "target_invalid", {"option": slug}
        yield "target_invalid", {"option": SLUGS[JUNK]}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `option`."""
        return {"option": SETS[answer[0]]}


class draft_phase(Asking):
    """Every seat names a set, in turn order; one that has forfeited is passed over."""

    def __init__(self) -> None:
        self.question = free_set()

    def chooser(self, f: Frame) -> Seat:
        """The seat whose say it is."""
        return f.seat

    def start(self, g: State, f: Frame) -> bool:
        """Done when all seats have had their say."""
        while f.count < g.players:
            seat = (f.actor + f.count) % g.players
            if not g.forfeited >> seat & 1:
                f.seat = g.turn = seat
                return False
            f.count += 1
        f.count = 0
        return True

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Note the set; `start` finds the next seat."""
        self.note(g, f, answer[0])
        moves.emit(g, self.asks, f.seat, set=SETS[answer[0]])
        f.count += 1
        return False

    @abstractmethod
    def note(self, g: State, f: Frame, number: int) -> None:
        """Put the set where it belongs."""


class ban_set(draft_phase):
    """The ban phase."""

    asks = "ban"

    def start(self, g: State, f: Frame) -> bool:
        """Skipped if too few sets exist for as many bans as picks and one set more."""
        return 2 * g.players + 1 > len(SETS) or super().start(g, f)

    def note(self, g: State, f: Frame, number: int) -> None:
        """The set is out of this game."""
        f.picked.append(number)


class pick_set(draft_phase):
    """The pick phase."""

    asks = "pick"

    def note(self, g: State, f: Frame, number: int) -> None:
        """The set is in play."""
        g.sets = (*g.sets, number)


class deal_sets(Step):
    """Draw the set that is missing, and what seats that have forfeited did not pick; deal; the start player begins."""

    def start(self, g: State, f: Frame) -> bool:
        """Set and deal come from the seed alone: forced outcomes are for what happens after the deal."""
        missing = g.players + 1 - len(g.sets)
        drawn = sorted(rng.sample(sets_left(g, f), missing, rng.stream(g.seed, rng.SETS, 0)))
        g.sets = tuple(sorted((*g.sets, *drawn)))
        forced, g.forced = g.forced, []
        deal(g)
        g.forced = forced
        g.turn = f.actor
        while g.forfeited >> g.turn & 1:
            g.turn = (g.turn + 1) % g.players
        in_play: list[JSON] = [SETS[number] for number in g.sets]
        moves.emit(g, "deal", g.turn, drawn=[SETS[number] for number in drawn], sets=in_play)
        return True
