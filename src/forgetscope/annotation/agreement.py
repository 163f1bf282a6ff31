"""How far people agree with each other, and judge and rules with people.

ICF-Bench, Tables 12 to 14, with intervals; the agreement with the majority, which the paper does not print, beside the
mean of the annotators' own rates, which it does.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from forgetscope.annotation.answers import MAJORITY, AnnotationStudy, AnsweredReply
from forgetscope.annotation.design import AnnotatorVerdict
from forgetscope.findings.figures import Cell, Figure, Finding
from forgetscope.findings.measures import figure, plain
from forgetscope.findings.phrasing import counted, percent
from forgetscope.stats import Estimate, macro_average, wilson
from forgetscope.stats.agreement import cohens_kappa, fleiss_kappa
from forgetscope.stats.misclassification import LEAST_IN_CLASS

RARE = 0.1
"""A share of one answer below which kappa says little: there is a warning."""

Factors = dict[str, Cell]
Answers = list[bool | None]


def agreement_figures(study: AnnotationStudy) -> Iterator[Figure]:
    """Every figure of agreement, by cell and form."""
    for cell, form in study.cells:
        replies = study.of(cell, form)
        factors: Factors = {study.design.cell: cell, "form": form}
        yield from _answering(study, replies, factors)
        yield from _among_people(study, replies, factors)
        for rater in study.design.raters:
            if any(reply.raters[rater] is not None for reply in replies):
                yield from _with_people(study, replies, {**factors, "rater": rater})


def _by(study: AnnotationStudy, replies: Sequence[AnsweredReply]) -> Mapping[str, Answers]:
    """Answers of each annotator and of the majority, by name."""
    named = {
        f"annotator {number}": [reply.answer(place) for reply in replies]
        for place, number in enumerate(study.annotators)
    }
    return named | {MAJORITY: [reply.gold for reply in replies]}


def _answering(study: AnnotationStudy, replies: Sequence[AnsweredReply], factors: Factors) -> Iterator[Figure]:
    """What each annotator left open."""
    for place, number in enumerate(study.annotators):
        who = {**factors, "by": f"annotator {number}"}
        unsure = sum(reply.said[place] is AnnotatorVerdict.CANNOT_TELL for reply in replies)
        missing = sum(reply.said[place] is None for reply in replies)
        for name, count, method in (
            ("people.cannot_tell", unsure, "replies answered with `cannot tell`"),
            ("people.not_judged", missing, "replies without an answer"),
        ):
            yield plain(name, who, count, len(replies), unit="count", method=method)


def _among_people(study: AnnotationStudy, replies: Sequence[AnsweredReply], factors: Factors) -> Iterator[Figure]:
    """Shares of yes, and Fleiss' kappa of all annotators over the replies that all answered with yes or no."""
    for name, answers in _by(study, replies).items():
        known = [answer for answer in answers if answer is not None]
        yield figure(
            "people.yes",
            {**factors, "by": name},
            wilson(sum(known), len(known)),
            excluded=len(answers) - len(known),
            label="replies called right among those answered with yes or no",
        )
    if len(study.annotators) < 2:
        return
    rows = [[reply.answer(place) for place in range(len(study.annotators))] for reply in replies]
    whole = np.array([row for row in rows if None not in row], dtype=np.float64).reshape(-1, len(study.annotators))
    kappa = fleiss_kappa(whole)
    rest = len(rows) - len(whole)
    yield figure("people.fleiss", factors, kappa, excluded=rest, unit="ratio", label="Fleiss' kappa of all annotators")


def _with_people(study: AnnotationStudy, replies: Sequence[AnsweredReply], factors: Factors) -> Iterator[Figure]:
    """Agreement and Cohen's kappa of judge or rules with each annotator and the majority, and the mean over annotators.

    Over replies that both sides answered with yes or no.
    """
    rated = [reply.raters[str(factors["rater"])] for reply in replies]
    people = _by(study, replies)
    for name, answers in people.items():
        pairs = [(a, b) for a, b in zip(rated, answers, strict=True) if a is not None and b is not None]
        who, rest = {**factors, "with": name}, len(replies) - len(pairs)
        agreed = wilson(sum(a == b for a, b in pairs), len(pairs))
        yield figure("agreement", who, agreed, excluded=rest, label="replies with the same answer")
        one, other = [a for a, _ in pairs], [b for _, b in pairs]
        kappa = cohens_kappa(one, other)
        yield figure("agreement.kappa", who, kappa, excluded=rest, unit="ratio", label="Cohen's kappa")
    own = {name: answers for name, answers in people.items() if name != MAJORITY}
    mean = _mean_agreement(rated, list(own.values()))
    yield figure("agreement.mean", factors, mean, label="mean of the annotators' own rates")


def _mean_agreement(rated: Answers, people: Sequence[Answers]) -> Estimate:
    """The mean over annotators of their agreement with a rater; a reply counts with all its answers."""
    pairs = [
        (float(a == b), reply, annotator)
        for annotator, answers in enumerate(people)
        for reply, (a, b) in enumerate(zip(rated, answers, strict=True))
        if a is not None and b is not None
    ]
    same, reply, annotator = zip(*pairs, strict=True) if pairs else ((), (), ())
    return macro_average(same, reply, annotator, nested=False)


def lone_and_missing(annotators: Sequence[int], said: Sequence[Sequence[object]]) -> Iterator[Finding]:
    """Warnings of annotators who have not judged everything, and of one who is alone; `said` by reply."""
    for place, number in enumerate(annotators):
        missing = sum(answers[place] is None for answers in said)
        if missing:
            yield Finding(f"Annotator {number} has not judged {missing} of {len(said)} replies.", "warning")
    if len(annotators) < 2:
        yield Finding("One annotator alone: there is no agreement among people, and gold is that person.", "warning")


def agreement_findings(study: AnnotationStudy) -> Iterator[Finding]:
    """What a reader has to know before believing a kappa or a correction: open answers, and rare ones."""
    yield from lone_and_missing(study.annotators, [reply.said for reply in study.replies])
    open_ = sum(reply.gold is None for reply in study.replies)
    if open_:
        yield Finding(f"{counted(open_, 'reply has', 'replies have')} no majority and no gold answer.", "note")
    for cell, form in study.cells:
        gold = [reply.gold for reply in study.of(cell, form) if reply.gold is not None]
        wrong = gold.count(False)
        rarer = min(wrong, len(gold) - wrong)
        if not gold or rarer / len(gold) >= RARE:
            continue
        word = "wrong" if rarer == wrong else "right"
        few = f", too few (under {LEAST_IN_CLASS}) to correct for" if rarer < LEAST_IN_CLASS else ""
        yield Finding(
            f"{cell.replace('_', ' ')}, {form}: people call {f'only {rarer}' if rarer else 'none'} of {len(gold)} "
            f"replies {word} ({percent(rarer / len(gold))}). Kappa is low there whatever the agreement, and what judge "
            f"or rules do with such replies rests on {counted(rarer, 'reply', 'replies')}{few}.",
            "warning",
        )
