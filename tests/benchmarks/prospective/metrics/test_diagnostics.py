"""What became of the samples."""

import pytest

from forgetscope.core.outcomes import Status
from tests.benchmarks.prospective.metrics.small_tables import Row, answered, figures_of, row

RUN = {"experiment": "all"}


def cut(item: str, *, looped: bool = False, tokens: int = 100) -> Row:
    changes: Row = {"status": "truncated", "finish_reason": "length", "looped": looped, "output_tokens": tokens}
    return row(item, "baseline", "none", False, **changes)


def ended(item: str, tokens: int) -> Row:
    return row(item, "baseline", "none", True, output_tokens=tokens)


def test_counts_over_statuses_sum_to_what_was_planned_in_every_cell() -> None:
    rows = [row("a", "baseline", kept=True), row("b", "baseline"), cut("c"), row("a", "natural", "mmlu", False)]
    index = figures_of(rows)
    for planned in index.named("outcomes.planned"):
        counts = [index.value(f"outcomes.status.{status.value}", **planned.factors) for status in Status]
        assert sum(count or 0 for count in counts) == planned.value


def test_completeness_counts_what_was_lost_and_truncation_what_was_sent() -> None:
    rows = [row("a", "baseline", kept=True), row("b", "baseline"), cut("c"), cut("d", looped=True)]
    rows.append(row("e", "baseline", status="not_sent", finish_reason="context"))
    index = figures_of(rows)
    assert index.value("outcomes.completeness", **RUN) == pytest.approx(4 / 5)
    assert index.value("outcomes.share.truncated", **RUN) == pytest.approx(2 / 4)
    assert index.value("outcomes.share.looped", **RUN) == pytest.approx(1 / 3)


def test_the_load_has_its_own_account_with_bounds() -> None:
    natural = {"experiment": "load", "condition": "natural", "load": "mmlu"}
    rows = [row("a", "baseline", kept=True)]
    rows += [row("a", "natural", "mmlu", True, **answered(True, True))]
    rows += [row("b", "natural", "mmlu", True, **answered(True, False))]
    rows += [row("c", "natural", "mmlu", True, **answered(True, None))]
    rows += [row("d", "natural", "mmlu", True, task_status="truncated", task_paper=True)]
    index = figures_of(rows)
    counts = {status: index.value(f"outcomes.task.status.{status.value}", **natural) for status in Status}
    assert {status.value: count for status, count in counts.items() if count} == {
        "correct": 1,
        "incorrect": 1,
        "invalid_format": 1,
        "truncated": 1,
    }
    for name, factors in (
        ("outcomes.task.completed", natural),
        ("outcomes.task.completed", RUN),
        ("task.accuracy.completed", {"condition": "natural", "load": "mmlu"}),
    ):
        found = [index.value(f"{name}{end}", **factors) for end in ("", ".lowest", ".highest")]
        assert found == [1 / 2, 1 / 4, 3 / 4]
    assert index.get("outcomes.task.planned", experiment="load", condition="baseline", load="none") is None


def test_tokens_are_means_over_replies_counted() -> None:
    index = figures_of([ended("a", 10), ended("b", 30)])
    entry = index.get("tokens.output", experiment="load", condition="baseline", load="none")
    assert entry is not None
    assert (entry.value, entry.n, entry.unit) == (20.0, 2, "tokens")
