"""Which of several labels replies have: people with each other, and a rule with people.

For replies drawn by themselves (`LabelDesign`): nothing is paired, and gold is the label that more than half of all
annotators gave. The last label leaves it open; it counts as one for agreement, and is gold where most say so.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from forgetscope.annotation.agreement import lone_and_missing
from forgetscope.annotation.answers import MAJORITY, answered_rows
from forgetscope.annotation.design import LabelDesign
from forgetscope.annotation.files import Annotation
from forgetscope.findings.figures import Cell, Figure, Finding, Table
from forgetscope.findings.measures import FigureIndex, figure, plain
from forgetscope.findings.phrasing import counted
from forgetscope.findings.tables import label, number, rate, table, tally
from forgetscope.stats import Estimate, estimate_from_sums, wilson
from forgetscope.stats.agreement import cohens_kappa, fleiss_kappa
from forgetscope.stats.sums import divide

ALL = "all"
"""The cell of all drawn replies."""


@dataclass(frozen=True)
class LabelledReply:
    """One drawn reply: what each annotator and the rule call it, and how many of its run it stands for."""

    cell: str
    said: tuple[str | None, ...]
    rule: str
    weight: float

    @property
    def gold(self) -> str | None:
        """The label that more than half of all annotators gave; None where there is none."""
        ((first, times),) = Counter(self.said).most_common(1)
        return first if 2 * times > len(self.said) else None


@dataclass(frozen=True)
class LabelStudy:
    """A run's replies, drawn and labelled; `by_rule` counts all that could be drawn, by cell and the rule's label."""

    design: LabelDesign
    annotators: tuple[int, ...]
    replies: tuple[LabelledReply, ...]
    by_rule: Mapping[tuple[str, str], int]

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Those with drawn replies, and all of them."""
        found = sorted({reply.cell for reply in self.replies})
        return (*found, ALL) if len(found) > 1 else tuple(found)

    def of(self, cell: str) -> tuple[LabelledReply, ...]:
        """The drawn replies of a cell."""
        return tuple(reply for reply in self.replies if cell in (reply.cell, ALL))

    @property
    def people(self) -> Mapping[str, Callable[[LabelledReply], str | None]]:
        """What each annotator and the majority say of a reply, by name."""
        own = {f"annotator {number}": _said(place) for place, number in enumerate(self.annotators)}
        return {**own, MAJORITY: lambda reply: reply.gold}


def _said(place: int) -> Callable[[LabelledReply], str | None]:
    return lambda reply: reply.said[place]


def match_labels(
    sample: pl.DataFrame, design: LabelDesign, annotations: Sequence[Annotation], folder: Path
) -> LabelStudy:
    """Put the annotations of one study beside the run they were drawn from.

    Raises:
        DataError: there is none, or a reply is not of this run.
    """
    population = design.population(sample)
    drawn = list(answered_rows(population, annotations, folder))
    sizes = Counter(population.select(design.cell, design.stratum).iter_rows())
    taken = Counter((row[design.cell], row[design.stratum]) for row, _ in drawn)
    replies = tuple(
        LabelledReply(str(row[design.cell]), tuple(said), str(row[design.label]), sizes[stratum] / taken[stratum])
        for row, said in drawn
        for stratum in [(row[design.cell], row[design.stratum])]
    )
    by_rule: Counter[tuple[str, str]] = Counter()
    for cell, given in population.select(design.cell, design.label).iter_rows():
        by_rule.update([(cell, given), (ALL, given)])
    return LabelStudy(design, tuple(one.annotator for one in annotations), replies, by_rule)


def label_figures(study: LabelStudy) -> Iterator[Figure]:
    """Every figure, by cell: shares of labels, agreement among people, the rule with people."""
    for cell in study.cells:
        replies, factors = study.of(cell), {study.design.cell: cell}
        yield from _shares(study, replies, factors)
        yield from _rule(study, replies, factors)
        yield from _among_people(study, replies, factors)


