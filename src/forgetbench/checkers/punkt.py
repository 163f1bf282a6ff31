"""English sentences and word tokens as NLTK cuts them, with its Punkt model found without going online."""

from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from nltk.tokenize import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer, PunktTokenizer

from forgetbench.errors import MissingPartError

CARRIER = "llama-index-core"
CARRIER_VERSION = "0.14.25"
"""A package whose wheel carries the Punkt model as plain files; it is never imported. Version verified."""

_MODEL_FILES = ("abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Half-open character offsets of the sentences of `text`.

    Raises:
        MissingPartError: The Punkt model is nowhere on this machine.
    """
    return [(int(start), int(end)) for start, end in _sentence_tokenizer().span_tokenize(text)]


def word_tokens(text: str) -> list[str]:
    """NLTK's word tokens of `text`, sentence by sentence, as `nltk.word_tokenize` gives them.

    Raises:
        MissingPartError: The Punkt model is nowhere on this machine.
    """
    words = _word_tokenizer()
    return [token for start, end in sentence_spans(text) for token in words.tokenize(text[start:end])]


def token_spans(text: str, tokens: list[str]) -> Iterator[tuple[str, int, int]]:
    """Where each token stands in `text`; quotation marks, which the tokenizer rewrites, are left out."""
    position = 0
    for token in tokens:
        start = text.find(token, position)
        if start >= 0 and token not in {"``", "''"}:
            position = start + len(token)
            yield token, start, position


@lru_cache(maxsize=1)
def _word_tokenizer() -> NLTKWordTokenizer:
    return NLTKWordTokenizer()


@lru_cache(maxsize=1)
def _sentence_tokenizer() -> PunktSentenceTokenizer:
    try:
        return PunktTokenizer("english")
    except LookupError:
        pass
    folder = _carried_model()
    if folder is None:
        raise MissingPartError(
            "NLTK's Punkt model for English (punkt_tab) is not on this machine; it counts sentences and words",
            next_step=f"pip install --no-deps {CARRIER}=={CARRIER_VERSION}  (or: python -m nltk.downloader punkt_tab)",
        )
    tokenizer = PunktSentenceTokenizer()
    tokenizer._params = _read_parameters(folder)
    return tokenizer


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
