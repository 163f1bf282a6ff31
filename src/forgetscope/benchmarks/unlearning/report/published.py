"""Table 1 as printed, with the run in the columns beside it."""

from collections.abc import Iterator, Sequence

import polars as pl

from forgetscope.benchmarks.unlearning.metrics.study import CellKey, GridSetting, UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import FORMAT, METHOD, SUBSET, setting_name
from forgetscope.benchmarks.unlearning.report.table1 import PAPERS_NAME
from forgetscope.findings.beside_paper import Ours, PrintedTable, beside_paper_section
from forgetscope.findings.figures import Column, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.published import published_table
from forgetscope.findings.tables import Factors

PUBLISHED_NAME = {corpus: name.lower() for corpus, name in PAPERS_NAME.items()}
"""The names in the file of the printed table."""


def published_section(study: UnlearningStudy, index: FigureIndex) -> Section:
    """The paper's table of the run's corpus; of both where the run's is another."""
    tables = [
        _table_1(setting, cells, corpus)
        for setting, cells in study.settings_run.items()
        for corpus in ([PUBLISHED_NAME[setting.corpus]] if setting.corpus in PUBLISHED_NAME else ["news", "books"])
    ]
    return beside_paper_section(index, caveats(study), tables, about="They are of one run a cell, without intervals.")


def caveats(study: UnlearningStudy) -> Iterator[str]:
    """Why the run's figures and the paper's are not of the same thing."""
    yield (
        "the paper's targets are the 7B models of MUSE and its triplets come from a large language model; a run with "
        "another target or extractor compares shapes, not levels"
    )
    others = sorted({key.corpus for key in study.cells} - set(PUBLISHED_NAME))
    if others:
        yield f"the corpus {', '.join(others)} is not the paper's: it stands beside both of its corpora"


def _table_1(setting: GridSetting, cells: Sequence[CellKey], corpus: str) -> PrintedTable:
    """Table 1 of a corpus beside the cells of a setting; a cell is known by format, subset and method."""
    own = {(key.forget_format, key.retain_subset, key.method): key.factors for key in cells}

    def ours(row: Factors) -> list[Ours]:
        place = (str(row["forget_format"]), str(row["retain_subset"]), str(row["method"]))
        return [("group", {**own.get(place, {}), "group": group}) for group in ("forget", "retain")]

    return PrintedTable(
        f"Table 1 ({corpus}) beside {setting_name(setting)}",
        "published",
        published_table("unlearning_table1_change").filter(corpus=corpus).with_columns(model=pl.lit("paper")),
        (
            Column("forget_change_percent", "Forget", "percent"),
            Column("retain_change_percent", "Retain", "percent"),
        ),
        ours,
        rows=("forget_format", "retain_subset", "method"),
        labels=(FORMAT, SUBSET, METHOD),
        folded=True,
    )
