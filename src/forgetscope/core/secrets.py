"""Keys and passwords: what looks like one, and the texts in which none may stay.

A run writes down how it was started and what providers said. Neither may hold a secret: an argument that looks like
one is kept by the name of its environment variable, and wherever a text of a provider repeats one, the name stands in
its place.
"""

import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import JsonValue

from forgetscope.core.errors import SettingError

FROM_ENVIRONMENT = "env:"
"""Before the name of an environment variable that holds an argument's value: `-M api_key=env:MY_KEY`."""

SHORTEST = 8
"""Characters: what is shorter in a variable that is named like a secret is a flag or a test's word, not a secret."""

_NAME = re.compile(
    r"(?:^|[_.-])(?:api[_-]?)?(?:key|keys|token|secret|password|passwd|pwd|credentials?|authorization|auth|bearer)$",
    re.IGNORECASE,
)


def looks_secret(name: str) -> bool:
    """Whether an argument or variable of this name holds a secret.

    >>> [looks_secret(name) for name in ("api_key", "OPENAI_API_KEY", "hf-token", "max_tokens", "keyword", "tokenizer")]
    [True, True, True, False, False, False]
    """
    return bool(_NAME.search(name))


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
    if not isinstance(value, str):
        return value
    if value.startswith(FROM_ENVIRONMENT):
        _looked_up(value, where)
        return value
    if not looks_secret(name) and value not in _secrets():
        return value
    variable = next((one for one, held in os.environ.items() if held == value), None)
    if variable is None:
        raise SettingError(
            f"{name} looks like a secret, which a run would write down",
            where=where,
            allowed=f"{name}={FROM_ENVIRONMENT}VARIABLE",
            next_step=f"export VARIABLE=..., then give {name}={FROM_ENVIRONMENT}VARIABLE",
        )
    return f"{FROM_ENVIRONMENT}{variable}"


def with_secrets(arguments: Mapping[str, JsonValue], where: str) -> dict[str, JsonValue]:
    """The arguments with what `env:NAME` stands for.

    Raises:
        SettingError: a variable is not set.
    """
    return {
        name: with_secrets(value, where)
        if isinstance(value, Mapping)
        else _looked_up(value, where)
        if isinstance(value, str) and value.startswith(FROM_ENVIRONMENT)
        else value
        for name, value in arguments.items()
    }


def _looked_up(value: str, where: str) -> str:
    variable = value.removeprefix(FROM_ENVIRONMENT)
    if variable not in os.environ:
        raise SettingError("no such environment variable", where=where, found=variable, next_step=f"export {variable}=")
    return os.environ[variable]


def require_no_password(address: str | None, where: str) -> None:
    """See that an address can be written down.

    Raises:
        SettingError: a name or password stands in it, or a secret in its query.
    """
    if address is None:
        return
    try:
        parts = urlsplit(address)
        asked = [pair.partition("=")[0] for pair in parts.query.split("&")]
        holds = parts.username is not None or any(map(looks_secret, asked)) or masked(address) != address
    except ValueError as error:
        raise SettingError("not an address", where=where, found=str(error)) from None
    if holds:
        raise SettingError(
            "the address holds a secret, which a run would write down",
            where=where,
            allowed="an address without name, password or key",
            next_step="give the key by the provider's environment variable, or as -M api_key=env:VARIABLE",
        )


def masked(text: str) -> str:
    """The text with the name of the variable in place of every secret of this process's environment.

    >>> os.environ["SOME_API_KEY"] = "sk-123456789"
    >>> masked("Incorrect API key provided: sk-123456789.")
    'Incorrect API key provided: [SOME_API_KEY].'
    >>> del os.environ["SOME_API_KEY"]
    """
    return _masked(text, _secrets())


def masked_json(value: JsonValue) -> JsonValue:
    """The value with every text in it masked, names too."""
    return _masked_json(value, _secrets())


def _masked(text: str, secrets: Mapping[str, str]) -> str:
    for secret, name in secrets.items():
        if secret in text:
            text = text.replace(secret, f"[{name}]")
    return text


def _masked_json(value: JsonValue, secrets: Mapping[str, str]) -> JsonValue:
    if isinstance(value, str):
        return _masked(value, secrets)
    if isinstance(value, list):
        return [_masked_json(part, secrets) for part in value]
    if isinstance(value, dict):
        return {_masked(name, secrets): _masked_json(part, secrets) for name, part in value.items()}
    return value


def _secrets() -> dict[str, str]:
    """The secrets of the environment with their variables' names, the longest first: one may begin with another."""
    held = {value: name for name, value in os.environ.items() if looks_secret(name) and len(value) >= SHORTEST}
    return dict(sorted(held.items(), key=lambda entry: -len(entry[0])))
