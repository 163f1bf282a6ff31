"""What became of the samples, for the first page: counts, a bar, and the facts that change how to read the rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import polars as pl

from forgetscope.core.outcomes import Status

MEANINGS: dict[Status, str] = {
    Status.CORRECT: "did what was asked",
    Status.INCORRECT: "answered, and failed",
    Status.REFUSED: "declined to answer",
    Status.INVALID_FORMAT: "no answer to read",
    Status.TRUNCATED: "cut off by the token limit",
    Status.JUDGE_UNPARSEABLE: "the judge's verdict could not be read",
    Status.MODEL_ERROR: "no reply after all retries",
    Status.JUDGE_ERROR: "no verdict after all retries",
    Status.NOT_SENT: "longer than the context window",
    Status.INPUT_ERROR: "the picture could not be read",
    Status.POLICY_BLOCK: "blocked by the provider",
}

BAR_WIDTH = 1000


@dataclass(frozen=True)
class OutcomeRow:
    """One status: its name, what it means, how many samples, and their share of all in percent."""

    status: str
    meaning: str
    count: int
    share: float

    @property
    def words(self) -> str:
        """The status as words."""
        return self.status.replace("_", " ")


def account_rows(outcomes: Mapping[str, int]) -> tuple[OutcomeRow, ...]:
    """Statuses that occurred, in the order of `Status`."""
    total = sum(outcomes.values())
    return tuple(
        OutcomeRow(status.value, MEANINGS[status], outcomes[status.value], 100 * outcomes[status.value] / total)
        for status in Status
        if outcomes.get(status.value)
    )


def status_bar(rows: tuple[OutcomeRow, ...], *, prefix: str) -> str:
    """A single stacked bar of the shares, as SVG; the table beside it says the same in numbers."""
    if not rows:
        return ""
    words = escape(", ".join(f"{row.words} {row.share:.1f}%" for row in rows))
    parts, left = [], 0.0
    for row in rows:
        width = BAR_WIDTH * row.share / 100
        shown = max(width - 2, 1)
        parts.append(f'<rect class="bar-{row.status}" x="{left:.1f}" y="0" width="{shown:.1f}" height="20"/>')
        left += width
    return (
        f'<svg class="status-bar" viewBox="0 0 {BAR_WIDTH} 20" preserveAspectRatio="none" role="img" '
        f'aria-labelledby="{prefix}-title"><title id="{prefix}-title">{words}</title>{"".join(parts)}</svg>'
    )


def notable_facts(table: pl.DataFrame) -> tuple[str, ...]:
    """Sentences on loops, empty replies and length, only where there is something to say."""
    rows = table.height
    if not rows:
        return ("No samples.",)
    facts = []
    looped = int(table["looped"].fill_null(value=False).sum())
    if looped:
        facts.append(f"{looped:,} of {rows:,} replies ({100 * looped / rows:.0f}%) end in a loop.")
    cut = int((table["status"] == Status.TRUNCATED.value).sum())
    ended = table.filter(pl.col("finish_reason") == "stop")["output_tokens"].drop_nulls()
    if cut and ended.len():
        facts.append(
            f"{cut:,} replies were cut off. Those that ended by themselves took {_median(ended):,.0f} tokens "
            f"(median), {int(ended.quantile(0.95) or 0):,} at the 95th percentile."
        )
    elif cut:
        facts.append(f"{cut:,} replies were cut off, and none ended by itself.")
    return tuple(facts)


def _median(values: pl.Series) -> float:
    middle = values.median()
    return float(middle) if isinstance(middle, int | float) else 0.0
