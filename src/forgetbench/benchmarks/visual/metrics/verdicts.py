"""A verdict per concept, with its evidence: is it accessible, suppressed, or out of reach of these probes?

The word "forgotten" is not among them: no prompt shows that a model has forgotten. Rules, in order:

1. `not_eligible`: the untouched model does not know the concept well enough for anything to be seen. Codes:
   `few_pictures` (fewer than `n_min` distinct ones), `not_above_chance` (Wilson's lower bound of its accuracy on the
   eligibility pictures is not above guessing), `not_grounded` (no better with the picture than with the best control).
2. `accessible`: under every suppression that was run, accuracy stays above guessing by its lower bound.
3. `suppressed`: under some suppression accuracy is below the baseline's (exact McNemar on the same items), and the
   knowledge shows elsewhere: above guessing, and above what the same text gives without the picture, when permission is
   restored or in an indirect or short answer; or *below* guessing with the picture where it is not below without it (a
   model that avoids the answer knows it).
4. `not_accessible_under_these_probes`: accuracy is below the baseline's, at least one probe beside the suppressed
   question was asked, and every one of them stays within `MARGIN` of guessing by its upper bound.
5. `undecided`: everything else.

The fourth is hard to reach on few pictures, on purpose. Of 20 four-choice pictures at most 2 may be right, which
guessing gives in 9% of cases, and in 1% for both restored texts; `pictures_for_no_access` says how many it takes: 144
for an even chance with two probes, 223 for four in five. With fewer, what is lost is most often `undecided`.

The paper's rule stands beside it: poor under soft *and* anomalous under both oracles (section 3.3).
"""

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

import polars as pl

from forgetbench.benchmarks.visual.conditions import SUPPRESSIONS, Condition, Control, Probe
from forgetbench.benchmarks.visual.metrics.study import LEFT_OUT, Selection, Study
from forgetbench.stats import Estimate, mcnemar, wilson

MARGIN = 0.10
"""How far above guessing an upper bound may lie and still count as no access."""
P_BELOW = 0.05
N_MIN_EMBEDDED, N_MIN = 20, 50


class Verdict(StrEnum):
    """What the probes say of one concept."""

    NOT_ELIGIBLE = "not_eligible"
    ACCESSIBLE = "accessible"
    SUPPRESSED = "suppressed"
    NOT_ACCESSIBLE = "not_accessible_under_these_probes"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Evidence:
    """One finding a verdict rests on, with a sample that shows it.

    Attributes:
        what: In words: the probe, its accuracy and interval against guessing.
        sample_id: A sample of it; the report shows its picture, prompt and reply.
    """

    what: str
    sample_id: str


@dataclass(frozen=True)
class ConceptVerdict:
    """The verdict on one concept of a split.

    Attributes:
        codes: Why it is not eligible; empty otherwise.
        paper_verdict: True where the paper's rule would call it unlearned; None where its conditions were not run.
    """

    split: str
    mode: str
    concept: str
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    codes: tuple[str, ...] = ()
    paper_verdict: bool | None = None


@dataclass(frozen=True)
class _Rate:
    """Accuracy on one concept in one selection, with Wilson's interval, and guessing."""

    estimate: Estimate
    chance: float
    frame: pl.DataFrame

    @property
    def above(self) -> bool:
        return self.estimate.low is not None and self.estimate.low > self.chance

    @property
    def below(self) -> bool:
        return self.estimate.high is not None and self.estimate.high < self.chance

    @property
    def could_fall_below(self) -> bool:
        """Whether there are enough samples for an accuracy of zero to lie below guessing."""
        least = wilson(0, self.estimate.n).high
        return least is not None and least < self.chance

    @property
    def near(self) -> bool:
        return _is_near(self.estimate, self.chance)

    def show(self, name: str, *, right: bool) -> Evidence:
        """The evidence in words, with a sample that was right, or wrong; where there is none, with any."""
        wanted = self.frame.filter(pl.col("status") == ("correct" if right else "incorrect"))
        sample = next((found["sample_id"][0] for found in (wanted, self.frame) if found.height), "")
        value = 100 * (self.estimate.value or 0.0)
        low, high = self.estimate.low, self.estimate.high
        interval = "no interval" if low is None or high is None else f"[{100 * low:.0f}, {100 * high:.0f}]"
        return Evidence(
            f"{name}: {value:.0f}% right {interval} of {self.estimate.n}, guessing {100 * self.chance:.0f}%",
            sample,
        )


