"""The state as JSON and back; equal after a round trip, in the middle of an effect too."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from engine.errors import PositionError
from engine.state import Frame, State, blank_state
from engine.types import JSON

FORMAT: Final = 2
"""Version of the saved form."""


def state_to_json(g: State) -> dict[str, JSON]:
    """The whole state as plain JSON."""
    return {
        "format": FORMAT,
        "edition": g.edition,
        "players": g.players,
        "sets": list(g.sets),
        "seed": g.seed,
        "zones": [list(zone) for zone in g.zones],
        "stalls": [[list(stack) for stack in stall] for stall in g.stalls],
        "turn": g.turn,
        "rounds": list(g.rounds),
        "previous": g.previous,
        "phase": g.phase,
        "bonus": g.bonus,
        "alterations": [list(change) for change in g.alterations],
        "locks": [[card, [list(link) for link in chain], before] for card, chain, before in g.locks],
        "used": list(g.used),
        "counted": list(g.counted),
        "known": [[card, mask] for card, mask in sorted(g.known.items())],
        "limbo": _limbo(g),
        "frames": [frame.to_list() for frame in g.frames],
        "counters": list(g.counters),
        "forced": [[kind, _plain(outcome)] for kind, outcome in g.forced],
        "substitutes": g.substitutes,
        "forfeited": g.forfeited,
        "winner": g.winner,
        **({"gold": list(g.gold)} if g.gold else {}),
    }


def _limbo(g: State) -> list[JSON]:
    """Each card a seat has lost, as one number with the seat in its lowest two bits, and its class."""
    lost = [(card << 2 | seat, number) for seat, cards in enumerate(g.limbo) for card, number in cards.items()]
    return [[key, number] for key, number in sorted(lost)]


def _plain(outcome: Any) -> JSON:
    return list(outcome) if isinstance(outcome, list | tuple) else outcome


def state_from_json(data: Mapping[str, Any]) -> State:
    """The state a saved form stands for. Raises PositionError if it is of another version or damaged."""
    if data.get("format") != FORMAT:
        raise PositionError(f"a saved game of format {data.get('format')!r} cannot be read: format {FORMAT} is needed")
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise PositionError(f"a saved game is damaged: {type(error).__name__} at {error}") from None


def _read(data: Mapping[str, Any]) -> State:
    g = blank_state(data["edition"], data["players"], tuple(data["sets"]), data["seed"])
    g.zones = [list(zone) for zone in data["zones"]]
    g.stalls = [[tuple(stack) for stack in stall] for stall in data["stalls"]]
    g.turn = data["turn"]
    g.rounds = list(data["rounds"])
    g.previous = data["previous"]
    g.phase = data["phase"]
    g.bonus = data["bonus"]
    g.alterations = [(card, operation, amount) for card, operation, amount in data["alterations"]]
    g.locks = [(card, tuple((zone, target) for zone, target in chain), before) for card, chain, before in data["locks"]]
    g.used = list(data["used"])
    g.counted = list(data["counted"])
    g.known = {card: mask for card, mask in data["known"]}
    for key, number in data["limbo"]:
        g.limbo[key & 3][key >> 2] = number
    for program, at, actor, card, seat, count, picked in data["frames"]:
        frame = Frame(program, actor, card)
        frame.at, frame.seat, frame.count, frame.picked = at, seat, count, list(picked)
        g.frames.append(frame)
    g.counters = list(data["counters"])
    g.forced = [(kind, outcome) for kind, outcome in data["forced"]]
    g.substitutes = data["substitutes"]
    g.forfeited = data["forfeited"]
    g.winner = data["winner"]
    g.gold = tuple(data.get("gold", ()))
    return g


def state_digest(g: State) -> str:
    """Hex sha256 of the state's canonical JSON."""
    text = json.dumps(state_to_json(g), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
