"""FairytaleQA: public-domain stories with questions, the free stand-in for MUSE Books.

Local files only: `stories_SPLIT.jsonl` (`story`, `sections`) and `qa_SPLIT.jsonl` (`story`, `cor_section`, `question`,
`answers`, further columns passed over). As MUSE Books forgets novels and keeps texts about the same novels, the default
forgets the first half of each story of one split and keeps its continuation, beside the whole stories of the other
split: some retain chunks name the same characters, others do not. `other_stories` keeps the other split alone.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from forgetscope.benchmarks.unlearning.data.corpora.base import TextSourceSettings
from forgetscope.benchmarks.unlearning.data.corpora.files import require_folder
from forgetscope.benchmarks.unlearning.data.corpora.world import world_of
from forgetscope.benchmarks.unlearning.data.records import Corpus, Document, Question, QuestionSet, Side
from forgetscope.core.errors import DataError
from forgetscope.io.records import Provenance, file_sha256, read_records

LICENCE = "Apache-2.0; the stories are in the public domain"

_Answer = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_LINE_BREAK = re.compile(r"[ \t]*\n[ \t]*")


class StoryRow(BaseModel):
    """A story in sections; a question names its sections by number, from 1."""

    model_config = ConfigDict(frozen=True)

    story: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)
    sections: tuple[str, ...] = Field(min_length=1)


class StoryQuestionRow(BaseModel):
    """A question about sections of a story."""

    model_config = ConfigDict(frozen=True)

    story: str
    cor_section: str
    question: str = Field(min_length=1)
    answers: tuple[_Answer, ...] = Field(min_length=1)

    @property
    def sections(self) -> tuple[int, ...]:
        """Numbers of the sections, from 1.

        Raises:
            ValueError: one is no number.
        """
        return tuple(int(part) for part in self.cor_section.split(","))


class FairytaleSettings(TextSourceSettings):
    """Settings of FairytaleQA.

    Attributes:
        path: Folder with the JSON Lines files.
        forget_split, retain_split: Which splits of the source.
        retain: `continuations`: the second half of each forget story too; `other_stories`: without them.
        stories: Take the first so many stories of each split only.
    """

    summary: ClassVar[str] = "FairytaleQA: public-domain stories, the free stand-in for MUSE Books"

    source: Literal["fairytaleqa"] = "fairytaleqa"
    path: Path
    forget_split: str = "val"
    retain_split: str = "test"
    retain: Literal["continuations", "other_stories"] = "continuations"
    stories: int | None = Field(default=None, ge=1)

    def load(self) -> Corpus:
        """The corpus; see `fairytale_corpus`."""
        return fairytale_corpus(self)


def fairytale_corpus(settings: FairytaleSettings) -> Corpus:
    """FairytaleQA as these settings say. Questions whose sections fall on both sides are left out and noted.

    Raises:
        DataError: a file is missing or does not fit, a story has one section only and no continuation to keep, or a
            question names a story or section there is not.
    """
    folder = require_folder(settings.path, "stories_val.jsonl and qa_val.jsonl")
    splits = (settings.forget_split, settings.retain_split)
    if splits[0] == splits[1]:
        raise DataError("forget and retain are the same text", where="fairytaleqa", found=splits[0])
    paths = {(kind, split): folder / f"{kind}_{split}.jsonl" for split in splits for kind in ("stories", "qa")}
    stories = {split: read_records(paths["stories", split], StoryRow)[: settings.stories] for split in splits}
    asked = {split: read_records(paths["qa", split], StoryQuestionRow) for split in splits}
    parts = [
        part
        for story in stories[settings.forget_split]
        for part in (_halves(story) if settings.retain == "continuations" else [_whole(story, Side.FORGET)])
    ]
    parts += [_whole(story, Side.RETAIN) for story in stories[settings.retain_split]]
    by_story: dict[str, list[_Part]] = {}
    for part in parts:
        by_story.setdefault(part.story, []).append(part)
    found = [
        _question(f"{split}-{number:04d}", row, by_story[row.story])
        for split in splits
        for number, row in enumerate(asked[split])
        if row.story in by_story
    ]
    questions = tuple(question for question in found if question is not None)
    world, world_provenance = world_of(settings)
    return Corpus(
        name="fairytaleqa",
        forget=tuple(part.document for part in parts if part.document.side is Side.FORGET),
        retain=tuple(part.document for part in parts if part.document.side is Side.RETAIN),
        questions=questions,
        world=world,
        provenance=(
            *(
                Provenance(
                    f"{kind} {split}",
                    path.name,
                    "",
                    file_sha256(path),
                    len((stories if kind == "stories" else asked)[split]),
                    LICENCE,
                )
                for (kind, split), path in paths.items()
            ),
            *world_provenance,
        ),
        notes=(
            f"{len(found) - len(questions)} of {len(found)} questions need sections of both sides and are left out",
        ),
    )


class _Part:
    """Some sections of a story as one document, and where each of them lies in its text."""

    def __init__(self, name: str, story: StoryRow, side: Side, numbers: Sequence[int]) -> None:
        self.story = story.story
        self.spans: dict[int, tuple[int, int]] = {}
        text = ""
        for number in numbers:
            section = _paragraphs(story.sections[number - 1])
            text += "\n\n" if text else ""
            self.spans[number] = (len(text), len(text) + len(section))
            text += section
        self.document = Document(id=name, side=side, title=story.story.replace("-", " "), text=text)


def _paragraphs(text: str) -> str:
    """The text with its printed line breaks undone; blank lines part paragraphs."""
    text = re.sub(r"\r\n?", "\n", text)  # one story of the published set breaks its lines as old Macs did
    return "\n\n".join(_LINE_BREAK.sub(" ", paragraph.strip()) for paragraph in re.split(r"\n\s*\n", text.strip()))


def _whole(story: StoryRow, side: Side) -> _Part:
    return _Part(story.story, story, side, range(1, len(story.sections) + 1))


def _halves(story: StoryRow) -> list[_Part]:
    count = len(story.sections)
    if count < 2:
        raise DataError("a story of one section has no continuation to keep", where=story.story)
    middle = (count + 1) // 2
    return [
        _Part(f"{story.story}.1", story, Side.FORGET, range(1, middle + 1)),
        _Part(f"{story.story}.2", story, Side.RETAIN, range(middle + 1, count + 1)),
    ]


def _question(name: str, row: StoryQuestionRow, parts: Iterable[_Part]) -> Question | None:
    parts = tuple(parts)
    try:
        sections = row.sections
    except ValueError:
        raise DataError("not a list of section numbers", where=name, found=row.cor_section) from None
    unknown = [number for number in sections if not any(number in part.spans for part in parts)]
    if unknown:
        raise DataError(f"a question about a section that {row.story} has not", where=name, found=unknown[0])
    part = next((part for part in parts if all(number in part.spans for number in sections)), None)
    if part is None:
        return None
    spans = [part.spans[number] for number in sections]
    return Question(
        id=name,
        set=QuestionSet.FORGET if part.document.side is Side.FORGET else QuestionSet.RETAIN,
        question=row.question,
        answers=tuple(dict.fromkeys(row.answers)),
        document=part.document.id,
        span=(min(low for low, _ in spans), max(high for _, high in spans)),
    )