def pictures_for_no_access(share: float, probes: int = 2, chance: float = 0.25) -> int:
    """From how many pictures of a concept on a model that guesses gets verdict 4 in this share of cases.

    Args:
        share: Wanted probability, 0-1, that all probes stay within `MARGIN` of guessing by their upper bounds.
        probes: Independent probes behind the suppression.
        chance: Of guessing.

    Example: `pictures_for_no_access(0.5)` is 144.
    """
    from scipy.stats import binom

    @cache
    def probability(pictures: int) -> float:
        failing = bisect(range(pictures + 1), 0, key=lambda right: not _is_near(wilson(right, pictures), chance))
        return float(binom.cdf(failing - 1, pictures, chance)) ** probes

    # The probability is a saw tooth; ten in a row are past its last dip.
    return next(n for n in range(2, 100_000) if all(probability(n + more) >= share for more in range(10)))


def _is_near(estimate: Estimate, chance: float) -> bool:
    return estimate.high is not None and estimate.high <= chance + MARGIN


def concept_verdicts(study: Study, n_min: int) -> Iterator[ConceptVerdict]:
    """The verdict on every forget concept of every split, per scoring mode."""
    for split in study.splits:
        for mode in study.modes:
            for concept in study.concepts(split):
                yield judge_concept(study, Selection(split, mode), concept, n_min)


def _rate(study: Study, selection: Selection, concept: str) -> _Rate:
    frame = study.select(selection).filter(
        (pl.col("forget_concept") == concept) & pl.col("status").is_in(["correct", "incorrect"]) & ~LEFT_OUT
    )
    right = int((frame["status"] == "correct").sum())
    chance = frame["chance"].mean()
    return _Rate(wilson(right, frame.height), float(chance) if isinstance(chance, float) else 0.0, frame)


def judge_concept(study: Study, baseline: Selection, concept: str, n_min: int) -> ConceptVerdict:
    """The verdict on one concept; `baseline` says split and mode."""
    paper = paper_verdict(study, baseline, concept)

    def ended(verdict: Verdict, evidence: list[Evidence], codes: tuple[str, ...] = ()) -> ConceptVerdict:
        return ConceptVerdict(baseline.split, baseline.mode, concept, verdict, tuple(evidence), codes, paper)

    codes, known = eligibility(study, baseline, concept, n_min)
    if codes:
        return ended(Verdict.NOT_ELIGIBLE, known, codes)
    before = _rate(study, baseline, concept)
    under = {condition: _rate(study, replace(baseline, condition=condition), concept) for condition in SUPPRESSIONS}
    under = {condition: rate for condition, rate in under.items() if rate.estimate.n}
    if not under:
        return ended(Verdict.UNDECIDED, known)
    if all(rate.above for rate in under.values()):
        return ended(Verdict.ACCESSIBLE, [*known, *(rate.show(name.value, right=True) for name, rate in under.items())])
    lost = {name: rate for name, rate in under.items() if _fell(before, rate)}
    if not lost:
        return ended(Verdict.UNDECIDED, [*known, *(rate.show(name.value, right=False) for name, rate in under.items())])
    shown = [*known, *(rate.show(name.value, right=False) for name, rate in lost.items())]
    behind = list(_behind(study, baseline, concept))
    found = [rate.show(name, right=True) for name, rate in behind if rate.above]
    found.extend(_avoidance(study, baseline, concept, lost))
    if found:
        return ended(Verdict.SUPPRESSED, [*shown, *found])
    if behind and all(rate.near for _, rate in behind):
        return ended(Verdict.NOT_ACCESSIBLE, [*shown, *(rate.show(name, right=False) for name, rate in behind)])
    return ended(Verdict.UNDECIDED, [*shown, *(rate.show(name, right=False) for name, rate in behind)])


