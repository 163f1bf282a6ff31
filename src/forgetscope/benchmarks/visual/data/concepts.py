"""Concepts by name: what else they are called, what they are known for, and which names are too alike.

A *vocabulary* is the concepts of one source: a CSV file with one concept a line (`key`, `name`,
`supercategory`, `aliases`, `clue`, and `kin` where there is any), where `key` is the name in the source's own files.
Aliases and kin are separated by `|`.
"""

import csv
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path


@dataclass(frozen=True)
class Concept:
    """Something a picture can show, by the name it has in a choice.

    Attributes:
        supercategory: Its siblings are hard distractors; empty when there is no grouping.
        aliases: Other names a short answer may use.
        clue: What it is known for, in words that name neither it nor an alias; empty when nobody wrote one.
        kin: Concepts of which one may be true of a picture of the other (penguin and bird, volcano and mountain), or
            that nobody tells apart: the two never stand in one question. Said of one of the two.
    """

    name: str
    supercategory: str = ""
    aliases: tuple[str, ...] = ()
    clue: str = ""
    kin: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)

    def is_kin(self, other: "Concept") -> bool:
        """Whether one of the two may be true of a picture of the other."""
        return other.name in self.kin or self.name in other.kin


@cache
def load_vocabulary(name: str | Path) -> dict[str, Concept]:
    """The concepts of a vocabulary, one of this package by name or any by path, by their key in the source."""
    own = files("forgetscope.benchmarks.visual.data") / "vocabulary" / f"{name}.csv"
    text = (name if isinstance(name, Path) else own).read_text(encoding="utf-8")
    return {
        row["key"]: Concept(
            name=row["name"],
            supercategory=row["supercategory"],
            aliases=tuple(alias for alias in row["aliases"].split("|") if alias),
            clue=row["clue"],
            kin=tuple(name for name in (row.get("kin") or "").split("|") if name),
        )
        for row in csv.DictReader(text.splitlines())
    }


_NOT_WORD = re.compile(r"[^\w]+|_+")


@lru_cache(maxsize=16_384)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name, folded: case, accents of presentation, punctuation and underscores gone."""
    return tuple(_NOT_WORD.sub(" ", unicodedata.normalize("NFKC", name).casefold()).split())


@lru_cache(maxsize=16_384)
def _written(name: str) -> str:
    """The folded words of a name with a blank between them."""
    return " ".join(name_words(name))


NEAR_DUPLICATE = 0.85
"""Share of letters two names may have in common, in order (difflib's ratio), before they count as one."""


@lru_cache(maxsize=65_536)
def too_alike(first: str, second: str) -> bool:
    """Whether one name contains the other as words, or both are nearly the same letters.

    Such a pair never stands in one question: "bear" would be a right answer to a picture of a teddy bear.

    >>> too_alike("bear", "teddy bear"), too_alike("Mercedes-Benz", "mercedes"), too_alike("car", "carrot")
    (True, True, False)
    """
    one, other = _written(first), _written(second)
    if not one or not other or f" {one} " in f" {other} " or f" {other} " in f" {one} ":
        return True
    letters, more = one.replace(" ", ""), other.replace(" ", "")
    if letters == more or letters + "s" == more or letters == more + "s":
        return True
    return min(len(letters), len(more)) > 4 and _share_in_common(letters, more) >= NEAR_DUPLICATE


def _share_in_common(one: str, other: str) -> float:
    """Letters in common and in order, over all letters, 0-1; an upper bound of it where that is already too low."""
    total = len(one) + len(other)
    by_length = 2 * min(len(one), len(other)) / total
    if by_length < NEAR_DUPLICATE:
        return by_length
    at_most = 2 * sum(min(one.count(letter), other.count(letter)) for letter in set(one)) / total
    return SequenceMatcher(None, one, other).ratio() if at_most >= NEAR_DUPLICATE else at_most


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether the text holds one of the names, as whole words, whatever the case or a plural s."""
    said = f" {' '.join(name_words(text))} "
    return any(f" {form} " in said for name in names for form in _forms(name))


def _forms(name: str) -> list[str]:
    """A name's words, and the same with the last in the plural; nothing for a name without letters."""
    written = " ".join(name_words(name))
    return [written, f"{written}s", f"{written}es"] if written else []


def without_names(text: str, names: Iterable[str]) -> str:
    """The text's words with every occurrence of the names taken out, longer names first."""
    said = " ".join(name_words(text))
    forms = sorted({form for name in names for form in _forms(name)}, key=lambda form: (-len(form), form))
    return re.sub(rf"(?<!\S)(?:{'|'.join(map(re.escape, forms))})(?!\S)", "·", said) if forms else said


def clues_for(choices: Sequence[Concept], question: str = "") -> tuple[str, ...]:
    """The clues of an item's choices, in their order; empty unless every choice has one and nothing names a choice.

    The indirect probe is only as indirect as its words: clues, and the question where it is kept, are checked against
    all names and aliases.
    """
    clues = tuple(concept.clue for concept in choices)
    if not all(clues) or len(set(clues)) < len(clues):
        return ()
    return () if any(_clue_names(said, choice.names) for said in (question, *clues) for choice in choices) else clues


@lru_cache(maxsize=65_536)
def _clue_names(clue: str, names: tuple[str, ...]) -> bool:
    return mentions(clue, names)
