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
    str | None,
    typer.Option(
        "--probes",
        help="in-context: beyond the paper: reask, neighbour, or none. visual: choice, short_answer, indirect.",
    ),
]
DirectionOption = Annotated[
    str | None, typer.Option("--direction", help="in-context: forward (old to new preference) or reversed.")
]
ExperimentsOption = Annotated[
    str | None, typer.Option("--experiments", help="prospective: any of load, stacking, tension, singles.")
]
ConditionsOption = Annotated[
    str | None,
    typer.Option(
        "--conditions",
        help="prospective: paper, salience (eight cells), all, or names. visual: paper, corrections, all, or names.",
    ),
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
SplitsOption = Annotated[str | None, typer.Option("--splits", help="visual: all, or names of splits.")]
ImagesOption = Annotated[
    str | None,
    typer.Option("--images", help="visual: folder of the pictures, where the data folder does not hold them."),
]
ControlsOption = Annotated[
    str | None, typer.Option("--controls", help="visual: no_image, shuffled_image, option_only, or none.")
]
ModesOption = Annotated[str | None, typer.Option("--modes", help="visual: generate, first_token, or both.")]
PhrasingsOption = Annotated[int | None, typer.Option("--phrasings", help="visual: wordings of the suppression texts.")]
OrdersOption = Annotated[int | None, typer.Option("--orders", help="visual: orders of the options.")]
OracleTargetOption = Annotated[
    str | None, typer.Option("--oracle-target", help="visual: concept, or class as in the authors' runner.")
]
EligibilityOption = Annotated[
    int | None, typer.Option("--eligibility", help="visual: pictures a concept that decide whether it is known.")
]
PicturesOption = Annotated[
    int | None,
    typer.Option("--pictures", help="visual: pictures a forget concept that measure, 0 for all (embedded: 12 of 20)."),
]
InterventionOption = Annotated[
    str | None,
    typer.Option(
        "--intervention", help="visual: system_prompt[=TEXT], output_filter[=NAMES], logit_mask or weights=FOLDER."
    ),
]
