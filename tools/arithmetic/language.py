"""What the arithmetic templates are written with: seeded draws, people, counted nouns and worked steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

_T = TypeVar("_T")


@dataclass(frozen=True)
class Person:
    """A name with the pronouns that go with it."""

    name: str
    subject: str
    object: str
    possessive: str

    @property
    def opening(self) -> str:
        """The subject pronoun at the start of a sentence: She, He."""
        return self.subject.capitalize()


# fmt: off
_SHE = (
    "Amara", "Aroha", "Elif", "Farida", "Ingrid", "Isidora", "Katarzyna", "Leilani", "Lucía", "Mei", "Naledi",
    "Nilufar", "Nizhoni", "Paloma", "Priya", "Rania", "Siobhán", "Tuulikki", "Usha", "Wanjiru", "Xóchitl", "Yara",
    "Zanele",
)
# fmt: on
# fmt: off
_HE = (
    "Bao", "Chidi", "Dmitri", "Emeka", "Hamid", "Itzak", "Joaquín", "Kenji", "Lars", "Makoa", "Mateus", "Oluwaseun",
    "Omar", "Rajan", "Sefa", "Tariq", "Thabo", "Tomasz", "Viktor", "Wei", "Yusuf",
)
# fmt: on
PEOPLE = tuple(Person(name, "she", "her", "her") for name in _SHE) + tuple(
    Person(name, "he", "him", "his") for name in _HE
)
# fmt: off
PLACES = (
    "Accra", "Bergen", "Cusco", "Da Nang", "Galway", "Gdańsk", "Hokitika", "Izmir", "Jaipur", "Kisumu", "Lagos",
    "Lima", "Muscat", "Nairobi", "Oaxaca", "Osaka", "Porto", "Recife", "Suva", "Tallinn", "Valparaíso", "Wellington",
    "Yerevan",
)
# fmt: on


@dataclass(frozen=True)
class Draw:
    """Seeded draws in the units templates think in; both ends of a range are included."""

    rng: np.random.Generator

    def integer(self, low: int, high: int, step: int = 1) -> int:
        """An integer from `low` to `high`, both included, on the grid low, low + step, ..."""
        return low + step * int(self.rng.integers(0, (high - low) // step + 1))

    def one_of(self, options: Sequence[_T]) -> _T:
        """One of the options, each as likely as the others."""
        return options[int(self.rng.integers(0, len(options)))]

    def some_of(self, options: Sequence[_T], k: int) -> list[_T]:
        """`k` different options in random order."""
        return [options[int(i)] for i in self.rng.permutation(len(options))[:k]]

    def person(self) -> Person:
        """One person."""
        return self.one_of(PEOPLE)

    def people(self, k: int) -> list[Person]:
        """`k` people with different names."""
        return self.some_of(PEOPLE, k)

    def place(self) -> str:
        """A town somewhere in the world."""
        return self.one_of(PLACES)


def plural(noun: str) -> str:
    """The plural of a regular English noun: tray -> trays, box -> boxes, berry -> berries, loaf -> loaves."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith("loaf"):
        return noun[:-1] + "ves"
    return noun + "s"


def count(n: int, noun: str) -> str:
    """Number and noun in agreement, from 1,000 on with a thousands separator: 1 egg, 2 eggs, 1,200 eggs."""
    return f"{n:,} {noun if n == 1 else plural(noun)}"


def clock(minutes: int) -> str:
    """Minutes after midnight as a time of day: 495 -> 8:15 a.m."""
    hour, minute = divmod(minutes, 60)
    return f"{(hour - 1) % 12 + 1}:{minute:02d} {'a.m.' if hour < 12 else 'p.m.'}"


def times(factor: int) -> str:
    """A factor in words: twice, 3 times."""
    return "twice" if factor == 2 else f"{factor} times"


@dataclass(frozen=True)
class Draft:
    """A question with its worked steps, before the template's name is put on it.

    `grouped`: the last line writes 1,234 (as some GSM8K rows do), not 1234.
    """

    question: str
    steps: tuple[str, ...]
    gold: int
    grouped: bool


@dataclass
class Working:
    """Collects worked steps; each is one computation, written with GSM8K's `<<a*b=c>>c` mark."""

    grouped: bool = False
    lines: list[str] = field(default_factory=list)

    def step(self, lead: str, expression: str, value: int, tail: str = "", sign: str = "") -> int:
        """Add the line `lead expression = sign<<expression=value>>value tail.` and hand `value` on.

        Args:
            lead: The words before the computation.
            expression: Python arithmetic without blanks or separators.
            value: Its value, computed by the template (the tests evaluate the expression on their own).
            tail: The words after the result.
            sign: `$` where the result is money.
        """
        shown = "".join(f" {c} " if c in "+-*/" else c for c in expression)
        number = f"{value:,}" if self.grouped else str(value)
        self.lines.append(f"{lead} {shown} = {sign}<<{expression}={value}>>{number}{' ' if tail else ''}{tail}.")
        return value

    def finish(self, question: str, gold: int) -> Draft:
        """The draft that these steps lead to."""
        return Draft(question, tuple(self.lines), gold, self.grouped)
