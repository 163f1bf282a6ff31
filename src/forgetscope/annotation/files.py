"""What annotators send back: the JSON that their page saves, or the filled-in spreadsheet, checked."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from forgetscope.annotation.sampling import study_name
from forgetscope.core.errors import DataError
from forgetscope.io.received import read_text
from forgetscope.io.records import parse_record, validate_record
from forgetscope.io.spreadsheets import csv_text, read_table_rows, unmarked

FORMAT: Literal["forgetscope-annotation"] = "forgetscope-annotation"
VERSION: Literal["1"] = "1"
COLUMNS = (
    "study",
    "seed",
    "annotator",
    "number",
    "key",
    "question",
    "guidance",
    "dialogue",
    "reply",
    "judgement",
    "comment",
)
"""Of the spreadsheet; the last two are filled in by the annotator."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GivenJudgement(_Part):
    """One reply's judgement; None where it was not judged yet."""

    key: str
    judgement: str | None
    comment: str = ""


class Annotation(_Part):
    """All that one annotator said: the content of the file that the page saves.

    Raises:
        ValueError: a reply occurs twice, or replies were added to or taken from the study.
    """

    format: Literal["forgetscope-annotation"] = FORMAT
    version: Literal["1"] = VERSION
    study: str
    seed: int = Field(ge=0)
    annotator: int = Field(ge=1)
    saved: str = ""
    judgements: tuple[GivenJudgement, ...]

    @model_validator(mode="after")
    def _is_the_whole_study(self) -> Self:
        keys = [entry.key for entry in self.judgements]
        if len(set(keys)) != len(keys):
            raise ValueError("a reply occurs twice")
        if study_name(self.seed, keys) != self.study:
            raise ValueError("replies were added to the study or taken from it")
        return self


def read_annotations(paths: Sequence[Path], answers: Sequence[str]) -> tuple[Annotation, ...]:
    """The annotations of a study, by annotator.

    Raises:
        DataError: a file is missing or not an annotation, two are by one annotator, or they are of several studies.
    """
    found: dict[int, tuple[Path, Annotation]] = {}
    for path in paths:
        annotation = read_annotation(path, answers)
        if annotation.annotator in found:
            raise DataError(
                f"two files are by annotator {annotation.annotator}",
                where=f"{found[annotation.annotator][0]}, {path}",
                next_step="give one file per annotator",
            )
        found[annotation.annotator] = (path, annotation)
    studies = {annotation.study: path for path, annotation in found.values()}
    if len(studies) > 1:
        raise DataError("these files are of different studies", where=", ".join(map(str, studies.values())))
    return tuple(annotation for _, (_, annotation) in sorted(found.items()))


def read_annotation(path: Path, answers: Sequence[str]) -> Annotation:
    """One annotator's file: `.json` as the page saves it, or `.csv`.

    Raises:
        DataError: it cannot be read, is neither, or says what is none of the answers.
    """
    match path.suffix.lower():
        case ".json":
            annotation = parse_record(read_text(path), Annotation, where=str(path))
            for entry in annotation.judgements:
                _check(entry.judgement, answers, f"{path}: {entry.key}")
            return annotation
        case ".csv":
            return _from_csv(path, answers)
    raise DataError("not an annotation", where=str(path), found=path.suffix, allowed=".json from the page, or .csv")


def _check(said: str | None, answers: Sequence[str], where: str) -> None:
    if said is not None and said not in answers:
        raise DataError("not a judgement", where=where, found=said, allowed=[*answers, "or nothing"])


def _from_csv(path: Path, answers: Sequence[str]) -> Annotation:
    where, placed = str(path), list(read_table_rows(path))
    if not placed:
        raise DataError("the spreadsheet is empty", where=where)
    rows = [row for _, row in placed]
    if not {"study", "seed", "annotator", "key", "judgement"} <= rows[0].keys():
        raise DataError("columns are missing", where=where, found=list(rows[0]), allowed=", ".join(COLUMNS))
    same = {name: {row[name] for row in rows} for name in ("study", "seed", "annotator")}
    for name, values in same.items():
        if len(values) > 1:
            raise DataError(f"the column {name!r} holds several values", where=where, found=sorted(map(str, values)))
    judged = [_judged(row, answers, at) for at, row in placed]
    return validate_record(
        {name: values.pop() for name, values in same.items()} | {"judgements": judged}, Annotation, where=where
    )


def _judged(row: dict[str, str], answers: Sequence[str], where: str) -> dict[str, object]:
    said = row["judgement"].strip().lower() or None
    _check(said, answers, where)
    return {"key": unmarked(row["key"]), "judgement": said, "comment": unmarked(row.get("comment", ""))}


def sheet_text(rows: Iterable[Sequence[str | int]]) -> str:
    """A spreadsheet's text, with a mark so that spreadsheet programs know it for UTF-8."""
    return "\ufeff" + csv_text(COLUMNS, rows)
