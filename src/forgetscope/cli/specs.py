"""From words of a command line to what a run is made of: settings, models, judges, prices."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue, ValidationError

from forgetscope.core.errors import SettingError

if TYPE_CHECKING:
    from forgetscope.benchmarks.base import Benchmark, Settings
    from forgetscope.running.manifest import ModelSpec
    from forgetscope.running.prices import Price


def settings_from(
    benchmark: str, data: str, seed: str | None, given: Mapping[str, object]
) -> "tuple[Benchmark, Settings]":
    """A benchmark and its settings from the options given; None leaves the benchmark's own default.

    Raises:
        SettingError: an option of another benchmark was given, or a value is not allowed.
    """
    from forgetscope.api.settings import settings_of

    seeds = None if seed is None else parse_seeds(seed)
    return settings_of(benchmark, given, data=data, seed=seeds, called=option_name, offered=given)


def parse_seeds(text: str) -> tuple[int, ...]:
    """Seeds separated by commas.

    Raises:
        SettingError: one is not a whole number.
    """
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise SettingError(
            "seeds are whole numbers separated by commas", where="--seed", found=text, allowed="such as 42,137,256"
        ) from None


def option_name(setting: str) -> str:
    """The option of a setting: `--max-tokens`, and `--judge` for `judged`, which has no option of its own."""
    return "--judge" if setting == "judged" else f"--{setting.replace('_', '-')}"


def model_spec(name: str, base_url: str | None, arguments: list[str] | None, frequency_penalty: float) -> "ModelSpec":
    """A model as the user named it.

    Raises:
        SettingError: an argument has no `=`, or a value is not allowed.
    """
    from forgetscope.running.manifest import ModelSpec

    try:
        return ModelSpec(
            name=name,
            base_url=base_url,
            args=parse_model_args(arguments or []),
            frequency_penalty=frequency_penalty,
        )
    except ValidationError as error:
        raise SettingError("not a model specification", where="--model", found=error.errors()[0]["msg"]) from None


def parse_model_args(arguments: list[str]) -> dict[str, JsonValue]:
    """`key=value` pairs; values are read as JSON where they are JSON, as text otherwise.

    Raises:
        SettingError: a pair has no `=`.
    """
    parsed: dict[str, JsonValue] = {}
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals or not key:
            raise SettingError("a model argument is key=value", where="-M", found=argument)
        try:
            parsed[key] = json.loads(value)
        except json.JSONDecodeError:
            parsed[key] = value
    return parsed


def judging_options(
    judges: list[str] | None, what: str | None, max_tokens: int | None, *, allow_self: bool
) -> dict[str, object]:
    """The settings about judges; None where the user said nothing.

    Raises:
        SettingError: something is said about a judge, and there is none.
    """
    given = {"--judge-what": what, "--judge-max-tokens": max_tokens, "--allow-self-judge": allow_self or None}
    for option, value in given.items():
        if value is not None and not judges:
            raise SettingError("this is about a judge, and there is none", where=option, next_step="--judge MODEL")
    if what not in (None, "all", "needed"):
        raise SettingError("no such choice", where="--judge-what", found=what, allowed=("all", "needed"))
    return {
        "judged": (what or "all") if judges else None,
        "judge_max_tokens": max_tokens,
        "allow_self_judge": allow_self or None,
    }


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
    return tuple(model_spec(name, base_url, arguments, 0.0) for name in names or [])


def prices_from(path: Path | None) -> "dict[str, Price]":
    """The prices of a file, by model; none without one."""
    from forgetscope.running.prices import read_prices

    return {} if path is None else read_prices(path)
