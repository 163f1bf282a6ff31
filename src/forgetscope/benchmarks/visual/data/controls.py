"""What stands in for the real thing: placebo lists, wrong targets, and other items' pictures. All seeded."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from forgetscope.benchmarks.visual.data.concepts import name_words, too_alike
from forgetscope.benchmarks.visual.data.pictures import picture_seed
from forgetscope.benchmarks.visual.data.records import Item
from forgetscope.benchmarks.visual.prompts import class_list
from forgetscope.stats.streams import named_stream

PLACEBO_NAMES = (
    "abacus", "accordion", "anvil", "barometer", "basket", "bellows", "birdcage", "bobbin", "brick", "buckle",
    "candlestick", "canoe paddle", "cello", "chandelier", "chimney", "compass rose", "corkscrew", "cradle", "doormat",
    "easel", "envelope", "feather duster", "fishing rod", "flagpole", "funnel", "gramophone", "hammock", "harp",
    "hourglass", "inkwell", "kettle", "lantern", "lectern", "loom", "magnet", "metronome", "milestone", "monocle",
    "napkin", "oar", "padlock", "pendulum", "pestle", "picnic blanket", "pillar", "quill", "rocking horse", "sundial",
    "telescope", "thimble", "trellis", "tripod", "trowel", "turnstile", "typewriter", "weathervane", "wheelbarrow",
    "windmill", "xylophone", "yoke",
)  # fmt: skip
"""Names for placebo lists where a split has too few other concepts of its own (two sizes besides the forgotten)."""

DRAWS = 16
"""Placebo lists drawn for an item; the one closest in length to the real list is kept."""


@dataclass(frozen=True)
class PlaceboList:
    """Concepts to name instead of the forget concepts: as many, none of them forgotten or an option of the item.

    Attributes:
        borrowed: How many are not concepts of the split.
    """

    concepts: tuple[str, ...]
    borrowed: int

    @property
    def text(self) -> str:
        """As it stands in the prompt."""
        return class_list(self.concepts)


class PlaceboPool:
    """The names of a split that may stand in a placebo list.

    Args:
        forget: The forget concepts: none of them, and nothing like one, is ever drawn.
        concepts: All concepts of the split.
    """

    def __init__(self, forget: Sequence[str], concepts: Sequence[str]) -> None:
        self._size, self._length = len(forget), len(class_list(forget))
        self._own = [name for name in concepts if not _is_like(name, forget)]
        self._spare = [name for name in PLACEBO_NAMES if not _is_like(name, (*forget, *self._own))]
        self._drawn: dict[str, PlaceboList] = {}

    def draw(self, item: Item) -> PlaceboList:
        """The placebo list of an item: of 16 draws the closest to the forget list in characters.

        No name is, contains, or nearly is an option of the item.

        Raises:
            ValueError: there are not enough names (more than sixty forget concepts, and no others).
        """
        if item.id not in self._drawn:
            self._drawn[item.id] = self._draw(item)
        return self._drawn[item.id]

    def _draw(self, item: Item) -> PlaceboList:
        own = [name for name in self._own if not _is_like(name, item.choices)]
        spare = [name for name in self._spare if not _is_like(name, item.choices)]
        if len(own) + len(spare) < self._size:
            raise ValueError(f"{item.id}: no placebo list of {self._size} concepts")
        stream = named_stream(picture_seed(item.image), "visual placebo list")
        drawn = [_draw(own, spare, self._size, stream) for _ in range(DRAWS)]
        best = min(drawn, key=lambda names: abs(len(class_list(names)) - self._length))
        return PlaceboList(tuple(sorted(best)), len(set(best) - set(own)))


def _draw(own: Sequence[str], spare: Sequence[str], wanted: int, stream: np.random.Generator) -> tuple[str, ...]:
    first = [own[index] for index in stream.permutation(len(own)).tolist()[:wanted]]
    more = [spare[index] for index in stream.permutation(len(spare)).tolist()[: wanted - len(first)]]
    return (*first, *more)


def _is_like(name: str, others: Collection[str]) -> bool:
    return not name_words(name) or any(name == other or too_alike(name, other) for other in others)


def wrong_target(item: Item, concepts: Sequence[str]) -> str:
    """The distractor a wrong oracle names: drawn from the item's, by its picture's seed.

    Where the concept is no choice (a question about a person), another of the split's concepts is named.
    """
    is_choice = item.forget_concept.casefold() in map(str.casefold, item.choices)
    wrong = [choice for choice in item.choices if choice != item.answer_text]
    if not is_choice and item.forget_concept in concepts:
        wrong = [name for name in concepts if name != item.forget_concept]
    stream = named_stream(picture_seed(item.image), "visual wrong oracle")
    return wrong[int(stream.integers(len(wrong)))]


def donors(items: Sequence[Item], seed: int, name: str) -> dict[str, Item]:
    """For each item (by id) the item whose picture it is shown instead: another picture, of another concept.

    A seeded derangement wherever no concept has more than half of the items: items stand in a ring, concept by
    concept in random order, and each takes the picture one largest concept further on. Where that is not possible,
    donors are drawn and may serve twice. An item without any possible donor is left out.
    """
    stream = named_stream(seed, f"visual donors {name}")
    ring = _by_concept(items, stream)
    largest = max(Counter(item.forget_concept for item in ring).values(), default=0)
    chosen: dict[str, Item] = {}
    for position, item in enumerate(ring):
        donor = ring[(position + largest) % len(ring)]
        if not _may_donate(donor, item):
            possible = [other for other in ring if _may_donate(other, item)]
            if not possible:
                continue
            donor = possible[int(stream.integers(len(possible)))]
        chosen[item.id] = donor
    return chosen


def _may_donate(donor: Item, item: Item) -> bool:
    return (
        donor.forget_concept != item.forget_concept
        and donor.picture_group != item.picture_group
        and donor.image != item.image
        and (donor.class_name != item.class_name or donor.level.forgets_answer_value)
    )


def _by_concept(items: Sequence[Item], stream: np.random.Generator) -> list[Item]:
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: item.id):
        groups[item.forget_concept].append(item)
    names = sorted(groups)
    ordered = [groups[names[index]] for index in stream.permutation(len(names)).tolist()]
    return [group[index] for group in ordered for index in stream.permutation(len(group)).tolist()]
