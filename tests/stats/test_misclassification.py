"""Corrected rates come back to the truth where the errors are known, and say why where they cannot."""

from itertools import product

import numpy as np
import pytest

from forgetscope.stats import named_stream
from forgetscope.stats.misclassification import (
    Validation,
    correct_pairs,
    rogan_gladen,
    sensitivity,
    specificity,
)

FEW = 400


def stream(name: str = "test") -> np.random.Generator:
    return named_stream(3, name)


def validation(gold: object, rated: object, weight: object = None) -> Validation:
    people, said = np.array(gold, dtype=bool), np.array(rated, dtype=bool)
    n = len(people)
    return Validation(
        people,
        said,
        np.ones(n) if weight is None else np.array(weight, dtype=float),
    )


def of_rates(sens: float, spec: float, right: int, wrong: int) -> Validation:
    """Exactly these error rates."""
    hits, rejections = round(sens * right), round(spec * wrong)
    gold = [True] * right + [False] * wrong
    rated = [True] * hits + [False] * (right - hits) + [False] * rejections + [True] * (wrong - rejections)
    return validation(gold, rated)


def test_the_worked_example_of_rogan_and_gladen() -> None:
    known = of_rates(0.9, 0.8, 40, 20)
    population = [1] * 55 + [0] * 45
    found = rogan_gladen(known, population, seed=stream())
    assert found.value == pytest.approx(0.5)
    assert found.n == 100
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.5 < found.high
    assert sensitivity(known).value == pytest.approx(0.9)
    assert specificity(known).value == pytest.approx(0.8)


def test_a_rater_without_errors_changes_nothing() -> None:
    assert rogan_gladen(of_rates(1, 1, 20, 20), [1] * 30 + [0] * 70, seed=stream()).value == pytest.approx(0.3)


def test_corrections_stay_between_0_and_1() -> None:
    known = of_rates(0.9, 0.8, 40, 20)
    assert rogan_gladen(known, [1] * 5 + [0] * 95, seed=stream(), draws=FEW).value == 0
    assert rogan_gladen(known, [1] * 99 + [0], seed=stream(), draws=FEW).value == 1


def test_a_rater_no_better_than_chance_corrects_nothing() -> None:
    found = rogan_gladen(of_rates(0.5, 0.5, 20, 20), [1] * 30 + [0] * 30, seed=stream())
    assert found.value is None
    assert "1 or less" in found.undefined
    assert rogan_gladen(of_rates(0.2, 0.5, 20, 20), [1] * 30 + [0] * 30, seed=stream()).value is None


@pytest.mark.parametrize(
    ("right", "wrong", "said"), [(40, 4, "4 of 44 replies wrong"), (3, 40, "3 of 43 replies right")]
)
def test_a_class_of_fewer_than_five_corrects_nothing(right: int, wrong: int, said: str) -> None:
    found = rogan_gladen(of_rates(1, 1, right, wrong), [1, 0], seed=stream())
    assert found.value is None
    assert said in found.undefined


def test_few_validated_replies_widen_the_interval_although_the_population_is_large() -> None:
    population = [1] * 5500 + [0] * 4500
    widths = []
    for times in (1, 10):
        found = rogan_gladen(of_rates(0.9, 0.8, 40 * times, 20 * times), population, seed=stream(), draws=2000)
        assert found.low is not None
        assert found.high is not None
        widths.append(found.high - found.low)
    assert widths[0] > 2.5 * widths[1]
    assert widths[1] > 0.03  # The population alone would give 0.014 / 0.7 * 2.


def test_weights_let_a_stratum_count_as_much_as_it_has_replies() -> None:
    # In stratum 0 the rater finds all that is right, in stratum 1 half; stratum 1 is nine tenths of the population.
    gold = [True] * 20 + [False] * 10
    rated = [True] * 10 + [True] * 5 + [False] * 5 + [False] * 10
    stratum = [0] * 10 + [1] * 10 + [0] * 5 + [1] * 5
    weighted = validation(gold, rated, [1.0 if s == 0 else 9.0 for s in stratum])
    assert sensitivity(weighted).value == pytest.approx(0.55)
    assert sensitivity(validation(gold, rated)).value == pytest.approx(0.75)
    found = rogan_gladen(weighted, [1] * 11 + [0] * 29, seed=stream(), draws=FEW)
    assert found.value == pytest.approx(0.5)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    draw, covered, trials = named_stream(5, "coverage"), 0, 200
    for trial in range(trials):
        truth = draw.random(300) < 0.6
        said = np.where(truth, draw.random(300) < 0.9, draw.random(300) < 0.2)
        asked = draw.choice(300, size=80, replace=False)
        known = validation(truth[asked], said[asked])
        found = rogan_gladen(known, said, seed=named_stream(trial, "rg"), draws=FEW)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.6 <= found.high
    assert 0.9 <= covered / trials <= 1


