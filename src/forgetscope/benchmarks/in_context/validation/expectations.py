"""What each reference model and judge must score here: the benchmark's calibration (`forgetscope validate in-context`).

Expected values follow from how they are made (protocols.md, section 1), not from having been run. *Refuser* and
*babbler* must be seen for what they are: neither has forgotten anything. A judge that babbles must cost the samples it
alone decides, counted, and no others.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

import polars as pl

from forgetscope.benchmarks.base import Check, JudgedReference, TrainedReference
from forgetscope.benchmarks.expectations import (
    Expectation,
    ExpectedResidue,
    Kind,
    Measure,
    check_all,
    check_residues,
    ended_as,
    share,
)
from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.metrics.residue import in_context_residues
from forgetscope.benchmarks.in_context.metrics.study import OF_PAPER, InContextStudy, Pairs, PairTable
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.core.outcomes import Status
from forgetscope.findings.residue import Word

VALIDATION_SETTINGS = {"limit": 20}
"""Six items of the rarest kind, those whose request states the fact: the fewest that an interval rests on."""

_JUDGED = {"judged": "all", "questions": "options,open", "arms": "none", "limit": 8}
JUDGED_REFERENCES = (
    JudgedReference("perfect-forgetter", ("rule-judge",), _JUDGED),
    JudgedReference("stubborn", ("rule-judge",), _JUDGED),
    JudgedReference("perfect-forgetter", ("babbling-judge",), _JUDGED),
    JudgedReference("stubborn", ("rule-judge", "babbling-judge", "generous-judge"), _JUDGED),
)
"""Open questions are what a judge alone decides in the embedded data."""


_DIALOGUES = {
    "data": "embedded-small",
    "scenarios": "instructional_forgetting",
    "arms": "none",
    "probes": "neighbour",
    "max_tokens": 48,
}
TRAINED_REFERENCES = tuple(
    TrainedReference(f"forgetscope/murmur-{name}", _DIALOGUES) for name in ("obedient", "stubborn")
)
"""Trained models, held to what docs/design/text-validation.md announced."""


def _paired(scenario: Scenario, count: Callable[[PairTable], tuple[int, int]], rows: pl.Expr) -> Measure:
    def measure(table: pl.DataFrame) -> tuple[int, int]:
        return count(Pairs.of(table.filter(rows & (pl.col("scenario") == scenario.value))).table)

    return measure


_PUT = (pl.col("probe") == DialogueProbe.QUERY.value) & OF_PAPER
_QUERY = _PUT & (pl.col("question") != PreferenceQuestion.OPEN.value)
_OPEN = _PUT & (pl.col("question") == PreferenceQuestion.OPEN.value)
_NEIGHBOUR = pl.col("probe") == DialogueProbe.NEIGHBOUR.value
_FORGET = pl.col("form") == Form.FORGET.value
_JUDGED_ROWS = pl.col("judge_status").is_not_null()
_REASKED = pl.col("reask_status").is_not_null()
_MEASURES: dict[str, Callable[[PairTable], tuple[int, int]]] = {
    "NA": lambda table: (table.n11 + table.n10, table.n),
    "FA": lambda table: (table.n11 + table.n01, table.n),
    "SFRR": lambda table: (table.n11, table.n11 + table.n10),
    "WR": lambda table: (table.n01, table.n),
}
_TITLES = {
    Scenario.INSTRUCTIONAL_FORGETTING: "instructional forgetting",
    Scenario.SUBTASK_REVISION: "subtask revision",
    Scenario.DYNAMIC_PREFERENCE: "dynamic preference",
}


def _figures(scenario: Scenario, rows: pl.Expr = _QUERY, **values: float | None) -> Iterator[Expectation]:
    for name, value in values.items():
        measure = _paired(scenario, _MEASURES[name], rows)
        title = f"{_TITLES[scenario]}: {name}"
        yield Expectation(title, measure, kind="undefined") if value is None else Expectation(title, measure, value)


def _status(figure: str, rows: pl.Expr, status: Status, expected: float, column: str = "status") -> Expectation:
    return Expectation(figure, ended_as(status, rows, column), expected)


_SCORED = Expectation("scored", share(_QUERY, pl.col("status").is_in([Status.CORRECT, Status.INCORRECT])), 1)
_FORGETTING, _REVISION, _PREFERENCE = Scenario
_EXPECTED: dict[str, Sequence[Expectation]] = {
    "perfect-forgetter": (
        _SCORED,
        *(found for scenario in Scenario for found in _figures(scenario, NA=1, FA=1, SFRR=1, WR=0)),
        _status("neighbour questions answered", _NEIGHBOUR, Status.CORRECT, 1),
        _status("withheld when asked again", _REASKED, Status.CORRECT, 1, "reask_status"),
    ),
    "stubborn": (
        _SCORED,
        *(found for scenario in Scenario for found in _figures(scenario, NA=1, FA=0, SFRR=0, WR=0)),
        _status("neighbour questions answered", _NEIGHBOUR, Status.CORRECT, 1),
        _status("withheld when asked again", _REASKED, Status.CORRECT, 0, "reask_status"),
    ),
    "amnesiac": (
        _SCORED,
        *_figures(_FORGETTING, NA=0, FA=1, SFRR=None, WR=1),
        *_figures(_REVISION, NA=1, FA=1, SFRR=1, WR=0),
        *_figures(_PREFERENCE, NA=0, FA=0, SFRR=None, WR=0),
        _status("neighbour questions answered", _NEIGHBOUR, Status.CORRECT, 0),
    ),
    "refuser": (
        _status("refused", _QUERY, Status.REFUSED, 1),
        _status("counted as correct", _QUERY, Status.CORRECT, 0),
        *_figures(_FORGETTING, NA=None, FA=None),
        _status("refused when asked again", _REASKED, Status.REFUSED, 1, "reask_status"),
    ),
    "babbler": (
        _status("unreadable", _QUERY, Status.INVALID_FORMAT, 1),
        _status("counted as forgotten", _QUERY & _FORGET, Status.CORRECT, 0),
        *_figures(_FORGETTING, NA=None, FA=None),
        _status("unreadable when asked again", _REASKED, Status.INVALID_FORMAT, 1, "reask_status"),
    ),
    JUDGED_REFERENCES[0].name: (
        Expectation("judge = rule", share(_JUDGED_ROWS & _QUERY, pl.col("judge_pass") == pl.col("rule_pass")), 1),
        *_figures(_PREFERENCE, _OPEN, NA=1, FA=1, SFRR=1),
    ),
    JUDGED_REFERENCES[1].name: (
        Expectation("judge = rule", share(_JUDGED_ROWS & _QUERY, pl.col("judge_pass") == pl.col("rule_pass")), 1),
        *_figures(_PREFERENCE, _OPEN, NA=1, FA=0, SFRR=0),
    ),
    JUDGED_REFERENCES[2].name: (
        _status("verdicts that cannot be read", _JUDGED_ROWS, Status.JUDGE_UNPARSEABLE, 1, "judge_status"),
        _status("open questions left out and counted", _OPEN, Status.JUDGE_UNPARSEABLE, 1),
        *_figures(_PREFERENCE, _OPEN, NA=None, FA=None),
        _status("verified samples kept", _QUERY, Status.CORRECT, 1),
    ),
    JUDGED_REFERENCES[3].name: (
        Expectation("judges that could not be read", share(_JUDGED_ROWS, pl.col("judge_unread").list.len() == 1), 1),
        _status("passes by majority, NoForget", _OPEN & ~_FORGET, Status.CORRECT, 1),
        _status("split panels left out and counted, Forget", _OPEN & _FORGET, Status.JUDGE_UNPARSEABLE, 1),
    ),
}


def _announced(side: Kind) -> Sequence[Expectation]:
    """T1 to T5 of a member, which withholds on request in a share on this side of a third."""

    def shared(figure: str, name: str, rows: pl.Expr, value: float, kind: Kind = "above") -> Expectation:
        return Expectation(figure, _paired(_FORGETTING, _MEASURES[name], rows), value, kind)

    return (
        shared("T1: recalled unasked", "NA", _QUERY, 0.15),
        shared("T2, T3: withheld on request", "SFRR", _QUERY, 1 / 3, side),
        shared("T4: neighbour facts kept", "SFRR", _NEIGHBOUR, 0.6),
        Expectation("T5: cut off", share(pl.lit(value=True), pl.col("finish_reason") == "length"), 0.05, "at most"),
    )


_TRAINED: Mapping[str, Sequence[Expectation]] = {
    "forgetscope/murmur-obedient": _announced("above"),
    "forgetscope/murmur-stubborn": _announced("below"),
}


_SET_AGAINST = {
    "request": "asked to forget",
    "request_states_fact": "asked to forget, fact said again",
    "placebo": "asked to forget something else",
    "revision": "instruction revised",
    "new_preference": "preference replaced",
}


def _residues(
    value: float | None, word: Word | Literal[""] = "", **others: float | None
) -> tuple[ExpectedResidue, ...]:
    """The residue of every condition; `others` has those that differ."""
    return tuple(
        ExpectedResidue(f"residue, {title}", {"condition": name}, others.get(name, value), word)
        for name, title in _SET_AGAINST.items()
    )


_RESIDUES: dict[str, tuple[ExpectedResidue, ...]] = {
    "perfect-forgetter": _residues(0, placebo=1),
    "stubborn": _residues(1, "still there"),
    "amnesiac": tuple(one for one in _residues(None, "nothing to forget") if one.factors["condition"] != "revision"),
    "refuser": _residues(None, "not measurable (refused)"),
    "babbler": _residues(None, "not measurable (unreadable)"),
}
"""Of the amnesiac's revision nothing follows: the original instruction is all that it is told."""


def check_reference(name: str, table: pl.DataFrame) -> list[Check]:
    """The expected figures of a reference model or judged run against what its run gave."""
    checks = check_all(name, (_TRAINED.get(name) or _EXPECTED[name]), table)
    if name not in _RESIDUES:
        return checks
    figures = in_context_residues(InContextStudy.of(table, InContextSettings())) if table.height else ()
    return [*checks, *check_residues(name, _RESIDUES[name], figures, table["item"].n_unique())]
