"""How entangled each retain chunk is with the forget side (paper, section 3.3; protocols, section 4).

The paper's measure is the share of a chunk's entities that the forget side has too. Two finer ones, which the paper
asks for as future work (section 4.5): whether the forget side says the *same kind of thing* about them, and how near
the texts are. All lie between 0 (nothing in common) and 1. A chunk about which nothing can be said is undefined, left
out of every mean, and counted.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from forgetscope.benchmarks.unlearning.data.records import Chunk, Triplet
from forgetscope.benchmarks.unlearning.entanglement.entities import EntityMatching, ForgetEntities, plain
from forgetscope.benchmarks.unlearning.entanglement.vectors import Embed, hashed_vectors
from forgetscope.core.errors import DataError

RELATION_LIKENESS = 0.5
"""Two relations say the same kind of thing if this share of their words is common to both (Jaccard)."""

_LIGHT_WORDS = frozenset(
    {"is", "was", "are", "were", "be", "been", "has", "have", "had", "the", "a", "an", "will", "would", "to"}
)


@dataclass(frozen=True)
class Bin:
    """Chunks with a score from `low` to below `high`; the last bin has its upper end too."""

    low: float
    high: float
    chunks: int


@dataclass(frozen=True)
class Entanglement:
    """Scores by chunk id, None where undefined.

    Attributes:
        measure: `entities`, `relations` or `text`.
    """

    measure: str
    scores: Mapping[str, float | None]

    @property
    def defined(self) -> dict[str, float]:
        """The chunks with a score."""
        return {name: score for name, score in self.scores.items() if score is not None}

    @property
    def undefined(self) -> tuple[str, ...]:
        """The chunks without one."""
        return tuple(name for name, score in self.scores.items() if score is None)

    @property
    def mean(self) -> float | None:
        """Over the chunks with a score; None if there are none."""
        return fmean(self.defined.values()) if self.defined else None

    def histogram(self, bins: int = 10) -> tuple[Bin, ...]:
        """Counts over `bins` equal parts of 0 to 1."""
        counts, edges = np.histogram(list(self.defined.values()), bins=bins, range=(0.0, 1.0))
        return tuple(
            Bin(float(low), float(high), int(count))
            for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
        )


def entity_entanglement(
    chunks: Iterable[Chunk],
    triplets: Mapping[str, Sequence[Triplet]],
    forget: Iterable[Triplet],
    matching: EntityMatching | None = None,
) -> Entanglement:
    """The share of each chunk's entities that the forget side has too: the paper's measure.

    Per triplet, the number of its head and tail that match a head or tail of any forget triplet, divided by 2; per
    chunk, the mean over its triplets. Entities that do not count (`matching`) leave numerator and denominator, and a
    triplet with none that counts is left out.

    Args:
        chunks: Of the retain side.
        triplets: By chunk id; a chunk without any is undefined.
        forget: All triplets of the forget side.
        matching: When two entities are the same.

    Raises:
        DataError: the forget side has no triplets.

    Example: forget (Kald, has, mill); the chunk says (Kald, lies on, Ivel) and (mill, burned in, Kald): (1/2 + 1) / 2.
    """
    matching = matching or EntityMatching()
    known = ForgetEntities(_some(forget), matching)

    def of_triplet(triplet: Triplet) -> float | None:
        counted = [entity for entity in triplet.entities if matching.counts(entity)]
        return sum(entity in known for entity in counted) / len(counted) if counted else None

    return _by_chunk("entities", chunks, {name: map(of_triplet, found) for name, found in triplets.items()})


def relation_entanglement(
    chunks: Iterable[Chunk],
    triplets: Mapping[str, Sequence[Triplet]],
    forget: Iterable[Triplet],
    matching: EntityMatching | None = None,
) -> Entanglement:
    """The share of each chunk's triplets about which the forget side says the same kind of thing.

    A triplet does if a forget triplet has a matching head or tail and a relation at least half of whose words it
    shares; words that only carry tense, and those of the entities, do not count.

    Raises:
        DataError: the forget side has no triplets.

    Example: forget (Ada, is mayor of, Kald); (Bo, was mayor of, Kald) does, (Bo, lives in, Kald) does not.
    """
    matching = matching or EntityMatching()
    relations: dict[str, list[frozenset[str]]] = {}
    for triplet in _some(forget):
        for entity in filter(matching.counts, triplet.entities):
            relations.setdefault(matching.key(entity), []).append(_relation_words(triplet))

    def of_triplet(triplet: Triplet) -> float | None:
        counted = [matching.key(entity) for entity in triplet.entities if matching.counts(entity)]
        words = _relation_words(triplet)
        near = (_likeness(words, other) for key in counted for other in relations.get(key, ()))
        return float(any(likeness >= RELATION_LIKENESS for likeness in near)) if counted else None

    return _by_chunk("relations", chunks, {name: map(of_triplet, found) for name, found in triplets.items()})


def text_entanglement(chunks: Sequence[Chunk], forget: Sequence[Chunk], embed: Embed = hashed_vectors) -> Entanglement:
    """How near each retain chunk is to the forget chunk nearest to it: the cosine of their vectors, at least 0.

    Args:
        chunks: Of the retain side.
        forget: Of the forget side.
        embed: From texts to vectors (texts, dimensions); by default hashed words weighted by how rare they are, which
            needs no model and sees words only. Give a sentence embedding for more.

    Raises:
        DataError: the forget side has no chunks.
    """
    if not forget:
        raise DataError("the forget side has no chunks", where="data.measure")
    vectors = np.asarray(embed([chunk.text for chunk in (*chunks, *forget)]), dtype=np.float64)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    retain_vectors, forget_vectors = vectors[: len(chunks)], vectors[len(chunks) :]
    nearest = np.clip((retain_vectors @ forget_vectors.T).max(axis=1), 0.0, 1.0)
    has_vector = norms[: len(chunks), 0] > 0
    return Entanglement(
        "text",
        {
            chunk.id: float(score) if defined else None
            for chunk, score, defined in zip(chunks, nearest, has_vector, strict=True)
        },
    )


def _some(forget: Iterable[Triplet]) -> list[Triplet]:
    triplets = list(forget)
    if not triplets:
        raise DataError(
            "the forget side has no triplets, so that nothing can be entangled with it",
            where="data.measure",
            next_step="another extractor, or data.measure: text",
        )
    return triplets


def _by_chunk(measure: str, chunks: Iterable[Chunk], of_triplets: Mapping[str, Iterable[float | None]]) -> Entanglement:
    scores: dict[str, float | None] = {}
    for chunk in chunks:
        defined = [score for score in of_triplets.get(chunk.id, ()) if score is not None]
        scores[chunk.id] = fmean(defined) if defined else None
    return Entanglement(measure, scores)


def _relation_words(triplet: Triplet) -> frozenset[str]:
    named = {word for entity in triplet.entities for word in plain(entity).split()}
    return frozenset(re.findall(r"\w+", triplet.relation.casefold())) - named - _LIGHT_WORDS


def _likeness(words: frozenset[str], others: frozenset[str]) -> float:
    """Jaccard; relations without a word of weight ("is") are alike."""
    return len(words & others) / len(words | others) if words or others else 1.0
