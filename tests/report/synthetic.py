"""A made-up run with every kind of block in it, and a table of any size, hostile where asked."""

import json
import random
from pathlib import Path

import polars as pl

from forgetscope.core.results import Value, build_table
from forgetscope.findings.figures import (
    Browser,
    Chart,
    Column,
    Figure,
    Finding,
    Interval,
    Results,
    Section,
    Series,
    Table,
)
from forgetscope.report.chapters import Chapter
from forgetscope.report.summary import make_summary
from forgetscope.running.finished import FinishedRun
from forgetscope.running.manifest import Limits, Manifest, ModelSpec

TYPES = (
    "number_bullets",
    "end_checker",
    "quotation",
    "json_format",
    "number_paragraphs",
    "postscript",
    "no_comma",
    "english_capital",
    "existence",
    "forbidden_words",
    "two_responses",
    "repeat_prompt",
)
LOADS = ("none", "triviaqa", "mmlu", "gsm8k_x3", "cnn_dailymail")
EXTRA: dict[str, pl.DataType | type[pl.DataType]] = {
    "condition": pl.String,
    "load": pl.String,
    "type": pl.String,
    "instruction_types": pl.List(pl.String),
    "kwargs": pl.String,
    "strict_by_type": pl.List(pl.Boolean),
    "reason": pl.String,
    "broke_from": pl.Int64,
    "broke_to": pl.Int64,
    "task_status": pl.String,
    "task_parts": pl.List(pl.Boolean),
    "task_found": pl.List(pl.String),
    "task_gold": pl.List(pl.String),
    "mechanism": pl.String,
    "evidence": pl.String,
}
SENTENCES = (
    "The harbour was quiet at dawn, and the ferry left on time.",
    "A vote on the new library is expected next week.",
    "She counted the apples twice before she wrote the number down.",
    "The answer is 42 because each box holds six and there are seven boxes.",
    "Nobody had expected the bridge to open before the summer.",
)
ARTICLES = tuple(" ".join(random.Random(number).choices(SENTENCES, k=90)) for number in range(24))


def make_table(rows: int, *, replies: tuple[str, ...] = (), words: int = 40) -> pl.DataFrame:
    """A table of `rows` samples; the first ones have the given replies."""
    draw = random.Random(7)
    return build_table((_row(number, replies, words, draw) for number in range(rows)), EXTRA)


