"""Every fault of a provider, 200 samples of each sample benchmark a fault: `python -m tests.attacks.providers`.

A row a fault and benchmark: samples planned, lost (must be 0), what became of them, calls planned, requests the server
saw, most for one prompt, the exit code the command would have. It exits 1 where a sample was lost or a prompt was sent
more often than retries allow.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from forgetscope.benchmarks import get_benchmark
from tests.faults.server import FaultServer, Script
from tests.faults.table import ALL, HANGING, IMPATIENT, Outcome, run_against

SIZED: dict[str, Mapping[str, object]] = {
    "in-context": {"limit": 25},
    "visual": {
        "limit": 1,
        "orders": 2,
        "conditions": "paper",
        "probes": "choice",
        "controls": "none",
        "eligibility": 1,
    },
    "prospective": {"limit": 40, "loads": "mmlu", "seeds": (42,), "experiments": "load"},
}
"""Settings with which a benchmark sends 200 to 250 samples."""


def main() -> None:
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="faults with this in their name")
    parser.add_argument("--places", default="0-999", help="only the faults at these places in the table: 3,15-32")
    parser.add_argument("--benchmarks", default=",".join(SIZED))
    parser.add_argument("--in-turn", action="store_true", help="each fault in one benchmark, in turn")
    parser.add_argument("--samples", type=int, help="about so many a fault, for a first look")
    asked = parser.parse_args()
    print("| fault | benchmark | planned | lost | statuses | calls | requests | most a prompt | exit | seconds |")
    print("|---|---|--:|--:|---|--:|--:|--:|--:|--:|")
    wrong, rows, began = 0, 0, time.monotonic()
    places = {place for part in asked.places.split(",") for place in _between(*part.split("-"))}
    for place, script in enumerate(ALL):
        if place not in places or asked.only not in script.label:
            continue
        names = asked.benchmarks.split(",")
        for name in [names[place % len(names)]] if asked.in_turn else names:
            wrong += not _attack(script, name, asked.samples)
            rows += 1
    print(f"\n{rows} rows in {(time.monotonic() - began) / 60:.0f} min, {wrong} wrong")
    sys.exit(1 if wrong else 0)


def _between(first: str, last: str = "") -> range:
    return range(int(first), int(last or first) + 1)


def _attack(script: Script, name: str, samples: int | None) -> bool:
    chosen = dict(SIZED[name])
    if samples is not None:
        chosen["limit"] = max(1, int(str(chosen["limit"])) * samples // 200)
    benchmark = get_benchmark(name)
    calls = benchmark.plan(benchmark.settings.model_validate(chosen)).calls
    # Where nothing hangs, time is only lost to other work on this machine, for which nobody is to be asked twice.
    more = {"max_connections": 100, "give_up_after": 100_000, "attempt_timeout": 6 if script in HANGING else 600}
    limits = IMPATIENT.model_copy(update=more)
    server = FaultServer([script], answer=(lambda _: "The answer is 1.") if name == "visual" else None)
    with tempfile.TemporaryDirectory(prefix="forgetscope-attack-") as folder, server:
        outcome = run_against(
            server, Path(folder) / "run", limit=int(str(chosen.pop("limit"))), limits=limits, name=name, chosen=chosen
        )
    allowed = ALL[script].requests
    most = max(outcome.requests.values(), default=0)
    # A prompt that two samples share may be asked for by each of them.
    shared = calls - len(outcome.requests) if outcome.requests else 0
    sound = outcome.lost == 0 and sum(outcome.requests.values()) <= calls * allowed
    print(_row(script, name, outcome, calls, most) + ("" if sound else " **WRONG** |"), flush=True)
    return sound and (most <= allowed or shared > 0)


def _row(script: Script, name: str, outcome: Outcome, calls: int, most: int) -> str:
    table = outcome.finished.table
    statuses = ", ".join(f"{count} {status}" for status, count in sorted(Counter(table["status"]).items()))
    cells = [script.label, name, outcome.finished.manifest.planned_samples, outcome.lost, statuses, calls]
    cells += [sum(outcome.requests.values()), most, 0 if outcome.finished.is_complete else 1, f"{outcome.seconds:.0f}"]
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
