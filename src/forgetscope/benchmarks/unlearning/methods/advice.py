"""What `doctor` measures of a method's first steps, and what may be said of it: plain records."""

import math
from dataclasses import dataclass
from typing import Literal

Level = Literal["stop", "change", "know"]
"""`stop`: the result would be of no use; `change`: it would be poorer than need be; `know`: read it with care."""


@dataclass(frozen=True)
class Advice:
    """What was found, and what to do about it."""

    level: Level
    about: str
    found: str
    change: str


@dataclass(frozen=True)
class FormatBudget:
    """What a format is to the target, and what training on it takes.

    Attributes:
        sequences, tokens: Of the forget texts, each once.
        longest: Tokens of the longest one, marks included.
        nll, nll_lowest, nll_highest: Nats a token under the target: over all tokens, and the extremes over sequences.
        steps: Of a cell.
        retain_passes: How often a cell's retain term sees each of its texts, by subset.
        retain_tokens: Of the texts the retain term may see, each once, by subset.
    """

    corpus: str
    format: str
    sequences: int
    tokens: int
    longest: int
    nll: float
    nll_lowest: float
    nll_highest: float
    steps: int
    retain_passes: dict[str, float]
    retain_tokens: dict[str, int]


@dataclass(frozen=True)
class FirstSteps:
    """The first two steps of a combination, from the target.

    Attributes:
        method: Its title, with what differs from its defaults.
        settings: Of the method, as `methods.read_method` reads them.
        saturated, weight: Share of all forget sequences without gradient before the first step, and mean share of the
            gradient let through; None for a method whose gradient never fades.
        saturated_second: Share of the second step's sequences without gradient.
        forget_gradient, retain_gradient: Norms of the two terms in the second step; in the first one the model still is
            the target and a proper retain term has none.
        forget_nll: Nats a token of the texts of the first and of the second step.
        seconds: Of the second step.
        step_tokens: Of the second step.
        diverged: Whether a loss or gradient was no number within these steps.
    """

    corpus: str
    method: str
    settings: dict[str, str | float | None]
    semantics: str
    format: str
    saturated: float | None
    weight: float | None
    saturated_second: float | None
    forget_gradient: float | None
    retain_gradient: float | None
    forget_nll: tuple[float, float]
    seconds: float
    step_tokens: int
    diverged: bool = False

    @property
    def label(self) -> str:
        """In a few words."""
        semantics = "" if self.semantics == "proper" else f" {self.semantics}"
        return f"{self.corpus} {self.method}{semantics} on {self.format}"

    @property
    def gradient_ratio(self) -> float | None:
        """Retain over forget in the second step; infinite where the forget term has no gradient."""
        if self.forget_gradient is None or self.retain_gradient is None:
            return None
        return self.retain_gradient / self.forget_gradient if self.forget_gradient > 0 else math.inf


@dataclass(frozen=True)
class Outlook:
    """What is known of a corpus and a grid before any step.

    Attributes:
        budgets: All formats of the corpus that are trained on.
        vocabulary: Entries of the model's vocabulary; the logarithm is the likelihood of a blind guess.
        has_stop: Whether the grid ends a training at a likelihood of the forget text.
    """

    budgets: tuple[FormatBudget, ...]
    vocabulary: int
    has_stop: bool