PairList = list[tuple[int, int]]


def pairs_with_errors(counts: tuple[int, int, int, int], sens: float, spec: float) -> tuple[PairList, PairList]:
    """Gold pairs (11, 10, 01, 00 times `counts`) and what a rater of these error rates says in expectation."""
    gold: PairList = []
    rated: PairList = []
    for (first, second), count in zip(((1, 1), (1, 0), (0, 1), (0, 0)), counts, strict=True):
        for one, two in product((1, 0), repeat=2):
            chances = [
                (sens if said else 1 - sens) if truth else (1 - spec if said else spec)
                for truth, said in ((first, one), (second, two))
            ]
            times = round(count * chances[0] * chances[1])
            gold += [(first, second)] * times
            rated += [(one, two)] * times
    return gold, rated


def test_sfrr_and_wr_come_back_to_the_truth_with_the_estimated_matrix() -> None:
    gold, rated = pairs_with_errors((500, 300, 100, 100), 0.9, 0.8)
    found = correct_pairs(validation(gold, rated), rated, seed=stream(), draws=FEW)
    assert found.matrix == "estimated"
    assert found.reason == ""
    assert found.kept.value == pytest.approx(5 / 8)
    assert found.gained.value == pytest.approx(0.1)
    alone = np.array(rated)
    assert ((alone[:, 0] == 0) & (alone[:, 1] == 1)).mean() == pytest.approx(0.139)  # what the rater alone would say


def test_without_enough_of_each_pair_the_two_forms_own_matrices_are_used_and_named() -> None:
    gold, rated = pairs_with_errors((500, 300, 100, 100), 0.9, 0.8)
    few = [place for place, pair in enumerate(gold) if pair != (0, 1)] + [
        place for place, pair in enumerate(gold) if pair == (0, 1)
    ][:4]
    known = validation([gold[i] for i in few], [rated[i] for i in few])
    found = correct_pairs(known, rated, seed=stream(), draws=FEW)
    assert found.matrix == "product"
    assert "4 times" in found.reason
    assert "product of the two forms' matrices" in found.kept.method
    assert found.kept.value == pytest.approx(5 / 8, abs=0.02)
    assert found.gained.value == pytest.approx(0.1, abs=0.02)


def test_nothing_is_corrected_where_people_found_hardly_anything_wrong_in_a_form() -> None:
    gold = [(1, 1)] * 30 + [(1, 0)] * 10 + [(0, 0)] * 3
    found = correct_pairs(validation(gold, gold), gold, seed=stream())
    assert found.matrix == "none"
    assert found.kept.value is None
    assert "first form: people called 3 of 43 replies wrong" in found.kept.undefined
    assert found.kept.method.startswith("left uncorrected")


def test_a_rater_no_better_than_chance_in_one_form_corrects_no_pair() -> None:
    gold = [(1, 1), (1, 0), (0, 1), (0, 0)] * 10
    rated = [(1, index // 4 % 2) for index in range(40)]
    found = correct_pairs(validation(gold, rated), rated, seed=stream(), draws=FEW)
    assert found.kept.value is None
    assert "cannot be inverted" in found.kept.undefined


def test_perfect_raters_leave_the_pairs_as_they_are() -> None:
    gold = [(1, 1)] * 12 + [(1, 0)] * 8 + [(0, 1)] * 6 + [(0, 0)] * 6
    found = correct_pairs(validation(gold, gold), gold, seed=stream(), draws=FEW)
    assert found.kept.value == pytest.approx(0.6)
    assert found.gained.value == pytest.approx(6 / 32)
    assert found.kept.low is not None


def test_replies_and_weights_must_be_of_the_same_replies() -> None:
    with pytest.raises(ValueError, match="of the same replies"):
        validation([1, 0], [1])
