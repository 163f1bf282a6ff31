"""Findings say what was measured, how sure it is, and nothing more."""

import pytest

from forgetscope.benchmarks.prospective.metrics import ProspectiveStudy, compute_figures
from forgetscope.benchmarks.prospective.report.load import load_findings
from forgetscope.benchmarks.prospective.report.stacks import stacking_findings, tension_findings
from forgetscope.benchmarks.prospective.report.types import chain_chart
from forgetscope.benchmarks.prospective.report.wording import condition_name
from forgetscope.findings.figures import Figure, Finding
from forgetscope.findings.phrasing import counted, direction, interval_words, undecided_words, verdict
from tests.benchmarks.prospective.metrics.small_tables import SETTINGS, Row, figures_of, row, stack, table_of


def difference(value: float | None, low: float | None, high: float | None, note: str = "") -> Figure:
    return Figure("delta.paired", {}, value, 10, 0, low, high, "by hand", "points", note)


def findings(rows: list[Row]) -> tuple[Finding, ...]:
    study = ProspectiveStudy.of(table_of(rows), SETTINGS)
    return load_findings(study, compute_figures(study))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.01, 0.2, "shown"), (-0.2, -0.01, "shown"), (-0.1, 0.1, "undecided"), (0.0, 0.2, "undecided")],
)
def test_an_interval_that_holds_zero_decides_nothing(low: float, high: float, expected: str) -> None:
    entry = difference(0.05, low, high)
    assert verdict(entry) == expected
    assert bool(undecided_words(entry)) == (expected == "undecided")


def test_an_interval_can_be_told_from_the_other_side() -> None:
    assert interval_words(difference(-0.1, -0.25, 0.051), flip=True) == "95% interval \N{MINUS SIGN}5.1 to 25.0"


def test_without_an_interval_the_reason_is_given_and_nothing_is_shown() -> None:
    entry = difference(0.1, None, None, "fewer than two clusters; length-limited: 3 of 4 replies were cut off")
    assert interval_words(entry) == "no interval: fewer than two clusters"
    assert verdict(entry) == "undecided"


def test_words_follow_the_sign_and_the_number() -> None:
    assert [direction(value, "up", "down", "level") for value in (0.1, -0.1, 0.0)] == ["up", "down", "level"]
    assert [counted(1, "item"), counted(2, "item"), counted(2, "reply", "replies")] == [
        "1 item",
        "2 items",
        "2 replies",
    ]
    assert condition_name("kept_heading_unloaded") == "kept + heading (no load)"


def test_a_loss_on_every_item_is_shown_and_picked_as_the_largest() -> None:
    rows = [row(f"i{n}", "baseline", kept=True) for n in range(12)]
    rows += [row(f"i{n}", "natural", load, load == "triviaqa") for n in range(12) for load in ("triviaqa", "mmlu")]
    said = findings(rows)
    assert said[0].text.startswith(
        "Natural prompt: under load, compliance fell by 50.0 points, from 100.0% to 50.0% (95% interval"
    )
    largest = said[-1]
    assert "Natural prompt: the largest loss was under MMLU, 100.0 points" in largest.text
    assert largest.verdict == "shown"


def test_a_largest_loss_that_does_not_survive_the_correction_is_undecided() -> None:
    rows = [row(f"i{n}", "baseline", kept=True) for n in range(12)]
    rows += [
        row(f"i{n}", "natural", load, load == "triviaqa" or n > 2) for n in range(12) for load in ("triviaqa", "mmlu")
    ]
    largest = findings(rows)[-1]
    assert largest.verdict == "undecided"
    assert "; undecided: " in largest.text


def test_where_nothing_was_kept_without_load_nothing_could_be_lost() -> None:
    rows = [row(item, "baseline", kept=False) for item in "abc"] + [
        row(item, "natural", "mmlu", False) for item in "abc"
    ]
    assert "load could take nothing" in findings(rows)[0].text


def test_a_run_without_a_baseline_reports_its_rate_and_no_loss() -> None:
    (only,) = findings([row(item, "natural", "mmlu", item == "a") for item in "ab"])
    assert only.text.startswith("Natural prompt: under load, compliance was 50.0% (2 replies). No baseline was run")
    assert only.verdict == "note"


def test_chain_length_is_drawn_for_both_templates_over_the_chains_that_were_run() -> None:
    rows = [row(item, "baseline", kept=True) for item in "ab"]
    rows += [row(item, "natural", "gsm8k_x1", True) for item in "ab"]
    rows += [row(item, "natural", "gsm8k_x5", item == "a") for item in "ab"]
    rows += [row(item, "reminder", "gsm8k_x5", True) for item in "ab"]
    study = ProspectiveStudy.of(table_of(rows), SETTINGS)
    chart = chain_chart(study, compute_figures(study))
    assert chart.categories == ("1 problem", "5 problems")
    natural, reminder = chart.series
    assert [point and point.value for point in natural.points] == [1.0, 0.5]
    assert [point and point.value for point in reminder.points] == [None, 1.0]
    assert "natural: 1 problem 100.0%, 5 problems 50.0%" in chart.summary


def test_the_decline_of_stacks_and_the_lack_of_singles_are_said() -> None:
    rows = [stack(f"s{n}", (True,), "title") for n in range(4)]
    rows += [stack(f"d{n}", (False, True), "title+no_comma") for n in range(4)]
    rows += [stack("t", (True, True), "title+no_comma", experiment="tension")]
    index = figures_of(rows)
    assert stacking_findings(index)[0].text.startswith(
        "From 1 to 2 constraints, joint compliance fell by 100.0 points, from 100.0% to 0.0% ("
    )
    said = [finding.text for finding in tension_findings(index)]
    assert "--experiments singles beside tension adds that" in said[0]
    assert said[1].startswith("No single constraint of these types was run")


def test_only_singles_of_the_same_stacks_show_that_a_pair_is_in_tension() -> None:
    pair = "title+no_comma"
    tense = [stack(f"t{n}", (n > 10, True), pair, experiment="tension") for n in range(12)]
    elsewhere = [stack(f"s{n}{name}", (n > 0,), name) for n in range(12) for name in pair.split("+")]
    alone = [
        stack(f"t{n}", (n > 0,), name, experiment="singles", pair=pair) for n in range(12) for name in pair.split("+")
    ]
    hints = tension_findings(figures_of(tense + elsewhere))
    assert [finding.verdict for finding in hints] == ["note", "note"]
    assert "a hint and no finding" in hints[1].text
    (shown,) = tension_findings(figures_of(tense + elsewhere + alone))
    assert shown.verdict == "shown"
    # 1/12 - (11/12)^2 = -0.757
    assert shown.text.startswith(
        "title with no_comma: joint compliance was 75.7 points below the product of the two con"
    )


@pytest.mark.parametrize(
    ("condition", "name"),
    [
        ("natural", "natural"),
        ("kept_heading", "kept + heading"),
        ("kept_heading_unloaded", "kept + heading (no load)"),
        ("reminder_per_constraint_unloaded", "reminder per constraint (no load)"),
    ],
)
def test_conditions_have_names_for_a_person(condition: str, name: str) -> None:
    assert condition_name(condition) == name
