"""The printed tables by model and scenario, names made one, and how figures are written in an entry."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from forgetscope.findings.published import published_model, published_table
from tools.paper_audits.rounding import HALF_A_HUNDREDTH, rounds_to

FORGETTING, REVISION, PREFERENCE = SCENARIOS = ("instructional_forgetting", "subtask_revision", "dynamic_preference")
SHORT = {FORGETTING: "forgetting", REVISION: "revision", PREFERENCE: "preference"}

Cell = tuple[str, str]
"""Model and scenario."""


@dataclass(frozen=True, slots=True)
class Measures:
    """NA, FA and SFRR as printed, percent."""

    na: float
    fa: float
    sfrr: float

    @property
    def implied_wr(self) -> float:
        """What FA = NA x SFRR + WR leaves for WR, percent."""
        return self.fa - self.na * self.sfrr / 100

    @property
    def implied_wr_error(self) -> float:
        """How far rounding of the three printed figures may move it, points."""
        return HALF_A_HUNDREDTH * (1 + self.na / 100 + self.sfrr / 100)

    @property
    def both_right(self) -> float:
        """Share of items right in both forms, percent."""
        return self.na * self.sfrr / 100


def _measures(row: dict[str, float]) -> Measures:
    return Measures(row["no_forget_accuracy"], row["forget_accuracy"], row["sfrr"])


@cache
def main_table() -> dict[Cell, Measures]:
    """Table 1."""
    rows = published_table("in_context_table1_main").iter_rows(named=True)
    return {(published_model(row["model"]), row["scenario"]): _measures(row) for row in rows}


@cache
def models() -> tuple[str, ...]:
    """The eleven models, in the order of Table 1."""
    return tuple(dict.fromkeys(model for model, _ in main_table()))


@cache
def averages() -> dict[str, Measures]:
    """Table 11."""
    rows = published_table("in_context_table11_average").iter_rows(named=True)
    return {published_model(row["model"]): _measures(row) for row in rows}


@cache
def percentages(name: str) -> dict[Cell, float]:
    """Table 4 (wrong to right) or 5 (difference)."""
    rows = published_table(name).iter_rows(named=True)
    return {(published_model(row["model"]), row["scenario"]): float(row["percent"]) for row in rows}


@cache
def strategies(strategy: str) -> dict[Cell, Measures]:
    """Table 2's rows of one prompt: no_forget_prompt or forget_prompt."""
    rows = published_table("in_context_table2_prompt_strategy").filter(strategy=strategy).iter_rows(named=True)
    return {(published_model(row["model"]), row["scenario"]): _measures(row) for row in rows}


@cache
def lengths() -> dict[Cell, dict[int, Measures]]:
    """Tables 6 to 8: the measures at each length, ascending."""
    found: dict[Cell, dict[int, Measures]] = {}
    for row in published_table("in_context_tables6to8_context_length").sort("context_tokens").iter_rows(named=True):
        found.setdefault((row["model"], row["scenario"]), {})[row["context_tokens"]] = _measures(row)
    return found


def prints(value: float, printed: float) -> bool:
    """Whether a value can have been printed so with two decimals."""
    return rounds_to(value, printed, HALF_A_HUNDREDTH)


def span(values: Iterable[float], digits: int = 2) -> str:
    """Smallest and largest."""
    found = list(values)
    return f"{min(found):.{digits}f} to {max(found):.{digits}f}"


def slashes(values: Iterable[float], digits: int = 2) -> str:
    """Figures one after the other."""
    return " / ".join(f"{value:.{digits}f}" for value in values)


def named(cells: Iterable[Cell]) -> str:
    """Cells in words."""
    return "; ".join(f"{model} {SHORT[scenario]}" for model, scenario in cells)
