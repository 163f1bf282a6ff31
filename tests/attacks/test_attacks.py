"""Each attack in small; whole ones are `make attack`, a draw of them `make attack ATTACK=quick`, which print seeds."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "providers --only tool --samples 8",
        "moments --seed 1 --kills 3 --only prospective --disks=",
        "moments --seed 1 --kills 2 --only judged --disks=",
        "moments --seed 1 --kills 2 --only again --attacks kills",
        "disks --only report --sizes 8,40",
        "grids --seed 7 --kills 3",
        "received --only address",
        "planted_keys",
        "handed --draw 20 --seed 1",
    ],
)
def test_an_attack_loses_sends_and_shows_nothing(words: str) -> None:
    program, *options = words.split()
    if program == "disks" and os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", f"tests.attacks.{program}", *options],
        cwd=Path(__file__).parents[2],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    print(f"{words}: {time.monotonic() - began:.0f} s\n{done.stdout}")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
