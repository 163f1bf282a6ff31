"""Failures, counted by mechanism."""

from tests.benchmarks.prospective.metrics.small_tables import answered, figures_of, row


def test_the_paper_counts_failures_with_the_task_right_whose_item_was_kept_in_the_baseline() -> None:
    rows = [row("a", "baseline", kept=True), row("b", "baseline", kept=False), row("c", "baseline", kept=True)]
    rows += [
        row("a", "natural", "mmlu", False, mechanism="domain_shift", **answered(True, True)),
        row("b", "natural", "mmlu", False, mechanism="domain_shift", **answered(True, True)),  # broken before
        row("c", "natural", "mmlu", False, mechanism="domain_shift", **answered(False, True)),  # task wrong (paper)
        row("a", "natural", "triviaqa", False, mechanism="", **answered(True, True)),
        row("c", "natural", "triviaqa", True, **answered(True, True)),  # no failure
    ]
    index = figures_of(rows)

    def count(mechanism: str, failures: str) -> float | None:
        return index.value("mechanism.count", condition="natural", mechanism=mechanism, failures=failures)

    assert (count("domain_shift", "paper_rule"), count("unclassified", "paper_rule")) == (1, 1)
    assert (count("domain_shift", "all"), count("unclassified", "all")) == (3, 1)
    entry = index.get("mechanism.count", condition="all", mechanism="domain_shift", failures="paper_rule")
    assert entry is not None
    assert entry.n == 2


def test_without_a_baseline_the_paper_rule_is_left_out() -> None:
    index = figures_of([row("a", "natural", "mmlu", False, mechanism="content_length", **answered(True, True))])
    assert {entry.factors["failures"] for entry in index.named("mechanism.count")} == {"all"}
