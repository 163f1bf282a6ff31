"""Pruned text: without what a language model finds least surprising (paper, section 3.2; Li et al. 2023).

The information of a token is -log p given what is before it. A unit's is the mean over its tokens, as in
Selective-Context, or the sum over its tokens by the number of its words. The two differ on figures: a tokenizer that
splits 1472 into four digits makes three of them easy to guess once the first is known, so the mean throws out
figures, which are what should be forgotten.

Ours beside theirs: sentences are cut by Punkt; the budget is by default a share of the scorer's tokens, or a share of
words (theirs is a percentile of units, also here, which keeps another share of the text); the shares that were kept, of
tokens and of words, are stored with every chunk. "Roughly 75% data" are kept in the paper, which does not say in what
unit: its grids here keep 75% of words, which no tokenizer changes.
"""

import math
import re
from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from forgetscope.benchmarks.unlearning.data.records import Chunk, FormattedChunk
from forgetscope.benchmarks.unlearning.formats.base import FormatParts, FormatSettings, formatted
from forgetscope.benchmarks.unlearning.formats.scorers import ScoredToken, Scorer, refuse_target
from forgetscope.benchmarks.unlearning.formats.units import Span, covering, phrase_cutter, sentences
from forgetscope.core.errors import SettingError

KEEP = 0.75
"""The share kept in the paper (section 4.1)."""

Context = Literal["sentence", "chunk"]

_WORD = re.compile(r"\S+")
_BLANKS = re.compile(r"[ \t]{2,}")
_BEFORE_MARK = re.compile(r"\s+([.,;:!?])")


class PrunedSettings(FormatSettings):
    """Settings of pruning.

    Attributes:
        unit: What is kept or dropped as a whole.
        budget: `tokens` or `words`: units are dropped, least information first, while at least `keep` of the scorer's
            tokens, or of the words, stay; `units`: those below the `1 - keep` percentile are dropped, as in
            Selective-Context.
        keep: Share to keep, of tokens, words or units.
        aggregation: A unit's information from its tokens': see the module.
        context: What a token is scored given: its `sentence` so far, as in Selective-Context, or the `chunk` so far.
        phrases: `auto` takes spaCy where its model is installed; results on other machines then differ.
        scorer: Name of the language model; see `load_scorer`.
    """

    summary: ClassVar[str] = "the text without what a language model finds least surprising"

    format: Literal["pruned"] = "pruned"
    unit: Literal["token", "phrase", "sentence"] = "phrase"
    budget: Literal["tokens", "words", "units"] = "tokens"
    keep: float = Field(default=KEEP, gt=0, le=1)
    aggregation: Literal["mean", "sum_per_word"] = "mean"
    context: Context = "sentence"
    phrases: Literal["rule", "spacy", "auto"] = "rule"
    scorer: str = "smollm2"

    def apply(self, chunks: Sequence[Chunk], parts: FormatParts) -> tuple[FormattedChunk, ...]:
        """The chunks pruned, one by one.

        Raises:
            SettingError: no scorer was given, or it is the target.
        """
        if parts.scorer is None:
            raise SettingError(
                "pruning needs a scorer", where="data.formats pruned", allowed="any causal language model"
            )
        refuse_target(parts.scorer, parts.target)
        scored = score_in_context([chunk.text for chunk in chunks], parts.scorer, self.context)
        return tuple(
            formatted(chunk, self.format, prune(chunk.text, tokens, self), parts.tokenizer)
            for chunk, tokens in zip(chunks, scored, strict=True)
        )


def score_in_context(texts: Sequence[str], scorer: Scorer, context: Context) -> list[tuple[ScoredToken, ...]]:
    """The tokens of each text with their information, given their sentence or all of the text before them."""
    spans = [sentences(text) if context == "sentence" else [(0, len(text))] for text in texts]
    pieces = [text[low:high] for text, cut in zip(texts, spans, strict=True) for low, high in cut]
    scored = iter(scorer.score(pieces))
    return [
        tuple(
            ScoredToken(low + token.start, low + token.end, token.information)
            for low, _ in cut
            for token in next(scored).tokens
        )
        for cut in spans
    ]


