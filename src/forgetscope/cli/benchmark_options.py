"""`run` and `plan` as groups: a subcommand a benchmark, with options made from the benchmark's settings."""

import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.main
from typer.core import TyperCommand

from forgetscope.cli.app import JUDGE, LIMITS, MODEL, OUTPUT, OneValueEach
from forgetscope.cli.usage import options_of

if TYPE_CHECKING:
    import typer._click as click

    from forgetscope.core.settings import Settings

Verb = Callable[..., None]
"""What a subcommand does: it takes a benchmark's name, `given` with the settings by field, and options of its own."""

WHAT = "What to run"
GROUPS = (WHAT, MODEL, JUDGE, LIMITS, OUTPUT)


def benchmark_app(verb: Verb) -> typer.Typer:
    """A group with one subcommand a benchmark, each with that benchmark's options and no other's."""

    class OfThisVerb(BenchmarkCommands):
        does = staticmethod(verb)

    summary = (verb.__doc__ or "").partition("\n")[0]
    return typer.Typer(
        cls=OfThisVerb, help=summary, no_args_is_help=True, rich_markup_mode=None, subcommand_metavar="BENCHMARK ..."
    )


class BenchmarkCommands(OneValueEach):
    """Benchmarks as commands; names are told without importing any."""

    does: Verb

    def list_commands(self, ctx: "click.Context") -> list[str]:  # noqa: ARG002 - typer's signature
        """The names of the benchmarks, plug-ins last."""
        from forgetscope.benchmarks import BENCHMARK_NAMES

        return [*BENCHMARK_NAMES, *self.commands]

    def get_command(self, ctx: "click.Context", cmd_name: str) -> "click.Command":
        """The command of a benchmark.

        Raises:
            UnknownNameError: there is no such benchmark.
            SettingError: it is one that trains.
        """
        from forgetscope.benchmarks import GRIDS

        found = self.commands.get(cmd_name)
        if found is None and cmd_name in GRIDS:
            from forgetscope.core.errors import SettingError

            trains = f"{cmd_name} trains models, so it has commands of its own"
            raise SettingError(trains, where=ctx.command_path, next_step="forgetscope unlearn --help")
        return found or benchmark_command(cmd_name, self.does)

    def parse_args(self, ctx: "click.Context", args: list[str]) -> list[str]:
        """Where options come before the benchmark they are for, the benchmark is taken first all the same.

        Raises:
            SettingError: there are options, and no benchmark.
        """
        if args and args[0].startswith("-") and args[0] != "--help":
            from forgetscope.core.errors import SettingError

            names = self.list_commands(ctx)
            at = next((place for place, word in enumerate(args) if word in names), None)
            if at is None:
                raise SettingError("a benchmark is missing", where=ctx.command_path, found=args[0], allowed=names)
            args = [args[at], *args[:at], *args[at + 1 :]]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: "click.Context", formatter: "click.HelpFormatter") -> None:
        """Each benchmark with what it asks."""
        from forgetscope.benchmarks import summary_of

        with formatter.section("Benchmarks"):
            formatter.write_dl([(name, summary_of(name)) for name in self.list_commands(ctx)])
        formatter.write_paragraph()
        formatter.write_text(f"{ctx.command_path} BENCHMARK --help tells a benchmark's options.")


class BenchmarkCommand(TyperCommand):
    """A command with its options in groups, which knows whose option it is when it is not its own."""

    does: Verb

    def parse_args(self, ctx: "click.Context", args: list[str]) -> list[str]:
        """As typer does it, with a word on options of other benchmarks; replies need no model.

        Raises:
            SettingError: an option is another benchmark's.
        """
        for word in args:
            option = word.partition("=")[0]
            if option.startswith("--") and option not in options_of(self):
                self._refuse_anothers(option, ctx.command_path)
            if option == "--replies":
                for parameter in self.params:
                    parameter.required = parameter.required and parameter.name != "model"
        return super().parse_args(ctx, args)

    def _refuse_anothers(self, option: str, path: str) -> None:
        from forgetscope.benchmarks import BENCHMARKS
        from forgetscope.core.errors import PlugInError, SettingError

        owners = []
        for name in BENCHMARKS:
            try:
                if option in options_of(benchmark_command(name, self.does)):
                    owners.append(name)
            except PlugInError:
                continue
        if owners:
            raise SettingError(
                f"{self.name} has no such option",
                found=option,
                allowed=f"with {' or '.join(owners)}; '{path} --help' tells its own",
            )

    def format_options(self, ctx: "click.Context", formatter: "click.HelpFormatter") -> None:
        """A section a group."""
        for group in GROUPS:
            records = [
                record
                for parameter in self.get_params(ctx)
                if getattr(parameter, "rich_help_panel", None) in ((None, WHAT) if group == WHAT else (group,))
                if parameter.name != "help" and (record := parameter.get_help_record(ctx))
            ]
            if records:
                with formatter.section(group):
                    formatter.write_dl([(_shortened(names), text) for names, text in records])


def _shortened(names: str) -> str:
    return names.replace(" range>", ">").replace("list[str]", "str")


def benchmark_command(benchmark: str, verb: Verb) -> BenchmarkCommand:
    """The command of a benchmark.

    Raises:
        UnknownNameError: there is no such benchmark.
    """
    from forgetscope.benchmarks import settings_class, summary_of
    from forgetscope.core.settings import declarations

    kind = settings_class(benchmark)
    fields = declarations(kind)

    def call(**values: Any) -> None:
        given = {name: values.pop(name) for name in fields}
        verb(benchmark, given=given, **values)

    own = [
        parameter
        for name, parameter in inspect.signature(verb, eval_str=True).parameters.items()
        if name not in ("benchmark", "given") and ("judged" in fields or _group(parameter) != JUDGE)
    ]
    own_first = (MODEL, JUDGE)  # the model itself stands before what is laid over it
    parameters = sorted(
        (*_settings_parameters(kind), *own), key=lambda entry: entry.name in fields and _group(entry) in own_first
    )
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    made = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    about = f"{(verb.__doc__ or '').strip()}\n\n{summary_of(benchmark)}"
    made.command(benchmark, cls=BenchmarkCommand, help=about)(call)
    command = typer.main.get_command(made)
    if not isinstance(command, BenchmarkCommand):
        raise TypeError(f"expected a command, found {type(command).__name__}")
    command.name, command.does = benchmark, staticmethod(verb)
    return command


def _group(parameter: inspect.Parameter) -> str | None:
    metadata = getattr(parameter.annotation, "__metadata__", ())
    return next((entry.rich_help_panel for entry in metadata if hasattr(entry, "rich_help_panel")), None)


def _settings_parameters(kind: "type[Settings]") -> Iterator[inspect.Parameter]:
    """An option a setting. What is about judges has no default: nothing of it can be said without a judge."""
    from forgetscope.core.settings import Group, declarations, option_name, plain

    types: dict[object, Any] = {bool: bool, bool | None: bool, int: int, int | None: int, float: float}
    for name, declared in declarations(kind).items():
        field = kind.model_fields[name]
        default = None if declared.group == Group.JUDGE else plain(field.default)
        typed = types.get(field.annotation, str)
        option = option_name(kind, name)
        spelled = (
            f"{option}/--no-{option.removeprefix('--')}" if typed is bool and field.default in (True, None) else option
        )
        typer_option = typer.Option(spelled, help=declared.full_help, rich_help_panel=declared.group.value)
        annotation = Annotated[typed if default is not None else typed | None, typer_option]  # type: ignore[valid-type]  # made here
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
