"""TOFU: questions and answers about 200 fictitious authors, 20 each, a part of whom is to be forgotten.

Read from the hub at a pinned revision, or from local copies of its files (`forget10.json`, `retain90.json`,
`retain_perturbed.json`, `world_facts_perturbed.json`; JSON list or JSON Lines). A document is one author: all pairs,
each question and answer on a line. The retain questions are the 400 of `retain_perturbed`, TOFU's own choice, where
that file is there, else all.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.data.corpora.base import CorpusSettings
from forgetscope.benchmarks.unlearning.data.corpora.files import require_folder
from forgetscope.benchmarks.unlearning.data.records import Corpus, Document, Question, QuestionSet, Side
from forgetscope.core.errors import DataError
from forgetscope.io.hub import HubSet, RowLoader, load_hub_rows, read_hub_rows
from forgetscope.io.records import Provenance, file_sha256, read_records, rows_sha256, validate_record

HUB_PATH = "locuslab/TOFU"
REVISION = "324592d84ae4f482ac7249b9285c2ecdb53e3a68"
LICENCE = "MIT"
PAIRS_PER_AUTHOR = 20
FILES = (
    *("forget01", "forget05", "forget10", "retain90", "retain95", "retain99"),
    *("forget01_perturbed", "forget05_perturbed", "forget10_perturbed", "retain_perturbed", "world_facts_perturbed"),
)
"""All files a corpus of TOFU may be made from, without their ending."""

_RETAIN_OF = {"forget01": "retain99", "forget05": "retain95", "forget10": "retain90"}


class TofuRow(BaseModel):
    """A row of any of TOFU's files; further columns of mirrored copies are passed over."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    paraphrased_question: str | None = None
    paraphrased_answer: str | None = None
    perturbed_answer: tuple[str, ...] | str = ()


class TofuSettings(CorpusSettings):
    """Settings of TOFU.

    Attributes:
        forget: Which share of the authors: 1, 5 or 10 per cent.
        path: Folder with local copies; None: from the hub.
        revision: Commit on the hub.
    """

    summary: ClassVar[str] = "TOFU: fictitious authors, question and answer"

    source: Literal["tofu"] = "tofu"
    forget: Literal["forget01", "forget05", "forget10"] = "forget10"
    path: Path | None = None
    revision: str = REVISION

    def load(self) -> Corpus:
        """The corpus; see `tofu_corpus`."""
        return tofu_corpus(self)


def tofu_corpus(settings: TofuSettings, hub_rows: RowLoader = load_hub_rows) -> Corpus:
    """TOFU as these settings say.

    Raises:
        DataError: a local file is missing or a row does not fit.
        UserError: the hub cannot be reached.
    """
    reader = TofuReader(settings.path, settings.revision, hub_rows)
    forget = reader.rows(settings.forget)
    retain = reader.rows(_RETAIN_OF[settings.forget], "retain90")
    asked_of_forget = reader.rows(f"{settings.forget}_perturbed", settings.forget)
    asked_of_retain = reader.rows("retain_perturbed", _RETAIN_OF[settings.forget], "retain90")
    world = reader.rows("world_facts_perturbed", "world_facts")
    authors = {side: _authors(side, rows) for side, rows in ((Side.FORGET, forget), (Side.RETAIN, retain))}
    author_of = {
        row.question: document.id
        for side, rows in ((Side.FORGET, forget), (Side.RETAIN, retain))
        for document, block in zip(authors[side], _blocks(rows), strict=True)
        for row in block
    }
    strays = [row.question for row in (*asked_of_forget, *asked_of_retain) if row.question not in author_of]
    if strays:
        raise DataError("a question about no author of the set", where="tofu", found=strays[0])
    return Corpus(
        name=f"tofu {settings.forget}",
        forget=authors[Side.FORGET],
        retain=authors[Side.RETAIN],
        questions=(
            *_questions("forget", QuestionSet.FORGET, asked_of_forget, author_of),
            *_questions("retain", QuestionSet.RETAIN, asked_of_retain, author_of),
        ),
        world=tuple(_questions("world", QuestionSet.WORLD, world, {})),
        provenance=tuple(reader.provenance),
    )


