"""Words of a prompt that the published checkers take for regular expressions, and how far they may be such."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from forgetscope.core.errors import DataError

LONGEST_WORD = 200
"""Letters; the published prompts have thirteen."""

Word = Annotated[str, AfterValidator(str.strip), Field(min_length=1, max_length=LONGEST_WORD)]

_ESCAPED = re.compile(r"\\.", re.DOTALL)
_REPEATED = re.compile(r"[*+]|\{\d*,?\d*\}")
_LAST_REPEATED = re.compile(r"(?<=\w)[*+]+$")
_MOST_CHOICES = 3
"""Each `?` and `|` doubles the ways to read a place of a reply."""


def published_pattern(word: str, what: str, *, before: str = "", after: str = "", flags: int = 0) -> re.Pattern[str]:
    """The pattern that the published checker makes of a word, where every text is searched with it in little time.

    Args:
        word: As the prompt has it. Signs that repeat are left only at its end ("c++").
        what: Name of the parameter, for messages.
        before: What the published pattern has before it.
        after: What it has behind it.
        flags: Of `re`.

    Raises:
        DataError: it is no regular expression, or one that may take hours with some replies.
    """
    bare = _ESCAPED.sub("x", word)
    if after in ("", r"\b"):
        bare = _LAST_REPEATED.sub("", bare)
    if _REPEATED.search(bare) or bare.count("?") + bare.count("|") > _MOST_CHOICES:
        wrong = "one with repetitions or many choices, which could take hours"
    else:
        try:
            return re.compile(before + word + after, flags)
        except (re.error, RecursionError, OverflowError) as error:
            wrong = f"none ({error})"
    raise DataError(
        f"the reference reads {what} as a regular expression, and this is {wrong}",
        found=word,
        next_step="score it with the repaired behaviour, which reads it literally",
    )
