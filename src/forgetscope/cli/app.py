"""The application object and the options several commands share. Commands import what they need when they run."""

from pathlib import Path
from typing import Annotated

import typer

from forgetscope.core.version import VERSION

app = typer.Typer(
    name="forgetscope",
    help="Measure what language models forget: when they should not, and when they should.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)

DataOption = Annotated[str, typer.Option("--data", help="embedded, official, or a folder with local copies.")]
LimitOption = Annotated[
    int | None,
    typer.Option(
        "--limit", help="The first so many items of each scenario, experiment or split side, with all their forms."
    ),
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", help="Seed; prospective: run seeds separated by commas, 42,137,256 by default.")
]
MaxTokensOption = Annotated[
    int | None, typer.Option("--max-tokens", help="Token limit of a reply; each benchmark has its own default.")
]
ModelOption = Annotated[str, typer.Option("--model", help="Model name, as Inspect AI knows it, or one of ours.")]
ModelArgOption = Annotated[
    list[str] | None, typer.Option("-M", help="Model argument key=value; repeat for several.", metavar="KEY=VALUE")
]
BaseUrlOption = Annotated[str | None, typer.Option("--model-base-url", help="Address of the model's server.")]
JudgeOption = Annotated[
    list[str] | None, typer.Option("--judge", help="Model that judges replies; repeat for a panel.", metavar="MODEL")
]
JudgeArgOption = Annotated[
    list[str] | None, typer.Option("-J", help="Judge argument key=value; repeat for several.", metavar="KEY=VALUE")
]
JudgeBaseUrlOption = Annotated[str | None, typer.Option("--judge-base-url", help="Address of the judge's server.")]
JudgeWhatOption = Annotated[
    str | None,
    typer.Option(
        "--judge-what", help="What a judge is asked about: all (default), or needed (what no rule can score)."
    ),
]
JudgeMaxTokensOption = Annotated[
    int | None,
    typer.Option(
        "--judge-max-tokens",
        help="Token limit of a judge's reply; by default 400 for models in this process, 2048 for others.",
    ),
]
SelfJudgeOption = Annotated[
    bool, typer.Option("--allow-self-judge", help="Let the model under test judge its own replies.")
]
MaxUsdOption = Annotated[
    float | None,
    typer.Option("--max-usd", min=0, help="Stop before more than this is spent; needs --prices. Resume with more."),
]
MaxSamplesOption = Annotated[
    int | None, typer.Option("--max-samples", min=1, help="Stop after so many samples; resume with a higher number.")
]
PricesOption = Annotated[
    Path | None,
    typer.Option("--prices", help="Prices of models, USD per million tokens: NAME: {input: ..., output: ...}."),
]
OutOption = Annotated[Path | None, typer.Option("--out", help="Folder of the run; must be new or empty.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print figures as JSON.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(VERSION)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Measure what language models forget: when they should not, and when they should."""


from forgetscope.cli import (  # noqa: E402 - commands register themselves on `app`
    annotate,  # noqa: F401
    build,  # noqa: F401
    comparing,  # noqa: F401
    data,  # noqa: F401
    demo,  # noqa: F401
    judging,  # noqa: F401
    runs,  # noqa: F401
    unlearn,  # noqa: F401
    unlearn_doctor,  # noqa: F401
    unlearn_train,  # noqa: F401
    validate,  # noqa: F401
    visual,  # noqa: F401
)