def tofu_world_facts(
    path: Path | None, revision: str = REVISION, hub_rows: RowLoader = load_hub_rows
) -> tuple[tuple[Question, ...], Provenance]:
    """TOFU's world facts, the paper's level without overlap (section 4.1), and where they are from.

    Raises:
        DataError: the local file is missing or a row does not fit.
        UserError: the hub cannot be reached.
    """
    reader = TofuReader(path, revision, hub_rows)
    rows = reader.rows("world_facts_perturbed", "world_facts")
    return tuple(_questions("world", QuestionSet.WORLD, rows, {})), reader.provenance[0]


class TofuReader:
    """Rows by file name, from a folder or the hub, and a record of what was read."""

    def __init__(self, path: Path | None, revision: str = REVISION, hub_rows: RowLoader = load_hub_rows) -> None:
        self._folder = require_folder(path, "TOFU's files") if path is not None else None
        self._revision = revision
        self._hub_rows = hub_rows
        self._read: dict[str, list[TofuRow]] = {}
        self.provenance: list[Provenance] = []

    def rows(self, *names: str) -> list[TofuRow]:
        """The rows of the first of these files that is there."""
        if self._folder is None:
            return self._from_hub(names[0])
        there = next((name for name in names if (self._folder / f"{name}.json").is_file()), None)
        if there is None:
            raise DataError("no such file", where=str(self._folder), allowed=[f"{name}.json" for name in names])
        if there not in self._read:
            path = self._folder / f"{there}.json"
            self._read[there] = read_records(path, TofuRow)
            self._note(there, f"TOFU {path.name}", "", file_sha256(path))
        return self._read[there]

    def _from_hub(self, name: str) -> list[TofuRow]:
        if name not in self._read:
            found = read_hub_rows(HubSet(HUB_PATH, name, "train", self._revision), self._hub_rows)
            self._read[name] = [
                validate_record(row, TofuRow, where=f"{HUB_PATH} {name} row {number}")
                for number, row in enumerate(found, start=1)
            ]
            self._note(name, f"{HUB_PATH} ({name})", self._revision, rows_sha256(found))
        return self._read[name]

    def _note(self, role: str, name: str, revision: str, sha256: str) -> None:
        self.provenance.append(Provenance(role, name, revision, sha256, len(self._read[role]), LICENCE))


def _blocks(rows: Sequence[TofuRow]) -> list[Sequence[TofuRow]]:
    return [rows[start : start + PAIRS_PER_AUTHOR] for start in range(0, len(rows), PAIRS_PER_AUTHOR)]


def _authors(side: Side, rows: Sequence[TofuRow]) -> tuple[Document, ...]:
    return tuple(
        Document(
            id=f"{side}-author-{number:03d}",
            side=side,
            text="\n".join(f"{row.question}\n{row.answer}" for row in block),
        )
        for number, block in enumerate(_blocks(rows))
    )


def _questions(
    prefix: str, kind: QuestionSet, rows: Iterable[TofuRow], author_of: dict[str, str]
) -> Iterable[Question]:
    for number, row in enumerate(rows):
        name = f"{prefix}-{number:04d}"
        wrong = row.perturbed_answer if isinstance(row.perturbed_answer, tuple) else (row.perturbed_answer,)
        question = Question(
            id=name,
            set=kind,
            question=row.question,
            answers=(row.answer,),
            document=author_of.get(row.question),
            paraphrased_answer=row.paraphrased_answer,
            perturbed_answers=wrong,
        )
        yield question
        if row.paraphrased_question:
            yield question.model_copy(
                update={"id": f"{name}-p", "question": row.paraphrased_question, "paraphrase_of": name}
            )
