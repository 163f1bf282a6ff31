"""`demo`: a real evaluation of the embedded language model, small enough for a laptop, with its report."""

from pathlib import Path
from typing import Annotated

import typer

from forgetbench.cli.app import JsonOption, app

DEMO_MODEL = "forgetbench/smollm2"
DEMO_SETTINGS = {
    "data": "embedded",
    "experiments": "load",
    "loads": "triviaqa,gsm8k_x1",
    "seeds": (42,),
    "limit": 30,
    "max_tokens": 192,
}
"""Two items of each constraint type, a light and a heavier load: 240 replies of at most 192 tokens."""

DEMO_FREQUENCY_PENALTY = 0.5
"""Without it 31 of 75 replies of this model end in a loop, with it 3, and as many keep their format (lab notes)."""


@app.command()
def demo(
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the run; a new one beside it if it exists.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Evaluate the embedded language model on embedded data and write a report. Needs no key, network or GPU."""
    from forgetbench.benchmarks import get_benchmark
    from forgetbench.cli.printing import print_plan
    from forgetbench.cli.runs import default_folder, display, report_and_exit
    from forgetbench.running.execute import start_run
    from forgetbench.running.manifest import Limits, ModelSpec

    chosen = get_benchmark("prospective")
    settings = chosen.settings.model_validate(DEMO_SETTINGS)
    plan = chosen.plan(settings)
    if not as_json:
        print_plan(plan, DEMO_MODEL, as_json=False)
    folder = free_folder(out) if out else default_folder("demo", DEMO_MODEL)
    spec = ModelSpec(name=DEMO_MODEL, frequency_penalty=DEMO_FREQUENCY_PENALTY)
    finished = start_run(chosen, settings, plan, spec, Limits(), folder, display=display())
    report_and_exit(finished, as_json=as_json)


def free_folder(wanted: Path) -> Path:
    """The folder itself where it is new or empty, else the first free name with a number: nothing is overwritten."""
    candidate, number = wanted, 1
    while candidate.is_file() or (candidate.is_dir() and any(candidate.iterdir())):
        number += 1
        candidate = wanted.with_name(f"{wanted.name}-{number}")
    return candidate
