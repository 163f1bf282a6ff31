"""`compare`: runs side by side, sample by sample, or beside the paper's models."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import JsonOption, app

if TYPE_CHECKING:
    from forgetscope.findings.figures import Table

MOST_ROWS = 24
"""Of a table on a terminal; the page, the CSV and the JSON have all."""


@app.command()
def compare(
    folders: Annotated[
        list[Path], typer.Argument(help="Run folders, or unlearning grids; the first is the reference.")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for comparison.html, .json and .csv.")] = Path(
        "comparison"
    ),
    published: Annotated[bool, typer.Option("--published", help="Set the runs beside the paper's models.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Set runs side by side, paired by sample: differences with intervals and tests, and what changed."""
    from forgetscope.api.comparisons import compare_folders
    from forgetscope.cli.printing import console, counting_progress
    from forgetscope.cli.reports import AGAIN
    from forgetscope.cli.stopping import stoppable
    from forgetscope.comparison.difference_tables import MINOR_COLUMNS
    from forgetscope.report.write import plain_line

    with stoppable(AGAIN), counting_progress("comparing", only_if_long=True) as progress:
        written = compare_folders(folders, out, published=published, progress=progress)
    if as_json:
        print(written.stored.model_dump_json(indent=2))
        return
    for finding in written.headlines:
        console.print(plain_line(finding), markup=False)
    for table in written.tables:
        print_table(replace(table, columns=tuple(one for one in table.columns if one.label not in MINOR_COLUMNS)))
    console.print(f"\nPage: {written.html}", soft_wrap=True, markup=False)


def print_table(table: "Table") -> None:
    """A report's table on a terminal, its first rows."""
    import rich.table
    from rich.markup import escape

    from forgetscope.cli.printing import console
    from forgetscope.report.tables import view_table

    view = view_table(table)
    rows = [
        [f"{cell.text} {'' if cell.is_padding else cell.interval}".strip() for cell in row]
        for row in view.rows[:MOST_ROWS]
    ]
    shown = rich.table.Table(title=escape(view.title), title_justify="left", box=None, pad_edge=False)
    for place, head in enumerate(view.heads):  # a word a line, so that headings widen nothing
        shown.add_column(
            "\n".join(escape(f"{head.label} {head.unit}").split()),
            justify="right" if head.is_number else "left",
            min_width=max((len(row[place]) for row in rows), default=0) if head.is_number else None,
            overflow="fold",
        )
    for row in rows:
        shown.add_row(*map(escape, row))
    console.print()
    console.print(shown)
    if len(view.rows) > MOST_ROWS:
        console.print(f"... and {len(view.rows) - MOST_ROWS} more rows on the page.")
