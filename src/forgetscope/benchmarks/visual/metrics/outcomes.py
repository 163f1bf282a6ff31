"""What became of the samples of every cell of the plan, and of the whole run."""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.visual.data.conditions import Control, Mode, VisualProbe
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.diagnostics.outcomes import OutcomeCell, outcome_figures
from forgetscope.findings.figures import Cell, Figure

RUN: dict[str, Cell] = {"cell": "all"}
"""The factors of the whole run's outcome figures."""


def diagnostic_figures(study: VisualStudy) -> Iterator[Figure]:
    """Outcomes of every cell and of the whole run."""
    cells = outcome_cells(study)
    for cell in (*cells, OutcomeCell(RUN, study.frame, sum(cell.planned for cell in cells))):
        yield from outcome_figures(cell, study.settings.max_tokens)


def outcome_cells(study: VisualStudy) -> tuple[OutcomeCell, ...]:
    """Every cell that was planned or has samples, by the plan's label."""
    labelled = study.frame.with_columns(label=LABEL)
    frames = {str(label): part for (label,), part in labelled.partition_by("label", as_dict=True).items()}
    empty = study.frame.clear()
    return tuple(
        OutcomeCell(
            {"cell": label},
            frames.get(label, empty),
            max(study.planned.get(label, 0), frames.get(label, empty).height),
        )
        for label in dict.fromkeys((*study.planned, *sorted(frames)))
    )


def _unless(column: str, first: str | int, text: pl.Expr) -> pl.Expr:
    return pl.when(pl.col(column) != first).then(pl.concat_str([pl.lit(" "), text])).otherwise(pl.lit(""))


LABEL = pl.concat_str(
    [
        pl.when(pl.col("role") == "effect").then(pl.col("side")).otherwise(pl.col("role")),
        pl.lit(" "),
        pl.col("condition"),
        _unless("control", Control.NONE.value, pl.col("control")),
        _unless("probe", VisualProbe.CHOICE.value, pl.col("probe")),
        _unless("phrasing", 0, pl.lit("rephrased")),
        _unless("order", 0, pl.lit("reordered")),
        _unless("mode", Mode.GENERATE.value, pl.col("mode")),
    ]
)
"""A row's cell, as `plan.cell_label` writes it."""
