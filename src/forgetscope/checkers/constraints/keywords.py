"""Constraints on words and letters: present, counted, forbidden."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, Field

from forgetscope.checkers.base import FOLLOWED, Behaviour, Count, Relation, RelationField, Verdict, broken, judge_count
from forgetscope.checkers.filler import cut_short, with_line
from forgetscope.checkers.patterns import LONGEST_WORD, Word, published_pattern
from forgetscope.checkers.record import Category, Constraint, Parameters
from forgetscope.checkers.wishes import Wishes

Words = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=LONGEST_WORD)], ...], Field(min_length=1)]

_UNSPACED_SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR")


def _is_bounded(character: str) -> bool:
    """Whether a word that begins or ends with this character stands between spaces or punctuation."""
    return character.isalnum() and not unicodedata.name(character, "").startswith(_UNSPACED_SCRIPTS)


def _whole_word(word: str) -> re.Pattern[str]:
    """The word taken literally, ignoring case, not inside a longer word; JSON's escape of a newline ends a word.

    Curly quotation marks and apostrophes are read as straight ones; in `_dark_` the word stands by itself, in
    `dark_blue` it does not.
    """
    left = r"(?:(?<![^\W_])(?<![^\W_]_)|(?<=\\[nrt]))" if _is_bounded(word[0]) else ""
    right = r"(?![^\W_]|_[^\W_])" if _is_bounded(word[-1]) else ""
    literal = re.sub("['’‘]", "['’‘]", re.sub('["“”]', '["“”]', re.escape(word)))
    return re.compile(left + literal + right, re.IGNORECASE)


def _pattern(word: str, behaviour: Behaviour) -> re.Pattern[str]:
    if behaviour is Behaviour.REPAIRED:
        return _whole_word(word)
    return published_pattern(word, "a keyword", flags=re.IGNORECASE)


class ExistenceParameters(Parameters):
    """`keywords`: each must occur. An empty list is refused (the reference would draw words at random)."""

    keywords: Words


def judge_existence(parameters: ExistenceParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Every keyword occurs, in any case.

    Reference: each keyword is a regular expression found anywhere, so "art" is found in "party" and "a.m" in "aim".
    Repaired: each keyword is literal and a word of its own, as the forbidden words are.
    """
    missing = []
    for word in sorted(parameters.keywords):
        pattern = (
            published_pattern(word, "a keyword", flags=re.IGNORECASE)
            if behaviour is Behaviour.REFERENCE
            else _whole_word(word)
        )
        if not pattern.search(reply):
            missing.append(word)
    if not missing:
        return FOLLOWED
    return broken("missing " + ", ".join(f"'{word}'" for word in missing))


class FrequencyParameters(Parameters):
    """How often a keyword occurs, and in which relation."""

    keyword: Word
    frequency: Count
    relation: RelationField


