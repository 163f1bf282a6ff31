"""When two entities are the same, and which entities count at all."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.data.records import Triplet
from forgetscope.benchmarks.unlearning.formats.extraction.lexicon import NUMBERS

_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_MONTHS = frozenset(
    {
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    }
)
_SHORTEST_ALIAS = 4


class EntityMatching(BaseModel):
    """How entities are compared.

    Attributes:
        by: `exact`: character by character; `casefolded`: without case, articles and punctuation; `alias`: also a
        name by
            its last word or its initials, where no other forget entity goes by them, and by `aliases`.
        aliases: Other names, to the name used: {"Old Quay": "Osthaven harbour"}.
        exclude_numbers: Amounts and dates do not count: they agree by chance.
        exclude_generic: Entities without a capital or figure, such as "town", do not count.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: Literal["exact", "casefolded", "alias"] = "casefolded"
    aliases: Mapping[str, str] = Field(default_factory=dict)
    exclude_numbers: bool = False
    exclude_generic: bool = False

    def counts(self, entity: str) -> bool:
        """The entity is compared at all."""
        return not (self.exclude_numbers and is_number(entity)) and not (self.exclude_generic and is_generic(entity))

    def key(self, entity: str) -> str:
        """What two equal entities have in common."""
        if self.by == "exact":
            return entity
        if self.by == "alias":
            entity = self.aliases.get(entity, entity)
        return plain(entity)


class ForgetEntities:
    """The entities of the forget side, to be asked whether a retain entity is among them."""

    def __init__(self, triplets: Iterable[Triplet], matching: EntityMatching) -> None:
        self._matching = matching
        entities = {entity for triplet in triplets for entity in triplet.entities if matching.counts(entity)}
        self._keys = {matching.key(entity) for entity in entities}
        self._aliases: dict[str, set[str]] = {}
        if matching.by == "alias":
            for entity in entities:
                for alias in other_names(entity):
                    self._aliases.setdefault(alias, set()).add(matching.key(entity))

    def __contains__(self, entity: str) -> bool:
        """The entity is one of them. Entities that do not count are not."""
        if not self._matching.counts(entity):
            return False
        key = self._matching.key(entity)
        if key in self._keys:
            return True
        if self._matching.by != "alias":
            return False
        return len(self._aliases.get(key, ())) == 1 or any(
            alias in self._keys and len(self._aliases.get(alias, {alias})) == 1 for alias in other_names(entity)
        )


def plain(text: str) -> str:
    """Casefolded words, without a leading article and without punctuation.

    >>> plain("The King's Head")
    'king s head'
    """
    return " ".join(re.findall(r"\w+", _ARTICLE.sub("", text.casefold())))


def other_names(entity: str) -> set[str]:
    """A name's last word and its initials; none for what is no name of several words.

    >>> sorted(other_names("Ada Maria Voss"))
    ['amv', 'voss']
    """
    words = re.findall(r"\w+", _ARTICLE.sub("", entity))
    if len(words) < 2 or not all(word[0].isupper() for word in words):
        return set()
    names = {words[-1].casefold()} if len(words[-1]) >= _SHORTEST_ALIAS else set()
    return names | ({"".join(word[0] for word in words).casefold()} if len(words) > 2 else set())


def is_number(entity: str) -> bool:
    """An amount, a date, a time: it begins with a figure, or is made of number words and months.

    >>> [is_number(entity) for entity in ("41 million crowns", "14 May", "nine", "Ada Voss")]
    [True, True, True, False]
    """
    words = re.findall(r"\w+", entity.casefold())
    return bool(words) and (
        words[0][0].isdigit() or all(word[0].isdigit() or word in NUMBERS or word in _MONTHS for word in words)
    )


def is_generic(entity: str) -> bool:
    """No name and no figure: a common noun.

    >>> [is_generic(entity) for entity in ("town", "Kald", "9 towns")]
    [True, False, False]
    """
    return not any(letter.isupper() or letter.isdigit() for letter in entity)
