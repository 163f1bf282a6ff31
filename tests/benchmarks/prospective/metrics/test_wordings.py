"""Phrasings against the first, controls of the load against the load, and cells that differ in one thing each."""

import pytest

from forgetscope.benchmarks.prospective.metrics.study import ALL
from tests.benchmarks.prospective.metrics.small_tables import Row, figures_of, row


def phrased(item: str, wording: str, kept: bool, condition: str = "natural") -> Row:
    name = f"prospective/{item}/{condition}/load=mmlu/seed=42/{wording}"
    return row(item, condition, "mmlu", kept, experiment="wordings", wording=wording, sample_id=name)


def test_a_phrasing_is_set_against_the_first_on_the_same_samples() -> None:
    rows = [row(item, "natural", "mmlu", item != "a") for item in "abcd"]
    rows += [phrased(item, "connector=2", True) for item in "abcd"]
    rows += [phrased(item, "connector=3", False) for item in "abcd"]
    index = figures_of(rows)
    part = {"condition": "natural", "part": "connector"}
    assert index.value("wording.effect", **part, phrasing=2) == 0.25
    assert index.value("wording.effect", **part, phrasing=3) == -0.75
    assert index.value("wording.compliance", **part, phrasing=2) == 1.0
    assert index.value("wording.range", **part) == 1.0
    assert index.value("compliance.strict.paper", condition="natural", load="mmlu") == 0.75, "the first alone"


def test_a_control_is_set_against_the_load_and_has_no_task_of_its_own() -> None:
    rows = [row(item, "baseline", kept=True) for item in "abcd"]
    rows += [row(item, "natural", "mmlu", item == "a") for item in "abcd"]
    rows += [row(item, "neutral_text", "mmlu", item != "d", load_items=[]) for item in "abcd"]
    index = figures_of(rows)
    assert index.value("control.neutral_text.paired", load="mmlu") == 0.5
    assert index.value("delta.paired", condition="neutral_text", load=ALL, against="baseline") == 0.25
    assert index.get("task.accuracy.paper", condition="neutral_text", load="mmlu") is None
    assert index.get("mechanism.count", condition="neutral_text", mechanism="unclassified", failures="all") is None
    counted = index.get("mechanism.count", condition=ALL, mechanism="unclassified", failures="all")
    assert counted is not None
    assert counted.n == 3, "failures under the load alone"


def test_pure_cells_have_their_own_effects_and_the_heading_of_a_kept_prompt_its_two_steps() -> None:
    cells = {"topic": False, "topic_heading": True, "dropped": True, "dropped_heading": True}
    rows = [row(item, name, "mmlu", kept) for item in "abcd" for name, kept in cells.items()]
    kept = {"natural": "a", "kept_restated": "ab", "kept_heading": "abcd"}
    rows += [row(item, name, "mmlu", item in those) for item in "abcd" for name, those in kept.items()]
    index = figures_of(rows)
    assert index.value("salience.pure", effect="heading", load=ALL) == pytest.approx(0.5)
    assert index.value("salience.pure", effect="task_dropped", load=ALL) == pytest.approx(0.5)
    assert index.value("salience.pure", effect="task_dropped x heading", load=ALL) == pytest.approx(-1.0)
    assert index.value("salience.step", effect="restated", load=ALL) == 0.25
    assert index.value("salience.step", effect="heading_words", load=ALL) == 0.5
