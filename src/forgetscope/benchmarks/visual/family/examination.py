"""What the trained family is asked: the benchmark's own samples over the erased concepts and their relatives.

Items, texts, placebo lists, donors and order of options come from the benchmark's builders; only the choice of
concepts and forms is made here. Inspect is not involved.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from PIL import Image

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, GROUNDING_CONTROLS, Condition, Control
from forgetscope.benchmarks.visual.data.forms import Design
from forgetscope.benchmarks.visual.data.records import PARTS, Item, Side, Split, SplitRecord, SplitSizes
from forgetscope.benchmarks.visual.data.samples import VisualSample, split_samples
from forgetscope.benchmarks.visual.embedded.painting import EmbeddedPicture
from forgetscope.benchmarks.visual.embedded.source import embedded_pictures, listing
from forgetscope.benchmarks.visual.sources.listing import ClassListing
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.benchmarks.visual.splits.split import balanced
from forgetscope.models.glimpse.family import ERASED_CONCEPTS
from forgetscope.stats import named_stream

SEED = 42
ELIGIBILITY = 20
"""Pictures of each erased concept, beside the cells', on which it is decided whether it is known."""

LEAST_ITEMS = 300
"""No cell below so many items counts."""

_C, _NONE = Condition, Control.NONE
Form = tuple[Side, Condition, Control]

_PLAINLY = frozenset(CONDITIONS) - {_C.PLACEBO_MEDIUM, _C.WRONG_ORACLE_REVERSE, _C.RESTORED_MEDIUM}
_BLIND = (_C.UNLEARN_SOFT, _C.RESTORED_SOFT)

ASKED: frozenset[Form] = frozenset(
    {
        *(("forget", condition, _NONE) for condition in _PLAINLY),
        *(("forget", _C.BASELINE_NORMAL, control) for control in GROUNDING_CONTROLS),
        *(("forget", condition, Control.NO_IMAGE) for condition in _BLIND),
        *(("retain", condition, _NONE) for condition in (_C.BASELINE_NORMAL, _C.UNLEARN_SOFT, _C.UNLEARN_MEDIUM)),
        *(("retain", _C.BASELINE_NORMAL, control) for control in (Control.NO_IMAGE, Control.SHUFFLED_IMAGE)),
    }
)
"""What a member of the 2 x 2 is asked: the hypotheses, and what is reported without a threshold."""

LOSS: frozenset[Form] = frozenset(
    {form for form in ASKED if form[0] == "retain"}
    | {("forget", condition, _NONE) for condition in (_C.BASELINE_NORMAL, _C.UNLEARN_SOFT, _C.PLACEBO_SOFT)}
)
"""What the confused member is asked."""

ACCESS: frozenset[Form] = frozenset(
    {("forget", _C.BASELINE_NORMAL, _NONE), ("forget", _C.BASELINE_NORMAL, Control.NO_IMAGE)}
)
"""What a dose member is asked."""


@dataclass(frozen=True)
class Sizes:
    """How large the cells are.

    Attributes:
        forget: Pictures of each of the sixteen erased concepts.
        retain: Pictures of each retained concept.
        retained: Retained concepts.
    """

    forget: int = 40
    retain: int = 10
    retained: int = 64


ANNOUNCED, QUICK = Sizes(), Sizes(retain=5)
"""The cells of the pre-registration (640 and 640 items), and half as many to retain, for every day."""


@dataclass(frozen=True)
class Examination:
    """Samples with the pictures they show.

    Attributes:
        style: Whose drawings.
        pictures: By the path a sample names.
    """

    style: str
    samples: tuple[VisualSample, ...]
    pictures: dict[str, Image.Image]

    def part(self, forms: frozenset[Form]) -> Iterator[VisualSample]:
        """The samples of these forms; for the 2 x 2 also those deciding eligibility, with and without the picture."""
        deciding = ACCESS if forms is ASKED else frozenset()
        for sample in self.samples:
            if (sample.side, sample.condition, sample.control) in (forms if sample.role == "effect" else deciding):
                yield sample


