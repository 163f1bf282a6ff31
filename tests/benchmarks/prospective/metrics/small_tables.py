"""Small sample tables written by hand, so that every figure of a test can be computed on paper."""

from collections.abc import Mapping
from typing import TypedDict

import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import CELLS
from forgetscope.benchmarks.prospective.metrics import ProspectiveStudy, compute_figures
from forgetscope.benchmarks.prospective.scoring.row import SCHEMA
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.results import Value, build_table
from forgetscope.findings.measures import FigureIndex

Row = dict[str, Value]
SETTINGS = ProspectiveSettings(seeds=(42,))


def row(item: str, condition: str, load: str = "none", kept: bool | None = None, **changes: Value) -> Row:
    """One reply of the load experiment: kept its format or not; None = no reply (a model error)."""
    name = condition if condition in CELLS else {"baseline": "natural", "constraint_only": "reminder"}.get(condition)
    cell = CELLS.get(name or condition.removesuffix("_unloaded"))
    has_text = kept is not None or condition == "task_only"
    status = "model_error" if not has_text else ("correct" if kept else "incorrect")
    loaded = load != "none"
    values: Row = {
        "benchmark": "prospective",
        "model": "by-hand",
        "item": item,
        "form": condition,
        "seed": 42 if loaded else None,
        "status": status,
        "raw_pass": kept,
        "finish_reason": "stop" if has_text else "error",
        "input_tokens": 50,
        "output_tokens": 10 if has_text else None,
        "seconds": 1.0,
        "looped": False,
        "messages": "[]",
        "reply": "some text" if has_text else "",
        "reasoning": "",
        "error": "" if has_text else "down",
        "experiment": "load",
        "condition": condition,
        "repeat": 1,
        "wording": "",
        "load": load,
        "original_task": cell.original_task if cell else False,
        "heading": cell.heading if cell else False,
        "trailing": cell.trailing.value if cell else "none",
        "type": "no_comma",
        "category": "avoidance",
        "constraints": 0 if condition == "task_only" else 1,
        "problems": 0,
        "pair": "",
        "load_items": [f"{load}-{item}"] if loaded else [],
        "instruction_types": ["punctuation:no_comma"],
        "kwargs": "[{}]",
        "strict": kept,
        "loose": kept,
        "strict_repaired": kept,
        "loose_repaired": kept,
        "strict_by_type": [] if kept is None else [kept],
        "loose_by_type": [] if kept is None else [kept],
        "reason": "",
        "broke_from": None,
        "broke_to": None,
        "task_status": None,
        "task_paper": None,
        "task_repaired": None,
        "task_score_paper": None,
        "task_score_repaired": None,
        "task_parts": [],
        "task_found": [],
        "task_gold": [],
        "mechanism": "",
        "evidence": "",
    }
    values |= changes
    seed = "" if values["seed"] is None else f"/seed={values['seed']}"
    values["sample_id"] = changes.get("sample_id", f"prospective/{item}/{condition}/load={load}{seed}")
    return values


class Answer(TypedDict):
    """The task's columns of a reply."""

    task_status: str
    task_paper: bool
    task_repaired: bool | None
    task_score_paper: float
    task_score_repaired: float | None
    task_parts: list[bool | None]


def answered(
    paper: bool,
    repaired: bool | None,
    *,
    parts: tuple[bool | None, ...] = (),
    scores: tuple[float, float] | None = None,
) -> Answer:
    """Right by the paper's scorer, right by the repaired one (None = unread); parts of a chain, graded scores."""
    status = "invalid_format" if repaired is None else ("correct" if repaired else "incorrect")
    whole, part = scores or (float(paper), None if repaired is None else float(repaired))
    return {
        "task_status": status,
        "task_paper": paper,
        "task_repaired": repaired,
        "task_score_paper": whole,
        "task_score_repaired": part,
        "task_parts": list(parts) or [repaired],
    }


def stack(
    item: str,
    kept: tuple[bool, ...],
    types: str,
    problems: int = 0,
    trailing: str = "none",
    experiment: str = "stacking",
    pair: str = "",
) -> Row:
    """One reply to several constraints; `kept` says which, in the order of `types` joined by `+`.

    A single is one constraint of its `pair`.
    """
    together = all(kept)
    form = f"{experiment}={types}" if experiment == "singles" else experiment
    return row(
        item,
        experiment,
        "none",
        together,
        experiment=experiment,
        type=types,
        category="mixed",
        constraints=len(kept),
        problems=problems,
        trailing=trailing,
        pair=types if experiment == "tension" else pair,
        strict_by_type=list(kept),
        loose_by_type=list(kept),
        sample_id=f"prospective/{item}/{form}/m={problems}/reminder={trailing}",
    )


def table_of(rows: list[Row]) -> pl.DataFrame:
    """A sample table of these rows."""
    checked: list[Mapping[str, Value]] = list(rows)
    return build_table(checked, SCHEMA)


def figures_of(rows: list[Row], settings: ProspectiveSettings = SETTINGS) -> FigureIndex:
    """All figures of these rows."""
    return compute_figures(ProspectiveStudy.of(table_of(rows), settings))
