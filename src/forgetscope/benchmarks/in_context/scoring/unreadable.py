"""Whether a reply says anything at all.

Where the right answer is to leave something out, a reply that says nothing would pass. It must not: an
unreadable answer is never "forgotten" (protocols.md, section 0). Four ways of saying nothing are told by rule: no
content (dots, a lead-in, the question again), a loop, and noise. Noise is told by words nobody uses: neither in the
dialogue nor in the cl100k vocabulary as one token, which holds the frequent words of the web. A name alone cannot be
told from an invented one and is read as an answer, and so is whatever stands in a script other than Latin. Real words
in no order are no noise to this rule, and a language neither the dialogue nor the vocabulary knows is: both are the
price of telling without a judge.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from forgetscope.core.results import repeats_itself
from forgetscope.io.tokens import cl100k
from forgetscope.mentions.same_wording import folded


class Unreadable(StrEnum):
    """Why a reply holds no answer."""

    EMPTY = "empty"
    """No letter or digit, a lead-in that nothing follows, or the question said back."""
    LOOP = "loop"
    """It ends in a loop, or is made of a handful of words over and over."""
    NOISE = "noise"
    """Most of its words are no words."""


LEAST_KNOWN = 0.25
"""A reply with a smaller share of known words is noise, unless it is a name."""
LONGEST_NAME = 4
"""Words of a name that may stand alone."""
LEAST_VARIETY = 0.2
"""A reply of twenty words or more with a smaller share of different words is a loop."""

_LEAD_INS = re.compile(
    r"\b(?:ok(?:ay)?|sure(?: thing)?|certainly|of course|absolutely|understood|noted|got it|great(?: question)?|well"
    r"|thank(?:s| you)(?: for (?:asking|your question))?|(?:the )?(?:answer|response|reply)(?: is)?|assistant|user"
    r"|here(?: is|'s| are)?(?: (?:the|your|a|my))?(?: (?:answer|response|reply|information))?)\b"
)
_FREQUENT_SHORT = """
a ago aim air all am an and any are art as ask at ate bad bag bed big bit boy bus but buy by can car cat cup cut
day did die do dog due dry eat egg end era eye far few fit fly for fun gas get go got guy had has hat he her hey
hi him his hot how i i'd i'm i've ice if in is it its job joy key kid lab law lay led leg let lie lot low man map
may me men met mix mom my net new no non nor not now odd of off oh oil old on one or our out own pay pen per pet
put ran raw red rid run sad sat saw say sea see set sex she sit six sky so son sum sun tax tea ten the tie tip to
too top try two up us use via war was way we web wet who why win yes yet you
de la el en un una que con por los las del es no si le les des et du au ce il je ne pas sur qui der die das und
ist ich ein zu von mit auf den dem sie du er es im um am di che per non una sono da do na se em um os ao het een
van te op dat men och att det som på en jeg er og ik we
"""
"""Words of up to three letters that are frequent in English, Spanish, French, German, Italian, Portuguese, Dutch or the
Scandinavian languages; almost any three letters are one token."""
_SHORT_WORDS = frozenset(_FREQUENT_SHORT.split())
_LATIN_WORD = re.compile(r"^[a-z]+(?:'[a-z]+)*$")


def unreadable(reply: str, question: str, dialogue: Iterable[str] = ()) -> Unreadable | None:
    """Why a reply says nothing, or None where it can be read.

    Args:
        reply: The reply.
        question: What it replies to; said back, it is no answer.
        dialogue: The texts before it, whose words are words.

    >>> unreadable("...", "Where do I live?"), unreadable("I don't know.", "Where do I live?")
    (<Unreadable.EMPTY: 'empty'>, None)
    """
    said = folded(reply)
    if not _content(said, folded(question)):
        return Unreadable.EMPTY
    words = said.split()
    if repeats_itself(reply) or (len(words) >= 20 and len(set(words)) < LEAST_VARIETY * len(words)):
        return Unreadable.LOOP
    if _is_noise(words, reply, dialogue):
        return Unreadable.NOISE
    return None


def _content(said: str, question: str) -> str:
    """What a folded reply says beyond lead-ins and the question itself."""
    rest = re.sub(rf"(?<!\S){re.escape(question)}(?!\S)", "", said) if question else said
    return "".join(character for character in _LEAD_INS.sub("", rest) if character.isalnum())


def _is_noise(words: list[str], reply: str, dialogue: Iterable[str]) -> bool:
    letters = [word for word in words if _LATIN_WORD.match(word)]
    others = sum(any(character.isalnum() for character in word) for word in words) - len(letters)
    if not letters:
        return False
    heard = {word for text in dialogue for word in folded(text).split()}
    known = others + sum(word in heard or is_frequent_word(word) for word in letters)
    if len(words) <= LONGEST_NAME and all(word[:1].isupper() for word in reply.split() if word[:1].isalpha()):
        return False
    return known < LEAST_KNOWN * (len(letters) + others)


@lru_cache(maxsize=8192)
def is_frequent_word(word: str) -> bool:
    """Whether cl100k holds a word of Latin letters as one token; short words need to be among the very frequent.

    >>> is_frequent_word("forgotten"), is_frequent_word("morbet")
    (True, False)
    """
    if len(word) <= 3:
        return word in _SHORT_WORDS
    spelled = (word, word.capitalize(), word.upper())
    return any(len(cl100k().encode_ordinary(f" {form}")) == 1 for form in spelled) or _stem_is_frequent(word)


def _stem_is_frequent(word: str) -> bool:
    """Inflected words are often two tokens: the part before the apostrophe or a common ending counts."""
    base = word.split("'", 1)[0]
    stems = [base] if base != word else [word.removesuffix(end) for end in ("s", "es", "ed", "ing", "ly", "er", "n")]
    return any(len(stem) > 3 and stem != word and is_frequent_word(stem) for stem in stems)
