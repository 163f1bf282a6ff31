"""PrefEval (Zhao et al., 2025): preferences with a question and options, the source of dynamic preference.

One JSON list a topic in each of four folders; the same index is the same preference (the wording differs in 30 of
1,000 rows between the folders, the question never does). `mcq_options` has the options that answer the question,
`choice-based` a conversation about another question with options of its own, `persona-driven` the preference in the
course of a dialogue; the last is used where it is there. The option that follows the preference always comes first
in the source; here it is named, and rotated when it is shown.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.in_context.data.items import Text, Turn
from forgetscope.benchmarks.in_context.data.sources.dialogues import LeftOut, turns_of
from forgetscope.benchmarks.in_context.data.sources.records import ChoiceConversation, SourcePreference, SourceRows
from forgetscope.core.errors import DataError
from forgetscope.io.hub import PinnedFiles
from forgetscope.io.records import Provenance, RecordT, file_provenance, read_rows, rows_sha256, validate_record

LICENCE = "CC BY-NC 4.0"
TERMS = "PrefEval is CC BY-NC 4.0: what is built from it names it and is not used commercially"

EXPLICIT = "explicit_preference"
OPTIONS = "mcq_options"
CHOICE = "implicit_preference/choice-based"
PERSONA = "implicit_preference/persona-driven"

TOPICS = (
    *("education_learning_styles", "education_resources", "entertain_games", "entertain_music_book"),
    *("entertain_shows", "entertain_sports", "lifestyle_beauty", "lifestyle_dietary", "lifestyle_fit"),
    *("lifestyle_health", "pet_ownership", "professional_work_location_style", "shop_fashion", "shop_home"),
    *("shop_motors", "shop_technology", "travel_activities", "travel_hotel", "travel_restaurant"),
    "travel_transportation",
)

FILES = PinnedFiles(
    "amazon-science/PrefEval",
    "50795054b5ff5f418d2b768a331d71e480f93331",
    "benchmark_dataset",
    {f"{folder}/{topic}.json": "" for folder in (EXPLICIT, OPTIONS, CHOICE, PERSONA) for topic in TOPICS},
)

PINNED_DIGESTS = {
    EXPLICIT: "1a424013880ec934ba8541f4e12c7bd8deab8bf530c38f88019d5e31d829b0ae",
    OPTIONS: "3b518fdc862717b5e1ef8e5384266a51e232eddbac123b1ec3cd05003675fe8b",
    CHOICE: "d6eed1e7fc18d607150d3aedd543d509a9ae8a5506180eae744dc7c495da689e",
}
"""One hash a folder, over the topics' names and their files' hashes in order. None for `persona-driven`: there was no
copy to take it from, so the commit alone vouches for it."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Explicit(_Row):
    preference: Text
    question: Text


class _Options(_Explicit):
    options: Annotated[tuple[Text, ...], Field(alias="classification_task_options", min_length=4, max_length=4)]


class _Conversation(_Row):
    query: Text
    assistant_options: Text
    user_selection: Text
    assistant_acknowledgment: Text


class _Choice(_Explicit):
    options: Annotated[tuple[Text, ...], Field(min_length=4, max_length=4)]
    aligned_op: Text
    conversation: _Conversation


class _Persona(_Explicit):
    conversation: object


def read_local(place: Path) -> SourceRows:
    """A folder laid out as PrefEval's `benchmark_dataset`; `persona-driven` may be missing.

    Raises:
        DataError: a folder is missing, or its rows are not those of the others.
    """
    topics = sorted(path.stem for path in (place / EXPLICIT).glob("*.json") if path.stem in TOPICS)
    if not topics:
        raise DataError(
            "no preferences of PrefEval here",
            where=str(place),
            allowed=f"a folder with {EXPLICIT}, {OPTIONS} and {CHOICE}, each with a file a topic",
        )
    names = [f"{folder}/{topic}.json" for folder in (EXPLICIT, OPTIONS, CHOICE, PERSONA) for topic in topics]
    paths = {name: place / name for name in names if PERSONA not in name or (place / name).is_file()}
    return _read(paths, topics, lambda folder, digest: FILES.commit if digest == PINNED_DIGESTS.get(folder) else "")


