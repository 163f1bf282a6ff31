"""MUSE News and Books, the paper's two corpora (section 4.1): from the hub, or local copies in the published layout.

::

    raw/{forget,retain1,retain2,holdout}.json    a list of texts (or .txt: one text)
    knowmem/{forget_qa,retain_qa}.json           rows of question and answer; retain2_qa.json is read as retain_qa
    knowmem/{forget_qa_icl,retain_qa_icl}.json   solved examples to show first
    verbmem/forget.json                          rows of prompt and gt; optional

`retain2` is what MUSE's targets have seen and what its retain questions are about; `retain1` is meant for calibrating
methods. The paper does not say which it split into low and high; ours is `retain2` by default. Retain questions name no
article, so they stay in the set `retain`: questions for low and high are generated (`questions`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.data.corpora.base import TextSourceSettings
from forgetscope.benchmarks.unlearning.data.corpora.files import require_folder
from forgetscope.benchmarks.unlearning.data.corpora.world import world_of
from forgetscope.benchmarks.unlearning.data.records import (
    Corpus,
    Document,
    Question,
    QuestionSet,
    Side,
    VerbatimPrompt,
)
from forgetscope.core.errors import DataError
from forgetscope.io.hub import HubSet, RowLoader, load_hub_rows, read_hub_rows
from forgetscope.io.received import read_text
from forgetscope.io.records import Provenance, file_provenance, read_records, read_rows, rows_sha256, validate_record

RecordT = TypeVar("RecordT", bound=BaseModel)

HUB_PATHS = {"news": "muse-bench/MUSE-News", "books": "muse-bench/MUSE-Books"}
REVISIONS = {
    "news": "928543ace3784ccce8cec389f6e4e771308188b2",
    "books": "051ba90319e920d410d87cfdbd61f25843c1b892",
}
QUESTIONS = ("forget_qa", "retain_qa", "forget_qa_icl", "retain_qa_icl")
LICENCE = "CC BY 4.0 (as the hub states; the texts are their publishers')"


class QaRow(BaseModel):
    """A question with its answer."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)


class _TextRow(BaseModel):
    model_config = ConfigDict(frozen=True)

    text: str


class _VerbatimRow(BaseModel):
    model_config = ConfigDict(frozen=True)

    prompt: str
    gt: str


class MuseSettings(TextSourceSettings):
    """Settings of MUSE.

    Attributes:
        corpus: Which of the two.
        path: Folder with local copies; None: from the hub.
        revision: Commit on the hub; None: the pinned one.
        retain: Which retain texts; see the module.
    """

    summary: ClassVar[str] = "MUSE: BBC news, or the Harry Potter novels"

    source: Literal["muse"] = "muse"
    corpus: Literal["news", "books"] = "news"
    path: Path | None = None
    revision: str | None = None
    retain: Literal["retain1", "retain2", "both"] = "retain2"
    world: Literal["embedded", "tofu"] = "tofu"

    def load(self) -> Corpus:
        """The corpus; see `muse_corpus`."""
        return muse_corpus(self)


def muse_corpus(settings: MuseSettings, hub_rows: RowLoader = load_hub_rows) -> Corpus:
    """MUSE as these settings say.

    Raises:
        DataError: a local file is missing or does not fit, or a side is empty.
        UserError: the hub cannot be reached.
    """
    reader = MuseReader(settings, hub_rows)
    retain = ("retain1", "retain2") if settings.retain == "both" else (settings.retain,)
    verbatim = reader.verbatim()
    world, world_provenance = world_of(settings, hub_rows)
    return Corpus(
        name=f"muse {settings.corpus}",
        forget=_documents(Side.FORGET, "forget", reader.texts("forget")),
        retain=tuple(doc for part in retain for doc in _documents(Side.RETAIN, part, reader.texts(part))),
        holdout=_documents(Side.HOLDOUT, "holdout", reader.texts("holdout", required=False)),
        questions=(
            *_questions("forget-qa", QuestionSet.FORGET, reader.questions("forget_qa")),
            *_questions("retain-qa", QuestionSet.RETAIN, reader.questions("retain_qa")),
        ),
        world=world,
        verbatim=tuple(
            VerbatimPrompt(id=f"verbatim-{number:03d}", prompt=row.prompt, continuation=row.gt)
            for number, row in enumerate(verbatim)
        ),
        few_shot={
            QuestionSet.FORGET: _questions("forget-icl", QuestionSet.FORGET, reader.questions("forget_qa_icl")),
            QuestionSet.RETAIN: _questions("retain-icl", QuestionSet.RETAIN, reader.questions("retain_qa_icl")),
        },
        provenance=(*reader.provenance, *world_provenance),
    )


