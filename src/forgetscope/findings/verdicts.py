"""The one rule for how sure a sentence is: its badge, and the clause that says why it is not more.

A difference is *shown* where its 95% interval leaves zero out, the test beside it (Holm-adjusted where it is one of a
family) gives at most 0.05, at least ten independent items stand behind it and, where the same items were seen twice,
at least six of them changed: with five, no two-sided sign test gets below 0.0625. Under ten items it is *too few*,
otherwise *undecided*. Badge and clause come from one `Support`, so that they cannot say different things. Likeness is
never read from a difference that is not shown: it has a margin of its own (`claim_answer`).
"""

from dataclasses import dataclass
from typing import Literal

from forgetscope.findings.figures import Figure, Finding

Verdict = Literal["shown", "undecided", "too few"]
Answer = Literal["holds", "fails", "undecided"]
"""What a run says of a paper's claim."""

ALPHA = 0.05
FEWEST_ITEMS = 10
FEWEST_CHANGED = 6


@dataclass(frozen=True)
class Support:
    """What a statement about a difference rests on.

    Attributes:
        low, high: The 95% interval; None where there is none.
        items: Independent items behind it.
        p: Of the test printed beside it, adjusted where it is one of a family; None where none is made.
        changed: Items that differ between the two sides; None where the sides are not the same items.
    """

    low: float | None
    high: float | None
    items: int
    p: float | None = None
    changed: int | None = None

    @classmethod
    def of(cls, entry: Figure) -> "Support":
        """What stands in a figure."""
        items = entry.n if entry.items is None else entry.items
        return cls(entry.low, entry.high, items, entry.p, entry.changed)

    @property
    def verdict(self) -> Verdict:
        """The badge."""
        return self._reading[0]

    @property
    def clause(self) -> str:
        """Why it is not shown, as the end of a sentence; empty where it is."""
        verdict, why = self._reading
        return f"; {verdict}: {why}" if why else ""

    @property
    def _reading(self) -> tuple[Verdict, str]:
        if self.items < FEWEST_ITEMS:
            return "too few", f"a difference needs {FEWEST_ITEMS} items"
        if self.low is None or self.high is None:
            return "undecided", "there is no interval"
        if self.low <= 0 <= self.high:
            return "undecided", "the interval holds zero"
        if self.changed is not None and self.changed < FEWEST_CHANGED:
            return "undecided", f"only {_items(self.changed)} changed, and a test needs {FEWEST_CHANGED}"
        if self.p is not None and self.p > ALPHA:
            return "undecided", f"p is above {ALPHA}"
        return "shown", ""

    def finding(self, text: str, *, then: str = "") -> Finding:
        """A sentence, given without its full stop, with the clause and the badge that belong to it; `then` follows."""
        return Finding(f"{text}{self.clause}. {then}".rstrip(), self.verdict)


def _items(count: int) -> str:
    return f"{count} item" if count == 1 else f"{count} items"


def p_words(p: float) -> str:
    """A p-value in a sentence; never rounded down to the threshold from above it."""
    if p < 0.001:
        return "p < 0.001"
    return f"p {max(p, 0.0505):.4f}".rstrip("0") if ALPHA < p < 0.0505 else f"p {p:.3f}"


def claim_answer(support: Support, *, margin: float | None = None, is_of_some_cases: bool = False) -> Answer:
    """What a run says of a paper's claim, from the contrast that is positive where the claim holds.

    Args:
        support: Of the contrast.
        margin: Of a claim that two things are alike: how far apart they may be. It holds where the whole interval lies
            within, and fails where it lies beyond.
        is_of_some_cases: Whether the claim is of some cases ("in certain scenarios"), which no average can refute.

    Example: 3 points with an interval from 1 to 5 over 20 items holds; as a claim of likeness within 4, undecided.
    """
    if margin is None:
        if support.verdict != "shown" or support.low is None:
            return "undecided"
        return "holds" if support.low > 0 else "undecided" if is_of_some_cases else "fails"
    if support.items < FEWEST_ITEMS or support.low is None or support.high is None:
        return "undecided"
    if -margin < support.low and support.high < margin:
        return "holds"
    is_beyond = support.low > margin or support.high < -margin
    return "fails" if is_beyond and support.verdict == "shown" else "undecided"
