"""The tiers of the suite: what a test costs decides when it is run, and each tier has its time on two idle cores."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Tier:
    """A part of the suite; every test is in the first that it fits.

    Attributes:
        name: Its marker.
        minutes: What it may take on two idle cores.
        what: In a few words.
        markers: A test with one of these belongs to it.
        places: So does a test whose path from the repository begins with one of these.
    """

    name: str
    minutes: int
    what: str
    markers: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    def holds(self, path: str, markers: Collection[str]) -> bool:
        """Whether a test is in it; the tier without markers and places takes all."""
        if not self.markers and not self.places:
            return True
        return any(marker in markers for marker in self.markers) or path.startswith(self.places)


TIERS = (
    Tier("slow", 15, "kills and resumes, shards, notebooks, sharded training", markers=("slow",)),
    Tier("browser", 2, "pages in a real browser", markers=("browser",)),
    Tier(
        "validate",
        4,
        "models of known behaviour through every benchmark",
        places=(
            "tests/benchmarks/in_context/validation/test_validation.py",
            "tests/benchmarks/visual/validation/test_reference.py",
            "tests/benchmarks/unlearning/validation/test_validation.py",
            "tests/models/glimpse/test_hypotheses.py",
        ),
    ),
    Tier("docs", 4, "what documents tell a reader to type", places=("tests/test_documentation.py", "tests/examples/")),
    Tier(
        "models",
        6,
        "embedded models at work and small ones trained",
        markers=("real_model",),
        places=(
            "tests/models/",
            "tests/benchmarks/unlearning/",
            "tests/tools/glimpse/",
            "tests/tools/test_shipped_target.py",
        ),
    ),
    Tier("unit", 3, "all others"),
)


def tier_of(path: str, markers: Collection[str]) -> str:
    """The name of a test's tier.

    Args:
        path: Of its file, from the repository, with slashes.
        markers: Names of its markers.
    """
    return next(tier.name for tier in TIERS if tier.holds(path, markers))


def may_hold(name: str, path: str) -> bool:
    """Whether a tier may hold a test of a file, whatever markers the test has; False where the place decides.

    Args:
        name: The tier's.
        path: Of the file, from the repository, with slashes.
    """
    for tier in TIERS:
        if tier.name == name:
            return bool(tier.markers) or tier.holds(path, ())
        if path.startswith(tier.places):
            return False
    raise ValueError(f"no tier {name!r}")
