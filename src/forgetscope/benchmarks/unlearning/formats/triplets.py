"""Triplets: what a chunk states, one fact a line, `head | relation | tail` (paper, section 3.2)."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from forgetscope.benchmarks.unlearning.data.records import Chunk, FormattedChunk
from forgetscope.benchmarks.unlearning.formats.base import FormatParts, FormatSettings, formatted
from forgetscope.core.errors import SettingError

Extractor = Literal["auto", "gold", "rules", "model"]


class TripletsSettings(FormatSettings):
    """Settings of triplets: where they come from. They are extracted beforehand, once for formats and entanglement.

    Attributes:
        extractor: `gold`: known by construction; `rules`: by rule, offline; `model`: by a language model, in the folder
            of `build unlearning` that the data names; `auto`: that folder's, else gold, else by rule.
        model, prompts: Not used any more: the folder says who built it with which prompts.
    """

    summary: ClassVar[str] = "the facts the text states, head | relation | tail"

    format: Literal["triplets"] = "triplets"
    extractor: Extractor = "auto"
    model: str = ""
    prompts: str = ""

    def apply(self, chunks: Sequence[Chunk], parts: FormatParts) -> tuple[FormattedChunk, ...]:
        """The chunks as lines of triplets; a chunk without triplets has an empty text.

        Raises:
            SettingError: there are no triplets for any of the chunks.
        """
        found = [parts.triplets.get(chunk.id, ()) for chunk in chunks]
        if not any(found):
            raise SettingError(
                "no chunk of the forget side has triplets", where="data.formats triplets", found=self.extractor
            )
        return tuple(
            formatted(chunk, self.format, "\n".join(t.line for t in triplets), parts.tokenizer, tuple(triplets))
            for chunk, triplets in zip(chunks, found, strict=True)
        )
