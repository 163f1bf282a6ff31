"""Figures and the report's tables as CSV and LaTeX, by what the report itself writes them with."""

from dataclasses import replace
from pathlib import Path

from forgetscope.findings.figure_table import figure_table
from forgetscope.findings.figures import Table
from forgetscope.io.files import write_text
from forgetscope.report.chapters import Chapter
from forgetscope.report.plain_tables import write_paper_tables


def write_csv(chapter: Chapter, folder: Path) -> tuple[Path, ...]:
    """`figures.csv`, a row a figure, and `tables/NN-NAME.csv`."""
    path = folder / "figures.csv"
    write_text(path, figure_table(chapter.summary.figures).write_csv())
    return (path, *write_paper_tables(_tables(chapter), folder / "tables", ("csv",)))


def write_latex(chapter: Chapter, folder: Path) -> tuple[Path, ...]:
    """`tables/NN-NAME.tex`, for the package booktabs."""
    return write_paper_tables(_tables(chapter), folder / "tables", ("tex",))


def _tables(chapter: Chapter) -> list[Table]:
    """Every table of the report, in its order, with a name of its own."""
    found = [block for section in chapter.results.sections for block in section.blocks if isinstance(block, Table)]
    return [replace(one, slug=f"{number:02d}-{_name(one)}") for number, one in enumerate(found, start=1)]


def _name(table: Table) -> str:
    given = table.slug or table.title
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in given.lower()).strip("-")[:60]
