"""What a split is to be, and the thirteen of the paper's Table 1."""

from dataclasses import dataclass

from forgetscope.benchmarks.visual.data.levels import Axis
from forgetscope.benchmarks.visual.data.records import SplitMode, SplitSizes
from forgetscope.core.errors import UnknownNameError

SPLIT_SEED = 42


@dataclass(frozen=True)
class SplitRequest:
    """What a split is to be.

    Attributes:
        k: Forget concepts to draw, for `random_k` and `superclass_balanced_k`.
        concepts: The forget concepts, for `single_target` (one) and `listed`.
    """

    name: str
    source: str
    axis: Axis
    mode: SplitMode
    sizes: SplitSizes
    k: int = 1
    concepts: tuple[str, ...] = ()
    seed: int = SPLIT_SEED


def _sizes(test: int, train: int, retain_train: int, retain_test: int) -> SplitSizes:
    return SplitSizes(
        test_per_concept=test, train_per_concept=train, retain_train=retain_train, retain_test=retain_test
    )


PAPER_SPLITS: dict[str, SplitRequest] = {
    request.name: request
    for request in (
        SplitRequest("coco-random-10", "coco", Axis.IDENTITY, "random_k", _sizes(100, 100, 2000, 500), k=10),
        SplitRequest(
            "coco-balanced-10", "coco", Axis.IDENTITY, "superclass_balanced_k", _sizes(100, 100, 2000, 500), k=10
        ),
        SplitRequest("aid-random-5", "aid", Axis.TYPE_OUTDOOR, "random_k", _sizes(50, 50, 1000, 300), k=5),
        SplitRequest("indoor67-random-10", "indoor67", Axis.TYPE_INDOOR, "random_k", _sizes(30, 30, 1000, 300), k=10),
        SplitRequest("celebrity-random-5", "celebrity", Axis.PERSON, "random_k", _sizes(30, 30, 500, 200), k=5),
        SplitRequest("logo2k-random-10", "logo2k", Axis.LOGO, "random_k", _sizes(1, 1, 1000, 300), k=10),
        SplitRequest("lad-color-random-3", "lad", Axis.COLOR, "random_k", _sizes(100, 200, 2000, 500), k=3),
        SplitRequest(
            "lad-color-black", "lad", Axis.COLOR, "single_target", _sizes(200, 200, 2000, 500), concepts=("black",)
        ),
        SplitRequest("lad-shape-random-3", "lad", Axis.SHAPE, "random_k", _sizes(100, 200, 2000, 500), k=3),
        SplitRequest("lad-size-big", "lad", Axis.SIZE, "single_target", _sizes(300, 300, 1500, 500), concepts=("big",)),
        SplitRequest("lad-habitat-random-3", "lad", Axis.HABITAT, "random_k", _sizes(50, 100, 1000, 300), k=3),
        SplitRequest(
            "lad-behaviour-swim",
            "lad",
            Axis.BEHAVIOUR,
            "single_target",
            _sizes(200, 200, 1000, 300),
            concepts=("swim",),
        ),
        SplitRequest("spatialmqa-random-3", "spatialmqa", Axis.SPATIAL, "random_k", _sizes(50, 100, 1000, 300), k=3),
    )
}
"""Table 1. It has no column for the training size of the forget concepts: protocols.md, section 2, fixes it."""


def paper_split(name: str) -> SplitRequest:
    """One of Table 1's thirteen splits.

    Raises:
        UnknownNameError: there is none of this name.
    """
    if name not in PAPER_SPLITS:
        raise UnknownNameError("no such split", where="visual split", found=name, allowed=PAPER_SPLITS)
    return PAPER_SPLITS[name]
