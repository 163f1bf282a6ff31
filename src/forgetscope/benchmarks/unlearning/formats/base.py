"""What every forget format has: settings that turn chunks into texts, given the parts it needs."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.unlearning.data.chunking import TextTokenizer
from forgetscope.benchmarks.unlearning.data.records import Chunk, FormattedChunk, Triplet
from forgetscope.benchmarks.unlearning.formats.scorers.base import Scorer


@dataclass(frozen=True)
class FormatParts:
    """What formats may need beside the chunks; each asks for its own and says which is missing.

    Attributes:
        tokenizer: The target's, for kept shares.
        scorer: A language model that is not the target, for pruning.
        target: What the target is known by: paths and hashes of its weights.
        triplets: By chunk id, from an extractor or by construction.
    """

    tokenizer: TextTokenizer
    scorer: Scorer | None = None
    target: frozenset[str] = frozenset()
    triplets: Mapping[str, tuple[Triplet, ...]] = field(default_factory=dict)


class FormatSettings(BaseModel, ABC):
    """Which forget format, and how it is made; part of the hash of every cell trained on it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    summary: ClassVar[str]
    """What the format is, in a line, for lists."""
    format: str

    @abstractmethod
    def apply(self, chunks: Sequence[Chunk], parts: FormatParts) -> tuple[FormattedChunk, ...]:
        """The chunks in this format, one for one and in order.

        Raises:
            SettingError: a part the format needs is missing, or must not be used.
        """


def formatted(
    chunk: Chunk, name: str, text: str, tokenizer: TextTokenizer, triplets: tuple[Triplet, ...] = ()
) -> FormattedChunk:
    """A chunk with its text in a format, and what share of its tokens that is."""
    return FormattedChunk(
        chunk=chunk.id,
        side=chunk.side,
        format=name,
        text=text,
        kept_share=len(tokenizer.encode(text)) / max(1, len(tokenizer.encode(chunk.text))) if text else 0.0,
        kept_words=len(text.split()) / max(1, len(chunk.text.split())),
        triplets=triplets,
        repeats=chunk.repeats,
    )
