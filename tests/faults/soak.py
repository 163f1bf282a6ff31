"""A long run against a server that fails now and then: what is lost, asked for twice, and held in memory.

    python -m tests.faults.soak [--items 70]

Prospective, seven seeds, all conditions: 70 items are 37,037 samples. Of twenty prompts one meets a fault that passes:
429, 500, a connection cut, broken JSON, an empty list of choices. The server is a process of its own. Printed: samples,
requests sent, samples lost, seconds, and this process's memory (MB, resident) by tenths of the run.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.outcomes import Status
from forgetscope.running.execute import start_run
from forgetscope.running.manifest import Limits, ModelSpec
from tests.faults.server import Fault, FaultServer, Script
from tests.faults.table import MODEL

FAULTS = (Fault.RATE_LIMIT, Fault.SERVER_ERROR, Fault.CUT, Fault.INVALID_JSON, Fault.EMPTY_CHOICES)
PASSING = [Script(fault, 1) for fault in FAULTS] + [Script(Fault.NONE)] * 19 * len(FAULTS)
"""One prompt in twenty meets a fault once."""


def serve() -> None:
    """Serve until the input is closed; then say how many requests there were."""
    with FaultServer(PASSING) as server:
        print(server.url, flush=True)
        sys.stdin.read()
        print(server.requests.total(), flush=True)


def resident() -> float:
    """Megabytes this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def soak(items: int, folder: Path) -> None:
    """The run; prints what it found."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    settings = ProspectiveSettings(
        experiments="load", conditions="all", seeds=tuple(range(7)), limit=items, max_tokens=64
    )
    benchmark, seen = get_benchmark("prospective"), list[float]()

    def watch() -> None:
        while True:
            seen.append(resident())
            time.sleep(0.5)

    command = [sys.executable, "-m", "tests.faults.soak", "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        os.environ |= {"FAULTY_API_KEY": "not-a-secret", "FAULTY_BASE_URL": server.stdout.readline().strip()}
        plan, model = benchmark.plan(settings), ModelSpec(name=MODEL)
        threading.Thread(target=watch, daemon=True).start()
        began, limits = time.perf_counter(), Limits(max_connections=20, first_wait=0.05)
        finished = start_run(benchmark, settings, plan, model, limits, folder / "run", display="none")
        wall = time.perf_counter() - began
        server.stdin.close()
        requests = int(server.stdout.readline())
    lost = finished.table.filter(finished.table["status"] == Status.MODEL_ERROR.value).height
    print(
        f"{plan.samples:,} samples, {requests:,} requests, {lost} lost, {wall:.0f} s, {time.process_time():.0f} CPU s"
    )
    print(
        "MB by tenths:", *(round(seen[place * (len(seen) - 1) // 10]) for place in range(11)), "most", round(max(seen))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=70)
    parser.add_argument("--serve", action="store_true")
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    with tempfile.TemporaryDirectory() as folder:
        soak(given.items, Path(folder))


if __name__ == "__main__":
    main()
