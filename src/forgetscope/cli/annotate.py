"""`annotate`: a blind sample of replies for people, and judge and rules against what they say."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import JsonOption, WholeSentences, app
from forgetscope.core.bounds import LARGEST, MOST_PARTS

if TYPE_CHECKING:
    import polars as pl

    from forgetscope.annotation.design import AnnotationDesign
    from forgetscope.findings.figures import Table

annotate_app = typer.Typer(cls=WholeSentences, help="Judge against people: sample, agreement.", no_args_is_help=True)
app.add_typer(annotate_app, name="annotate")

LINE_IN_A_FILE = 160
"""Columns of a table where output goes to a file; on a terminal its own width."""

RunArgument = Annotated[Path, typer.Argument(help="Run folder.", metavar="RUN")]


@annotate_app.command("sample")
def sample(
    run: RunArgument,
    out: Annotated[Path, typer.Option("--out", help="New folder for what annotators get.")],
    per_cell: Annotated[
        int,
        typer.Option(
            "--per-cell",
            min=1,
            max=LARGEST,
            help="Items of each scenario, both forms of each; prospective: failed replies of each condition.",
        ),
    ] = 50,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=LARGEST, help="Of the draw and of each annotator's order.")
    ] = 42,
    annotators: Annotated[
        int, typer.Option("--annotators", min=1, max=MOST_PARTS, help="How many people; each judges every reply.")
    ] = 3,
    as_json: JsonOption = False,
) -> None:
    """Draw replies at random and write each annotator a page that works offline, and the same as a spreadsheet."""
    from forgetscope.annotation.handout import RECORD_NAME, write_handout
    from forgetscope.annotation.sampling import draw_sample
    from forgetscope.cli.printing import console
    from forgetscope.findings.phrasing import counted

    table, design = _read(run)
    drawn = draw_sample(table, design, per_cell=per_cell, seed=seed)
    written = write_handout(drawn, design, annotators, out)
    if as_json:
        print(
            json.dumps(
                {
                    "study": drawn.study,
                    "seed": seed,
                    "replies": drawn.rows.height,
                    "strata": [asdict(stratum) for stratum in drawn.strata],
                    "items_left_out": drawn.left_out,
                    "files": [str(path) for path in written],
                },
                indent=2,
            )
        )
        return
    for stratum in drawn.strata:
        name = f"{stratum.cell}, {stratum.name}".replace("_", " ")
        console.print(f"{name}: {stratum.drawn} of {stratum.items}")
    if drawn.left_out:
        console.print(f"{counted(drawn.left_out, 'item')} left out: a form of it was not scored.")
    console.print(f"{drawn.rows.height} replies, {design.asked}, for {annotators} annotators: {out}", soft_wrap=True)
    console.print(
        f"Give each annotator one page (annotator-N.html) or spreadsheet (.csv), and keep {RECORD_NAME}: it names the "
        f"samples. Then: forgetscope annotate agreement {run} FILES",
        soft_wrap=True,
    )


@annotate_app.command("agreement")
def agreement(
    run: RunArgument,
    answers: Annotated[
        list[Path], typer.Argument(help="What annotators sent back, .json or .csv.", metavar="FILES...")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the tables as CSV and LaTeX (the paper's 12 to 14).")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare judge and rules with people, and correct the run's figures for their errors."""
    from forgetscope.annotation.compared import compare_with_people
    from forgetscope.annotation.files import read_annotations
    from forgetscope.cli.printing import console
    from forgetscope.io.files import require_apart
    from forgetscope.report.plain_tables import write_paper_tables

    table, design = _read(run)
    annotations = read_annotations(answers, design.answers)
    index, tables, findings = compare_with_people(table, design, annotations, run)
    if out is not None:
        require_apart(out, answers)
        write_paper_tables(tables, out)
    if as_json:
        content = {
            "schema_version": "1",
            "annotators": [one.annotator for one in annotations],
            "replies": len(annotations[0].judgements),
            "seed": annotations[0].seed,
            "findings": [asdict(finding) for finding in findings],
            "figures": [asdict(entry) for entry in index],
        }
        print(json.dumps(content, indent=2, allow_nan=False))
        return
    for shown in tables:
        _print_table(shown)
    for finding in findings:
        console.print(("Warning: " if finding.verdict == "warning" else "Note: ") + finding.text, soft_wrap=True)


def _read(run: Path) -> "tuple[pl.DataFrame, AnnotationDesign]":
    """A run's sample table, and what people can be asked about it.

    Raises:
        SettingError: its benchmark does not provide for annotation.
    """
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.core.errors import SettingError
    from forgetscope.running.finished import believed_table
    from forgetscope.running.manifest import read_manifest

    manifest = read_manifest(run)
    benchmark = get_benchmark(manifest.benchmark)
    if benchmark.annotation is None:
        raise SettingError(
            "replies of this benchmark are not put to people: rules alone decide them",
            where=str(run),
            found=benchmark.name,
            allowed="a run of in-context or prospective",
        )
    return believed_table(run, manifest, benchmark), benchmark.annotation


def _print_table(table: "Table") -> None:
    """A table of figures, with a line for each reason why a figure or interval is missing."""
    from rich.console import Console
    from rich.table import Table as Printed

    from forgetscope.cli.printing import console
    from forgetscope.findings.figures import Interval
    from forgetscope.report.wording import write_cell

    wide = console if console.is_terminal else Console(highlight=False, width=LINE_IN_A_FILE)
    printed = Printed(title=table.title, title_justify="left", box=None, pad_edge=False)
    for column in table.columns:
        unit = {"percent": " (%)", "size": " (pp)"}.get(column.kind, "")
        printed.add_column(column.label + unit, justify="left" if column.kind == "text" else "right")
    reasons: dict[str, str] = {}
    for row in table.rows:
        cells = []
        for column in table.columns:
            cell = row.get(column.key)
            mark = ""
            if isinstance(cell, Interval) and cell.note:
                mark = " " + reasons.setdefault(cell.note, f"({len(reasons) + 1})")
            cells.append(write_cell(cell, column.kind) + mark)
        printed.add_row(*cells)
    wide.print(printed)
    for reason, mark in reasons.items():
        wide.print(f"{mark} {reason}", soft_wrap=True)
    wide.print()
