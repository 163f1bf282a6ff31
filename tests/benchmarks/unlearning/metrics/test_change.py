"""S_change by hand: signs, undefined and unstable targets, groups, seeds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.metrics.change import change_figures, group_change, s_change
from forgetscope.benchmarks.unlearning.metrics.study import MEASURES, UnlearningStudy
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.unlearning.metrics.small_grids import KEY, TARGET, Run, cell, flat, kept, study, study_of, table

SHARES = st.floats(0.01, 1.0)


def index_of(made: UnlearningStudy) -> FigureIndex:
    return FigureIndex(change_figures(made))


def figure_of(made: UnlearningStudy, name: str, **factors: str | int) -> Figure:
    found = index_of(made).get(name, **{**KEY.factors, **factors})
    assert found is not None
    return found


def test_what_is_lost_is_positive_and_what_is_gained_negative() -> None:
    assert s_change(0.8, 0.2) == pytest.approx(0.75)
    assert s_change(0.5, 0.6) == pytest.approx(-0.2)
    assert s_change(0.5, 0.5) == 0


def test_a_target_of_zero_leaves_it_undefined() -> None:
    assert s_change(0.0, 0.3) is None


@given(SHARES, SHARES)
def test_it_lies_below_one_and_falls_as_the_unlearned_model_keeps_more(target: float, unlearned: float) -> None:
    change = s_change(target, unlearned)
    assert change is not None
    assert change < 1
    assert (change > 0) == (unlearned < target)


def test_a_group_with_an_undefined_member_is_undefined() -> None:
    assert group_change([0.5, 0.7]) == pytest.approx(0.6)
    assert group_change([0.5, None]) is None
    assert group_change([]) is None


def test_the_change_of_a_cell_is_that_of_its_means() -> None:
    # 0.72 and 0.88 four times, mean 0.8, against 0.2, 0.4, 0.6, 0.4 twice, mean 0.4.
    made = study(Run(KEY, {**TARGET, "verbatim": [0.2, 0.4, 0.6, 0.4] * 2}))
    found = figure_of(made, "change", measure="verbatim")
    assert found.value == pytest.approx(0.5)
    assert found.n == 8
    assert found.low is not None
    assert found.low < 0.5 < (found.high or 0)


def test_forget_is_the_mean_of_two_changes_and_retain_of_three() -> None:
    made = study(Run(KEY, kept(0.2, 0.6, 0.9, 0.8, 1.3)))
    assert figure_of(made, "group", group="forget").value == pytest.approx((0.8 + 0.4) / 2)
    assert figure_of(made, "group", group="retain").value == pytest.approx((0.1 + 0.2 - 0.3) / 3)


def test_the_change_of_means_stands_beside_the_mean_of_changes() -> None:
    # Targets 0.8 and 0.6; 0.16 and 0.36 are left: 1 - 0.52 / 1.4 of the mean, not (0.8 + 0.4) / 2.
    made = study(Run(KEY, kept(0.2, 0.6, 1.0, 1.0, 1.0)))
    assert figure_of(made, "group.of_means", group="forget").value == pytest.approx(1 - 0.52 / 1.4)


def test_a_target_of_zero_makes_its_group_undefined_and_says_so() -> None:
    made = study(Run(KEY, TARGET), target={**TARGET, "knowledge_world": [0.0] * 8})
    found = figure_of(made, "group", group="retain")
    assert found.value is None
    assert found.note == "the target scores 0 in knowledge_world"
    assert figure_of(made, "change", measure="knowledge_low").value == pytest.approx(0)
    assert figure_of(made, "group", group="forget").value == pytest.approx(0)


def test_nothing_scored_is_undefined_and_counted() -> None:
    made = study(Run(KEY, {**TARGET, "verbatim": [None] * 8}))
    found = figure_of(made, "change", measure="verbatim")
    assert (found.value, found.n, found.excluded) == (None, 0, 8)
    assert figure_of(made, "group", group="forget").note == "nothing was scored in verbatim"


@pytest.mark.parametrize(("target", "is_unstable"), [(0.049, True), (0.05, False), (0.5, False)])
def test_targets_below_five_points_are_flagged(target: float, is_unstable: bool) -> None:
    made = study(Run(KEY, TARGET), target={**TARGET, "knowledge_low": [target] * 8})
    for found in (figure_of(made, "change", measure="knowledge_low"), figure_of(made, "group", group="retain")):
        assert ("unstable: the target scores 4.9 in knowledge_low" in found.note) == is_unstable


def test_one_item_has_no_interval() -> None:
    one = {measure: [0.5] for measure in MEASURES}
    found = figure_of(study(Run(KEY, one), target=one), "change", measure="verbatim")
    assert (found.value, found.low, found.high) == (0, None, None)


def test_the_target_is_scored_on_all_its_own_items_whatever_cells_lost() -> None:
    made = study(Run(KEY, {measure: [None] * 4 for measure in TARGET}))
    assert index_of(made).value("target", corpus="news", measure="verbatim") == pytest.approx(0.8)


def test_seeds_have_their_own_changes_and_a_spread() -> None:
    # Forget 0.5 and 0.7; standard deviation of two values: their difference over the square root of two.
    made = study(Run(KEY, kept(0.5, 0.5, 1, 1, 1), seed=0), Run(KEY, kept(0.3, 0.3, 1, 1, 1), seed=7))
    assert figure_of(made, "group.seed", group="forget", seed=0).value == pytest.approx(0.5)
    assert figure_of(made, "group.seed", group="forget", seed=7).value == pytest.approx(0.7)
    assert figure_of(made, "group.seeds.spread", group="forget").value == pytest.approx(0.2 / 2**0.5)
    assert figure_of(made, "group.seeds.lowest", group="forget").value == pytest.approx(0.5)
    assert figure_of(made, "group.seeds.highest", group="forget").value == pytest.approx(0.7)
    assert figure_of(made, "group", group="forget").value == pytest.approx(0.6)


def test_one_seed_has_no_spread() -> None:
    assert not index_of(study(Run(KEY, TARGET))).named("group.seeds.spread")


def test_a_seed_that_diverged_leaves_spread_and_group_undefined() -> None:
    diverged = {measure: [None] * 4 for measure in TARGET}
    made = study(Run(KEY, kept(0.5, 0.5, 1, 1, 1), seed=0), Run(KEY, diverged, seed=1))
    assert figure_of(made, "group.seed", group="forget", seed=0).value == pytest.approx(0.5)
    assert figure_of(made, "group.seeds.spread", group="forget").value is None
    assert figure_of(made, "group", group="forget").value is None


@given(scale=st.floats(0.1, 1.0))
def test_scaling_target_and_unlearned_alike_changes_no_change(scale: float) -> None:
    unlearned = flat(0.3, 0.3, 0.3, 0.3, 0.3)

    def scaled(scores: dict[str, list[float | None]]) -> dict[str, list[float | None]]:
        return {name: [scale * (value or 0) for value in values] for name, values in scores.items()}

    one = study(Run(KEY, unlearned)).scores(KEY, "verbatim")
    two = study(Run(KEY, scaled(unlearned)), target=scaled(TARGET)).scores(KEY, "verbatim")
    assert s_change(two.target.mean(), two.unlearned.mean()) == pytest.approx(
        s_change(one.target.mean(), one.unlearned.mean())
    )


def test_figures_do_not_depend_on_the_order_of_rows_or_on_other_cells() -> None:
    runs = (Run(KEY, kept(0.2, 0.6, 0.9, 0.8, 1.3)), Run(cell(method="npo"), kept(0.4, 0.6, 0.9, 0.8, 1.3)))
    shuffled = table(*runs).sample(fraction=1.0, shuffle=True, seed=1)
    alone = [entry for entry in change_figures(study(runs[0])) if entry.name == "group"]
    among = [entry for entry in change_figures(study_of(shuffled)) if entry.name == "group"]
    assert alone == [entry for entry in among if entry.factors["method"] == "ga"]
