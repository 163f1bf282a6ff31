"""The application object and the options several commands share. It knows no command: `commands` puts them together."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from forgetscope.cli.stopping import ANEW, say_stopped
from forgetscope.core.bounds import LARGEST, MOST_CONNECTIONS, MOST_TOKENS, MOST_USD
from forgetscope.core.version import VERSION

if TYPE_CHECKING:
    import typer._click as click

FIRST = ("demo", "list", "plan", "run", "reproduce", "validate", "resume", "rejudge", "merge", "report", "compare")
"""Commands that most people need, in the order of a day's work; the others follow."""


class OneValueEach(TyperGroup):
    """Commands whose options are said once, where they take one value."""

    def resolve_command(
        self, ctx: "click.Context", args: list[str]
    ) -> "tuple[str | None, click.Command | None, list[str]]":
        """The command a word names, and the words left for it.

        Raises:
            SettingError: an option of one value is said twice.
        """
        from forgetscope.cli.usage import refuse_repeated

        name, command, words = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, TyperGroup):
            refuse_repeated(command, words, f"{ctx.command_path} {name}")
        return name, command, words


class WholeSentences(OneValueEach):
    """Commands, each with the whole first sentence of its help."""

    def format_commands(self, ctx: "click.Context", formatter: "click.HelpFormatter") -> None:
        """A line or two a command."""
        found = [(name, one) for name in self.list_commands(ctx) if (one := self.get_command(ctx, name)) is not None]
        with formatter.section("Commands"):
            formatter.write_dl([(name, (one.help or "").partition("\n\n")[0]) for name, one in found])


class Program(WholeSentences):
    """The commands in an order one can read."""

    def list_commands(self, ctx: "click.Context") -> list[str]:
        """The names: first those that most people need."""
        names = super().list_commands(ctx)
        return [*(name for name in FIRST if name in names), *(name for name in names if name not in FIRST)]

    def invoke(self, ctx: "click.Context") -> object:
        """Run a command; one that is stopped by Ctrl-C says how to go on."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stopped:
            say_stopped(str(stopped) or ANEW)
            raise typer.Exit(130) from None


app = typer.Typer(
    name="forgetscope",
    cls=Program,
    help="Measure what language models forget: when they should not, and when they should.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)

MODEL, JUDGE, LIMITS, OUTPUT = "Model", "Judge", "Limits", "Output"
"""Groups of options in the help of a benchmark, as in `core.settings.Group`, which is not imported for it."""

DataOption = Annotated[str, typer.Option("--data", help="embedded, official, or a folder with local copies.")]
JudgeOption = Annotated[
    list[str] | None,
    typer.Option("--judge", help="Model that judges replies; repeat for a panel.", rich_help_panel=JUDGE),
]
JudgeArgOption = Annotated[
    list[str] | None,
    typer.Option("-J", help="Judge argument key=value; repeat for several.", rich_help_panel=JUDGE),
]
JudgeBaseUrlOption = Annotated[
    str | None, typer.Option("--judge-base-url", help="Address of the judge's server.", rich_help_panel=JUDGE)
]
JudgeMaxTokensOption = Annotated[
    int | None,
    typer.Option(
        "--judge-max-tokens",
        min=1,
        max=MOST_TOKENS,
        help="Token limit of a judge's reply; by default 400 for models in this process, 2048 for others.",
    ),
]
SelfJudgeOption = Annotated[
    bool, typer.Option("--allow-self-judge", help="Let the model under test judge its own replies.")
]
AskFirstOption = Annotated[
    bool,
    typer.Option(
        "--ask-first/--no-ask-first",
        help="Find out by one short request whether the model and its judges answer.",
        rich_help_panel=LIMITS,
    ),
]
MaxUsdOption = Annotated[
    float | None,
    typer.Option(
        "--max-usd",
        min=0,
        max=MOST_USD,
        help="Stop before more than this is spent; needs --prices. Resume with more.",
        rich_help_panel=LIMITS,
    ),
]
MaxConnectionsOption = Annotated[
    int | None,
    typer.Option(
        "--max-connections", min=1, max=MOST_CONNECTIONS, help="Requests in flight at once.", rich_help_panel=LIMITS
    ),
]
MaxSamplesOption = Annotated[
    int | None,
    typer.Option(
        "--max-samples",
        min=1,
        max=LARGEST,
        help="Stop after so many samples; resume with a higher number.",
        rich_help_panel=LIMITS,
    ),
]
PricesOption = Annotated[
    Path | None,
    typer.Option(
        "--prices",
        help="Prices of models, USD per million tokens: NAME: {input: ..., output: ...}.",
        rich_help_panel=LIMITS,
    ),
]
ShardOption = Annotated[
    str | None, typer.Option("--shard", help="Only part i of n of the items, such as 2/3; see merge.")
]
FolderArgument = Annotated[Path, typer.Argument(help="Run folder.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print figures as JSON.", rich_help_panel=OUTPUT)]


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
