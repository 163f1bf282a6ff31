"""How good an extractor is: its triplets against gold, by exact and by entity match."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from forgetscope.benchmarks.unlearning.data.records import Triplet

Match = Literal["exact", "entities", "either_entity"]

_ARTICLE = re.compile(r"^(?:the|a|an)\s+")


@dataclass(frozen=True)
class Agreement:
    """Found and gold triplets over all chunks, and how many of each have a partner in the other.

    Attributes:
        match: What counts as a partner; see `agreement`.
        chunks: Chunks with gold triplets, the only ones counted.
        found_right: Found triplets with a gold partner; numerator of precision.
        gold_found: Gold triplets with a found partner; numerator of recall.
    """

    match: Match
    chunks: int
    found: int
    gold: int
    found_right: int
    gold_found: int

    @property
    def precision(self) -> float | None:
        """Share of found triplets that are right; None if none was found."""
        return self.found_right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """Share of gold triplets that were found; None if there are none."""
        return self.gold_found / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two; None if either is undefined, 0 if both are 0."""
        if self.precision is None or self.recall is None:
            return None
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def agreement(found: Mapping[str, Sequence[Triplet]], gold: Mapping[str, Sequence[Triplet]], match: Match) -> Agreement:
    """An extractor's triplets against gold, chunk by chunk. A chunk it could not read counts as having none.

    Args:
        found: By chunk id.
        gold: By chunk id; other chunks are left out.
        match: `exact`: head, relation and tail, without articles, case and punctuation. `entities`: head and tail, in
            either order. `either_entity`: they have at least one entity in common, which is what entanglement sees.

    Example: found {(Ada, runs, Kald)}, gold {(Ada, is mayor of, Kald), (Kald, lies on, Ivel)}: by entities precision
    1/1 and recall 1/2, exactly 0 and 0.
    """
    keys = _KEYS[match]
    totals = [0, 0, 0, 0]
    for chunk, wanted in gold.items():
        given = found.get(chunk, ())
        of_given, of_wanted = [keys(one) for one in given], [keys(one) for one in wanted]
        all_given = {key for some in of_given for key in some}
        all_wanted = {key for some in of_wanted for key in some}
        totals[0] += len(of_given)
        totals[1] += len(of_wanted)
        totals[2] += sum(not some.isdisjoint(all_wanted) for some in of_given)
        totals[3] += sum(not some.isdisjoint(all_given) for some in of_wanted)
    return Agreement(match, len(gold), *totals)


def _plain(text: str) -> str:
    return _ARTICLE.sub("", " ".join(re.findall(r"\w+", text.casefold())))


def _exact(triplet: Triplet) -> set[Hashable]:
    return {(_plain(triplet.head), _plain(triplet.relation), _plain(triplet.tail))}


def _entities(triplet: Triplet) -> set[Hashable]:
    return {frozenset({_plain(triplet.head), _plain(triplet.tail)})}


def _either_entity(triplet: Triplet) -> set[Hashable]:
    return {_plain(triplet.head), _plain(triplet.tail)}


_KEYS: Mapping[Match, Callable[[Triplet], set[Hashable]]] = {
    "exact": _exact,
    "entities": _entities,
    "either_entity": _either_entity,
}
