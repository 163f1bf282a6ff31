"""Differences by hand, families of tests, and runs that are not told apart."""

import random

import polars as pl
import pytest

from forgetscope.comparison import Breakdown, ComparedMeasure, compare
from forgetscope.comparison.changes import RUN_COLUMN, Change, change_column, joint_table, sample_changes
from forgetscope.comparison.differences import EXACT, EXCHANGED, Difference, difference_tables
from forgetscope.comparison.groups import in_words, not_distinguished
from forgetscope.stats import Estimate, holm
from tests.comparison.invented import DESIGN, make_run, make_table

ONE = make_table({"easy": [True] * 8 + [False] * 2, "hard": [False] * 10})
TWO = make_table({"easy": [True] * 8 + [False] * 2, "hard": [True] * 9 + [None]})


def test_a_cell_by_hand() -> None:
    (by_condition, in_all) = difference_tables(DESIGN.measures, [ONE, TWO])
    easy, hard = by_condition.rows
    assert (easy.estimate.value, easy.p, easy.excluded) == (0.0, 1.0, 0)
    assert (hard.value_first, hard.value_second, hard.estimate.n, hard.excluded) == (0.0, 1.0, 9, 1)
    assert hard.table is not None
    assert (hard.table.b, hard.table.c) == (0, 9)
    assert hard.p == pytest.approx(2 / 2**9)
    assert hard.table.corrected_p == pytest.approx(0.0076, abs=1e-3)
    assert hard.test == EXACT
    assert in_all.rows[0].test == EXCHANGED, "an item answers under two conditions: its samples are no single pairs"
    assert in_all.rows[0].estimate.clusters == 10


def test_holm_is_over_the_cells_and_pairs_of_one_table() -> None:
    third = make_table({"easy": [False] * 10, "hard": [True] * 10})
    (by_condition, _) = difference_tables(DESIGN.measures, [ONE, TWO, third])
    assert len(by_condition.rows) == by_condition.tests == 2 * 3
    assert [row.p_holm for row in by_condition.rows] == pytest.approx(holm([row.p for row in by_condition.rows]))


def test_a_run_and_itself_differ_nowhere() -> None:
    found = compare(DESIGN, [make_run(ONE), make_run(ONE, "two")])
    assert found.is_without_any_difference
    assert all(row.estimate.value == 0 and row.p == row.p_holm == 1 for table in found.tables for row in table.rows)
    assert all(row.detectable is not None and row.detectable > 0 for table in found.tables for row in table.rows)


def test_the_order_of_the_rows_changes_nothing() -> None:
    shuffled = [table.sample(fraction=1, shuffle=True, seed=1) for table in (ONE, TWO)]
    straight = compare(DESIGN, [make_run(ONE), make_run(TWO, "two")])
    mixed = compare(DESIGN, [make_run(shuffled[0]), make_run(shuffled[1], "two")])
    assert [table.rows for table in straight.tables] == [table.rows for table in mixed.tables]


def test_a_unit_that_occurs_twice_is_an_error() -> None:
    doubled = ComparedMeasure("x", "x", lambda t: DESIGN.measures[0].units(pl.concat([t, t])), (Breakdown("in all"),))
    with pytest.raises(ValueError, match="a unit occurs twice"):
        difference_tables([doubled], [ONE, TWO])


def test_a_cell_nobody_could_score_is_undefined_and_costs_no_test() -> None:
    lost = make_table({"easy": [True] * 10, "hard": [None] * 10})
    (by_condition, _) = difference_tables(DESIGN.measures, [ONE, lost])
    hard = by_condition.rows[1]
    assert (hard.estimate.value, hard.p, hard.p_holm, hard.detectable) == (None, None, None, None)
    assert hard.estimate.undefined == "no matched units"
    assert by_condition.tests == 1


def test_changes_go_both_ways_and_count_replies_that_stayed() -> None:
    first = make_table({"easy": [True, True, False, False, None]})
    second = make_table({"easy": [True, False, True, False, True]})
    (entry,) = sample_changes(DESIGN.outcomes, [first, second])
    assert entry.counts == {
        Change.RIGHT: 1,
        Change.LOST: 1,
        Change.GAINED: 1,
        Change.WRONG: 1,
        Change.UNSCORED: 1,
    }
    assert [change for _, change in entry.changed] == [Change.LOST, Change.GAINED]
    assert entry.same_reply == 2


def test_the_joint_table_shows_changed_samples_first_and_leaves_the_first_run_without_marks() -> None:
    first, second = make_table({"easy": [True, False]}), make_table({"easy": [True, True]})
    changes = sample_changes(DESIGN.outcomes, [first, second])
    joint = joint_table(["a", "b"], [first, second], changes)
    name = change_column(DESIGN.outcomes[0])
    assert joint.height == 4
    assert joint.row(0, named=True)[name] == Change.GAINED.value
    assert joint.filter(pl.col(RUN_COLUMN) == "a")[name].null_count() == 2


def _pair(first: int, second: int, *, apart: bool) -> Difference:
    found = Estimate(0.4, 0.2 if apart else -0.1, 0.6, 20, "")
    p = 0.01 if apart else 0.5
    return Difference("x", "x", {}, first, second, found, 0.0, 0.4, 0, None, p, "", p, items=20, changed=8)


def test_sets_that_are_not_told_apart_may_overlap() -> None:
    rows = [_pair(0, 1, apart=False), _pair(1, 2, apart=False), _pair(0, 2, apart=True)]
    assert not_distinguished(rows, 3) == ((0, 1), (1, 2))
    assert in_words(((0, 1), (1, 2)), ["a", "b", "c"]) == "{a, b}; {b, c}"


def test_with_nothing_told_apart_there_is_one_set_and_with_everything_one_for_each_run() -> None:
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert not_distinguished([_pair(*pair, apart=False) for pair in pairs], 3) == ((0, 1, 2),)
    assert not_distinguished([_pair(*pair, apart=True) for pair in pairs], 3) == ((0,), (1,), (2,))


def test_three_runs_get_a_second_opinion_beside_the_plain_mean() -> None:
    rng = random.Random(1)

    def noisy(rate: float) -> list[bool | None]:
        return [rng.random() < rate for _ in range(30)]

    tables = [make_table({"easy": noisy(0.8), "hard": noisy(0.3)}) for _ in range(3)]
    found = compare(DESIGN, [make_run(table, f"m{number}") for number, table in enumerate(tables)])
    (opinion,) = found.opinions
    assert (opinion.level, opinion.model.reference) == ("hard", "easy")
    counts = [{c: int(t.filter(condition=c)["right"].sum()) for c in ("easy", "hard")} for t in tables]
    plain = sum(count["hard"] - count["easy"] for count in counts) / 90
    assert opinion.plain == pytest.approx(plain)
    effect = opinion.model.effects["hard"]
    assert effect.value == pytest.approx(plain, abs=1e-3), "the design is balanced"
    assert effect.low is not None
    assert effect.low < plain
    assert set(opinion.model.spreads) == {"item", "model", "model x condition", "residual"}
    assert compare(DESIGN, [make_run(table, str(number)) for number, table in enumerate(tables[:2])]).opinions == ()
