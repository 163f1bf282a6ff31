"""Small sample tables written by hand, so that every figure of a test can be computed on paper."""

import json
from collections.abc import Mapping, Sequence

import polars as pl

from forgetscope.benchmarks.in_context.metrics import InContextStudy, compute_figures
from forgetscope.benchmarks.in_context.scoring.columns import SCHEMA
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.core.results import Value, build_table
from forgetscope.findings.figures import Cell
from forgetscope.findings.measures import FigureIndex

Row = dict[str, Value]
SETTINGS = InContextSettings(seed=7)

IF, SR, DP = "instructional_forgetting", "subtask_revision", "dynamic_preference"
KINDS = {IF: "identity", SR: "altered", DP: "direct"}

OUTCOMES: dict[object, tuple[str, bool | None]] = {
    True: ("correct", True),
    False: ("incorrect", False),
    "cut": ("truncated", False),
    "cut but passing": ("truncated", True),
    "lost": ("model_error", None),
    "unread": ("judge_unparseable", None),
    "refused": ("refused", False),
    "noise": ("invalid_format", False),
}
"""Status and raw verdict of what became of a sample."""

Outcome = bool | str | None
"""Right, wrong, or a key of `OUTCOMES`; None: no sample at all."""


def row(item: str, form: str, outcome: bool | str = True, scenario: str = IF, **changes: Value) -> Row:
    """One sample at the native length with the plain prompt, scored by rule."""
    status, raw = OUTCOMES[outcome]
    has_text = raw is not None or outcome == "unread"
    values: Row = {name: [] if isinstance(kind, pl.List) else None for name, kind in SCHEMA.items()}
    values |= {
        "benchmark": "in_context",
        "model": "by-hand",
        "item": item,
        "form": form,
        "seed": 7,
        "status": status,
        "raw_pass": raw,
        "finish_reason": {"truncated": "length", "model_error": "error"}.get(status, "stop"),
        "input_tokens": 50,
        "output_tokens": 10 if has_text else None,
        "seconds": 1.0,
        "looped": False,
        "messages": json.dumps([{"part": "Q", "role": "user", "content": f"A question about {item}?"}]),
        "reply": f"An answer about {item}." if has_text else "",
        "reasoning": "",
        "error": "" if has_text else "down",
        "scenario": scenario,
        "kind": KINDS[scenario],
        "domain": "travel",
        "context_tokens": 100,
        "filler_tokens": 0,
        "low_diversity": False,
        "strategy": "noforget",
        "question": "options" if scenario == DP else "",
        "probe": "query",
        "direction": "forward",
        "verified": True,
        "decided_by": "rule",
        "rule_pass": raw,
    }
    if scenario == IF:
        values |= {"said_by": "user", "request_kind": "explicit", "query_kind": "explicit", "memory_cue": False}
        values |= {"request_names_fact": True, "facts": ["Lisbon"]}
    values |= changes
    length = "native" if values["length"] is None else values["length"]
    asked = f"/{values['question']}/{values['probe']}"
    values["sample_id"] = f"in_context/{item}/{form}/length={length}/strategy={values['strategy']}{asked}"
    return values


def pair(item: str, noforget: Outcome, forget: Outcome, scenario: str = IF, **changes: Value) -> list[Row]:
    """Both forms of an item; None leaves one out."""
    forms = (("noforget", noforget), ("forget", forget))
    return [row(item, form, outcome, scenario, **changes) for form, outcome in forms if outcome is not None]


def cell(n11: int, n10: int, n01: int, n00: int, scenario: str = IF, **changes: Value) -> list[Row]:
    """A cell with these counts of items right in both forms, in NoForget alone, in Forget alone, in none."""
    outcomes = [(True, True)] * n11 + [(True, False)] * n10 + [(False, True)] * n01 + [(False, False)] * n00
    name = {IF: "if", SR: "sr", DP: "dp"}[scenario]
    return [
        made
        for number, (without, with_) in enumerate(outcomes)
        for made in pair(f"{name}-{number:03d}", without, with_, scenario, **changes)
    ]


def judged(rows: Sequence[Row], votes: Mapping[tuple[str, str], Sequence[bool]], *, decides: bool = False) -> list[Row]:
    """The rows with the votes of judges `judge-1` ... by item and form; `decides` takes the rule away."""
    made = []
    for entry in rows:
        given = votes.get((str(entry["item"]), str(entry["form"])))
        if given is None:
            made.append(entry)
            continue
        passed = None if 2 * sum(given) == len(given) else 2 * sum(given) > len(given)
        status = "judge_unparseable" if passed is None else "correct" if passed else "incorrect"
        changes: Row = {
            "judge_pass": passed,
            "judge_status": status,
            "judge_names": [f"judge-{number}" for number in range(1, len(given) + 1)],
            "judge_votes": list(given),
        }
        if decides:
            changes |= {"decided_by": "judge", "rule_pass": None, "status": status, "raw_pass": passed}
            changes |= {"verified": False}
        made.append({**entry, **changes})
    return made


def table_of(rows: Sequence[Row]) -> pl.DataFrame:
    """A sample table of these rows."""
    return build_table(list(rows), SCHEMA)


def study_of(
    rows: Sequence[Row], planned: Mapping[str, int] | None = None, settings: InContextSettings = SETTINGS
) -> InContextStudy:
    """The study of these rows."""
    return InContextStudy.of(table_of(rows), settings, planned or {})


def figures_of(
    rows: Sequence[Row], planned: Mapping[str, int] | None = None, settings: InContextSettings = SETTINGS
) -> FigureIndex:
    """All figures of these rows."""
    return compute_figures(study_of(rows, planned, settings))


def factors(
    scenario: str = IF, length: int | str = "native", strategy: str = "noforget", **more: Cell
) -> dict[str, Cell]:
    """The factors of a cell's figures."""
    return {"scenario": scenario, "length": length, "strategy": strategy, **more}
