"""The prepared data of a grid as one file: made once, read by every cell and every worker."""

from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.unlearning.data.chunking import TextTokenizer, cut_into_chunks, place_questions
from forgetscope.benchmarks.unlearning.data.preparation import DataSettings, PreparedData
from forgetscope.benchmarks.unlearning.data.records import (
    Chunk,
    Corpus,
    PackedText,
    Question,
    QuestionSet,
    RetainSubset,
    VerbatimPrompt,
)
from forgetscope.core.errors import RunFolderError
from forgetscope.io.files import write_text
from forgetscope.io.received import read_form
from forgetscope.io.records import rows_sha256


class GridData(BaseModel):
    """What cells train and are evaluated on.

    Attributes:
        corpus: Name of the corpus.
        corpus_sha256: Of its content.
        forget, retain, holdout: Chunks.
        texts: Training sequences of the forget side, by format.
        kl: Ids of the retain chunks each subset's KL term sees.
        questions: About forget and retain, assigned to low and high; paraphrases included.
        world: Questions about the world at large.
        verbatim: Prompts the source fixes; empty: the first half of each forget chunk.
        few_shot: Solved examples by question set.
        settings: What it was made by; None for a corpus that was only cut into chunks.
        summary: Counts, tokens and shares for people.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    corpus: str
    corpus_sha256: str
    forget: tuple[Chunk, ...]
    retain: tuple[Chunk, ...]
    holdout: tuple[Chunk, ...]
    texts: dict[str, tuple[PackedText, ...]]
    kl: dict[RetainSubset, tuple[str, ...]]
    low: tuple[str, ...]
    high: tuple[str, ...]
    questions: tuple[Question, ...]
    world: tuple[Question, ...]
    verbatim: tuple[VerbatimPrompt, ...]
    few_shot: dict[QuestionSet, tuple[Question, ...]]
    settings: DataSettings | None = None
    summary: dict[str, object] = {}

    @classmethod
    def of(cls, prepared: PreparedData, settings: DataSettings) -> Self:
        """What `preparation.prepare` made, in the form that is kept."""
        return cls(
            corpus=prepared.corpus.name,
            corpus_sha256=prepared.corpus.sha256,
            forget=prepared.forget,
            retain=prepared.retain,
            holdout=prepared.holdout,
            texts=dict(prepared.texts),
            kl=dict(prepared.plan.kl),
            low=prepared.plan.low,
            high=prepared.plan.high,
            questions=prepared.questions,
            world=prepared.corpus.world,
            verbatim=prepared.corpus.verbatim,
            few_shot=dict(prepared.corpus.few_shot),
            settings=settings,
            summary=prepared.summary(),
        )

    @classmethod
    def of_corpus(cls, corpus: Corpus, tokenizer: TextTokenizer, *, chunk_tokens: int) -> Self:
        """A corpus cut into chunks and nothing more: enough to see what a target knows of it."""
        forget, retain, holdout = (
            cut_into_chunks(side, tokenizer, tokens=chunk_tokens)
            for side in (corpus.forget, corpus.retain, corpus.holdout)
        )
        return cls(
            corpus=corpus.name,
            corpus_sha256=corpus.sha256,
            forget=forget,
            retain=retain,
            holdout=holdout,
            texts={},
            kl={},
            low=(),
            high=(),
            questions=place_questions(corpus.questions, (*forget, *retain)),
            world=corpus.world,
            verbatim=corpus.verbatim,
            few_shot=dict(corpus.few_shot),
        )

    @property
    def sha256(self) -> str:
        """Over everything cells train and are evaluated on, in canonical JSON."""
        return rows_sha256([self.model_dump(mode="json", exclude={"summary", "settings"})])

    def save(self, path: Path) -> None:
        """Write it, atomically.

        Raises:
            RunFolderError: the folder cannot be written.
        """
        write_text(path, self.model_dump_json())

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read it back.

        Raises:
            RunFolderError: missing or damaged.
        """
        try:
            return read_form(path, cls, "not the data of a grid")
        except FileNotFoundError:
            raise RunFolderError("no prepared data", where=str(path), next_step="prepare the grid again") from None
