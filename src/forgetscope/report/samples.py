"""The sample table as data in the page: small enough for thousands of rows, harmless whatever a model wrote.

Every column is a list of distinct values and a list of positions in it. Prompts repeat (an article stands in ninety of
them, a dialogue in two forms at eight lengths), so a sample's messages are positions in a list of distinct turns, and
a turn is its role, the positions of its paragraphs, its part of the dialogue and whether the model under test said it.
Offsets into replies, which count characters in Python, count UTF-16 units
here, as a browser does. How samples are read is the `Browser`'s to say, by the names of columns.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import polars as pl
from pydantic import JsonValue

from forgetscope.core.json_values import json_value
from forgetscope.findings.figures import Browser, Column

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
    texts = (*TEXTS, *(answer.key for answer in browser.answers))
    limit = reply_limit(table, texts)
    turns, paragraphs = _Pool(), _Pool()
    columns: dict[str, JsonValue] = {}
    for name in table.columns:
        if name in browser.left_out:
            continue
        values = table[name].to_list()
        if name == "messages":
            values = [_split(text, turns, paragraphs, limit) for text in values]
        elif name in OFFSETS and "reply" in table.columns:
            values = [_utf16(reply, place) for reply, place in zip(table["reply"].to_list(), values, strict=True)]
        elif name in texts:
            values = [None if text is None else text[:limit] for text in values]
        columns[name] = _column(values)
    if "reply" in table.columns:
        columns["reply_length"] = _column(table["reply"].str.len_chars().to_list())
    payload = {
        "run": dict(run),
        "rows": table.height,
        "reply_limit": limit,
        "filters": [_named(column) for column in browser.filters],
        "shown": [_named(column) for column in browser.shown],
        "together": list(browser.together),
        "apart": None if browser.apart is None else _named(browser.apart),
        "parts": [asdict(part) for part in browser.parts],
        "markings": [asdict(marking) for marking in browser.markings],
        "answers": [asdict(answer) for answer in browser.answers],
        "checklists": [asdict(checklist) for checklist in browser.checklists],
        "choices": [
            {**asdict(choice), "places": [_named(column) for column in choice.places]} for choice in browser.choices
        ],
        "picture": list(browser.picture),
        "turns": turns.values,
        "paragraphs": paragraphs.values,
        "columns": columns,
    }
    return json_for_page(payload)


def _named(column: Column) -> dict[str, JsonValue]:
    return {"key": column.key, "label": column.label, "kind": column.kind, "names": dict(column.names)}


def reply_limit(table: pl.DataFrame, texts: Sequence[str] = TEXTS) -> int:
    """How many characters of each of these texts the page keeps; the Parquet file has them all."""
    for limit in REPLY_LIMITS:
        total = sum(
            int(table[name].str.len_chars().clip(0, limit).sum() or 0) for name in texts if name in table.columns
        )
        if total <= TEXT_BUDGET:
            return limit
    return REPLY_LIMITS[-1]


_SMALL_PICTURE = re.compile(r"data:image/(?:webp|jpeg|png);base64,[A-Za-z0-9+/]+=*")


def embed_pictures(pictures: Mapping[str, str]) -> str:
    """Small pictures by name, as text for `<script type="application/json">`.

    Raises:
        ValueError: one is no picture in base64: an address would be fetched, an SVG could hold anything.
    """
    for name, uri in pictures.items():
        if not _SMALL_PICTURE.fullmatch(uri):
            raise ValueError(f"{name} is no small picture but {uri[:40]!r}")
    return json_for_page(dict(pictures))


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


def _split(text: str | None, turns: _Pool, paragraphs: _Pool, limit: int) -> list[JsonValue]:
    """Messages as positions of turns; what is no list of messages is kept as one.

    What the model under test said in between is cut like its replies.
    """
    try:
        read = [
            (str(message["role"]), message["content"], str(message.get("part", "")), message.get("live") is True)
            for message in json_value(text or "[]")  # type: ignore[attr-defined]  # what is no list is kept as it is
        ]
    except (ValueError, TypeError, KeyError, AttributeError):
        read = [("unreadable", text or "", "", False)]
    placed: list[JsonValue] = []
    for role, content, part, live in read:
        said = _words(content)[: limit if live else None]
        places: list[JsonValue] = [paragraphs.place(paragraph) for paragraph in said.split(PARAGRAPH)]
        placed.append(turns.place([role, places, part, live]))
    return placed


def _words(content: object) -> str:
    """A message's text; of parts, the texts, a picture as its path, and what is neither as its JSON."""
    if isinstance(content, dict) and content.get("type") == "image" and isinstance(content.get("image"), str):
        return f"[picture {content['image']}]"
    if isinstance(content, list):
        return PARAGRAPH.join(_words(part["text"] if _is_text(part) else part) for part in content)
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _is_text(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)


def _utf16(reply: str | None, place: int | None) -> int | None:
    return None if place is None or reply is None else len(reply[:place].encode("utf-16-le")) // 2
