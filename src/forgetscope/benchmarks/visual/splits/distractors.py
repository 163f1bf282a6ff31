"""The wrong answers of an item.

Of classes: two from the answer's supercategory (hard), one from another (easy); where a supercategory has too few,
the rest makes up for it. Of attributes: values of the class's own domain that are not true of it, then values of
other domains, then made-up ones; the authors' rule, which offers true values too, is kept beside it by name. Never a
name that contains the answer's, is contained in it, or is nearly the same (`concepts.too_alike`), and never a kin of
it, which could be true of the same picture.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import Concept, name_words, too_alike
from forgetscope.benchmarks.visual.sources.listing import AttributeListing, SourceQuestion
from forgetscope.benchmarks.visual.splits.quality import choice_reasons

HARD, EASY = 2, 1
WRONG = HARD + EASY
TRUE_OF_CLASS = 0.3
"""A value with at least this class score is true of the class (paper, section 3.2)."""

SPATIAL_PADDING = ("next to", "inside", "outside", "between", "near", "far from", "around", "among")
"""What `--pad relations` adds to questions of two options: relations of our choice, as the authors pad from a list of
theirs that is not published with the paper. Some are true of the picture: that is the defect of any such rule."""


@dataclass(frozen=True)
class WrongAnswers:
    """The distractors of an item.

    Attributes:
        concepts: Three, or fewer where nothing is left that could stand beside the answer.
        hard: How many are of the answer's own supercategory or domain.
        notes: What had to be made up.
    """

    concepts: tuple[Concept, ...]
    hard: int
    notes: tuple[str, ...] = ()


class ClassPools:
    """The classes of a listing, ready to draw distractors from; a name that may be no choice is never drawn."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._by_key = {(concept.supercategory, concept.name): concept for concept in concepts}
        self._all = [self._by_key[key] for key in sorted(self._by_key) if not choice_reasons(key[1])]
        self._siblings: defaultdict[str, list[Concept]] = defaultdict(list)
        for concept in self._all:
            self._siblings[concept.supercategory].append(concept)

    def concept(self, supercategory: str, name: str) -> Concept:
        """The class of this name in this supercategory.

        Raises:
            ValueError: a picture shows a class the listing does not name.
        """
        if (supercategory, name) not in self._by_key:
            raise ValueError(f"a picture of {name!r} ({supercategory!r}), which is no class of the listing")
        return self._by_key[supercategory, name]

    def draw(self, answer: Concept, stream: np.random.Generator) -> WrongAnswers:
        """Two hard and one easy distractor, as far as there are such."""
        siblings = self._siblings[answer.supercategory] if answer.supercategory else []
        chosen: list[Concept] = []
        _draw(chosen, answer, siblings, HARD, stream)
        _draw(chosen, answer, self._all, WRONG, stream, apart_from=answer.supercategory)
        _draw(chosen, answer, siblings, WRONG, stream)
        hard = sum(concept.supercategory == answer.supercategory != "" for concept in chosen)
        return WrongAnswers(tuple(chosen), hard)


_TRIES = 24
"""Candidates drawn at once: enough almost always, and cheaper than permuting two thousand brands."""


def _draw(
    chosen: list[Concept],
    answer: Concept,
    pool: Sequence[Concept],
    wanted: int,
    stream: np.random.Generator,
    *,
    apart_from: str = "",
) -> None:
    """Fill `chosen` up to `wanted` from the pool, in random order, passing over what is too alike."""
    if len(chosen) >= wanted or not pool:
        return
    for index in _random_order(len(pool), stream):
        candidate = pool[index]
        if apart_from and candidate.supercategory == apart_from:
            continue
        if not any(clash(candidate, other) for other in (answer, *chosen)):
            chosen.append(candidate)
            if len(chosen) == wanted:
                return


def _random_order(size: int, stream: np.random.Generator) -> Iterator[int]:
    """Positions of a pool in random order, each once; only as many are drawn as are asked for."""
    seen: set[int] = set()
    if size > 2 * _TRIES:
        for index in stream.integers(0, size, _TRIES).tolist():
            if index not in seen:
                seen.add(index)
                yield index
    for index in stream.permutation(size).tolist():
        if index not in seen:
            yield index


def clash(one: Concept, other: Concept) -> bool:
    """Whether two concepts must not stand in one question: kin, names too alike, or a name in common."""
    if one.is_kin(other) or one.name == other.name or too_alike(one.name, other.name):
        return True
    if not one.aliases and not other.aliases:
        return False
    return not {name_words(name) for name in one.names}.isdisjoint(name_words(name) for name in other.names)


