"""Which samples meet which: pairing by item, seeds, settings, and tables that cannot be meant."""

import polars as pl
import pytest

from forgetscope.benchmarks.unlearning.metrics.study import COLUMNS, GridSetting
from tests.benchmarks.unlearning.metrics.small_grids import (
    KEY,
    TARGET,
    Run,
    cell,
    flat,
    kept,
    rows_of,
    study,
    study_of,
    table,
)

FOUR = flat(0.8, 0.6, 0.5, 0.5, 0.4, items=4)


def test_samples_are_paired_by_item_and_not_by_place() -> None:
    found = study(Run(KEY, {**TARGET, "verbatim": [None, 0.2, 0.3, None, 0.9]}), target=FOUR).scores(KEY, "verbatim")
    assert found.items == ("verbatim-1", "verbatim-2")
    assert found.target.tolist() == pytest.approx([0.72, 0.88])
    assert found.unlearned.tolist() == [0.2, 0.3]
    assert found.excluded == 3, "two without a score, one the target was never asked"


def test_seeds_of_an_item_are_averaged_before_items_are() -> None:
    one = Run(KEY, {**TARGET, "verbatim": [0.2, 0.4, 0.6, 0.8]}, seed=0)
    two = Run(KEY, {**TARGET, "verbatim": [0.4, 0.4, 0.0, 0.8]}, seed=1)
    found = study(one, two)
    assert found.seeds(KEY) == (0, 1)
    assert found.scores(KEY, "verbatim").unlearned.tolist() == pytest.approx([0.3, 0.4, 0.3, 0.8])
    assert found.scores(KEY, "verbatim", 1).unlearned.tolist() == [0.4, 0.4, 0.0, 0.8]


def test_an_item_lost_for_one_seed_is_left_out_and_counted() -> None:
    one = Run(KEY, {**TARGET, "verbatim": [0.2, 0.4, 0.6, 0.8]}, seed=0)
    two = Run(KEY, {**TARGET, "verbatim": [None, 0.4, 0.0, 0.8]}, seed=1)
    found = study(one, two, target=FOUR).scores(KEY, "verbatim")
    assert found.items == ("verbatim-1", "verbatim-2", "verbatim-3")
    assert found.excluded == 1


def test_a_seed_that_diverged_is_not_averaged_away() -> None:
    went_well = Run(KEY, kept(0.5, 0.5, 0.5, 0.5, 0.5), seed=0)
    diverged = Run(KEY, {measure: [None] * 4 for measure in TARGET}, seed=1)
    assert study(went_well, diverged).scores(KEY, "verbatim").items == ()


def test_the_order_of_rows_changes_nothing() -> None:
    rows = table(Run(KEY, kept(0.5, 0.4, 0.9, 0.8, 1.0)), Run(cell(method="npo"), kept(0.6, 0.4, 0.9, 0.8, 1.0)))
    shuffled = rows.sample(fraction=1.0, shuffle=True, seed=3)
    one, two = study_of(rows), study_of(shuffled)
    assert one.cells == two.cells
    assert one.scores(KEY, "verbatim").unlearned.tolist() == two.scores(KEY, "verbatim").unlearned.tolist()


def test_cells_stand_in_the_order_of_table_1() -> None:
    keys = [
        cell(forget_format="triplets", epochs=10.0),
        cell(retain_subset="original"),
        cell(retain_subset="high"),
        cell(method="simnpo"),
        KEY,
    ]
    found = study(*(Run(key, TARGET) for key in keys)).cells
    assert found == (keys[4], keys[3], keys[2], keys[1], keys[0])


def test_triplets_with_twice_the_epochs_stand_in_the_same_table() -> None:
    triplets, longer = cell(forget_format="triplets", epochs=10.0), cell(epochs=10.0)
    found = study(Run(KEY, TARGET), Run(triplets, TARGET), Run(longer, TARGET))
    assert found.settings_run == {
        GridSetting("news", "proper", 2e-5, 1.0, 5.0): (KEY, triplets),
        GridSetting("news", "proper", 2e-5, 1.0, 10.0): (longer,),
    }


def test_a_model_that_never_knew_the_forget_side_is_no_cell() -> None:
    row = rows_of("retain_only", {**dict.fromkeys(COLUMNS), "corpus": "news"}, TARGET, 0)
    assert study_of(table(Run(KEY, TARGET), more=row)).cells == (KEY,)


def test_other_measures_are_left_alone() -> None:
    more = table(Run(KEY, TARGET)).with_columns(measure=pl.lit("paraphrased_low"))
    assert study_of(pl.concat([table(Run(KEY, TARGET)), more])).frame["measure"].n_unique() == 5


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ValueError, match="no column lambda_retain"):
        study_of(table(Run(KEY, TARGET)).drop("lambda_retain"))


def test_a_corpus_without_a_target_is_named() -> None:
    rows = table(Run(KEY, TARGET)).filter(pl.col("method") != "target")
    with pytest.raises(ValueError, match="no target was evaluated for news"):
        study_of(rows)


def test_two_cells_that_cannot_be_told_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="is there twice"):
        study(Run(KEY, TARGET), Run(KEY, kept(0.5, 0.5, 0.5, 0.5, 0.5)))
