"""Constraints on length: words, sentences, paragraphs."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from forgetscope.checkers.base import (
    FOLLOWED,
    Behaviour,
    Count,
    Relation,
    RelationField,
    Verdict,
    broken,
    counted,
    judge_count,
)
from forgetscope.checkers.filler import ENGLISH, with_line
from forgetscope.checkers.punkt import counting_tokenizer, sentence_spans
from forgetscope.checkers.record import Category, Constraint, Parameters
from forgetscope.checkers.wishes import Parts, Wishes

_DIVIDER = re.compile(r"\s?\*\*\*\s?")
_STANDING_DIVIDER = re.compile(r"(?<!\S)\*\*\*(?!\S)")
_SENTENCES_COUNTED = 10_000
_ENDS_FIRST_WORD = frozenset(".,?!'\"")


class WordParameters(Parameters):
    """How many words, and in which relation."""

    num_words: Count
    relation: RelationField


def judge_number_words(parameters: WordParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of words.

    Reference: runs of letters, digits and underscores, so that "don't" counts two; cut by NLTK, which since its version
    3.10 keeps combining marks (Hindi, Thai) within their word and before split it. Repaired: an apostrophe between
    letters, straight or curly, is inside its word.
    """
    spans = list(counting_tokenizer().span_tokenize(reply))
    if behaviour is Behaviour.REPAIRED:
        spans = _with_apostrophes(reply, spans)
    count = len(spans)
    asked = parameters.num_words
    if parameters.relation.holds(count, asked):
        return FOLLOWED
    at_limit = next(islice(spans, max(asked - 1, 0), None), None)
    return judge_count(count, parameters.relation, asked, "word", at_limit)


