"""Options of single benchmarks. None leaves the benchmark's own default; one of another benchmark is refused."""

from typing import Annotated

import typer

ScenariosOption = Annotated[
    str | None,
    typer.Option(
        "--scenarios", help="in-context: all, or any of instructional_forgetting, subtask_revision, dynamic_preference."
    ),
]
LengthsOption = Annotated[
    str | None, typer.Option("--lengths", help="in-context: native, all, or numbers of tokens (500,1000,3000).")
]
StrategiesOption = Annotated[
    str | None, typer.Option("--strategies", help="in-context: system messages: noforget, forget, none.")
]
QuestionsOption = Annotated[
    str | None, typer.Option("--questions", help="in-context: how preference is asked for: options, open.")
]
ProbesOption = Annotated[
    str | None, typer.Option("--probes", help="in-context: beyond the paper: reask, neighbour, or none.")
]
DirectionOption = Annotated[
    str | None, typer.Option("--direction", help="in-context: forward (old to new preference) or reversed.")
]
ExperimentsOption = Annotated[
    str | None, typer.Option("--experiments", help="prospective: any of load, stacking, tension, singles.")
]
ConditionsOption = Annotated[
    str | None, typer.Option("--conditions", help="prospective: paper, salience (eight cells), all, or names.")
]
LoadsOption = Annotated[
    str | None,
    typer.Option(
        "--loads", help="prospective: all, or any of triviaqa, mmlu, gsm8k_x1, gsm8k_x3, gsm8k_x5, cnn_dailymail."
    ),
]
PromptsOption = Annotated[
    str | None, typer.Option("--prompts", help="prospective: paper (six prompts of each type), or all of the file's.")
]
