"""JSON that somebody else wrote, as plain values: bounded in depth, and every text a text."""

import json
import re

DEEPEST = 100
"""Lists and objects inside each other; data nests five deep, and what is deeper breaks whoever walks through it."""


def json_value(text: str) -> object:
    """A JSON text as a value.

    Half a surrogate pair, which a cut reply may hold and no file can, becomes the replacement character.

    >>> json_value('{"size": [3]}')
    {'size': [3]}

    Raises:
        ValueError: it is none (`json.JSONDecodeError` says where), or none that can be read (`require_bounded`).
    """
    require_bounded(text)
    value: object = json.loads(text)
    return without_half_pairs(value) if "\\ud" in text or "\\uD" in text else value


def json_object(text: str) -> dict[str, object]:
    """A JSON text as an object.

    Raises:
        ValueError: it is none, or none that can be read.
    """
    value = json_value(text)
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    return value


class LargeNumberError(ValueError):
    """A whole number is larger than any column can hold."""


def require_bounded(text: str) -> None:
    """See that any parser can read a JSON text in time and memory that grow with its length, and any table keep it.

    Raises:
        ValueError: lists and objects are nested too deeply in it, or a whole number is larger than a column can hold.
    """
    is_flat = text.count("[") + text.count("{") <= DEEPEST
    if is_flat and not _LONG_NUMBER.search(text):
        return
    bare = _TEXT.sub("", text)
    if any(abs(int(found[0][:20])) > LARGEST_WHOLE for found in _LONG_NUMBER.finditer(bare)):
        raise LargeNumberError("a number too large for any table")
    depth = 0
    for sign in () if is_flat else bare.translate(_BRACKETS):
        depth += (sign in "[{") - (sign in "]}")
        if depth > DEEPEST:
            raise ValueError("nested too deeply")


LARGEST_WHOLE = 2**63 - 1
"""Number that a column of whole numbers can hold."""

_TEXT = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_LONG_NUMBER = re.compile(r"(?<![0-9.])[0-9]{19,}(?![0-9.eE])")
_BRACKETS = str.maketrans("", "", "".join(map(chr, set(range(128)) - set(b"[]{}"))))


def require_shallow(value: object) -> None:
    """See that lists and objects are not nested too deeply.

    Raises:
        ValueError: they are.
    """
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise ValueError("nested too deeply")


def without_half_pairs(value: object) -> object:
    """The value with every text in it as `encodable` has it."""
    match value:
        case str():
            return encodable(value)
        case list():
            return [without_half_pairs(inner) for inner in value]
        case dict():
            pairs = ((encodable(key) if isinstance(key, str) else key, inner) for key, inner in value.items())
            return {key: without_half_pairs(inner) for key, inner in pairs}
    return value


def encodable(text: str) -> str:
    """The text without lone surrogates, which JSON can carry and no file in UTF-8 can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
