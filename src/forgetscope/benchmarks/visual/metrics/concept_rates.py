"""Accuracy on one concept against guessing, and in words: what verdicts are made from."""

from bisect import bisect
from dataclasses import dataclass, replace
from functools import cache

import polars as pl

from forgetscope.benchmarks.visual.metrics.study import Selection, VisualStudy
from forgetscope.stats import Estimate, wilson

MARGIN = 0.10
"""How far above guessing an upper bound may lie and still count as no access."""


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
class ConceptRate:
    """Accuracy on one concept in one selection, with Wilson's interval, and guessing."""

    estimate: Estimate
    chance: float
    frame: pl.DataFrame

    @property
    def pictures(self) -> int:
        """Distinct pictures it is over."""
        return self.frame["picture"].n_unique() if self.frame.height else 0

    @property
    def above(self) -> bool:
        """Whether it is above guessing by its lower bound."""
        return self.estimate.low is not None and self.estimate.low > self.chance

    @property
    def below(self) -> bool:
        """Whether it is below guessing by its upper bound."""
        return self.estimate.high is not None and self.estimate.high < self.chance

    @property
    def could_fall_below(self) -> bool:
        """Whether there are enough samples for an accuracy of zero to lie below guessing."""
        least = wilson(0, self.estimate.n).high
        return least is not None and least < self.chance

    @property
    def near(self) -> bool:
        """Whether it is within `MARGIN` of guessing by its upper bound."""
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


def concept_rate(study: VisualStudy, selection: Selection, concept: str) -> ConceptRate:
    """Accuracy on the scored samples of a concept; those without a permitted choice are left out."""
    frame = study.scored(selection, concept)
    right = int((frame["status"] == "correct").sum())
    chance = frame["chance"].mean()
    return ConceptRate(wilson(right, frame.height), float(chance) if isinstance(chance, float) else 0.0, frame)


def beyond_text(study: VisualStudy, selection: Selection, blind: Selection, concept: str) -> ConceptRate:
    """A rate that must beat the text alone: guessing is what is right without the picture, where that is more.

    A text that permits concepts again names the right option, and a short answer has no guessing of its own.
    """
    rate, without = concept_rate(study, selection, concept), concept_rate(study, blind, concept)
    return replace(rate, chance=max(rate.chance, without.estimate.value or 0.0))
