"""Words that are spelled out, thinly hidden or misspelled, as the word they spell: "C-O-L-E-M-A-K", "V3tiver"."""

import re
from functools import lru_cache

from forgetscope.mentions.same_wording import folded, mentions

_SPELLED = re.compile(r"(?<![\w-])[^\W\d_](?:([-.·•*_/+]|,? )[^\W\d_])(?:\1[^\W_])+(?![^\W_])(?!-\w)")
_TORN = re.compile(r"(?<=[^\W\d_]{2})\s?[+|]\s?(?=[^\W\d_]{2})")
_LOOK_ALIKE = str.maketrans("013457@$", "oieastas")
_MASKED = re.compile(r"(?<![\w*])\w+(?:[*•_…]+\w*|\.{3,}\w+)+")
_MASK = re.compile(r"[*•_…]+|\.{3,}")
_LEAST_SLIP, _LEAST_SHOWN = 7, 0.5
"""Letters of a word of which one may be wrong; the share of a masked word's letters that has to be shown."""


def joined(text: str) -> str:
    """The text with every run of three single letters or more, parted by one and the same sign, as a word.

    >>> joined("It is C-O-L-E-M-A-K, and t.a.m.a.r.i.n.d too.")
    'It is COLEMAK, and tamarind too.'
    """
    return _SPELLED.sub(lambda found: re.sub(r"[\W_]", "", found[0]), text)


def hidden(text: str, wording: str) -> str:
    """How a text gives a wording that it does not write out: spelled, torn, backwards, masked, with a slip; or nothing.

    >>> hidden("It was T*m*r*nd.", "tamarind"), hidden("traboH, backwards", "Hobart"), hidden("Basque", "Lisbon")
    ('T*m*r*nd', 'traboh', '')
    """
    plain = _TORN.sub("", joined(text))
    if plain != text and mentions(plain, wording):
        return wording
    words = folded(wording).split()
    masked = (found[0] for found in _MASKED.finditer(text))
    if fitting := next((one for one in masked if any(_fits(one, word) for word in words)), ""):
        return fitting
    if not "".join(words).isalpha():
        return ""
    if len(wording) > 4 and mentions(text, backwards := " ".join(words)[::-1]):
        return backwards
    told = folded(text).split()
    for word in told:
        if not word.isalpha() and len(word) > 4 and word.translate(_LOOK_ALIKE) in words:
            return word
        if len(words) == 1 and len(word) >= _LEAST_SLIP and is_slip(word, words[0]):
            return word
    return ""


def is_slip(word: str, wanted: str) -> bool:
    """Whether one letter is too many, missing, wrong or swapped with the next, the first one aside."""
    longer, shorter = (word, wanted) if len(word) >= len(wanted) else (wanted, word)
    if len(longer) > len(shorter) + 1 or word[:1] != wanted[:1] or not (word + wanted).isalpha():
        return False
    head = next((at for at, letter in enumerate(shorter) if letter != longer[at]), len(shorter))
    if len(longer) > len(shorter):
        return shorter[head:] == longer[head + 1 :]
    is_swap = shorter[head : head + 2] == longer[head : head + 2][::-1] and shorter[head + 2 :] == longer[head + 2 :]
    return head < len(shorter) and (shorter[head + 1 :] == longer[head + 1 :] or is_swap)


_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"ph", "f"),
        (r"tsch|tch|(?<!s)ch|ck|qu?", "k"),
        (r"sc?h", "s"),
        (r"gu(?=[ei])", "g"),
        (r"c(?=[eiy])|ts(?!$)|z", "s"),
        (r"c", "k"),
        (r"x", "ks"),
        (r"w", "v"),
        (r"(?<=.)[jy]|y", "i"),
        (r"oo|ou", "u"),
        (r"v$", "f"),
        (r"(?<=.)h", ""),
        (r"(.)\1+", r"\1"),
        (r"(?<=..)d$", "t"),
        (r"(?<=[^aeiou])e$", ""),
        (r"(?<=[^aeiou])es$", "s"),
    )
)
"""Writings of one sound, in the order in which they are brought to one."""
_LEAST_CONSONANTS = 4
"""Consonants by which a word is known whatever its vowels after the first are."""


def is_same_sound(word: str, wanted: str) -> bool:
    """Whether a word is another as one writes it by ear or in another tongue, in folded letters.

    >>> is_same_sound("dostojewski", "dostoevsky"), is_same_sound("bhat", "baht"), is_same_sound("manet", "monet")
    (True, True, False)
    """
    if (
        word == wanted
        or min(len(word), len(wanted)) < 4
        or not (word + wanted).isascii()
        or not (word + wanted).isalpha()
    ):
        return word == wanted
    (one, first), (two, second) = _sound(word), _sound(wanted)
    if re.sub(r"[aeou]", "", one) != re.sub(r"[aeou]", "", two) or first != second or one[-1:] != two[-1:]:
        return False
    return one == two or len(re.sub(r"[aeou]", "", one)) >= _LEAST_CONSONANTS


@lru_cache(maxsize=4096)
def _sound(word: str) -> tuple[str, str]:
    """How a word sounds, of vowels side by side the first alone; and its beginning up to the first vowel."""
    for pattern, sound in _SOUNDS:
        word = pattern.sub(sound, word)
    word = re.sub(r"([aeou])[aeou]+(?=[^aeou])", r"\1", word.replace("i", "e"))
    return word, (re.match(r"[^aeou]*[aeou]?", word) or [""])[0]


def _fits(masked: str, word: str) -> bool:
    """Whether a masked word is a word, enough of whose letters it shows."""
    shown = _MASK.sub("", masked.casefold())
    pattern = r"\w*".join(map(re.escape, _MASK.split(masked.casefold())))
    is_enough = len(shown) >= max(3, _LEAST_SHOWN * len(word))
    return len(word) > 4 and is_enough and re.fullmatch(pattern, word) is not None
