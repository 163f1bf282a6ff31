"""What each reference model must score here: the benchmark's calibration (`forgetscope validate visual`).

Expected values follow from how the responders are made (`reference.py`), not from having been run. *Refusing* and
*babbling* must be seen for what they are, and no concept of theirs may end as suppressed or out of reach. The trained
models, of which the same is asked, have `docs/design/visual-validation.md`.
"""

from collections.abc import Iterator, Sequence
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
from forgetscope.benchmarks.visual.data.conditions import SUPPRESSIONS, Condition, Control, VisualProbe
from forgetscope.benchmarks.visual.metrics.residue import visual_residues
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import N_MIN_EMBEDDED, AccessVerdict, concept_verdicts
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.core.outcomes import Status
from forgetscope.findings.residue import Word

VALIDATION_SETTINGS = {
    "splits": "embedded-size",
    "limit": 20,
    "controls": "no_image",
    "probes": "choice,short_answer",
    "phrasings": 1,
}
"""One concept: twelve pictures in every condition, twenty for eligibility; twenty pictures to retain."""


_CHOICE = (pl.col("probe") == VisualProbe.CHOICE.value) & (pl.col("phrasing") == 0) & (pl.col("order") == 0)
_WITH_PICTURE = _CHOICE & (pl.col("control") == Control.NONE.value)
_BLIND = _CHOICE & (pl.col("control") == Control.NO_IMAGE.value)
_FORGET = (pl.col("side") == "forget") & (pl.col("role") == "effect")
_RETAIN = (pl.col("side") == "retain") & (pl.col("role") == "effect")
_PERMITTED = ~pl.col("no_permitted_choice")
_SHORT = pl.col("probe") == VisualProbe.SHORT_ANSWER.value
_RIGHT = pl.col("status") == Status.CORRECT.value


def _under(*conditions: Condition) -> pl.Expr:
    return pl.col("condition").is_in([condition.value for condition in conditions])


_C = Condition
_ORACLES = _under(_C.ORACLE_HARD, _C.ORACLE_REVERSE)
_WRONG_ORACLES = _under(_C.WRONG_ORACLE_HARD, _C.WRONG_ORACLE_REVERSE)
_PLACEBOS = _under(_C.PLACEBO_SOFT, _C.PLACEBO_MEDIUM)
_RESTORED = _under(_C.RESTORED_SOFT, _C.RESTORED_MEDIUM)
_SUPPRESSED = _under(*SUPPRESSIONS)


def _right(figure: str, rows: pl.Expr, expected: float) -> Expectation:
    return Expectation(figure, share(rows, _RIGHT), expected)


def _guessed(figure: str, rows: pl.Expr) -> Expectation:
    return Expectation(figure, share(rows, _RIGHT), kind="guessing")


def _status(figure: str, rows: pl.Expr, status: Status, expected: float) -> Expectation:
    return Expectation(figure, ended_as(status, rows), expected)


def _verdicts(figure: str, *wanted: AccessVerdict, expected: float = 1) -> Expectation:
    def measure(table: pl.DataFrame) -> tuple[int, int]:
        study = VisualStudy.of(table, VisualSettings())
        found = [entry.verdict in wanted for entry in concept_verdicts(study, _pictures(table))]
        return sum(found), len(found)

    return Expectation(figure, measure, expected)


def _paper_rule(expected: float) -> Expectation:
    def measure(table: pl.DataFrame) -> tuple[int, int]:
        found = [
            entry.paper_verdict for entry in concept_verdicts(VisualStudy.of(table, VisualSettings()), _pictures(table))
        ]
        return sum(entry is True for entry in found), len(found)

    return Expectation("concepts unlearned by the paper's rule", measure, expected)


def _pictures(table: pl.DataFrame) -> int:
    """Pictures a concept must have: as in a run, or fewer where a limit left fewer."""
    set_aside = table.filter(pl.col("role") == "eligibility")
    each: list[int] = set_aside.group_by("forget_concept").agg(pl.col("picture").n_unique().alias("n"))["n"].to_list()
    return min([N_MIN_EMBEDDED, *each])


def _same_with_and_without(table: pl.DataFrame) -> tuple[int, int]:
    """Forget items of the paper's conditions whose outcome is the same without the picture."""
    key = ["item", "condition"]
    seen = table.filter(_FORGET & _WITH_PICTURE).select(*key, "status")
    both = seen.join(table.filter(_FORGET & _BLIND).select(*key, "status"), on=key, suffix="_blind")
    return both.filter(pl.col("status") == pl.col("status_blind")).height, both.height


