"""What became of the samples of a cell, as figures: statuses, cut-off replies, loops, refusals, completeness."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from forgetscope.core.outcomes import Account, Status
from forgetscope.diagnostics.token_limit import suggest_limit
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import plain


@dataclass(frozen=True)
class OutcomeCell:
    """A cell of the outcome tables.

    Attributes:
        factors: Of its figures.
        frame: The samples the table holds of it.
        planned: How many there should be; those missing count as lost.
    """

    factors: dict[str, Cell]
    frame: pl.DataFrame
    planned: int

    @property
    def missing(self) -> int:
        """Planned samples the table does not hold."""
        return self.planned - self.frame.height

    @property
    def account(self) -> Account:
        """The account of the samples there are."""
        return Account.of(self.frame["status"], self.frame["raw_pass"])


def outcome_figures(cell: OutcomeCell, max_tokens: int) -> Iterator[Figure]:
    """Counts per status, shares of cut, looping, refused and unreadable replies, completeness, a token limit.

    Names begin with `outcomes.`. Counts over statuses and those missing sum to the samples planned.
    """
    factors, frame, planned, found = cell.factors, cell.frame, cell.planned, cell.account
    yield plain("outcomes.planned", factors, planned, planned, unit="count", method="samples planned")
    yield plain("outcomes.attempted", factors, found.attempted, planned, unit="count", method="samples sent")
    missing = "planned samples the sample table does not hold"
    yield plain("outcomes.missing", factors, cell.missing, planned, unit="count", method=missing)
    for status in Status:
        yield plain(
            f"outcomes.status.{status.value}",
            factors,
            found.counts.get(status, 0),
            planned,
            unit="count",
            method="samples that ended so",
        )
    with_text = int((frame["reply"].str.strip_chars() != "").sum())
    for name, count, total, of in (
        ("truncated", found.counts.get(Status.TRUNCATED, 0), found.attempted, "samples sent"),
        ("looped", int((frame["looped"] & (frame["reply"] != "")).sum()), with_text, "replies with text"),
        ("refused", found.counts.get(Status.REFUSED, 0), found.attempted, "samples sent"),
        ("invalid_format", found.counts.get(Status.INVALID_FORMAT, 0), found.attempted, "samples sent"),
    ):
        yield _share(f"outcomes.share.{name}", factors, count, total, of)
    lost = sum(count for status, count in found.counts.items() if status.is_lost) + cell.missing
    yield plain(
        "outcomes.completeness",
        factors,
        1 - lost / planned if planned else None,
        planned,
        unit="proportion",
        method="1 - (model_error + judge_error + judge_unparseable + missing) / planned",
        note="" if planned else "nothing planned",
    )
    limit = suggest_limit(frame, max_tokens)
    yield plain(
        "outcomes.suggested_max_tokens",
        factors,
        limit.suggested,
        found.attempted,
        unit="tokens",
        method="from the lengths of the replies that ended",
        note=limit.why,
    )


def _share(name: str, factors: dict[str, Cell], count: int, total: int, of: str) -> Figure:
    value = count / total if total else None
    return plain(name, factors, value, total, unit="proportion", method=f"of {of}", note="" if total else f"no {of}")
