"""Keys and passwords: what looks like one, and the texts in which none may stay.

A run writes down how it was started and what providers said. Neither may hold a secret: an argument that looks like
one is kept by the name of its environment variable, and wherever a text of a provider repeats one, the name stands in
its place.
"""

import base64
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from pydantic import JsonValue

from forgetscope.core.errors import SettingError

FROM_ENVIRONMENT = "env:"
"""Before the name of an environment variable that holds an argument's value: `-M api_key=env:MY_KEY`."""

SHORTEST = 8
"""Characters: what is shorter in a variable that is named like a secret is a flag or a test's word, not a secret."""

_ANYWHERE = {"apikey", "token", "secret", "password", "passwd", "passphrase", "credential", "credentials"}
"""Words that make a variable's name one of a secret wherever they stand, as does `api` before `key`: API_KEY_2."""
_NAMES = _ANYWHERE | {"key", "keys", "apikeys", "secrets", "pwd", "pat", "jwt", "sig", "signature"}
_NAMES |= {"authorization", "auth", "bearer", "cookie"}
"""The last word of a name that holds a secret."""
_COUNTED = {"max", "min", "num", "n", "count", "limit", "per", "budget", "pad", "eos", "bos"}
"""Words beside which a token is one of a text."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_PLAIN_WORD = re.compile(r"[a-z]+(?:[ _-][a-z]+){0,3}", re.IGNORECASE)
"""What people put where a server asks for a key and wants none: `not-needed`. To mask it would change replies."""

_LIKE_A_KEY = re.compile(
    r"\b(?:sk-|pk-|rk-|gsk_|xai-|hf_|ghp_|github_pat_|glpat-|xox[abp]-|AIza|AKIA|ya29\.|eyJ)[\w.+/=-]{12,}"
)
"""How the keys of well-known providers begin."""


def looks_secret(name: str) -> bool:
    """Whether an argument or variable of this name holds a secret.

    >>> [looks_secret(name) for name in ("api_key", "accessKey", "hf-token", "max_tokens", "max_token", "keyword")]
    [True, True, True, False, False, False]
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    return bool(words) and words[-1] in _NAMES and not _COUNTED.intersection(words)


def _may_hold_secret(variable: str) -> bool:
    """Whether an environment variable of this name may: it is masked only, so one too many does little harm."""
    words = [word.lower() for word in _WORDS.findall(variable)]
    named = _ANYWHERE.intersection(words) or ("api", "key") in pairwise(words)
    return looks_secret(variable) or bool(named and not _COUNTED.intersection(words))


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
    if not is_named and not _LIKE_A_KEY.search(text) and masked(text) == text:
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
    _used.add(value.removeprefix(FROM_ENVIRONMENT))
    return _looked_up(value, where)


_used: set[str] = set()
"""Environment variables that were given as arguments: what they hold is a secret whatever they are called."""


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
        asked = [pair.partition("=")[0] for pair in (*parts.query.split("&"), *parts.fragment.split("&"))]
        holds = parts.username is not None or any(map(looks_secret, asked))
        holds = holds or masked(address) != address or bool(_LIKE_A_KEY.search(unquote(address)))
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

    A secret is known as it is, with its signs escaped for an address, in base64 and in hexadecimal digits.

    >>> os.environ["SOME_API_KEY"] = "sk-123456789"
    >>> masked("Incorrect API key provided: sk-123456789.")
    'Incorrect API key provided: [SOME_API_KEY].'
    >>> del os.environ["SOME_API_KEY"]
    """
    return _masked(text, _written(tuple(os.environ.items()), frozenset(_used)))


def _masked(text: str, ways: "_Ways") -> str:
    for written, name in ways:
        if written in text:
            text = text.replace(written, f"[{name}]")
    return text


_Ways = tuple[tuple[str, str], ...]
"""Every way a secret may be written, with its variable's name."""


def masked_json(value: JsonValue) -> JsonValue:
    """The value with every text in it masked, names too."""
    return _masked_json(value, _written(tuple(os.environ.items()), frozenset(_used)))


def _masked_json(value: JsonValue, ways: _Ways) -> JsonValue:
    if isinstance(value, str):
        return _masked(value, ways)
    if isinstance(value, list):
        return [_masked_json(part, ways) for part in value]
    if isinstance(value, dict):
        return {_masked(name, ways): _masked_json(part, ways) for name, part in value.items()}
    return value


@lru_cache(maxsize=8)
def _written(environment: tuple[tuple[str, str], ...], used: frozenset[str]) -> _Ways:
    """The ways of all secrets of an environment; the longest first, for one may begin with another."""
    found = {way: name for value, name in _secrets(environment, used) for way in _ways(value)}
    return tuple(sorted(found.items(), key=lambda entry: -len(entry[0])))


def _secrets(environment: Iterable[tuple[str, str]], used: frozenset[str]) -> Iterator[tuple[str, str]]:
    for name, value in environment:
        if len(value) < SHORTEST:
            continue
        is_path = value.startswith("/") and len(value) < 1000 and Path(value).exists()
        if name in used or (_may_hold_secret(name) and not is_path and not _PLAIN_WORD.fullmatch(value)):
            yield value, name
        elif "://" in value and "@" in value:  # a proxy's or a database's address
            try:
                password = urlsplit(value).password or ""
            except ValueError:
                continue
            if len(password) >= SHORTEST:
                yield password, name
                yield unquote(password), name


_SURE = 12
"""Signs of an encoded secret that are enough to know it by."""


def _ways(secret: str) -> Iterator[str]:
    """How a secret may stand in a text: as it is, and encoded, also within something longer."""
    raw = secret.encode()
    yield secret
    yield quote(secret, safe="")
    yield raw.hex()
    yield raw.hex().upper()
    for before in range(3):  # base64 takes three bytes at a time, and the secret may begin at any of them
        whole = base64.b64encode(b"\0" * before + raw).decode()
        inner = whole[-(-8 * before // 6) : 8 * (before + len(raw)) // 6]
        if len(inner) >= _SURE:
            yield inner
            yield inner.replace("+", "-").replace("/", "_")
