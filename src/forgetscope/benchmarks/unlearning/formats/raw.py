"""Raw text: the chunk as it is (paper, section 3.2)."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from forgetscope.benchmarks.unlearning.data.records import Chunk, FormattedChunk
from forgetscope.benchmarks.unlearning.formats.base import FormatParts, FormatSettings


class RawSettings(FormatSettings):
    """Settings of raw text: none."""

    summary: ClassVar[str] = "the text as it is"

    format: Literal["raw"] = "raw"

    def apply(self, chunks: Sequence[Chunk], parts: FormatParts) -> tuple[FormattedChunk, ...]:  # noqa: ARG002
        """The chunks' own text; every share is 1."""
        return tuple(
            FormattedChunk(
                chunk=chunk.id,
                side=chunk.side,
                format=self.format,
                text=chunk.text,
                kept_share=1.0,
                repeats=chunk.repeats,
            )
            for chunk in chunks
        )
