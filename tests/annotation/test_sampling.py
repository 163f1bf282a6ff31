"""The draw is in proportion, seeded, blind, and takes both forms of an item."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.annotation.sampling import allocate, draw_sample, order_for, paired_population, reply_key, study_name
from forgetscope.core.errors import RunFolderError, SettingError
from tests.annotation.invented import DESIGN, drawn, rain_table, row, table


def test_each_cell_gives_the_items_asked_for_with_both_forms() -> None:
    sample = drawn(90, per_cell=12)
    by_cell = Counter(sample.rows.select("topic", "form").iter_rows())
    assert by_cell == {(topic, form): 12 for topic in ("rain", "snow") for form in DESIGN.forms}
    assert set(sample.rows.group_by("item").len()["len"]) == {2}


def test_strata_are_drawn_in_proportion() -> None:
    sample = drawn(90, per_cell=12)
    assert {(stratum.cell, stratum.name): (stratum.items, stratum.drawn) for stratum in sample.strata} == {
        ("rain", "heavy"): (20, 4),
        ("rain", "light"): (40, 8),
        ("snow", "heavy"): (10, 4),
        ("snow", "light"): (20, 8),
    }


def test_the_worked_examples_of_allocation() -> None:
    assert allocate({"a": 30, "b": 20, "c": 10}, 10) == {"a": 5, "b": 3, "c": 2}
    assert allocate({"a": 90, "b": 5, "c": 5}, 4) == {"a": 2, "b": 1, "c": 1}


@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 60), min_size=1, max_size=6), st.integers(1, 150)
)
def test_an_allocation_sums_up_and_never_exceeds_what_there_is(sizes: dict[str, int], total: int) -> None:
    shares = allocate(sizes, total)
    assert sum(shares.values()) == min(total, sum(sizes.values()))
    assert all(0 <= shares[name] <= size for name, size in sizes.items())
    if total >= len(sizes):
        assert min(shares.values()) >= 1


def test_the_same_seed_draws_the_same_and_another_seed_draws_others() -> None:
    assert drawn(90, seed=7).rows.equals(drawn(90, seed=7).rows)
    assert set(drawn(90, seed=7).rows["item"]) != set(drawn(90, seed=8).rows["item"])
    assert drawn(90, seed=7).study != drawn(90, seed=8).study


def test_the_order_of_the_table_changes_no_draw() -> None:
    shuffled = rain_table(90).sample(fraction=1, shuffle=True, seed=3)
    again = draw_sample(shuffled, DESIGN, per_cell=5, seed=7)
    assert again.rows.equals(drawn(90).rows)


def test_every_annotator_has_an_order_of_their_own_of_the_same_replies() -> None:
    keys = drawn(90).rows["key"].to_list()
    orders = [order_for(keys, 7, annotator) for annotator in (1, 2, 3)]
    assert all(sorted(order) == sorted(keys) for order in orders)
    assert len({tuple(order) for order in orders}) == 3
    assert orders[0] == order_for(list(reversed(keys)), 7, 1)


def test_a_key_tells_nothing_of_its_sample() -> None:
    key = reply_key(7, "in_context/if-001/forget/length=native")
    assert len(key) == 12
    assert key[0] == "r"  # so that no spreadsheet reads a number
    assert set(key[1:]) <= set("0123456789abcdef")
    assert key != reply_key(8, "in_context/if-001/forget/length=native")


def test_items_with_a_form_that_was_not_scored_are_left_out_and_counted() -> None:
    rows = [
        row("whole", "without"),
        row("whole", "with", status="incorrect"),
        row("cut", "without"),
        row("cut", "with", status="truncated"),
        row("single", "with"),
    ]
    kept, left_out = paired_population(table(rows), DESIGN)
    assert kept["item"].unique().to_list() == ["whole"]
    assert left_out == 2


def test_a_small_run_gives_all_it_has() -> None:
    assert drawn(6, per_cell=50).rows.height == 12


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(SettingError, match="--per-cell"):
        drawn(per_cell=0)
    with pytest.raises(RunFolderError, match="nothing to annotate"):
        draw_sample(rain_table().with_columns(status=pl.lit("refused")), DESIGN, per_cell=5, seed=7)
    twice = pl.concat([rain_table(), rain_table()])
    with pytest.raises(ValueError, match="twice in one form"):
        draw_sample(twice, DESIGN, per_cell=5, seed=7)


def test_a_study_is_named_by_its_replies_in_any_order() -> None:
    assert study_name(7, ["a", "b"]) == study_name(7, ["b", "a"]) != study_name(7, ["a"])
