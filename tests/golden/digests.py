"""The same games under every Python: `python3 tests/golden/digests.py` plays them again with the running one.

Needs nothing but the interpreter and this checkout; with `--installed` the engine of the interpreter's environment is
tried, compiled or not. digests.json holds a digest of every move with its events, and of the final state, of games
played by a fixed rule (no library's random numbers); a copy of the game is proposed each move and must end as the game
does. Exit code 1 if anything differs; with DALE_UPDATE_GOLDEN set the file is written anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path[:0] = [*([] if "--installed" in sys.argv else [str(HERE.parents[2])]), str(HERE.parents[1] / "properties")]

from editions import EDITIONS  # noqa: E402  # found only by the line above

from engine import COMPILED, SETS, Game  # noqa: E402  # likewise

GOLDEN = HERE.with_name("digests.json")
GAMES = 12
"""Games of each edition, with 2, 3 and 4 players in turn."""
LENGTH = 250
"""Decisions of a game at most."""


def chosen(game: Game, step: int, seed: int) -> Any:
    """An entry of the legal list, three times out of four one that is no Inventory action if there is any."""
    legal = game.legal
    place = (seed * 7919 + step * 104_729) % len(legal)
    if step % 4:
        others = [index for index, action in enumerate(legal) if game.proposal(action)["tool"] != "inventory"]
        place = others[place % len(others)] if others else place
    return legal[place]


def played(edition: str, seed: int) -> dict[str, Any]:
    """A game by the fixed rule: how many decisions it took, the digest of all its moves and of its last state."""
    players = 2 + seed % 3
    sets = [SETS[(seed + number) % len(SETS)] for number in range(players + 1)]
    game = Game.new(edition=edition, players=players, sets=sets, seed=seed)
    moves = hashlib.sha256()
    step = 0
    while game.decision is not None and step < LENGTH:
        seat = game.decision.seat
        action = chosen(game, step, seed)
        proposal, copy = game.proposal(action), game.clone()
        events = [event.to_json() for event in game.apply(action)]
        copy.propose(seat, proposal["tool"], proposal["arguments"])
        if copy.digest() != game.digest():
            raise SystemExit(f"{edition} {seed}, decision {step}: a copy that is checked ends elsewhere")
        moves.update(json.dumps([seat, proposal, events], separators=(",", ":")).encode())
        step += 1
    return {"decisions": step, "moves": moves.hexdigest(), "state": game.digest()}


def main() -> int:
    """Compare the games with the file, or write it."""
    started = time.perf_counter()
    games = {f"{edition} {seed}": played(edition, seed) for edition in EDITIONS for seed in range(GAMES)}
    if os.environ.get("DALE_UPDATE_GOLDEN"):
        GOLDEN.write_text(json.dumps(games, indent=1) + "\n", encoding="utf-8")
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    different = [name for name in {**golden, **games} if golden.get(name) != games.get(name)]
    for name in different:
        print(f"{name}: recorded {golden.get(name)}, here {games.get(name)}")
    python = f"{platform.python_implementation()} {platform.python_version()} on {sys.platform} {platform.machine()}"
    decisions = sum(game["decisions"] for game in games.values())
    verdict = f"{len(different)} differ" if different else "all agree"
    python += ", engine compiled" if COMPILED else ""
    print(f"{python}: {len(games)} games, {decisions} decisions, {time.perf_counter() - started:.1f} s: {verdict}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
