"""The option of which a reply says what was asked: "Plants release oxygen and absorb carbon dioxide"."""

import re
from collections import defaultdict
from collections.abc import Iterator

from forgetscope.mentions.marks import MARK, option_of

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
    asked = {_stem(word) for word in _ASKED.findall(question)}
    return _most_told(_by_clause(marked, asked)) if asked else (None, False)


def _by_clause(marked: str, asked: set[str]) -> Iterator[tuple[int, set[str], set[str]]]:
    """Of every option in a clause the question's words in it, and those of the clause before, whose subject it has."""
    before: set[str] = set()
    for clause in _CLAUSE.split(marked):
        words = asked & {_stem(word) for word in re.findall(r"[^\W_]+", re.sub(MARK, " ", clause))}
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


def _stem(word: str) -> str:
    return _VERB.get(word.lower(), word.lower())[:5]
