"""What a run costs beside the model: CPU a sample and peak memory, with a model that answers at once.

Each variant runs in a process of its own, one after the other:

    inspect    the same prompts through a bare Inspect task (no scorer of ours, no journal)
    scoring    our scoring of the same replies alone, without Inspect
    forgetscope run    everything: journal, scoring, log, sample table, manifest

    python benchmarks/harness_overhead.py [--samples 5000]
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.prospective.data.items import ProspectiveSample
from forgetscope.benchmarks.prospective.plan import build_samples, cached_data
from forgetscope.benchmarks.prospective.scoring.row import messages, score_sample
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.benchmarks.prospective.validation.reference import publish_answer_key, respond
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Completion

MODEL = "careless"


def settings_for(samples: int) -> ProspectiveSettings:
    """The smallest limit whose plan has this many samples."""
    limit = 1
    while True:
        settings = ProspectiveSettings(conditions="all", experiments="load", limit=limit)
        if limit == 90 or len(build_samples(settings, cached_data("embedded"))) >= samples:
            return settings
        limit += 1


def inspect_alone(samples: list[ProspectiveSample]) -> None:
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate

    publish_answer_key(samples)
    dataset = [
        Sample(
            id=sample.sample_id,
            input=[ChatMessageSystem(content=messages(sample)[0]["content"]), ChatMessageUser(content=sample.prompt)],
            target="a",
        )
        for sample in samples
    ]
    with tempfile.TemporaryDirectory() as folder:
        (log,) = inspect_eval(
            Task(dataset=MemoryDataset(dataset), solver=generate(), scorer=includes(), name="overhead"),
            model=f"forgetscope/reference/{MODEL}",
            log_dir=folder,
            log_realtime=False,
            display="none",
        )
        assert log.status == "success", log.error


def scoring_alone(samples: list[ProspectiveSample]) -> None:
    publish_answer_key(samples)
    for sample in samples:
        reply = respond(MODEL, sample.prompt)
        assert reply is not None
        score_sample(sample, Completion(reply, FinishReason.STOP), model=MODEL)


def whole_run(settings: ProspectiveSettings) -> None:
    from forgetscope.running.execute import start_run
    from forgetscope.running.manifest import Limits, ModelSpec

    benchmark = get_benchmark("prospective")
    with tempfile.TemporaryDirectory() as folder:
        finished = start_run(
            benchmark,
            settings,
            benchmark.plan(settings),
            ModelSpec(name=f"forgetscope/reference/{MODEL}"),
            Limits(),
            Path(folder) / "run",
            display="none",
        )
        assert finished.is_complete


def measure(variant: str, wanted: int) -> None:
    """Run one variant in this process and print its figures as JSON."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    settings = settings_for(wanted)
    samples = build_samples(settings, cached_data("embedded"))
    variants: dict[str, Callable[[], None]] = {
        "inspect": lambda: inspect_alone(samples),
        "scoring": lambda: scoring_alone(samples),
        "forgetscope run": lambda: whole_run(settings),
    }
    begin, cpu = time.perf_counter(), time.process_time()
    variants[variant]()
    spent, cpu = time.perf_counter() - begin, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            {
                "variant": variant,
                "samples": len(samples),
                "cpu_ms": 1000 * cpu / len(samples),
                "seconds": spent,
                "peak_mb": peak,
            }
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=5000)
    parser.add_argument("--variant")
    given = parser.parse_args()
    if given.variant:
        measure(given.variant, given.samples)
        return
    print(f"{'variant':18} {'samples':>8} {'CPU ms/sample':>14} {'seconds':>9} {'peak MB':>9}")
    for variant in ("inspect", "scoring", "forgetscope run"):
        finished = subprocess.run(
            [sys.executable, __file__, "--samples", str(given.samples), "--variant", variant],
            check=True,
            capture_output=True,
            text=True,
        )
        row = json.loads(finished.stdout.splitlines()[-1])
        print(
            f"{row['variant']:18} {row['samples']:8} {row['cpu_ms']:14.1f} {row['seconds']:9.1f} {row['peak_mb']:9.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
