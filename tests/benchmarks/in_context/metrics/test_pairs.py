"""The 2 x 2 table of an item's two forms, its identities and its bounds."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.in_context.metrics.study import Outcome, Pairs, PairTable
from tests.benchmarks.in_context.metrics.small_tables import Row, cell, pair, row, table_of

OUTCOMES: tuple[Outcome, ...] = (True, False, None)
COUNTS = st.dictionaries(
    st.sampled_from(list(itertools.product(OUTCOMES, OUTCOMES))), st.integers(min_value=0, max_value=20)
)


def test_counts_of_the_example_give_the_papers_figures() -> None:
    table = Pairs.of(table_of(cell(6, 2, 1, 1))).table
    assert (table.n11, table.n10, table.n01, table.n00, table.n) == (6, 2, 1, 1, 10)
    na, fa, sfrr, wr = 8 / 10, 7 / 10, 6 / 8, 1 / 10
    assert (table.n11 + table.n10) / table.n == na
    assert (table.n11 + table.n01) / table.n == fa
    assert na * sfrr + wr == pytest.approx(fa)


def test_rows_may_come_in_any_order() -> None:
    rows = cell(3, 2, 1, 2) + pair("x", True, "lost")
    shuffled = list(rows)
    random.Random(1).shuffle(shuffled)
    assert Pairs.of(table_of(rows)) == Pairs.of(table_of(shuffled))


def test_names_of_items_change_no_count() -> None:
    rows = cell(3, 2, 1, 2)
    renamed: list[Row] = [{**entry, "item": f"z{str(entry['item'])[::-1]}"} for entry in rows]
    assert Pairs.of(table_of(rows)).table == Pairs.of(table_of(renamed)).table


def test_an_item_that_lacks_a_form_counts_in_the_bounds_alone() -> None:
    pairs = Pairs.of(table_of(cell(1, 1, 0, 0) + pair("x", True, None) + pair("y", "lost", False)))
    assert pairs.table.n == 2
    assert pairs.table.unpaired == 2
    assert pairs.table.count(True, None) == pairs.table.count(None, False) == 1
    assert pairs.both_scored.items == ("if-000", "if-001")


def test_only_right_and_wrong_are_scored_by_status_and_all_text_by_the_paper() -> None:
    rows = pair("a", "cut but passing", "refused") + pair("b", True, "noise") + pair("c", "lost", True)
    assert Pairs.of(table_of(rows)).table.n == 0
    by_paper = Pairs.of(table_of(rows), "raw_pass").table
    assert (by_paper.n10, by_paper.n, by_paper.unpaired) == (2, 2, 1)


def test_two_samples_of_an_item_in_one_form_are_refused() -> None:
    rows = [row("a", "forget"), row("a", "forget", False)]
    with pytest.raises(ValueError, match="an item occurs twice in one form"):
        Pairs.of(table_of(rows))


def test_no_sample_is_no_pair() -> None:
    table = Pairs.of(table_of([])).table
    assert (table.n, table.unpaired, table.sfrr_bounds) == (0, 0, None)
    without, with_ = Pairs.of(table_of([])).arrays
    assert len(without) == len(with_) == 0


def test_bounds_are_those_of_the_protocol() -> None:
    # n11 4, n10 2, n1? 1, n?0 3, n?1 2, n?? 1
    table = PairTable(
        {(True, True): 4, (True, False): 2, (True, None): 1, (None, False): 3, (None, True): 2, (None, None): 1}
    )
    low, high = table.sfrr_bounds or (0.0, 0.0)
    assert low == pytest.approx(4 / (4 + 2 + 1 + 3 + 1))
    assert high == pytest.approx((4 + 1 + 2 + 1) / (4 + 1 + 2 + 1 + 2))


def test_without_unscored_items_both_bounds_are_sfrr() -> None:
    assert PairTable({(True, True): 3, (True, False): 1, (False, True): 5}).sfrr_bounds == (0.75, 0.75)


@given(COUNTS)
def test_the_identity_of_fa_holds_for_all_counts(counts: dict[tuple[Outcome, Outcome], int]) -> None:
    table = PairTable(counts)
    right_without = table.n11 + table.n10
    assert table.n + table.unpaired == sum(counts.values())
    if table.n and right_without:
        na, sfrr, wr = right_without / table.n, table.n11 / right_without, table.n01 / table.n
        assert na * sfrr + wr == pytest.approx((table.n11 + table.n01) / table.n)


@given(COUNTS)
def test_sfrr_lies_in_its_bounds_however_the_unscored_would_have_ended(
    counts: dict[tuple[Outcome, Outcome], int],
) -> None:
    table = PairTable(counts)
    bounds = table.sfrr_bounds
    right_without = table.n11 + table.n10
    if bounds is None:
        assert right_without == 0
        return
    assert 0 <= bounds[0] <= bounds[1] <= 1
    if right_without:
        assert bounds[0] <= table.n11 / right_without + 1e-12
        assert bounds[1] >= table.n11 / right_without - 1e-12


@given(st.lists(st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES)), max_size=4))
def test_bounds_are_reached_by_some_way_of_scoring_the_unscored(outcomes: list[tuple[Outcome, Outcome]]) -> None:
    choices = [[flag] if flag is not None else [True, False] for both in outcomes for flag in both]
    reached = set()
    for filled in itertools.product(*choices):
        pairs = list(zip(filled[0::2], filled[1::2], strict=True))
        right = [with_ for without, with_ in pairs if without]
        if right:
            reached.add(sum(right) / len(right))
    counts = {both: outcomes.count(both) for both in outcomes}
    bounds = PairTable(counts).sfrr_bounds
    if bounds is not None and reached:
        assert (min(reached), max(reached)) == pytest.approx(bounds)
