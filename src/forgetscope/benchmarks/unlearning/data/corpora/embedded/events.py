"""What an embedded event type is made of, and reading all of them from the files in `events/`.

A file holds the event types of one kind of organisation and is named after it (`utility.toml`). An event type is a
table of sentences around named slots. `{org}`, `{place}`, `{mayor}`, `{spokesperson}`, `{weekday}` and `{later}` are
always there, `{said_mayor}` and `{said_spokesperson}` stand for an attribution; the rest it declares:

    number = [low, high]    a whole number, ends included      person = true         an invented person
    date = true             a day and month: "14 May"          place = true          a town that has no article
    clock = true            a time: "7.40 in the evening"      organisation = "bank" another organisation of that kind
    pair = [[...], [...]]   one of each, joined by `join`, after `before`

Each of its four facts has one slot as its answer. To add an event type: write a table, or a file, like those there.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from forgetscope.io.records import validate_record

GIVEN_SLOTS = frozenset(
    {"org", "place", "mayor", "spokesperson", "weekday", "later", "said_mayor", "said_spokesperson"},
)
PRONOUNS = frozenset({"It", "Its", "They", "Their", "That", "She", "He", "Them"})
"""A sentence that begins with one of these is only told right after the lead."""

Tone = Literal["glad", "grave", "plain"]
Sentences = Annotated[tuple[str, ...], Field(min_length=1)]


class _Template(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Slot(_Template):
    """What one name in an event type's sentences stands for; see the module."""

    number: tuple[int, int] | None = None
    person: bool = False
    date: bool = False
    clock: bool = False
    place: bool = False
    organisation: str | None = None
    pair: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    join: str = " "
    before: str = ""

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> Self:
        kinds = [self.number, self.person, self.date, self.clock, self.place, self.organisation, self.pair]
        if sum(bool(kind) for kind in kinds) != 1:
            raise ValueError("a slot is of exactly one kind")
        return self


class Statement(_Template):
    """A triplet with slots."""

    head: str
    relation: str
    tail: str


class FactTemplate(Statement):
    """A fact that is asked for: its triplet, the ways to tell it, its question and the question in other words.

    Attributes:
        slot: The slot whose value is the answer.
        label: How it is told in a list of key facts.
    """

    slot: str
    label: str
    sentences: Sentences
    question: str
    paraphrase: str

    @model_validator(mode="after")
    def _tells_and_asks(self) -> Self:
        answer = f"{{{self.slot}}}"
        for text in (self.label, *self.sentences):
            if text.count(answer) != 1:
                raise ValueError(f"told with its answer once: {text!r}")
        for text in (self.question, self.paraphrase):
            if answer in text or "{place}" not in text:
                raise ValueError(f"asked with the place and without the answer: {text!r}")
        if all(starts_with_pronoun(sentence) for sentence in self.sentences):
            raise ValueError(f"at least one sentence for {self.slot} stands anywhere: not one begins without a pronoun")
        return self


class EventType(_Template):
    """One kind of news: titles, leads, scenes, background, quotes, and four facts."""

    name: str
    organisation: str
    tone: Tone
    titles: Sentences
    leads: Sentences
    scenes: Sentences
    backgrounds: Sentences
    quotes: Sentences
    core: Statement
    slots: Mapping[str, Slot]
    facts: Annotated[tuple[FactTemplate, ...], Field(min_length=4, max_length=4)]

    @model_validator(mode="after")
    def _names_known_slots(self) -> Self:
        known = GIVEN_SLOTS | set(self.slots)
        unknown = {name for text in self._texts() for name in slot_names(text)} - known
        if unknown:
            raise ValueError(f"slots nobody declared: {', '.join(sorted(unknown))}")
        if {fact.slot for fact in self.facts} != set(self.slots):
            raise ValueError("the four slots are the answers of the four facts")
        for text in (*self.titles, *self.leads, *self.scenes, *self.backgrounds, *self.quotes):
            if slot_names(text) & set(self.slots):
                raise ValueError(f"an answer is told by its fact alone: {text!r}")
        return self

    def _texts(self) -> tuple[str, ...]:
        asked = [
            text
            for fact in self.facts
            for text in (fact.head, fact.relation, fact.tail, fact.label, *fact.sentences, fact.question)
        ]
        paraphrased = [fact.paraphrase for fact in self.facts]
        core = (self.core.head, self.core.relation, self.core.tail)
        told = (*self.titles, *self.leads, *self.scenes, *self.backgrounds, *self.quotes)
        return (*told, *core, *asked, *paraphrased)


def slot_names(template: str) -> set[str]:
    """The names in braces of a sentence.

    >>> sorted(slot_names("{org} opened {place}."))
    ['org', 'place']
    """
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def starts_with_pronoun(sentence: str) -> bool:
    """The sentence leans on the one before it."""
    return sentence.split(" ", 1)[0] in PRONOUNS


class _EventFile(_Template):
    events: tuple[dict[str, object], ...]


@cache
def event_types() -> tuple[EventType, ...]:
    """All event types, by file and in the order of each file.

    Raises:
        DataError: a file does not fit; names file and event type.
    """
    folder = files(__package__) / "events"
    found: list[EventType] = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        kind, dot, ending = path.name.partition(".")
        if dot and ending == "toml":
            rows = _EventFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).events
            found += [
                validate_record({"organisation": kind, **row}, EventType, where=f"{path.name}: {row.get('name')}")
                for row in rows
            ]
    return tuple(found)


class WorldFact(_Template):
    """A question of general knowledge, and the same in other words."""

    question: str
    paraphrase: str
    answers: Annotated[tuple[str, ...], Field(min_length=1)]


class Names(_Template):
    """The invented names."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    place_stems: tuple[str, ...]
    place_ends: tuple[str, ...]
    organisation_stems: tuple[str, ...]
    organisation_kinds: Mapping[str, tuple[str, ...]]


class _WorldFacts(_Template):
    facts: tuple[WorldFact, ...]


def _toml(name: str) -> dict[str, object]:
    return tomllib.loads((files(__package__) / name).read_text(encoding="utf-8"))


@cache
def world_facts() -> tuple[WorldFact, ...]:
    """The world facts, in the order of their file."""
    return validate_record(_toml("world_facts.toml"), _WorldFacts, where="world_facts.toml").facts


@cache
def names() -> Names:
    """The invented names."""
    return validate_record(_toml("names.toml"), Names, where="names.toml")


@cache
def closings() -> Mapping[str, tuple[str, ...]]:
    """Closing sentences by tone."""
    return {tone: tuple(map(str, rows)) for tone, rows in _toml("closings.toml").items() if isinstance(rows, list)}
