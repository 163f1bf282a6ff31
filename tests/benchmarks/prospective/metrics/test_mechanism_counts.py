"""Failures, counted by mechanism."""

from forgetscope.benchmarks.prospective.metrics import ProspectiveStudy
from forgetscope.benchmarks.prospective.metrics.study import ALL
from forgetscope.benchmarks.prospective.report.mechanisms import mechanism_section
from forgetscope.findings.figures import Finding
from tests.benchmarks.prospective.metrics.small_tables import SETTINGS, answered, figures_of, row, table_of


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


def test_only_replies_that_were_read_have_a_mechanism() -> None:
    right = answered(True, True)
    rows = [row(item, "baseline", kept=True) for item in "abcd"]
    rows += [
        row("a", "natural", "mmlu", False, mechanism="terminal_omission", **right),
        row("b", "natural", "mmlu", False, mechanism="terminal_omission", status="truncated", **right),
        row("c", "natural", "mmlu", False, mechanism="content_length", status="refused", **answered(False, False)),
        row("d", "natural", "mmlu", True, status="truncated", **right),  # cut off, and its format was kept
        row("a", "natural", "triviaqa"),  # no reply
    ]
    index = figures_of(rows)

    def outside(failures: str) -> dict[str, float | None]:
        found = index.named("mechanism.outside")
        chosen = [
            entry for entry in found if entry.factors["condition"] == ALL and entry.factors["failures"] == failures
        ]
        return {str(entry.factors["status"]): entry.value for entry in chosen if entry.value}

    for rule in ("paper_rule", "all"):
        entries = index.named("mechanism.count")
        counts = [entry for entry in entries if entry.factors["condition"] == ALL and entry.factors["failures"] == rule]
        assert {entry.factors["mechanism"]: entry.value for entry in counts if entry.value} == {"terminal_omission": 1}
        assert {entry.n for entry in counts} == {1}
    assert outside("paper_rule") == {"truncated": 1}
    assert outside("all") == {"truncated": 1, "refused": 1, "model_error": 1}
    study = ProspectiveStudy.of(table_of(rows), SETTINGS)
    section = mechanism_section(study, index)
    assert section is not None
    said = [block.text for block in section.blocks if isinstance(block, Finding)]
    assert said[1].endswith("Not among them: 1 cut off, 1 refused, 1 error.")


def test_without_a_baseline_the_paper_rule_is_left_out() -> None:
    index = figures_of([row("a", "natural", "mmlu", False, mechanism="content_length", **answered(True, True))])
    assert {entry.factors["failures"] for entry in index.named("mechanism.count")} == {"all"}
