"""Who and what the embedded articles are about: towns and their mayors, organisations and their spokespersons.

The towns and organisations of forget and of the unentangled part of retain are two disjoint pools. An entangled retain
article takes its town, its organisation or both from one forget article, and with them the mayor and spokesperson:
that is all the entanglement there is, so that its dial is known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from forgetscope.benchmarks.unlearning.data.corpora.embedded.events import EventType, Names, event_types

ChoiceT = TypeVar("ChoiceT")

Shared = Literal["place", "organisation", "both"]
"""What an entangled retain article has from a forget article."""


@dataclass(frozen=True)
class Place:
    """A town and its mayor."""

    name: str
    mayor: str


@dataclass(frozen=True)
class Organisation:
    """An organisation, its kind, and who speaks for it."""

    name: str
    kind: str
    spokesperson: str


@dataclass(frozen=True)
class EventSetting:
    """What an article is about: one event type at one place, with one organisation."""

    event: EventType
    place: Place
    organisation: Organisation


class Supply:
    """Invented names, each given out once."""

    def __init__(self, rng: np.random.Generator, given: Names) -> None:
        self._people = _shuffled(rng, [f"{first} {last}" for first in given.first for last in given.last])
        self._places = _shuffled(rng, [stem + end for stem in given.place_stems for end in given.place_ends])
        stems = list(_shuffled(rng, given.organisation_stems))
        # Each kind begins at another stem, so that in small corpora no two organisations share one.
        self._organisations = {
            kind: iter(
                [
                    f"{stem} {words[(place + turn) % len(words)]}"
                    for turn in range(len(words))
                    for place, stem in enumerate(stems[first * 8 :] + stems[: first * 8])
                ]
            )
            for first, (kind, words) in enumerate(given.organisation_kinds.items())
        }

    def person(self) -> str:
        """A first and last name."""
        return next(self._people)

    def place_name(self) -> str:
        """A town."""
        return next(self._places)

    def place(self) -> Place:
        """A town with its mayor."""
        return Place(self.place_name(), self.person())

    def organisation_name(self, kind: str) -> str:
        """An organisation of a kind."""
        return next(self._organisations[kind])

    def organisation(self, kind: str) -> Organisation:
        """An organisation with its spokesperson."""
        return Organisation(self.organisation_name(kind), kind, self.person())


def _shuffled(rng: np.random.Generator, values: Sequence[str]) -> Iterator[str]:
    return iter([values[int(index)] for index in rng.permutation(len(values))])


class NamePool:
    """The towns and organisations of one side; each event type happens once at a town, and once to an organisation."""

    def __init__(self, articles: int, supply: Supply) -> None:
        kinds = sorted({event.organisation for event in event_types()})
        self.places = [supply.place() for _ in range(max(3, -(-articles // 2)))]
        per_kind = max(1, -(-articles // (2 * len(kinds))))
        self.organisations = {kind: [supply.organisation(kind) for _ in range(per_kind)] for kind in kinds}


class Taken:
    """Which event type has happened where, and to whom."""

    def __init__(self) -> None:
        self._pairs: set[tuple[str, str]] = set()

    def is_free(self, event: EventType, name: str) -> bool:
        """The event type has not happened to this town or organisation."""
        return (event.name, name) not in self._pairs

    def take(self, setting: EventSetting) -> EventSetting:
        """Note a setting as used."""
        self._pairs |= {(setting.event.name, setting.place.name), (setting.event.name, setting.organisation.name)}
        return setting


def events_in_turn(rng: np.random.Generator) -> Iterator[EventType]:
    """Every event type once in random order, then again in another."""
    while True:
        for index in rng.permutation(len(event_types())):
            yield event_types()[int(index)]


def draw_settings(rng: np.random.Generator, count: int, pool: NamePool, taken: Taken) -> list[EventSetting]:
    """Settings out of one pool, event types in turn."""
    turn = events_in_turn(rng)
    drawn: list[EventSetting] = []
    while len(drawn) < count:
        event = next(turn)
        places = [place for place in pool.places if taken.is_free(event, place.name)]
        organisations = [one for one in pool.organisations[event.organisation] if taken.is_free(event, one.name)]
        if places and organisations:
            drawn.append(taken.take(EventSetting(event, pick(rng, places), pick(rng, organisations))))
    return drawn


def draw_entangled(
    rng: np.random.Generator, shared: Shared, forget: Sequence[EventSetting], pool: NamePool, taken: Taken
) -> EventSetting | None:
    """A setting that shares with one forget setting what `shared` says and has the rest from `pool`; None: no room."""
    events = event_types()
    for index in rng.permutation(len(forget)):
        other = forget[int(index)]
        places = [other.place] if shared in ("place", "both") else pool.places
        possible = [
            EventSetting(event, place, organisation)
            for event in events
            for organisation in ([other.organisation] if shared != "place" else pool.organisations[event.organisation])
            if organisation.kind == event.organisation and taken.is_free(event, organisation.name)
            for place in places
            if taken.is_free(event, place.name)
        ]
        if possible:
            return taken.take(pick(rng, possible))
    return None


def pick(rng: np.random.Generator, values: Sequence[ChoiceT]) -> ChoiceT:
    """One of them, each as likely."""
    return values[int(rng.integers(len(values)))]
