"""The figures of a study as tables: people with each other, judge and rules with people, what is corrected."""

from collections.abc import Iterator, Mapping
from typing import Literal

from forgetscope.annotation.answers import MAJORITY, AnnotationStudy
from forgetscope.findings.figures import Cell, Column, Interval, Table
from forgetscope.findings.measures import FigureIndex

Row = Mapping[str, Cell | Interval]


def study_tables(study: AnnotationStudy, index: FigureIndex) -> Iterator[Table]:
    """All tables that have rows."""
    with_people = (table for rater in study.design.raters for table in _rater(study, index, rater))
    for table in (_people(study, index), *with_people, _rates(study, index), _pairs(study, index)):
        if table.rows:
            yield table


def _names(study: AnnotationStudy) -> tuple[str, ...]:
    return (*(f"annotator {number}" for number in study.annotators), MAJORITY)


def _cell_columns() -> tuple[Column, ...]:
    return Column("cell", "replies of"), Column("form", "form")


def _cell(cell: str, form: str) -> dict[str, Cell | Interval]:
    return {"cell": cell.replace("_", " "), "form": form}


def _people(study: AnnotationStudy, index: FigureIndex) -> Table:
    rows: list[Row] = []
    for cell, form in study.cells:
        factors: dict[str, Cell] = {study.design.cell: cell, "form": form}
        row = _cell(cell, form) | {"n": len(study.of(cell, form))}
        row |= {name: index.interval("people.yes", **factors, by=name) for name in _names(study)}
        rows.append(row | {"fleiss": index.interval("people.fleiss", **factors)})
    return Table(
        "People: replies called right, and their agreement",
        (
            *_cell_columns(),
            Column("n", "drawn", "integer"),
            *(Column(name, name, "percent") for name in _names(study)),
            Column("fleiss", "Fleiss' kappa", "number"),
        ),
        tuple(rows),
        slug="people",
    )


def _rater(study: AnnotationStudy, index: FigureIndex, rater: str) -> Iterator[Table]:
    """Agreement with each annotator, their mean and the majority; Cohen's kappa with each and the majority."""
    kinds: tuple[tuple[str, str, Literal["percent", "number"]], ...] = (
        ("agreement", "replies with the same answer", "percent"),
        ("agreement.kappa", "Cohen's kappa", "number"),
    )
    for name, title, kind in kinds:
        with_mean = name == "agreement"
        rows: list[Row] = []
        for cell, form in study.cells:
            factors: dict[str, Cell] = {study.design.cell: cell, "form": form, "rater": rater}
            if index.get("agreement.mean", **factors) is None:
                continue
            row = _cell(cell, form)
            row |= {who: index.interval(name, **factors, **{"with": who}) for who in _names(study)}
            rows.append(row | ({"mean": index.interval("agreement.mean", **factors)} if with_mean else {}))
        yield Table(
            f"{rater.capitalize()} with people: {title}",
            (
                *_cell_columns(),
                *(Column(who, who, kind) for who in _names(study)),
                *([Column("mean", "mean of annotators", kind)] if with_mean else []),
            ),
            tuple(rows),
            slug=f"{rater}-{name.replace('.', '-')}",
        )


def _rates(study: AnnotationStudy, index: FigureIndex) -> Table:
    names = {"rate": "own", "rate.sensitivity": "sensitivity", "rate.specificity": "specificity"}
    names["rate.corrected"] = "corrected"
    rows: list[Row] = []
    for entry in index.named("rate"):
        row: dict[str, Cell | Interval] = {
            "cell": str(entry.factors[study.design.cell]).replace("_", " "),
            "form": entry.factors["form"],
            "rater": entry.factors["rater"],
        }
        rows.append(row | {label: index.interval(name, **entry.factors) for name, label in names.items()})
    return Table(
        "Accuracy of the run, as judge and rules give it and corrected (Rogan-Gladen)",
        (
            *_cell_columns(),
            Column("rater", "by"),
            *(Column(label, label, "percent") for label in names.values()),
        ),
        tuple(rows),
        slug="rates",
    )


def _pairs(study: AnnotationStudy, index: FigureIndex) -> Table:
    kept, gained = study.design.kept, study.design.gained
    rows: list[Row] = []
    for entry in index.named(kept.lower()):
        row: dict[str, Cell | Interval] = {
            "cell": str(entry.factors[study.design.cell]).replace("_", " "),
            "rater": entry.factors["rater"],
        }
        for name in (kept, gained):
            row[name] = index.interval(name.lower(), **entry.factors)
            row[f"{name} corrected"] = index.interval(f"{name.lower()}.corrected", **entry.factors)
        rows.append(row)
    return Table(
        f"{kept} and {gained} of the run, as judge and rules give them and corrected (misclassification of pairs)",
        (
            Column("cell", "replies of"),
            Column("rater", "by"),
            *(
                Column(f"{name}{what}", f"{name}{what}", "percent")
                for name in (kept, gained)
                for what in ("", " corrected")
            ),
        ),
        tuple(rows),
        slug="pairs",
    )
