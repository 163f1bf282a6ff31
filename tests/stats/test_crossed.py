"""The mixed model with crossed random effects: against statsmodels, by hand, and its coverage."""

import numpy as np
import pytest
import statsmodels.api as sm

from forgetscope.stats.crossed import crossed_effects


def _design(items: int, models: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.array([(i, m, c) for i in range(items) for m in range(models) for c in (0, 1)]).T  # type: ignore[return-value]


def test_with_one_random_effect_it_is_the_model_of_statsmodels() -> None:
    rng = np.random.default_rng(3)
    item, _, condition = _design(40, 3)
    outcome = (rng.normal(0, 0.5, 40)[item] + 0.3 * condition + rng.normal(0, 1, len(item))) * 0.2
    ours = crossed_effects(outcome, list(condition.astype(str)), {"item": list(item.astype(str))}, degrees=10**6)
    theirs = sm.MixedLM(outcome, np.column_stack([np.ones(len(item)), condition]), groups=item).fit()
    (effect,) = ours.effects.values()
    assert effect.value == pytest.approx(theirs.params[1], abs=1e-5)
    assert effect.low == pytest.approx(theirs.params[1] - 1.96 * theirs.bse[1], abs=1e-3)
    assert ours.spreads["item"] == pytest.approx(float(np.sqrt(theirs.cov_re[0, 0])), abs=2e-3)


def test_in_a_balanced_design_the_effect_is_the_difference_of_rates() -> None:
    rng = np.random.default_rng(4)
    item, model, condition = _design(12, 3)
    right = rng.integers(0, 2, len(item)).astype(float)
    effects = {"item": list(item.astype(str)), "model": list(model.astype(str))}
    found = crossed_effects(right, list(condition.astype(str)), effects, degrees=2).effects["1"]
    assert found.value == pytest.approx(right[condition == 1].mean() - right[condition == 0].mean(), abs=1e-6)


def test_intervals_cover_the_truth_where_the_effect_differs_by_model() -> None:
    rng = np.random.default_rng(5)
    item, model, condition = _design(20, 5)
    hits = 0
    for _ in range(40):
        slope = rng.normal(-0.2, 0.1, 5)
        rate = np.clip(0.6 + rng.normal(0, 0.15, 20)[item] + slope[model] * condition, 0.02, 0.98)
        right = (rng.random(len(item)) < rate).astype(float)
        both = [f"{m}/{c}" for m, c in zip(model, condition, strict=True)]
        effects = {"item": list(item.astype(str)), "model": list(model.astype(str)), "both": both}
        found = crossed_effects(right, list(condition.astype(str)), effects, degrees=4).effects["1"]
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= -0.2 <= found.high
    assert hits >= 34


def test_outcomes_without_any_variation_have_no_interval() -> None:
    item, _, condition = _design(5, 1)
    found = crossed_effects(
        np.ones(len(item)), list(condition.astype(str)), {"item": list(item.astype(str))}, degrees=2
    )
    effect = found.effects["1"]
    assert effect.value == pytest.approx(0.0, abs=1e-9)
    assert (effect.low, effect.undefined) == (None, "nothing is left unexplained to judge it by")


def test_samples_in_no_group_of_a_kind_are_taken() -> None:
    found = crossed_effects(
        [1, 0, 1, 0], ["a", "a", "b", "b"], {"load": [None, None, "x", "y"], "item": ["1", "2", "1", "2"]}, degrees=2
    )
    assert found.samples == 4
    assert found.effects["b"].value == pytest.approx(0.0, abs=1e-6)


def test_one_level_or_one_model_says_nothing() -> None:
    assert crossed_effects([1, 0], ["a", "a"], {"item": ["1", "2"]}, degrees=2).effects == {}
    assert crossed_effects([1, 0], ["a", "b"], {"item": ["1", "2"]}, degrees=0).effects == {}


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one level for each outcome"):
        crossed_effects([1, 0], ["a"], {"item": ["1", "2"]}, degrees=2)
    with pytest.raises(ValueError, match="one group for each outcome"):
        crossed_effects([1, 0], ["a", "b"], {"item": ["1"]}, degrees=2)


def test_where_models_explain_every_outcome_there_is_no_interval() -> None:
    item, model, condition = _design(10, 3)
    right = np.where((model == 1) & (condition == 1), 0.0, 1.0)
    both = [f"{m}/{c}" for m, c in zip(model, condition, strict=True)]
    effects = {"item": list(item.astype(str)), "model": list(model.astype(str)), "both": both}
    found = crossed_effects(right, list(condition.astype(str)), effects, degrees=2).effects["1"]
    assert found.value == pytest.approx(-1 / 3, abs=1e-3)
    assert (found.low, found.undefined) == (None, "nothing is left unexplained to judge it by")
