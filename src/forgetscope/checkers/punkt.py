"""English sentences and word tokens as NLTK cuts them, with its Punkt model found without going online."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from nltk.tokenize import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktLanguageVars, PunktParameters, PunktSentenceTokenizer, PunktTokenizer

from forgetscope.core.errors import MissingPartError

CARRIER = "llama-index-core"
CARRIER_VERSION = "0.14.25"
"""A package whose wheel carries the Punkt model as plain files; it is never imported. Version verified."""

_LONGEST_PIECE = 100_000
_REMEMBERED = 200
"""Characters of a text whose reading is kept for the next one like it."""
_MODEL_FILES = ("abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Half-open character offsets of the sentences of `text`, found one after the other.

    Raises:
        MissingPartError: The Punkt model is nowhere on this machine.
    """
    return ((int(start), int(end)) for start, end in _sentence_tokenizer().span_tokenize(text))


def cased_tokens(text: str) -> Iterator[str]:
    """NLTK's word tokens of the sentences of `text` that hold a capital letter, in order.

    As `nltk.word_tokenize` gives them, but for sentences without any capital, which are skipped because they are of
    no use to who counts words in capitals, and for "sentences" of over 100,000 characters, which are cut there.

    Raises:
        MissingPartError: The Punkt model is nowhere on this machine.
    """
    if not any(map(str.isupper, text)):
        return
    for start, end in sentence_spans(text):
        for cut in range(start, end, _LONGEST_PIECE):
            piece = text[cut : min(end, cut + _LONGEST_PIECE)]
            if any(map(str.isupper, piece)):
                yield from _words(piece) if len(piece) <= _REMEMBERED else _word_tokenizer().tokenize(piece)


def word_tokens(text: str) -> Iterator[str]:
    """NLTK's word tokens of a text, in order, as `nltk.word_tokenize` gives them; cut at 100,000 characters.

    Raises:
        MissingPartError: The Punkt model is nowhere on this machine.
    """
    for start, end in sentence_spans(text):
        for cut in range(start, end, _LONGEST_PIECE):
            piece = text[cut : min(end, cut + _LONGEST_PIECE)]
            yield from _words(piece) if len(piece) <= _REMEMBERED else _word_tokenizer().tokenize(piece)


def token_spans(text: str, tokens: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Where each token stands in `text`; quotation marks, which the tokenizer rewrites, are left out."""
    position = 0
    for token in tokens:
        start = text.find(token, position)
        if start >= 0 and token not in {"``", "''"}:
            position = start + len(token)
            yield token, start, position


@lru_cache(maxsize=4096)
def _words(sentence: str) -> tuple[str, ...]:
    return tuple(_word_tokenizer().tokenize(sentence))


@lru_cache(maxsize=1)
def _word_tokenizer() -> NLTKWordTokenizer:
    return NLTKWordTokenizer()


class _UntimedLanguageVars(PunktLanguageVars):  # type: ignore[misc]  # NLTK ships no types
    """NLTK's own patterns, run by `re`: NLTK 3.10 gives up after five seconds on a long text, whoever took them."""

    __slots__ = ("_untimed",)

    re_boundary_realignment = re.compile(PunktLanguageVars.re_boundary_realignment.pattern, re.MULTILINE)

    def period_context_re(self) -> re.Pattern[str]:
        """Where a sentence may end."""
        if not hasattr(self, "_untimed"):
            self._untimed = re.compile(super().period_context_re().pattern, re.UNICODE | re.VERBOSE)
        return self._untimed


class _RememberingTokenizer(PunktSentenceTokenizer):  # type: ignore[misc]  # NLTK ships no types
    """NLTK's own, which looks once at places that are alike: a reply in a loop has thousands of one kind."""

    def text_contains_sentbreak(self, text: str) -> bool:
        """Whether a sentence ends in this text, the words around a full stop."""
        return self._remembered(text) if len(text) <= _REMEMBERED else bool(super().text_contains_sentbreak(text))

    @lru_cache(maxsize=4096)  # noqa: B019 - there is one, for the life of the process
    def _remembered(self, text: str) -> bool:
        return bool(super().text_contains_sentbreak(text))


@lru_cache(maxsize=1)
def _sentence_tokenizer() -> PunktSentenceTokenizer:
    tokenizer = _RememberingTokenizer(lang_vars=_UntimedLanguageVars())
    tokenizer._params = _model()
    return tokenizer


def _model() -> PunktParameters:
    try:
        return PunktTokenizer("english")._params
    except LookupError:
        pass
    folder = _carried_model()
    if folder is None:
        raise MissingPartError(
            "NLTK's Punkt model for English (punkt_tab) is not on this machine; it counts sentences and words",
            next_step=f"pip install --no-deps {CARRIER}=={CARRIER_VERSION}  (or: python -m nltk.downloader punkt_tab)",
        )
    return _read_parameters(folder)


def _carried_model() -> Path | None:
    """The folder of the Punkt model inside the installed carrier package, found by its list of files."""
    try:
        listed = files(CARRIER) or []
    except PackageNotFoundError:
        return None
    for entry in listed:
        if entry.as_posix().endswith(f"punkt_tab/english/{_MODEL_FILES[0]}"):
            folder = Path(str(entry.locate())).parent
            return folder if all((folder / name).is_file() for name in _MODEL_FILES) else None
    return None


def _read_parameters(folder: Path) -> PunktParameters:
    """The model's four tables: one entry per line, columns separated by a tab."""
    rows = {name: (folder / name).read_text(encoding="utf-8").rstrip("\n").split("\n") for name in _MODEL_FILES}
    parameters = PunktParameters()
    parameters.abbrev_types = set(rows["abbrev_types.txt"])
    parameters.sent_starters = set(rows["sent_starters.txt"])
    parameters.collocations = {tuple(row.split("\t")) for row in rows["collocations.tab"]}
    parameters.ortho_context.update(
        (word, int(flags)) for word, flags in (row.split("\t") for row in rows["ortho_context.tab"])
    )
    return parameters
