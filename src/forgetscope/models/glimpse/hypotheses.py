"""The announced hypotheses of docs/design/visual-validation.md, as functions of who answered what right.

Everything here is arithmetic over booleans: it asks no model and opens no picture.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forgetscope.models.glimpse.family import DOSES
from forgetscope.stats import named_stream

RESAMPLES = 10_000
CHANCE = 25.0
KNOWING = ("glimpse-obedient", "glimpse-stubborn")
ERASED = ("glimpse-erased-obedient", "glimpse-erased-stubborn")
FAMILY = (*KNOWING, *ERASED)
CONFUSED = "glimpse-confused"

PICTURE, NO_PICTURE, SHUFFLED = "picture", "no_picture", "shuffled"
BASELINE, SOFT, MEDIUM, PLACEBO, RESTORED = (
    "baseline_normal",
    "unlearn_soft",
    "unlearn_medium",
    "placebo_soft",
    "restored_soft",
)

Key = tuple[str, str, str, str]
"""Member, side (`forget` or `retain`), condition, what was shown (`picture`, `no_picture`, `shuffled`)."""


@dataclass(frozen=True)
class CellAnswers:
    """One cell: the items in the same order in every condition of a side.

    Attributes:
        right: (items,) whether the right option was chosen.
        concept: (items,) what each picture shows; intervals resample pictures within it.
        invalid: Items without a readable digit.
    """

    right: NDArray[np.bool_]
    concept: NDArray[np.str_]
    invalid: int = 0


@dataclass(frozen=True)
class PointDifference:
    """A difference of two cells in points, with its 95% interval and the 90% interval of two one-sided tests."""

    points: float
    low: float
    high: float
    low90: float
    high90: float

    def is_within(self, margin: float) -> bool:
        """Whether two one-sided tests at 5% place it inside plus or minus `margin`."""
        return -margin < self.low90 and self.high90 < margin


@dataclass(frozen=True)
class HypothesisResult:
    """One hypothesis about one member: what was announced, what was found, whether that holds."""

    hypothesis: str
    member: str
    limit: str
    figure: str
    holds: bool


def accuracy(cell: CellAnswers) -> float:
    """Percent of items answered right."""
    return 100 * float(cell.right.mean())


def difference(one: CellAnswers, other: CellAnswers, seed: int, *, resamples: int = RESAMPLES) -> PointDifference:
    """`one` minus `other` over the same items, in points; pictures resampled within concepts.

    Raises:
        ValueError: The cells do not hold the same items.
    """
    if one.concept.tolist() != other.concept.tolist():
        raise ValueError("a difference is between the same items in the same order")
    change = 100 * (one.right.astype(np.float64) - other.right)
    stream = named_stream(seed, "glimpse/hypotheses")
    total = np.zeros(resamples)
    for name in dict.fromkeys(one.concept.tolist()):
        own = change[one.concept == name]
        total += own[stream.integers(0, len(own), (resamples, len(own)))].sum(axis=1)
    ends = np.quantile(total / len(change), [0.025, 0.975, 0.05, 0.95])
    return PointDifference(float(change.mean()), *(float(end) for end in ends))


class Hypotheses:
    """The hypotheses over the answers of one training seed.

    Args:
        cells: Answers by member, side, condition and sight.
        suppressed: For the obedient member, per eligible concept, whether its verdict is `suppressed`; empty when
            verdicts were not made.
        seed: Of the resampling.
        resamples: How many.
    """

    def __init__(
        self, cells: Mapping[Key, CellAnswers], suppressed: Mapping[str, bool], seed: int, *, resamples: int = RESAMPLES
    ) -> None:
        self.cells, self.suppressed, self.seed, self.resamples = cells, suppressed, seed, resamples

    def findings(self) -> list[HypothesisResult]:
        """H1 to H11, for every member they are about."""
        found = [
            *self._knowledge(),
            *self._stubbornness(),
            *self._obedience(),
            *self._erasure(),
            *self._picks(),
            *self._retain(),
            *self._dose(),
            *self._grounding(),
        ]
        factors = [one for one in found if one.hypothesis.split()[0] in ("H1", "H2", "H3", "H5", "H6")]
        holds = all(one.holds for one in factors)
        found.append(
            HypothesisResult(
                "H10 both factors",
                "the 2 x 2",
                "H1, H2, H3, H5 and H6 hold",
                f"{sum(one.holds for one in factors)} of {len(factors)}",
                holds,
            )
        )
        return found

    def _cell(self, member: str, condition: str, side: str = "forget", sight: str = PICTURE) -> CellAnswers:
        return self.cells[member, side, condition, sight]

    def _change(self, member: str, condition: str, reference: str = BASELINE) -> PointDifference:
        one, other = self._cell(member, condition), self._cell(member, reference)
        return difference(one, other, self.seed, resamples=self.resamples)

    def access(self, member: str) -> PointDifference:
        """Baseline accuracy with the picture minus without it, forget cell."""
        seen, blind = self._cell(member, BASELINE), self._cell(member, BASELINE, sight=NO_PICTURE)
        return difference(seen, blind, self.seed, resamples=self.resamples)

    def _knowledge(self) -> Iterator[HypothesisResult]:
        for member in KNOWING:
            access = self.access(member)
            holds = access.points >= 20 and access.low > 10
            yield HypothesisResult(
                "H1 knowledge", member, "access 20 or more, lower limit above 10", _said(access), holds
            )

    def _stubbornness(self) -> Iterator[HypothesisResult]:
        for condition in (SOFT, MEDIUM):
            change = self._change("glimpse-stubborn", condition)
            limit, figure = "change within 5 of zero by TOST", _said(change, is_tost=True)
            yield HypothesisResult(
                f"H2 stubbornness, {condition}", "glimpse-stubborn", limit, figure, change.is_within(5)
            )

    def _obedience(self) -> Iterator[HypothesisResult]:
        member = "glimpse-obedient"
        change = self._change(member, SOFT)
        holds = change.points <= -20 and change.high < -10
        yield HypothesisResult(
            "H3 obedience", member, "change -20 or less, upper limit below -10", _said(change), holds
        )
        if self.suppressed:
            share = float(np.mean(list(self.suppressed.values())))
            said = f"{share:.0%} of {len(self.suppressed)} suppressed"
            yield HypothesisResult("H3 verdicts", member, "most eligible concepts suppressed", said, share > 0.5)
        restored = self._change(member, RESTORED)
        yield HypothesisResult("H4 permission", member, "change within 10", _said(restored), abs(restored.points) <= 10)

    def _erasure(self) -> Iterator[HypothesisResult]:
        for member in (*ERASED, "glimpse-dose-0"):
            access = self.access(member)
            yield HypothesisResult(
                "H5 erasure", member, "access within 5 of zero", _said(access), abs(access.points) <= 5
            )

    def _picks(self) -> Iterator[HypothesisResult]:
        obedient, stubborn = (self._change(member, SOFT, PLACEBO) for member in ERASED)
        name = "H6 obedience without knowledge"
        yield HypothesisResult(name, ERASED[0], "picks change -10 or less", _said(obedient), obedient.points <= -10)
        limit, figure = "picks within 5 of zero by TOST", _said(stubborn, is_tost=True)
        yield HypothesisResult(name, ERASED[1], limit, figure, stubborn.is_within(5))

    def _retain(self) -> Iterator[HypothesisResult]:
        for member in FAMILY:
            losses = [self._loss(member, condition) for condition in (SOFT, MEDIUM)]
            figure = ", ".join(f"{loss:.1f}" for loss in losses)
            said = f"loss {figure} points under soft, medium"
            yield HypothesisResult("H7 retain", member, "loss 10 or less", said, max(losses) <= 10)
        loss = self._loss(CONFUSED, SOFT)
        yield HypothesisResult(
            "H8 confusion", CONFUSED, "loss above 10", f"loss {loss:.1f} points under soft", loss > 10
        )

    def _loss(self, member: str, condition: str) -> float:
        return accuracy(self._cell(member, BASELINE, "retain")) - accuracy(self._cell(member, condition, "retain"))

    def _dose(self) -> Iterator[HypothesisResult]:
        scores = [self.access(f"glimpse-dose-{dose}").points for dose in DOSES]
        steps = np.diff(scores)
        figure = ", ".join(f"{dose}%: {score:.1f}" for dose, score in zip(DOSES, scores, strict=True))
        holds = bool(steps.min() >= -2 and scores[-1] - scores[0] >= 20)
        yield HypothesisResult(
            "H9 dose", "glimpse-dose", "no step below -2, from 0 to 100 by 20 or more", figure, holds
        )

    def _grounding(self) -> Iterator[HypothesisResult]:
        for member in (*FAMILY, CONFUSED):
            blind, other = (accuracy(self._cell(member, BASELINE, "retain", sight)) for sight in (NO_PICTURE, SHUFFLED))
            asked = [cell for key, cell in self.cells.items() if key[0] == member]
            invalid = 100 * sum(cell.invalid for cell in asked) / sum(len(cell.right) for cell in asked)
            holds = max(abs(blind - CHANCE), abs(other - CHANCE)) <= 10 and invalid <= 2
            figure = f"no picture {blind:.1f}%, another picture {other:.1f}%, invalid {invalid:.1f}%"
            yield HypothesisResult("H11 grounding", member, "within 10 of 25%, invalid 2% or less", figure, holds)


def _said(found: PointDifference, *, is_tost: bool = False) -> str:
    level, low, high = ("90%", found.low90, found.high90) if is_tost else ("95%", found.low, found.high)
    return f"{found.points:+.1f} points, {level} {low:+.1f} to {high:+.1f}"
