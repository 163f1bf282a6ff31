"""`make fuzz`: damaged files, run folders and provider replies, for so many minutes; a fault with its seed.

python -m tests.fuzz [--minutes 5] [--seed N] [--count N] [--only NAME]
"""

import argparse
import itertools
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.attack import Account, attack
from tests.fuzz.folders import attack_folders
from tests.fuzz.providers import attack_normaliser
from tests.fuzz.targets import make_run, targets


def main() -> int:
    """Print what came of them; exit 1 where there is a fault."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz")
    asked.add_argument("--minutes", type=float, default=5.0)
    asked.add_argument("--seed", type=int, default=None, help="the first; without one, another each time")
    asked.add_argument("--count", type=int, default=None)
    asked.add_argument("--only", default="", help="part of a target's name")
    given = asked.parse_args()
    first = random.SystemRandom().randrange(10**9) if given.seed is None else given.seed
    print(f"seeds from {first}", flush=True)
    account = Account()
    with tempfile.TemporaryDirectory(prefix="forgetscope-fuzz-") as name:
        chosen = [target for target in targets(Path(name) / "made") if given.only in target.name]
        part = 0.0 if given.only else given.minutes / 5
        attack_normaliser(Path(name), within(first, part, 20_000), account)
        attack_folders(make_run(Path(name) / "whole"), Path(name), within(first, part, 200), account)
        attack(chosen, Path(name), within(first, given.minutes - 2 * part, given.count), account)
    print(account)
    return 1 if account.broken else 0


def within(first: int, minutes: float, count: int | None) -> Iterator[int]:
    """Seeds until the time is over, or so many."""
    ends = time.monotonic() + 60 * minutes
    for seed in itertools.islice(itertools.count(first), count):
        if time.monotonic() > ends:
            return
        yield seed


if __name__ == "__main__":
    sys.exit(main())
