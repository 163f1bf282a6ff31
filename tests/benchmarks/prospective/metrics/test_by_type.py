"""Which constraints are forgotten."""

from typing import TypedDict

import pytest

from tests.benchmarks.prospective.metrics.small_tables import figures_of, row


class Kind(TypedDict):
    type: str
    category: str


TERMINAL: Kind = {"type": "end_checker", "category": "terminal"}


def test_rates_and_deltas_are_per_type_and_per_category() -> None:
    rows = [row("a", "baseline", kept=True), row("b", "baseline", kept=True, **TERMINAL)]
    rows += [row("a", "natural", "mmlu", True), row("b", "natural", "mmlu", False, **TERMINAL)]
    index = figures_of(rows)
    for level, value in (("type", "end_checker"), ("category", "terminal")):
        factors = {"condition": "natural", "load": "mmlu", level: value}
        assert index.value("compliance.strict.paper", **factors) == 0.0
        assert index.value("delta.paired", **factors, against="baseline") == 1.0
    assert index.value("delta.paired", condition="natural", load="mmlu", type="no_comma", against="baseline") == 0.0


def test_the_slope_is_per_step_of_the_load_order_within_items() -> None:
    # Baseline is step 0, MMLU step 2: item a falls by 1, item b stays: (-1 + 0) / 2 items / 2 steps.
    rows = [row(item, "baseline", kept=True) for item in "ab"]
    rows += [row(item, "natural", "mmlu", item == "b") for item in "ab"]
    entry = figures_of(rows).get("slope.load", condition="natural", type="no_comma")
    assert entry is not None
    assert entry.value == pytest.approx(-0.25)


def test_the_slope_is_undefined_without_its_first_step() -> None:
    rows = [row(item, "natural", load, item == "b") for item in "ab" for load in ("triviaqa", "mmlu")]
    index = figures_of(rows)
    entry = index.get("slope.load", condition="natural", type="no_comma")
    assert entry is not None
    assert (entry.value, entry.note) == (None, "baseline, its first step, was not run")
    assert index.get("slope.load.p.holm", condition="natural", type="no_comma") is None


def test_the_chain_trend_is_per_problem() -> None:
    rows = [row(item, "natural", "gsm8k_x1", True) for item in "ab"]
    rows += [row(item, "natural", "gsm8k_x3", item == "b") for item in "ab"]
    assert figures_of(rows).value("trend.chain", condition="natural") == pytest.approx(-0.25)


def test_terminal_minus_avoidance_is_a_difference_of_mean_drops() -> None:
    rows = [row(item, "baseline", kept=True) for item in "ab"]
    rows += [row(item, "baseline", kept=True, **TERMINAL) for item in "cd"]
    rows += [row("e", "baseline", kept=True, type="forbidden_words", category="keyword")]
    rows += [row(item, "natural", "mmlu", True) for item in "ab"]
    rows += [row(item, "natural", "mmlu", item == "c", **TERMINAL) for item in "cd"]
    rows += [row("e", "natural", "mmlu", False, type="forbidden_words", category="keyword")]
    index = figures_of(rows)
    name = "contrast.terminal_avoidance"
    assert index.value(name, condition="natural", avoidance="table_5") == pytest.approx(0.5 - 0)
    assert index.value(name, condition="natural", avoidance="with_forbidden_words") == pytest.approx(0.5 - 1 / 3)


def test_without_one_of_the_kinds_the_contrast_is_undefined_and_says_so() -> None:
    rows = [row("a", "baseline", kept=True), row("a", "natural", "mmlu", True)]
    entry = figures_of(rows).get("contrast.terminal_avoidance", condition="natural", avoidance="table_5")
    assert entry is not None
    assert entry.value is None
    assert entry.note == "no items of one of the two kinds"
