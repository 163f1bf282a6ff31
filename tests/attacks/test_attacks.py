"""Each attack in small; whole ones are `make attack`. Seeds are printed by the programs and kept here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "providers --only tool --samples 8",
        "moments --seed 1 --kills 3 --only prospective --disks=",
        "moments --seed 1 --kills 2 --only judged --disks=",
        "grids --seed 7 --kills 3",
        "received --only address",
        "planted_keys",
    ],
)
def test_an_attack_loses_sends_and_shows_nothing(words: str) -> None:
    program, *options = words.split()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", f"tests.attacks.{program}", *options],
        cwd=Path(__file__).parents[2],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
