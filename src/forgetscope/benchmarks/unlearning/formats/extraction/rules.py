"""Triplets by rule: subject, verb, object, and what a preposition hangs on the verb. English, offline, no parser.

A sentence is read from left to right as noun groups and verb groups. A verb group takes the noun group before it as
its subject (or, after "and", the subject of the verb before; after "who", the name before the comma), the noun group
after it as object, and each preposition with its noun group gives a further triplet. A name followed by a comma and a
determined noun group *is* that. "He" and "she" stand for the last subject that was named in the paragraph. Speech in
quotation marks is left out. It is meant for when no language model is at hand: how good it is, `agreement` measures
against gold triplets.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from forgetscope.benchmarks.unlearning.data.records import Chunk, Triplet
from forgetscope.benchmarks.unlearning.formats.extraction import lexicon
from forgetscope.benchmarks.unlearning.formats.units import sentences

_SPEECH = re.compile(r"[\"“](?:(?!\n\s*\n)[^\"”])*[\"”]?|(?<!\w)[‘'][A-Z][^’'\n]*?[,.!?][’'](?!\w)")
_IN_PASSING = re.compile(r",? of course,?|,? indeed,|,? however,", re.IGNORECASE)
_NAMED = re.compile(r"(?<=[a-z,;] )[A-Z]\w+")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\w+(?:['’-]\w+)*|[^\w\s]")
_LONGEST_GROUP = 8
_LONGEST_RELATION = 8


@dataclass(frozen=True)
class _Group:
    """A noun group, verb group, preposition, or what parts them, with its words."""

    kind: str  # noun, pronoun, verb, preposition, relative, and, comma, stop
    words: tuple[str, ...]

    @property
    def is_name(self) -> bool:
        return self.kind == "noun" and self.words[0][:1].isupper() and self.words[0].casefold() not in lexicon.OPENERS

    @property
    def names_a_thing(self) -> bool:
        """More than a word such as "hot" or "asleep": several words, a capital, a figure, or a plural."""
        first = self.words[0]
        return len(self.words) > 1 or first[0].isupper() or first[0].isdigit() or first.endswith("s")

    @property
    def is_no_entity(self) -> bool:
        return self.kind == "noun" and (not _bare(self) or len(self.words) > _LONGEST_GROUP)


def rule_triplets(text: str) -> tuple[Triplet, ...]:
    """The triplets of a text, each once, in the order they are told.

    >>> [triplet.line for triplet in rule_triplets("Halvex Power opened a solar farm in Tarnwick.")]
    ['Halvex Power | opened | solar farm', 'Halvex Power | opened solar farm in | Tarnwick']
    """
    found: dict[Triplet, None] = {}
    names = frozenset(_NAMED.findall(text))
    for paragraph in re.split(r"\n\s*\n", _IN_PASSING.sub("", _SPEECH.sub(" ; ", text))):
        named: _Group | None = None
        for low, high in sentences(paragraph):
            reader = _Reader(_groups(paragraph[low:high], names), named)
            found.update(dict.fromkeys(reader.triplets()))
            named = reader.named
    return tuple(found)


def extract_by_rules(chunks: Iterable[Chunk]) -> dict[str, tuple[Triplet, ...]]:
    """The triplets of each chunk by rule, by chunk id; chunks in which nothing was found have an empty tuple."""
    return {chunk.id: rule_triplets(chunk.text) for chunk in chunks}


class _Reader:
    """One sentence, read from left to right."""

    def __init__(self, groups: Sequence[_Group], named: _Group | None) -> None:
        self._groups = groups
        self.named = named
        """The last subject with a name: whom "he" and "she" stand for."""
        self._found: list[Triplet] = []

    def triplets(self) -> list[Triplet]:
        """What the sentence says."""
        subject: _Group | None = None
        verb = -1
        is_supposed = False  # what stands after "if" is not stated
        for place, group in enumerate(self._groups):
            if group.kind == "noun":
                self._apposition(place)
            elif group.kind == "verb":
                subject = self._subject(place, verb, subject)
                verb = place
                if subject is not None and not is_supposed:
                    self._clause(subject, place)
            elif group.kind in ("stop", "if"):
                subject = None
            is_supposed = group.kind == "if" or (is_supposed and group.kind not in ("stop", "comma"))
        return self._found

    def _kind(self, place: int) -> str:
        return self._groups[place].kind if 0 <= place < len(self._groups) else "stop"

    def _subject(self, place: int, verb: int, before: _Group | None) -> _Group | None:
        """Who does what the verb group at `place` says; None if nobody is named.

        Args:
            place: Of the verb group.
            verb: Place of the verb group before it, -1 if there is none.
            before: Whose that one was.
        """
        previous = place - 1
        between = {group.kind for group in self._groups[verb + 1 : place]}
        if self._groups[place].words[0] == "to":
            return None if "noun" in between else before  # in "told his wife to cook" it is the wife who cooks
        if self._kind(previous) == "and":
            return before
        if before is not None and self._kind(verb - 1) == "relative" and not between & {"comma", "and", "stop"}:
            return before  # "a ship that never reached port lies off Kald"
        if self._kind(previous) == "comma" and self._is_apposition(previous - 1):
            previous -= 3  # "Maris Hollis, the mayor, opened"
        if self._kind(previous) == "relative":
            previous -= 2 if self._kind(previous - 1) == "comma" else 1
            return self._head_of(previous) if self._kind(previous) == "noun" else None
        if self._kind(previous) == "noun":
            head = self._head_of(previous)
            self.named = head if head is not None and head.is_name else self.named
            return head
        if self._kind(previous) == "pronoun" and self._groups[previous].words[0].casefold() in lexicon.SINGULAR_THIRD:
            return self.named
        return None

    def _head_of(self, place: int) -> _Group | None:
        """The noun group that a chain such as "the name on the bell" begins with."""
        while self._kind(place - 1) == "preposition":
            if self._kind(place - 2) != "noun":
                return None
            place -= 2
        return self._groups[place]

    def _is_apposition(self, place: int) -> bool:
        if [self._kind(place - back) for back in range(3)] != ["noun", "comma", "noun"]:
            return False
        described = self._groups[place]
        says_what = described.words[0].casefold() in lexicon.OPENERS or "of" in described.words
        says_of_whom = place + 1 < len(self._groups) and self._groups[place + 1].words == ("for",)
        return self._groups[place - 2].is_name and not described.is_name and (says_what or says_of_whom)

    def _apposition(self, place: int) -> None:
        """Note "Maris Hollis, the mayor of Kald," as what the first is."""
        if not self._is_apposition(place) or self._kind(place + 1) == "pronoun":
            return
        name, described = self._groups[place - 2], self._groups[place]
        self._add_what(name, ("is",), described)
        if self._kind(place + 1) == "preposition" and self._kind(place + 2) == "noun":
            self._add(name, ("is", *_bare(described), *self._groups[place + 1].words), self._groups[place + 2])

    def _clause(self, subject: _Group, place: int) -> None:
        """What the verb group at `place` says of its subject."""
        relation = self._groups[place].words
        if relation[-1].casefold() in lexicon.SPEECH_VERBS:
            return
        place += 1
        if self._kind(place) == "noun":
            thing = self._groups[place]
            if not thing.names_a_thing:  # "was hot", "grew pale"
                return
            self._add_what(subject, relation, thing)
            relation = (*relation, *_bare(thing))
            place += 1
        while self._kind(place) == "preposition" and self._kind(place + 1) == "noun":
            if self._groups[place].words == ("to",) and not self._groups[place + 1].names_a_thing:
                return  # an infinitive the lexicon does not know
            self._add(subject, (*relation, *self._groups[place].words), self._groups[place + 1])
            place += 2

    def _add_what(self, head: _Group, relation: tuple[str, ...], thing: _Group) -> None:
        """`is` with "the mayor of Kald" says that the head is mayor of Kald, and of which town."""
        self._add(head, relation, thing)
        words = _bare(thing)
        if "of" in words and relation[-1].casefold() in lexicon.COPULAS:
            at = words.index("of")
            self._add(head, (*relation, *words[: at + 1]), _Group("noun", words[at + 1 :]))

    def _add(self, head: _Group, relation: tuple[str, ...], tail: _Group) -> None:
        parts = (" ".join(_bare(head)), " ".join(relation), " ".join(_bare(tail)))
        fits = len(relation) <= _LONGEST_RELATION and parts[0].casefold() != parts[2].casefold()
        if fits and head.names_a_thing:
            try:
                self._found.append(Triplet.cleaned(*parts))
            except ValidationError:  # a group of a determiner alone
                return


def _bare(group: _Group) -> tuple[str, ...]:
    """The words without the determiner they begin with; "no" is kept, as it turns the meaning round."""
    words = group.words
    while words and words[0].casefold() in lexicon.OPENERS - {"no"}:
        words = words[1:]
    return words


def _groups(sentence: str, names: frozenset[str]) -> list[_Group]:
    """A sentence as groups; adverbs are passed over, and everything unclear parts clauses.

    The first word is a name only if the next is written as one too, or if it is itself within a sentence of the text.
    """
    words = _TOKEN.findall(sentence)
    if words and words[0] not in names and not (len(words) > 1 and words[1][0].isupper()):
        words[0] = words[0].casefold()
    groups: list[_Group] = []
    for word, kind in zip(words, _kinds(words), strict=True):
        last = groups[-1] if groups else None
        if kind == "adverb":
            continue
        if last is not None and last.kind == kind and _goes_on(last, word):
            groups[-1] = _Group(kind, (*last.words, word))
        else:
            groups.append(_Group(kind, (word,)))
    return [_Group("stop", group.words) if group.is_no_entity else group for group in _with_of(groups)]


def _goes_on(group: _Group, word: str) -> bool:
    return group.kind == "verb" or (group.kind == "noun" and word.casefold() not in lexicon.OPENERS)


def _with_of(groups: Sequence[_Group]) -> list[_Group]:
    """Noun groups joined over "of": the mayor of Kald."""
    joined: list[_Group] = []
    for group in groups:
        if (
            group.kind == "noun"
            and len(joined) > 1
            and joined[-1].words == ("of",)
            and joined[-2].kind == "noun"
            and len(joined[-2].words) + len(group.words) < _LONGEST_GROUP
        ):
            joined[-2:] = [_Group("noun", (*joined[-2].words, "of", *group.words))]
        else:
            joined.append(group)
    return joined


def _kinds(words: Sequence[str]) -> list[str]:
    kinds: list[str] = []
    for place, word in enumerate(words):
        previous = words[place - 1].casefold() if place else ""
        kinds.append(_kind(word, kinds, previous, words[place + 1].casefold() if place + 1 < len(words) else ""))
    return kinds


def _kind(word: str, before: Sequence[str], previous: str, following: str) -> str:
    lower = word.casefold()
    if not word[0].isalnum():
        return "comma" if word == "," else "stop"
    if word[0].isdigit():
        return "noun"
    if lower in lexicon.RELATIVES and not (lower == "that" and _opens_group(before, following)):
        follows = bool(before) and before[-1] in ("noun", "comma")
        return "relative" if follows and following not in lexicon.OPENERS | lexicon.PRONOUNS else "stop"
    if lower == "to" and following in lexicon.BASES:
        return "verb"
    for kind, words in _CLOSED:
        if lower in words:
            return kind
    if lower.endswith("ly") and lower not in lexicon.NOT_ADVERBS and not word[0].isupper():
        return "adverb"
    if word[0].isupper() or previous in lexicon.OPENERS | lexicon.NUMBERS or previous[:1].isdigit():
        return "noun"
    if not before and lower.endswith("ing"):
        return "stop"  # "Blushing with pleasure Tephany went home"
    return "verb" if _is_verb_form(lower, before) else "noun"


_CLOSED = (
    ("and", lexicon.CONJUNCTIONS),
    ("if", lexicon.CONDITIONALS),
    ("stop", lexicon.SUBORDINATORS),
    ("pronoun", lexicon.PRONOUNS),
    ("noun", lexicon.OPENERS),
    ("preposition", lexicon.PREPOSITIONS),
    ("verb", lexicon.AUXILIARIES | lexicon.SPEECH_VERBS | lexicon.NEGATIONS),
    ("adverb", lexicon.ADVERBS),
)


def _opens_group(before: Sequence[str], following: str) -> bool:
    """Whether "that" points at a thing: that boat."""
    after_noun = bool(before) and before[-1] in ("noun", "comma")
    closed = any(following in words for _, words in _CLOSED)
    return not after_noun and not closed and following.isalpha()


def _is_verb_form(lower: str, before: Sequence[str]) -> bool:
    """A finite form after a noun group, or a participle or base form after an auxiliary."""
    previous = next((kind for kind in reversed(before) if kind != "adverb"), "")
    if previous == "verb":
        return lower in lexicon.PARTICIPLES or lower in lexicon.BASES or lower.endswith(("ed", "ing"))
    if previous not in ("noun", "pronoun", "relative", "and"):
        return False
    if lower in lexicon.PAST or lower in lexicon.THIRD_PERSON:
        return True
    return lower.endswith("ed") and len(lower) > 4 and lower not in lexicon.NOT_PAST
