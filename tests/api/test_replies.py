"""Replies made elsewhere make the run they would have been: same table, and what does not fit is named and left out."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from inspect_ai.log import read_eval_log
from typer.testing import CliRunner, Result

import forgetscope as fs
from forgetscope.cli.commands import app
from forgetscope.core.errors import DataError, SettingError
from forgetscope.running.manifest import read_manifest

Row = dict[str, Any]
NOT_KNOWN = {"model", "input_tokens", "output_tokens", "seconds"}
"""Columns that a file of replies says nothing of, or other things."""

PLANS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "in-context": ("stubborn", {"limit": 2}),
    "prospective": ("careless", {"limit": 2, "seed": 42, "experiments": "load", "loads": "mmlu"}),
    "visual": ("visual-stubborn", {"limit": 1, "splits": "embedded-identity"}),
}


def command(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def write(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answers(table: pl.DataFrame) -> list[Row]:
    """The replies of a run as somebody would have kept them who made them elsewhere."""
    extra = {"first_reply": "original_reply", "reask_reply": "reask_reply"}
    return [
        {"sample_id": row["sample_id"], "reply": row["reply"], "finish_reason": row["finish_reason"]}
        | {name: row[column] for column, name in extra.items() if row.get(column)}
        for row in table.iter_rows(named=True)
    ]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Replies to every sample of a small in-context plan."""
    run = fs.run("in-context", "forgetscope/reference/stubborn", out=tmp_path_factory.mktemp("kept"), limit=2)
    return answers(run.table)


