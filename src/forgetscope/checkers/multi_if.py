"""Multi-IF (He et al., 2024): dialogues of three turns, each of which adds constraints of IFEval's; local files.

A row of the published file (`multiIF_20241018.csv`, CC-BY-NC-2.0, not shipped) has for each turn a prompt, the ids of
all constraints so far and their `kwargs`, each as JSON in a field, and within `kwargs` each object as JSON once more.
"""

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from forgetscope.checkers.schema import PromptSpec
from forgetscope.core.errors import DataError, UserError
from forgetscope.io.received import parse_json, read_text
from forgetscope.io.records import read_objects

ENGLISH = ("English",)
"""What is read unless told otherwise: the checkers cut words and sentences as English has them."""
_TURNS = 3


@dataclass(frozen=True)
class Dialogue:
    """What a person says, turn by turn; a turn's constraints are those of all turns so far, which the reply must keep.

    Attributes:
        key: The published one, such as `1000:1:en`; that of a turn's prompt is `1000:1:en/2`.
        language: In English, `French`.
        turns: One to three.
    """

    key: str
    language: str
    turns: tuple[PromptSpec, ...]


@dataclass(frozen=True)
class Dialogues:
    """The dialogues of a file in the languages asked for, and how many there are of each language left out."""

    kept: tuple[Dialogue, ...]
    left_out: Mapping[str, int]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, in a sentence."""
        named = ", ".join(f"{language} ({count:,})" for language, count in sorted(self.left_out.items()))
        return (f"left out, in other languages: {named}",) if named else ()


def is_multi_if(path: Path) -> bool:
    """Whether a file is named as Multi-IF's: a CSV table, or with `multi` and `if` in its name."""
    return path.suffix == ".csv" or "multiif" in path.stem.lower().replace("-", "").replace("_", "")


def read_dialogues(path: Path, languages: Collection[str] = ENGLISH) -> Dialogues:
    """The dialogues of a Multi-IF file, CSV or JSON Lines.

    Raises:
        DataError: With file and line: a field that is missing or no JSON, an unknown constraint, `kwargs` that do not
            fit, a key used twice; or no dialogue in one of these languages.
    """
    kept: dict[str, Dialogue] = {}
    left_out: Counter[str] = Counter()
    for where, row in _rows(path):
        language = str(row.get("language") or "")
        if language not in languages:
            left_out[language or "no language"] += 1
            continue
        dialogue = _dialogue(row, language, where)
        if dialogue.key in kept:
            raise DataError("key used before", where=where, found=dialogue.key)
        kept[dialogue.key] = dialogue
    if not kept:
        raise DataError("no dialogue in these languages", where=str(path), found=sorted(left_out), allowed=languages)
    return Dialogues(tuple(kept.values()), left_out)


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    if path.suffix != ".csv":
        yield from read_objects(path)
        return
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(path), newline="")))
    except csv.Error as error:
        raise DataError(f"cannot be read as a CSV table: {error}", where=str(path)) from None
    yield from ((f"{path}, row {number}", row) for number, row in enumerate(rows, start=1))


def _dialogue(row: Mapping[str, object], language: str, where: str) -> Dialogue:
    key = str(row.get("key") or "")
    if not key:
        raise DataError("no key", where=where)
    numbers = [turn for turn in range(1, _TURNS + 1) if row.get(f"turn_{turn}_prompt") not in (None, "", "None")]
    turns = tuple(_turn(row, f"{key}/{turn}", turn, where) for turn in numbers)
    if not turns:
        raise DataError("no turn has a prompt", where=where, allowed="turn_1_prompt and the like")
    return Dialogue(key, language, turns)


def _turn(row: Mapping[str, object], key: str, turn: int, where: str) -> PromptSpec:
    said, named, found = (
        _parsed(row.get(f"turn_{turn}_{name}"), f"{where}, turn {turn} {name}")
        for name in ("prompt", "instruction_id_list", "kwargs")
    )
    entry = {
        "key": key,
        "prompt": said.get("content") if isinstance(said, dict) else said,
        "instruction_id_list": named,
        "kwargs": [_parsed(one, f"{where}, turn {turn} kwargs") for one in found] if isinstance(found, list) else found,
    }
    try:
        return PromptSpec.model_validate(entry)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise DataError(f"turn {turn}: {reason}", where=where) from None
    except UserError as error:
        raise DataError(f"turn {turn}: {error}", where=where) from None


def _parsed(value: object, where: str) -> object:
    """A field, which is JSON in a string, or what it says already."""
    return parse_json(value, where=where) if isinstance(value, str) else value