def examination(style: str, sizes: Sizes, *, is_validation: bool = False) -> Examination:
    """The samples over one style's drawings.

    Args:
        style: Whose drawings.
        sizes: How large the cells are.
        is_validation: Says that this is the announced validation, which may open the once-only style.

    Raises:
        SettingError: The style is the once-only one and this is not the validation.
        UnknownNameError: No such style.
    """
    shown, split = _split(style, sizes, is_validation=is_validation)
    design = Design(
        conditions=tuple(CONDITIONS), controls=GROUNDING_CONTROLS, vision_free=True, eligibility=ELIGIBILITY
    )
    samples = tuple(split_samples(split, design))
    return Examination(style, samples, {item.image: shown[item.image].image() for item in split.items})


def _split(style: str, sizes: Sizes, *, is_validation: bool) -> tuple[dict[str, EmbeddedPicture], Split]:
    """The erased concepts as forget concepts, others of their supercategories first as retained ones."""
    count = max(sizes.forget + ELIGIBILITY, sizes.retain)
    found = listing(axes.IDENTITY, style=style, count=count, is_validation=is_validation)
    assert isinstance(found, ClassListing)  # noqa: S101 - identity is an axis of classes
    kinds = {concept.name: concept.supercategory for concept in found.concepts}
    retained = _retained(kinds, sizes.retained)
    limits: dict[str, dict[Literal["test", "train"], int]] = {
        **{name: {"test": sizes.forget, "train": ELIGIBILITY} for name in ERASED_CONCEPTS},
        **{name: {"test": sizes.retain, "train": 0} for name in retained},
    }
    chosen: dict[str, Literal["test", "train"]] = {}
    taken = dict.fromkeys(limits, 0)
    for picture in found.pictures:
        name = picture.class_name
        if name in limits and taken[name] < sum(limits[name].values()):
            chosen[picture.image] = "test" if taken[name] < limits[name]["test"] else "train"
            taken[name] += 1
    built = build_items(replace(found, pictures=tuple(one for one in found.pictures if one.image in chosen))).items
    placed = [item.model_copy(update={"part": chosen[item.image], "side": _side(item)}) for item in built]
    items = [
        item
        for part, side in PARTS
        for item in balanced((one for one in placed if (one.part, one.side) == (part, side)), SEED, f"family {part}")
    ]
    pictures = embedded_pictures(axes.IDENTITY, style=style, count=count, is_validation=is_validation)
    return {picture.path: picture for picture in pictures}, Split(_record(items, tuple(sorted(kinds))), tuple(items))


def _side(item: Item) -> Side:
    return "forget" if item.forget_concept in ERASED_CONCEPTS else "retain"


def _retained(kinds: dict[str, str], count: int) -> list[str]:
    """So many other concepts: those of the erased concepts' supercategories first, then drawn."""
    related = {kinds[name] for name in ERASED_CONCEPTS}
    others = sorted(set(kinds) - set(ERASED_CONCEPTS))
    order = [others[int(place)] for place in named_stream(SEED, "family/retained").permutation(len(others))]
    return sorted(order, key=lambda name: kinds[name] not in related)[:count]


def _record(items: list[Item], concepts: tuple[str, ...]) -> SplitRecord:
    counts = {
        f"{part}_{side}": sum(item.part == part and item.side == side for item in items)
        for part in ("train", "test")
        for side in ("forget", "retain")
    }
    sizes = SplitSizes(
        test_per_concept=counts["test_forget"] // len(ERASED_CONCEPTS),
        train_per_concept=ELIGIBILITY,
        retain_train=0,
        retain_test=counts["test_retain"],
    )
    return SplitRecord(
        name="family",
        source="embedded",
        axis=axes.IDENTITY.name,
        mode="listed",
        seed=SEED,
        sizes=sizes,
        forget_concepts=tuple(sorted(ERASED_CONCEPTS)),
        concepts=concepts,
        counts=counts,
        items_available=len(items),
        balanced_positions=True,
    )
