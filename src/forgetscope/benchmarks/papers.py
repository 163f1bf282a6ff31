"""A paper's experiment as data: the settings it was run with, each with where the paper says so, and its tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from forgetscope.findings.beside_paper import PrintedTable

Arm = Literal["", "paper", "extended"]
"""Whether a run is a paper's experiment, that with our controls and arms, or neither."""


@dataclass(frozen=True)
class PaperSetting:
    """A setting as the paper has it.

    Attributes:
        value: As one writes it.
        source: Where the paper says so; what it leaves open begins with `silent:`, with what was taken.
    """

    value: object
    source: str


@dataclass(frozen=True)
class PaperDesign:
    """The experiment of a benchmark's paper.

    Attributes:
        title: Of the paper.
        settings: By name, those the benchmark has; the rest says what is run, on which data and by whom.
        extended: What our controls and arms change of them.
        tables: The printed tables in which any run's figures can stand beside the paper's models.
        judge: The judge the paper used; empty where it used none.
        notes: What of the experiment is not in these settings, a sentence each, for plans.
    """

    title: str
    settings: Mapping[str, PaperSetting]
    extended: Mapping[str, object]
    tables: "Callable[[], Sequence[PrintedTable]]"
    judge: str = ""
    notes: tuple[str, ...] = field(default=())

    def values(self, arm: Arm) -> dict[str, object]:
        """The settings by name: the paper's, with ours on top where the arm is `extended`."""
        own = {name: one.value for name, one in self.settings.items()}
        return {**own, **self.extended} if arm == "extended" else own