def _row(number: int, replies: tuple[str, ...], words: int, draw: random.Random) -> dict[str, Value]:
    kind, load = TYPES[number % len(TYPES)], LOADS[number % len(LOADS)]
    reply = replies[number] if number < len(replies) else " ".join(draw.choices(SENTENCES, k=max(1, words // 12)))
    status = draw.choices(("correct", "incorrect", "truncated", "refused"), (50, 35, 12, 3))[0]
    failed = status in ("incorrect", "truncated")
    start = draw.randrange(max(1, len(reply))) if failed and reply else None
    condition = ("natural", "reminder")[number // 2 % 2]
    prompt = f"Instruction {number % 90}: {kind}.\n\nDo this task:\n\n{ARTICLES[number % len(ARTICLES)]}"
    return {
        "benchmark": "invented",
        "model": "lab/model-1",
        "sample_id": f"invented/{kind}-{number:05d}/{condition}/load={load}",
        "item": f"{kind}-{number:05d}",
        "form": condition,
        "seed": 42,
        "status": status,
        "raw_pass": status == "correct",
        "finish_reason": "length" if status == "truncated" else "stop",
        "input_tokens": 300,
        "output_tokens": 256 if status == "truncated" else draw.randint(20, 250),
        "seconds": 1.25,
        "looped": status == "truncated" and number % 3 == 0,
        "messages": json.dumps([{"role": "system", "content": "Be exact."}, {"role": "user", "content": prompt}]),
        "reply": reply,
        "reasoning": "",
        "error": "",
        "condition": condition,
        "load": load,
        "type": kind,
        "instruction_types": [f"format:{kind}"],
        "kwargs": json.dumps([{"num_bullets": 3}]),
        "strict_by_type": [status == "correct"],
        "reason": "7 bullets, 3 asked" if failed else "",
        "broke_from": start,
        "broke_to": None if start is None else min(len(reply), start + 12),
        "task_status": "correct",
        "task_parts": [True],
        "task_found": ["42"],
        "task_gold": ["42"],
        "mechanism": "task_takeover" if failed else "",
        "evidence": "the reply ends with the answer of the task" if failed else "",
    }


def make_results() -> Results:
    """Every kind of block, chart and cell once."""
    draw = random.Random(3)

    def share(middle: float) -> Interval:
        value = min(0.98, max(0.02, middle + draw.uniform(-0.12, 0.12)))
        return Interval(value, max(0.0, value - 0.09), min(1.0, value + 0.08))

    cells = [(condition, load) for condition in ("natural", "reminder") for load in LOADS]
    table = Table(
        "Compliance by condition and load",
        (
            Column("condition", "Condition"),
            Column("load", "Load"),
            Column("n", "n", "integer"),
            Column("strict", "Strict", "percent", "all instructions followed, as the paper's scorer reads the reply"),
            Column("delta", "Change from baseline", "points", "paired by item; below zero means lost under load"),
            Column("p", "Holm p", "p"),
            Column("h", "Cohen's h", "number"),
            Column("limited", "Length-limited"),
        ),
        tuple(
            {
                "condition": condition,
                "load": load,
                "n": 90 + 7 * place,
                "strict": share(0.7 - 0.06 * place) if place != 4 else Interval(None, note="fewer than two items"),
                "delta": Interval(-0.02 * place, -0.02 * place - 0.07, -0.02 * place + 0.06),
                "p": 0.0002 * 3**place,
                "h": -0.11 * place,
                "limited": place % 4 == 3,
            }
            for place, (condition, load) in enumerate(cells)
        ),
        note="Square brackets are 95% intervals by cluster bootstrap over items.",
    )
    lines = Chart(
        "lines",
        "Compliance under load",
        LOADS,
        tuple(
            Series(name, tuple(share(level - 0.09 * place) for place in range(len(LOADS))))
            for name, level in (("natural", 0.75), ("reminder", 0.85))
        ),
        "Compliance falls with every heavier load; the reminder prompt stays above the natural one throughout.",
        "strict compliance",
    )
    bars = Chart(
        "bars",
        "Lost under load, by instruction type",
        TYPES,
        (
            Series(
                "natural",
                tuple(Interval(0.04 - 0.02 * place, -0.02 * place - 0.04, 0.1 - 0.02 * place) for place in range(12)),
            ),
            Series(
                "reminder",
                tuple(
                    None if place == 3 else Interval(0.01 * place - 0.05, 0.01 * place - 0.1, 0.01 * place)
                    for place in range(12)
                ),
            ),
        ),
        "Most types lose a little; repeat_prompt loses most.",
        "change from baseline",
        "points",
    )
    slopes = Chart(
        "lines",
        "Each type without and with load",
        ("no load", "under load"),
        tuple(Series(name, (share(0.8), share(0.55))) for name in TYPES),
        "Nearly every type falls.",
        "strict compliance",
    )
    heat = Chart(
        "heatmap",
        "Joint compliance when instructions and problems are stacked",
        ("0 problems", "1 problem", "3 problems", "5 problems"),
        tuple(
            Series(
                f"{n} instructions",
                tuple(None if (n, m) == (5, 5) else share(0.9 - 0.13 * n - 0.04 * m) for m in (0, 1, 3, 5)),
            )
            for n in (1, 2, 3, 5)
        ),
        "Joint compliance falls with every further instruction and, less, with every further problem.",
        "joint compliance",
    )
    figures = tuple(
        Figure("compliance.strict.paper", {"condition": condition, "load": load}, 0.5, 90, 2, 0.4, 0.6, "Wilson 95%")
        for condition, load in cells
    )
    undefined = Figure("cost.task", {"load": "mmlu"}, float("nan"), 0, note="no task-only samples", unit="points")
    sections = (
        Section(
            "Compliance under load",
            (Finding("Under load 46.1% of replies kept their format, against 74.0% without.", "shown"), lines, table),
            "Does a formatting instruction survive when the model also has a task? Each item is compared with itself.",
            "load",
        ),
        Section("By instruction type", (slopes, bars)),
        Section("Stacking", (heat, Finding("Fewer than ten items a cell: read as a pilot.", "note"))),
        Section(
            "Samples",
            (
                Browser(
                    (
                        Column("condition", "Condition"),
                        Column("load", "Load"),
                        Column("type", "Type"),
                        Column("task_status", "Task"),
                    ),
                    (Column("condition", "Condition"), Column("load", "Load"), Column("reason", "Reason")),
                ),
            ),
        ),
    )
    headlines = (
        Finding(
            "Under load, 46.1% of replies kept their format against 74.0% without: 27.9 points lost "
            "(95% interval 21.0 to 34.6, 90 items).",
            "shown",
        ),
        Finding("The reminder kept 12.4 points more than the natural prompt under the same load.", "shown"),
        Finding("Whether math costs more than trivia is not decided by this run.", "undecided"),
        Finding("11.8% of the replies were cut off at 256 tokens.", "warning"),
    )
    return Results((*figures, undefined), sections, headlines)


def make_run(folder: Path, table: pl.DataFrame) -> FinishedRun:
    """A finished run around a table."""
    manifest = Manifest(
        benchmark="invented",
        forgetscope="0.1.0",
        inspect_ai="0.3.285",
        python="3.11.7",
        model=ModelSpec(name="lab/model-1", decoding="greedy + repetition penalty 1.1, not the paper's"),
        settings={"data": "embedded", "max_tokens": 256, "seeds": [42, 137], "limit": None},
        limits=Limits(),
        data=[],
        data_sha256="ab" * 32,
        prompts_version="1",
        plan_sha256="cd" * 32,
        planned={"all": max(1, table.height)},
        notes=["more seeds reuse the same items"],
        started="2026-11-21T08:00:00+00:00",
        finished="2026-11-21T08:02:10+00:00",
        status="complete",
        completeness=1.0,
    )
    return FinishedRun(folder, manifest, table)


def make_chapter(folder: Path, table: pl.DataFrame) -> Chapter:
    """A chapter with all kinds of blocks over this table."""
    results = make_results()
    return Chapter(
        make_summary(make_run(folder, table), "Invented benchmark", results.figures, results.headlines), results, table
    )