def _among_people(study: LabelStudy, replies: Sequence[LabelledReply], factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """Fleiss' kappa of all annotators, of the replies that all have labelled; none of one annotator alone."""
    answers = study.design.answers
    rows = [[answers.index(one) for one in reply.said if one is not None] for reply in replies]
    whole = [row for row in rows if len(row) == len(study.annotators)]
    if len(study.annotators) > 1:
        kappa = fleiss_kappa(np.array(whole, dtype=np.float64).reshape(-1, len(study.annotators)), len(answers))
        rest = len(replies) - len(whole)
        yield figure("people.fleiss", factors, kappa, excluded=rest, unit="ratio", label="Fleiss' kappa")


def _shares(study: LabelStudy, replies: Sequence[LabelledReply], factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """How many of the run's replies have each label, by the rule; the share of each, by people."""
    for given in study.design.answers:
        own = {**factors, "label": given}
        everything = sum(study.by_rule.get((str(factors[study.design.cell]), one), 0) for one in study.design.answers)
        count = study.by_rule.get((str(factors[study.design.cell]), given), 0)
        yield plain("rule.count", own, count, everything, unit="count", method="all replies that could be drawn")
        for who, says in study.people.items():
            known = [(said == given, reply.weight) for reply in replies if (said := says(reply)) is not None]
            yield figure("people.label", {**own, "by": who}, _share(known), excluded=len(replies) - len(known))


def _rule(study: LabelStudy, replies: Sequence[LabelledReply], factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """Agreement and Cohen's kappa with each annotator and the majority; per label how often each has the other's."""
    answers = study.design.answers
    for who, says in study.people.items():
        known = [(reply.rule, said) for reply in replies if (said := says(reply)) is not None]
        own, rest = {**factors, "with": who}, len(replies) - len(known)
        same = wilson(sum(rule == said for rule, said in known), len(known))
        yield figure("agreement", own, same, excluded=rest, label="replies with the same label")
        numbers = np.array([[answers.index(one) for one in pair] for pair in known], dtype=np.float64).reshape(-1, 2)
        kappa = cohens_kappa(numbers[:, 0], numbers[:, 1], len(answers))
        yield figure("agreement.kappa", own, kappa, excluded=rest, unit="ratio", label="Cohen's kappa")
    gold = [reply for reply in replies if reply.gold is not None]
    for given in answers:
        own, rest = {**factors, "label": given}, len(replies) - len(gold)
        called = _share([(reply.gold == given, reply.weight) for reply in gold if reply.rule == given])
        found = _share([(reply.rule == given, reply.weight) for reply in gold if reply.gold == given])
        yield figure("rule.right", own, called, excluded=rest, label="the rule says so: most people do")
        yield figure("rule.found", own, found, excluded=rest, label="most people say so: the rule does")


def _share(weighted: Sequence[tuple[bool, float]]) -> Estimate:
    """The share of replies that are so, each standing for as many of its stratum as there are to one drawn."""
    sums = np.array([[weight * is_so, weight] for is_so, weight in weighted], dtype=np.float64).reshape(-1, 2)
    return estimate_from_sums(lambda t: divide(t[:, 0], t[:, 1]), sums, n=len(weighted), kind="proportion")


def label_tables(study: LabelStudy, index: FigureIndex) -> Iterator[Table]:
    """Labels by rule and by people, a table a cell; agreement over the cells."""
    for cell in study.cells:
        rows = [{study.design.cell: cell, "label": given} for given in study.design.answers]
        yield table(
            index,
            f"Labels of {_words(cell)}: by rule over the run, by people of those drawn",
            rows,
            [
                label("label", "label"),
                tally("by rule", "rule.count"),
                *(rate(who, "people.label", by=who) for who in study.people),
                rate("rule right", "rule.right", "Of replies the rule gives the label: most people do too."),
                rate("rule found", "rule.found", "Of replies most people give the label: the rule does too."),
            ],
            slug=f"labels-{cell.replace('_', '-')}",
        )
    yield table(
        index,
        "Rule with people: replies with the same label; Cohen's and Fleiss' kappa",
        [{study.design.cell: cell} for cell in study.cells],
        [
            label("replies of", study.design.cell, _words),
            label("drawn", lambda row: len(study.of(str(row[study.design.cell]))), kind="integer"),
            *(rate(who, "agreement", **{"with": who}) for who in study.people),
            *(number(f"kappa, {who}", "agreement.kappa", **{"with": who}) for who in study.people),
            number("Fleiss' kappa of people", "people.fleiss"),
        ],
        slug="rule-agreement",
    )


def _words(cell: str) -> str:
    return cell.replace("_", " ")


def label_findings(study: LabelStudy) -> Iterator[Finding]:
    """What a reader has to know first: open answers, and labels that rest on few replies."""
    yield from lone_and_missing(study.annotators, [reply.said for reply in study.replies])
    open_ = sum(reply.gold is None for reply in study.replies)
    if open_:
        yield Finding(f"{counted(open_, 'reply has', 'replies have')} no label that most annotators gave.", "note")
