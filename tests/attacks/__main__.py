"""All attacks on whole runs, or a draw of them: `python -m tests.attacks [--minutes 10] [--seed 7]`, or `make attack`.

Without minutes every program runs whole, which takes two hours or more. With them attacks in small are drawn from every
program by a seed that is printed, one of each program in turn, until the minutes are over: the first round always ends.
The same seed draws the same attacks. Exit 1 where one went wrong.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from tests.attacks import disks, moments, received
from tests.faults.table import ALL

PROGRAMS = ("handed", "providers", "received", "disks", "moments", "planted_keys", "grids")


def drawn(chance: random.Random) -> Iterator[list[str]]:
    """Attacks without end: in each round one of every program."""
    while True:
        for program in PROGRAMS:
            if program != "disks" or os.geteuid() == 0:
                yield [program, *_in_small(program, chance)]


def _in_small(program: str, chance: random.Random) -> list[str]:
    seed = str(chance.randrange(10_000))
    match program:
        case "handed":
            return ["--draw", "12", "--seed", seed]
        case "providers":
            place = chance.randrange(len(ALL))
            return ["--in-turn", "--places", str(place), "--samples", "24"]
        case "received":
            return ["--only", chance.choice(list(received.CHANGES))]
        case "disks":
            return ["--only", chance.choice(list(disks.COMMANDS)), "--sizes", chance.choice(["4", "16", "64", "256"])]
        case "moments":
            kind, size = chance.choice(moments.KINDS), chance.choice(["24", "40", "64", "200"])
            only = chance.choice(list(moments.COMMANDS))
            return ["--seed", seed, "--kills", "3", "--only", only, "--attacks", kind, "--disks", size]
        case "grids":
            return ["--seed", seed, "--kills", "3"]
    return []


def ran(words: Sequence[str]) -> bool:
    """Whether a program with these words found nothing wrong."""
    program, *options = words
    print(f"\n== {program} {' '.join(options)}", flush=True)
    began = time.monotonic()
    code = subprocess.run([sys.executable, "-W", "ignore", "-m", f"tests.attacks.{program}", *options]).returncode
    print(f"== exit {code} after {time.monotonic() - began:.0f} s", flush=True)
    return code == 0


def main() -> None:
    """Attack, and say how many went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, help="a draw, in small; without it everything, whole")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    asked = parser.parse_args()
    if asked.minutes is None:
        found = [ran([program]) for program in PROGRAMS]
    else:
        print(f"seed {asked.seed}")
        found, until = [], time.monotonic() + 60 * asked.minutes
        for words in drawn(random.Random(asked.seed)):
            if time.monotonic() > until and len(found) >= len(PROGRAMS):
                break
            found.append(ran(words))
    print(f"\n{len(found)} attacks, {found.count(False)} wrong")
    sys.exit(1 if False in found else 0)


if __name__ == "__main__":
    main()
