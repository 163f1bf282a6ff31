"""What every source of a corpus has: settings that load it, and world facts where it has none of its own."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.unlearning.data.records import Corpus


class CorpusSettings(BaseModel, ABC):
    """Which corpus, and how it is read; part of the hash of every cell trained on it.

    Attributes:
        source: Name of the source; it decides which settings there are.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    summary: ClassVar[str]
    """What the source is, in a line, for lists."""
    source: str

    @abstractmethod
    def load(self) -> Corpus:
        """The corpus.

        Raises:
            DataError: a file is missing or does not fit its format, a side is empty, or the sides share a document.
        """


class TextSourceSettings(CorpusSettings):
    """Settings of sources that have no world facts.

    Attributes:
        world: `embedded`: 24 facts of our own; `tofu`: TOFU's 117, as the paper (section 4.1).
        tofu_path: Folder with TOFU's files; None: from the hub.
    """

    world: Literal["embedded", "tofu"] = "embedded"
    tofu_path: Path | None = None
