"""From the ways in which published sets write a dialogue to ours: whole exchanges, user first."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from forgetscope.benchmarks.in_context.data.items import FillerDialogue, Turn
from forgetscope.core.errors import DataError
from forgetscope.io.hub import HubRow, HubSet
from forgetscope.io.received import parse_json

MASK = re.compile(r"\bNAME_\d+\b")
"""What LMSYS-Chat-1M puts in place of a person's name."""

_DIGITS = 10
"""Of a turn's number, more than any has."""

_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "gpt": "assistant", "bot": "assistant"}


SUFFIXES = (".json", ".jsonl", ".parquet")


def data_files(place: Path, *, called: str) -> list[Path]:
    """The file itself, or every data file directly in the folder, by name.

    Raises:
        DataError: nothing is there.
    """
    if place.is_file():
        return [place]
    found = (
        sorted(path for path in place.glob("*") if path.suffix in SUFFIXES and path.is_file()) if place.is_dir() else []
    )
    if not found:
        raise DataError(
            f"no file of {called} here", where=str(place), allowed=f"a file or folder with {', '.join(SUFFIXES)}"
        )
    return found


class LeftOut(Exception):  # noqa: N818 - not an error: a row of the source that gives no record
    """A row cannot be used; the message is the reason, counted."""


def turns_of(messages: object, where: str) -> tuple[Turn, ...]:
    """The turns of a dialogue: a closing user turn without an answer is dropped, ChatAlpaca's "Goodbye.".

    Reads lists of {role, content}, {from, value} and {user, bot}, and PrefEval's {"0": {user, assistant}, ...},
    also as JSON text.

    Raises:
        LeftOut: an empty turn, or turns that do not alternate.
        DataError: none of these forms.
    """
    turns = list(_turns(messages, where))
    if any(not text.strip() for _, text in turns):
        raise LeftOut("empty turn")
    if turns and turns[-1][0] == "user":
        turns.pop()
    if not turns or len(turns) % 2 or any(role != ("user", "assistant")[n % 2] for n, (role, _) in enumerate(turns)):
        raise LeftOut("turns do not alternate")
    return tuple(Turn.model_validate({"role": role, "content": text}) for role, text in turns)


def _turns(messages: object, where: str) -> Iterable[tuple[str, str]]:
    if isinstance(messages, str):
        messages = parse_json(messages, where=f"{where}, the dialogue")
    if isinstance(messages, dict):
        places = {key: value for key, value in messages.items() if key.isdecimal() and len(key) < _DIGITS}
        numbered = [(int(key), value) for key, value in places.items() if value is not None]
        messages = [value for _, value in sorted(numbered, key=lambda entry: entry[0])]
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        raise DataError("not a dialogue", where=where, found=messages)
    for message in messages:
        yield from _said(message, where)


def _said(message: object, where: str) -> list[tuple[str, str]]:
    if isinstance(message, dict):
        for role_key, text_key in (("role", "content"), ("from", "value")):
            role, text = message.get(role_key), message.get(text_key)
            if isinstance(role, str) and isinstance(text, str):
                if role not in _ROLES:
                    raise LeftOut("a turn of neither user nor assistant")
                return [(_ROLES[role], text)]
        for answer_key in ("bot", "assistant"):
            user, answer = message.get("user"), message.get(answer_key)
            if isinstance(user, str) and isinstance(answer, str):
                return [("user", user), ("assistant", answer)]
    raise DataError(
        "not a message", where=where, found=message, allowed="{role, content}, {from, value} or {user, bot}"
    )


def conversation_of(row: object, where: str) -> object:
    """The field of a row that holds the dialogue.

    Raises:
        DataError: there is none.
    """
    if isinstance(row, list):  # ChatAlpaca's first release
        return row
    if not isinstance(row, dict):
        raise DataError("not a JSON object", where=where, found=row)
    for name in ("conversation", "conversations", "messages", "history"):
        if row.get(name) is not None:
            return row[name]
    raise DataError(
        "the row holds no dialogue",
        where=where,
        found=sorted(row),
        allowed="a field conversation, conversations, messages or history",
    )


def placed_rows(hub: HubSet, rows: Iterable[HubRow]) -> list[tuple[str, HubRow]]:
    """Rows of a hub set with their places, for messages."""
    return [(f"{hub.path}, row {number}", row) for number, row in enumerate(rows, start=1)]


def read_dialogues(
    rows: Iterable[tuple[str, object]], prefix: str, left_out: Counter[str], *, id_field: str = "id"
) -> list[FillerDialogue]:
    """The dialogues of rows that have one; the others are counted by reason.

    Args:
        rows: With their places.
        prefix: Of the ids, before the row's own id or its number.
        left_out: Counts grow here.
        id_field: Where the rows have their id.

    Raises:
        DataError: a row has no dialogue, or one of unknown form.
    """
    found = []
    for number, (where, row) in enumerate(rows):
        try:
            turns = turns_of(conversation_of(row, where), where)
        except LeftOut as reason:
            left_out[str(reason)] += 1
            continue
        name = f"{prefix}-{row.get(id_field, number) if isinstance(row, dict) else number}".casefold()
        try:
            found.append(FillerDialogue(id=name, turns=turns))
        except ValidationError:
            raise DataError(
                "an id of letters, digits, '.', '_' and '-' was expected", where=where, found=name
            ) from None
    return found