def _sees() -> Iterator[Expectation]:
    """What all that know the concepts have in common."""
    yield _right("forget, baseline", _FORGET & _WITH_PICTURE & _under(_C.BASELINE_NORMAL), 1)
    yield _guessed("forget, baseline without the picture", _FORGET & _BLIND & _under(_C.BASELINE_NORMAL))
    yield _right("retain, all conditions", _RETAIN & _WITH_PICTURE, 1)
    yield _right("placebo list", _WITH_PICTURE & _PLACEBOS, 1)
    yield _right("permission restored", _WITH_PICTURE & _RESTORED, 1)
    yield _right("wrong oracle", _WITH_PICTURE & _WRONG_ORACLES, 1)


_EXPECTED: dict[str, Sequence[Expectation]] = {
    "visual-perfect": (
        *_sees(),
        _right("soft and medium suppression", _FORGET & _WITH_PICTURE & _SUPPRESSED, 1),
        _right("oracles", _WITH_PICTURE & _ORACLES, 1),
        _verdicts("concepts accessible", AccessVerdict.ACCESSIBLE),
        _paper_rule(0),
    ),
    "visual-stubborn": (
        *_sees(),
        _right("soft and medium suppression", _FORGET & _WITH_PICTURE & _SUPPRESSED, 1),
        _right("oracles", _WITH_PICTURE & _ORACLES, 0),
        _verdicts("concepts accessible", AccessVerdict.ACCESSIBLE),
        _paper_rule(0),
    ),
    "visual-obedient": (
        *_sees(),
        _right("soft and medium suppression", _FORGET & _WITH_PICTURE & _SUPPRESSED & _PERMITTED, 0),
        _right("the same without the picture", _FORGET & _BLIND & _SUPPRESSED & _PERMITTED, 0),
        _right("oracles", _WITH_PICTURE & _ORACLES, 0),
        _verdicts("concepts suppressed", AccessVerdict.SUPPRESSED),
        _paper_rule(0),
    ),
    "visual-erased": (
        _guessed("forget, baseline", _FORGET & _WITH_PICTURE & _under(_C.BASELINE_NORMAL)),
        _guessed("permission restored", _FORGET & _WITH_PICTURE & _RESTORED),
        _right("retain, all conditions", _RETAIN & _WITH_PICTURE, 1),
        Expectation("same outcome with and without the picture", _same_with_and_without, 1),
        _verdicts("concepts not eligible or not accessible", AccessVerdict.NOT_ELIGIBLE, AccessVerdict.NOT_ACCESSIBLE),
    ),
    "visual-refusing": (
        _status("refused", pl.lit(value=True), Status.REFUSED, 1),
        _verdicts("concepts not eligible", AccessVerdict.NOT_ELIGIBLE),
    ),
    "visual-babbling": (
        _status("unreadable, multiple choice", ~_SHORT, Status.INVALID_FORMAT, 1),
        _right("right, own words", _SHORT, 0),
        _verdicts(
            "concepts suppressed or not accessible", AccessVerdict.SUPPRESSED, AccessVerdict.NOT_ACCESSIBLE, expected=0
        ),
        _verdicts("concepts not eligible", AccessVerdict.NOT_ELIGIBLE),
    ),
}


def _residues(
    suppressed: float | Literal["kept"] | None, restored: Literal["kept"] | None, word: Word | Literal[""] = ""
) -> tuple[ExpectedResidue, ...]:
    """The residue under each suppression text, and after each permission."""
    return tuple(
        ExpectedResidue(f"residue, {condition.value.replace('_', ' ')}", {"condition": condition.value}, value, word)
        for conditions, value in ((SUPPRESSIONS, suppressed), ((_C.RESTORED_SOFT, _C.RESTORED_MEDIUM), restored))
        for condition in conditions
    )


_RESIDUES: dict[str, tuple[ExpectedResidue, ...]] = {
    "visual-perfect": _residues("kept", "kept", "still there"),
    "visual-stubborn": _residues("kept", "kept", "still there"),
    "visual-obedient": _residues(0, "kept"),
    "visual-erased": _residues(None, None, "nothing to forget"),
    "visual-refusing": _residues(None, None, "not measurable (refused)"),
    "visual-babbling": _residues(None, None, "not measurable (unreadable)"),
}


def check_reference(name: str, table: pl.DataFrame) -> list[Check]:
    """The expected figures, verdicts and residues of a reference model against what its run gave."""
    chance = table.filter(_FORGET & _CHOICE)["chance"].mean()
    checks = check_all(name, _EXPECTED[name], table, chance if isinstance(chance, float) else 0.0)
    figures = visual_residues(VisualStudy.of(table, VisualSettings())) if table.height else ()
    return [*checks, *check_residues(name, _RESIDUES[name], figures, table["item"].n_unique())]
