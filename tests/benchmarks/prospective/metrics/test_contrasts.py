"""What load costs and what the reminder gives back."""

from math import asin, sqrt

import pytest

from forgetscope.benchmarks.prospective.metrics import ProspectiveStudy, compute_figures
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from tests.benchmarks.prospective.metrics.small_tables import Row, figures_of, row, table_of

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
    assert index.value("delta.p", **PAIRED) == pytest.approx(0.125)
    assert index.value("delta.mcnemar.corrected", **NATURAL) == pytest.approx(0.1336, abs=1e-4)  # (4 - 1)^2 / 4


def test_several_runs_are_tested_by_sign_flips_over_items_and_mcnemar_is_labelled_paper() -> None:
    rows = eight_items() + [row(item, "natural", "mmlu", item in "ab", seed=137) for item in "abcdef"]
    index = figures_of(rows, ProspectiveSettings(seeds=(42, 137)))
    assert index.value("delta.p", **PAIRED) == pytest.approx(2 / 2**4)  # four items differ, all the same way
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
    assert index.value("delta.p.holm", **PAIRED) == pytest.approx(0.25)


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


def test_the_reminder_is_tested_against_its_own_prompt_in_a_family_of_its_own() -> None:
    rows = eight_items()
    rows += [row(item, "constraint_only", kept=True) for item in "abcdef"]
    for load, kept in (("mmlu", "f"), ("triviaqa", "abcdef")):
        rows += [row(item, "reminder", load, item in kept) for item in "abcdef"]
    index = figures_of(rows)
    own = {"condition": "reminder", "load": "mmlu", "against": "constraint_only"}
    assert index.value("delta.p", **own) == pytest.approx(2 / 2**5)  # five items lost, none gained
    adjusted = index.get("delta.p.holm", **own)
    assert adjusted is not None
    assert adjusted.value == pytest.approx(2 * 2 / 2**5)
    assert "2 comparisons with the same prompt without load" in adjusted.method
    baseline = index.get("delta.p.holm", **PAIRED)
    assert baseline is not None
    assert "3 comparisons with the baseline" in baseline.method
    assert index.get("delta.mcnemar.exact", **own) is None


def test_a_gain_joins_item_load_and_run_and_counts_what_has_no_partner_on_either_side() -> None:
    rows = [row("a", "natural", "mmlu", False), row("a", "natural", "mmlu", True, seed=137)]
    rows += [row("a", "reminder", "mmlu", True), row("a", "reminder", "mmlu", seed=137)]  # the second had no reply
    rows += [row("b", "natural", "mmlu", True), row("b", "reminder", "mmlu", False, seed=137)]  # other runs
    gain = figures_of(rows, ProspectiveSettings(seeds=(42, 137))).get("gain.paired", load="mmlu")
    assert gain is not None
    assert (gain.value, gain.n, gain.excluded) == (1.0, 1, 4)  # only a's first run has both sides


def test_items_with_missing_runs_and_items_never_met_are_counted_as_excluded() -> None:
    rows = [row(item, "baseline", kept=True) for item in "abcd"]
    rows += [row(item, "natural", "mmlu", False, seed=seed) for item in "ab" for seed in (42, 137)]
    rows += [row("c", "natural", "mmlu", True), row("c", "natural", "mmlu", seed=137)]
    planned = {"baseline": 4, "natural + mmlu": 8}  # d was planned twice and never came back
    study = ProspectiveStudy.of(table_of(rows), ProspectiveSettings(seeds=(42, 137)), planned)
    delta = compute_figures(study).get("delta.paired", **PAIRED)
    assert delta is not None
    assert delta.value == pytest.approx(2 / 3)
    assert (delta.n, delta.excluded) == (3, 2)
    assert "items that enter with some of their runs missing: 1" in delta.note


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
    assert index.value("delta.p", **PAIRED) is None
