"""Which of several names of a sentence the words of a question stand nearest to."""

import re
from collections.abc import Callable, Sequence

CLAUSE_END = re.compile(
    r"[,;:()\[\]—–]|\.{2,}|…|\s-\s|\b(?:but|so|because|since|however|therefore|although|though|while|whereas|which|who|and)\b",
    re.IGNORECASE,
)
_APART = re.compile(rf"{CLAUSE_END.pattern}|\b(?:and|or|before|after|than)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_OVER_A_CLAUSE = 40
"""Characters that the end of a clause counts for."""


def shares(
    names: Sequence[tuple[int, int]], text: str, start: int, end: int, is_asked: Callable[[str], bool]
) -> list[int]:
    """How many words of the question, of those in a sentence, stand nearest to each of its names.

    Args:
        names: Where the names begin and end in the text.
        text: The reply.
        start: Where the sentence begins.
        end: Where it ends.
        is_asked: Whether a word is one of the question's.

    >>> said = "Bats fly and eggs are laid by birds."
    >>> shares([(0, 4), (30, 35)], said, 0, len(said), "laid eggs".__contains__)
    [0, 2]
    """
    drawn = [0] * len(names)
    ends = [match.start() for match in _APART.finditer(text, start, end)]
    for word in _WORD.finditer(text, start, end):
        at = word.start()
        if not is_asked(word[0]) or any(first <= at < last for first, last in names):
            continue
        apart = [
            min(abs(first - at), abs(last - at))
            + _OVER_A_CLAUSE * sum(min(at, first) <= stop < max(at, last) for stop in ends)
            for first, last in names
        ]
        drawn[apart.index(min(apart))] += 1
    return drawn
