"""Triplets known by construction, for the chunks a corpus was cut into."""

import re
from collections.abc import Iterable

from forgetscope.benchmarks.unlearning.data.records import Chunk, Corpus, Triplet


def gold_triplets(corpus: Corpus, chunks: Iterable[Chunk]) -> dict[str, tuple[Triplet, ...]]:
    """The gold triplets of each chunk whose document has some.

    A document in one chunk has all of its triplets; of one in several, each chunk has those whose last entity, word for
    word, stands in it.
    """
    chunks = tuple(chunks)
    pieces: dict[str, int] = {}
    for chunk in chunks:
        pieces[chunk.document] = pieces.get(chunk.document, 0) + 1
    return {
        chunk.id: tuple(
            triplet
            for triplet in corpus.gold_triplets[chunk.document]
            if pieces[chunk.document] == 1 or _is_told(triplet.tail, chunk.text)
        )
        for chunk in chunks
        if chunk.document in corpus.gold_triplets
    }


def _is_told(entity: str, text: str) -> bool:
    plain = " ".join(re.findall(r"\w+", text.casefold()))
    return " ".join(re.findall(r"\w+", entity.casefold())) in plain
