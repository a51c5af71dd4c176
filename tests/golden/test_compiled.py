"""The engine compiled by mypyc plays the golden games move for move."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str, **environment: str) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_compiled_engine_plays_the_golden_games(tmp_path: Path) -> None:
    """Takes five to ten minutes, nearly all of it in the C compiler."""
    pip = (sys.executable, "-m", "pip", "-q")
    run(*pip, "wheel", "--no-deps", "-w", str(tmp_path / "wheel"), ".", DALE_COMPILE="1")
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    run(*pip, "install", "--no-deps", "--target", str(tmp_path / "site"), str(wheel))
    told = run(sys.executable, str(ROOT / "tests/golden/digests.py"), "--installed", PYTHONPATH=str(tmp_path / "site"))
    assert "engine compiled" in told
    assert "all agree" in told
