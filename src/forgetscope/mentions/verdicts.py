"""What a reply says of each option one by one, where a question asks which of them is not so.

"Whales and bats are mammals, penguins are birds" answers "Which is NOT a mammal?", and "A: true. B: false. C: true."
answers "Which statement is FALSE?": the option is chosen that is said not to be so, or the only one left.
"""

import re

from forgetscope.mentions.marks import MARK, options_of

_ASKS_WHAT_IS_NOT = re.compile(
    r"\b(?:NOT|EXCEPT|except|is not|are not|isn't|aren't|never|FALSE|false|INCORRECT|incorrect|untrue|UNTRUE)\b(.*)",
    re.DOTALL,
)
_ASKS_WHAT_IS_FALSE = re.compile(
    r"\b(?:false|incorrect|untrue|(?:not|except)[\w ]{0,20}\b(?:true|correct|accurate))\b", re.IGNORECASE
)
_FALSE = re.compile(r"\b(?:false|wrong|incorrect|untrue|inaccurate|not|never|no)\b|n't\b")
_TRUE = re.compile(r"\b(?:true|right|correct|holds?|accurate|yes)\b")
_ANSWERS = re.compile(r"\b(?:answer|choice|option|eliminat\w*|rul\w+ out|wrong|incorrect)\b")
_SO = re.compile(r"\b(?:yes|is one|are too|is too|does|do|is)\W*$")
_STOP = re.compile(r"(?<=[.;!?\n])\s+|\n|,\s(?=[^,]*[\ua000-\ua3ff])|\b(?:but|while|whereas|although|though)\b")
_ALL_BUT = re.compile(
    rf"\b(?:all|every\w*|each|any|both)\b[^.;:]{{0,60}}?"
    rf"\b(?:except|but|apart from|save|other than|besides)\s+(?:for\s+)?({MARK})"
)
_TIED = re.compile(rf"^(\W*{MARK})\s*\.", re.MULTILINE)
_WORD = re.compile(r"[^\W_]{3,}")
_PLAIN_WORDS = """
    the and for with that which who whose this these those are was were has have had does did its all following
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())


def asks_what_is_not(question: str) -> bool:
    """Whether a question asks which option is not so."""
    return _ASKS_WHAT_IS_NOT.search(question) is not None


def set_apart(marked: str, question: str, count: int) -> int | None:
    """The option that a reply says is not so, or of which alone it does not say that it is; None for no such option.

    Args:
        marked: The reply with a character for each mention, options side by side as one.
        question: What was asked.
        count: How many options there are.
    """
    asked = _ASKS_WHAT_IS_NOT.search(question)
    if asked is None:
        return None
    told = asked[1] if _WORD.search(asked[1]) else question[: asked.start()]
    kind = {_stem(word) for word in _WORD.findall(told.lower()) if word not in _PLAIN}
    is_so: set[int] = set()
    is_not: set[int] = set()
    for but in _ALL_BUT.findall(marked):
        is_not |= options_of(but)
    for clause in _STOP.split(_TIED.sub(r"\1:", _ALL_BUT.sub(" ", marked))):
        said = [options_of(mark) for mark in re.findall(MARK, clause)]
        if len(set(said)) != 1 or not said[0]:
            continue
        words = re.sub(MARK, " ", clause)
        verdict = _verdict(words, kind, is_of_truth=_ASKS_WHAT_IS_FALSE.search(question) is not None)
        if verdict is not None:
            (is_so if verdict else is_not).update(said[0])
    if len(is_not - is_so) == 1:
        return min(is_not - is_so)
    left = set(range(count)) - is_so
    return min(left) if len(left) == 1 else None


def _verdict(words: str, kind: set[str], *, is_of_truth: bool) -> bool | None:
    if is_of_truth:
        return False if _FALSE.search(words) else True if _TRUE.search(words) else None
    if _ANSWERS.search(words):
        return None
    is_of_kind = bool(kind & {_stem(word) for word in _WORD.findall(words)})
    if _FALSE.search(words):
        return False if is_of_kind or len(words.split()) < 4 else None
    return True if is_of_kind or _SO.search(words) else None


def _stem(word: str) -> str:
    return word[:5]
