"""The sample table as data in the page: small enough for thousands of rows, harmless whatever a model wrote.

Every column is a list of distinct values and a list of positions in it. Prompts repeat (an article stands in ninety of
them), so each message is stored as the positions of its paragraphs. Offsets into replies, which count characters in
Python, count UTF-16 units here, as a browser does.
"""

import json
import math
from collections.abc import Mapping, Sequence

import polars as pl
from pydantic import JsonValue

from forgetbench.figures import Browser

REPLY_LIMITS = (20_000, 8_000, 2_000)
"""Characters of a reply kept in the page: the first of these with which all texts fit `TEXT_BUDGET`, else the last."""

TEXT_BUDGET = 40_000_000
"""Characters of replies and reasoning in one page; above it browsers on small machines become slow."""

OFFSETS = ("broke_from", "broke_to")
TEXTS = ("reply", "reasoning")
PARAGRAPH = "\n\n"


class _Pool:
    """Distinct values in the order of first use."""

    def __init__(self) -> None:
        self.values: list[JsonValue] = []
        self._places: dict[str, int] = {}

    def place(self, value: JsonValue) -> int:
        """Where this value stands; it is added when new."""
        key = value if isinstance(value, str) else "\0" + json.dumps(value)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


def embed_samples(table: pl.DataFrame, browser: Browser, run: Mapping[str, JsonValue]) -> str:
    """The table as text for `<script type="application/json">`.

    Args:
        table: The sample table, with any benchmark's columns.
        browser: What to filter by and to list.
        run: Facts that an exported sample carries: benchmark, model, decoding, version.
    """
    limit = reply_limit(table)
    paragraphs = _Pool()
    columns: dict[str, JsonValue] = {}
    for name in table.columns:
        values = table[name].to_list()
        if name == "messages":
            values = [_split(text, paragraphs) for text in values]
        elif name in OFFSETS and "reply" in table.columns:
            values = [_utf16(reply, place) for reply, place in zip(table["reply"].to_list(), values, strict=True)]
        elif name in TEXTS:
            values = [None if text is None else text[:limit] for text in values]
        columns[name] = _column(values)
    if "reply" in table.columns:
        columns["reply_length"] = _column(table["reply"].str.len_chars().to_list())
    payload = {
        "run": dict(run),
        "rows": table.height,
        "reply_limit": limit,
        "filters": [{"key": column.key, "label": column.label} for column in browser.filters],
        "shown": [{"key": column.key, "label": column.label, "kind": column.kind} for column in browser.shown],
        "paragraphs": paragraphs.values,
        "columns": columns,
    }
    return json_for_page(payload)


def reply_limit(table: pl.DataFrame) -> int:
    """How many characters of each reply the page keeps; the Parquet file has them all."""
    for limit in REPLY_LIMITS:
        total = sum(
            int(table[name].str.len_chars().clip(0, limit).sum() or 0) for name in TEXTS if name in table.columns
        )
        if total <= TEXT_BUDGET:
            return limit
    return REPLY_LIMITS[-1]


def json_for_page(payload: object) -> str:
    """JSON that cannot end its script element, open a comment or break a line: <, >, & and U+2028/9 are escaped."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _column(values: Sequence[object]) -> JsonValue:
    pool = _Pool()
    places: list[JsonValue] = [pool.place(_plain(value)) for value in values]
    return {"values": pool.values, "rows": places}


def _plain(value: object) -> JsonValue:
    """The value as JSON has it; what is no number is null."""
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    if value is None or isinstance(value, str | int | bool):
        return value
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    raise TypeError(f"a sample table holds no {type(value).__name__}")


def _split(text: str | None, paragraphs: _Pool) -> list[JsonValue]:
    """Messages as [role, [paragraph positions]]; what is no list of messages is kept as one."""
    try:
        messages = json.loads(text or "[]")
        pairs = [(str(message["role"]), message["content"]) for message in messages]
    except (json.JSONDecodeError, TypeError, KeyError):
        pairs = [("unreadable", text or "")]
    return [[role, [paragraphs.place(part) for part in _words(content).split(PARAGRAPH)]] for role, content in pairs]


def _words(content: object) -> str:
    """A message's text; parts that are no text (pictures) as their JSON, shortened by whoever logged them."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _utf16(reply: str | None, place: int | None) -> int | None:
    return None if place is None or reply is None else len(reply[:place].encode("utf-16-le")) // 2
