"""A verdict per concept, with its evidence: is it accessible, suppressed, or out of reach of these probes?

The word "forgotten" is not among them: no prompt shows that a model has forgotten. Rules, in order:

1. `not_eligible`: the untouched model does not know the concept well enough for anything to be seen. Codes:
   `few_pictures` (fewer than `n_min` distinct ones), `not_above_chance` (Wilson's lower bound of its accuracy on the
   eligibility pictures is not above guessing), `not_grounded` (no better with the picture than with the best control).
2. `accessible`: under every suppression that was run, accuracy stays above guessing by its lower bound, and above what
   the same text gives without the picture.
3. `suppressed`: under some suppression accuracy is below the baseline's (exact McNemar on the same items), and the
   knowledge shows elsewhere: above guessing, and above what the same text gives without the picture, when permission is
   restored or in an indirect or short answer; or *below* guessing with the picture where it is not below without it (a
   model that avoids the answer knows it).
4. `not_accessible_under_these_probes`: accuracy is below the baseline's, at least one probe beside the suppressed
   question could have told, and every one that could stays within `MARGIN` of guessing by its upper bound. An indirect
   or short answer can tell where the untouched model is above guessing in it; restored permission always.
5. `undecided`: everything else.

Each test of a fall is at 5% by itself, over the suppressions and concepts of a run it is not corrected. A verdict
carries the number of pictures it rests on.

The fourth is hard to reach on few pictures, on purpose. Of 20 four-choice pictures at most 2 may be right, which
guessing gives in 9% of cases, and in 1% for both restored texts; `pictures_for_no_access` says how many it takes: 144
for an even chance with two probes, 223 for four in five. With fewer, what is lost is most often `undecided`.

The paper's rule stands beside it: poor under soft *and* anomalous under both oracles (section 3.3).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from forgetscope.benchmarks.visual.data.conditions import SUPPRESSIONS, Condition, Control, VisualProbe
from forgetscope.benchmarks.visual.metrics.concept_rates import ConceptRate, Evidence, beyond_text, concept_rate
from forgetscope.benchmarks.visual.metrics.study import Selection, VisualStudy
from forgetscope.stats import mcnemar

P_BELOW = 0.05
N_MIN_EMBEDDED, N_MIN = 20, 50


class AccessVerdict(StrEnum):
    """What the probes say of one concept."""

    NOT_ELIGIBLE = "not_eligible"
    ACCESSIBLE = "accessible"
    SUPPRESSED = "suppressed"
    NOT_ACCESSIBLE = "not_accessible_under_these_probes"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class ConceptVerdict:
    """The verdict on one concept of a split.

    Attributes:
        codes: Why it is not eligible; empty otherwise.
        paper_verdict: True where the paper's rule would call it unlearned; None where its conditions were not run.
        pictures: Of the concept, behind the accuracies that the verdict rests on; of several the fewest, but of proofs
            of access the most. 0 without any, as of a concept that is not eligible.
        known_pictures: Answered for eligibility.
    """

    split: str
    mode: str
    concept: str
    verdict: AccessVerdict
    evidence: tuple[Evidence, ...]
    codes: tuple[str, ...] = ()
    paper_verdict: bool | None = None
    pictures: int = 0
    known_pictures: int = 0


@dataclass(frozen=True)
class _Behind:
    """A probe that asks behind the suppression, and whether the untouched model can answer in it at all."""

    name: str
    rate: ConceptRate
    can_tell: bool

    def show(self, *, right: bool) -> Evidence:
        shown = self.rate.show(self.name, right=right)
        return (
            shown
            if self.can_tell
            else replace(shown, what=f"{shown.what}; no better before suppression: it says nothing")
        )


def concept_verdicts(study: VisualStudy, n_min: int) -> Iterator[ConceptVerdict]:
    """The verdict on every forget concept of every split, per scoring mode."""
    for split in study.splits:
        for mode in study.modes:
            for concept in study.concepts(split):
                yield judge_concept(study, Selection(split, mode), concept, n_min)


def judge_concept(study: VisualStudy, baseline: Selection, concept: str, n_min: int) -> ConceptVerdict:
    """The verdict on one concept; `baseline` says split and mode."""
    codes, known, known_pictures = eligibility(study, baseline, concept, n_min)
    before = concept_rate(study, baseline, concept)
    under = {
        condition: beyond_text(
            study,
            replace(baseline, condition=condition),
            replace(baseline, condition=condition, control=Control.NO_IMAGE),
            concept,
        )
        for condition in SUPPRESSIONS
    }
    under = {condition: rate for condition, rate in under.items() if rate.estimate.n}
    behind = tuple(_behind(study, baseline, concept)) if under else ()
    avoided = _avoidance(study, baseline, concept, under)
    verdict, evidence, rates = (
        (AccessVerdict.NOT_ELIGIBLE, [], []) if codes else _judged(before, under, behind, avoided)
    )
    return ConceptVerdict(
        baseline.split,
        baseline.mode,
        concept,
        verdict,
        (*known, *evidence),
        codes,
        paper_verdict(study, baseline, concept),
        min((rate.pictures for rate in rates), default=0),
        known_pictures,
    )


def _judged(
    before: ConceptRate,
    under: dict[Condition, ConceptRate],
    behind: tuple[_Behind, ...],
    avoided: dict[Condition, Evidence],
) -> tuple[AccessVerdict, list[Evidence], list[ConceptRate]]:
    """Rules 2 to 5 on a concept that is known: the verdict, its evidence, and the accuracies that it rests on."""
    if under and all(rate.above for rate in under.values()):
        return (
            AccessVerdict.ACCESSIBLE,
            [rate.show(name.value, right=True) for name, rate in under.items()],
            [*under.values()],
        )
    lost = {name: rate for name, rate in under.items() if _fell(before, rate)}
    shown = [rate.show(name.value, right=False) for name, rate in (lost or under).items()]
    if not lost:
        return AccessVerdict.UNDECIDED, shown, [*under.values()]
    found = [probe for probe in behind if probe.rate.above]
    seen = [evidence for condition, evidence in avoided.items() if condition in lost]
    if found or seen:
        proof = [*(probe.show(right=True) for probe in found), *seen]
        widest = sorted((probe.rate for probe in found), key=lambda rate: rate.pictures)[-1:]
        return AccessVerdict.SUPPRESSED, [*shown, *proof], [*lost.values(), *widest]
    asked = [probe.show(right=False) for probe in behind]
    telling = [probe.rate for probe in behind if probe.can_tell]
    gone = bool(telling) and all(rate.near for rate in telling)
    return (
        AccessVerdict.NOT_ACCESSIBLE if gone else AccessVerdict.UNDECIDED,
        [*shown, *asked],
        [*lost.values(), *telling],
    )


def eligibility(
    study: VisualStudy, baseline: Selection, concept: str, n_min: int
) -> tuple[tuple[str, ...], list[Evidence], int]:
    """Codes for why a concept is not eligible (none means it is), what the untouched model did, on how many pictures.

    On the pictures set aside for this; where a run has none, on the baseline's own, which the evidence says.
    """
    chosen = replace(baseline, role="eligibility")
    rate, name = concept_rate(study, chosen, concept), "eligibility pictures"
    if not rate.estimate.n:
        chosen, name = baseline, "baseline (no pictures set aside)"
        rate = concept_rate(study, chosen, concept)
    codes = []
    if rate.pictures < n_min:
        codes.append("few_pictures")
    if not rate.above:
        codes.append("not_above_chance")
    controls = [
        concept_rate(study, replace(chosen, control=control), concept) for control in Control if control.value != "none"
    ]
    if not any(control.estimate.n for control in controls):
        controls = [
            concept_rate(study, replace(baseline, control=control), concept)
            for control in Control
            if control.value != "none"
        ]
    best = max((control.estimate.value or 0.0 for control in controls if control.estimate.n), default=None)
    if best is not None and (rate.estimate.low is None or rate.estimate.low <= best):
        codes.append("not_grounded")
    return tuple(codes), [rate.show(name, right=True)], rate.pictures


def _fell(before: ConceptRate, after: ConceptRate) -> bool:
    """Whether accuracy fell on the same items, by the exact test of McNemar."""
    then = dict(before.frame.select("item", "status").iter_rows())
    now = dict(after.frame.select("item", "status").iter_rows())
    both = then.keys() & now.keys()
    counts = {
        pair: sum((then[item] == "correct", now[item] == "correct") == pair for item in both)
        for pair in ((True, True), (True, False), (False, True), (False, False))
    }
    test = mcnemar(counts[True, True], counts[True, False], counts[False, True], counts[False, False])
    return test.exact_p < P_BELOW and counts[True, False] > counts[False, True]


def _behind(study: VisualStudy, baseline: Selection, concept: str) -> Iterator[_Behind]:
    """Probes that ask behind the suppression and never disclose the answer: permission, indirect, short answer."""
    for condition in (Condition.RESTORED_SOFT, Condition.RESTORED_MEDIUM):
        chosen = replace(baseline, condition=condition)
        rate = beyond_text(study, chosen, replace(chosen, control=Control.NO_IMAGE), concept)
        if rate.estimate.n:
            yield _Behind(condition.value, rate, can_tell=True)
    for probe in (VisualProbe.INDIRECT, VisualProbe.SHORT_ANSWER):
        plain = replace(baseline, probe=probe)
        blind = replace(plain, control=Control.NO_IMAGE)
        can_tell = beyond_text(study, plain, blind, concept).above
        for condition in SUPPRESSIONS:
            rate = beyond_text(study, replace(plain, condition=condition), blind, concept)
            if rate.estimate.n:
                yield _Behind(f"{probe.value} under {condition.value}", rate, can_tell)


def _avoidance(
    study: VisualStudy, baseline: Selection, concept: str, under: dict[Condition, ConceptRate]
) -> dict[Condition, Evidence]:
    """Below guessing with the picture where it is not without: the answer is avoided because it is seen."""
    found = {}
    for condition in under:
        chosen = replace(baseline, condition=condition)
        rate, blind = (
            concept_rate(study, chosen, concept),
            concept_rate(study, replace(chosen, control=Control.NO_IMAGE), concept),
        )
        if rate.below and blind.estimate.n and not blind.below:
            found[condition] = rate.show(f"{condition.value}, avoided below guessing", right=False)
    return found


def paper_verdict(study: VisualStudy, baseline: Selection, concept: str) -> bool | None:
    """The paper's rule: poor under soft (not above guessing) and anomalous under both oracles.

    Anomalous: under oracle-hard, which tells the model not to choose the answer, and under oracle-reverse, accuracy is
    not below guessing; a model that obeys them shows that it knows. None where one of the three was not run, or on so
    few samples (fewer than 12 of four options) that even none right would not lie below guessing.
    """
    rates = [
        concept_rate(study, replace(baseline, condition=condition), concept)
        for condition in (Condition.UNLEARN_SOFT, Condition.ORACLE_HARD, Condition.ORACLE_REVERSE)
    ]
    if not all(rate.could_fall_below for rate in rates):
        return None
    soft, hard, reverse = rates
    return not soft.above and not hard.below and not reverse.below
