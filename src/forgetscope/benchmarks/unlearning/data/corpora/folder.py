"""Your own corpus: a folder of text and questions.

::

    forget/*.txt, retain/*.txt, holdout/*.txt    a document each (.md too), its name the id; holdout is optional
    questions.jsonl    {"set": "forget" | "retain" | "low" | "high", "question": ..., "answers": [...]}
                       and, optional: "id", "document" (a file's name without ending), "paraphrase_of" (an id)
    world.jsonl        {"question": ..., "answers": [...]}; optional
    triplets.jsonl     {"document": ..., "head": ..., "relation": ..., "tail": ...}, facts known for sure; optional
    verbatim.jsonl     {"prompt": ..., "continuation": ...}, prompts to test with; optional

Everything is UTF-8. Links that lead out of the folder are refused.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.data.corpora.base import TextSourceSettings
from forgetscope.benchmarks.unlearning.data.corpora.files import inside, require_folder
from forgetscope.benchmarks.unlearning.data.corpora.world import world_of
from forgetscope.benchmarks.unlearning.data.records import (
    Corpus,
    Document,
    Id,
    Question,
    QuestionSet,
    Side,
    Text,
    Triplet,
    VerbatimPrompt,
)
from forgetscope.core.errors import DataError
from forgetscope.io.files import real_path
from forgetscope.io.received import read_text
from forgetscope.io.records import Provenance, file_sha256, read_records, rows_sha256, validate_record

ENDINGS = (".txt", ".md")

RecordT = TypeVar("RecordT", bound=BaseModel)


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class QuestionRow(_Row):
    """A line of `questions.jsonl`."""

    set: Literal[QuestionSet.FORGET, QuestionSet.RETAIN, QuestionSet.LOW, QuestionSet.HIGH]
    question: Text
    answers: Annotated[tuple[Text, ...], Field(min_length=1)]
    id: Id | None = None
    document: Id | None = None
    paraphrase_of: Id | None = None


class WorldRow(_Row):
    """A line of `world.jsonl`."""

    question: Text
    answers: Annotated[tuple[Text, ...], Field(min_length=1)]


class TripletRow(Triplet):
    """A line of `triplets.jsonl`."""

    document: Id


class VerbatimRow(_Row):
    """A line of `verbatim.jsonl`."""

    prompt: Text
    continuation: Text


class FolderSettings(TextSourceSettings):
    """Settings of a folder.

    Attributes:
        path: The folder; see the module for what it holds.
        repeats: How often one pass of a target's training shows a forget document.
    """

    summary: ClassVar[str] = "a folder of text files and questions of your own"

    source: Literal["folder"] = "folder"
    path: Path
    repeats: int = Field(default=1, ge=1)

    def load(self) -> Corpus:
        """The corpus; see `folder_corpus`."""
        return folder_corpus(self)


def folder_corpus(settings: FolderSettings) -> Corpus:
    """The corpus in a folder. Its own `world.jsonl` takes the place of the world facts the settings name.

    Raises:
        DataError: a side has no document, a file is not UTF-8, a line does not fit, or a path leads out of the folder.
    """
    root = require_folder(settings.path, "forget/, retain/ and questions.jsonl")
    documents = {side: _documents(root, side, settings.repeats) for side in Side}
    found: list[Provenance] = []
    questions = _optional(root, "questions.jsonl", QuestionRow, found)
    if not questions:
        raise DataError("no such file", where=str(root), allowed="questions.jsonl")
    world_rows = _optional(root, "world.jsonl", WorldRow, found)
    gold: dict[str, list[Triplet]] = {}
    for row in _optional(root, "triplets.jsonl", TripletRow, found):
        gold.setdefault(row.document, []).append(Triplet(head=row.head, relation=row.relation, tail=row.tail))
    verbatim = _optional(root, "verbatim.jsonl", VerbatimRow, found)
    world, world_provenance = (_world(world_rows), ()) if world_rows else world_of(settings)
    texts = [document.model_dump(mode="json") for side in Side for document in documents[side]]
    return Corpus(
        name=real_path(root).name,
        forget=documents[Side.FORGET],
        retain=documents[Side.RETAIN],
        holdout=documents[Side.HOLDOUT],
        questions=tuple(_question(number, row) for number, row in enumerate(questions, start=1)),
        world=world,
        gold_triplets={document: tuple(triplets) for document, triplets in gold.items()},
        verbatim=tuple(
            VerbatimPrompt(id=f"verbatim-{number:03d}", prompt=row.prompt, continuation=row.continuation)
            for number, row in enumerate(verbatim)
        ),
        provenance=(
            Provenance("texts", real_path(root).name, "", rows_sha256(texts), len(texts)),
            *found,
            *world_provenance,
        ),
    )


def _documents(root: Path, side: Side, repeats: int) -> tuple[Document, ...]:
    folder = root / side
    if not folder.is_dir():
        if side is Side.HOLDOUT:
            return ()
        raise DataError("no such folder", where=str(root), allowed=f"a folder {side} with text files")
    found = []
    for path in sorted(folder.iterdir()):
        if path.suffix in ENDINGS:
            text = read_text(inside(root, path))
            if not text.strip():
                raise DataError("an empty document", where=str(path))
            row = {"id": path.stem, "side": side, "text": text, "repeats": repeats if side is Side.FORGET else 1}
            found.append(validate_record(row, Document, where=str(path)))
    if not found:
        raise DataError(f"the {side} side is empty", where=str(folder), allowed=f"files ending in {', '.join(ENDINGS)}")
    return tuple(found)


def _optional(root: Path, name: str, record: type[RecordT], found: list[Provenance]) -> list[RecordT]:
    path = root / name
    if not path.is_file():
        return []
    rows = read_records(inside(root, path), record)
    found.append(Provenance(path.stem, name, "", file_sha256(path), len(rows)))
    return rows


def _question(number: int, row: QuestionRow) -> Question:
    return Question(
        id=row.id or f"question-{number:04d}",
        set=row.set,
        question=row.question,
        answers=row.answers,
        document=row.document,
        paraphrase_of=row.paraphrase_of,
    )


def _world(rows: Sequence[WorldRow]) -> tuple[Question, ...]:
    return tuple(
        Question(id=f"world-{number:03d}", set=QuestionSet.WORLD, question=row.question, answers=row.answers)
        for number, row in enumerate(rows)
    )
