"""Arguments and names that a run writes down: a secret among them is kept by the name of its variable, or refused."""

import os
from collections.abc import Mapping

from pydantic import JsonValue

from forgetscope.core.errors import SettingError
from forgetscope.core.secrets import LIKE_A_KEY, SHORTEST, looks_secret, masked, note_used

FROM_ENVIRONMENT = "env:"
"""Before the name of an environment variable that holds an argument's value: `-M api_key=env:MY_KEY`."""


def without_secrets(arguments: Mapping[str, JsonValue], where: str) -> dict[str, JsonValue]:
    """Arguments as they may be written down: a secret that stands in the environment is kept by its variable's name.

    Args:
        arguments: As given, nested ones too.
        where: The option, for messages.

    Raises:
        SettingError: one looks like a secret and stands in no environment variable, or a variable is not set.
    """
    return {name: _kept(name, value, where) for name, value in arguments.items()}


def _kept(name: str, value: JsonValue, where: str) -> JsonValue:
    if isinstance(value, Mapping):
        return without_secrets(value, where)
    if isinstance(value, list):
        return [_kept(name, part, where) for part in value]
    if value is None or isinstance(value, bool):
        return value
    text = str(value)  # a key of digits alone is read as a number
    if text.startswith(FROM_ENVIRONMENT):
        _looked_up(text, where)
        return value
    is_named = looks_secret(name) and (isinstance(value, str) or len(text) >= SHORTEST)
    if not is_named and not LIKE_A_KEY.search(text) and masked(text) == text:
        return value
    variable = next((one for one, held in os.environ.items() if held == text), None)
    if variable is None:
        raise SettingError(
            f"{name} holds what looks like a secret, which a run would write down",
            where=where,
            allowed=f"{name}={FROM_ENVIRONMENT}VARIABLE, the whole value in a variable",
            next_step=f"export VARIABLE=..., then give {name}={FROM_ENVIRONMENT}VARIABLE",
        )
    return f"{FROM_ENVIRONMENT}{variable}"


def with_secrets(arguments: Mapping[str, JsonValue], where: str) -> dict[str, JsonValue]:
    """The arguments with what `env:NAME` stands for; from here on this is masked too, whatever the variable's name.

    Raises:
        SettingError: a variable is not set.
    """
    return {name: _filled(value, where) for name, value in arguments.items()}


def _filled(value: JsonValue, where: str) -> JsonValue:
    if isinstance(value, Mapping):
        return with_secrets(value, where)
    if isinstance(value, list):
        return [_filled(part, where) for part in value]
    if not isinstance(value, str) or not value.startswith(FROM_ENVIRONMENT):
        return value
    note_used(value.removeprefix(FROM_ENVIRONMENT))
    return _looked_up(value, where)


def _looked_up(value: str, where: str) -> str:
    variable = value.removeprefix(FROM_ENVIRONMENT)
    if variable not in os.environ:
        raise SettingError("no such environment variable", where=where, found=variable, next_step=f"export {variable}=")
    return os.environ[variable]


def require_no_secret_name(name: str, where: str) -> None:
    """See that the name of a model can be written down.

    Raises:
        SettingError: it is, or holds, what a variable of this process keeps as a secret, or looks like a key.
    """
    if masked(name) != name or LIKE_A_KEY.search(name):
        raise SettingError(
            "the name of a model holds a secret, which a run would write down",
            where=where,
            next_step="name the model; its key stands in the provider's environment variable",
        )
