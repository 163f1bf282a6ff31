"""What load costs and what the reminder gives back."""

from math import asin, sqrt

import pytest

from forgetbench.benchmarks.prospective.plan import ProspectiveSettings
from tests.benchmarks.prospective.metrics.small_tables import Row, figures_of, row

NATURAL = {"condition": "natural", "load": "mmlu"}
PAIRED = {**NATURAL, "against": "baseline"}


def eight_items() -> list[Row]:
    """Baseline keeps a..g of a..h; natural was run on a..f and keeps a, b only."""
    rows = [row(item, "baseline", kept=item != "h") for item in "abcdefgh"]
    return rows + [row(item, "natural", "mmlu", item in "ab") for item in "abcdef"]


def test_the_paired_delta_is_over_matched_items_and_the_paper_delta_over_all() -> None:
    index = figures_of(eight_items())
    paired, paper = index.get("delta.paired", **PAIRED), index.get("delta.paper", **NATURAL)
    assert paired is not None
    assert paper is not None
    assert paired.value == pytest.approx(6 / 6 - 2 / 6)
    assert paired.n == 6
    assert paper.value == pytest.approx(7 / 8 - 2 / 6)
    assert index.value("delta.paired.reference", **PAIRED) == 1.0
    assert index.value("delta.paired.condition", **PAIRED) == pytest.approx(2 / 6)
    assert "paper" in paper.method


def test_cohens_h_is_of_the_two_overall_rates() -> None:
    value = figures_of(eight_items()).value("delta.cohens_h", **NATURAL)
    assert value == pytest.approx(2 * asin(sqrt(7 / 8)) - 2 * asin(sqrt(2 / 6)))


def test_one_run_is_tested_by_mcnemar_on_matched_items() -> None:
    index = figures_of(eight_items())
    # Four items kept in the baseline only, none under the condition only: 2 * 0.5 ** 4.
    assert index.value("delta.mcnemar.exact", **NATURAL) == pytest.approx(0.125)
    assert index.value("delta.p", **NATURAL) == pytest.approx(0.125)
    assert index.value("delta.mcnemar.corrected", **NATURAL) == pytest.approx(0.1336, abs=1e-4)  # (4 - 1)^2 / 4


def test_several_runs_are_tested_by_sign_flips_over_items_and_mcnemar_is_labelled_paper() -> None:
    rows = eight_items() + [row(item, "natural", "mmlu", item in "ab", seed=137) for item in "abcdef"]
    index = figures_of(rows, ProspectiveSettings(seeds=(42, 137)))
    assert index.value("delta.p", **NATURAL) == pytest.approx(2 / 2**4)  # four items differ, all the same way
    pooled = index.get("delta.mcnemar.pooled.exact", **NATURAL)
    assert pooled is not None
    assert pooled.value == pytest.approx(2 / 2**8)
    assert pooled.n == 12
    assert pooled.method.startswith("paper")
    assert index.get("delta.mcnemar.exact", **NATURAL) is None


def test_holm_is_over_loads_and_conditions_but_not_the_pooled_row() -> None:
    rows = eight_items() + [row(item, "natural", "triviaqa", True) for item in "abcdef"]
    index = figures_of(rows)
    adjusted = index.named("delta.p.holm")
    assert {entry.factors["load"] for entry in adjusted} == {"mmlu", "triviaqa"}
    assert index.value("delta.p.holm", **NATURAL) == pytest.approx(0.25)


def test_the_reminder_is_set_against_both_baselines_and_gain_is_reminder_minus_natural() -> None:
    rows = eight_items()
    rows += [row(item, "constraint_only", kept=item in "abcd") for item in "abcdef"]
    rows += [row(item, "reminder", "mmlu", item in "abc") for item in "abcdef"]
    index = figures_of(rows)
    reminder = {"condition": "reminder", "load": "mmlu"}
    assert index.value("delta.paired", **reminder, against="baseline") == pytest.approx(3 / 6)
    assert index.value("delta.paired", **reminder, against="constraint_only") == pytest.approx(1 / 6)
    assert index.value("gain.paired", load="mmlu") == pytest.approx(1 / 6)
    assert index.value("gain.average", condition="reminder") == pytest.approx(1 / 6)


def test_averages_weigh_every_load_the_same() -> None:
    rows = [row(item, "baseline", kept=True) for item in "ab"]
    rows += [row("a", "natural", "gsm8k_x5", False)]
    rows += [row("a", "natural", "mmlu", True), row("b", "natural", "mmlu", False)]
    assert figures_of(rows).value("delta.average", condition="natural") == pytest.approx(1 - (0 + 0.5) / 2)


def test_without_common_items_the_paired_delta_is_undefined_and_says_why() -> None:
    index = figures_of([row("a", "baseline", kept=True), row("b", "natural", "mmlu", False)])
    entry = index.get("delta.paired", **PAIRED)
    assert entry is not None
    assert (entry.value, entry.n, entry.excluded) == (None, 0, 1)
    assert "no matched items" in entry.note
    assert index.value("delta.p", **NATURAL) is None
