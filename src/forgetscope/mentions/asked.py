"""What a reply says of what was asked: of which option, and, where a question asks what is not so, of which it is not.

"Plants release oxygen and absorb carbon dioxide" says of one gas that it is absorbed. "Whales and bats are mammals,
penguins are birds" answers "Which is NOT a mammal?", and "A: true. B: false. C: true." answers "Which statement is
FALSE?": the option is chosen that is said not to be so, or the only one left.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from forgetscope.mentions.marks import MARK, option_of, options_of

_ASKED = re.compile(r"[^\W\d_]{4,}|\d+|\b[A-Z]{2,3}\b")
_CLAUSE = re.compile(r"[.;:!?\n]|,\s(?=[^,]*[\ua000-\ua3ff])|\b(?:but|while|whereas)\b|(?=\band\b)")
_FORMS = """
    begin began begun / fall fell fallen / write wrote written / build built / find found / rise rose risen / lead led
    give gave given / make made / come came / take took taken / become became / win won / lose lost / speak spoke spoken
    fight fought / teach taught / hold held / bring brought / know known knew / grow grew grown / sink sank sunk
    sing sang sung / die died death / choose chose chosen
"""
_VERB = {form: verb.split()[0] for verb in re.split("[/\n]", _FORMS) for form in verb.split()}


_FAR = 0.9
"""Words by which one option leads."""


def asked_for(marked: str, question: str) -> tuple[int | None, bool]:
    """The option whose clause has most of the question's words, one that others have too counting less; if by far."""
    asked = {_verb_stem(word) for word in _ASKED.findall(question)}
    return _most_told(_by_clause(marked, asked)) if asked else (None, False)


def _by_clause(marked: str, asked: set[str]) -> Iterator[tuple[int, set[str], set[str]]]:
    """Of every option in a clause the question's words in it, and those of the clause before, whose subject it has."""
    before: set[str] = set()
    for clause in _CLAUSE.split(marked):
        words = asked & {_verb_stem(word) for word in re.findall(r"[^\W_]+", re.sub(MARK, " ", clause))}
        for mark in re.findall(MARK, clause):
            if (option := option_of(mark)) is not None:
                yield option, words, before - words if clause.startswith("and") else set()
        before = words


def _most_told(told: Iterator[tuple[int, set[str], set[str]]]) -> tuple[int | None, bool]:
    pieces = list(told)
    options_with = defaultdict[str, set[int]](set)
    for option, words, _ in pieces:
        for word in words:
            options_with[word].add(option)
    shares: dict[int, float] = {}
    for option, words, inherited in pieces:
        share = sum(1 / len(options_with[word]) for word in words) + 0.45 * len(inherited)
        shares[option] = max(shares.get(option, 0.0), share)
    ranked = sorted(shares.values(), reverse=True)
    best = [option for option, share in shares.items() if share == ranked[0] > 0]
    return (best[0], ranked[0] - sum(ranked[1:2]) > _FAR) if len(best) == 1 else (None, False)


def _verb_stem(word: str) -> str:
    return _VERB.get(word.lower(), word.lower())[:5]


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