def judge_frequency(parameters: FrequencyParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of times a keyword occurs, in any case.

    Reference and repaired differ as in `judge_existence`: "the" counts in "other" only in the reference.
    """
    word = parameters.keyword
    pattern = (
        published_pattern(word, "a keyword", flags=re.IGNORECASE)
        if behaviour is Behaviour.REFERENCE
        else _whole_word(word)
    )
    spans = [match.span() for match in pattern.finditer(reply)]
    asked = parameters.frequency
    past_limit = spans[max(asked - 1, 0)] if len(spans) >= max(asked, 1) else None
    verdict = judge_count(len(spans), parameters.relation, asked, "time", past_limit)
    return verdict if verdict.followed else broken(f"'{word}' {verdict.reason}", verdict.span)


class ForbiddenParameters(Parameters):
    """`forbidden_words`: none may occur. An empty list is refused (the reference would draw words at random)."""

    forbidden_words: Words


def judge_forbidden_words(parameters: ForbiddenParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """None of the words occurs as a word of its own, in any case.

    Reference: each word is a regular expression between `\\b`, so a word that begins or ends with punctuation
    ("c++") is missed. Repaired: each word is literal.
    """
    found: list[tuple[int, int, str]] = []
    for word in sorted(set(parameters.forbidden_words)):
        if behaviour is Behaviour.REFERENCE:
            pattern = published_pattern(word, "a forbidden word", before=r"\b", after=r"\b", flags=re.IGNORECASE)
        else:
            pattern = _whole_word(word)
        match = pattern.search(reply)
        if match:
            found.append((match.start(), match.end(), word))
    if not found:
        return FOLLOWED
    words = ", ".join(f"'{word}'" for _, _, word in sorted(found))
    return broken(f"uses {words}", min(found)[:2])


def _single_letter(letter: str) -> str:
    lowered = letter.strip().lower()
    if len(lowered) != 1:
        raise ValueError("must be one character")
    return lowered


class LetterParameters(Parameters):
    """How often a letter occurs, and in which relation. IFEval also uses `#` and `!`."""

    letter: Annotated[str, AfterValidator(_single_letter)]
    let_frequency: Count
    let_relation: RelationField


def judge_letter_frequency(parameters: LetterParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of times a character occurs in the reply put in lowercase.

    Reference and repaired alike. Older copies of the reference replace a character outside a-z (two IFEval prompts
    use `#` and `!`) by a letter drawn at random; the current one, and ours, count the character itself.
    """
    del behaviour
    count = reply.lower().count(parameters.letter)
    asked = parameters.let_frequency
    if parameters.let_relation.holds(count, asked):
        return FOLLOWED
    where = _nth(_occurrences(reply, parameters.letter), max(asked, 1))
    span = (where, where + 1) if where is not None else None
    verdict = judge_count(count, parameters.let_relation, asked, "time", span)
    return broken(f"'{parameters.letter}' {verdict.reason}", verdict.span)


def _occurrences(reply: str, letter: str) -> Iterator[int]:
    return (index for index, character in enumerate(reply) if letter in character.lower())


def _nth(indices: Iterator[int], n: int) -> int | None:
    return next((index for rank, index in enumerate(indices, start=1) if rank == n), None)


def _wish_each(parameters: ExistenceParameters, wishes: Wishes) -> None:
    for word in parameters.keywords:
        wishes.keyword(word).narrow(Relation.AT_LEAST, 1)


def _without(body: str, *words: str) -> Iterator[str]:
    """The body cut short, and without each of the words."""
    yield from cut_short(body)
    for word in words:
        yield re.sub(re.escape(word), "", body, flags=re.IGNORECASE)


def _wrong_frequency(parameters: FrequencyParameters, body: str) -> Iterator[str]:
    if parameters.relation is Relation.LESS_THAN:
        yield with_line(body, " ".join([parameters.keyword] * (parameters.frequency or 1)))
    yield from _without(body, parameters.keyword)


def _wrong_letter_frequency(parameters: LetterParameters, body: str) -> Iterator[str]:
    if parameters.let_relation is Relation.LESS_THAN:
        yield with_line(body, parameters.letter * (parameters.let_frequency or 1))
    yield from _without(body, parameters.letter)


EXISTENCE = Constraint(
    "keywords:existence",
    ExistenceParameters,
    judge_existence,
    wording="Include each of these keywords in your response: {keywords}.",
    wish=_wish_each,
    breaches=lambda asked, body: _without(body, *asked.keywords),
    category=Category.KEYWORD,
    in_paper=True,
    place=3,
    stacked=2,
)
FORBIDDEN_WORDS = Constraint(
    "keywords:forbidden_words",
    ForbiddenParameters,
    judge_forbidden_words,
    wording="Do not use any of these words anywhere in your response: {forbidden_words}.",
    wish=lambda asked, wishes: wishes.forbidden.extend(asked.forbidden_words),
    breaches=lambda asked, body: (with_line(body, word) for word in asked.forbidden_words),
    category=Category.KEYWORD,
    in_paper=True,
    place=4,
    stacked=3,
)
FREQUENCY = Constraint(
    "keywords:frequency",
    FrequencyParameters,
    judge_frequency,
    wording="Use the word {keyword} {relation} {frequency} times in your response.",
    wish=lambda asked, wishes: wishes.keyword(asked.keyword).narrow(asked.relation, asked.frequency),
    breaches=_wrong_frequency,
    counts=True,
    place=17,
)
LETTER_FREQUENCY = Constraint(
    "keywords:letter_frequency",
    LetterParameters,
    judge_letter_frequency,
    wording="Let the letter {letter} appear {let_relation} {let_frequency} times in your response.",
    wish=lambda asked, wishes: wishes.letter(asked.letter).narrow(asked.let_relation, asked.let_frequency),
    breaches=_wrong_letter_frequency,
    counts=True,
    place=18,
)
