"""What each reference model must score here: the benchmark's calibration (`forgetscope validate prospective`).

Expected values follow from how the responders are made (`reference.py`), not from having been run. Two of the
paper's task parsers are wrong by construction on compliant replies: a lowercase "the answer is b" has no capital
letter, and a reply may have to end in other numbers than the answer. So *perfect* must be right under the repaired
scorers, and may fall below under the paper's.
"""

from collections.abc import Sequence
from typing import Literal

import polars as pl

from forgetscope.benchmarks.base import Check
from forgetscope.benchmarks.expectations import (
    Expectation,
    ExpectedResidue,
    check_all,
    check_residues,
    ended_as,
    share,
)
from forgetscope.benchmarks.prospective.data.conditions import CONTROLS, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.residue import prospective_residues
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.outcomes import Status
from forgetscope.findings.residue import Word

_CONSTRAINED = pl.col("constraints") > 0
_LOADED = pl.col("load") != NO_LOAD
_UNLOADED = ~_LOADED & _CONSTRAINED
_WORKED = _LOADED & ~pl.col("condition").is_in([cell.name for cell in CONTROLS])
"""With a task behind the connector: not the controls of the load."""
_LOADED_CONSTRAINED = _LOADED & _CONSTRAINED

_SUMMARY = pl.col("load") == "cnn_dailymail"
"""ROUGE-L above 0.10 is no sign of a right summary: filler of a compliant reply passes it (see the paper audit)."""

_STRICT = pl.col("strict").fill_null(value=False)
_LOOSE = pl.col("loose").fill_null(value=False)
_RIGHT = pl.col("task_repaired").fill_null(value=False)


_EXPECTED: dict[str, Sequence[Expectation]] = {
    "perfect": (
        Expectation("compliance, strict", share(_CONSTRAINED, _STRICT), 1.0),
        Expectation("compliance, loose", share(_CONSTRAINED, _LOOSE), 1.0),
        Expectation("task right, repaired scorers", share(_WORKED, _RIGHT), 1.0),
    ),
    "careless": (
        Expectation("compliance, strict", share(_CONSTRAINED, _STRICT), 0.0),
        Expectation("task right, repaired scorers", share(_WORKED, _RIGHT), 1.0),
    ),
    "pedant": (
        Expectation("compliance, strict", share(_CONSTRAINED, _STRICT), 1.0),
        Expectation("task right but for summaries, repaired scorers", share(_WORKED & ~_SUMMARY, _RIGHT), 0.0),
    ),
    "fading": (
        Expectation("compliance without load, strict", share(_UNLOADED, _STRICT), 1.0),
        Expectation("compliance under load, strict", share(_LOADED_CONSTRAINED, _STRICT), 0.0),
        Expectation("task right, repaired scorers", share(_WORKED, _RIGHT), 1.0),
    ),
    "babbling": (
        Expectation("task right, repaired scorers", share(_WORKED, _RIGHT), 0.0),
        Expectation(
            "unreadable answers to questions with a readable form",
            ended_as(Status.INVALID_FORMAT, _WORKED & ~_SUMMARY & (pl.col("load") != "triviaqa"), "task_status"),
            1.0,
        ),
        Expectation("compliance, strict", share(_CONSTRAINED, _STRICT), 0.4, "at most"),
    ),
    "refusing": (
        Expectation("refused, formatting", ended_as(Status.REFUSED, _CONSTRAINED), 1.0),
        Expectation("refused, task", ended_as(Status.REFUSED, _WORKED, "task_status"), 1.0),
        Expectation("counted as correct", ended_as(Status.CORRECT, _CONSTRAINED), 0.0),
    ),
}


def _residues(value: Literal["kept", "lost"] | None, word: Word | Literal[""] = "") -> tuple[ExpectedResidue, ...]:
    """Of both prompts, over all loads; here 1 is the aim."""
    return tuple(
        ExpectedResidue(f"residue, {condition}", {"condition": condition, "load": ALL}, value, word)
        for condition in ("natural", "reminder")
    )


_RESIDUES: dict[str, tuple[ExpectedResidue, ...]] = {
    "perfect": _residues("kept"),
    "pedant": _residues("kept"),
    "careless": _residues(None, "nothing to keep"),
    "fading": _residues("lost"),
    "refusing": _residues(None, "not measurable (refused)"),
}


def check_reference(name: str, table: pl.DataFrame) -> list[Check]:
    """The expected figures and residues of a reference model against what its run gave."""
    checks = check_all(name, _EXPECTED[name], table)
    if name not in _RESIDUES:
        return checks
    figures = prospective_residues(ProspectiveStudy.of(table, ProspectiveSettings())) if table.height else ()
    return [*checks, *check_residues(name, _RESIDUES[name], figures, table["item"].n_unique())]
