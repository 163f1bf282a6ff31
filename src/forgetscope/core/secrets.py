"""Keys and passwords: what looks like one, and the texts in which none may stay.

A run writes down how it was started (`running.secret_arguments`) and what providers said. Neither may hold a secret:
wherever a text of a provider repeats one, or a long run of one, the name of its environment variable stands in its
place.
"""

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import pairwise, takewhile
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote, urlsplit

from pydantic import JsonValue

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

LIKE_A_KEY = re.compile(
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


_used: set[str] = set()


def note_used(variable: str) -> None:
    """Take what an environment variable holds for a secret from here on, whatever it is called."""
    _used.add(variable)


def masked(text: str) -> str:
    """The text with the name of the variable in place of every secret of this process's environment.

    A secret is known as it is, with its signs escaped for addresses, Python, JSON and HTML, in base64 and in
    hexadecimal digits; of a long one also every run of `SHORTEST_RUN` signs, forwards or backwards.

    >>> os.environ["SOME_API_KEY"] = "sk-123456789abcdefgh"
    >>> masked("Incorrect API key provided: sk-123456789abc...")
    'Incorrect API key provided: [SOME_API_KEY]...'
    >>> del os.environ["SOME_API_KEY"]
    """
    return _masked(text, _known(tuple(os.environ.items()), frozenset(_used)))


def masked_json(value: JsonValue) -> JsonValue:
    """The value with every text in it masked, names too."""
    return _masked_json(value, _known(tuple(os.environ.items()), frozenset(_used)))


SHORTEST_RUN = 12
"""Signs of a longer secret that are hidden: with fewer, words would be."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A few signs of a written secret; every long run of it holds one of its pieces whole."""

    signs: str
    place: int
    """Where they stand in the writing."""
    written: str
    shortest: int
    """Run."""
    name: str


@dataclass(frozen=True, slots=True)
class _Known:
    whole: tuple[tuple[str, str], ...]
    """Every way a secret may be written, with its variable's name; the longest first: one may begin with another."""
    pieces: tuple[_Piece, ...]


def _masked(text: str, known: _Known) -> str:
    for written, name in known.whole:
        if written in text:
            text = text.replace(written, f"[{name}]")
    for piece in known.pieces:
        if piece.signs in text:
            text = _without_runs(text, piece)
    return text


def _without_runs(text: str, piece: _Piece) -> str:
    """The text without long runs around a piece; the time grows with the text's length, whatever stands in it."""
    kept, begin = [], 0
    at = text.find(piece.signs)
    while at >= 0:
        end = at + len(piece.signs)
        before = _alike(reversed(piece.written[: piece.place]), reversed(text[max(begin, at - piece.place) : at]))
        rest = piece.written[piece.place + len(piece.signs) :]
        after = _alike(rest, text[end : end + len(rest)])
        if before + len(piece.signs) + after >= piece.shortest:
            kept += [text[begin : at - before], f"[{piece.name}]"]
            begin = end + after
        at = text.find(piece.signs, max(begin, at + 1))
    return "".join((*kept, text[begin:]))


def _alike(one: Iterable[str], other: Iterable[str]) -> int:
    """How many signs two texts begin with alike, in whichever case: hexadecimal digits stand in both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0].lower() == pair[1].lower(), zip(one, other, strict=False)))


def _masked_json(value: JsonValue, known: _Known) -> JsonValue:
    if isinstance(value, str):
        return _masked(value, known)
    if isinstance(value, list):
        return [_masked_json(part, known) for part in value]
    if isinstance(value, dict):
        return {_masked(name, known): _masked_json(part, known) for name, part in value.items()}
    return value


@lru_cache(maxsize=8)
def _known(environment: tuple[tuple[str, str], ...], used: frozenset[str]) -> _Known:
    """All secrets of an environment, as they may stand in a text."""
    secrets = tuple(_secrets(environment, used))
    found = {way: name for value, name in secrets for way in _ways(value)}
    pieces = tuple(piece for value, name in secrets for piece in _pieces(value, name))
    return _Known(tuple(sorted(found.items(), key=lambda entry: -len(entry[0]))), pieces)


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
    """How a secret may stand in a text: as it is, escaped, and encoded, also within something longer."""
    for form in {secret, secret.strip(), " ".join(secret.split())}:
        if len(form) < SHORTEST:
            continue
        raw = form.encode(errors="surrogateescape")
        yield from (form, quote(raw, safe=""), quote_plus(raw), escape(form))
        yield from (shown[1:-1] for shown in (repr(form), json.dumps(form), json.dumps(form, ensure_ascii=False)))
        yield repr(raw)[2:-1]
        yield from (raw.hex(), raw.hex().upper())
        for inner in _in_base64(raw):
            yield inner
            yield inner.replace("+", "-").replace("/", "_")


def _in_base64(raw: bytes) -> Iterator[str]:
    """What stands of it in any longer base64: three bytes are taken at a time, and it may begin at any of them."""
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + raw).decode()
        inner = whole[-(-8 * before // 6) : 8 * (before + len(raw)) // 6]
        if len(inner) >= _SURE:
            yield inner


_WORDS_ALONE = re.compile(r"[a-z]+(?:[._-][a-z]+)*", re.IGNORECASE)


def _pieces(secret: str, name: str) -> Iterator[_Piece]:
    """What to look for so that no run of the shortest length is missed; nothing of paths, addresses, JSON and words."""
    if secret.startswith(("/", "{", "[")) or "://" in secret:
        return
    for part in secret.split():
        if len(part) < SHORTEST_RUN or _WORDS_ALONE.fullmatch(part):
            continue
        raw = part.encode(errors="surrogateescape")
        yield from _cut(part, SHORTEST_RUN, name)
        yield from _cut(part[::-1], SHORTEST_RUN, name)
        for digits in (raw.hex(), raw.hex().upper()):
            yield from _cut(digits, 2 * SHORTEST_RUN, name)
        for inner in _in_base64(raw):
            yield from _cut(inner, 4 * SHORTEST_RUN // 3, name)


def _cut(written: str, shortest: int, name: str) -> Iterator[_Piece]:
    """Pieces of half a run, set so that a whole one lies in every run of the shortest length."""
    size = shortest // 2
    for place in range(0, len(written) - size + 1, shortest - size + 1):
        yield _Piece(written[place : place + size], place, written, shortest, name)
