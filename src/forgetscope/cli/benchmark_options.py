"""Options of single benchmarks. None leaves the benchmark's own default; one of another benchmark is refused."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

BENCHMARK_OPTIONS: dict[str, object] = {
    "scenarios": Annotated[
        str | None,
        typer.Option(
            "--scenarios",
            help="in-context: all, or any of instructional_forgetting, subtask_revision, dynamic_preference.",
        ),
    ],
    "lengths": Annotated[
        str | None, typer.Option("--lengths", help="in-context: native, all, or numbers of tokens (500,1000,3000).")
    ],
    "strategies": Annotated[
        str | None, typer.Option("--strategies", help="in-context: system messages: noforget, forget, none.")
    ],
    "questions": Annotated[
        str | None, typer.Option("--questions", help="in-context: how preference is asked for: options, open.")
    ],
    "probes": Annotated[
        str | None,
        typer.Option(
            "--probes",
            help="in-context: beyond the paper: reask, neighbour, or none. visual: choice, short_answer, indirect.",
        ),
    ],
    "direction": Annotated[
        str | None, typer.Option("--direction", help="in-context: forward (old to new preference) or reversed.")
    ],
    "experiments": Annotated[
        str | None, typer.Option("--experiments", help="prospective: any of load, stacking, tension, singles.")
    ],
    "conditions": Annotated[
        str | None,
        typer.Option(
            "--conditions",
            help="prospective: paper, salience (eight cells), all, names. visual: paper, corrections, all, names.",
        ),
    ],
    "loads": Annotated[
        str | None,
        typer.Option(
            "--loads", help="prospective: all, or any of triviaqa, mmlu, gsm8k_x1, gsm8k_x3, gsm8k_x5, cnn_dailymail."
        ),
    ],
    "prompts": Annotated[
        str | None,
        typer.Option("--prompts", help="prospective: paper (six prompts of each type), or all of the file's."),
    ],
    "splits": Annotated[str | None, typer.Option("--splits", help="visual: all, or names of splits.")],
    "images": Annotated[
        str | None,
        typer.Option("--images", help="visual: folder of the pictures, where the data folder does not hold them."),
    ],
    "controls": Annotated[
        str | None, typer.Option("--controls", help="visual: no_image, shuffled_image, option_only, or none.")
    ],
    "modes": Annotated[str | None, typer.Option("--modes", help="visual: generate, first_token, or both.")],
    "phrasings": Annotated[int | None, typer.Option("--phrasings", help="visual: wordings of the suppression texts.")],
    "orders": Annotated[int | None, typer.Option("--orders", help="visual: orders of the options.")],
    "oracle_target": Annotated[
        str | None, typer.Option("--oracle-target", help="visual: concept, or class as in the authors' runner.")
    ],
    "eligibility": Annotated[
        int | None, typer.Option("--eligibility", help="visual: pictures a concept that decide whether it is known.")
    ],
    "pictures": Annotated[
        int | None,
        typer.Option(
            "--pictures", help="visual: pictures a forget concept that measure, 0 for all (embedded: 12 of 20)."
        ),
    ],
    "intervention": Annotated[
        str | None,
        typer.Option(
            "--intervention", help="visual: system_prompt[=TEXT], output_filter[=NAMES], logit_mask or weights=FOLDER."
        ),
    ],
}
"""Annotations by the name of the setting; in the order of the help."""


def takes_benchmark_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command with every benchmark's options in place of its parameter `given`, which gets their values by name."""

    @functools.wraps(command)
    def with_options(**values: Any) -> None:
        given = {name: values.pop(name) for name in BENCHMARK_OPTIONS}
        command(**values, given=given)

    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        if name == "given":
            parameters.extend(
                inspect.Parameter(option, keyword, default=None, annotation=annotation)
                for option, annotation in BENCHMARK_OPTIONS.items()
            )
        else:
            parameters.append(parameter.replace(kind=keyword))
    with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    with_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return with_options
