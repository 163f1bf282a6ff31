"""Several runs together: the paper's Table 10 from its own Table 1, and its figures of one's own models."""

import pytest

from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, SCENARIOS, DialogueCell
from forgetscope.benchmarks.in_context.report.over_models import over_models
from forgetscope.findings.figures import Chart, Figure, Interval, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.published import published_table


def _as_runs() -> dict[str, FigureIndex]:
    """The paper's models as if we had run them."""
    runs: dict[str, list[Figure]] = {}
    for row in published_table("in_context_table1_main").iter_rows(named=True):
        cell = DialogueCell(row["scenario"], None, "noforget").factors
        for name, printed in (("na", "no_forget_accuracy"), ("fa", "forget_accuracy"), ("sfrr", "sfrr")):
            runs.setdefault(row["model"], []).append(Figure(f"paper.{name}", cell, row[printed] / 100, 1))
    for row in published_table("in_context_tables6to8_context_length").iter_rows(named=True):
        cell = DialogueCell(row["scenario"], row["context_tokens"], "noforget").factors
        runs.setdefault(row["model"], []).append(Figure("paper.sfrr", cell, row["sfrr"] / 100, 1))
    average = DialogueCell(AVERAGE, None, "noforget").factors
    runs["GPT-5"].append(Figure("paper.na", average, 0.8875, 1))
    return {name: FigureIndex(figures) for name, figures in runs.items()}


def test_the_papers_own_models_give_its_table_10() -> None:
    (table,) = [block for block in over_models(_as_runs()) if isinstance(block, Table)]
    assert {row["Model"] for row in table.rows} == {"these 13 models", "the paper's 11 models"}
    by_row = {(row["Scenario"], row["Model"]): row for row in table.rows}
    for scenario in ("instructional forgetting", "subtask revision", "dynamic preference"):
        ours, theirs = (by_row[scenario, name] for name in ("these 13 models", "the paper's 11 models"))
        for column in ("NA, FA", "NA, SFRR", "FA, SFRR"):
            assert ours[column] == pytest.approx(theirs[column], abs=6e-4)


def test_models_stand_side_by_side_over_scenarios_and_lengths() -> None:
    charts = {block.slug: block for block in over_models(_as_runs()) if isinstance(block, Chart)}
    means = charts["over-models-figure-4"]
    assert [line.label for line in means.series] == ["NA"]
    point = means.series[0].points[means.categories.index("GPT-5")]
    assert isinstance(point, Interval)
    assert point.value == pytest.approx(0.8875)
    for scenario in SCENARIOS:
        drawn = charts[f"over-models-figure-5-{scenario.replace('_', '-')}-sfrr"]
        assert len(drawn.series) == 3
        assert len(drawn.categories) == 7
    assert f"over-models-figure-5-{SCENARIOS[0].replace('_', '-')}-na" not in charts


def test_two_models_have_no_correlation_and_one_nothing_of_lengths() -> None:
    runs = _as_runs()
    two = {name: runs[name] for name in ("GPT-5", "Mistral-7B")}
    assert not [block for block in over_models(two) if isinstance(block, Table)]
    assert [block.slug for block in over_models({"GPT-5": runs["GPT-5"]})] == ["over-models-figure-4"]