def _documents(side: Side, part: str, texts: Sequence[str]) -> tuple[Document, ...]:
    written = [text for text in texts if text.strip()]
    return tuple(Document(id=f"{part}-{number:04d}", side=side, text=text) for number, text in enumerate(written))


def _questions(prefix: str, kind: QuestionSet, rows: Sequence[QaRow]) -> tuple[Question, ...]:
    return tuple(
        Question(id=f"{prefix}-{number:03d}", set=kind, question=row.question, answers=(row.answer,))
        for number, row in enumerate(rows)
    )


class MuseReader:
    """Texts, questions and prompts from a folder or the hub, and a record of what was read."""

    def __init__(self, settings: MuseSettings, hub_rows: RowLoader = load_hub_rows) -> None:
        self._folder = require_folder(settings.path, "raw/ and knowmem/") if settings.path is not None else None
        self._name = HUB_PATHS[settings.corpus]
        self._revision = settings.revision or REVISIONS[settings.corpus]
        self._hub_rows = hub_rows
        self.provenance: list[Provenance] = []

    def texts(self, part: str, *, required: bool = True) -> list[str]:
        """The texts of a part of `raw`."""
        if self._folder is None:
            return [row.text for row in self._from_hub("raw", part, _TextRow)]
        for path in (self._folder / "raw" / f"{part}.json", self._folder / "raw" / f"{part}.txt"):
            if path.is_file():
                texts = [row for _, row in read_rows(path)] if path.suffix == ".json" else [read_text(path)]
                if not all(isinstance(text, str) for text in texts):
                    raise DataError("not a list of texts", where=str(path), allowed="a JSON list of strings")
                self._note_file(f"raw {part}", path, len(texts))
                return [str(text) for text in texts]
        if not required:
            return []
        raise DataError(
            "no such file",
            where=str(self._folder / "raw"),
            allowed=f"{part}.json or {part}.txt",
            next_step="load MUSE from the hub (no path), or use fairytaleqa, the free stand-in for Books",
        )

    def questions(self, part: str) -> list[QaRow]:
        """The rows of a part of `knowmem`."""
        if self._folder is None:
            return self._from_hub("knowmem", part, QaRow)
        older = part.replace("retain", "retain2")  # the name before publication
        names = (f"{part}.json", f"{older}.json")
        path = next((path for name in names if (path := self._folder / "knowmem" / name).is_file()), None)
        if path is None:
            raise DataError("no such file", where=str(self._folder / "knowmem"), allowed=dict.fromkeys(names))
        rows = read_records(path, QaRow)
        self._note_file(f"knowmem {part}", path, len(rows))
        return rows

    def verbatim(self) -> list[_VerbatimRow]:
        """The fixed prompts; none where a local copy has no such file."""
        if self._folder is None:
            return self._from_hub("verbmem", "forget", _VerbatimRow)
        path = self._folder / "verbmem" / "forget.json"
        if not path.is_file():
            return []
        rows = read_records(path, _VerbatimRow)
        self._note_file("verbmem forget", path, len(rows))
        return rows

    def _from_hub(self, config: str, split: str, record: type[RecordT]) -> list[RecordT]:
        rows = read_hub_rows(HubSet(self._name, config, split, self._revision), self._hub_rows)
        self.provenance.append(
            Provenance(
                f"{config} {split}", f"{self._name} ({config})", self._revision, rows_sha256(rows), len(rows), LICENCE
            )
        )
        where = f"{self._name} {config} {split}"
        return [validate_record(row, record, where=f"{where} row {number}") for number, row in enumerate(rows, start=1)]

    def _note_file(self, role: str, path: Path, rows: int) -> None:
        self.provenance.append(file_provenance(role, path, rows, LICENCE))
