"""A made-up run of dialogues: every part, mark, further answer, checklist and choice, in three conditions an item."""

import json
from pathlib import Path

import polars as pl

from forgetscope.core.results import Value, build_table
from forgetscope.findings.figures import (
    Browser,
    Checklist,
    Choice,
    Column,
    Finding,
    FurtherAnswer,
    Marking,
    Results,
    Section,
    Table,
    TurnPart,
)
from forgetscope.report.chapters import Chapter
from forgetscope.report.summary import make_summary
from tests.report.synthetic import make_run

CONDITIONS = ("plain", "told", "told twice")
NAMES = {"plain": "Plain", "told": "Told", "told twice": "Told twice"}

EXTRA: dict[str, pl.DataType | type[pl.DataType]] = {
    "condition": pl.String,
    "size": pl.Int64,
    "secret": pl.List(pl.String),
    "hint": pl.String,
    "again": pl.String,
    "again_asked": pl.String,
    "again_status": pl.String,
    "wished": pl.List(pl.String),
    "done": pl.List(pl.Boolean),
    "offered": pl.List(pl.String),
    "taken": pl.Int64,
    "best": pl.Int64,
    "copied": pl.String,
}

BROWSER = Browser(
    filters=(Column("condition", "Condition", names=NAMES), Column("size", "Size", names={"": "as it is"})),
    shown=(Column("condition", "Condition", names=NAMES), Column("size", "Size", names={"": "as it is"})),
    together=("item", "size"),
    apart=Column("condition", "Condition", names=NAMES),
    parts=(TurnPart("S", "Setting"), TurnPart("A", "First part"), TurnPart("B", "Second part")),
    markings=(Marking("secret", "the secret"), Marking("hint", "a hint", is_weak=True)),
    answers=(FurtherAnswer("again", "Once more", asked="again_asked", status="again_status"),),
    checklists=(Checklist("Wishes", "wished", "done"),),
    choices=(Choice("Offers", "offered", chosen="taken", places=(Column("best", "the best"),)),),
    left_out=("copied",),
)


def conversation(
    item: str,
    condition: str = "plain",
    *,
    reply: str = "It is Old Town, of course.",
    reasoning: str = "",
    live: str = "A live answer.",
    size: int | None = None,
    **changes: Value,
) -> dict[str, Value]:
    """One sample: a system message, a first part with a live answer, under two of the conditions a second part."""
    told = condition != "plain"
    messages: list[dict[str, str | bool]] = [
        {"part": "S", "role": "system", "content": "Be brief."},
        {"part": "A", "role": "user", "content": f"I live in Old Town.\n\nItem {item}."},
        {"part": "A", "role": "assistant", "content": live, "live": True},
        *_told(CONDITIONS.index(condition)),
        {"part": "B", "role": "", "content": "some unrelated turns"},
        {"part": "A", "role": "user", "content": "Where do I live?"},
    ]
    values: dict[str, Value] = {
        "benchmark": "invented",
        "model": "lab/model-1",
        "sample_id": f"invented/{item}/{condition}/size={size}",
        "item": item,
        "form": condition,
        "seed": 42,
        "status": "incorrect" if told else "correct",
        "raw_pass": not told,
        "finish_reason": "stop",
        "input_tokens": 60,
        "output_tokens": 8,
        "seconds": 1.0,
        "looped": False,
        "messages": json.dumps(messages),
        "reply": reply,
        "reasoning": reasoning,
        "error": "",
        "condition": condition,
        "size": size,
        "secret": ["Old Town", "o'ld (town)"],
        "hint": "part of a city",
        "again": "In a part of a city." if told else None,
        "again_asked": "Are you sure?" if told else None,
        "again_status": "correct" if told else None,
        "wished": ["Be short.", "Be kind."],
        "done": [True, False],
        "offered": ["Tea", "Coffee"],
        "taken": 1,
        "best": 0,
        "copied": "not in the page",
    }
    return values | changes


def _told(times: int) -> list[dict[str, str | bool]]:
    return [{"part": "B", "role": "user", "content": "Forget where I live."} for _ in range(times)]


def conversations(items: int) -> pl.DataFrame:
    """Every item in every condition at two sizes."""
    return build_table(
        (
            conversation(f"item-{number:03d}", condition, size=size)
            for number in range(items)
            for size in (None, 500)
            for condition in CONDITIONS
        ),
        EXTRA,
    )


def dialogue_chapter(table: pl.DataFrame, browser: Browser = BROWSER) -> Chapter:
    """A chapter with a folded table and the browser."""
    folded = Table(
        "Every cell", (Column("a", "cell"), Column("b", "value", "percent")), ({"a": "x", "b": 0.5},), folded=True
    )
    results = Results(
        (), (Section("Numbers", (folded,), slug="numbers"), Section("Dialogues", (browser,))), (Finding("Found."),)
    )
    run = make_run(Path(), table)
    return Chapter(make_summary(run, "Invented dialogues", (), results.headlines), results, table)
