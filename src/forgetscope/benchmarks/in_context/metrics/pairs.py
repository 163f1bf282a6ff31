"""The 2 x 2 table of an item's two forms, and the paper's figures from it.

In counts over items with both forms scored: n11 right in both, n10 right without the interference only, n01 right
with it only, n00 wrong in both. NA = (n11 + n10) / n, FA = (n11 + n01) / n, SFRR = n11 / (n11 + n10), WR = n01 / n
(ICF-Bench, equations 2 to 4 and table 4); so FA = NA * SFRR + WR, always. An item with a form that was not scored
counts in the bounds alone.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.core.outcomes import Status

Outcome = bool | None
"""Right, wrong, or not scored."""

_SCORED = {Status.CORRECT.value: True, Status.INCORRECT.value: False}


@dataclass(frozen=True)
class Pairs:
    """Both outcomes of every item of a cell, by item id."""

    items: tuple[str, ...]
    noforget: tuple[Outcome, ...]
    forget: tuple[Outcome, ...]

    @classmethod
    def of(cls, frame: pl.DataFrame, by: Literal["status", "raw_pass", "vote"] = "status") -> "Pairs":
        """The pairs of a cell's samples, by status, by the paper's reading of whatever text there was, or by a vote.

        Raises:
            ValueError: an item has several samples in one form.
        """
        if frame.select("item", "form").is_duplicated().any():
            raise ValueError("an item occurs twice in one form of a cell")
        outcomes: dict[str, dict[str, Outcome]] = {form.value: {} for form in Form}
        for item, form, value in frame.select("item", "form", by).iter_rows():
            outcomes[form][item] = _SCORED.get(value) if by == "status" else value
        items = tuple(sorted({*outcomes[Form.NOFORGET], *outcomes[Form.FORGET]}))
        return cls(
            items,
            tuple(outcomes[Form.NOFORGET].get(item) for item in items),
            tuple(outcomes[Form.FORGET].get(item) for item in items),
        )

    @property
    def both_scored(self) -> "Pairs":
        """The pairs with both outcomes."""
        kept = [
            (item, without, with_)
            for item, without, with_ in zip(self.items, self.noforget, self.forget, strict=True)
            if without is not None and with_ is not None
        ]
        return Pairs(tuple(k[0] for k in kept), tuple(k[1] for k in kept), tuple(k[2] for k in kept))

    @property
    def table(self) -> "PairTable":
        """Counts over all combinations of outcomes."""
        counts = Counter(zip(self.noforget, self.forget, strict=True))
        return PairTable({key: counts[key] for key in counts})

    @property
    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Outcomes of the pairs with both, as 0 and 1: without and with the interference, shape (pairs,) each."""
        both = self.both_scored
        return np.array(both.noforget, dtype=np.float64), np.array(both.forget, dtype=np.float64)


@dataclass(frozen=True)
class PairTable:
    """Counts of items by their two outcomes (NoForget, Forget); None stands for not scored.

    Example: n11 = 6, n10 = 2, n01 = 1, n00 = 1 gives NA 0.8, FA 0.7, SFRR 0.75, WR 0.1, and 0.8 * 0.75 + 0.1 = 0.7.
    """

    counts: dict[tuple[Outcome, Outcome], int]

    def __post_init__(self) -> None:
        if self.n and self.n_forget_right != self.n11 + self.n01:
            raise ValueError("right answers in the Forget form do not add up")

    def count(self, noforget: Outcome, forget: Outcome) -> int:
        """Items with these two outcomes."""
        return self.counts.get((noforget, forget), 0)

    @property
    def n11(self) -> int:
        """Right in both forms."""
        return self.count(True, True)

    @property
    def n10(self) -> int:
        """Right without the interference only."""
        return self.count(True, False)

    @property
    def n01(self) -> int:
        """Right with the interference only."""
        return self.count(False, True)

    @property
    def n00(self) -> int:
        """Wrong in both forms."""
        return self.count(False, False)

    @property
    def n(self) -> int:
        """Items with both forms scored."""
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def n_forget_right(self) -> int:
        """Items with both forms scored and the Forget form right, counted by itself."""
        return sum(count for (without, with_), count in self.counts.items() if without is not None and with_)

    @property
    def unpaired(self) -> int:
        """Items with a form that was not scored."""
        return sum(self.counts.values()) - self.n

    @property
    def sfrr_bounds(self) -> tuple[float, float] | None:
        """Lowest and highest SFRR could be with every item scored (protocols.md, section 0); None without any.

        low = n11 / (n11+n10+n1?+n?0+n??), high = (n11+n1?+n?1+n??) / (n11+n1?+n?1+n??+n10).
        """
        unknown = self.count(None, None)
        right_unknown, unknown_wrong, unknown_right = (
            self.count(True, None),
            self.count(None, False),
            self.count(None, True),
        )
        most = self.n11 + right_unknown + unknown_right + unknown
        below, above = self.n11 + self.n10 + right_unknown + unknown_wrong + unknown, most + self.n10
        if not below or not above:
            return None
        return self.n11 / below, most / above
