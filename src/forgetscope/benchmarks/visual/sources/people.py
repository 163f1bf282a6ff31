"""Benchmarks of people to be forgotten, as the hub lays them out: MLLMU-Bench and CLEAR.

Both are folders of Parquet files with the pictures inside, and who is forgotten is published: a folder of those to
forget and one of those to keep. Reading writes the pictures out, each once, decoded first and named by its content,
so that no name in a file becomes a path.

A person is known by name: a question names nobody where the picture does, and the texts list the names.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ConfigDict, Field

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Axis, Level
from forgetscope.benchmarks.visual.data.pictures import PictureError, decode_picture
from forgetscope.benchmarks.visual.data.records import Part, Side, SplitRequest, VisualRecord
from forgetscope.benchmarks.visual.sources.listing import PictureSource, QuestionListing, ReadOptions, SourceQuestion
from forgetscope.benchmarks.visual.splits.quality import choice_reasons
from forgetscope.core.json_values import json_value
from forgetscope.io.files import make_folder, write_bytes
from forgetscope.io.received import parquet_rows
from forgetscope.io.records import validate_record

PROFILE = Axis("profile", Level.PRIVACY)
"""What is known of a person in a picture: the questions come with the source, and their choices name nobody."""


LONGEST_BIOGRAPHY = 100_000
"""Letters; those of the benchmark have five hundred."""


class _Row(VisualRecord):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Inside(_Row):
    """A picture as the hub keeps it in a table."""

    data: bytes | None = Field(None, alias="bytes")


class _Asked(_Row):
    question: str | None = Field(None, alias="Question")
    options: dict[str, str | None] | None = Field(None, alias="Options")
    answer: str | None = Field(None, alias="Correct_Answer")


class _Classification(_Row):
    with_picture: tuple[_Asked, ...] | None = Field(None, alias="Image_Textual_Questions")


class _Profile(_Row):
    """A row of MLLMU-Bench: `image` in the folders of the sides, `images` in `Test_Set`, which has no biography."""

    person: str = Field(alias="ID")
    biography: str | None = Field(None, max_length=LONGEST_BIOGRAPHY)
    image: _Inside | None = None
    images: tuple[_Inside | None, ...] | None = None
    questions: _Classification | None = Field(None, alias="Classification_Task")


class _Portrait(_Row):
    """A row of CLEAR."""

    image: _Inside | None = None
    name: str
    perturbed_names: tuple[str, ...]


@dataclass
class _Pictures:
    """Pictures out of a table, each written once below the folder (nowhere without one).

    Attributes:
        skipped: What could not be used, by reason.
        kept: By the beginning of its hash, the file's name.
    """

    folder: Path | None
    skipped: Counter[str]
    kept: dict[str, str] = field(default_factory=dict)

    def keep(self, found: Iterable[_Inside | None]) -> list[str]:
        """The names of those that can be opened."""
        names = []
        for picture in found:
            data = (picture and picture.data) or b""
            digest = hashlib.sha256(data).hexdigest()[:20]
            if digest not in self.kept:
                try:
                    opened = decode_picture(data, digest)
                except PictureError as error:
                    self.skipped[f"picture: {error.reason}"] += 1
                    continue
                self.kept[digest] = f"{digest}.{opened.format.lower()}"
                if self.folder is not None:
                    write_bytes(make_folder(self.folder) / self.kept[digest], data)
            names.append(self.kept[digest])
        return names


def _tables(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.parquet") if path.is_file())


def _sides(
    source: PictureSource, root: Path, folders: Mapping[str, tuple[str, str]], options: ReadOptions
) -> dict[Side, Path]:
    """The folders of a split's two sides; of the first split that is here where none is named.

    Raises:
        DataError: they are not here.
    """
    for forget, retain in [folders[options.split]] if options.split else folders.values():
        if _tables(root / forget) and _tables(root / retain):
            return {"forget": root / forget, "retain": root / retain}
    raise source.missing(root / folders[options.split][0] if options.split else root)


@dataclass(frozen=True)
class _Person:
    name: str
    side: Side


_MLLMU_FOLDERS = {f"mllmu-forget-{share}": (f"forget_{share}", f"retain_{100 - share}") for share in (5, 10, 15)}
TEST_SET, REAL_PEOPLE = "Test_Set", "Retain_Set"


def _read_mllmu(source: PictureSource, root: Path, axis: Axis, options: ReadOptions) -> QuestionListing:
    """The questions about a picture. Those of `Test_Set`, other pictures of the same people, measure where it is here,
    and the sides' own pictures train then; without it these measure.

    The n-th question of a row is asked about the n-th of its pictures, and about the first again after the last.
    """
    skipped: Counter[str] = Counter()
    pictures = _Pictures(options.pictures, skipped)
    own: Part = "train" if _tables(root / TEST_SET) else "test"
    people: dict[str, _Person] = {}
    questions: list[SourceQuestion] = []
    sides = _sides(source, root, _MLLMU_FOLDERS, options)
    real = source.name in options.acknowledged
    if not real and _tables(root / REAL_PEOPLE):
        skipped[f"the real people of {REAL_PEOPLE}/ (read with --acknowledge {source.name})"] = 1
    for side, folder in (*sides.items(), *([("retain", root / REAL_PEOPLE)] if real else [])):
        for row in _profiles(folder, ("ID", "image", "biography", "Classification_Task")):
            name = _name(row.biography)
            if not name or choice_reasons(name) or row.person in people:
                skipped["person is in both folders" if row.person in people else "person without a usable name"] += 1
                continue
            people[row.person] = _Person(name, "forget" if side == "forget" else "retain")
            part = "test" if folder.name == REAL_PEOPLE else own
            questions += _asked_of(row, people[row.person], part, pictures, skipped)
    trained_on = {question.image for question in questions if question.part == "train"}
    for row in _profiles(root / TEST_SET, ("ID", "images", "Classification_Task")):
        if row.person not in people:
            skipped[f"{TEST_SET}: person of neither side"] += 1
            continue
        questions += _asked_of(row, people[row.person], "test", pictures, skipped, without=trained_on)
    named = Counter(person.name for person in people.values())
    alone = [question for question in questions if named[question.concept] == 1]
    skipped["two people of one name"] += len(questions) - len(alone)
    return QuestionListing(source.name, axis, tuple(alone), {why: count for why, count in skipped.items() if count})


def _profiles(folder: Path, columns: tuple[str, ...]) -> Iterator[_Profile]:
    for table in _tables(folder):
        for where, row in parquet_rows(table, columns):
            yield validate_record(row, _Profile, where=where)


def _name(biography: str | None) -> str:
    """The name in a biography, which is a JSON object; empty where there is none."""
    try:
        told = json_value(biography or "")
    except ValueError:
        return ""
    found = told.get("Name") if isinstance(told, dict) else None
    return " ".join(found.split()) if isinstance(found, str) else ""


def _asked_of(
    row: _Profile,
    person: _Person,
    part: Part,
    pictures: _Pictures,
    skipped: Counter[str],
    *,
    without: Iterable[str] = (),
) -> Iterator[SourceQuestion]:
    shown = pictures.keep(row.images or (row.image,))
    usable = [name for name in shown if name not in without]
    skipped[f"{TEST_SET}: picture of a side's own folder"] += len(shown) - len(usable)
    for number, asked in enumerate((row.questions and row.questions.with_picture) or ()):
        options = {letter: option for letter, option in sorted((asked.options or {}).items()) if option}
        if not asked.question or not usable or (asked.answer or "").strip() not in options:
            skipped["question without picture, text or right option"] += 1
            continue
        yield SourceQuestion(
            image=usable[number % len(usable)],
            question=asked.question,
            options=tuple(options.values()),
            answer=options[(asked.answer or "").strip()],
            class_name=person.name,
            concept=person.name,
            side=person.side,
            part=part,
        )


_CLEAR_FOLDERS = {f"clear-forget-{share}": (f"forget{share:02}_perturbed", "retain_perturbed") for share in (1, 5, 10)}


def _read_clear(source: PictureSource, root: Path, axis: Axis, options: ReadOptions) -> QuestionListing:
    """Who is shown, among the other names that are published with each picture; every second one of a person trains."""
    skipped: Counter[str] = Counter()
    pictures = _Pictures(options.pictures, skipped)
    shown: defaultdict[str, set[str]] = defaultdict(set)
    side_of: dict[str, Side] = {}
    questions = []
    for side, folder in _sides(source, root, _CLEAR_FOLDERS, options).items():
        for where, found in (row for table in _tables(folder) for row in parquet_rows(table, _CLEAR_COLUMNS)):
            row = validate_record(found, _Portrait, where=where)
            name = " ".join(row.name.split())
            if choice_reasons(name) or side_of.setdefault(name, side) != side:
                skipped["person in both folders" if name in side_of else "person without a usable name"] += 1
                continue
            for image in pictures.keep([row.image]):
                if any(image in seen for seen in shown.values()):
                    skipped["the same picture again"] += 1
                    continue
                shown[name].add(image)
                questions.append(
                    SourceQuestion(
                        image=image,
                        question=axis.ask(name),
                        options=tuple(dict.fromkeys((name, *row.perturbed_names))),
                        answer=name,
                        class_name=name,
                        side=side,
                        part="test" if len(shown[name]) % 2 else "train",
                    )
                )
    return QuestionListing(source.name, axis, tuple(questions), dict(skipped))


_CLEAR_COLUMNS = ("image", "name", "perturbed_names")


def _published(source: str, axis: Axis, names: Iterable[str]) -> tuple[SplitRequest, ...]:
    return tuple(SplitRequest(name, source, axis.name, "published") for name in names)


MLLMU = PictureSource(
    name="mllmu",
    title="MLLMU-Bench",
    axes=(PROFILE,),
    licence="none stated; fictitious people, and photographs of real ones in Retain_Set",
    where="https://huggingface.co/datasets/MLLMMU/MLLMU-Bench",
    layout="forget_5/ and retain_95/ (or 10 and 90, 15 and 85), Test_Set/ and Retain_Set/ with *.parquet",
    read=_read_mllmu,
    splits=_published("mllmu", PROFILE, _MLLMU_FOLDERS),
    note="of a person is asked what the choices say, not who it is: the oracle texts name the person, not the answer",
)
CLEAR = PictureSource(
    name="clear",
    title="CLEAR",
    axes=(axes.PERSON,),
    licence="none stated; fictitious people, generated pictures",
    where="https://huggingface.co/datasets/therem/CLEAR",
    layout="forget01_perturbed/, forget05_perturbed/ or forget10_perturbed/, and retain_perturbed/ with *.parquet",
    read=_read_clear,
    splits=_published("clear", axes.PERSON, _CLEAR_FOLDERS),
)
