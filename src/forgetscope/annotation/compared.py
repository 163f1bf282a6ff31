"""What a run's annotations give: figures, tables and findings, whatever people were asked."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from forgetscope.annotation.agreement import agreement_figures, agreement_findings
from forgetscope.annotation.answers import match_answers
from forgetscope.annotation.correction import correction_figures
from forgetscope.annotation.design import AnnotationDesign, LabelDesign, PairedDesign
from forgetscope.annotation.files import Annotation
from forgetscope.annotation.labels import label_figures, label_findings, label_tables, match_labels
from forgetscope.annotation.tables import study_tables
from forgetscope.findings.figures import Finding, Table
from forgetscope.findings.measures import FigureIndex


def compare_with_people(
    table: pl.DataFrame, design: AnnotationDesign, annotations: Sequence[Annotation], run: Path
) -> tuple[FigureIndex, list[Table], list[Finding]]:
    """Judge and rules compared with people.

    Raises:
        DataError: there is no annotation, or a reply is not of this run.
    """
    match design:
        case LabelDesign():
            labelled = match_labels(table, design, annotations, run)
            index = FigureIndex(label_figures(labelled))
            return index, list(label_tables(labelled, index)), list(label_findings(labelled))
        case PairedDesign():
            study = match_answers(table, design, annotations, run)
            index = FigureIndex([*agreement_figures(study), *correction_figures(study)])
            printed = [one.beside(index) for one in design.printed()]
            tables = [*study_tables(study, index), *(table for table in printed if table is not None)]
            return index, tables, list(agreement_findings(study))
    raise TypeError(f"no comparison with people for a {type(design).__name__}")
