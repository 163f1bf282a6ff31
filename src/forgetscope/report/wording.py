"""How numbers and foreign text are written: units, intervals, p values, and characters that would not be seen."""

import math
import re

from pydantic import JsonValue

from forgetscope.findings.figures import Cell, Column, Interval, Unit

MINUS = "\N{MINUS SIGN}"
ABSENT = "–"
"""What stands where there is no number."""

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Controls, direction overrides, zero-width and tag characters; tab and newline are left alone."""

_SCALED: dict[str, float] = {"percent": 100, "points": 100, "proportion": 100}
_SUFFIX: dict[str, str] = {
    "proportion": "%",
    "points": "percentage points",
    "tokens": "tokens",
    "seconds": "s",
}
_COLUMN_UNIT = {"percent": "%", "points": "pp", "size": "pp"}
_KIND_OF_UNIT: dict[Unit, str] = {
    "proportion": "percent",
    "points": "points",
    "count": "integer",
    "tokens": "number",
    "seconds": "number",
    "p": "p",
    "h": "number",
    "ratio": "number",
}


def visible(text: str) -> str:
    """The text with every character that cannot be seen, or that turns the line around, spelled as [U+202E]."""
    return _UNSEEN.sub(lambda match: f"[U+{ord(match[0]):04X}]", text)


def shorten(text: str, longest: int) -> str:
    """The text, cut with an ellipsis when it has more than `longest` characters."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def scale_of(unit: Unit) -> float:
    """What a value of this unit is multiplied with to be shown: 100 for proportions and points."""
    return _SCALED.get(unit, 1)


def unit_words(unit: Unit) -> str:
    """The unit as it stands on an axis; empty where the number needs none."""
    return _SUFFIX.get(unit, "")


def kind_of(unit: Unit) -> str:
    """The column kind that writes this unit."""
    return _KIND_OF_UNIT[unit]


def column_unit(column: Column) -> str:
    """The unit in a column's heading; empty for text, counts, plain numbers and p values."""
    return _COLUMN_UNIT.get(column.kind, "")


def finite(value: float | None) -> float | None:
    """The number, or None for what is no number (NaN, infinities)."""
    return value if value is not None and math.isfinite(value) else None


def write_number(value: float | None, kind: str) -> str:
    """A number as its column kind writes it; the unit stands in the heading.

    >>> write_number(0.6123, "percent"), write_number(-0.05, "points"), write_number(0.0004, "p")
    ('61.2', '−5.0', '<0.001')
    """
    if value is None or not math.isfinite(value):
        return ABSENT
    if kind in ("percent", "size"):
        return _signed(f"{100 * value:.1f}")
    if kind == "points":
        return _plus(f"{100 * value:+.1f}")
    if kind == "p":
        return "<0.001" if value < 0.001 else f"{value:.3f}"
    if kind == "integer":
        return _signed(f"{value:,.0f}")
    if kind == "number":
        return _signed(f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}")
    raise ValueError(f"no way to write a number as {kind!r}")


def write_interval(interval: Interval, kind: str) -> str:
    """A number with its interval in one line: ``61.2 [51.0, 70.4]``."""
    number = write_number(interval.value, kind)
    if finite(interval.low) is None or finite(interval.high) is None:
        return number
    return f"{number} [{write_number(interval.low, kind)}, {write_number(interval.high, kind)}]"


def write_cell(value: Cell | Interval, kind: str) -> str:
    """Any cell as text, numbers by the column's kind, the unseen made visible."""
    if isinstance(value, Interval):
        return write_interval(value, kind if kind != "text" else "number")
    if value is None:
        return ABSENT
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return visible(value)
    if kind == "text":
        return write_number(value, "integer" if isinstance(value, int) else "number")
    return write_number(value, kind)


def _signed(text: str) -> str:
    """A real minus, and no minus before zero."""
    if text.startswith("-"):
        return MINUS + text[1:] if any(digit in text for digit in "123456789") else text[1:]
    return text


def _plus(text: str) -> str:
    """A sign always, none before zero."""
    return text[1:] if not any(digit in text for digit in "123456789") else text.replace("-", MINUS)


def setting_words(value: JsonValue) -> str:
    """A setting as a person reads it: lists with commas, records by their fields that are set.

    >>> setting_words([{"kind": "npo", "beta": 0.1, "cap": None}, "all"]), setting_words(True)
    ('npo (beta 0.1), all', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(setting_words(entry) for entry in value)
    if isinstance(value, dict):
        kind = value.get("kind")
        fields = [
            f"{name.replace('_', ' ')} {setting_words(entry)}"
            for name, entry in value.items()
            if entry is not None and name != "kind"
        ]
        said = ", ".join(fields)
        return said if kind is None else f"{kind} ({said})" if said else str(kind)
    return str(value)
