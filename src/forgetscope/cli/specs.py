"""From words of a command line to what a run is made of: settings, models, judges, prices."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue, ValidationError

from forgetscope.core.bounds import LARGEST_ARGUMENT
from forgetscope.core.errors import SettingError
from forgetscope.core.json_values import LargeNumberError, json_value

if TYPE_CHECKING:
    from forgetscope.core.settings import Settings
    from forgetscope.running.costs.prices import Price
    from forgetscope.running.manifest import ModelSpec, ReasoningEffort
    from forgetscope.running.started import Ask, SaidAgain


def settings_from(benchmark: str, given: Mapping[str, object], judges: Sequence[str] | None) -> "Settings":
    """A benchmark's settings from its options; what is said about judges counts only where there is one.

    Raises:
        SettingError: something is said about a judge, and there is none; a value is not allowed.
    """
    from forgetscope.api.settings import settings_of
    from forgetscope.benchmarks import settings_class
    from forgetscope.core.settings import Group, declarations, option_name

    kind = settings_class(benchmark)
    values = {name: value for name, value in given.items() if value is not None and name != "data"}
    for name, declared in declarations(kind).items():
        if declared.group == Group.JUDGE and values.get(name) and not judges:
            where = option_name(kind, name)
            raise SettingError("this is about a judge, and there is none", where=where, next_step="--judge MODEL")
    if judges and "judged" in kind.model_fields and values.setdefault("judged", "all") == "none":
        where = option_name(kind, "judged")
        raise SettingError("no such choice with a judge", where=where, found="none", allowed=("all", "needed"))
    return settings_of(benchmark, values, data=str(given["data"]), called=lambda name: option_name(kind, name))


_OPTIONS = {
    "--model": ("--model-base-url", "-M"),
    "--judge": ("--judge-base-url", "-J"),
    "--builder": ("--builder-base-url", "-M"),
    "--gate-model": ("--gate-base-url", "-G"),
}
"""What gives the address and the arguments of a model, by what names it."""


def model_spec(
    name: str,
    base_url: str | None,
    arguments: list[str] | None,
    frequency_penalty: float,
    reasoning: tuple[str | None, int | None] = (None, None),
    *,
    named_by: str = "--model",
) -> "ModelSpec":
    """A model as the user named it; `reasoning` is the effort and the most tokens of its thinking.

    Args:
        named_by: The option, for messages.

    Raises:
        SettingError: an argument has no `=`, a value is not allowed, the address is none, or a secret would be written.
    """
    from forgetscope.io.addresses import require_address
    from forgetscope.running.manifest import ModelSpec
    from forgetscope.running.secret_arguments import require_no_secret_name, without_secrets

    about_address, option = _OPTIONS[named_by]
    require_no_secret_name(name, named_by)
    require_address(base_url, about_address)
    try:
        return ModelSpec(
            name=name,
            base_url=base_url,
            args=without_secrets(key_values(arguments or [], option), option),
            frequency_penalty=frequency_penalty,
            reasoning_effort=cast("ReasoningEffort | None", reasoning[0]),
            reasoning_tokens=reasoning[1],
        )
    except ValidationError as error:
        raise SettingError("not a model specification", where=named_by, found=error.errors()[0]["msg"]) from None


def said_again(
    names: Sequence[str], base_url: str | None, arguments: list[str] | None, *, named_by: str = "--model"
) -> "SaidAgain":
    """What is said anew of models that a run folder names.

    Raises:
        SettingError: an argument has no `=`, or one of them would write a secret down.
    """
    from forgetscope.running.started import SaidAgain

    spec = model_spec("", base_url, arguments, 0.0, named_by=named_by)
    return SaidAgain(spec.base_url, spec.args if arguments else None, tuple(names))


def asking() -> "Ask | None":
    """How to put a question to whoever sits at the terminal; None where nobody does."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    import typer

    return lambda question: typer.confirm(question, err=True)


def key_values(arguments: list[str], option: str) -> dict[str, JsonValue]:
    """`key=value` pairs of an option; values are read as JSON where they are JSON, as text otherwise.

    Raises:
        SettingError: a pair has no `=`, a key is said twice, or a number is none that can be counted with.
    """
    from forgetscope.core.secrets import looks_secret

    parsed: dict[str, JsonValue] = {}
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals or not key:
            raise SettingError("it takes key=value", where=option, found=argument)
        if key in parsed:
            raise SettingError("said twice, and it has one value", where=f"{option} {key}", next_step="say it once")
        is_large = False
        try:
            parsed[key] = json_value(value)  # type: ignore[assignment]  # JSON values, all of them
        except ValueError as error:
            parsed[key], is_large = value, isinstance(error, LargeNumberError)
        if looks_secret(key):
            continue  # of which nothing is said here, be it a number or not
        if is_large or _is_out_of_bounds(parsed[key]) or value.strip("+- ").lower() in ("nan", "inf", "infinity"):
            allowed = f"numbers up to {LARGEST_ARGUMENT:,}"
            raise SettingError("not a number to count with", where=f"{option} {key}", allowed=allowed)
    return parsed


def _is_out_of_bounds(value: object) -> bool:
    """Whether a value is a number that is none or too large, or holds one."""
    if isinstance(value, list | dict):
        return any(map(_is_out_of_bounds, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int | float) and not abs(value) <= LARGEST_ARGUMENT


def judge_specs(
    names: list[str] | None,
    base_url: str | None,
    arguments: list[str] | None,
    *,
    under_test: str,
    allow_self: bool,
) -> "tuple[ModelSpec, ...]":
    """The judges as the user named them.

    Raises:
        SettingError: one is named twice, or is the model under test, which would judge itself.
    """
    from forgetscope.judging.panel import require_judges

    require_judges(names or [], under_test=under_test, allow_self=allow_self)
    return tuple(model_spec(name, base_url, arguments, 0.0, named_by="--judge") for name in names or [])


def prices_from(path: Path | None) -> "dict[str, Price]":
    """The prices of a file, by model; none without one."""
    from forgetscope.running.costs.prices import read_prices

    return {} if path is None else read_prices(path)
