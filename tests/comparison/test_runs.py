"""Which runs may be compared, what is said of the rest, and what runs are called."""

import json

import polars as pl
import pytest

from forgetscope.comparison.runs import labelled, match, mismatches
from forgetscope.core.errors import RunFolderError, SettingError
from tests.comparison.invented import make_run, make_table

TABLE = make_table({"easy": [True, False, True]})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"benchmark": "another"}, "different benchmarks cannot be paired"),
        ({"data_sha256": "e" * 64}, "different data cannot be paired.*eeee.*next: run both on the same data"),
        ({"prompts_version": "2"}, "different prompt texts cannot be paired"),
    ],
)
def test_what_makes_pairing_meaningless_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        match([make_run(TABLE), make_run(TABLE, "two", **changes)])


def test_one_run_is_no_comparison() -> None:
    with pytest.raises(SettingError, match="two runs or more"):
        match([make_run(TABLE)])


def test_runs_without_a_common_sample_are_refused() -> None:
    other = TABLE.with_columns(sample_id=pl.col("sample_id") + "/seed=2")
    with pytest.raises(RunFolderError, match=r"no sample in common.*next: run them with the same settings"):
        match([make_run(TABLE), make_run(other, "two")])


def test_samples_that_one_run_lacks_are_counted_and_left_out() -> None:
    found = match([make_run(TABLE), make_run(TABLE.head(2), "two")])
    assert (found.samples, found.only_in_some, found.asked_differently) == (2, 1, 0)
    assert [table.height for table in found.tables] == [2, 2]


def test_samples_sent_otherwise_are_counted_and_left_out() -> None:
    other = TABLE.with_columns(
        messages=pl.when(pl.col("item") == "item-01").then(pl.lit("[]")).otherwise(pl.col("messages"))
    )
    found = match([make_run(TABLE), make_run(other, "two")])
    assert (found.samples, found.asked_differently) == (2, 1)
    with pytest.raises(RunFolderError, match="no sample was sent alike"):
        match([make_run(TABLE), make_run(make_table({"easy": [True] * 3}, asked="Who?"), "two")])


def test_what_the_model_said_itself_in_between_may_differ() -> None:
    def table(said: str) -> pl.DataFrame:
        turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": said, "live": True}]
        return TABLE.with_columns(messages=pl.lit(json.dumps(turns)))

    assert match([make_run(table("x")), make_run(table("y"), "two")]).samples == 3


def test_everything_else_that_differs_is_named_with_its_values() -> None:
    one = make_run(TABLE)
    two = make_run(
        TABLE,
        "two",
        decoding="temperature 1",
        judge="maker/judge",
        settings={"data": "x", "max_tokens": 20, "seeds": [1, 2]},
    )
    found = {entry.what: entry.values for entry in mismatches([one, two])}
    assert found == {
        "decoding": ("greedy", "temperature 1"),
        "judge": ("none", "maker/judge"),
        "max tokens": ("10", "20"),
        "seeds": ("42", "1, 2"),
    }
    assert mismatches([one, one]) == ()


def test_labels_are_as_short_as_tells_the_runs_apart() -> None:
    def labels(*runs: dict[str, str]) -> list[str]:
        made = [make_run(TABLE, "x", **run) for run in runs]
        return [run.label for run in labelled(made)]

    assert labels({"model": "a/m1"}, {"model": "a/m2"}) == ["m1", "m2"]
    assert labels({"model": "a/m"}, {"model": "b/m"}) == ["a/m", "b/m"]
    assert labels({"model": "a/m", "decoding": "greedy"}, {"model": "a/m", "decoding": "hot"}) == [
        "m, greedy",
        "m, hot",
    ]
    assert labels({"model": "a/m", "folder": "r1"}, {"model": "a/m", "folder": "r2"}) == ["r1", "r2"]
    assert labels({"model": "a/m", "folder": "r"}, {"model": "a/m", "folder": "r"}) == ["r (1)", "r (2)"]
