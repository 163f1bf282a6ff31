"""What every intervention is: its access, and what it changes, by default nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from forgetscope.benchmarks.visual.data.samples import VisualSample


class Access(StrEnum):
    """What of a model an intervention must reach, from the least to the most."""

    PROMPT = "prompt"
    OUTPUT = "output"
    LOGITS = "logits"
    """Scores of every first token before one is chosen; the twenty likeliest, as servers give them, are not enough."""
    WEIGHTS = "weights"


@dataclass(frozen=True)
class Intervention:
    """One way to make a model seem to forget.

    Attributes:
        argument: What stood after `NAME=`; empty for the default.
        access: What of the model it needs.
    """

    argument: str = ""
    access: ClassVar[Access]

    def __post_init__(self) -> None:
        """Refuse an argument that makes no sense; by default any will do."""

    def system_text(self, concepts: Sequence[str]) -> str:
        """A system message to put before every measured sample; empty for none. `concepts` are to be forgotten."""
        del concepts
        return ""

    def filtered(self, reply: str, sample: VisualSample, concepts: Sequence[str]) -> str:
        """What is let through of a reply."""
        del sample, concepts
        return reply

    def masked(self, sample: VisualSample, concepts: Sequence[str]) -> frozenset[int]:
        """The options whose digits may not be the first token."""
        del sample, concepts
        return frozenset()

    def weights(self) -> Path | None:
        """Where the weights lie that the model is to have instead of its own."""
        return None
