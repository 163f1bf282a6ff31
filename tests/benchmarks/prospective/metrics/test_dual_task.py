"""What the format costs the task, under both scorers."""

import pytest

from tests.benchmarks.prospective.metrics.small_tables import Row, answered, figures_of, row

NATURAL = {"condition": "natural", "load": "mmlu"}


def twelve_pairs() -> list[Row]:
    """Alone all are right; with the constraint the paper's scorer sees one in four right, the repaired one three."""
    rows = [row(item, "task_only", "mmlu", **answered(True, True)) for item in "abcdefghijkl"]
    seen = [(True, True), (False, True), (False, True), (False, False)] * 3
    return rows + [
        row(item, "natural", "mmlu", True, **answered(*both)) for item, both in zip("abcdefghijkl", seen, strict=True)
    ]


def test_costs_are_task_only_minus_condition_under_each_scorer() -> None:
    index = figures_of(twelve_pairs())
    assert index.value("task.accuracy.paper", **NATURAL) == pytest.approx(1 / 4)
    assert index.value("task.accuracy.repaired", **NATURAL) == pytest.approx(3 / 4)
    assert index.value("task.cost.paper", **NATURAL) == pytest.approx(3 / 4)
    assert index.value("task.cost.repaired", **NATURAL) == pytest.approx(1 / 4)
    assert index.value("task.artefact", **NATURAL) == pytest.approx(1 / 2)
    share = index.get("task.artefact.share", **NATURAL)
    assert share is not None
    assert share.value == pytest.approx(2 / 3)
    assert (share.n, share.unit) == (12, "ratio")


def test_the_parser_share_is_undefined_while_the_cost_may_be_zero() -> None:
    rows = [row(item, "task_only", "mmlu", **answered(item != "a", True)) for item in "ab"]
    rows += [row(item, "natural", "mmlu", True, **answered(True, True)) for item in "ab"]
    share = figures_of(rows).get("task.artefact.share", **NATURAL)
    assert share is not None
    assert share.value is None
    assert "not shown to be above zero" in share.note


def test_an_unread_answer_is_not_right_and_is_counted_apart() -> None:
    rows = [row("a", "natural", "mmlu", True, **answered(True, None))]
    rows += [row("b", "natural", "mmlu", True, **answered(True, True))]
    index = figures_of(rows)
    assert index.value("task.accuracy.repaired", **NATURAL) == 0.5
    assert index.value("task.unread", **NATURAL) == 0.5
    completed = index.get("task.accuracy.completed", **NATURAL)
    assert completed is not None
    assert (completed.value, completed.n, completed.excluded) == (1.0, 1, 1)


def test_figures_of_the_task_cluster_by_load_item() -> None:
    rows = [row(item, "natural", "mmlu", True, **answered(True, item == "a"), load_items=["mmlu-7"]) for item in "ab"]
    rows += [row("c", "natural", "mmlu", True, **answered(True, True))]
    entry = figures_of(rows).get("task.accuracy.repaired", **NATURAL)
    assert entry is not None
    assert entry.value == pytest.approx(2 / 3)
    assert "2 clusters" in entry.method


def test_chains_are_scored_jointly_and_per_problem() -> None:
    first = answered(False, True, parts=(True, True, True))
    second = answered(False, False, parts=(True, None, False))
    rows = [
        row("a", "natural", "gsm8k_x3", True, **first),
        row("b", "natural", "gsm8k_x3", True, **second),
    ]
    index = figures_of(rows)
    chain = {"condition": "natural", "load": "gsm8k_x3"}
    assert index.value("task.accuracy.repaired", **chain) == 0.5
    assert index.value("task.per_problem", **chain) == pytest.approx(4 / 6)


def test_summaries_have_a_mean_rouge_l_and_its_cost() -> None:
    def summary(item: str, condition: str, whole: float, part: float) -> Row:
        return row(item, condition, "cnn_dailymail", True, **answered(True, True, scores=(whole, part)))

    rows = [summary("a", "task_only", 0.4, 0.4), summary("b", "task_only", 0.2, 0.2)]
    rows += [summary("a", "natural", 0.1, 0.3), summary("b", "natural", 0.1, 0.2)]
    index = figures_of(rows)
    factors = {"condition": "natural", "load": "cnn_dailymail"}
    assert index.value("task.rouge_l.paper", **factors) == pytest.approx(0.1)
    assert index.value("task.rouge_l.repaired", **factors) == pytest.approx(0.25)
    assert index.value("task.cost.rouge_l.paper", **factors) == pytest.approx(0.2)
    assert index.value("task.cost.rouge_l.repaired", **factors) == pytest.approx(0.05)


def test_the_average_weighs_loads_the_same() -> None:
    rows = [row(item, "task_only", "mmlu", **answered(True, True)) for item in "abc"]
    rows += [row("a", "task_only", "triviaqa", **answered(False, False))]
    value = figures_of(rows).value("task.accuracy.average", condition="task_only", scorer="paper")
    assert value == pytest.approx(0.5)
