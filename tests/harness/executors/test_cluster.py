"""A run on a Ray cluster of two nodes has the logs of one played here."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.cli import run as dale
from harness.log import read_log
from harness.records import comparable

FILE = """
name = "run"
round_limit = 20
concurrency = 2
[schedule]
deals = 4
[[entrants]]
agent = "merchant"
[[entrants]]
agent = "sloppy:0.3"
"""

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
"""Ray's own warnings are not ours."""


@pytest.fixture(name="cluster")
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="needs the extra 'ray': pip install 'dale-arena[ray]'")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    yield ray
    ray.shutdown()
    cluster.shutdown()


def logs(folder: Path) -> dict[str, list[Any]]:
    return {path.name: [comparable(r) for r in read_log(path).records] for path in sorted(folder.glob("games/*.jsonl"))}


def test_both_nodes_play_and_the_games_of_a_worker_that_dies_go_to_others(
    cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len([node for node in cluster.nodes() if node["Alive"]]) == 2
    (tmp_path / "t.toml").write_text(FILE)
    file, folder = str(tmp_path / "t.toml"), tmp_path / "many" / "run"
    assert dale(["tournament", "run", file, "--results", str(tmp_path / "one")]) == 0
    killed: list[int] = []

    def kill() -> None:
        until = time.monotonic() + 120
        while time.monotonic() < until and not killed:
            found = [json.loads(path.read_bytes() or b"{}").get("pid") for path in folder.glob("workers/*.json")]
            pids = sorted({pid for pid in found if pid not in (None, os.getpid())})
            if pids and any(folder.glob("games/*.jsonl")):
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)
            time.sleep(0.005)

    killer = threading.Thread(target=kill)
    killer.start()
    capsys.readouterr()
    code = dale(["tournament", "run", file, "--results", str(tmp_path / "many"), "--executor", "ray"])
    killer.join()
    told = capsys.readouterr().out
    assert code == 0, told
    assert killed
    assert "the games it played go to others" in told
    assert "8 of 8 games are finished" in told
    assert logs(folder) == logs(tmp_path / "one" / "run")
