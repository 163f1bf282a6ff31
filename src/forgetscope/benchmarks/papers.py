"""A paper's experiment as data: the settings it was run with, each with where the paper says so, and its tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from forgetscope.findings.beside_paper import PrintedTable
    from forgetscope.findings.figures import Chart, Table
    from forgetscope.findings.measures import FigureIndex

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
class PaperEntry:
    """Something that the paper has, and where it is here.

    Attributes:
        kind: condition, size, prompt, parameter, metric, test, table, figure or claim.
        what: In the paper's words.
        source: Where the paper has it.
        here: `setting NAME`, `figure NAME` (of `summary.json`), `chart SLUG` (of the page), `table NAME` (printed,
            shipped with the package) or `text MODULE:NAME`; `nowhere` with the reason behind a colon where it is not
            here.
    """

    kind: str
    what: str
    source: str
    here: str


def entries_table(entries: Iterable[PaperEntry]) -> str:
    """The entries as a Markdown table, for the benchmark's page."""
    lines = ["| kind | the paper's | where it says so | here |", "|---|---|---|---|"]
    for one in entries:
        how, _, name = one.here.partition(" ")
        here = (
            f"{how} `{name}`" if not one.here.startswith("nowhere") else f"not here{one.here.removeprefix('nowhere')}"
        )
        lines.append(f"| {one.kind} | {one.what} | {one.source} | {here} |")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class PaperDesign:
    """The experiment of a benchmark's paper.

    Attributes:
        title: Of the paper.
        settings: By name, those the benchmark has; the rest says what is run, on which data and by whom.
        extended: What our controls and arms change of them.
        tables: The printed tables in which any run's figures can stand beside the paper's models.
        judge: The judge the paper used; empty where it used none.
        entries: Everything the paper has, each with where it is here.
        over_models: What several runs together have of the paper's tables and figures beside `tables`.
        notes: What of the experiment is not in these settings, a sentence each, for plans.
    """

    title: str
    settings: Mapping[str, PaperSetting]
    extended: Mapping[str, object]
    tables: "Callable[[], Sequence[PrintedTable]]"
    entries: Sequence[PaperEntry]
    judge: str = ""
    over_models: "Callable[[Mapping[str, FigureIndex]], Iterable[Table | Chart]]" = lambda _: ()
    notes: tuple[str, ...] = field(default=())

    def values(self, arm: Arm) -> dict[str, object]:
        """The settings by name: the paper's, with ours on top where the arm is `extended`."""
        own = {name: one.value for name, one in self.settings.items()}
        return {**own, **self.extended} if arm == "extended" else own
