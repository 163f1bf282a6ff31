"""Tables as files for other programs: CSV with plain numbers, LaTeX as a paper prints them."""

import csv
import io
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from forgetscope.findings.figures import Cell, Column, Interval, Table
from forgetscope.io.files import make_folder, write_text
from forgetscope.report.tables import view_table
from forgetscope.report.wording import visible

_SPECIAL = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\N{MINUS SIGN}": "$-$",
    "\N{EN DASH}": "--",
    "\N{FIGURE SPACE}": "~",
}


def write_paper_tables(
    tables: Iterable[Table], folder: Path, endings: Collection[str] = ("csv", "tex")
) -> tuple[Path, ...]:
    """Each table as `SLUG.csv` and `SLUG.tex`, or one of them, in a folder, made where there is a table.

    Raises:
        RunFolderError: a file cannot be written.
    """
    written = []
    for one in tables:
        make_folder(folder)
        name = one.slug.removeprefix("published-") or "table"
        for ending, text_of in (("csv", csv_of), ("tex", latex_of)):
            if ending in endings:
                path = folder / f"{name}.{ending}"
                write_text(path, text_of(one))
                written.append(path)
    return tuple(written)


def csv_of(table: Table) -> str:
    """A row a row; a figure with an interval takes three columns: its value, `low` and `high`. Rates are 0-1.

    Example:
        >>> from forgetscope.findings.figures import Column, Interval, Table
        >>> rows = ({"Model": "A", "Kept": Interval(0.5, 0.3, 0.7)}, {"Model": "B", "Kept": 0.25})
        >>> print(csv_of(Table("T", (Column("Model", "Model"), Column("Kept", "Kept", "percent")), rows)), end="")
        Model,Kept,Kept low,Kept high
        A,0.5,0.3,0.7
        B,0.25,,
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    heads: list[str] = []
    for column in table.columns:
        heads.append(column.label)
        if _has_intervals(table, column):
            heads += [f"{column.label} low", f"{column.label} high"]
    writer.writerow(heads)
    writer.writerows([cell for column in table.columns for cell in _plain(table, column, row)] for row in table.rows)
    return stream.getvalue()


def _has_intervals(table: Table, column: Column) -> bool:
    cells = (row.get(column.key) for row in table.rows)
    return any(isinstance(cell, Interval) and cell.low is not None for cell in cells)


def _plain(table: Table, column: Column, row: Mapping[str, Cell | Interval]) -> list[Cell]:
    """The cells of a column in a row; what a percentage printed with two digits lost to binary fractions is back."""
    cell = row.get(column.key)
    values = (cell.value, cell.low, cell.high) if isinstance(cell, Interval) else (cell, None, None)
    shown = values if _has_intervals(table, column) else values[:1]
    return [round(value, 12) if isinstance(value, float) else value for value in shown]


def latex_of(table: Table) -> str:
    """A `table` with a `tabular` of the package booktabs; numbers as the page has them, intervals beside them."""
    view = view_table(table)
    heads = [_latex(f"{head.label} ({head.unit})" if head.unit else head.label) for head in view.heads]
    rows = [
        [
            _bold(_latex(f"{cell.text} {'' if cell.is_padding else cell.interval}".strip()), given.get(column.key))
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row, given in zip(view.rows, table.rows, strict=True)
    ]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_latex(table.title)}}}",
        rf"\begin{{tabular}}{{{''.join('r' if head.is_number else 'l' for head in view.heads)}}}",
        r"\toprule",
        f"{' & '.join(heads)} \\\\",
        r"\midrule",
        *(f"{' & '.join(row)} \\\\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _bold(text: str, cell: Cell | Interval) -> str:
    return rf"\textbf{{{text}}}" if isinstance(cell, Interval) and cell.is_bold else text


def _latex(text: str) -> str:
    """A text as LaTeX sets it; what cannot be seen is spelled out first."""
    return "".join(_SPECIAL.get(sign, sign) for sign in visible(text))
