"""The games of digests.json come out the same under the running Python; CONTRIBUTING says how to try another one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("digests.py")


@pytest.mark.rules("R-RND-01")
def test_every_game_has_the_digests_on_record() -> None:
    ran = subprocess.run([sys.executable, "-I", str(SCRIPT)], capture_output=True, text=True, check=False)
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "all agree" in ran.stdout