def _with_apostrophes(reply: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The words of these spans, with those put together that only an apostrophe parts."""
    words: list[tuple[int, int]] = []
    for start, end in spans:
        if words and start == words[-1][1] + 1 and reply[start - 1] in "'’":
            words[-1] = (words[-1][0], end)
        else:
            words.append((start, end))
    return words


class SentenceParameters(Parameters):
    """How many sentences, and in which relation."""

    num_sentences: Count
    relation: RelationField


def judge_number_sentences(parameters: SentenceParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of sentences as NLTK's English Punkt model cuts them. Reference and repaired alike.

    Counting stops where the verdict is settled and 10,000 sentences have been seen.
    """
    del behaviour
    asked = parameters.num_sentences
    spans = list(islice(sentence_spans(reply), max(asked, _SENTENCES_COUNTED)))
    past_limit = spans[max(asked - 1, 0)] if len(spans) >= max(asked, 1) else None
    return judge_count(len(spans), parameters.relation, asked, "sentence", past_limit)


class ParagraphParameters(Parameters):
    """`num_paragraphs`: exactly so many."""

    num_paragraphs: Count


def judge_number_paragraphs(parameters: ParagraphParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of paragraphs between dividers `***`, exactly; an empty one between two dividers breaks it.

    Reference: any three asterisks divide, also those of `***bold***`. Repaired: only three that stand between blanks.
    """
    divider = _DIVIDER if behaviour is Behaviour.REFERENCE else _STANDING_DIVIDER
    starts, ends = [0], []
    for match in divider.finditer(reply):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(reply))
    filled = [bool(reply[start:end].strip()) for start, end in zip(starts, ends, strict=True)]
    for index in range(1, len(filled) - 1):
        if not filled[index]:
            return broken("an empty paragraph between two dividers", (ends[index - 1], starts[index + 1]))
    count = sum(filled)
    asked = parameters.num_paragraphs
    if count == asked:
        return FOLLOWED
    return broken(f"{counted(count, 'paragraph')} between dividers ***, {asked} asked")


class FirstWordParameters(Parameters):
    """How many paragraphs, which of them, and the word it begins with."""

    num_paragraphs: Annotated[int, Field(ge=1)]
    nth_paragraph: Annotated[int, Field(ge=1)]
    first_word: Annotated[str, AfterValidator(str.lower), Field(min_length=1)]

    @model_validator(mode="after")
    def _nth_exists(self) -> "FirstWordParameters":
        if self.nth_paragraph > self.num_paragraphs:
            raise ValueError(f"paragraph {self.nth_paragraph} of {self.num_paragraphs} does not exist")
        return self


def judge_nth_paragraph_first_word(parameters: FirstWordParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Exactly so many paragraphs, separated by two newlines, and the n-th begins with the word, in any case.

    Reference: blank paragraphs are left out of the number but not of the position, so that an extra blank line makes
    it look at the wrong paragraph. Repaired: left out of both.
    """
    pieces = _paragraphs(reply)
    filled = [(text, start) for text, start in pieces if text.strip()]
    if len(filled) != parameters.num_paragraphs:
        return broken(f"{counted(len(filled), 'paragraph')}, {parameters.num_paragraphs} asked")
    nth = parameters.nth_paragraph
    text, start = (pieces if behaviour is Behaviour.REFERENCE else filled)[nth - 1]
    if not text.strip():
        return broken(f"paragraph {nth} is blank", (start, start + len(text)))
    word = text.split(maxsplit=1)[0]
    if _bare(word) == parameters.first_word:
        return FOLLOWED
    begin = start + text.find(word)
    return broken(
        f"paragraph {nth} begins with '{word[:40]}', '{parameters.first_word}' asked", (begin, begin + len(word))
    )


def _paragraphs(reply: str) -> list[tuple[str, int]]:
    pieces, start = [], 0
    for text in reply.split("\n\n"):
        pieces.append((text, start))
        start += len(text) + 2
    return pieces


def _bare(word: str) -> str:
    """The word in lowercase, without quotation marks before it and from its first punctuation mark on."""
    letters = ""
    for letter in word.lstrip("'").lstrip('"'):
        if letter in _ENDS_FIRST_WORD:
            break
        letters += letter.lower()
    return letters


def _too_many_words(parameters: WordParameters, body: str) -> Iterator[str]:
    if parameters.relation is Relation.LESS_THAN:
        yield with_line(body, ENGLISH[0])
        yield with_line(body, "more " * max(parameters.num_words, 1))


def _too_many_sentences(parameters: SentenceParameters, body: str) -> Iterator[str]:
    if parameters.relation is Relation.LESS_THAN:
        yield with_line(body, ENGLISH[0])
        yield with_line(body, "It is so. " * max(parameters.num_sentences, 1))


def _wish_paragraphs(parameters: ParagraphParameters, wishes: Wishes) -> None:
    wishes.parts = Parts(parameters.num_paragraphs, "\n\n***\n\n")


def _wish_first_word(parameters: FirstWordParameters, wishes: Wishes) -> None:
    opening = (parameters.nth_paragraph, parameters.first_word)
    wishes.parts = Parts(parameters.num_paragraphs, "\n\n", opening)


NUMBER_WORDS = Constraint(
    "length_constraints:number_words",
    WordParameters,
    judge_number_words,
    wording="Write {relation} {num_words} words in your response.",
    wish=lambda asked, wishes: wishes.words.narrow(asked.relation, asked.num_words),
    breaches=_too_many_words,
    category=Category.LENGTH,
    in_paper=True,
    counts=True,
    place=14,
    stacked=9,
)
NUMBER_SENTENCES = Constraint(
    "length_constraints:number_sentences",
    SentenceParameters,
    judge_number_sentences,
    wording="Write {relation} {num_sentences} sentences in your response.",
    wish=lambda asked, wishes: wishes.sentences.narrow(asked.relation, asked.num_sentences),
    breaches=_too_many_sentences,
    counts=True,
    place=20,
)
NUMBER_PARAGRAPHS = Constraint(
    "length_constraints:number_paragraphs",
    ParagraphParameters,
    judge_number_paragraphs,
    wording="Write exactly {num_paragraphs} paragraphs, separated by the markdown divider ***",
    wish=_wish_paragraphs,
    breaches=lambda asked, body: ["\n\n***\n\n".join([body] * (asked.num_paragraphs + 3))],
    counts=True,
    place=21,
)
NTH_PARAGRAPH_FIRST_WORD = Constraint(
    "length_constraints:nth_paragraph_first_word",
    FirstWordParameters,
    judge_nth_paragraph_first_word,
    wording=(
        "Write exactly {num_paragraphs} paragraphs, separated by a blank line. Paragraph {nth_paragraph} must start "
        "with the word {first_word}."
    ),
    wish=_wish_first_word,
    counts=True,
    place=22,
)
