"""The printed tables that statements are checked against, and how figures are written in an entry."""

from forgetscope.findings.published import published_table
from tools.paper_audits.prospective.counts import PLANNED, published_cells

MODELS = ("o4-mini", "DeepSeek-V3.1", "Llama-3.3-70B")
CONDITIONS = tuple(condition for condition in PLANNED if condition != "baseline")
RUNS = 3


def compliance(template: str, condition: str, model: str) -> float:
    """Table 1, percent."""
    for row in published_table("prospective_table1_compliance").iter_rows(named=True):
        if (row["template"], row["condition"], row["model"]) == (template, condition, model):
            return float(row["compliance_percent"])
    raise KeyError((template, condition, model))


def gain(condition: str, model: str) -> float:
    """Reminder - natural, points, from Table 1."""
    return compliance("reminder", condition, model) - compliance("natural", condition, model)


def drops() -> dict[tuple[str, str], float]:
    """Table 8's printed deltas by model and condition, points."""
    return {(cell.model, cell.condition): cell.delta for cell in published_cells() if cell.delta is not None}


def mean(values: list[float]) -> float:
    """Arithmetic mean."""
    return sum(values) / len(values)


def slashes(values: list[float], digits: int = 1) -> str:
    """Figures one after the other."""
    return " / ".join(f"{value:.{digits}f}" for value in values)


def span(values: list[float], digits: int = 1) -> str:
    """Smallest and largest."""
    return f"{min(values):.{digits}f} to {max(values):.{digits}f}"


def names(pairs: list[tuple[str, str]]) -> str:
    """Cells by model and condition."""
    return "; ".join(f"{model} {condition}" for model, condition in pairs)
