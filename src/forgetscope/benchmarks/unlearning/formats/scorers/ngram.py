"""A word model of order three learnt from background text: offline, no weights, thousands of words in milliseconds.

Good enough to tell a name or a figure from a turn of phrase the background is full of, which is what pruning the
embedded corpus needs; a neural language model knows far more.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from forgetscope.benchmarks.unlearning.formats.scorers.base import ScoredText, ScoredToken

_WORD = re.compile(r"\w+(?:[.'’-]\w+)*|[^\w\s]")
_BEGIN = "\N{START OF TEXT}"


class NgramScorer:
    """Interpolated Witten-Bell estimates down from trigrams to letters.

    A history seen with many different followers trusts the shorter one more: p(w|h) = (c(hw) + t(h) p(w|h')) / (c(h)
    + t(h)), with t(h) the number of different followers. Below single words stands a word as a string of letters,
    each equally likely, so that an unknown long name holds more information than an unknown short one.

    Args:
        background: Texts that hold none of the corpus's facts.
        order: Words of the longest n-gram.
    """

    def __init__(self, background: Iterable[str], order: int = 3) -> None:
        self._order = order
        self._counts: Counter[tuple[str, ...]] = Counter()
        self._totals: Counter[tuple[str, ...]] = Counter()
        self._kinds: Counter[tuple[str, ...]] = Counter()
        digest = hashlib.sha256(str(order).encode())
        for text in background:
            digest.update(text.encode() + b"\0")
            self._learn([match.group().casefold() for match in _WORD.finditer(text)])
        letters = {letter for history in self._counts for letter in history[-1]}
        self._per_letter = math.log(max(2, len(letters)) + 1)
        self.name = f"{order}-gram words"
        self.identities = frozenset({digest.hexdigest()})

    def _learn(self, words: Sequence[str]) -> None:
        padded = [_BEGIN] * (self._order - 1) + list(words)
        for place in range(self._order - 1, len(padded)):
            for length in range(1, self._order + 1):
                gram = tuple(padded[place - length + 1 : place + 1])
                self._kinds[gram[:-1]] += not self._counts[gram]
                self._counts[gram] += 1
                self._totals[gram[:-1]] += 1

    def score(self, texts: Sequence[str]) -> list[ScoredText]:
        """See `Scorer`. Tokens are words and punctuation marks."""
        return [self._score(text) for text in texts]

    def _score(self, text: str) -> ScoredText:
        history = [_BEGIN] * (self._order - 1)
        tokens: list[ScoredToken] = []
        for match in _WORD.finditer(text):
            word = match.group().casefold()
            tokens.append(ScoredToken(match.start(), match.end(), -math.log(self._probability(word, tuple(history)))))
            history = [*history[1:], word] if self._order > 1 else []
        return ScoredText(text, tuple(tokens))

    def _probability(self, word: str, history: tuple[str, ...]) -> float:
        shorter = self._probability(word, history[1:]) if history else math.exp(-self._per_letter * (len(word) + 1))
        kinds = self._kinds[history]
        if not kinds:
            return shorter
        return (self._counts[(*history, word)] + kinds * shorter) / (self._totals[history] + kinds)
