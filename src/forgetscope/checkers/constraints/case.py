"""Constraints on capital and lowercase letters."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import islice

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
from forgetscope.checkers.detection import detect_language
from forgetscope.checkers.filler import ENGLISH, with_line
from forgetscope.checkers.punkt import cased_tokens, token_spans
from forgetscope.checkers.record import Category, Constraint, NoParameters, Parameters
from forgetscope.checkers.wishes import Wishes

_MIN_LETTERS_TO_JUDGE = 20
_RUN_GAP = re.compile(r"[\W\d_]*")


def _is_english(reply: str, behaviour: Behaviour) -> Verdict:
    """Whether the reply reads as English.

    Reference: langdetect on the reply as it is. It looks at the first letter only of a word in capitals, so English
    in capitals is often taken for another language; no evidence counts as followed.
    Repaired: langdetect on the reply in lowercase; fewer than 20 letters are too few to judge and count as followed.
    """
    if behaviour is Behaviour.REPAIRED:
        if sum(map(str.isalpha, reply[:1000])) < _MIN_LETTERS_TO_JUDGE:
            return FOLLOWED
        reply = reply.lower()
    detected = detect_language(reply)
    if detected is None or detected.code == "en":
        return FOLLOWED
    return broken(f"reads as {detected.code}, English asked")


def _first_run(reply: str, wrong: Collection[str]) -> tuple[int, int]:
    """The first stretch of these letters, over spaces and punctuation, up to the next right letter."""
    start = next(index for index, character in enumerate(reply) if character in wrong)
    end = start
    while end < len(reply) and reply[end] in wrong:
        end += 1
        if end < len(reply) and reply[end] not in wrong:
            gap = _RUN_GAP.match(reply, end)
            after = gap.end() if gap else end
            if after < len(reply) and reply[after] in wrong:
                end = after
    return start, end


def _judge_case(reply: str, behaviour: Behaviour, wrong_name: str, right_name: str) -> Verdict:
    is_wrong: Callable[[str], bool]
    if wrong_name == "lowercase":
        all_right, is_wrong = reply.isupper(), _is_not_upper
    else:
        all_right, is_wrong = reply.islower(), _is_not_lower
    if all_right:
        return _is_english(reply, behaviour)
    times = Counter(reply)
    letters = sum(times[character] for character in times if character.isalpha() or _is_cased(character))
    wrong = {character: count for character, count in times.items() if is_wrong(character)}
    if not wrong:
        return broken(f"no letter that could be {right_name}")
    return broken(f"{sum(wrong.values())} of {counted(letters, 'letter')} {wrong_name}", _first_run(reply, wrong))


def _is_cased(character: str) -> bool:
    return character.islower() or character.isupper() or character.istitle()


def _is_not_upper(character: str) -> bool:
    return character.islower() or (character.istitle() and not character.isupper())


def _is_not_lower(character: str) -> bool:
    return character.isupper() or (character.istitle() and not character.islower())


def judge_english_capital(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Every letter is a capital and the reply reads as English.

    Reference: `str.isupper` and langdetect on the capitals, see `_is_english` for its weakness and the repair.
    """
    return _judge_case(reply, behaviour, "lowercase", "capital")


def judge_english_lowercase(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Every letter is lowercase and the reply reads as English; as `judge_english_capital`, turned round."""
    return _judge_case(reply, behaviour, "capital", "lowercase")


class CapitalWordParameters(Parameters):
    """How many words in capitals, and in which relation."""

    capital_frequency: Count
    capital_relation: RelationField


def judge_capital_word_frequency(parameters: CapitalWordParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of words written in capitals.

    Reference and repaired: NLTK's word tokens for which `str.isupper` holds. "I", "A" and "U.S." count, a hyphenated
    word counts once.
    """
    del behaviour
    tokens = list(cased_tokens(reply))
    count = sum(map(str.isupper, tokens))
    asked = parameters.capital_frequency
    if parameters.capital_relation.holds(count, asked):
        return FOLLOWED
    spans = ((start, end) for token, start, end in token_spans(reply, tokens) if token.isupper())
    past_limit = next(islice(spans, max(asked - 1, 0), None), None)
    return judge_count(count, parameters.capital_relation, asked, "word", past_limit, "in capitals")


def _wish_capitals(_: NoParameters, wishes: Wishes) -> None:
    wishes.is_upper = True


def _wish_lowercase(_: NoParameters, wishes: Wishes) -> None:
    wishes.is_lower = True


def _too_many_capital_words(parameters: CapitalWordParameters, body: str) -> Iterator[str]:
    if parameters.capital_relation is Relation.LESS_THAN:
        yield with_line(body, ENGLISH[0])
        yield with_line(body, "YES " * max(parameters.capital_frequency, 1))


ENGLISH_CAPITAL = Constraint(
    "change_case:english_capital",
    NoParameters,
    judge_english_capital,
    wording="Write your entire response in English, using capital letters only.",
    wish=_wish_capitals,
    category=Category.CASE,
    in_paper=True,
    place=1,
    stacked=1,
)
ENGLISH_LOWERCASE = Constraint(
    "change_case:english_lowercase",
    NoParameters,
    judge_english_lowercase,
    wording="Write your entire response in English, using lowercase letters only. No capital letters are allowed.",
    wish=_wish_lowercase,
    category=Category.CASE,
    in_paper=True,
    place=2,
)
CAPITAL_WORD_FREQUENCY = Constraint(
    "change_case:capital_word_frequency",
    CapitalWordParameters,
    judge_capital_word_frequency,
    wording="Words in all capital letters must appear {capital_relation} {capital_frequency} times in your response.",
    wish=lambda asked, wishes: wishes.capital_words.narrow(asked.capital_relation, asked.capital_frequency),
    breaches=_too_many_capital_words,
    counts=True,
    place=16,
)