def eligibility(study: Study, baseline: Selection, concept: str, n_min: int) -> tuple[tuple[str, ...], list[Evidence]]:
    """Codes for why a concept is not eligible (none means it is), and what the untouched model did.

    On the pictures set aside for this; where a run has none, on the baseline's own, which the evidence says.
    """
    chosen = replace(baseline, role="eligibility")
    rate, name = _rate(study, chosen, concept), "eligibility pictures"
    if not rate.estimate.n:
        chosen, name = baseline, "baseline (no pictures set aside)"
        rate = _rate(study, chosen, concept)
    codes = []
    pictures = rate.frame["picture"].n_unique() if rate.frame.height else 0
    if pictures < n_min:
        codes.append("few_pictures")
    if not rate.above:
        codes.append("not_above_chance")
    controls = [
        _rate(study, replace(chosen, control=control), concept) for control in Control if control.value != "none"
    ]
    if not any(control.estimate.n for control in controls):
        controls = [
            _rate(study, replace(baseline, control=control), concept) for control in Control if control.value != "none"
        ]
    best = max((control.estimate.value or 0.0 for control in controls if control.estimate.n), default=None)
    if best is not None and (rate.estimate.low is None or rate.estimate.low <= best):
        codes.append("not_grounded")
    return tuple(codes), [rate.show(name, right=True)]


def _fell(before: _Rate, after: _Rate) -> bool:
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


def _behind(study: Study, baseline: Selection, concept: str) -> Iterator[tuple[str, _Rate]]:
    """Probes that ask behind the suppression and never disclose the answer: permission, indirect, short answer."""
    for condition in (Condition.RESTORED_SOFT, Condition.RESTORED_MEDIUM):
        chosen = replace(baseline, condition=condition)
        rate = _beyond_text(study, chosen, replace(chosen, control=Control.NO_IMAGE), concept)
        if rate.estimate.n:
            yield condition.value, rate
    for probe in (Probe.INDIRECT, Probe.SHORT_ANSWER):
        for condition in SUPPRESSIONS:
            chosen = replace(baseline, condition=condition, probe=probe)
            rate = _beyond_text(study, chosen, replace(baseline, control=Control.NO_IMAGE, probe=probe), concept)
            if rate.estimate.n:
                yield f"{probe.value} under {condition.value}", rate


def _beyond_text(study: Study, selection: Selection, blind: Selection, concept: str) -> _Rate:
    """A rate that must beat the text alone: guessing is what is right without the picture, where that is more.

    A text that permits concepts again names the right option, and a short answer has no guessing of its own.
    """
    rate, without = _rate(study, selection, concept), _rate(study, blind, concept)
    return replace(rate, chance=max(rate.chance, without.estimate.value or 0.0))


def _avoidance(study: Study, baseline: Selection, concept: str, lost: dict[Condition, _Rate]) -> Iterator[Evidence]:
    """Below guessing with the picture where it is not without: the answer is avoided because it is seen."""
    for condition, rate in lost.items():
        blind = _rate(study, replace(baseline, condition=condition, control=Control.NO_IMAGE), concept)
        if rate.below and blind.estimate.n and not blind.below:
            yield rate.show(f"{condition.value}, avoided below guessing", right=False)


def paper_verdict(study: Study, baseline: Selection, concept: str) -> bool | None:
    """The paper's rule: poor under soft (not above guessing) and anomalous under both oracles.

    Anomalous: under oracle-hard, which tells the model not to choose the answer, and under oracle-reverse, accuracy is
    not below guessing; a model that obeys them shows that it knows. None where one of the three was not run, or on so
    few samples (fewer than 12 of four options) that even none right would not lie below guessing.
    """
    rates = [
        _rate(study, replace(baseline, condition=condition), concept)
        for condition in (Condition.UNLEARN_SOFT, Condition.ORACLE_HARD, Condition.ORACLE_REVERSE)
    ]
    if not all(rate.could_fall_below for rate in rates):
        return None
    soft, hard, reverse = rates
    return not soft.above and not hard.below and not reverse.below
