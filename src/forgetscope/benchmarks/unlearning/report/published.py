"""Table 1 as printed, with the run in the columns beside it."""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.methods import OF_THE_PAPER
from forgetscope.benchmarks.unlearning.metrics.study import CellKey, GridSetting, UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import method_name, setting_name
from forgetscope.findings.figures import Cell, Column, Finding, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.published import published_table

PUBLISHED_NAME = {"muse news": "news", "muse books": "books"}
"""The paper's corpora by the names they have here."""


def published_section(study: UnlearningStudy, index: FigureIndex) -> Section:
    """The paper's table of the run's corpus; of both where the run's is another."""
    tables = [
        _beside(index, setting, cells, corpus)
        for setting, cells in study.settings_run.items()
        for corpus in ([PUBLISHED_NAME[setting.corpus]] if setting.corpus in PUBLISHED_NAME else ["news", "books"])
    ]
    others = sorted({key.corpus for key in study.cells} - set(PUBLISHED_NAME))
    notes = [
        "The paper's targets are the 7B models of MUSE and its triplets come from a large language model; a run with "
        "another target or extractor compares shapes, not levels."
    ]
    if others:
        notes.append(f"The corpus {', '.join(others)} is not the paper's: it stands beside both of its corpora.")
    return Section(
        "Beside the paper",
        (*(Finding(text, "warning") for text in notes), *tables),
        intro="The paper's figures are as printed and not corrected: one run a cell, no intervals. The audit page says "
        "which of its sentences they bear out.",
        slug="published",
    )


def _beside(index: FigureIndex, setting: GridSetting, cells: Sequence[CellKey], corpus: str) -> Table:
    by_place = {(key.forget_format, key.retain_subset, key.method): key for key in cells}
    rows: list[dict[str, Cell | Interval]] = []
    for printed in published_table("unlearning_table1_change").filter(corpus=corpus).iter_rows(named=True):
        place = (printed["forget_format"], printed["retain_subset"], printed["method"])
        key = by_place.get(place)
        row: dict[str, Cell | Interval] = {
            "format": place[0],
            "retain": place[1],
            "method": method_name(place[2]),
        }
        for group in ("forget", "retain"):
            row[f"{group}_paper"] = printed[f"{group}_change_percent"] / 100
            row[f"{group}_run"] = None if key is None else index.interval("group", **key.factors, group=group)
        rows.append(row)
    return Table(
        f"Table 1 ({corpus}) beside {setting_name(setting)}",
        (
            Column("format", "forget format"),
            Column("retain", "retain subset"),
            Column("method", "method", names={name: name for name in map(method_name, OF_THE_PAPER)}),
            Column("forget_paper", "Forget, paper", "percent", "as printed"),
            Column("forget_run", "Forget, run", "percent"),
            Column("retain_paper", "Retain, paper", "percent", "as printed"),
            Column("retain_run", "Retain, run", "percent"),
        ),
        tuple(rows),
        slug="published",
        folded=True,
    )
