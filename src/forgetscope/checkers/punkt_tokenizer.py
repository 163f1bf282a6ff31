"""NLTK's sentence tokenizer, made to look once at what is alike and to take its time; imported with the first text."""

import re
from functools import lru_cache

from nltk.tokenize.punkt import PunktLanguageVars, PunktSentenceTokenizer

_REMEMBERED = 200
"""Characters of a text whose reading is kept for the next one like it."""


class UntimedLanguageVars(PunktLanguageVars):  # type: ignore[misc]  # NLTK ships no types
    """NLTK's own patterns, run by `re`: NLTK 3.10 gives up after five seconds on a long text, whoever took them."""

    __slots__ = ("_untimed",)

    re_boundary_realignment = re.compile(PunktLanguageVars.re_boundary_realignment.pattern, re.MULTILINE)

    def period_context_re(self) -> re.Pattern[str]:
        """Where a sentence may end."""
        if not hasattr(self, "_untimed"):
            self._untimed = re.compile(super().period_context_re().pattern, re.UNICODE | re.VERBOSE)
        return self._untimed


class RememberingTokenizer(PunktSentenceTokenizer):  # type: ignore[misc]  # NLTK ships no types
    """NLTK's own, which looks once at places that are alike: a reply in a loop has thousands of one kind."""

    def text_contains_sentbreak(self, text: str) -> bool:
        """Whether a sentence ends in this text, the words around a full stop."""
        return self._remembered(text) if len(text) <= _REMEMBERED else bool(super().text_contains_sentbreak(text))

    @lru_cache(maxsize=4096)  # noqa: B019 - there is one, for the life of the process
    def _remembered(self, text: str) -> bool:
        return bool(super().text_contains_sentbreak(text))