def read_official(revision: str | None) -> SourceRows:
    """All topics at the pinned commit, or another.

    Raises:
        UserError: they cannot be had.
        DataError: they are not what was pinned.
    """
    at = revision or FILES.commit

    def commit_of(folder: str, digest: str) -> str:
        wanted = PINNED_DIGESTS.get(folder, digest)
        if at == FILES.commit and digest != wanted:
            raise DataError(
                "the files are not those that were pinned",
                where=f"{FILES.repository}@{at[:8]} {folder}",
                found=digest,
                allowed=wanted,
            )
        return at

    return _read(FILES.fetch(revision), TOPICS, commit_of)


def _read(
    paths: Mapping[str, Path], topics: tuple[str, ...] | list[str], commit_of: Callable[[str, str], str]
) -> SourceRows:
    preferences = [preference for topic in topics for preference in _topic(paths, topic)]
    entries = [
        _folder_provenance(folder, paths, topics, len(preferences), commit_of)
        for folder in (EXPLICIT, OPTIONS, CHOICE, PERSONA)
        if all(f"{folder}/{topic}.json" in paths for topic in topics)
    ]
    return SourceRows("prefeval", tuple(entries), preferences=tuple(preferences), terms=TERMS)


def _folder_provenance(
    folder: str,
    paths: Mapping[str, Path],
    topics: tuple[str, ...] | list[str],
    rows: int,
    commit_of: Callable[[str, str], str],
) -> Provenance:
    files = [file_provenance("", paths[f"{folder}/{topic}.json"], 0, "") for topic in topics]
    digest = rows_sha256([topic, entry.sha256] for topic, entry in zip(topics, files, strict=True))
    return Provenance("prefeval", f"{FILES.repository} {folder}", commit_of(folder, digest), digest, rows, LICENCE)


def _topic(paths: Mapping[str, Path], topic: str) -> list[SourcePreference]:
    explicit = _records(paths, EXPLICIT, topic, _Explicit)
    options = _records(paths, OPTIONS, topic, _Options)
    choices = _records(paths, CHOICE, topic, _Choice)
    personas: list[_Persona] | list[None] = [None] * len(explicit)
    if f"{PERSONA}/{topic}.json" in paths:
        personas = _records(paths, PERSONA, topic, _Persona)
    preferences = []
    for index, stated in enumerate(explicit):
        where = f"{topic}, index {index}"
        if not index < min(len(options), len(choices), len(personas)):
            raise DataError("the folders do not have the same rows", where=where)
        same = [row.question for row in (options[index], choices[index], personas[index]) if row is not None]
        if any(question != stated.question for question in same):
            raise DataError("the folders have different questions at this index", where=where, found=same)
        preferences.append(
            SourcePreference(
                id=f"prefeval-{topic}-{index}",
                topic=topic,
                preference=stated.preference,
                question=stated.question,
                options=options[index].options,
                option=options[index].options[0],
                choice=_conversation(choices[index], where),
                dialogue=_dialogue(personas[index], where),
            )
        )
    return preferences


def _records(paths: Mapping[str, Path], folder: str, topic: str, record: type[RecordT]) -> list[RecordT]:
    path = paths[f"{folder}/{topic}.json"]
    return [validate_record(row, record, where=where) for where, row in read_rows(path)]


def _conversation(row: _Choice, where: str) -> ChoiceConversation:
    if row.aligned_op not in row.options:
        raise DataError("aligned_op is not among the options", where=where, found=row.aligned_op)
    said = row.conversation
    return ChoiceConversation(
        preference=row.preference,
        query=said.query,
        options=row.options,
        option=row.aligned_op,
        assistant_options=said.assistant_options,
        user_selection=said.user_selection,
        acknowledgement=said.assistant_acknowledgment,
    )


def _dialogue(row: _Persona | None, where: str) -> tuple[Turn, ...] | None:
    """The persona-driven dialogue, or None where it has an empty turn or turns that do not alternate."""
    if row is None:
        return None
    try:
        return turns_of(row.conversation, where)
    except LeftOut:
        return None
