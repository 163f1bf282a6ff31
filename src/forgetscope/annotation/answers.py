"""Annotators' answers put beside the run: each drawn reply with what people, judge and rules say of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from forgetscope.annotation.design import AnnotatorVerdict, PairedDesign
from forgetscope.annotation.files import Annotation
from forgetscope.annotation.sampling import paired_population, reply_key
from forgetscope.core.errors import DataError
from forgetscope.stats import named_stream
from forgetscope.stats.misclassification import Validation

MAJORITY = "majority"

_ANSWERS = {AnnotatorVerdict.YES: True, AnnotatorVerdict.NO: False}


@dataclass(frozen=True)
class AnsweredReply:
    """One drawn reply.

    Attributes:
        said: What each annotator said, in their order; None where not judged.
        raters: The verdicts of judge and rules; None where there is none.
    """

    item: str
    cell: str
    stratum: str
    form: str
    said: tuple[AnnotatorVerdict | None, ...]
    raters: Mapping[str, bool | None]

    def answer(self, place: int) -> bool | None:
        """Yes or no of one annotator; None for `cannot tell` and for what was not judged."""
        said = self.said[place]
        return None if said is None else _ANSWERS.get(said)

    @property
    def gold(self) -> bool | None:
        """What more than half of all annotators said, yes or no; None where there is no such majority."""
        answers = [self.answer(place) for place in range(len(self.said))]
        for verdict in (True, False):
            if 2 * answers.count(verdict) > len(answers):
                return verdict
        return None


@dataclass(frozen=True)
class AnnotationStudy:
    """A run's replies, drawn and answered.

    Attributes:
        annotators: Their numbers, in the order of every reply's `said`.
        population: The samples of all items with both forms scored, that the figures are of.
    """

    design: PairedDesign
    annotators: tuple[int, ...]
    replies: tuple[AnsweredReply, ...]
    population: pl.DataFrame
    seed: int

    @cached_property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """Cells and forms with drawn replies, in order."""
        found = {(reply.cell, reply.form) for reply in self.replies}
        return tuple(sorted(found, key=lambda pair: (pair[0], self.design.forms.index(pair[1]))))

    def of(self, cell: str, form: str) -> tuple[AnsweredReply, ...]:
        """The drawn replies of a cell and form."""
        return tuple(reply for reply in self.replies if (reply.cell, reply.form) == (cell, form))

    def stream(self, name: str) -> np.random.Generator:
        """The random stream of one figure."""
        return named_stream(self.seed, f"annotation/{name}")

    def rated(self, cell: str, rater: str) -> pl.DataFrame:
        """The cell's population with the rater's verdicts, one row an item, for items where it has both forms'.

        Columns: item, stratum, first, second (the forms in the design's order).
        """
        column, (first, second) = self.design.raters[rater], self.design.forms
        part = self.population.filter(pl.col(self.design.cell) == cell, pl.col(column).is_not_null())
        names = {self.design.stratum: "stratum"}
        one, other = (
            part.filter(form=form).select("item", pl.col(column).alias(name), *([self.design.stratum] if keep else []))
            for form, name, keep in ((first, "first", True), (second, "second", False))
        )
        return one.rename(names).join(other, on="item").sort("item")

    def validation(self, cell: str, form: str, rater: str) -> Validation:
        """People's majority and the rater's verdict on the drawn replies of a cell and form that have both."""
        known = [reply for reply in self.of(cell, form) if reply.gold is not None and reply.raters[rater] is not None]
        gold = [reply.gold is True for reply in known]
        rated = [reply.raters[rater] is True for reply in known]
        return _validation(gold, rated, [reply.stratum for reply in known], self.rated(cell, rater))

    def pair_validation(self, cell: str, rater: str) -> Validation:
        """The same for items whose two replies both have both."""
        by_item: dict[str, dict[str, AnsweredReply]] = {}
        for reply in self.replies:
            if reply.cell == cell and reply.gold is not None and reply.raters[rater] is not None:
                by_item.setdefault(reply.item, {})[reply.form] = reply
        pairs = [tuple(forms[form] for form in self.design.forms) for forms in by_item.values() if len(forms) == 2]
        gold = [reply.gold is True for pair in pairs for reply in pair]
        rated = [reply.raters[rater] is True for pair in pairs for reply in pair]
        strata = [pair[0].stratum for pair in pairs]
        return _validation(gold, rated, strata, self.rated(cell, rater), of_pairs=True)


def _validation(
    gold: Sequence[bool],
    rated: Sequence[bool],
    strata: Sequence[str],
    population: pl.DataFrame,
    *,
    of_pairs: bool = False,
) -> Validation:
    """Each reply stands for as many of its stratum's items as there are to one that was answered."""
    sizes = dict(population.group_by("stratum").len().iter_rows())
    answered = {name: strata.count(name) for name in set(strata)}
    weights = [sizes.get(name, 0) / answered[name] for name in strata]
    shape = (-1, 2) if of_pairs else (-1,)
    return Validation(
        np.array(gold, dtype=np.bool_).reshape(shape),
        np.array(rated, dtype=np.bool_).reshape(shape),
        np.array(weights, dtype=np.float64),
    )


def match_answers(
    table: pl.DataFrame, design: PairedDesign, annotations: Sequence[Annotation], folder: Path
) -> AnnotationStudy:
    """Put the annotations of one study beside the run they were drawn from.

    Raises:
        DataError: there is none, or a reply is not of this run.
    """
    population, _ = paired_population(table, design)
    replies = tuple(
        _answered(row, design, [None if one is None else AnnotatorVerdict(one) for one in said])
        for row, said in answered_rows(table, annotations, folder)
    )
    seed = annotations[0].seed
    return AnnotationStudy(design, tuple(annotation.annotator for annotation in annotations), replies, population, seed)


def answered_rows(
    table: pl.DataFrame, annotations: Sequence[Annotation], folder: Path
) -> Iterator[tuple[dict[str, object], list[str | None]]]:
    """Each drawn row of the run's table, by key, with what every annotator said of it.

    Raises:
        DataError: there is no annotation, or a reply is not of this run.
    """
    if not annotations:
        raise DataError("no annotations", next_step="give the files that annotators sent back")
    seed = annotations[0].seed
    rows = {reply_key(seed, row["sample_id"]): row for row in table.iter_rows(named=True)}
    keys = [entry.key for entry in annotations[0].judgements]
    unknown = [key for key in keys if key not in rows]
    if unknown:
        raise DataError(
            f"{len(unknown)} of {len(keys)} replies are not of this run",
            where=str(folder),
            found=unknown[0],
            next_step="give the run that the sample was drawn from",
        )
    said = [{entry.key: entry.judgement for entry in annotation.judgements} for annotation in annotations]
    for key in sorted(keys):
        yield rows[key], [answers[key] for answers in said]


def _answered(
    row: Mapping[str, object], design: PairedDesign, said: Sequence[AnnotatorVerdict | None]
) -> AnsweredReply:
    return AnsweredReply(
        item=str(row["item"]),
        cell=str(row[design.cell]),
        stratum=str(row[design.stratum]),
        form=str(row["form"]),
        said=tuple(said),
        raters=dict(_verdicts(row, design)),
    )


def _verdicts(row: Mapping[str, object], design: PairedDesign) -> Iterator[tuple[str, bool | None]]:
    for rater, column in design.raters.items():
        verdict = row[column]
        if verdict is not None and not isinstance(verdict, bool):
            raise TypeError(f"the column {column} holds verdicts, found {verdict!r}")
        yield rater, verdict
