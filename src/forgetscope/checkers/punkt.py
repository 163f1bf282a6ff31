"""English sentences and word tokens as NLTK cuts them, with its Punkt model found without going online."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import TYPE_CHECKING

from forgetscope.core.errors import MissingPartError

if TYPE_CHECKING:
    from nltk.tokenize import NLTKWordTokenizer, RegexpTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

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
def counting_tokenizer() -> "RegexpTokenizer":
    """NLTK's runs of letters, digits and underscores."""
    from nltk.tokenize import RegexpTokenizer  # late, as everywhere here: NLTK takes half a second of CPU to import

    return RegexpTokenizer(r"\w+")


@lru_cache(maxsize=1)
def _word_tokenizer() -> "NLTKWordTokenizer":
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer()


@lru_cache(maxsize=1)
def _sentence_tokenizer() -> "PunktSentenceTokenizer":
    from forgetscope.checkers.punkt_tokenizer import RememberingTokenizer, UntimedLanguageVars

    tokenizer = RememberingTokenizer(lang_vars=UntimedLanguageVars())
    tokenizer._params = _model()
    return tokenizer


def _model() -> "PunktParameters":
    from nltk.tokenize.punkt import PunktTokenizer

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


def _read_parameters(folder: Path) -> "PunktParameters":
    """The model's four tables: one entry per line, columns separated by a tab."""
    from nltk.tokenize.punkt import PunktParameters

    rows = {name: (folder / name).read_text(encoding="utf-8").rstrip("\n").split("\n") for name in _MODEL_FILES}
    parameters = PunktParameters()
    parameters.abbrev_types = set(rows["abbrev_types.txt"])
    parameters.sent_starters = set(rows["sent_starters.txt"])
    parameters.collocations = {tuple(row.split("\t")) for row in rows["collocations.tab"]}
    parameters.ortho_context.update(
        (word, int(flags)) for word, flags in (row.split("\t") for row in rows["ortho_context.tab"])
    )
    return parameters
