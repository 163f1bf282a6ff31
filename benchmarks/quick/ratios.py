"""A few ratios of ours to the bare thing, CPU seconds of one process side by side, in two minutes.

Each row is measured `ROUNDS` times in turns and the least of each side counts, so that other work on the machine
cancels out as far as it can. A row that is worse than the last one kept (`last.json`, beside this file) by more than
`NOISE` and `LEAST` fails:

    python benchmarks/quick/ratios.py            a line a row; exit 1 where one is worse
    python benchmarks/quick/ratios.py --write    keep what was measured as the last
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

LAST = Path(__file__).with_name("last.json")
NOISE = 0.25
"""By what share of itself a ratio may rise unsaid, and `LEAST` more: what takes hundredths of a second is all noise."""
LEAST = 0.05
ROUNDS = 3


def commands() -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """What a command costs from its start to its end, beside Python with the command line's own packages imported."""

    def started(*words: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True)

    bare = started("-c", "import pydantic, rich, typer")
    main = "from forgetscope.cli import main; main()"
    yield "list / imports of the command line", started("-c", main, "list"), bare
    yield "plan visual / imports of the command line", started("-c", main, "plan", "visual"), bare


def visual(folder: Path) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Visual questions through a run, beside the same model in a bare loop; then the run read again, beside anew."""
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.benchmarks.visual.plan import build_samples, settings_data
    from forgetscope.benchmarks.visual.task import message_content
    from forgetscope.models.glimpse.member import Glimpse
    from forgetscope.models.pictures import open_picture
    from forgetscope.running.execute import start_run
    from forgetscope.running.finished import collect_run
    from forgetscope.running.manifest import Limits, ModelSpec

    chosen = get_benchmark("visual")
    given = {"data": "embedded", "splits": "embedded-identity", "controls": "no_image", "probes": "choice"}
    settings = chosen.settings.model_validate({**given, "phrasings": 1, "limit": 8})
    plan, spec, runs = chosen.plan(settings), ModelSpec(name="forgetscope/glimpse-obedient"), iter(range(100))
    places: list[Path] = []

    def ours() -> None:
        places.append(folder / f"visual-{next(runs)}")
        start_run(chosen, settings, plan, spec, Limits(), places[-1], display="none")

    model, data = Glimpse.load("glimpse-obedient"), settings_data(settings)
    samples = list(build_samples(settings, data))

    def bare() -> None:
        for sample in samples:
            content = message_content(sample, data)
            model.answer(sample.prompt, open_picture(content[0].image) if len(content) > 1 else None)

    ours()  # imports and what is built once
    bare()
    yield f"{len(samples)} visual questions: run / bare loop", ours, bare
    yield (
        "table of unchanged logs: used / made anew",
        lambda: collect_run(places[-1]),
        lambda: collect_run(places[-1], is_anew=True),
    )


def short_samples(folder: Path) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Prompts of prospective memory to a model that answers at once, through a run and through a bare Inspect task."""
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import includes

    from forgetscope.benchmarks import get_benchmark
    from forgetscope.benchmarks.prospective.plan import build_samples, cached_data
    from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
    from forgetscope.benchmarks.prospective.validation.reference import publish_answer_key
    from forgetscope.running.execute import start_run
    from forgetscope.running.manifest import Limits, ModelSpec

    chosen, settings = get_benchmark("prospective"), ProspectiveSettings(experiments="load", seeds=(42,), limit=15)
    plan, model, runs = chosen.plan(settings), "forgetscope/reference/fading", iter(range(100))
    samples = build_samples(settings, cached_data("embedded"))
    dataset = MemoryDataset([Sample(id=sample.sample_id, input=sample.prompt, target="a") for sample in samples])

    def ours() -> None:
        start_run(
            chosen, settings, plan, ModelSpec(name=model), Limits(), folder / f"short-{next(runs)}", display="none"
        )

    def bare() -> None:
        publish_answer_key(samples)
        inspect_eval(
            Task(dataset=dataset, scorer=includes(), name="bare"),
            model=model,
            log_dir=str(folder / f"bare-{next(runs)}"),
            log_realtime=False,
            display="none",
        )

    ours()
    bare()
    yield f"{len(samples)} short samples: run / bare Inspect task", ours, bare


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process and of those it waited for."""
    began = _used()
    work()
    return _used() - began


def _used() -> float:
    waited = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + waited.ru_utime + waited.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="Keep what was measured as the last.")
    wanted = parser.parse_args()
    last = json.loads(LAST.read_text(encoding="utf-8"))["ratios"] if LAST.is_file() else {}
    found, worse = {}, 0
    with tempfile.TemporaryDirectory() as place:
        os.environ["FORGETSCOPE_STATE"] = f"{place}/state"
        for rows in (commands(), visual(Path(place)), short_samples(Path(place))):
            for name, ours, bare in rows:
                measured = [(cpu_seconds(ours), cpu_seconds(bare)) for _ in range(ROUNDS)]
                mine, its = (min(side) for side in zip(*measured, strict=True))
                found[name], before = mine / its, last.get(name)
                is_worse = before is not None and found[name] > before * (1 + NOISE) + LEAST
                worse += is_worse
                kept = "new" if before is None else f"last {before:.2f}{', WORSE' if is_worse else ''}"
                print(f"{name:52} {mine:7.2f} / {its:6.2f} CPU s = {found[name]:6.2f}  {kept}", flush=True)
    if wanted.write:
        said = {
            "measured": datetime.now(UTC).date().isoformat(),
            "machine": f"{os.cpu_count()} cores, the least of {ROUNDS} rounds",
            "ratios": {name: round(ratio, 3) for name, ratio in found.items()},
        }
        LAST.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
        return 0
    return min(worse, 1)


if __name__ == "__main__":
    sys.exit(main())