def prune(text: str, tokens: Sequence[ScoredToken], settings: PrunedSettings) -> str:
    """The text without its least surprising units.

    Args:
        text: A chunk's text.
        tokens: Its tokens with their information, in order.
        settings: Unit, aggregation and budget.
    """
    units = _units(text, tokens, settings)
    belongs = _unit_of_each(tokens, units)
    information = _information_of_units(text, units, tokens, belongs, settings.aggregation)
    match settings.budget:
        case "tokens":
            kept = _keep_share(information, np.bincount(belongs, minlength=len(units)), settings.keep)
        case "words":
            kept = _keep_share(information, _words_of_units(text, units), settings.keep)
        case "units" if len(units):
            kept = information >= np.percentile(information, 100 * (1 - settings.keep)) - 1e-12
        case _:
            kept = np.ones(0, dtype=bool)
    pruned = "".join(text[low:high] for (low, high), keep in zip(units, kept, strict=True) if keep)
    return _BEFORE_MARK.sub(r"\1", _BLANKS.sub(" ", pruned)).strip()


def _units(text: str, tokens: Sequence[ScoredToken], settings: PrunedSettings) -> list[Span]:
    match settings.unit:
        case "token":
            return covering((token.end for token in tokens), len(text))
        case "phrase":
            return phrase_cutter(settings.phrases)(text)
        case "sentence":
            return sentences(text)


def _unit_of_each(tokens: Sequence[ScoredToken], units: Sequence[Span]) -> np.ndarray:
    """The unit in which each token ends."""
    ends = np.array([high for _, high in units], dtype=np.int64)
    last = np.array([max(token.start, token.end - 1) for token in tokens], dtype=np.int64)
    return np.minimum(np.searchsorted(ends, last, side="right"), max(0, len(units) - 1))


def _information_of_units(
    text: str, units: Sequence[Span], tokens: Sequence[ScoredToken], belongs: np.ndarray, aggregation: str
) -> np.ndarray:
    values = np.array([token.information for token in tokens])
    total = np.bincount(belongs, weights=values, minlength=len(units)) if len(tokens) else np.zeros(len(units))
    count = np.bincount(belongs, minlength=len(units)) if len(tokens) else np.zeros(len(units))
    words = np.array([max(1, len(text[low:high].split())) for low, high in units])
    found = total / (words if aggregation == "sum_per_word" else np.maximum(count, 1))
    for unit in np.flatnonzero(count == 0):
        # A token that runs over two units, such as a full stop with its quotation mark, ends in the second: the first
        # one has its information.
        low, high = units[int(unit)]
        found[unit] = max((t.information for t in tokens if t.start < high and t.end > low), default=0.0)
    return np.asarray(found)


def _words_of_units(text: str, units: Sequence[Span]) -> np.ndarray:
    """Words that begin in each unit: a word that a unit's end cuts counts once."""
    starts = np.array([match.start() for match in _WORD.finditer(text)], dtype=np.int64)
    ends = np.array([high for _, high in units], dtype=np.int64)
    return np.bincount(np.searchsorted(ends, starts, side="right"), minlength=len(units))[: len(units)]


def _keep_share(information: np.ndarray, sizes: np.ndarray, keep: float) -> np.ndarray:
    """Drop units, least information first, each that leaves at least the share `keep` of their sizes' sum."""
    kept = np.ones(len(information), dtype=bool)
    spare = math.floor(sizes.sum() * (1 - keep) + 1e-9)
    for unit in np.argsort(information, kind="stable"):
        if 0 < sizes[unit] <= spare:
            kept[unit] = False
            spare -= int(sizes[unit])
    return kept
