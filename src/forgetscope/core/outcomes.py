"""What became of a sample, and the one account every rate goes through.

A sample ends in exactly one `Status` per aspect it is scored on. The status is stored, never inferred from a
missing value. Beside it stands the *raw verdict*: pass or fail of the paper's own scorer on whatever text there
was. From the two come the figures of protocols.md section 0:

* the *paper rate*: raw passes over samples with text;
* the *completed rate*: ``correct / (correct + incorrect)``;
* its *bounds*: what the completed rate could be if every sample outside it had failed, or had passed;
* *completeness*: the share of planned samples that are neither lost to the model nor to a judge.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """What became of a sample, for one aspect it is scored on."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    REFUSED = "refused"
    """A blanket decline that neither answers nor speaks of not knowing or of having been asked to forget."""
    INVALID_FORMAT = "invalid_format"
    """There is no answer to read: an empty reply, or one the parser cannot read. Never "forgotten"."""
    TRUNCATED = "truncated"
    """Cut off by the token limit. The raw verdict of the text there is stays beside it."""
    JUDGE_UNPARSEABLE = "judge_unparseable"
    MODEL_ERROR = "model_error"
    """No reply: the provider failed after its retries, or the run ended before the sample was sent."""
    JUDGE_ERROR = "judge_error"
    NOT_SENT = "not_sent"
    """Planned but not sendable (longer than the context window). Outside attempted, but counted."""
    INPUT_ERROR = "input_error"
    """A picture that cannot be read (visual benchmark): nothing was sent."""
    POLICY_BLOCK = "policy_block"
    """The provider, not the model, declined the request (visual benchmark)."""

    @property
    def is_lost(self) -> bool:
        """Whether the sample counts against completeness."""
        return self in (Status.MODEL_ERROR, Status.JUDGE_ERROR, Status.JUDGE_UNPARSEABLE, Status.INPUT_ERROR)


class FinishReason(StrEnum):
    """Why the model stopped writing, as its provider reports it."""

    STOP = "stop"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    CONTEXT = "context"
    """The request did not fit the model's context window."""
    ERROR = "error"
    UNKNOWN = "unknown"


LENGTH_LIMITED_ABOVE = 0.05
"""A cell with more than this share of truncated replies is marked *length-limited* (protocols.md, section 0)."""


@dataclass(frozen=True)
class Account:
    """The outcomes of a cell: counts over statuses, and the raw verdicts beside them.

    >>> account = Account.of([Status.CORRECT, Status.TRUNCATED], [True, False])
    >>> account.completed_rate, account.paper_rate, account.bounds
    (1.0, 0.5, (0.5, 1.0))
    """

    counts: Mapping[Status, int]
    raw_passes: int
    raw_total: int

    @classmethod
    def of(cls, statuses: Iterable[Status | str], raw: Iterable[bool | None]) -> "Account":
        """Count statuses and raw verdicts; `raw` is None where there was no text to read.

        Raises:
            ValueError: when the two have different lengths, or a status is unknown.
        """
        pairs = list(zip(statuses, raw, strict=True))
        verdicts = [verdict for _, verdict in pairs if verdict is not None]
        return cls(Counter(Status(status) for status, _ in pairs), sum(verdicts), len(verdicts))

    @property
    def planned(self) -> int:
        """All samples of the cell, sent or not."""
        return sum(self.counts.values())

    @property
    def attempted(self) -> int:
        """Samples that were sent to the model."""
        return self.planned - self.counts.get(Status.NOT_SENT, 0)

    @property
    def scored(self) -> int:
        """Samples in the denominator of the completed rate."""
        return self.counts.get(Status.CORRECT, 0) + self.counts.get(Status.INCORRECT, 0)

    @property
    def completed_rate(self) -> float | None:
        """Correct over correct and incorrect; None when nothing was scored."""
        return self.counts.get(Status.CORRECT, 0) / self.scored if self.scored else None

    @property
    def paper_rate(self) -> float | None:
        """Raw passes over samples with text, as the paper's parser reads them; None when there was no text."""
        return self.raw_passes / self.raw_total if self.raw_total else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Lowest and highest rate if every attempted sample outside the completed rate had failed, or passed."""
        if not self.attempted:
            return None
        correct = self.counts.get(Status.CORRECT, 0)
        return correct / self.attempted, (correct + self.attempted - self.scored) / self.attempted

    @property
    def completeness(self) -> float | None:
        """One minus the share of planned samples lost to model or judge; None when nothing was planned."""
        lost = sum(n for status, n in self.counts.items() if status.is_lost)
        return 1 - lost / self.planned if self.planned else None

    @property
    def is_length_limited(self) -> bool:
        """Whether more than 5% of the attempted replies were cut off by the token limit."""
        truncated = self.counts.get(Status.TRUNCATED, 0)
        return self.attempted > 0 and truncated / self.attempted > LENGTH_LIMITED_ABOVE
