"""A whole run at the paper's size: in-context, 2,488 items at its seven lengths in both forms (34,832 samples).

The items are the embedded ones under new ids, the filler the embedded one repeated (`in_context_contexts`), with the
answers of several dialogues put together to one, for ours have 42 tokens and those of published chats some hundreds
(`--together 1` leaves them short: several times the messages, and the CPU). The model is a reference model, which
answers at once and sends nothing. Plan, run, table and report go one after the other in a
process of their own, whose memory is looked at twice a second.

    python benchmarks/paper_scale.py [--items 72] [--lengths all] [--arms none] [--together 8] [--out FOLDER]

Printed: samples; for each phase wall seconds, CPU seconds, the most memory (MB, resident) and how it went by tenths of
its time; the size of the logs, the table and the report's page. 72 items are 1,008 samples, 286 are 4,004, 2,488 the
paper's 34,832; with our arms (`--arms never,placebo`) about twice as many.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.in_context.data.items import FillerDialogue
from forgetscope.benchmarks.in_context.data.loading import FILLER_FILE
from forgetscope.benchmarks.in_context.settings import InContextSettings

MODEL = "forgetscope/reference/perfect-forgetter"


class Memory:
    """What this process holds, by phase."""

    def __init__(self) -> None:
        self._seen: list[float] = []
        self.rows: list[dict[str, object]] = []
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            self._seen.append(self.now())
            time.sleep(0.5)

    def now(self) -> float:
        """Megabytes resident."""
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measure what happens inside."""
        self._seen, wall, cpu = [self.now()], time.perf_counter(), time.process_time()
        yield
        seen = [*self._seen, self.now()]
        tenths = [round(seen[place * (len(seen) - 1) // 10]) for place in range(11)]
        found = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
        self.rows.append({"phase": name, **found, "peak_mb": max(seen), "tenths_mb": tenths})
        print(json.dumps(self.rows[-1]), file=sys.stderr, flush=True)


def longer(dialogues: Iterable[FillerDialogue], together: int) -> Iterator[FillerDialogue]:
    """The dialogues with so many answers in the place of each: as many tokens in fewer turns."""
    left = iter(dialogues)
    while group := list(islice(left, together)):
        turns = []
        for place, turn in enumerate(group[0].turns):
            said = [other.turns[place].content for other in group if place < len(other.turns)]
            text = "\n\n".join(said) if turn.role == "assistant" else turn.content
            turns.append(turn.model_copy(update={"content": text}))
        yield group[0].model_copy(update={"turns": tuple(turns)})


def measure(data: str, lengths: str, arms: str, out: Path) -> None:
    """One run in this process; prints its figures as JSON."""
    from forgetscope.report import write_report
    from forgetscope.running.execute import start_run
    from forgetscope.running.finished import collect_run
    from forgetscope.running.manifest import Limits, ModelSpec

    warnings.filterwarnings("ignore", category=DeprecationWarning)
    memory = Memory()
    benchmark = get_benchmark("in-context")
    settings = InContextSettings.model_validate({"data": data, "lengths": lengths, "arms": arms, "probes": "none"})
    with memory.phase("plan"):
        plan = benchmark.plan(settings)
    with memory.phase("run, with its table"):
        finished = start_run(benchmark, settings, plan, ModelSpec(name=MODEL), Limits(), out, display="none")
    assert finished.is_complete
    with memory.phase("report"):
        write_report(finished)
    del finished
    with memory.phase("table again, from the logs"):
        collect_run(out)
    sizes = {
        "logs": sum(path.stat().st_size for path in (out / "logs").glob("*.eval")),
        "table": (out / "samples.parquet").stat().st_size,
        "page": (out / "report.html").stat().st_size,
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"samples": plan.samples, "phases": memory.rows, "bytes": sizes, "peak_mb": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=72)
    parser.add_argument("--filler-tokens", type=int, default=400_000)
    parser.add_argument("--lengths", default="all")
    parser.add_argument("--arms", default="none")
    parser.add_argument("--together", type=int, default=8)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--data")
    given = parser.parse_args()
    if given.data:
        measure(given.data, given.lengths, given.arms, given.out)
        return
    from in_context_contexts import many_fillers, write, write_lines

    with tempfile.TemporaryDirectory() as folder:
        data, out = Path(folder) / "data", given.out or Path(folder) / "run"
        data.mkdir()
        write(data, given.items, filler_tokens=0)
        write_lines(data / FILLER_FILE, longer(many_fillers(given.filler_tokens), given.together))
        command = [sys.executable, __file__, "--data", str(data), "--lengths", given.lengths, "--arms", given.arms]
        command += ["--out", str(out)]
        finished = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = json.loads(finished.stdout.splitlines()[-1])
    print(f"{found['samples']:,} samples, peak {found['peak_mb']:,.0f} MB")
    for row in found["phases"]:
        print(f"{row['phase']:28}{row['wall']:9.1f} s{row['cpu']:9.1f} CPU s{row['peak_mb']:9,.0f} MB at most", end="")
        print(", by tenths of its time", *row["tenths_mb"])
    print(", ".join(f"{name} {size / 1e6:,.1f} MB" for name, size in found["bytes"].items()))


if __name__ == "__main__":
    main()
