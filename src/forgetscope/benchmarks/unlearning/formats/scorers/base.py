"""What a scorer gives: how much information each token of a text holds, -log p in nats (higher = less predictable)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class ScoredToken:
    """A token at characters `start` to `end` of its text, and its information in nats given all before it."""

    start: int
    end: int
    information: float


@dataclass(frozen=True)
class ScoredText:
    """A text with its tokens in order; blanks between tokens belong to no token or to the following one."""

    text: str
    tokens: tuple[ScoredToken, ...]

    @property
    def information(self) -> float:
        """Of the whole text, nats."""
        return sum(token.information for token in self.tokens)


class Scorer(Protocol):
    """A language model that scores text.

    Attributes:
        name: For results.
        identities: What its weights are known by (paths, hashes): none may be the target's.
    """

    name: str
    identities: frozenset[str]

    def score(self, texts: Sequence[str]) -> list[ScoredText]:
        """Each text on its own, from its beginning; an empty text has no tokens."""
