"""Table 1 as printed: its cells, its marking, and averages over its cells; changes in percent."""

from collections.abc import Iterable
from functools import cache
from statistics import fmean

from scipy.stats import spearmanr

from forgetscope.benchmarks.unlearning.methods import OF_THE_PAPER as METHODS
from forgetscope.benchmarks.unlearning.metrics.marks import Marks, TableCell, mark
from forgetscope.benchmarks.unlearning.metrics.study import FORMATS, SUBSETS
from forgetscope.findings.published import published_table

NAME = "unlearning_table1_change"
NEWS, BOOKS = "news", "books"

Place = tuple[str, str, str]
"""Forget format, retain subset, method."""


@cache
def cells(corpus: str) -> dict[Place, TableCell]:
    """The 27 cells of a corpus."""
    rows = published_table(NAME).filter(corpus=corpus).iter_rows(named=True)
    return {
        (row["forget_format"], row["retain_subset"], row["method"]): TableCell(
            row["forget_change_percent"], row["retain_change_percent"]
        )
        for row in rows
    }


def forget(corpus: str, form: str, subset: str, method: str) -> float:
    """The printed Forget change of a cell."""
    return cells(corpus)[form, subset, method].forget or 0.0


def retain(corpus: str, form: str, subset: str, method: str) -> float:
    """The printed Retain change of a cell."""
    return cells(corpus)[form, subset, method].retain or 0.0


def marks(corpus: str) -> Marks:
    """What the caption says is bold, recomputed; the typeface itself is lost in the text we work from."""
    return mark({((form, subset), method): cell for (form, subset, method), cell in cells(corpus).items()})


def mean_forget(corpus: str, form: str, subsets: Iterable[str] = SUBSETS) -> float:
    """Mean Forget change of a format over retain subsets and methods."""
    return fmean(forget(corpus, form, subset, method) for subset in subsets for method in METHODS)


def mean_retain(corpus: str, form: str, subsets: Iterable[str] = SUBSETS) -> float:
    """Mean Retain change of a format over retain subsets and methods."""
    return fmean(retain(corpus, form, subset, method) for subset in subsets for method in METHODS)


def mean_balance(corpus: str, method: str) -> float:
    """Mean of Forget minus Retain of a method over its nine cells."""
    return fmean(
        forget(corpus, form, subset, method) - retain(corpus, form, subset, method)
        for form in FORMATS
        for subset in SUBSETS
    )


def correlation(corpus: str) -> float:
    """Spearman's correlation of Forget with Retain over the 27 cells."""
    found = cells(corpus).values()
    return float(spearmanr([cell.forget for cell in found], [cell.retain for cell in found]).statistic)


def subset_span(corpus: str, form: str) -> float:
    """Largest minus smallest Retain change of a format's three subsets, each the mean over methods."""
    means = [mean_retain(corpus, form, [subset]) for subset in SUBSETS]
    return max(means) - min(means)


def method_span(corpus: str, form: str, subset: str, group: str) -> float:
    """Largest minus smallest change of the three methods in a row of the table."""
    values = [(forget if group == "forget" else retain)(corpus, form, subset, method) for method in METHODS]
    return max(values) - min(values)
