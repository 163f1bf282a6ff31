"""A command line that cannot be meant, as one line like every other mistake; typer would say it in four."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from typer._click.exceptions import BadParameter, MissingParameter, NoArgsIsHelpError, NoSuchOption, UsageError

from forgetscope.core.errors import SettingError, UserError

if TYPE_CHECKING:
    import typer._click as click

__all__ = ["in_one_line", "refuse_repeated", "run_app"]


def run_app(app: typer.Typer) -> int:
    """Run the program, and give its exit code.

    Raises:
        UserError: the command line cannot be meant.
    """
    try:
        code = app(standalone_mode=False)
    except NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except UsageError as error:
        raise in_one_line(error, sys.argv[1:]) from None
    except typer.Abort as stopped:
        raise KeyboardInterrupt from stopped
    return code if isinstance(code, int) else 0


def in_one_line(error: UsageError, words: Sequence[str] = ()) -> UserError:
    """What is wrong with a command line: where, what was found among its words, what is allowed, how to go on."""
    path = error.ctx.command_path if error.ctx is not None else None
    next_step = f"{path or 'forgetscope'} --help"
    match error:
        case NoSuchOption():
            known = sorted(options_of(error.ctx.command)) if error.ctx is not None else []
            near = [option for option in known if option in (error.possibilities or ())]
            return SettingError(
                "no such option", where=path, found=error.option_name, allowed=near or None, next_step=next_step
            )
        case MissingParameter(param=parameter) if parameter is not None:
            options = ", ".join(parameter.opts) if parameter.param_type_name == "option" else parameter.name.upper()
            return SettingError(f"{options} is missing", where=path, next_step=next_step)
        case BadParameter(param=parameter) if parameter is not None:
            options = ", ".join(parameter.opts) if parameter.param_type_name == "option" else parameter.name.upper()
            found = next((value for option in parameter.opts if (value := _said(option, words)) is not None), None)
            return SettingError(_phrase(error.message), where=f"{path} {options}", found=found, next_step=next_step)
    return SettingError(_phrase(error.format_message()), where=path, next_step=next_step)


def options_of(command: "click.Command") -> set[str]:
    """The options of a command as they are typed."""
    return {"--help", *(option for entry in command.params for option in (*entry.opts, *entry.secondary_opts))}


def _said(option: str, words: Sequence[str]) -> str | None:
    """The value of an option among the words of a command line."""
    for word, after in zip(words, (*words[1:], None), strict=True):
        if word == option:
            return after
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


def _phrase(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}".rstrip(".")


def refuse_repeated(command: "click.Command", words: Sequence[str], path: str) -> None:
    """See that no option that takes one value is given two, the last of which would count, and that no word is empty.

    Raises:
        SettingError: one is; an empty word, as a variable of the shell that is not set leaves it, would be a folder.
    """
    single = {
        option: entry.name
        for entry in command.params
        if entry.param_type_name == "option" and not entry.multiple
        for option in (*entry.opts, *entry.secondary_opts)
    }
    seen: dict[str, str] = {}
    for word, before in zip(words, ("", *words), strict=False):
        if not word or (word.startswith("--") and word.endswith("=")):
            said = word.removesuffix("=") or (before if before.startswith("-") else "")
            raise SettingError("an empty value", where=f"{path} {said}".strip(), next_step="say it, or leave it out")
        if word == "--":
            return
        option, equals, _ = word.partition("=")
        name = single.get(option if equals and option.startswith("--") else word)
        if name is None:
            continue
        if name in seen and not (seen[name] == word and _is_flag(command, name)):
            raise SettingError("said twice, and it takes one value", where=f"{path} {option}", next_step="say it once")
        seen[name] = word


def _is_flag(command: "click.Command", name: str) -> bool:
    return any(entry.name == name and getattr(entry, "is_flag", False) for entry in command.params)
