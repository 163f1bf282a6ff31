"""How IFBench's checks cut a text: words, sentences, punctuation, emoji, syllables; and the lists of words they know.

The published checks know only ASCII's punctuation; ours, repaired, know a word by its letters and digits.
"""

import re
import string
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from forgetscope.checkers.base import straight_quotes
from forgetscope.checkers.punkt import counting_tokenizer, sentence_spans, word_tokens
from forgetscope.io.received import read_settings_file

_WORD_LISTS = TypeAdapter(dict[str, list[str]])
_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_BARE = re.compile(r"[^\W_](?:\S*[^\W_])?")
_WORDS_WITH_APOSTROPHES = re.compile(r"\w+(?:['’]\w+)*")
_CLOSERS = "\"'”’)]}*_ \n"
_END_OF_SENTENCE = re.compile(r"[.!?]+(?=[\s\"')*_]|$)")


@cache
def word_list(name: str) -> tuple[str, ...]:
    """A list of `word_lists.json` by its name."""
    lines = _WORD_LISTS.validate_python(read_settings_file(Path(__file__).with_name("word_lists.json")))[name]
    divider = "|" if any("|" in line for line in lines) else None
    return tuple(entry for line in lines for entry in line.split(divider) if entry)


def sentences(text: str) -> list[str]:
    """The sentences of a text as NLTK's English Punkt model cuts them."""
    return list(_sentences(text))


@lru_cache(maxsize=64)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in sentence_spans(text))


@lru_cache(maxsize=64)
def tokens(text: str) -> tuple[str, ...]:
    """NLTK's word tokens; punctuation marks are tokens of their own."""
    return tuple(word_tokens(text))


def words_among(found: tuple[str, ...]) -> list[str]:
    """The tokens that hold a letter or a digit."""
    return [token for token in found if any(map(str.isalnum, token))]


def unpunctuated(text: str) -> str:
    """The text without ASCII's punctuation marks: `well-known` becomes `wellknown`."""
    return text.translate(_DELETE_PUNCTUATION)


def trimmed(word: str) -> str:
    """The word without ASCII's punctuation and blanks at its ends."""
    return word.strip(string.punctuation + " ")


def counted_words(text: str) -> list[str]:
    """Runs of letters, digits and underscores: `don't` is two."""
    return list(counting_tokenizer().tokenize(text))


def whole_words(text: str) -> list[str]:
    """The same with an apostrophe between letters inside its word."""
    return _WORDS_WITH_APOSTROPHES.findall(text)


def bare_words(text: str) -> list[str]:
    """The words between blanks from their first letter or digit to their last; what has neither is no word."""
    return [found[0] for word in text.split() if (found := _BARE.search(word))]


def ends_with(sentence: str, mark: str) -> bool:
    """Whether a sentence ends with this mark, quotation marks, brackets and Markdown behind it aside."""
    return sentence.rstrip(_CLOSERS).endswith(mark)


def plain_quotes(text: str) -> str:
    """Straight quotation marks, without the apostrophes inside words."""
    return re.sub(r"(?<=\w)'(?=\w)", "", straight_quotes(text))


@cache
def _emoji() -> frozenset[str]:
    spans = (entry.partition("-") for entry in word_list("emoji"))
    return frozenset(chr(code) for low, _, high in spans for code in range(int(low, 16), int(high or low, 16) + 1))


def is_emoji(character: str) -> bool:
    """Whether one character is an emoji of Unicode by itself; a flag is made of two that are none."""
    return character in _emoji()


def ends_in_emoji(text: str) -> bool:
    """Whether the last thing of a text is an emoji, flags and keycaps among them."""
    text = text.rstrip("\ufe0f\u200d\u20e3 \n")
    return bool(text) and (is_emoji(text[-1]) or "\U0001f1e6" <= text[-1] <= "\U0001f1ff")


def syllables(word: str) -> int:
    """How many syllables a lowercase word has by rule: groups of vowels, less a silent e; 0 for one with a digit.

    The published check looks 6,392 words up in a dictionary (syllapy) first, which we do not carry.
    """
    if not word or any(map(str.isdigit, word)):
        return 0
    groups = len(re.findall(r"[aeiouy]+", word))
    is_silent = word.endswith("e") and not re.search(r"[^aeiouy]le$", word)
    return max(1, groups - is_silent)


@cache
def _verb_forms() -> frozenset[str]:
    return frozenset((*word_list("verbs"), *word_list("irregular_verb_forms")))


def is_verb(word: str) -> bool:
    """Whether a word is a verb of our list of 418 common ones, in any of its regular forms, or an irregular form.

    The published check asks NLTK's tagger, whose model no package carries.
    """
    word = word.lower()
    stems = {word}
    for ending, restored in (("ing", ("", "e")), ("ed", ("", "e")), ("s", ("",)), ("es", ("",)), ("ies", ("y",))):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending)
            stems.update(stem + letter for letter in restored)
            if len(stem) > 3 and stem[-1] == stem[-2]:
                stems.add(stem[:-1])
    return not stems.isdisjoint(_verb_forms())


def one_sentence(text: str) -> str:
    """The text in one line with no end of a sentence in it and none behind it; to build replies with."""
    return _END_OF_SENTENCE.sub(";", " ".join(text.split())).rstrip("; ")


def coined(number: int) -> list[str]:
    """So many different words that mean nothing; to build replies with."""
    return list(_coined(number))


def _coined(number: int) -> Iterator[str]:
    consonants, vowels = "bdfgklmnprtvz", "aeiou"
    parts = [first + second for first in consonants for second in vowels]
    for index in range(number):
        word, rest = "", index
        for _ in range(4):
            rest, place = divmod(rest, len(parts))
            word += parts[place]
        yield word
