"""Main effects and interactions of the eight salience cells."""

import pytest

from forgetscope.benchmarks.prospective.data.conditions import SALIENCE_CELLS
from forgetscope.benchmarks.prospective.metrics.salience import LEVELS, contrast_weights
from tests.benchmarks.prospective.metrics.small_tables import figures_of, row

EIGHT = [cell.name for cell in SALIENCE_CELLS]


def test_with_all_cells_each_effect_weighs_them_evenly_and_sums_to_zero() -> None:
    for chosen in ((0,), (1,), (2,), (0, 1), (0, 1, 2)):
        weights = contrast_weights(LEVELS, chosen)
        assert set(weights) == set(EIGHT)
        assert sum(weights.values()) == pytest.approx(0)
        assert {abs(weight) for weight in weights.values()} == {2.0 ** (len(chosen) - 3)}


def test_natural_and_reminder_alone_give_no_effect_because_they_differ_in_three_things() -> None:
    for chosen in ((0,), (1,), (2,), (0, 1)):
        assert contrast_weights({name: LEVELS[name] for name in ("natural", "reminder")}, chosen) == {}
    rows = [row("a", name, "mmlu", True) for name in ("natural", "reminder")]
    assert figures_of(rows).named("salience.effect") == ()


def test_a_pair_of_cells_that_differ_in_one_factor_gives_its_effect() -> None:
    rows = [row(item, "natural", "mmlu", False) for item in "ab"]
    rows += [row(item, "kept_heading", "mmlu", item == "a") for item in "ab"]
    index = figures_of(rows)
    assert index.value("salience.effect", effect="heading", load="mmlu") == pytest.approx(0.5)
    assert index.get("salience.effect", effect="trailing", load="mmlu") is None


def test_main_effects_and_interactions_are_computed_by_hand() -> None:
    # Kept if the trailing sentence is there, or if heading and dropped task come together.
    def kept(name: str) -> bool:
        dropped, heading, trailing = LEVELS[name]
        return trailing or (dropped and heading)

    rows = [row(item, name, "mmlu", kept(name)) for item in "abc" for name in EIGHT]
    index = figures_of(rows)

    def effect(name: str) -> float | None:
        return index.value("salience.effect", effect=name, load="all")

    assert effect("trailing") == pytest.approx(3 / 4)  # 4 of 4 with it, 1 of 4 without
    assert effect("task_dropped") == pytest.approx(1 / 4)
    assert effect("heading") == pytest.approx(1 / 4)
    assert effect("task_dropped x heading") == pytest.approx(1 / 2)  # 1 without trailing, 0 with it
    assert effect("task_dropped x heading x trailing") == pytest.approx(-1)


def test_an_item_that_misses_a_cell_is_left_out_of_the_effect_and_counted() -> None:
    rows = [row(item, "natural", "mmlu", False) for item in "abc"]
    rows += [row(item, "kept_trailing", "mmlu", True) for item in "ab"]
    entry = figures_of(rows).get("salience.effect", effect="trailing", load="mmlu")
    assert entry is not None
    assert (entry.value, entry.n, entry.excluded) == (1.0, 2, 1)
