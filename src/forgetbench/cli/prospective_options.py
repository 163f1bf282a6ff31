"""Options of the prospective benchmark."""

from typing import Annotated

import typer

ExperimentsOption = Annotated[
    str, typer.Option("--experiments", help="prospective: any of load, stacking, tension, singles.")
]
ConditionsOption = Annotated[
    str, typer.Option("--conditions", help="prospective: paper, salience (eight cells), all, or names.")
]
LoadsOption = Annotated[
    str,
    typer.Option(
        "--loads", help="prospective: all, or any of triviaqa, mmlu, gsm8k_x1, gsm8k_x3, gsm8k_x5, cnn_dailymail."
    ),
]
PromptsOption = Annotated[
    str, typer.Option("--prompts", help="prospective: paper (six prompts of each type), or all of the file's.")
]
