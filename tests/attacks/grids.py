"""A grid of unlearning whose workers are killed at moments drawn by a seed: `python -m tests.attacks.grids`.

The samples of all cells must be those of an undisturbed grid, each cell finished once. A cell is given up after five
workers died on it, so no more are killed on one.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.locks import MAX_ATTEMPTS
from forgetscope.benchmarks.unlearning.grid.preparing import gather
from forgetscope.benchmarks.unlearning.grid.workers import run_local_workers, work
from tests.benchmarks.unlearning.small_grid import copy_grid, make_grid, small_settings


class Killer(threading.Thread):
    """Kills whoever holds a claim, a random while after the claim was made."""

    def __init__(self, grid: GridFolder, chance: random.Random, number: int) -> None:
        super().__init__(daemon=True)
        self._grid, self._chance, self._number = grid, chance, number
        self.killed: list[int] = []
        self._on: Counter[str] = Counter()

    def run(self) -> None:
        """Until so many are killed."""
        seen: set[Path] = set()
        until = time.monotonic() + 1200
        while len(self.killed) < self._number and time.monotonic() < until:
            for claim in sorted(set(self._grid.path.glob("cells/*/claim-*")) - seen):
                seen.add(claim)
                self._end(claim)
            time.sleep(0.02)

    def _end(self, claim: Path) -> None:
        time.sleep(self._chance.uniform(0, 1.5))
        if self._on[claim.parent.name] == MAX_ATTEMPTS - 1 or len(self.killed) == self._number:
            return
        try:
            owner = int(json.loads(claim.read_text(encoding="utf-8"))["pid"])
            os.kill(owner, signal.SIGKILL)
        except (OSError, ValueError, KeyError):
            return  # it had finished and let go
        self.killed.append(owner)
        self._on[claim.parent.name] += 1


def main() -> None:
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    parser.add_argument("--kills", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="forgetscope-grids-") as folder:
        settings = small_settings(methods=["ga", "npo", "simnpo"], formats=["raw", "pruned"])
        made = make_grid(Path(folder) / "made", settings)
        calm, grid = copy_grid(made, Path(folder) / "calm"), copy_grid(made, Path(folder) / "grid")
        work(calm.path)
        killer = Killer(grid, random.Random(asked.seed), asked.kills)
        killer.start()
        commands, progress = 1, run_local_workers(grid.path, workers=2)
        while progress.finished + progress.failed < progress.cells and commands < asked.kills:
            commands, progress = commands + 1, run_local_workers(grid.path, workers=2)  # as its user would
        ended, expected = gather(grid).samples, gather(calm).samples
        if ended is None or expected is None:
            raise RuntimeError("nothing finished")
        same = ended.drop("seconds").sort("sample_id").equals(expected.drop("seconds").sort("sample_id"))
        left = [path for path in grid.path.glob("cells/*/*") if path.name.startswith((".", "tmp"))]
    print(f"seed {asked.seed}\n\n| cells | finished | failed | kills | commands | samples | same | half-written |")
    print("|--:|--:|--:|--:|--:|--:|---|--:|")
    print(
        f"| {progress.cells} | {progress.finished} | {progress.failed} "
        f"| {len(killer.killed)} | {commands} | {expected.height} | {'yes' if same else 'NO'} | {len(left)} |"
    )
    sys.exit(0 if same and not left and progress.finished == progress.cells else 1)


if __name__ == "__main__":
    main()
