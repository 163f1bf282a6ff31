"""A constraint and a load from outside: installed, run, stacked, named in the report."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from forgetscope.benchmarks.prospective.loads.load import EMBEDDED
from tests.examples.plugins import PLUGINS, forgetscope, installed, python

SETS = {"ifeval": "ifeval", "triviaqa": "triviaqa", "mmlu": "mmlu", "gsm8k": "arithmetic", "cnn_dailymail": "news"}
ASKING = {
    "key": 1,
    "prompt": "Write a line about tea. End with a question mark.",
    "instruction_id_list": ["ours:question"],
    "kwargs": [{}],
}
STACKS = """
import sys
from forgetscope.checkers import check
from forgetscope.checkers.construct import violate
from forgetscope.benchmarks.prospective.data.loading import load_data
from forgetscope.benchmarks.prospective.data.stacking import safe_pool, stacking_samples
from forgetscope.benchmarks.prospective.validation.reference import compliant_reply, violating_reply
data = load_data(sys.argv[1])
print(safe_pool(data.prompts)[-1])
print(check("ours:question", {}, violate("ours:question", {}, prompt="")).reason)
for sample in stacking_samples(data, seed=42, limit=None):
    compliant_reply(sample, right=True), violating_reply(sample)
    if "ours:question" in sample.instruction_types:
        print(sample.type_name, "question mark" in sample.prompt)
"""
LOADED = """
from forgetscope import plan
from forgetscope.benchmarks.prospective.loads.registry import LOADS, score_task
content = LOADS["letters"].content([(0, LOADS["letters"].pool.item(word="tea"))])
print(score_task(content, LOADS["letters"].answers(content, False)[0], prompt="").repaired)
for loads in ("all", "letters"):
    print(any("letters" in cell.label for cell in plan("prospective", loads=loads, experiments="load").cells))
"""

pytestmark = pytest.mark.slow


def run(arguments: Sequence[str], environment: dict[str, str], folder: Path) -> pl.DataFrame:
    """The samples of a run of one item on the model that complies and is right."""
    given = ["--model", "forgetscope/reference/perfect", "--limit", "1", "--out", "run", *arguments]
    forgetscope(["run", "prospective", "--experiments", "load", *given], environment, folder)
    return pl.read_parquet(folder / "run" / "samples.parquet")


def data_with(rows: str, folder: Path) -> Path:
    """Our own sets as a folder, with these constraint prompts."""
    for role, name in SETS.items():
        (folder / role).mkdir(parents=True)
        shutil.copyfile(EMBEDDED / f"{name}.jsonl", folder / role / "test.jsonl")
    (folder / "ifeval" / "test.jsonl").write_text(rows, encoding="utf-8")
    return folder


def test_a_constraint_from_outside_is_asked_for_kept_broken_and_stacked(tmp_path: Path) -> None:
    environment = installed(PLUGINS / "constraint", tmp_path)
    data = data_with(json.dumps(ASKING), tmp_path / "data")
    table = run(("--data", str(data), "--prompts", "all", "--loads", "mmlu"), environment, tmp_path)
    asked = table.filter(pl.col("constraints") > 0)
    assert set(asked["type"]) == {"question"}
    assert asked["strict"].all()
    reminded = json.loads(asked.filter(pl.col("condition") == "reminder")["messages"][0])
    assert "End your response with a question mark." in reminded[-1]["content"]

    every = (EMBEDDED / "ifeval.jsonl").read_text(encoding="utf-8") + json.dumps(ASKING)
    pool, broken, *stacks = python(
        STACKS, environment, tmp_path, [str(data_with(every, tmp_path / "every"))]
    ).splitlines()
    assert pool == "ours:question"
    assert broken == "ends with '.'"
    assert stacks
    assert all("quotation" not in names and names.endswith("True") for names in stacks)


def test_a_load_from_outside_is_run_when_it_is_named(tmp_path: Path) -> None:
    environment = installed(PLUGINS / "load", tmp_path)
    table = run(("--loads", "letters"), environment, tmp_path)
    assert set(table["load"]) == {"none", "letters"}
    assert table.filter(pl.col("load") == "letters")["task_repaired"].all()
    assert "Letters" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert python(LOADED, environment, tmp_path).splitlines() == ["False", "False", "True"]
