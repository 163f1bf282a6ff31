"""What each reference model must score here: the benchmark's calibration (`forgetbench validate prospective`).

Expected values follow from how the responders are made (`reference.py`), not from having been run. Two of the
paper's task parsers are wrong by construction on compliant replies: a lowercase "the answer is b" has no capital
letter, and a reply may have to end in other numbers than the answer. So *perfect* must be right under the repaired
scorers, and may fall below under the paper's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from forgetbench.benchmarks.base import Check
from forgetbench.benchmarks.prospective.conditions import Load
from forgetbench.outcomes import Status


@dataclass(frozen=True)
class _Expectation:
    """A share of rows and what it must be: exactly `value`, or at most that where `at_most`."""

    figure: str
    measure: Callable[[pl.DataFrame], tuple[int, int]]
    value: float
    at_most: bool = False


def _share(rows: pl.Expr, hits: pl.Expr) -> Callable[[pl.DataFrame], tuple[int, int]]:
    def measure(table: pl.DataFrame) -> tuple[int, int]:
        chosen = table.filter(rows)
        return chosen.filter(hits).height, chosen.height

    return measure


_CONSTRAINED = pl.col("constraints") > 0
_LOADED = pl.col("load") != Load.NONE.value
_UNLOADED = ~_LOADED & _CONSTRAINED
_LOADED_CONSTRAINED = _LOADED & _CONSTRAINED

_SUMMARY = pl.col("load") == Load.CNN_DAILYMAIL.value
"""ROUGE-L above 0.10 is no sign of a right summary: filler of a compliant reply passes it (see the paper audit)."""

_STRICT = pl.col("strict").fill_null(value=False)
_LOOSE = pl.col("loose").fill_null(value=False)
_RIGHT = pl.col("task_repaired").fill_null(value=False)


def _status(column: str, status: Status) -> pl.Expr:
    return pl.col(column) == status.value


_EXPECTATIONS: dict[str, Sequence[_Expectation]] = {
    "perfect": (
        _Expectation("compliance, strict", _share(_CONSTRAINED, _STRICT), 1.0),
        _Expectation("compliance, loose", _share(_CONSTRAINED, _LOOSE), 1.0),
        _Expectation("task right, repaired scorers", _share(_LOADED, _RIGHT), 1.0),
    ),
    "careless": (
        _Expectation("compliance, strict", _share(_CONSTRAINED, _STRICT), 0.0),
        _Expectation("task right, repaired scorers", _share(_LOADED, _RIGHT), 1.0),
    ),
    "pedant": (
        _Expectation("compliance, strict", _share(_CONSTRAINED, _STRICT), 1.0),
        _Expectation("task right but for summaries, repaired scorers", _share(_LOADED & ~_SUMMARY, _RIGHT), 0.0),
    ),
    "fading": (
        _Expectation("compliance without load, strict", _share(_UNLOADED, _STRICT), 1.0),
        _Expectation("compliance under load, strict", _share(_LOADED_CONSTRAINED, _STRICT), 0.0),
        _Expectation("task right, repaired scorers", _share(_LOADED, _RIGHT), 1.0),
    ),
    "babbling": (
        _Expectation("task right, repaired scorers", _share(_LOADED, _RIGHT), 0.0),
        _Expectation(
            "unreadable answers to questions with a readable form",
            _share(
                _LOADED & ~_SUMMARY & (pl.col("load") != Load.TRIVIAQA.value),
                _status("task_status", Status.INVALID_FORMAT),
            ),
            1.0,
        ),
        _Expectation("compliance, strict", _share(_CONSTRAINED, _STRICT), 0.4, at_most=True),
    ),
    "refusing": (
        _Expectation("refused, formatting", _share(_CONSTRAINED, _status("status", Status.REFUSED)), 1.0),
        _Expectation("refused, task", _share(_LOADED, _status("task_status", Status.REFUSED)), 1.0),
        _Expectation("counted as correct", _share(_CONSTRAINED, _status("status", Status.CORRECT)), 0.0),
    ),
}


def check_reference(name: str, table: pl.DataFrame) -> list[Check]:
    """The expected figures of a reference model against what its run gave."""
    return [
        Check(
            model=name,
            figure=expectation.figure,
            expected=f"{'at most ' if expectation.at_most else ''}{100 * expectation.value:.0f}%",
            found=f"{hits} of {total}",
            holds=total > 0
            and (
                hits / total <= expectation.value if expectation.at_most else hits == round(expectation.value * total)
            ),
        )
        for expectation in _EXPECTATIONS[name]
        for hits, total in [expectation.measure(table)]
    ]
