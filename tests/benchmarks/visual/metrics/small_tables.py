"""Small visual sample tables written by hand, so that every figure of a test can be computed on paper."""

from collections.abc import Iterable, Sequence

import polars as pl

from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.scoring.row import SCHEMA
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.core.results import Value, build_table

Row = dict[str, Value]


def row(item: str, right: bool | None, condition: str = "baseline_normal", **changes: Value) -> Row:
    """One four-choice answer about concept `fox` on the forget side; None = an unreadable reply."""
    status = "invalid_format" if right is None else "correct" if right else "incorrect"
    values: Row = {
        "benchmark": "visual",
        "model": "by-hand",
        "item": item,
        "form": condition,
        "seed": None,
        "status": status,
        "raw_pass": bool(right),
        "finish_reason": "stop",
        "input_tokens": 50,
        "output_tokens": 1,
        "seconds": 1.0,
        "looped": False,
        "messages": "[]",
        "reply": "",
        "reasoning": "",
        "error": "",
        "split": "animals",
        "side": "forget",
        "role": "effect",
        "level": "object",
        "axis": "identity",
        "source": "by-hand",
        "class_name": "fox",
        "forget_concept": "fox",
        "supercategory": "",
        "picture": item,
        "condition": condition,
        "control": "none",
        "probe": "choice",
        "mode": "generate",
        "phrasing": 0,
        "order": 0,
        "image": f"{item}.png",
        "donor": "",
        "choices": ["fox", "owl", "bee", "cod"],
        "labels": ["fox", "owl", "bee", "cod"],
        "answer": 0,
        "chance": 0.25,
        "target": "",
        "listed_choices": 0,
        "answer_listed": False,
        "no_permitted_choice": False,
        "hard_distractors": 0,
        "predicted": None if right is None else 0 if right else 1,
        "predicted_paper": None if right is None else 0 if right else 1,
        "predicted_label": None if right is None else "fox" if right else "owl",
        "read_by": "" if right is None else "digit",
        "digit_logprobs": "",
    }
    if "forget_concept" in changes:
        values["class_name"] = changes["forget_concept"]
    made = {**values, **changes}
    factors = ("split", "role", "control", "probe", "mode", "phrasing", "order")
    identity = "/".join(f"{name}={made[name]}" for name in factors)
    return {"sample_id": f"visual/{item}/{condition}/{identity}", **made}


def rows(outcomes: Sequence[bool | None], condition: str = "baseline_normal", **changes: Value) -> list[Row]:
    """Items 0, 1, 2, ... of one concept with these outcomes."""
    concept = changes.get("forget_concept", "fox")
    side = changes.get("side", "forget")
    return [row(f"{side}-{concept}-{place}", right, condition, **changes) for place, right in enumerate(outcomes)]


def some(right: int, of: int) -> list[bool | None]:
    """The first `right` of so many items are right."""
    return [place < right for place in range(of)]


def table(*parts: Iterable[Row]) -> pl.DataFrame:
    """The sample table of these rows."""
    return build_table([entry for part in parts for entry in part], SCHEMA)


def study(*parts: Iterable[Row]) -> VisualStudy:
    """The study of these rows."""
    return VisualStudy.of(table(*parts), VisualSettings())
