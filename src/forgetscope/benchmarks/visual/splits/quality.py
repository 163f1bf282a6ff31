"""Quality control of items (paper, section 3.2): what may be asked, and why something may not.

Built items need four unique, non-empty choices of at most 40 characters. Prebuilt ones (SpatialMQA, LAD) need two, of
any length. Both need an answer among the choices, UTF-8 and no control tokens. One rule is ours: no choice of a built
item holds a digit of its own between 0 and 3, which the parser would take for the answer.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

CHOICES = 4
LONGEST_CHOICE = 40
"""Characters."""

_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]|<\|[^|>]*\|>"
    r"|</?(?:s|pad|bos|eos|unk|image|img|start_of_turn|end_of_turn|image_soft_token)>|\[/?(?:INST|IMG)\]",
    re.IGNORECASE,
)
"""What no question or choice may hold: control characters, and tokens that steer common models."""

_ANSWER_DIGIT = re.compile(r"\b[0-3]\b")


@lru_cache(maxsize=16_384)
def choice_reasons(choice: str) -> tuple[str, ...]:
    """Why a name may not be a choice of a built item, whatever stands beside it; empty when it may."""
    found = {
        "choice too long": len(choice) > LONGEST_CHOICE,
        "choice holds an answer digit": _ANSWER_DIGIT.search(choice) is not None,
        **_text_reasons((choice,)),
    }
    return tuple(reason for reason, holds in found.items() if holds)


def quality_reasons(question: str, choices: Sequence[str], answer: int, *, prebuilt: bool) -> tuple[str, ...]:
    """Why an item must not be asked; empty when it may.

    >>> quality_reasons("What is it?", ["cat", "Cat", "cow", "x" * 41], 0, prebuilt=False)
    ('choices not unique', 'choice too long')
    """
    folded = [" ".join(choice.casefold().split()) for choice in choices]
    found = {
        "wrong number of choices": len(choices) < 2 or (not prebuilt and len(choices) != CHOICES),
        "choices not unique": len(set(folded)) != len(folded),
        "answer out of range": not 0 <= answer < len(choices),
        **_text_reasons((question, *choices)),
    }
    if not prebuilt:
        found |= {reason: True for choice in choices for reason in choice_reasons(choice)}
    return tuple(reason for reason, holds in found.items() if holds)


def _text_reasons(texts: Sequence[str]) -> dict[str, bool]:
    return {
        "empty text": not all(text.strip() for text in texts),
        "not UTF-8": not all(_is_utf8(text) for text in texts),
        "control token": any(_CONTROL.search(text) for text in texts),
    }


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
