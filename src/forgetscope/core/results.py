"""The sample table: one tidy row a sample, status always. Every published figure is computed from it.

The core columns are the same for all benchmarks; a benchmark adds its factors and scores. `io.tables` writes and reads
it; it can be made again from the logs.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

import polars as pl

from forgetscope.core.outcomes import FinishReason, Status

CORE_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "benchmark": pl.String,
    "model": pl.String,
    "sample_id": pl.String,
    "item": pl.String,
    "form": pl.String,
    "seed": pl.Int64,
    "status": pl.String,
    "raw_pass": pl.Boolean,
    "finish_reason": pl.String,
    "input_tokens": pl.Int64,
    "output_tokens": pl.Int64,
    "seconds": pl.Float64,
    "looped": pl.Boolean,
    "messages": pl.String,
    "reply": pl.String,
    "reasoning": pl.String,
    "error": pl.String,
}
"""Columns of every benchmark. `messages` is the JSON of what was sent; `seconds` is wall time of the call."""

Value = str | int | float | bool | None | list[str] | list[bool] | list[bool | None]


@dataclass(frozen=True)
class Completion:
    """What came back for one sample, whatever the provider.

    Attributes:
        reply: The answer without its reasoning; empty when there was none.
        reasoning: What the provider split off, or None when there is none.
        error: The last error's message when there is no reply.
    """

    reply: str
    finish_reason: FinishReason
    reasoning: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None
    error: str = ""

    @property
    def has_text(self) -> bool:
        """Whether there is anything a reader could see: zero-width characters and blanks of any kind are nothing."""
        return any(unicodedata.category(mark)[0] in "LNPS" and mark not in _BLANKS for mark in self.reply)


_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs by category that no font shows."""


def status_of_call(completion: Completion) -> Status | None:
    """The status that follows from how the call ended alone; None when the reply has to be read."""
    if completion.finish_reason is FinishReason.CONTEXT and not (completion.has_text or completion.output_tokens):
        return Status.NOT_SENT
    if completion.finish_reason is FinishReason.ERROR:
        return Status.MODEL_ERROR
    if completion.finish_reason is FinishReason.CONTENT_FILTER:
        return Status.REFUSED
    if completion.finish_reason in (FinishReason.LENGTH, FinishReason.CONTEXT):
        return Status.TRUNCATED
    if not completion.has_text:
        return Status.INVALID_FORMAT
    return None


def build_table(
    rows: Iterable[Mapping[str, Value]], extra_schema: Mapping[str, pl.DataType | type[pl.DataType]]
) -> pl.DataFrame:
    """Rows as a table with the core columns first; a row with a column nobody declared is an error.

    Rows are taken a thousand at a time, so that a run of any size can stream them.

    Raises:
        ValueError: a row misses a column or has one that the schema does not name.
    """
    schema = {**CORE_SCHEMA, **extra_schema}
    left, parts = iter(rows), [pl.DataFrame(schema=schema)]
    while taken := list(islice(left, _ROWS_AT_ONCE)):
        for row in taken:
            if row.keys() != schema.keys():
                odd = sorted(row.keys() ^ schema.keys())
                raise ValueError(f"row {row.get('sample_id')!r} does not fit the schema: {', '.join(odd)}")
        parts.append(pl.DataFrame(taken, schema=schema, orient="row"))
    return pl.concat(parts, rechunk=True)


_ROWS_AT_ONCE = 1000


def repeats_itself(text: str, *, times: int = 4, shortest: int = 8, longest: int = 600) -> bool:
    """Whether the text ends in a loop: some piece of `shortest` to `longest` characters, `times` times in a row.

    The last copy may be cut. Numbered loops ("1. Paris 2. Paris ...") are found after digits are taken out.
    """
    tail = "".join(character for character in text[-longest * times :] if not character.isdigit())
    return any(_ends_in_copies(tail, period, times) for period in range(shortest, min(longest, len(tail) // times) + 1))


def _ends_in_copies(text: str, period: int, times: int) -> bool:
    """Whether the last `period * times` characters have this period."""
    end = len(text)
    span = period * times
    return text[end - span + period : end] == text[end - span : end - period]
