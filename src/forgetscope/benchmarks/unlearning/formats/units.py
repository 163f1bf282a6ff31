"""Cutting text into the units that pruning keeps or drops: sentences, and phrases within them.

Units are half-open character spans that follow one another and cover the text from its beginning to its end, blanks
going to the unit after them. Phrases are spaCy's noun chunks and single words between them where a model is installed
(as in Selective-Context); otherwise a small rule keeps names, figures and a determiner with its word together.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise

from forgetscope.benchmarks.unlearning.formats.extraction.lexicon import OPENERS
from forgetscope.core.errors import MissingPartError

Span = tuple[int, int]
PhraseCutter = Callable[[str], list[Span]]

SPACY_MODEL = "en_core_web_sm"

_TOKEN = re.compile(r"\s*(?:\w+(?:[.,'’-]\w+)*|[^\w\s])")
_JOINERS = frozenset({"of", "de", "van", "von"})


def sentences(text: str) -> list[Span]:
    """The sentences of a text, by the Punkt model.

    Raises:
        MissingPartError: the Punkt model is nowhere on this machine.
    """
    from forgetscope.checkers.punkt import sentence_spans

    return covering([end for _, end in sentence_spans(text)], len(text))


def rule_phrases(text: str) -> list[Span]:
    """Phrases by rule: runs of capitalised words and figures (also across "of"), a determiner with its
    next word, and every other word or mark by itself.

    >>> text = "In 1472 the Orkney Islands were given to Anna of Kald."
    >>> [text[low:high].strip() for low, high in rule_phrases(text)]
    ['In 1472', 'the Orkney Islands', 'were', 'given', 'to', 'Anna of Kald', '.']
    """
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    words = [text[low:high].strip() for low, high in tokens]
    ends: list[int] = []
    place = 0
    while place < len(tokens):
        last = place
        if words[place].casefold() in OPENERS and place + 1 < len(words) and words[place + 1][0].isalnum():
            last = place + 1
        if _is_name(words[last]):
            last = _end_of_name(words, last)
        ends.append(tokens[last][1])
        place = last + 1
    return covering(ends, len(text))


def _is_name(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _end_of_name(words: Sequence[str], place: int) -> int:
    while place + 1 < len(words):
        if _is_name(words[place + 1]):
            place += 1
        elif words[place + 1].casefold() in _JOINERS and place + 2 < len(words) and _is_name(words[place + 2]):
            place += 2
        else:
            break
    return place


def spacy_phrases(model: str = SPACY_MODEL) -> PhraseCutter:
    """Phrases by an installed spaCy model: noun chunks, and every other word or mark by itself.

    Raises:
        MissingPartError: spaCy or the model is not installed.
    """
    try:
        import spacy

        pipeline = spacy.load(model, disable=["ner"])
    except (ImportError, OSError):
        raise MissingPartError(
            f"spaCy with the model {model} is not installed",
            where="data.formats pruned: phrases",
            next_step=f"pip install spacy && python -m spacy download {model}, or phrases='rule'",
        ) from None

    def cut(text: str) -> list[Span]:
        document = pipeline(text)
        ends: dict[int, int] = {token.i: token.idx + len(token) for token in document}
        for chunk in document.noun_chunks:
            for token in chunk[:-1]:
                ends.pop(token.i, None)
        return covering(sorted(ends.values()), len(text))

    return cut


@cache
def phrase_cutter(phrases: str) -> PhraseCutter:
    """How text is cut into phrases: `rule`, `spacy`, or `auto` (spaCy where its model is installed).

    Raises:
        MissingPartError: `spacy` was asked for and is not installed.
        ValueError: none of these.
    """
    match phrases:
        case "rule":
            return rule_phrases
        case "spacy":
            return spacy_phrases()
        case "auto":
            try:
                return spacy_phrases()
            except MissingPartError:
                return rule_phrases
        case _:
            raise ValueError(f"phrases are cut by rule, spacy or auto, not {phrases!r}")


def covering(ends: Iterable[int], length: int) -> list[Span]:
    """Spans between these ends; the last one reaches to the end of the text."""
    cuts = [0, *sorted({end for end in ends if 0 < end < length}), length]
    return [(low, high) for low, high in pairwise(cuts) if low < high]
