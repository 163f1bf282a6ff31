"""The records of the unlearning benchmark: documents, chunks, questions, triplets, formatted text, and a whole corpus.

A *document* is what a source holds: an article, a story, a book. Training and entanglement work on *chunks* of it, a
fixed number of tokens of the target's own tokenizer (protocols, section 4). Questions point to the document, and after
cutting to the chunk, that holds their answer.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from forgetscope.core.errors import DataError
from forgetscope.io.records import Provenance, rows_sha256

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._#-]*$", max_length=120)]

_BLANKS = re.compile(r"\s+")


class Side(StrEnum):
    """Which of the disjoint parts of a corpus a document belongs to (paper, section 3.1)."""

    FORGET = "forget"
    RETAIN = "retain"
    HOLDOUT = "holdout"
    """Seen by no model: the non-members of a membership inference."""


class RetainSubset(StrEnum):
    """Which retain chunks the KL term sees (paper, section 3.3). Evaluation never depends on it."""

    LOW = "low"
    HIGH = "high"
    ORIGINAL = "original"
    """All of them."""


class QuestionSet(StrEnum):
    """What a question tests."""

    FORGET = "forget"
    LOW = "low"
    """About a retain chunk of low entanglement."""
    HIGH = "high"
    WORLD = "world"
    """General knowledge in neither side: the level without overlap."""
    RETAIN = "retain"
    """About the retain side, not (yet) assigned to low or high: its chunk's entanglement is unknown or undefined."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Triplet(_Record):
    """A fact as (head, relation, tail): head and tail are entities (paper, section 3.2).

    Blanks are collapsed. A `|` in a part is refused, so that the one-line form reads back in one way only.

    >>> Triplet.parse("Osthaven | elected | Maris Hollis").tail
    'Maris Hollis'
    """

    head: Text
    relation: Text
    tail: Text

    @field_validator("head", "relation", "tail", mode="before")
    @classmethod
    def _one_line(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        if "|" in value:
            raise ValueError("a part of a triplet holds no '|'")
        return _BLANKS.sub(" ", value).strip()

    @classmethod
    def cleaned(cls, head: str, relation: str, tail: str) -> Self:
        """The triplet of free text, with `/` for every `|`.

        Raises:
            pydantic.ValidationError: a part is empty.
        """
        return cls(head=head.replace("|", "/"), relation=relation.replace("|", "/"), tail=tail.replace("|", "/"))

    @classmethod
    def parse(cls, line: str) -> Self:
        """A triplet from its one-line form.

        Raises:
            DataError: not three parts, or one of them is empty.
        """
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 3 or not all(parts):
            raise DataError("not a triplet", found=line, allowed="head | relation | tail, none empty")
        return cls(head=parts[0], relation=parts[1], tail=parts[2])

    @property
    def line(self) -> str:
        """`head | relation | tail`: the form models are trained on (protocols, section 4)."""
        return f"{self.head} | {self.relation} | {self.tail}"

    @property
    def entities(self) -> tuple[str, str]:
        """Head and tail."""
        return self.head, self.tail


TripletsByChunk = Mapping[str, tuple[Triplet, ...]]
"""By chunk id."""


class Question(_Record):
    """A question with the answers that count as right; the best one counts.

    Attributes:
        document: The document that holds the answer; None where the source does not say, and for world facts.
        chunk: The chunk that holds the answer, once documents have been cut.
        paraphrase_of: Id of the question this one rewords. Paraphrases are never trained on.
        span: Characters of the document, begin and end, that hold what the answer follows from; None where unknown.
        used_for_kl: The chunk is among those the KL term may see. Questions about other retain chunks tell damage
            to what was trained on from damage to what was not.
        paraphrased_answer: A right answer in other words, and
        perturbed_answers: wrong ones of like form, for TOFU's truth ratio; empty where the source has none.
    """

    id: Id
    set: QuestionSet
    question: Text
    answers: Annotated[tuple[Text, ...], Field(min_length=1)]
    document: Id | None = None
    chunk: Id | None = None
    paraphrase_of: Id | None = None
    span: tuple[int, int] | None = None
    used_for_kl: bool = False
    paraphrased_answer: Text | None = None
    perturbed_answers: tuple[Text, ...] = ()

    @property
    def is_paraphrase(self) -> bool:
        """Rewords another question."""
        return self.paraphrase_of is not None


class Document(_Record):
    """A document of one side.

    Attributes:
        repeats: How often the document occurs in one pass of the target's training: the dial of memorisation.
    """

    id: Id
    side: Side
    title: str = ""
    text: Text
    repeats: int = Field(default=1, ge=1)


class Chunk(_Record):
    """A stretch of one document, of a fixed number of the target's tokens; the last one of a document may be shorter.

    Attributes:
        tokens: Tokens of the text, as the tokenizer that cut it counts them.
        start: Character of the document at which the text begins.
    """

    id: Id
    document: Id
    side: Side
    text: Annotated[str, Field(min_length=1)]
    tokens: int = Field(ge=1)
    start: int = Field(default=0, ge=0)
    repeats: int = Field(default=1, ge=1)


class FormattedChunk(_Record):
    """A chunk in one forget format.

    Attributes:
        format: Registered name of the format.
        text: Empty where nothing is left: a chunk without triplets.
        kept_share: Tokens of the text as a share of the chunk's own, both as the target's tokenizer counts them; 1 for
            raw. May exceed 1 for triplets.
        kept_words: The same of words, between blanks.
        triplets: What the lines of the text say, for triplet formats.
    """

    chunk: Id
    side: Side
    format: str
    text: str
    kept_share: float = Field(ge=0)
    kept_words: float = Field(default=0.0, ge=0)
    triplets: tuple[Triplet, ...] = ()
    repeats: int = Field(default=1, ge=1)


class PackedText(_Record):
    """What one training sequence holds: the formatted texts of one or several chunks of one side.

    Attributes:
        chunks: Their ids, in order; one id for a part of a text too long for a sequence.
        tokens: Tokens of the text, as the tokenizer that packed it counts them.
    """

    id: Id
    side: Side
    format: str
    chunks: Annotated[tuple[Id, ...], Field(min_length=1)]
    text: Annotated[str, Field(min_length=1)]
    tokens: int = Field(ge=1)
    repeats: int = Field(default=1, ge=1)


class VerbatimPrompt(_Record):
    """A prompt from the forget text and how the text goes on, where a source fixes them (MUSE: `verbmem`)."""

    id: Id
    prompt: Text
    continuation: Text

    @model_validator(mode="before")
    @classmethod
    def _published_names(cls, row: object) -> object:
        if isinstance(row, dict) and "gt" in row and "continuation" not in row:
            return {**{key: value for key, value in row.items() if key != "gt"}, "continuation": row["gt"]}
        return row


@dataclass(frozen=True)
class Corpus:
    """Everything one experiment knows of its data.

    Attributes:
        forget: What is to be forgotten.
        retain: What is to be kept; its entanglement with `forget` decides the subsets.
        holdout: Text no model has seen; may be empty.
        questions: About forget and retain, paraphrases included.
        world: Questions about the world at large.
        gold_triplets: By document id, where they are known by construction; empty otherwise.
        verbatim: Prompts the source fixes; empty: the first half of each forget chunk is the prompt.
        few_shot: Solved examples to show before a question, where the source has them.
        notes: What a reader of results should know: rows left out, and why.

    Raises:
        DataError: a side is empty, an id occurs twice, a question points to no document, or the sides share text.
    """

    name: str
    forget: tuple[Document, ...]
    retain: tuple[Document, ...]
    questions: tuple[Question, ...]
    provenance: tuple[Provenance, ...]
    world: tuple[Question, ...] = ()
    holdout: tuple[Document, ...] = ()
    gold_triplets: Mapping[str, tuple[Triplet, ...]] = field(default_factory=dict)
    verbatim: tuple[VerbatimPrompt, ...] = ()
    few_shot: Mapping[QuestionSet, tuple[Question, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_sides(self)
        _check_questions(self)

    @property
    def documents(self) -> tuple[Document, ...]:
        """Forget, retain and holdout, in this order."""
        return (*self.forget, *self.retain, *self.holdout)

    @cached_property
    def sha256(self) -> str:
        """Over all content in canonical JSON: two corpora with the same one train and test the same."""

        def plain(records: Iterable[BaseModel]) -> list[object]:
            # Without defaults, so that a new optional field does not give an old corpus another name.
            return [record.model_dump(mode="json", exclude_defaults=True) for record in records]

        return rows_sha256(
            [
                *plain((*self.documents, *self.questions, *self.world, *self.verbatim)),
                {name: [triplet.line for triplet in triplets] for name, triplets in self.gold_triplets.items()},
                {name: plain(rows) for name, rows in self.few_shot.items()},
            ]
        )


def _check_sides(corpus: Corpus) -> None:
    for side, documents in ((Side.FORGET, corpus.forget), (Side.RETAIN, corpus.retain)):
        if not documents:
            raise DataError(f"the {side} side is empty", where=corpus.name, allowed="at least one document")
    for side, documents in ((Side.FORGET, corpus.forget), (Side.RETAIN, corpus.retain), (Side.HOLDOUT, corpus.holdout)):
        strays = [document.id for document in documents if document.side is not side]
        if strays:
            raise DataError(f"documents of another side among {side}", where=corpus.name, found=strays)
    _require_unique((document.id for document in corpus.documents), f"document id in {corpus.name}")
    seen: dict[str, Document] = {}
    for document in corpus.documents:
        other = seen.setdefault(_BLANKS.sub(" ", document.text), document)
        if other.side is not document.side:
            same = _texts(corpus.forget) == _texts(corpus.retain)
            raise DataError(
                "forget and retain are the same text" if same else f"{other.side} and {document.side} share a document",
                where=corpus.name,
                found=f"{other.id} = {document.id}",
                allowed="sides without a common document",
                next_step="take the document out of one side",
            )


def _texts(documents: Iterable[Document]) -> set[str]:
    return {_BLANKS.sub(" ", document.text) for document in documents}


def _check_questions(corpus: Corpus) -> None:
    _require_unique((q.id for q in (*corpus.questions, *corpus.world)), f"question id in {corpus.name}")
    known = {document.id for document in corpus.documents}
    ids = {question.id for question in (*corpus.questions, *corpus.world)}
    for question in (*corpus.questions, *corpus.world):
        if question.document is not None and question.document not in known:
            raise DataError("a question about no document of the corpus", where=question.id, found=question.document)
        if question.paraphrase_of is not None and question.paraphrase_of not in ids:
            raise DataError(
                "a paraphrase of no question of the corpus", where=question.id, found=question.paraphrase_of
            )
    unknown = sorted(set(corpus.gold_triplets) - known)
    if unknown:
        raise DataError("gold triplets of no document of the corpus", where=corpus.name, found=unknown)


def _require_unique(ids: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise DataError(f"duplicate {what}", found=name, allowed="each id once")
        seen.add(name)
