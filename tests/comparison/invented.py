"""Made-up runs of a made-up benchmark whose figures can be worked out by hand."""

import json
from collections.abc import Mapping, Sequence

import polars as pl

from forgetscope.comparison import Breakdown, ComparedMeasure, ComparedRun, ComparisonDesign, SampleOutcome
from forgetscope.comparison.design import sample_units
from forgetscope.findings.figures import Column

RIGHT = pl.col("right")
CONDITIONS = ("easy", "hard")

DESIGN = ComparisonDesign(
    measures=(
        ComparedMeasure(
            "right",
            "right answers",
            lambda table: sample_units(table, RIGHT),
            (Breakdown("by condition", (Column("condition", "Condition"),)), Breakdown("in all")),
            "right over scored samples",
        ),
    ),
    outcomes=(SampleOutcome("answer", "Answer", RIGHT, condition="condition"),),
)


def make_table(right: Mapping[str, Sequence[bool | None]], *, said: str = "", asked: str = "What?") -> pl.DataFrame:
    """A sample for each entry of a condition, its item numbered; `said` makes replies differ between runs."""
    rows = [
        {
            "sample_id": f"invented/item-{item:02}/{condition}",
            "item": f"item-{item:02}",
            "condition": condition,
            "status": "model_error" if value is None else "correct" if value else "incorrect",
            "raw_pass": value,
            "messages": json.dumps([{"role": "user", "content": f"{asked} {item}"}]),
            "reply": f"{value}{said}",
            "reasoning": "",
            "looped": False,
            "finish_reason": "stop",
            "output_tokens": 1,
            "right": value,
        }
        for condition, values in right.items()
        for item, value in enumerate(values)
    ]
    return pl.DataFrame(rows, schema_overrides={"right": pl.Boolean, "raw_pass": pl.Boolean})


def make_run(table: pl.DataFrame, label: str = "one", **changes: object) -> ComparedRun:
    """A run around a table."""
    facts: dict[str, object] = {
        "folder": label,
        "benchmark": "invented",
        "model": f"maker/{label}",
        "decoding": "greedy",
        "judge": "",
        "data": "embedded",
        "data_sha256": "d" * 64,
        "prompts_version": "1",
        "plan_sha256": "p" * 64,
        "settings": {"data": "embedded", "max_tokens": 10, "seeds": [42]},
        "forgetscope": "0",
        "completeness": 1.0,
        "planned": table.height,
    }
    return ComparedRun(label=label, table=table, **{**facts, **changes})  # type: ignore[arg-type]
