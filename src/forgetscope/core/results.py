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

ColumnKind = pl.DataType | type[pl.DataType]
"""Type of a column, as Polars has it."""


@dataclass(frozen=True)
class SampleColumn:
    """A column of the sample table: its type and what stands in it, the source of `docs/reference/sample-table.md`."""

    kind: ColumnKind
    means: str


def kinds_of(columns: Mapping[str, SampleColumn]) -> dict[str, ColumnKind]:
    """The types of columns by their names."""
    return {name: column.kind for name, column in columns.items()}


CORE_COLUMNS: Mapping[str, SampleColumn] = {
    "benchmark": SampleColumn(pl.String, "name of the benchmark"),
    "model": SampleColumn(pl.String, "the model under test, as it was named"),
    "sample_id": SampleColumn(pl.String, "`BENCHMARK/ITEM/FORM` and `/FACTOR=VALUE` for every further factor; unique"),
    "item": SampleColumn(pl.String, "what is asked about, with all its forms the unit of pairs and of most intervals"),
    "form": SampleColumn(pl.String, "the form in which the item is put"),
    "seed": SampleColumn(pl.Int64, "seed of the sample's draws"),
    "status": SampleColumn(pl.String, "the one outcome, always there: [outcomes](../concepts.md#outcomes)"),
    "raw_pass": SampleColumn(pl.Boolean, "what the paper's own scorer says of the text; null where it says nothing"),
    "finish_reason": SampleColumn(pl.String, "`stop`, `length`, `content_filter`, `context`, `error`, `unknown`"),
    "input_tokens": SampleColumn(pl.Int64, "tokens of the prompt, as the provider counts"),
    "output_tokens": SampleColumn(pl.Int64, "tokens of the reply, reasoning with it, as the provider counts"),
    "seconds": SampleColumn(pl.Float64, "wall time of the call"),
    "looped": SampleColumn(pl.Boolean, "whether the reply ends by repeating itself"),
    "messages": SampleColumn(pl.String, "what was sent, as JSON"),
    "reply": SampleColumn(pl.String, "the answer without its reasoning; empty where there was none"),
    "reasoning": SampleColumn(pl.String, "what the provider split off, or a think block said; else empty"),
    "error": SampleColumn(pl.String, "the last error's message where there is no reply"),
}
"""Columns of every benchmark."""

CORE_SCHEMA = kinds_of(CORE_COLUMNS)
"""Their types."""

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


def build_table(rows: Iterable[Mapping[str, Value]], extra_schema: Mapping[str, ColumnKind]) -> pl.DataFrame:
    """Rows as a table with the core columns first; a row with a column nobody declared is an error.

    Rows are taken a thousand at a time, so that a run of any size can stream them.

    Raises:
        ValueError: a row misses a column or has one that the schema does not name.
    """
    schema = {**CORE_SCHEMA, **extra_schema}
    left, parts = iter(rows), [pl.DataFrame(schema=schema)]
    while taken := list(islice(left, ROWS_AT_ONCE)):
        for row in taken:
            if row.keys() != schema.keys():
                odd = sorted(row.keys() ^ schema.keys())
                raise ValueError(f"row {row.get('sample_id')!r} does not fit the schema: {', '.join(odd)}")
        parts.append(pl.DataFrame(taken, schema=schema, orient="row"))
    return pl.concat(parts, rechunk=True)


ROWS_AT_ONCE = 1000


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