class ValuePools:
    """The values of an attribute listing, ready to draw wrong answers from."""

    def __init__(self, listing: AttributeListing) -> None:
        self._listing = listing
        self._false: dict[tuple[str, str], tuple[list[str], list[str]]] = {}

    def draw(self, class_name: str, domain: str, stream: np.random.Generator) -> WrongAnswers:
        """Three values that are not true of a class: its own domain's, then other domains', then made-up ones."""
        if (class_name, domain) not in self._false:
            self._false[class_name, domain] = self._false_values(class_name, domain)
        chosen: list[str] = []
        filled: list[int] = []
        for pool in self._false[class_name, domain]:
            if len(chosen) < WRONG:
                _take(chosen, (pool[index] for index in stream.permutation(len(pool)).tolist()))
            filled.append(len(chosen))
        true = [value for value, score in self._listing.scores[class_name].items() if score >= TRUE_OF_CLASS]
        _take(chosen, (value for value in self._listing.axis.made_up if value not in true))
        notes = ["other_domain_distractor"] if filled[1] > filled[0] else []
        notes += ["fallback_distractor"] if len(chosen) > filled[1] else []
        return WrongAnswers(_values(self._listing.axis, chosen), filled[0], tuple(notes))

    def _false_values(self, class_name: str, domain: str) -> tuple[list[str], list[str]]:
        """Values of the domain, and of the other domains, that are neither true of the class nor like one that is."""
        scores = self._listing.scores[class_name]
        true = [value for value, score in scores.items() if score >= TRUE_OF_CLASS]
        own = self._listing.values[domain]
        others = dict.fromkeys(
            value for name, values in self._listing.values.items() if name != domain for value in values
        )
        return (
            [value for value in own if not any(too_alike(value, other) for other in true)],
            [value for value in others if value not in scores and not any(too_alike(value, other) for other in true)],
        )


def _take(chosen: list[str], values: Iterable[str]) -> None:
    """Fill `chosen` up to three with the first values that are not too alike to one that is there."""
    for value in values:
        if len(chosen) == WRONG:
            return
        if not any(too_alike(value, other) for other in chosen):
            chosen.append(value)


def ranked_values(listing: AttributeListing, class_name: str, answer: str) -> WrongAnswers:
    """The authors' rule: the three next highest scores, true of the class or not; then any value, then made-up ones."""
    scores = listing.scores[class_name]
    ranked = sorted((value for value in scores if value != answer), key=lambda value: -scores[value])
    pooled = [value for values in listing.values.values() for value in values]
    seen, chosen = {answer.casefold()}, list[str]()
    for value in (*ranked, *pooled, *listing.axis.made_up):
        if value.casefold() not in seen and len(chosen) < WRONG:
            seen.add(value.casefold())
            chosen.append(value)
    true = any(scores.get(value, 0.0) >= TRUE_OF_CLASS for value in chosen)
    hard = sum(value in scores for value in chosen)
    return WrongAnswers(_values(listing.axis, chosen), hard, ("true_distractor",) if true else ())


def other_options(question: SourceQuestion, stream: np.random.Generator, *, pad: bool) -> WrongAnswers:
    """The wrong options a question came with: three drawn from more; where asked, fewer are padded to three."""
    wrong = [option for option in question.options if option != question.answer]
    notes: tuple[str, ...] = ()
    if len(wrong) > WRONG:
        kept = sorted(stream.permutation(len(wrong)).tolist()[:WRONG])
        wrong, notes = [wrong[index] for index in kept], (f"reduced_from_{len(question.options)}",)
    elif pad and len(wrong) < WRONG:
        spare = [word for word in SPATIAL_PADDING if word not in question.options]
        added = stream.permutation(len(spare)).tolist()[: WRONG - len(wrong)]
        wrong, notes = [*wrong, *(spare[index] for index in added)], (f"padded_from_{len(question.options)}",)
    return WrongAnswers(tuple(Concept(option) for option in wrong), len(wrong), notes)


def _values(axis: Axis, names: Iterable[str]) -> tuple[Concept, ...]:
    return tuple(Concept(name, axis.name) for name in names)


def dominant_value(scores: Mapping[str, float]) -> str | None:
    """The value with the highest class score, the first of equals; None when none is true of the class."""
    best = max(scores, key=lambda value: scores[value], default=None)
    return best if best is not None and scores[best] >= TRUE_OF_CLASS else None
