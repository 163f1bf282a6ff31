"""What a user is handed, made to hurt: `python -m tests.attacks.handed` gives each to its reader, in a process alone.

Adapters and GGUF files, adapters of PEFT and folders of weights, people in Parquet, logs of Inspect, shards, dialogues,
and servers that are asked one thing before a run. A row an attack: what came of it, seconds of CPU, megabytes at most.
An attack is met where the reader gives its value, or one line (`UserError`), within `SECONDS` and `MEGABYTES` more than
the process began with, and nothing planted was run, changed or told. Exit 1 where one is not.
"""

import argparse
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

from forgetscope.core.errors import UserError

SECONDS, MEGABYTES = 60, 2500
"""Of CPU, and of memory beyond what the process began with: the largest file of data that is taken has 2,000 MB."""

_FORKS = multiprocessing.get_context("forkserver")


def attacked(label: str) -> bool:
    """Whether an attack is met; prints its row."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="forgetscope-handed-") as folder:
        ours, theirs = _FORKS.Pipe()
        process = _FORKS.Process(target=_meet, args=(label, folder, theirs))
        process.start()
        theirs.close()
        process.join(10 * SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
        try:
            came, cpu, more = ours.recv() if ours.poll() else (f"died with {process.exitcode}", 0.0, 0.0)
        except EOFError:
            came, cpu, more = f"died with {process.exitcode}", 0.0, 0.0
    is_met = came.startswith(("refused", "read")) and cpu < SECONDS and more < MEGABYTES
    cells = [label, came[:150].replace("|", "/").replace("\n", " "), f"{cpu:.1f}", f"{more:.0f}"]
    print(f"| {' | '.join(cells)} | {time.monotonic() - began:.0f} |" + ("" if is_met else " **WRONG** |"), flush=True)
    return is_met


def _meet(label: str, folder: str, answer: Any) -> None:
    warnings.simplefilter("ignore")
    began, held = time.process_time(), _peak()
    place = Path(folder)
    (place / "planted").write_text("mine", encoding="utf-8")
    os.environ.update(XDG_CACHE_HOME=f"{folder}/cache", FORGETSCOPE_STATE=f"{folder}/state", PLANTED=f"{folder}/ran")
    os.chdir(place)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + 3 * MEGABYTES * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS))
    output = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(output, 1)
    os.dup2(output, 2)
    from tests.attacks.handed_over import ATTACKS

    try:
        came = f"read: {ATTACKS[label](place)!r:.100}"
    except UserError as error:
        came = f"refused: {error}" if "\n" not in str(error) else f"WRONG, in several lines: {error}"
    except BaseException as error:
        came = f"WRONG, {type(error).__name__}: {error}"
    if Path(os.environ["PLANTED"]).exists():
        came = "WRONG, code was run"
    if (place / "planted").read_text(encoding="utf-8") != "mine":
        came = "WRONG, a file outside was changed"
    answer.send((came, time.process_time() - began, _peak() - held))
    answer.close()
    os._exit(0)  # threads of libraries need not end


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Attack and print."""
    from tests.attacks import handed_over

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="attacks with this, or one of these, in their name: server,logs")
    parser.add_argument("--draw", type=int, help="so many of them, drawn by the seed")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    asked = parser.parse_args()
    labels = [label for label in handed_over.ATTACKS if any(part in label for part in asked.only.split(","))]
    if asked.draw is not None:
        print(f"seed {asked.seed}\n")
        labels = random.Random(asked.seed).sample(labels, min(asked.draw, len(labels)))
    handed_over.prepare()
    _FORKS.set_forkserver_preload(["tests.attacks.handed_over"])
    print("| attack | what came of it | CPU s | MB more | s |\n|---|---|--:|--:|--:|")
    fine = [attacked(label) for label in labels]
    shutil.rmtree(handed_over.PREPARED, ignore_errors=True)
    print(f"\n{len(fine)} attacks, {fine.count(False)} wrong")
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
