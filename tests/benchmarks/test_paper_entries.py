"""What the pages say of the papers is there: settings, figures of a real run, printed tables, texts."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import forgetscope
import forgetscope as fs
from forgetscope.benchmarks import GRIDS, get_benchmark, package_of
from forgetscope.benchmarks.papers import PaperEntry
from forgetscope.core.settings import declarations
from forgetscope.findings.figures import Chart
from forgetscope.findings.published import published_tables
from forgetscope.report.write import chapter_of
from forgetscope.running.finished import collect_run
from tools.write_paper_entries import PAGES, entries_of, with_entries

MODELS = {
    "prospective": "forgetscope/reference/fading",
    "in-context": "forgetscope/reference/stubborn",
    "visual": "forgetscope/reference/visual-obedient",
}
KINDS = ("setting", "figure", "chart", "table", "text", "nowhere")
NAMES = (*MODELS, "unlearning")


def wanted(benchmark: str, how: str) -> Sequence[tuple[PaperEntry, str]]:
    split = ((entry, entry.here.partition(" ")) for entry in entries_of(benchmark))
    return [(entry, name) for entry, (said, _, name) in split if said == how]


@pytest.mark.parametrize("benchmark", NAMES)
def test_settings_tables_and_texts_that_entries_name_exist(benchmark: str) -> None:
    chosen = GRIDS[benchmark] if benchmark in GRIDS else get_benchmark(benchmark)
    own = chosen.settings
    known = set(own.model_fields) if benchmark in GRIDS else set(declarations(own))
    if benchmark in GRIDS:
        known |= {"formats", "training"}
    assert not [name for _, name in wanted(benchmark, "setting") if name not in known]
    assert not [name for _, name in wanted(benchmark, "table") if name not in published_tables()]
    for _, name in wanted(benchmark, "text"):
        module, _, attribute = name.partition(":")
        assert hasattr(import_module(module), attribute), name
    for entry in entries_of(benchmark):
        assert entry.here.partition(" ")[0].rstrip(":") in KINDS, entry
        assert not entry.here.startswith("nowhere") or len(entry.here) > len("nowhere: why"), entry


@cache
def figures_of(benchmark: str, folder: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Names of the figures, and of the charts, of a small run as the paper has it."""
    if benchmark == "visual":
        model = MODELS[benchmark]
        run = fs.run(benchmark, model, out=folder, limit=2, splits="embedded-identity", conditions="paper")
    else:
        (run,) = fs.reproduce(benchmark, MODELS[benchmark], out=folder, data="embedded", limit=2)
    blocks = [block for section in chapter_of(collect_run(run.folder)).results.sections for block in section.blocks]
    return frozenset(run.figures["figure"]), frozenset(block.slug for block in blocks if isinstance(block, Chart))


@pytest.mark.parametrize("benchmark", MODELS)
def test_figures_and_charts_that_entries_name_come_of_a_run(benchmark: str, tmp_path: Path) -> None:
    figures, charts = figures_of(benchmark, tmp_path / "run")
    assert not [name for _, name in wanted(benchmark, "figure") if name not in figures]
    assert not [name for _, name in wanted(benchmark, "chart") if name not in charts]


def test_the_figures_of_a_grid_are_named_in_its_metrics() -> None:
    folder = Path(str(forgetscope.__file__)).parent.joinpath(*package_of("unlearning").split(".")[1:], "metrics")
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert not [name for _, name in wanted("unlearning", "figure") if f'"{name}"' not in text]


@pytest.mark.parametrize("benchmark", NAMES)
def test_each_page_has_its_papers_entries_as_they_are(benchmark: str) -> None:
    page = (PAGES / f"{benchmark}.md").read_text(encoding="utf-8")
    assert page == with_entries(page, entries_of(benchmark)), "python tools/write_paper_entries.py"
