"""Which words, in which order and place: IFBench's `words:` and `sentence:`."""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Annotated, Any

from pydantic import Field

from forgetscope.checkers.base import counted
from forgetscope.checkers.ifbench.counts import Keyword, SmallNumber
from forgetscope.checkers.ifbench.record import ifbench, unless
from forgetscope.checkers.ifbench.texts import (
    bare_words,
    is_verb,
    one_sentence,
    sentences,
    syllables,
    tokens,
    trimmed,
    unpunctuated,
    words_among,
)
from forgetscope.checkers.record import Constraint, NoParameters, Parameters

_PRIMES = frozenset(size for size in range(2, 100) if all(size % low for low in range(2, size)))
_CLUSTER = re.compile(r"[b-df-hj-np-tv-z]{2}")
_FEWEST_PALINDROMES, _SHORTEST_PALINDROME, _MOST_VOWELS = 10, 5, 3
_PALINDROMES = "level radar civic refer madam kayak rotor tenet solos stats"

Place = Annotated[int, Field(ge=1)]


class KeywordInSentence(Parameters):
    """`word`, and in which sentence, `N`, from 1."""

    word: Annotated[str, Field(min_length=1)]
    N: Place


class KeywordAtPlace(Parameters):
    """`keyword`, in which sentence, `n`, and as which word of it, `m`; both from 1."""

    keyword: Keyword
    n: Place
    m: Place


class OneKeyword(Parameters):
    """`keyword`: which word."""

    keyword: Keyword


def _alphabet(words: Sequence[str]) -> str:
    """Each word begins with the letter after the one before."""
    letters = string.ascii_lowercase
    if not words:
        return "no words"
    expected = words[0][0].lower()
    if expected not in letters:
        return f"'{words[0][:40]}' does not begin with a letter from A to Z"
    for word in words[1:]:
        expected = letters[(letters.index(expected) + 1) % len(letters)]
        if word[0].lower()[:1] != expected:
            return f"'{word[:40]}' where a word with {expected.upper()} is due"
    return ""


def _vowels(_: NoParameters, reply: str) -> str:
    text = reply.strip().lower()
    if "\n" in text:
        return f"{counted(text.count(chr(10)) + 1, 'line')}, one paragraph asked"
    found = sorted(set(text) & set("aeiou"))
    return unless(len(found) <= _MOST_VOWELS, f"uses the vowels {' '.join(found)}")


def _clusters(words: Sequence[str]) -> str:
    without = next((word for word in words if not _CLUSTER.search(word)), None)
    return unless(without is None, f"no two consonants together in '{(without or '')[:40]}'")


def _runs(sentence: str) -> list[int]:
    """How many words stand in each row of words with the same first letter, where there are two or more."""
    words = [bare for word in sentence.lower().split() if (bare := word.lstrip(string.punctuation + " "))]
    runs: list[int] = []
    goes_on = False
    for word, following in pairwise(words):
        if word[0] != following[0]:
            goes_on = False
        elif goes_on:
            runs[-1] += 1
        else:
            runs.append(2)
            goes_on = True
    return runs


def _growing(reply: str, size: Callable[[Sequence[int]], int]) -> str:
    sizes = [size(_runs(sentence)) for sentence in sentences(reply)]
    fault = next((place for place, (now, later) in enumerate(pairwise(sizes), start=2) if later <= now), None)
    return unless(fault is None, f"sentence {fault} has no longer row of alliterating words than the one before")


def _palindromes(_: NoParameters, reply: str) -> str:
    words = unpunctuated(reply).lower().split()
    found = sum(len(word) >= _SHORTEST_PALINDROME and word == word[::-1] for word in words)
    return unless(found >= _FEWEST_PALINDROMES, f"{counted(found, 'palindrome')}, at least {_FEWEST_PALINDROMES} asked")


def _primes(words: Sequence[str]) -> str:
    wrong = next((word for word in words if len(word) not in _PRIMES), None)
    return unless(wrong is None, f"'{(wrong or '')[:40]}' has {counted(len(wrong or ''), 'letter')}, no prime number")


def _starts_with_verb(_: NoParameters, reply: str) -> str:
    first = next(iter(tokens(reply)), "")
    return unless(is_verb(first), f"begins with '{first[:40]}', which is no verb we know")


def _repeats(asked: SmallNumber, reply: str) -> str:
    found = Counter(unpunctuated(reply.lower()).split()).most_common(1)
    word, count = found[0] if found else ("", 0)
    holds = count <= asked.small_n
    return unless(holds, f"'{word[:40]}' {counted(count, 'time')}, no more than {asked.small_n} asked")


def _parities(_: NoParameters, reply: str) -> str:
    words = unpunctuated(reply).lower().split()
    for word, following in pairwise(words):
        if syllables(word) % 2 == syllables(following) % 2:
            return f"'{word[:40]}' and '{following[:40]}' both have an odd or both an even number of syllables"
    return ""


