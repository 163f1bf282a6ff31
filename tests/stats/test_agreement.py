"""Kappas equal statsmodels' and the values worked out by hand; what is undefined says why."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import cohens_kappa as reference_cohen
from statsmodels.stats.inter_rater import fleiss_kappa as reference_fleiss

from forgetscope.stats import named_stream
from forgetscope.stats.agreement import cohens_kappa, fleiss_kappa, fleiss_of_counts, kappa_of_counts

SEED = 7
FEW = 200


def stream() -> np.random.Generator:
    return named_stream(SEED, "test")


def test_cohens_kappa_of_the_worked_example() -> None:
    first = [1] * 5 + [0] * 5
    second = [1] * 4 + [0] + [1] + [0] * 4
    few = cohens_kappa(first, second)
    assert few.value == pytest.approx(0.6)
    assert (few.low, few.undefined) == (None, "fewer than 18 subjects")
    found = cohens_kappa(first * 2, second * 2)
    assert found.value == pytest.approx(0.6)
    assert found.n == 20
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.6 < found.high <= 1
    assert kappa_of_counts(4, 1, 1, 4) == pytest.approx(0.6)


def test_fleiss_kappa_of_the_worked_example() -> None:
    found = fleiss_kappa([[1, 1, 1], [1, 1, 0], [0, 0, 0]])
    assert found.value == pytest.approx(0.55)
    assert fleiss_of_counts(2, 5, 3) == pytest.approx(0.55)


answers = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=2, max_size=40)
sorted_into_six = st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=2, max_size=40)


@given(st.one_of(answers.map(lambda rows: (rows, 2)), sorted_into_six.map(lambda rows: (rows, 6))))
def test_kappas_are_those_of_statsmodels(drawn: tuple[list[tuple[int, int, int]], int]) -> None:
    table, labels = np.array(drawn[0]), drawn[1]
    ours = cohens_kappa(table[:, 0], table[:, 1], labels).value
    if ours is None:
        assert len({*table[:, 0], *table[:, 1]}) == 1
    else:
        counts = np.zeros((labels, labels))
        np.add.at(counts, (table[:, 0], table[:, 1]), 1)
        assert ours == pytest.approx(reference_cohen(counts, return_results=False))
    several = fleiss_kappa(table, labels).value
    if several is None:
        assert len(set(table.ravel())) == 1
    else:
        assert several == pytest.approx(reference_fleiss(aggregate_raters(table, n_cat=labels)[0]))


@given(answers)
def test_swapping_raters_or_answers_changes_no_kappa(rows: list[tuple[int, int, int]]) -> None:
    table = np.array(rows)
    value = cohens_kappa(table[:, 0], table[:, 1]).value
    assert value == cohens_kappa(table[:, 1], table[:, 0]).value
    assert value == cohens_kappa(1 - table[:, 0], 1 - table[:, 1]).value
    assert fleiss_kappa(table).value == fleiss_kappa(1 - table).value


def test_one_answer_throughout_has_no_kappa_and_perfect_agreement_on_two_has_one_without_an_interval_of_width_0() -> (
    None
):
    same = cohens_kappa([1, 1, 1], [1, 1, 1])
    assert same.value is None
    assert "all answers are the same" in same.undefined
    perfect = cohens_kappa([1, 1, 0, 0] * 5, [1, 1, 0, 0] * 5)
    assert perfect.value == 1
    assert perfect.low is None
    assert "all items are alike" in perfect.undefined


def test_high_agreement_with_one_rare_answer_gives_a_low_kappa() -> None:
    # ICF-Bench, table 14: 88% agreement on 50 replies nearly all of which are right is a kappa of a third.
    assert kappa_of_counts(42, 3, 3, 2) == pytest.approx(0.333, abs=5e-4)


def test_answers_other_than_yes_and_no_are_refused() -> None:
    with pytest.raises(ValueError, match="leave out what is none of them"):
        cohens_kappa([1, 2], [1, 0])
    with pytest.raises(ValueError, match="same subjects"):
        cohens_kappa([1, 1], [1])
    with pytest.raises(ValueError, match="two raters or more"):
        fleiss_kappa([[1], [0]])


def test_an_interval_covers_the_true_kappa_about_as_often_as_it_says() -> None:
    draw = named_stream(1, "coverage")
    covered = 0
    for _ in range(200):
        truth = draw.random(80) < 0.5
        first, second = (np.where(draw.random(80) < 0.85, truth, ~truth) for _ in range(2))
        # Agreement 0.85**2 + 0.15**2 = 0.745, by chance 0.5: kappa 0.49.
        found = cohens_kappa(first, second)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.49 <= found.high
    assert 0.88 <= covered / 200 <= 0.99
