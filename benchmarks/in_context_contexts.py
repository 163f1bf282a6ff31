"""Building every context of a full-size run: 2,500 items at the paper's seven lengths in both forms.

The items are the embedded ones under new ids, until there are enough; the filler is the embedded one, repeated under
new ids until it holds enough tokens for the longest context many times over. Each size runs in a process of its own.
Contexts are streamed: what is built is counted and hashed, then dropped, as a plan does it.

    python benchmarks/in_context_contexts.py [--items 2500] [--filler-tokens 400000]

Printed: seconds, contexts a second and peak memory for a tenth of the items, half of them and all. Beside them the
plan of the same run (which also counts tokens), and the samples held by Inspect's data set, which are the only part
that grows with the number of items: their memory a sample.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path

from pydantic import BaseModel

from forgetscope.benchmarks.in_context.data.items import AnyItem, FillerDialogue
from forgetscope.benchmarks.in_context.data.loading import FILLER_FILE, load_data
from forgetscope.benchmarks.in_context.plan import iter_samples, make_plan
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.io.records import rows_sha256
from forgetscope.io.tokens import count_cl100k

SETTINGS = {"lengths": "all", "probes": "none"}


def many_items(count: int) -> Iterator[AnyItem]:
    for number, item in enumerate(islice(cycle(load_data("embedded").items), count)):
        yield item.model_copy(update={"id": f"{item.id}-{number}"})


def many_fillers(tokens: int) -> Iterator[FillerDialogue]:
    """Dialogues until there are so many tokens; the repeats differ in a word, as no two dialogues are the same text."""
    for number, dialogue in enumerate(cycle(load_data("embedded").fillers)):
        if tokens <= 0:
            return
        first = dialogue.turns[0].model_copy(update={"content": f"{dialogue.turns[0].content} ({number})"})
        yield dialogue.model_copy(update={"id": f"{dialogue.id}-{number}", "turns": (first, *dialogue.turns[1:])})
        tokens -= sum(count_cl100k(turn.content) for turn in dialogue.turns)


def write(folder: Path, items: int, filler_tokens: int) -> None:
    by_scenario: dict[str, list[AnyItem]] = {}
    for item in many_items(items):
        by_scenario.setdefault(f"{item.scenario.value}.jsonl", []).append(item)
    for name, rows in by_scenario.items():
        write_lines(folder / name, rows)
    write_lines(folder / FILLER_FILE, many_fillers(filler_tokens))


def write_lines(path: Path, rows: Iterable[BaseModel]) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(row.model_dump_json() + "\n" for row in rows)


def build_contexts(settings: InContextSettings) -> int:
    """Every dialogue of the run, turn by turn, hashed and dropped."""
    count = 0

    def turns() -> Iterator[list[list[str]]]:
        nonlocal count
        for sample, filler in iter_samples(settings, load_data(settings.data)):
            count += 1
            yield [[turn.role, turn.content] for turn in sample.turns(filler)]

    rows_sha256(turns())
    return count


def plan(settings: InContextSettings) -> int:
    return make_plan(settings).samples


def hold_samples(settings: InContextSettings) -> int:
    from forgetscope.benchmarks.in_context.task import inspect_samples

    samples = (sample for sample, _ in iter_samples(settings, load_data(settings.data)))
    return len(list(inspect_samples(samples)))


VARIANTS: dict[str, Callable[[InContextSettings], int]] = {
    "contexts": build_contexts,
    "plan": plan,
    "data set": hold_samples,
}


def measure(variant: str, folder: str) -> None:
    """Run one variant in this process and print its figures as JSON."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    settings = InContextSettings.model_validate({**SETTINGS, "data": folder})
    if variant == "data set":
        import forgetscope.benchmarks.in_context.task  # noqa: F401 - Inspect's own memory is none of ours
    data = load_data(folder)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begin, cpu = time.perf_counter(), time.process_time()
    samples = VARIANTS[variant](settings)
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = {"samples": samples, "seconds": seconds, "cpu": cpu, "loaded_mb": before, "peak_mb": peak}
    print(json.dumps({"items": len(data.items), **found}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=2500)
    parser.add_argument("--filler-tokens", type=int, default=400_000)
    parser.add_argument("--variant")
    parser.add_argument("--folder")
    given = parser.parse_args()
    if given.variant:
        measure(given.variant, given.folder)
        return
    heads = ("variant", "items", "samples", "seconds", "CPU s", "samples/CPU s", "MB loaded", "MB peak")
    print(f"{heads[0]:10}" + "".join(f"{head:>14}" for head in heads[1:]))
    runs = [("contexts", given.items // 10), ("contexts", given.items // 2), ("contexts", given.items)]
    runs += [("plan", given.items), ("data set", given.items // 10), ("data set", given.items)]
    for variant, items in runs:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), items, given.filler_tokens)
            finished = subprocess.run(
                [sys.executable, __file__, "--variant", variant, "--folder", folder],
                check=True,
                capture_output=True,
                text=True,
            )
        row = json.loads(finished.stdout.splitlines()[-1])
        print(
            f"{variant:10}{row['items']:14,}{row['samples']:14,}{row['seconds']:14.1f}{row['cpu']:14.1f}"
            f"{row['samples'] / row['cpu']:14,.0f}{row['loaded_mb']:14.0f}{row['peak_mb']:14.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
