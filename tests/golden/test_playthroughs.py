"""Whole games as text, turn by turn, for a reader who knows the rulebook: golden/playthroughs/*.txt.

Every card is shown, hidden ones too. The files are written anew when DALE_UPDATE_GOLDEN is set, and compared byte for
byte otherwise; what differs is a change of the rules, of an agent or of a text, and is read before it is accepted.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

from engine import SETS, Game
from harness import render
from harness.agents.base import Agent, Answer, MatchSettings, Turn
from harness.agents.spec import create_agent, parse_spec
from harness.blobs import BlobStore
from harness.judging import apply_decision
from harness.log import GameLog, read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.prompts import runs
from harness.randomness import Draws
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord

FOLDER = Path(__file__).parent / "playthroughs"
AGAIN = "run again with DALE_UPDATE_GOLDEN=1 if the change is meant, and read the difference"


class Lively:
    """An agent for these games: draws the tool first, so that it plays many cards; Inventory only if nothing else."""

    spec = "lively"
    settings: ClassVar[dict[str, Any]] = {}

    async def choose(self, turn: Turn) -> Answer:
        """One of the tools that can be used, then one of its proposals, each equally likely."""
        by_tool: dict[str, list[Any]] = {}
        for proposal in turn.legal:
            by_tool.setdefault(proposal["tool"], []).append(proposal)
        if len(by_tool) > 1:
            by_tool.pop("inventory", None)
        draws = Draws(*turn.key)
        return Answer(proposal=draws.choice(by_tool[draws.choice(sorted(by_tool))]))

    async def close(self) -> None:
        """Nothing to give back."""


class Table(NamedTuple):
    """One game: agents in seat order, sets (none: they are drafted), seed and the most turns a seat takes."""

    agents: str
    sets: str
    seed: int
    rounds: int = 40
    edition: str = "classic"
    variant: str = "standard"


GAMES = {
    "01_two_merchants": Table("merchant merchant", "macaws pandas raccoons", 1),
    "02_two_merchants": Table("merchant merchant", "squirrels ocelots chameleons", 2),
    "03_merchant_and_random": Table("merchant random", "macaws squirrels chameleons", 3),
    "04_merchant_and_lively": Table("merchant lively", "pandas raccoons ocelots", 4),
    "05_merchant_and_sloppy": Table("merchant sloppy:0.3", "pandas squirrels ocelots", 5, 12),
    "06_two_lively": Table("lively lively", "macaws ocelots chameleons", 6, 16),
    "07_two_lively": Table("lively lively", "pandas raccoons squirrels", 7, 16),
    "08_three_merchants": Table("merchant merchant merchant", "macaws pandas squirrels chameleons", 8),
    "09_three_lively": Table("lively lively lively", "macaws raccoons squirrels ocelots", 9, 9),
    "10_merchant_lively_random": Table("merchant lively random", "pandas raccoons ocelots chameleons", 10, 12),
    "11_merchants_and_lively": Table(
        "merchant lively merchant lively", "macaws raccoons squirrels ocelots chameleons", 11, 8
    ),
    "12_four_lively": Table("lively lively lively lively", "macaws pandas raccoons ocelots chameleons", 12, 6),
    "13_remastered_two_lively": Table("lively lively", "macaws pandas chameleons", 33, 16, "remastered"),
    "14_remastered_merchant_and_lively": Table("merchant lively", "raccoons ocelots chameleons", 14, 14, "remastered"),
    "15_remastered_merchants_and_lively": Table(
        "merchant lively merchant", "macaws pandas squirrels chameleons", 15, 12, "remastered"
    ),
    "16_remastered_four": Table(
        "lively merchant lively lively", "pandas raccoons squirrels ocelots chameleons", 16, 7, "remastered"
    ),
    "17_tournament_with_a_draft": Table("merchant lively", "", 17, 12, variant="tournament"),
}


def seated(spec: str) -> Agent:
    """The agent of a spec, Lively among them."""
    return Lively() if spec == Lively.spec else create_agent(parse_spec(spec))


def played(name: str, table: Table, folder: Path) -> GameLog:
    """The log of the game, played in a folder."""
    agents = {seat: seated(spec) for seat, spec in zip("ABCD", table.agents.split(), strict=False)}
    plan = MatchPlan(
        run="playthroughs",
        run_seed=table.seed,
        game=name,
        deal=1,
        line_up=1,
        rotation=0,
        edition=table.edition,  # type: ignore[arg-type]  # one of the two
        variant=table.variant,  # type: ignore[arg-type]  # likewise
        sets=tuple(table.sets.split()) or None,
        seed=table.seed,
        seats={seat: agent.spec for seat, agent in agents.items()},
        settings=MatchSettings(round_limit=table.rounds),
    )
    path = folder / "game.jsonl"
    asyncio.run(play(plan, agents, path, BlobStore(folder / "blobs")))
    return read_log(path)


def told(log: GameLog) -> Iterator[str]:
    """The game line by line."""
    header = log.header
    sets = header.sets or None
    game = Game.new(header.players, sets, header.seed, header.edition, variant=header.variant)
    variant = "" if header.variant == "standard" else f" {header.variant} variant,"
    yield f"Dale of Merchants, {header.edition} edition,{variant} {header.players} players, seed {header.seed}"
    yield f"Sets: {', '.join(header.sets) or 'drafted'}"
    yield f"Seats: {', '.join(f'{seat} {who.agent}' for seat, who in header.seats.items())}"
    yield f"Unfinished after {header.round_limit} rounds"
    yield "Market from slot_0 on, each card with its cost; decks from the top, discard piles from the bottom."
    turn = ""
    for record in log.records[1:]:
        if isinstance(record, OutcomeRecord):
            yield from ending(game, record)
            continue
        assert game.decision is not None
        if isinstance(record, AttemptRecord):
            if record.result != "accepted":
                seen: Any = game.observe(record.seat)
                stated = render.proposal(record.proposal, seen) if record.proposal else record.stated
                yield f"  {record.seat} tries to {stated} [{record.code}: {' '.join(record.violations[0].rules)}]"
            continue
        assert isinstance(record, DecisionRecord)
        now = f"{game.observe(record.seat)['turn']}, round {game.round}"
        if now != turn:
            turn = now
            yield from standing(game, now)
        yield from decided(game, record)
        apply_decision(game, record)


def standing(game: Game, title: str) -> Iterator[str]:
    """The table when a turn begins."""
    zones: Any = game.position()
    seat = title[0]
    seen: Any = game.observe(seat)
    slots = [f"{slot['card']} {slot['cost']}" if slot else "-" for slot in seen["market"]]
    yield f"\n== {title}"
    yield f"Market: {', '.join(slots)}; deck {len(zones['market_deck'])}; discard: {cards(zones['market_discard'])}"
    yield f"Junk pile {zones['junk_pile']}. Stacks: {'; '.join(f'{one} {stall(zones[one])}' for one in game.seats)}"
    hand = [f"{card['card']} {card['value']}" for card in seen["hand"]]
    yield f"{seat} holds: {cards(hand)}"
    yield f"{seat} deck: {cards(zones[seat]['deck'])}"
    yield f"{seat} discard: {cards(zones[seat]['discard'])}"
    if "gold" in seen["seats"][seat]:
        gold = [f"{one} {seen['seats'][one]['gold']}" for one in game.seats]
        yield f"Gold: {', '.join(gold)}"


def decided(game: Game, record: DecisionRecord) -> Iterator[str]:
    """What the seat proposed, and every event."""
    asked = record.asks or record.kind.replace("_", " ")
    what = f"{'bonus ' * record.bonus}{asked}{f' of {record.card}' if record.card else ''}"
    line = render.proposal(record.proposal, dict(game.observe(record.seat))) if record.proposal else record.by
    drawn = "" if record.by == "agent" else f" ({record.by})"
    yield f"{record.number}. {record.seat}, {what}: {line}{drawn}"
    for event in record.events:
        if event["type"] == "turn":  # the next heading says so
            continue
        seen_by = f" [seen by {' '.join(event['known_to'])}]" if "known_to" in event else ""
        yield f"   - {render.event(event)}{seen_by}"


def ending(game: Game, outcome: OutcomeRecord) -> Iterator[str]:
    """The table when all is over."""
    zones: Any = game.position()
    yield f"\n== The end: {outcome.reason.replace('_', ' ')}, winner {outcome.winner or 'none'}"
    for seat in game.seats:
        held = [*zones[seat]["hand"], *zones[seat]["deck"], *zones[seat]["discard"]]
        yield f"{seat}: {game.stacks[seat]} stacks, {stall(zones[seat])}"
        yield f"   {len(held)} cards: {cards(sorted(held))}"
    yield f"Market discard: {cards(zones['market_discard'])}; junk pile {zones['junk_pile']}"


def cards(names: list[str]) -> str:
    """Cards, neighbouring alike ones taken together."""
    return ", ".join(runs(names)) or "none"


def stall(zones: Mapping[str, Any]) -> str:
    """The stacks of a seat."""
    stacks = [f"{number}={'+'.join(stack)}" for number, stack in enumerate(zones["stall"], 1)]
    return " ".join(stacks) or "none"


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_and_told_as_before(name: str, tmp_path: Path) -> None:
    text = "\n".join(told(played(name, GAMES[name], tmp_path))) + "\n"
    path = FOLDER / f"{name}.txt"
    if os.environ.get("DALE_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), AGAIN
    assert path.read_text(encoding="utf-8") == text, AGAIN


def test_the_games_are_these_and_use_every_set() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*")) == sorted(GAMES)
    assert {name for table in GAMES.values() for name in table.sets.split()} == set(SETS)
