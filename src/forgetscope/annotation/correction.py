"""What judge or rules say of the whole run, corrected for their errors against people's majority.

Accuracies of each form by Rogan and Gladen; SFRR and WR, which are of pairs of replies, by the misclassification matrix
of the pairs, or left as they are where it cannot be had. Both resample the drawn replies and the run.
"""

from collections.abc import Iterator

import polars as pl

from forgetscope.annotation.answers import AnnotationStudy
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure
from forgetscope.stats import wilson
from forgetscope.stats.misclassification import correct_pairs, rogan_gladen, sensitivity, specificity


def correction_figures(study: AnnotationStudy) -> Iterator[Figure]:
    """Figures of every cell and rater that has verdicts on items' both forms."""
    for cell in dict.fromkeys(cell for cell, _ in study.cells):
        for rater in study.design.raters:
            population = study.rated(cell, rater)
            if not population.is_empty():
                for form, column in zip(study.design.forms, ("first", "second"), strict=True):
                    yield from _of_form(study, cell, rater, form, population[column])
                yield from _of_pairs(study, cell, rater, population)


def _of_form(study: AnnotationStudy, cell: str, rater: str, form: str, verdicts: pl.Series) -> Iterator[Figure]:
    """The rater's own rate, its sensitivity and specificity against people, and the corrected rate."""
    factors: dict[str, Cell] = {study.design.cell: cell, "form": form, "rater": rater}
    known = study.validation(cell, form, rater)
    rest = len(study.of(cell, form)) - len(known.gold)
    own = wilson(int(verdicts.sum()), len(verdicts))
    yield figure("rate", factors, own, label="replies it calls right, items with verdicts on both forms")
    for name, estimate, label in (
        ("rate.sensitivity", sensitivity(known), "right by people: it agrees"),
        ("rate.specificity", specificity(known), "wrong by people: it agrees"),
    ):
        yield figure(name, factors, estimate, excluded=rest, label=label)
    corrected = rogan_gladen(known, verdicts.to_list(), seed=study.stream(f"corrected/{factors}"))
    dropped = "dropped where sensitivity + specificity was 1 or less" if corrected.draws_dropped else ""
    yield figure("rate.corrected", factors, corrected, excluded=rest, note=dropped)


def _of_pairs(study: AnnotationStudy, cell: str, rater: str, population: pl.DataFrame) -> Iterator[Figure]:
    """SFRR and WR as the rater gives them, and corrected where the matrix of pairs can be had."""
    factors: dict[str, Cell] = {study.design.cell: cell, "rater": rater}
    pairs = population.select("first", "second").to_numpy().astype(bool)
    both, only_second = int((pairs[:, 0] & pairs[:, 1]).sum()), int((~pairs[:, 0] & pairs[:, 1]).sum())
    known = study.pair_validation(cell, rater)
    found = correct_pairs(known, pairs, seed=study.stream(f"pairs/{factors}"))
    kept, gained = study.design.kept.lower(), study.design.gained.lower()
    assumed = "errors in the two forms taken as independent given the truth" if found.matrix == "product" else ""
    note = "; ".join(part for part in (found.reason if assumed else "", assumed) if part)
    yield figure(kept, factors, wilson(both, int(pairs[:, 0].sum())), label="as the rater gives it")
    yield figure(f"{kept}.corrected", factors, found.kept, note=note)
    yield figure(gained, factors, wilson(only_second, len(pairs)), label="as the rater gives it")
    yield figure(f"{gained}.corrected", factors, found.gained, note=note)
