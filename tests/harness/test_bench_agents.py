from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import bench_agents
from harness.bench_agents import Figures, measure
from harness.log import read_log
from harness.store import create_run


def test_many_games_at_once_lose_and_double_nothing() -> None:
    found = measure(games=12, delay=0.01, rounds=2)
    assert found.faults == ()
    assert found.games == 12
    assert found.turns > 12 * 2 * 2 - 1


@pytest.mark.parametrize("spoil", ["lost", "doubled", "cut", "game"])
def test_what_is_lost_or_doubled_is_found(tmp_path: Path, spoil: str) -> None:
    run = create_run(tmp_path, bench_agents._tournament("bench", 2, 1))
    answers, transport, _, _ = bench_agents._play(run, 0.0)
    folder = run.folder / "games"
    assert not list(bench_agents._faults(answers, transport, folder))
    path = sorted(folder.glob("*.jsonl"))[0]
    lines = path.read_text().splitlines(keepends=True)
    attempt = next(line for line in lines if json.loads(line)["record"] == "attempt")
    if spoil == "lost":
        path.write_text("".join(line for line in lines if line != attempt))
    elif spoil == "doubled":
        path.write_text("".join(line * (1 + (line == attempt)) for line in lines))
    elif spoil == "cut":
        path.write_text("".join(lines[:-1]))
        assert read_log(path).outcome is None
    else:
        path.unlink()
    (fault,) = bench_agents._faults(answers, transport, folder)
    assert fault.startswith(path.stem)


def test_a_missed_target_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    figures = Figures(
        1, 10, wall=2.6, ideal=2.0, cpu_per_turn=0.004, cpu_per_call=0.001, memory_per_game=3e6, faults=()
    )
    monkeypatch.setattr(bench_agents, "measure", lambda *given: figures)
    assert not bench_agents.run()
    assert capsys.readouterr().out.count("NO") == 2
    monkeypatch.setattr(bench_agents, "measure", lambda *given: figures._replace(wall=2.1, memory_per_game=None))
    assert bench_agents.run()
