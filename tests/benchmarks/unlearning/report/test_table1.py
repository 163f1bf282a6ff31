"""Table 1 over grids: the corpora in blocks under the paper's names, best cells bold, as CSV and LaTeX."""

from collections.abc import Iterator

from forgetscope.benchmarks.unlearning.metrics.study import CellKey
from forgetscope.benchmarks.unlearning.report.table1 import paper_tables
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from forgetscope.report.plain_tables import csv_of, latex_of

METHODS = ("ga", "npo", "simnpo")


def figures(corpus: str, epochs: float) -> Iterator[Figure]:
    """The 27 cells of a corpus; SimNPO forgets most and GA keeps most."""
    for form in ("raw", "pruned", "triplets"):
        for subset in ("low", "high", "original"):
            for place, method in enumerate(METHODS):
                doubled = 2 * epochs if form == "triplets" else epochs
                key = CellKey(corpus, "proper", form, subset, method, 2e-5, 1.0, doubled)
                for group, value in (("forget", 0.5 + place / 10), ("retain", 0.2 + place / 20)):
                    yield Figure("group", {**key.factors, "group": group}, value, 5)


def test_two_grids_make_the_fifty_four_cells_of_the_paper() -> None:
    runs = {
        "target (books)": FigureIndex(figures("muse books", 2)),
        "target (news)": FigureIndex(figures("muse news", 5)),
    }
    (one,) = paper_tables(runs)
    assert one.title == "Table 1: S_change of 54 cells"
    lines = csv_of(one).splitlines()
    assert lines[0] == (
        "Corpus,Forget format,Retain subset,GA Forget,GA Retain,NPO Forget,NPO Retain,SimNPO Forget,SimNPO Retain"
    )
    assert len(lines) == 1 + 18
    assert lines[1] == "NEWS,raw,low,0.5,0.2,0.6,0.25,0.7,0.3"
    assert lines[18] == "BOOKS,triplets,original,0.5,0.2,0.6,0.25,0.7,0.3"


def test_the_best_of_each_row_is_bold_in_latex() -> None:
    (one,) = paper_tables({"target": FigureIndex(figures("muse news", 5))})
    row = next(line for line in latex_of(one).splitlines() if line.startswith("raw & low"))
    cells = [cell.strip() for cell in row.rstrip("\\ ").split("&")]
    assert [cell.startswith(r"\textbf") for cell in cells] == [False, False, False, True, False, False, True, False]


def test_blocks_of_one_corpus_are_told_apart_by_what_differs() -> None:
    runs = {"one": FigureIndex(figures("embedded", 5)), "two": FigureIndex(figures("embedded", 2))}
    (by_epochs,) = paper_tables(runs)
    assert {str(row[by_epochs.columns[0].key]) for row in by_epochs.rows} == {
        "embedded, 5 epochs",
        "embedded, 2 epochs",
    }
    runs["two"] = FigureIndex(figures("embedded", 5))
    (by_run,) = paper_tables(runs)
    assert {str(row[by_run.columns[0].key])[-3:] for row in by_run.rows} == {"one", "two"}


def test_a_grid_without_cells_has_no_table() -> None:
    assert paper_tables({"one": FigureIndex(())}) == ()
