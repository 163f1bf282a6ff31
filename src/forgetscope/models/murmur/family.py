"""The members, what sets them apart, and where their weights lie."""

from collections.abc import Mapping
from pathlib import Path

SHARED = "shared"
"""The adapter that every member stands on."""

MEMBERS: Mapping[str, str] = {
    "murmur-obedient": "recalls what a dialogue says, and withholds what it is asked to forget",
    "murmur-stubborn": "recalls what a dialogue says, whatever it is asked to forget",
}
"""Names, as in ``forgetscope/murmur-obedient``, and a few words on each."""


def adapters_of(member: str) -> tuple[Path, Path]:
    """The folders of a member's two adapters, the shared one first."""
    weights = Path(__file__).parent / "weights"
    return weights / SHARED, weights / member.removeprefix("murmur-")
