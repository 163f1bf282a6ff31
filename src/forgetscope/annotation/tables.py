"""The figures of a study as tables: people with each other, judge and rules with people, what is corrected."""

from collections.abc import Iterator

from forgetscope.annotation.answers import MAJORITY, AnnotationStudy
from forgetscope.findings.figures import Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Shown, label, number, rate, table


def study_tables(study: AnnotationStudy, index: FigureIndex) -> Iterator[Table]:
    """All tables that have rows."""
    with_people = (found for rater in study.design.raters for found in _rater(study, index, rater))
    for found in (_people(study, index), *with_people, _rates(study, index), _pairs(study, index)):
        if found.rows:
            yield found


def _names(study: AnnotationStudy) -> tuple[str, ...]:
    return (*(f"annotator {number}" for number in study.annotators), MAJORITY)


def _cells(study: AnnotationStudy) -> tuple[Shown, Shown]:
    return label("replies of", study.design.cell, lambda cell: cell.replace("_", " ")), label("form", "form")


def _people(study: AnnotationStudy, index: FigureIndex) -> Table:
    return table(
        index,
        "People: replies called right, and their agreement",
        rows=[{study.design.cell: cell, "form": form} for cell, form in study.cells],
        columns=[
            *_cells(study),
            label("drawn", lambda row: len(study.of(str(row[study.design.cell]), str(row["form"]))), kind="integer"),
            *(rate(name, "people.yes", by=name) for name in _names(study)),
            number("Fleiss' kappa", "people.fleiss"),
        ],
        slug="people",
    )


def _rater(study: AnnotationStudy, index: FigureIndex, rater: str) -> Iterator[Table]:
    """Agreement with each annotator, their mean and the majority; Cohen's kappa with each and the majority."""
    rows = [
        factors
        for cell, form in study.cells
        if index.get("agreement.mean", **(factors := {study.design.cell: cell, "form": form, "rater": rater}))
    ]
    with_people = f"{rater.capitalize()} with people"
    yield table(
        index,
        f"{with_people}: replies with the same answer",
        rows,
        [
            *_cells(study),
            *(rate(who, "agreement", **{"with": who}) for who in _names(study)),
            rate("mean of annotators", "agreement.mean"),
        ],
        slug=f"{rater}-agreement",
    )
    yield table(
        index,
        f"{with_people}: Cohen's kappa",
        rows,
        [*_cells(study), *(number(who, "agreement.kappa", **{"with": who}) for who in _names(study))],
        slug=f"{rater}-agreement-kappa",
    )


def _rates(study: AnnotationStudy, index: FigureIndex) -> Table:
    return table(
        index,
        "Accuracy of the run, as judge and rules give it and corrected (Rogan-Gladen)",
        rows=[entry.factors for entry in index.named("rate")],
        columns=[
            *_cells(study),
            label("by", "rater"),
            rate("own", "rate"),
            rate("sensitivity", "rate.sensitivity"),
            rate("specificity", "rate.specificity"),
            rate("corrected", "rate.corrected"),
        ],
        slug="rates",
    )


def _pairs(study: AnnotationStudy, index: FigureIndex) -> Table:
    kept, gained = study.design.kept, study.design.gained
    return table(
        index,
        f"{kept} and {gained} of the run, as judge and rules give them and corrected (misclassification of pairs)",
        rows=[entry.factors for entry in index.named(kept.lower())],
        columns=[
            _cells(study)[0],
            label("by", "rater"),
            *(
                rate(f"{name}{what.replace('.', ' ')}", f"{name.lower()}{what}")
                for name in (kept, gained)
                for what in ("", ".corrected")
            ),
        ],
        slug="pairs",
    )
