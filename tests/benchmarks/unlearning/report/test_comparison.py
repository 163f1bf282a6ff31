"""Grids side by side: cells are matched by what they are, whatever target they started from."""

from pathlib import Path

import pytest

import forgetscope as fs
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.report.comparison import comparable_table
from tests.benchmarks.unlearning.grid_folders import by_method, cells, samples, write_cells


def _milder(config: CellConfig) -> float:
    return by_method(config) if config.unlearning is None else by_method(config) + 0.1


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return write_cells(tmp_path / "first", cells(), by_method).path


def test_grids_of_two_targets_are_paired_cell_by_cell(first: Path, tmp_path: Path) -> None:
    second = write_cells(tmp_path / "second", cells(target="u" * 16), _milder).path
    found = fs.compare(first, second, out=tmp_path / "side-by-side")
    assert found.labels == ("first", "second")
    assert found.matched == 40
    by_cell = {"table": "by method and measure", "measure": "verbatim"}
    rouge = found.figures.filter(figure="rouge.difference", **by_cell)
    assert dict(rouge.select("method", "value").iter_rows()) == pytest.approx(
        {"target": 0.0, "ga": 0.1, "npo": 0.1, "simnpo": 0.1}
    )
    lost = found.figures.filter(figure="lost.difference", **by_cell)
    assert dict(lost.select("method", "value").iter_rows()) == pytest.approx({"ga": -0.1, "npo": -0.1, "simnpo": -0.1})


def test_a_grid_does_not_differ_from_itself(first: Path, tmp_path: Path) -> None:
    found = fs.compare(first, first, out=tmp_path / "same")
    assert [finding.text for finding in found.headlines] == [
        "No difference anywhere: every reply is the same in 40 samples."
    ]


def test_a_setting_that_grids_differ_in_is_named_and_does_not_keep_them_apart(first: Path, tmp_path: Path) -> None:
    faster = settings_of({"formats": ["raw"], "training": {"learning_rate": 0.002}})
    second = write_cells(tmp_path / "second", cells(faster), by_method, faster).path
    found = fs.compare(first, second, out=tmp_path / "side-by-side")
    assert found.matched == 40
    assert "training.learning rate" in [what for what, _ in found.mismatches]


def test_numbers_that_differ_within_a_grid_tell_its_cells_apart() -> None:
    rates = [settings_of({"formats": ["raw"], "training": {"learning_rate": rate}}) for rate in (0.001, 0.002)]
    one, two = (samples(cells(each)[1], 0.5) for each in rates)
    both = comparable_table(one.vstack(two))
    assert not both["sample_id"].is_duplicated().any()
    assert comparable_table(one)["sample_id"].to_list() == comparable_table(two)["sample_id"].to_list()


def test_other_data_and_other_benchmarks_are_refused(first: Path, tmp_path: Path) -> None:
    other = write_cells(tmp_path / "other", cells(data="e" * 64), by_method).path
    with pytest.raises(fs.UserError, match="different data cannot be paired"):
        fs.compare(first, other, out=tmp_path / "c")
    spoken = fs.run(
        "prospective",
        "forgetscope/reference/perfect",
        out=tmp_path / "run",
        limit=1,
        seed=42,
        loads="mmlu",
        experiments="load",
    )
    with pytest.raises(fs.UserError, match="different benchmarks cannot be paired"):
        fs.compare(first, spoken, out=tmp_path / "c")
