"""The page of commands, from the command line itself: every command, argument and option."""

from collections.abc import Iterator

import typer.main
from typer.core import TyperArgument, TyperCommand, TyperGroup

from forgetscope.benchmarks import BENCHMARK_NAMES, settings_class
from forgetscope.cli.commands import app
from forgetscope.core.settings import settings_table

HEAD = """# Command line

| exit code | |
|--:|---|
| 0 | done: a run or a resume finished, and reached the completeness floor |
| 1 | ended below the completeness floor, at a limit (`--max-usd`) or with cells that failed; a check failed |
| 2 | a mistake one can mend, a full disk, a folder in use: one line that says what to do |
| 130 | stopped by Ctrl-C (SIGINT): one line that says how to go on; what was paid for is kept; a second does not wait |
| 143, 129 | ended by SIGTERM or SIGHUP, with the same line; 137 by `kill -9`, as a shell tells it, without |

`--json` prints figures as JSON wherever a command prints figures. Written from the program itself.
"""


def page() -> str:
    """The whole page."""
    root = typer.main.get_command(app)
    if not isinstance(root, TyperGroup):
        raise TypeError(f"expected a group of commands, found {type(root).__name__}")
    return HEAD + "".join(f"\n{part}" for part in (*sections(root, ""), settings()))


def settings() -> str:
    """What each benchmark can be told, by the names it has on the command line, under Inspect and in Python."""
    parts = ["## Settings of the benchmarks", ""]
    for name in BENCHMARK_NAMES:
        parts += [f"### {name}", "", *settings_table(settings_class(name)), ""]
    return "\n".join(parts)


def sections(group: TyperGroup, path: str) -> Iterator[str]:
    """A section for each command, groups opened."""
    context = typer.Context(group)
    for name in sorted(group.list_commands(context)):
        command = group.get_command(context, name)
        whole = f"{path} {name}".strip()
        if isinstance(command, TyperGroup):
            yield from sections(command, whole)
        elif isinstance(command, TyperCommand) and not command.hidden:
            yield section(command, whole)


def section(command: TyperCommand, path: str) -> str:
    """A command: what it does, its arguments and options."""
    lines = [f"## {path}", "", command.help or "", ""]
    arguments = [entry for entry in command.params if isinstance(entry, TyperArgument)]
    options = [entry for entry in command.params if not isinstance(entry, TyperArgument) and entry.name != "help"]
    if arguments or options:
        lines += ["| | default | |", "|---|---|---|"]
    for argument in arguments:
        lines.append(
            row(f"{argument.name or ''}".upper(), "" if argument.required else argument.default, argument.help)
        )
    for option in options:
        names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
        text = getattr(option, "help", "") or ""
        lines.append(row(names, "required" if option.required else option.default, text))
    return "\n".join([*lines, ""])


def row(name: str, default: object, text: str | None) -> str:
    """A line of the table; bars inside a cell are escaped."""
    shown = "" if default in (None, False, "", ()) or callable(default) else f"`{default}`"
    if default == "required":
        shown = "required"
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (name, shown, text or "")) + " |"