def _linked(_: NoParameters, reply: str) -> str:
    edges = string.punctuation + " "
    for sentence, following in pairwise(sentences(reply)):
        last, first = sentence.rstrip(edges).split()[-1:], following.lstrip(edges).split()[:1]
        if not last or not first or last[0].lower() != first[0].lower():
            return f"a sentence ends with '{''.join(last)[:40]}', the next begins with '{''.join(first)[:40]}'"
    return ""


def _same_ends(reply: str, words_of: Callable[[str], Sequence[str]]) -> str:
    for paragraph in reply.split("\n"):
        words = words_of(paragraph.strip().lower())
        if words and words[0] != words[-1]:
            return f"a paragraph begins with '{words[0][:40]}' and ends with '{words[-1][:40]}'"
    return ""


def _first_letters(words: Sequence[str]) -> str:
    for word, following in pairwise(words):
        if word[0] == following[0]:
            return f"'{word[:40]}' and '{following[:40]}' begin with the same letter"
    return ""


def _keyword_at(asked: KeywordAtPlace, reply: str, words_of: Callable[[str], Sequence[str]]) -> str:
    found = sentences(reply)
    if len(found) < asked.n:
        return f"{counted(len(found), 'sentence')}, no number {asked.n}"
    words = words_of(found[asked.n - 1])
    if len(words) < asked.m:
        return f"sentence {asked.n} has {counted(len(words), 'word')}, no number {asked.m}"
    word = words[asked.m - 1]
    return unless(word.lower() == asked.keyword.lower(), f"word {asked.m} of sentence {asked.n} is '{word[:40]}'")


def _second_words(asked: OneKeyword, words: Sequence[str]) -> str:
    if len(words) < 2:
        return f"{counted(len(words), 'word')}, no second one"
    second, second_to_last = words[1], words[-2]
    holds = second.lower() == second_to_last.lower() == asked.keyword.lower()
    return unless(holds, f"second word '{second[:40]}', second to last '{second_to_last[:40]}'")


def _keyword_in(asked: KeywordInSentence, reply: str) -> str:
    found = sentences(reply)
    if len(found) < asked.N:
        return f"{counted(len(found), 'sentence')}, no number {asked.N}"
    holds = re.search(rf"\b{re.escape(asked.word)}\b", found[asked.N - 1], re.IGNORECASE) is not None
    return unless(holds, f"no '{asked.word}' in sentence {asked.N}")


def _longer_each(asked: SmallNumber, reply: str) -> str:
    sizes = [len(unpunctuated(sentence).split()) for sentence in sentences(reply)]
    for place, (now, later) in enumerate(pairwise(sizes), start=2):
        if later != now + asked.small_n:
            return f"sentence {place} has {counted(later, 'word')}, {now + asked.small_n} due"
    return ""


def _fewer_vowels(_: NoParameters, body: str) -> list[str]:
    line = " ".join(body.split())
    kept = set([vowel for vowel in dict.fromkeys(line.lower()) if vowel in "aeiou"][:_MOST_VOWELS])
    return ["".join(letter for letter in line if letter.lower() not in set("aeiou") - kept)]


def _thinned(asked: SmallNumber, body: str) -> list[str]:
    seen: Counter[str] = Counter()
    kept = []
    for word in body.split():
        seen[unpunctuated(word.lower())] += 1
        if seen[unpunctuated(word.lower())] <= asked.small_n:
            kept.append(word)
    return [" ".join(kept), "Done."]


def _unlike(_: NoParameters, body: str) -> list[str]:
    kept: list[str] = []
    for word in bare_words(body):
        if not kept or kept[-1][0].lower() != word[0].lower():
            kept.append(word)
    return [" ".join(kept), "Yes."]


def _grown(asked: SmallNumber, body: str) -> list[str]:
    first = one_sentence(body)
    so = ["so"] * (len(unpunctuated(first).split()) + asked.small_n - 1)
    short = ["so"] * asked.small_n
    return [f"{first}. {' '.join(['Yes', *so])}.", f"Yes. {' '.join(['Yes', *short])}."]


