"""The papers' experiments as data: every setting exists, is allowed, has its source; grids have the paper's cells."""

from pathlib import Path

import pytest

from forgetscope.benchmarks import BENCHMARK_NAMES, get_benchmark
from forgetscope.benchmarks.papers import PaperDesign
from forgetscope.benchmarks.unlearning.data.corpora.folder import FolderSettings
from forgetscope.benchmarks.unlearning.data.corpora.muse import MuseSettings
from forgetscope.benchmarks.unlearning.paper import CORPORA, paper_grid
from forgetscope.core.errors import DataError, UnknownNameError
from forgetscope.core.settings import declarations
from forgetscope.findings.measures import FigureIndex

NOT_THE_PAPERS = {"data", "limit", "images", "judge_max_tokens", "allow_self_judge", "intervention"}
"""Where data are, who is asked, how much of it, and what the paper does not have."""


def design(name: str) -> PaperDesign:
    found = get_benchmark(name).paper
    assert found is not None
    return found


@pytest.mark.parametrize("name", BENCHMARK_NAMES)
def test_every_setting_that_decides_what_is_sent_is_in_the_papers_experiment_with_its_source(name: str) -> None:
    paper, kind = design(name), get_benchmark(name).settings
    assert set(paper.settings) == set(declarations(kind)) - NOT_THE_PAPERS
    assert all(one.source.startswith(("section", "appendix", "Table", "silent:")) for one in paper.settings.values())
    assert set(paper.extended) <= set(paper.settings)
    for arm in ("paper", "extended"):
        kind.model_validate({**paper.values(arm), "data": "embedded"})


def test_nothing_of_ours_is_in_the_papers_experiments() -> None:
    visual = get_benchmark("visual").settings.model_validate({**design("visual").values("paper"), "data": "splits"})
    assert (visual.controls, visual.vision_free, visual.phrasings) == ("none", False, 1)  # type: ignore[attr-defined]
    values = design("in-context").values("paper")
    assert (values["probes"], values["consecutive"]) == ("none", "raw")
    assert "constraint_only" not in str(design("prospective").values("paper")["conditions"])


@pytest.mark.parametrize(("name", "count"), [("prospective", 10), ("visual", 1), ("in-context", 8)])
def test_the_papers_tables_name_figures_and_are_empty_without_a_run(name: str, count: int) -> None:
    tables = design(name).tables()
    assert len(tables) == count
    assert all(table.with_runs({"mine": FigureIndex(())}) is None for table in tables)


@pytest.mark.parametrize(("corpus", "epochs"), [("news", 5), ("books", 2)])
def test_the_papers_grids_are_twenty_seven_cells_with_its_training(corpus: str, epochs: int) -> None:
    grid = paper_grid(corpus, "a/target", "official")
    assert len(grid.methods) * len(grid.retain_subsets) * len(grid.experiments[0].data.formats) == 27
    assert (grid.training.epochs, grid.training.learning_rate, grid.training.batch_size) == (epochs, 2e-5, 4)
    assert grid.epochs_factor == {"triplets": 2}
    (experiment,) = grid.experiments
    assert (experiment.target.model, experiment.target.fit) == ("a/target", None)
    assert isinstance(experiment.data.corpus, MuseSettings)
    assert experiment.data.corpus.corpus == corpus
    assert set(grid.evaluation.measures) < set(
        paper_grid(corpus, "a", "official", is_extended=True).evaluation.measures
    )


def test_a_grids_data_may_lie_in_a_folder_of_either_layout(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="neither MUSE's texts nor a corpus of one's own"):
        paper_grid("news", "a", str(tmp_path))
    (tmp_path / "muse" / "news" / "raw").mkdir(parents=True)
    (tmp_path / "tofu").mkdir()
    corpus = paper_grid("news", "a", str(tmp_path)).experiments[0].data.corpus
    assert isinstance(corpus, MuseSettings)
    assert (corpus.path, corpus.tofu_path) == (tmp_path / "muse" / "news", tmp_path / "tofu")
    (tmp_path / "mine" / "forget").mkdir(parents=True)
    assert isinstance(paper_grid("news", "a", str(tmp_path / "mine")).experiments[0].data.corpus, FolderSettings)


def test_the_small_target_has_the_same_cells_and_a_corpus_has_to_be_the_papers() -> None:
    small = paper_grid("news", "shipped", "embedded")
    assert len(small.methods) * len(small.retain_subsets) * len(small.experiments[0].data.formats) == 27
    with pytest.raises(UnknownNameError, match="--corpus"):
        paper_grid("wiki", "a", "official")
    assert CORPORA == ("news", "books")