def again(tmp_path: Path, rows: Iterable[Mapping[str, object]], **settings: object) -> fs.Run:
    file = write(tmp_path / "replies.jsonl", rows)
    return fs.run_replies("in-context", file, out=tmp_path / "again", limit=2, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("benchmark", PLANS)
def test_the_table_is_that_of_the_run_the_replies_come_from(benchmark: str, tmp_path: Path) -> None:
    model, settings = PLANS[benchmark]
    first = fs.run(benchmark, f"forgetscope/reference/{model}", out=tmp_path / "first", **settings)  # type: ignore[arg-type]
    prompts = tmp_path / "prompts.jsonl"
    assert fs.write_prompts(benchmark, prompts, **settings) == first.table.height  # type: ignore[arg-type]
    assert sorted(row["sample_id"] for row in read(prompts)) == first.table["sample_id"].to_list()
    file = write(tmp_path / "replies.jsonl", answers(first.table))
    second = fs.run_replies(benchmark, file, model="elsewhere", out=tmp_path / "second", **settings)  # type: ignore[arg-type]
    assert second.is_complete
    assert [name for name in first.table.columns if not first.table[name].equals(second.table[name])] == [
        name for name in first.table.columns if name in NOT_KNOWN
    ]
    assert second.model == "elsewhere"
    manifest = read_manifest(tmp_path / "second")
    assert manifest.replies is not None
    assert "nothing was sent" in manifest.notes[0]
    assert (manifest.planned, manifest.plan_sha256) == (
        read_manifest(tmp_path / "first").planned,
        read_manifest(tmp_path / "first").plan_sha256,
    )
    (log,) = (tmp_path / "second" / "logs").glob("*.eval")
    assert len(read_eval_log(str(log)).samples or ()) == second.table.height
    assert fs.load(second.folder, from_logs=True).table.equals(second.table), "the log is the record"
    with pytest.raises(SettingError, match="not resumed: nothing is sent"):
        fs.resume(second.folder)


def test_prompts_hold_the_whole_dialogue_and_an_empty_place_for_the_model_s_own_answer(tmp_path: Path) -> None:
    fs.write_prompts("in-context", tmp_path / "prompts.jsonl", limit=1, arms="none")
    rows = {
        row["sample_id"].split("/", 1)[1].split("/length")[0] + row["probe"]: row
        for row in read(tmp_path / "prompts.jsonl")
    }
    revision = next(row for name, row in rows.items() if name.startswith("sr-") and "/forget" in name)
    assert [message["role"] for message in revision["messages"]][:3] == ["system", "user", "assistant"]
    assert [message["content"] is None for message in revision["messages"]].count(True) == 1
    assert revision["messages"][2]["content"] is None
    forgetting = next(row for name, row in rows.items() if name.startswith("if-") and name.endswith("/forgetquery"))
    assert forgetting["reask"]
    preference = next(row for name, row in rows.items() if name.startswith("dp-"))
    assert all(option in preference["messages"][-1]["content"] for option in preference["options"])


def test_pictures_are_written_once_beside_the_prompts(tmp_path: Path) -> None:
    fs.write_prompts("visual", tmp_path / "prompts.jsonl", limit=1, splits="embedded-identity")
    rows = [row for row in read(tmp_path / "prompts.jsonl") if row["image"]]
    assert rows
    assert all((tmp_path / row["image"]).read_bytes().startswith(b"\x89PNG") for row in rows)


def test_a_sample_is_named_by_any_fields_that_it_alone_has(kept: list[Row], tmp_path: Path) -> None:
    by_form = [
        {"item": name.split("/")[1], "form": name.split("/")[2], "reply": row["reply"]}
        | {field: row[field] for field in ("original_reply", "reask_reply") if field in row}
        for row in kept
        if "probe=neighbour" not in (name := row["sample_id"]) and "/arm=" not in name
    ]
    found = again(tmp_path, by_form)
    assert found.table.height == len(by_form) == 12
    assert (set(found.table["probe"]), set(found.table["arm"])) == ({"query"}, {""}), "what a row means unsaid"
    assert not found.is_complete, "the neighbour questions have no reply"
    assert found.figure("outcomes.missing", form="forget", probe="neighbour").value == 2


def test_rows_that_fit_no_sample_are_named_counted_and_left_out(kept: list[Row], tmp_path: Path) -> None:
    revision = next(row for row in kept if "/sr-" in row["sample_id"] and "original_reply" in row)
    odd: list[Row] = [
        {"sample_id": "in_context/if-999/forget", "reply": "x"},
        {"item": "if-001", "form": "sideways", "reply": "x"},
        {"reply": "to nobody"},
        {**kept[0], "reply": None},
        {**revision, "original_reply": None},
        {"form": "forget", "reply": "which?"},
        kept[1],
    ]
    whole = [row for row in kept if row["sample_id"] not in (revision["sample_id"], kept[0]["sample_id"])]
    file = write(tmp_path / "some.jsonl", [*whole, *odd])
    done = command("run", "in-context", "--limit", 2, "--replies", file, "--out", tmp_path / "run")
    assert done.exit_code == 1, "two planned samples are missing, which is below the floor"
    said = done.stderr.splitlines()
    assert all(line.startswith(f"left out: {file}:") for line in said[:7])
    for line, why in zip(
        said[:7],
        [
            "no such sample in the plan; found \"sample_id 'in_context/if-999/forget'\"",
            "no such sample in the plan; found \"form 'sideways', item 'if-001'\"",
            "the row names no sample; found ['reply']; allowed: sample_id, or item and form",
            "field 'reply': input should be a valid string",
            "this sample needs original_reply; allowed: the model",
            "6 planned samples fit; found \"form 'forget'\"; allowed: say also ",
            "another row has replied to this sample; found 'in_context/",
        ],
        strict=True,
    ):
        assert why in line
    assert said[7] == f"7 of {len(whole) + 7} rows were left out"
    assert "2 planned samples have no reply in some.jsonl: missing" in said[-1]
    strict = command("run", "in-context", "--limit", 2, "--replies", file, "--strict", "--out", tmp_path / "strict")
    assert isinstance(strict.exception, DataError)
    assert f"7 of {len(whole) + 7} rows are no reply to a planned sample, the first: {file}:" in str(strict.exception)
    assert not (tmp_path / "strict").exists()
    with pytest.raises(DataError, match=r"--write-prompts PROMPTS\.jsonl, with the same options"):
        fs.run_replies("in-context", write(tmp_path / "odd.jsonl", odd[:3]), out=tmp_path / "none", limit=2)


def test_options_shown_in_another_order_are_read_in_that_order(tmp_path: Path) -> None:
    fs.write_prompts("in-context", tmp_path / "prompts.jsonl", limit=2, scenarios="dynamic_preference")
    prompt = next(row for row in read(tmp_path / "prompts.jsonl") if row["form"] == "forget")
    chosen: dict[str, str] = {}
    for name, shown in (("as-planned", prompt["options"]), ("turned", prompt["options"][::-1])):
        row = {"sample_id": prompt["sample_id"], "reply": "A", "options": shown}
        (tmp_path / name).mkdir()
        made = again(tmp_path / name, [row], scenarios="dynamic_preference")
        chosen[name] = made.table["options"][0][0]
    assert chosen == {"as-planned": prompt["options"][0], "turned": prompt["options"][-1]}
    other = [{"sample_id": prompt["sample_id"], "reply": "A", "options": ["a", "b", "c", "d"]}]
    with pytest.raises(DataError, match="options are not the item's four"):
        again(tmp_path, other, scenarios="dynamic_preference")


def test_reasoning_and_how_a_reply_ended_are_read(kept: list[Row], tmp_path: Path) -> None:
    rows = [dict(row) for row in kept]
    rows[0] |= {"reply": "<think>hm</think>" + rows[0]["reply"], "finish_reason": "length"}
    rows[1] |= {"reasoning": "let me see", "output_tokens": 12}
    rows[2]["reply"] += " \ud800"
    table = again(tmp_path, rows).table
    by_id = {row["sample_id"]: row for row in table.iter_rows(named=True)}
    first, second = by_id[rows[0]["sample_id"]], by_id[rows[1]["sample_id"]]
    assert (first["reasoning"], first["status"]) == ("hm", "truncated")
    assert (second["reasoning"], second["output_tokens"], second["reply"]) == ("let me see", 12, rows[1]["reply"])


def test_a_judge_judges_replies_and_a_run_without_model_or_replies_is_refused(kept: list[Row], tmp_path: Path) -> None:
    file = write(tmp_path / "replies.jsonl", kept)
    judged = ("--judge", "forgetscope/reference/rule-judge")
    done = command("run", "in-context", "--limit", 2, "--replies", file, *judged, "--out", tmp_path / "run", "--json")
    assert done.exit_code == 0, done.output
    summary = json.loads(done.stdout)["run"]
    assert (summary["model"], summary["judge"]) == ("replies", "forgetscope/reference/rule-judge")
    assert summary["decoding"] == "unknown: replies made elsewhere"
    neither = command("run", "in-context", "--limit", 2)
    assert neither.exit_code == 2
    assert "Missing option" in neither.output
    strict = command(
        "run", "in-context", "--model", "forgetscope/reference/stubborn", "--strict", "--out", tmp_path / "x"
    )
    assert "--strict: this is about replies, and there are none" in str(strict.exception)


def test_an_intervention_on_the_model_has_no_prompts_to_write(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="acts on the model"):
        fs.write_prompts("visual", tmp_path / "prompts.jsonl", limit=1, intervention="system_prompt")
