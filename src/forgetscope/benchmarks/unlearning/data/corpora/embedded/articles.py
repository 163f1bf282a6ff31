"""One article: values for its slots, sentences in one of several shapes, four questions, and the triplets it tells.

An answer occurs exactly once in its article and in none of its questions, and no two articles of an event type give the
same answer to the same question: values are drawn again until that holds.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from forgetscope.benchmarks.unlearning.data.corpora.embedded.events import (
    EventType,
    FactTemplate,
    Slot,
    closings,
    starts_with_pronoun,
)
from forgetscope.benchmarks.unlearning.data.corpora.embedded.world import EventSetting, Supply, pick
from forgetscope.benchmarks.unlearning.data.records import Triplet

SHAPES: Mapping[str, tuple[str, ...]] = {
    "pyramid": ("lead", "fact", "fact", "quote", "fact", "fact", "background"),
    "scene": ("scene", "lead", "fact", "fact", "quote", "fact", "fact", "closing"),
    "quote first": ("quote", "lead", "fact", "fact", "background", "fact", "fact"),
    "background first": ("background", "lead", "fact", "fact", "fact", "fact", "quote", "closing"),
    "brief": ("lead", "fact", "fact", "fact", "fact", "closing"),
    "dateline": ("dateline", "lead", "fact", "quote", "fact", "fact", "fact", "background"),
    "key facts": ("lead", "background", "quote", "key facts", "closing"),
    "two halves": ("scene", "lead", "fact", "fact", "fact", "background", "fact", "quote"),
}
"""The order of parts of an article."""

SPOKESPERSON_SAID = (
    "said {spokesperson}, who speaks for {org}",
    "{spokesperson}, the voice of {org}, told reporters",
    "was how {spokesperson}, spokesperson for {org}, put it",
)
MAYOR_SAID = (
    "said {mayor}, the mayor of {place}",
    "{mayor}, mayor of {place}, told the local paper",
    "was all that {mayor}, the mayor of {place}, would say",
)
DATELINES = ("{place}, {weekday} -", "{place}, late on {weekday} -", "Our correspondent in {place}, {weekday} -")
KEY_FACTS = ("The main points: ", "In short: ", "At a glance: ")

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ATTEMPTS = 400


@dataclass(frozen=True)
class AskedFact:
    """A question of an article, the same reworded, and the one right answer."""

    slot: str
    question: str
    paraphrase: str
    answer: str


@dataclass(frozen=True)
class FinishedArticle:
    """A finished article; `triplets` are the facts its text tells."""

    setting: EventSetting
    shape: str
    title: str
    text: str
    asked: tuple[AskedFact, ...]
    triplets: tuple[Triplet, ...]


class GivenAnswers:
    """The answers given so far: no question about one event type has the same answer twice, and no two facts end in the
    same entity by chance, a price or a date, so that articles share entities by design alone."""

    def __init__(self) -> None:
        self._given: set[tuple[str, str]] = set()

    def are_new(self, event: EventType, values: Mapping[str, str]) -> bool:
        """No other article gives one of these answers."""
        return self._given.isdisjoint(_answer_keys(event, values))

    def note(self, event: EventType, values: Mapping[str, str]) -> None:
        """Keep the answers of a finished article."""
        self._given |= _answer_keys(event, values)


def _answer_keys(event: EventType, values: Mapping[str, str]) -> set[tuple[str, str]]:
    asked = {(f"{event.name} {slot}", values[slot]) for slot in event.slots}
    return asked | {("", fact.tail.format_map(values)) for fact in event.facts if f"{{{fact.slot}}}" in fact.tail}


def write_article(
    rng: np.random.Generator, setting: EventSetting, shape: str, supply: Supply, answers: GivenAnswers
) -> FinishedArticle:
    """The article of a setting in a shape.

    Raises:
        RuntimeError: no values were found with which each answer occurs once; the event type has too few.
    """
    named = {slot: _name(kind, supply) for slot, kind in setting.event.slots.items()}
    for _ in range(_ATTEMPTS):
        values = _given_values(rng, setting)
        for slot, kind in setting.event.slots.items():
            values[slot] = named[slot] or _value(rng, kind)
        if not answers.are_new(setting.event, values):
            continue
        article = _tell(rng, setting, shape, values)
        if _answers_occur_once(article):
            answers.note(setting.event, values)
            return article
    raise RuntimeError(f"no values left for an article about {setting.event.name}")


def _name(slot: Slot, supply: Supply) -> str | None:
    if slot.person:
        return supply.person()
    if slot.place:
        return supply.place_name()
    return supply.organisation_name(slot.organisation) if slot.organisation is not None else None


def _value(rng: np.random.Generator, slot: Slot) -> str:
    if slot.number is not None:
        low, high = slot.number
        return str(int(rng.integers(low, high + 1)))
    if slot.date:
        return f"{int(rng.integers(1, 29))} {pick(rng, _MONTHS)}"
    if slot.clock:
        return f"{int(rng.integers(1, 12))}.{int(rng.integers(12)) * 5:02d} {pick(rng, ('am', 'pm'))}"
    if slot.pair is not None:
        return slot.before + slot.join.join(pick(rng, words) for words in slot.pair)
    raise TypeError("a slot that is no name has a number, date, clock or pair")


def _given_values(rng: np.random.Generator, setting: EventSetting) -> dict[str, str]:
    weekday, later = rng.permutation(len(_WEEKDAYS))[:2]
    values = {
        "org": setting.organisation.name,
        "place": setting.place.name,
        "mayor": setting.place.mayor,
        "spokesperson": setting.organisation.spokesperson,
        "weekday": _WEEKDAYS[int(weekday)],
        "later": _WEEKDAYS[int(later)],
    }
    values["said_spokesperson"] = pick(rng, SPOKESPERSON_SAID).format_map(values)
    values["said_mayor"] = pick(rng, MAYOR_SAID).format_map(values)
    return values


def _tell(rng: np.random.Generator, setting: EventSetting, shape: str, values: Mapping[str, str]) -> FinishedArticle:
    event = setting.event
    facts = [event.facts[int(index)] for index in rng.permutation(len(event.facts))]
    waiting = list(facts)
    sentences: list[str] = []
    parts = ("", *SHAPES[shape])
    for before, part in pairwise(parts):
        day_told = values["weekday"] in " ".join(sentences)
        sentences.append(
            _part(rng, part, event, waiting, after_lead=before == "lead", day_told=day_told).format_map(values)
        )
    text = " ".join(sentences)
    return FinishedArticle(
        setting=setting,
        shape=shape,
        title=pick(rng, event.titles).format_map(values),
        text=text,
        asked=tuple(
            AskedFact(
                fact.slot, fact.question.format_map(values), fact.paraphrase.format_map(values), values[fact.slot]
            )
            for fact in event.facts
        ),
        triplets=_triplets(event, values, text),
    )


def _part(
    rng: np.random.Generator,
    part: str,
    event: EventType,
    waiting: list[FactTemplate],
    *,
    after_lead: bool,
    day_told: bool,
) -> str:
    match part:
        case "lead":
            choices: Sequence[str] = event.leads
        case "scene":
            choices = event.scenes
        case "background":
            choices = event.backgrounds
        case "quote":
            choices = event.quotes
        case "closing":
            choices = closings()[event.tone]
        case "dateline":
            choices = DATELINES
        case "fact":
            choices = [text for text in waiting.pop(0).sentences if after_lead or not starts_with_pronoun(text)]
        case "key facts":
            points = "; ".join(fact.label for fact in waiting)
            waiting.clear()
            choices = [opening + points + "." for opening in KEY_FACTS]
        case _:
            raise ValueError(f"an article has no part {part!r}")
    fresh = [text for text in choices if "{weekday}" not in text]
    return pick(rng, fresh if day_told and fresh else choices)


def _triplets(event: EventType, values: Mapping[str, str], text: str) -> tuple[Triplet, ...]:
    told = [
        Triplet(**{part: getattr(statement, part).format_map(values) for part in ("head", "relation", "tail")})
        for statement in (event.core, *event.facts)
    ]
    if values["spokesperson"] in text:
        told.append(Triplet(head=values["spokesperson"], relation="speaks for", tail=values["org"]))
    if values["mayor"] in text:
        told.append(Triplet(head=values["mayor"], relation="is mayor of", tail=values["place"]))
    return tuple(told)


def _answers_occur_once(article: FinishedArticle) -> bool:
    questions = " ".join(text for asked in article.asked for text in (asked.question, asked.paraphrase))
    return all(
        _occurrences(asked.answer, article.text) == 1 and not _occurrences(asked.answer, questions)
        for asked in article.asked
    )


def _occurrences(answer: str, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(answer)}(?!\w)", text, re.IGNORECASE))


def shapes_in_turn(rng: np.random.Generator, count: int) -> Sequence[str]:
    """`count` shapes, each as often as the others but for one."""
    names = list(SHAPES)
    order: list[str] = []
    while len(order) < count:
        order.extend(names[int(index)] for index in rng.permutation(len(names)))
    return order[:count]
