"""A grid folder as results: what is missing is said, and cells that differ are never averaged."""

from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.grid.results import grid_results
from forgetscope.core.errors import RunFolderError
from forgetscope.findings.figures import Browser, Finding, Interval, Table
from tests.benchmarks.unlearning.grid_folders import by_method, cells, finish, unfinish, write_cells
from tests.benchmarks.unlearning.metrics.test_models import TRAINING


def said(path: Path) -> list[str]:
    return [
        finding.text for finding in grid_results(GridFolder(path)).results.headlines if finding.verdict == "warning"
    ]


def test_a_finished_grid_has_every_sample_and_no_warning(tmp_path: Path) -> None:
    grid = write_cells(tmp_path, cells(), by_method)
    found = grid_results(grid)
    assert found.planned == found.table.height == 4 * 10
    assert said(tmp_path) == []
    changes = {entry.factors["method"]: entry.value for entry in found.results.figures if entry.name == "group"}
    assert changes == pytest.approx({"ga": 0.75, "npo": 0.5, "simnpo": 0.25})


def test_cells_that_failed_or_were_not_run_are_named_first(tmp_path: Path) -> None:
    configs = cells()
    grid = write_cells(tmp_path, configs, by_method)
    unfinish(grid, configs[1], "disk full")
    unfinish(grid, configs[2])
    assert said(tmp_path) == [
        f"Failed: {configs[1].label}: disk full.",
        "1 of 4 cells have not been run; every figure is of the others alone.",
    ]
    found = grid_results(grid)
    assert (found.table.height, found.planned) == (20, 40)


def test_training_that_diverged_is_said_and_leaves_its_cell_undefined(tmp_path: Path) -> None:
    configs = cells()
    grid = write_cells(tmp_path, configs, lambda config: None if config == configs[1] else by_method(config))
    assert said(tmp_path) == [f"Training diverged, so that all samples are lost: {configs[1].label}."]
    groups = {
        entry.factors["method"]: entry.value for entry in grid_results(grid).results.figures if entry.name == "group"
    }
    assert groups["ga"] is None


def test_a_model_that_babbles_is_not_praised_for_forgetting(tmp_path: Path) -> None:
    configs = cells()
    grid = write_cells(tmp_path, configs, by_method)
    finish(grid, configs[1], 0.1, {"collapsed": 1.0, "gibberish.kept": 0.75})
    assert said(tmp_path) == [
        "1 of 4 models collapsed: most answers about what should be kept are gibberish (worst: "
        f"{configs[1].label}, 75.0%). Their low scores are not forgetting."
    ]


def test_a_target_that_scores_nothing_leaves_changes_undefined_and_is_named(tmp_path: Path) -> None:
    write_cells(tmp_path, cells(), lambda config: 0.0 if config.unlearning is None else by_method(config))
    (warning,) = said(tmp_path)
    assert warning.startswith("embedded: the target scores 0.0% in verbatim, knowledge_forget")
    assert "these changes and the groups they belong to are undefined" in warning


def test_cells_whose_gradient_was_gone_at_once_are_said_before_their_figures(tmp_path: Path) -> None:
    configs = cells()
    grid = write_cells(tmp_path, configs, by_method)
    finish(grid, configs[3], 0.6, {"nll.forget": 0.1, "auc.loss": 0.2}, TRAINING)
    found = grid_results(grid).results
    (warning,) = said(tmp_path)
    assert warning.startswith("1 of 3 cells has no gradient on most of the forget sequences from the first epoch on")
    assert "SimNPO on raw" in warning
    titles = [section.title for section in found.sections]
    assert {"Likelihood of the texts", "Saturation of the losses", "Membership inference"} <= set(titles)
    assert "Relearning" not in titles
    assert titles[-1] == "Samples"


def test_a_measure_that_was_added_has_its_column(tmp_path: Path) -> None:
    configs = cells()
    grid = write_cells(tmp_path, configs, by_method)
    figures = {"score.paraphrased_forget": 0.4, "truth_ratio.world": 0.6, "of_mine": 2.5, "collapsed": 0.0}
    for config in configs:
        finish(grid, config, by_method(config), figures)
    (section,) = (part for part in grid_results(grid).results.sections if part.slug == "further")
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert [column.label for column in table.columns[2:]] == ["paraphrased forget", "truth ratio, world", "of mine"]
    assert [row["of mine"] for row in table.rows] == [Interval(2.5)] * 4


def test_cells_of_an_earlier_version_show_the_truth_ratio_and_say_why_its_test_is_missing(tmp_path: Path) -> None:
    configs = cells()
    grid = write_cells(tmp_path, configs, by_method)
    for config in configs:
        finish(grid, config, by_method(config), {"truth_ratio.forget": 0.6})
    (section,) = (part for part in grid_results(grid).results.sections if part.slug == "truth")
    finding, made = section.blocks
    assert isinstance(finding, Finding)
    assert "No model that never knew the forget side was evaluated" in finding.text
    assert isinstance(made, Table)
    assert [column.label for column in made.columns[2:]] == ["Truth ratio", "KS p, target"]
    cell = made.rows[1]["KS p, target"]
    assert isinstance(cell, Interval)
    assert "were not kept when these cells were run" in cell.note


def test_every_model_has_a_name_of_its_own_in_the_browser(tmp_path: Path) -> None:
    both = [*cells(), *(config.model_copy(update={"seed": 1}) for config in cells()[1:])]
    grid = write_cells(tmp_path, both, by_method)
    (browser,) = grid_results(grid).results.sections[-1].blocks
    assert isinstance(browser, Browser)
    assert browser.apart is not None
    names = browser.apart.names
    assert len(set(names.values())) == len(names) == 7
    assert next(iter(names.values())) == "embedded target"


def test_one_method_with_two_settings_is_two_methods(tmp_path: Path) -> None:
    settings = settings_of(
        {"formats": ["raw"], "methods": [{"kind": "npo", "beta": 0.1}, {"kind": "npo", "beta": 0.5}]}
    )
    grid = write_cells(tmp_path, cells(settings), lambda config: 0.8 if config.unlearning is None else 0.4, settings)
    assert set(grid_results(grid).table["method"]) == {"target", "npo (beta 0.1)", "npo (beta 0.5)"}


def test_one_corpus_with_two_targets_is_two_corpora(tmp_path: Path) -> None:
    both = [*cells(target="a" * 16), *cells(target="b" * 16)]
    grid = write_cells(tmp_path, both, by_method)
    for config in both[4:]:
        result = grid.cell(config.id) / "result.json"
        result.write_text(result.read_text(encoding="utf-8").replace("w" * 64, "v" * 64), encoding="utf-8")
    assert set(grid_results(grid).table["corpus"]) == {
        "embedded (data dddddd, target aaaaaa)",
        "embedded (data dddddd, target bbbbbb)",
    }


def test_nothing_finished_is_a_mistake_with_a_next_step(tmp_path: Path) -> None:
    configs = cells()
    grid = write_cells(tmp_path, configs, by_method)
    for config in configs:
        unfinish(grid, config)
    with pytest.raises(RunFolderError, match=r"no cell of the grid is finished.*forgetscope unlearn grid"):
        grid_results(grid)


def test_cells_without_their_target_cannot_be_compared(tmp_path: Path) -> None:
    configs = cells()
    grid = write_cells(tmp_path, configs, by_method)
    unfinish(grid, configs[0])
    with pytest.raises(RunFolderError, match=r"cannot be compared yet.*no target was evaluated for embedded"):
        grid_results(grid)
