"""A paper's experiment as data (`paper.toml` of a benchmark): its settings, each with its source, and its tables."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

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
    notes: tuple[str, ...] = ()

    def values(self, arm: Arm) -> dict[str, object]:
        """The settings by name: the paper's, with ours on top where the arm is `extended`."""
        own = {name: one.value for name, one in self.settings.items()}
        return {**own, **self.extended} if arm == "extended" else own


class _PaperFile(BaseModel):
    """`paper.toml`: a `PaperDesign`, its parts as lists in the order of their attributes.

    Attributes:
        tables, over_models: `MODULE:FUNCTION` in the benchmark's package, looked up when they are wanted.
        own_defaults: Settings that `--extended` leaves to their own defaults.
    """

    model_config = ConfigDict(extra="forbid")

    title: str
    judge: str = ""
    notes: tuple[str, ...] = ()
    tables: str = ""
    over_models: str = ""
    own_defaults: tuple[str, ...] = ()
    entries: tuple[tuple[str, str, str, str], ...] = ()
    settings: dict[str, tuple[Any, str]] = {}
    extended: dict[str, Any] = {}


def read_paper(package: str) -> PaperDesign:
    """The experiment that stands in a benchmark's package."""
    text = (files(package) / "paper.toml").read_text(encoding="utf-8")
    held = _PaperFile.model_validate(tomllib.loads(text))

    def called(where: str) -> Callable[..., Any]:
        module, _, name = where.partition(":")
        return lambda *given: getattr(import_module(f"{package}.{module}"), name)(*given) if where else ()

    return PaperDesign(
        title=held.title,
        settings={name: PaperSetting(*one) for name, one in held.settings.items()},
        extended={**held.extended, **dict.fromkeys(held.own_defaults)},
        tables=called(held.tables),
        entries=tuple(PaperEntry(*one) for one in held.entries),
        judge=held.judge,
        over_models=called(held.over_models),
        notes=held.notes,
    )