TABLE: tuple[Constraint[Any], ...] = (
    ifbench(
        "words:alphabet",
        NoParameters,
        lambda _, reply: _alphabet(unpunctuated(reply).split()),
        "Begin each word with the next letter of the alphabet, and after Z with A again.",
        repaired=lambda _, reply: _alphabet(bare_words(unpunctuated(reply))),
        follow=lambda _, __: ["A big cat dances every Friday."],
    ),
    ifbench(
        "words:vowel",
        NoParameters,
        _vowels,
        "Write one paragraph in which no more than three kinds of vowels occur.",
        follow=_fewer_vowels,
    ),
    ifbench(
        "words:consonants",
        NoParameters,
        lambda _, reply: _clusters(reply.lower().split()),
        "Use only words in which two or more consonants stand together.",
        repaired=lambda _, reply: _clusters(bare_words(reply.lower())),
        follow=lambda _, __: ["Strong winds first struck small ships."],
    ),
    ifbench(
        "words:palindrome",
        NoParameters,
        _palindromes,
        "Use at least ten palindromes of a single word in your response, each of five letters or more.",
        follow=lambda _, body: [f"{body}\n{_PALINDROMES}"],
        counts=True,
    ),
    ifbench(
        "words:prime_lengths",
        NoParameters,
        lambda _, reply: _primes(unpunctuated(reply).split()),
        "Use only words whose number of letters is a prime number.",
        repaired=lambda _, reply: _primes(bare_words(unpunctuated(reply))),
        follow=lambda _, __: ["We can see the red fox."],
        counts=True,
    ),
    ifbench(
        "words:start_verb",
        NoParameters,
        _starts_with_verb,
        "Begin your response with a verb.",
        follow=lambda _, body: [f"Consider this: {body}"],
    ),
    ifbench(
        "words:repeats",
        SmallNumber,
        _repeats,
        "Use no word more than {small_n} times in your response.",
        follow=_thinned,
        spoil=lambda asked: "the " * (asked.small_n + 1),
        counts=True,
    ),
    ifbench(
        "words:odd_even_syllables",
        NoParameters,
        _parities,
        "Let words with an odd and words with an even number of syllables take turns.",
        follow=lambda _, __: ["Big happy dog, very red."],
        counts=True,
    ),
    ifbench(
        "words:last_first",
        NoParameters,
        _linked,
        "Begin each sentence with the last word of the sentence before.",
        follow=lambda _, body: [f"{one_sentence(body)} and so on. On it goes."],
        spoil=lambda _: "It is so. That will do.",
    ),
    ifbench(
        "words:paragraph_last_first",
        NoParameters,
        lambda _, reply: _same_ends(reply, lambda paragraph: trimmed(paragraph).split()),
        "End each paragraph with the word it began with; a new line begins a new paragraph.",
        repaired=lambda _, reply: _same_ends(reply, bare_words),
        follow=lambda _, body: ["\n".join(f"Well {line} well" for line in body.split("\n") if bare_words(line))],
    ),
    ifbench(
        "words:no_consecutive",
        NoParameters,
        lambda _, reply: _first_letters(unpunctuated(reply.lower()).split()),
        "Let no two words next to each other begin with the same letter.",
        repaired=lambda _, reply: _first_letters(bare_words(unpunctuated(reply.lower()))),
        follow=_unlike,
        spoil=lambda _: "so so",
    ),
    ifbench(
        "words:keywords_specific_position",
        KeywordAtPlace,
        lambda asked, reply: _keyword_at(asked, reply, tokens),
        "Use the keyword {keyword} in sentence number {n}, as its word number {m}.",
        repaired=lambda asked, reply: _keyword_at(asked, reply, lambda sentence: words_among(tokens(sentence))),
        follow=lambda asked, _: [
            "It is so. " * (asked.n - 1) + " ".join([*["So"] * (asked.m - 1), asked.keyword, "it is."])
        ],
        counts=True,
    ),
    ifbench(
        "words:words_position",
        OneKeyword,
        lambda asked, reply: _second_words(asked, tokens(reply)),
        "Let the second word of your response, and the last but one, be the word {keyword}.",
        repaired=lambda asked, reply: _second_words(asked, words_among(tokens(reply))),
        follow=lambda asked, body: [f"The {asked.keyword} {body} {asked.keyword} again"],
    ),
    ifbench(
        "sentence:keyword",
        KeywordInSentence,
        _keyword_in,
        'Use the keyword "{word}" in sentence number {N} of your response.',
        follow=lambda asked, body: ["It is so. " * (asked.N - 1) + f"Here {asked.word} {one_sentence(body)}"],
        counts=True,
    ),
    ifbench(
        "sentence:alliteration_increment",
        NoParameters,
        lambda _, reply: _growing(reply, sum),
        "Give each sentence a longer row of alliterating words than the sentence before it.",
        repaired=lambda _, reply: _growing(reply, lambda runs: max(runs, default=0)),
        follow=lambda _, __: ["It ran home. Big bears nap. Some silly snakes sing."],
        spoil=lambda _: "It ran. We ate. You sat.",
        counts=True,
    ),
    ifbench(
        "sentence:increment",
        SmallNumber,
        _longer_each,
        "Let each sentence have exactly {small_n} words more than the sentence before it.",
        follow=_grown,
        spoil=lambda asked: "It is so. So. That " + "will " * (asked.small_n + 5) + "do. So.",
        counts=True,
    ),
)
