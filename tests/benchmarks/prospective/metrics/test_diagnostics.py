"""What became of the samples."""

from math import exp
from statistics import NormalDist

import pytest

from forgetbench.benchmarks.prospective.metrics.diagnostics import suggest_limit
from forgetbench.outcomes import Status
from tests.benchmarks.prospective.metrics.small_tables import Row, answered, figures_of, row, table_of

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


def test_a_limit_under_which_nearly_all_end_is_the_length_of_the_98th_percentile() -> None:
    found = suggest_limit(table_of([ended(f"i{n}", n) for n in range(1, 101)]), 2048)
    assert found.suggested == 128  # the 98th percentile of 1..100 is 98.02
    assert "suffices" in found.why


def test_a_limit_that_cuts_a_third_suggests_a_higher_one() -> None:
    rows = [ended(f"i{n}", n) for n in range(40, 100)] + [cut(f"c{n}") for n in range(30)]
    found = suggest_limit(table_of(rows), 100)
    assert found.suggested is not None
    assert found.suggested > 100
    assert found.suggested % 64 == 0
    assert "log-normal" in found.why


def test_where_replies_loop_a_higher_limit_is_not_suggested() -> None:
    rows = [ended("i", 50)] + [cut(f"c{n}", looped=n < 8) for n in range(10)]
    found = suggest_limit(table_of(rows), 100)
    assert found.suggested is None
    assert "8 of the 10 replies" in found.why
    assert "will not help" in found.why


def test_too_few_finished_replies_give_no_suggestion() -> None:
    found = suggest_limit(table_of([ended("i", 50)] + [cut(f"c{n}") for n in range(10)]), 100)
    assert found.suggested is None
    assert "only 1 of 11 replies ended" in found.why


def test_without_token_counts_no_limit_is_suggested() -> None:
    rows = [row(f"i{n}", "baseline", "none", True, output_tokens=None) for n in range(20)]
    found = suggest_limit(table_of([*rows, cut("c")]), 100)
    assert (found.suggested, found.why) == (None, "no finished reply with a known length")


def test_a_fit_recovers_the_quantile_of_a_known_log_normal() -> None:
    normal = NormalDist()
    lengths = [round(100 * exp(normal.inv_cdf((position + 0.5) / 200))) for position in range(200)]
    rows = [ended(f"i{n}", length) if length <= 340 else cut(f"i{n}") for n, length in enumerate(lengths)]
    found = suggest_limit(table_of(rows), 340)
    assert found.suggested is not None
    assert 704 <= found.suggested <= 896  # exp(log 100 + 2.054) = 780


def test_tokens_are_means_over_replies_counted() -> None:
    index = figures_of([ended("a", 10), ended("b", 30)])
    entry = index.get("tokens.output", experiment="load", condition="baseline", load="none")
    assert entry is not None
    assert (entry.value, entry.n, entry.unit) == (20.0, 2, "tokens")
