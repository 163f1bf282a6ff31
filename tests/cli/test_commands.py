"""The commands on good input, as a user types them."""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import forgetscope
from forgetscope.cli.commands import app
from forgetscope.cli.demo import free_folder
from forgetscope.cli.specs import key_values
from forgetscope.core.errors import SettingError

SMALL = ("prospective", "--limit", "2", "--loads", "mmlu,gsm8k_x3", "--seed", "42", "--experiments", "load")


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "perfect"
    invoke("run", *SMALL, "--model", "forgetscope/reference/perfect", "--out", str(folder))
    return folder


def test_the_version_is_printed() -> None:
    assert invoke("--version").strip() == forgetscope.__version__


def test_a_plan_counts_what_a_run_would_send() -> None:
    plan = json.loads(invoke("plan", *SMALL, "--json"))
    assert plan["samples"] == sum(cell["samples"] for cell in plan["cells"]) == 2 * (2 + 2 * 3)
    assert plan["max_reply_tokens"] == 16 * 2048
    assert plan["estimated_seconds"] is None
    assert plan["log_bytes"] == 4000 * plan["samples"] + 3 * plan["prompt_tokens"]
    assert plan["own_cpu_seconds"] > 0
    assert len(plan["data_sha256"]) == 64


def test_a_plan_names_the_time_where_the_speed_is_known() -> None:
    assert "about" in invoke("plan", *SMALL, "--model", "forgetscope/smollm2", "--max-tokens", "64")


def test_a_run_leaves_what_the_design_says(run_folder: Path) -> None:
    names = {path.name for path in run_folder.iterdir()}
    assert names == {"run.json", "logs", "samples.parquet", "summary.json", "report.html"}
    manifest = json.loads((run_folder / "run.json").read_text(encoding="utf-8"))
    assert manifest["status"] == "complete"
    assert manifest["settings"]["seeds"] == [42]
    table = pl.read_parquet(run_folder / "samples.parquet")
    assert table.height == sum(manifest["planned"].values()) == 16
    assert table["sample_id"].n_unique() == 16
    assert table.filter(pl.col("constraints") > 0)["strict"].all()


def test_a_report_can_be_made_again_from_the_logs(run_folder: Path) -> None:
    before = json.loads((run_folder / "summary.json").read_text(encoding="utf-8"))
    table = pl.read_parquet(run_folder / "samples.parquet")
    for name in ("samples.parquet", "summary.json", "report.html"):
        (run_folder / name).unlink()
    output = invoke("report", str(run_folder), "--published")
    assert "16 of 16 planned samples" in output
    assert pl.read_parquet(run_folder / "samples.parquet").equals(table)
    again = json.loads((run_folder / "summary.json").read_text(encoding="utf-8"))
    assert [entry for entry in again["figures"] if entry in before["figures"]] == before["figures"]


def test_figures_print_as_json(run_folder: Path) -> None:
    summary = json.loads(invoke("report", str(run_folder), "--json"))
    rates = [entry for entry in summary["figures"] if entry["name"] == "compliance.strict.paper"]
    assert rates
    assert all(entry["value"] == 1.0 for entry in rates)


def test_resuming_a_finished_run_changes_nothing(run_folder: Path) -> None:
    table = pl.read_parquet(run_folder / "samples.parquet")
    invoke("resume", str(run_folder))
    assert pl.read_parquet(run_folder / "samples.parquet").equals(table)


def test_everything_there_is_can_be_listed() -> None:
    listing = json.loads(invoke("list", "--json"))
    assert "prospective" in listing["benchmarks"]
    assert "forgetscope/smollm2" in listing["models"]
    assert "perfect" in listing["reference_models"]["prospective"]
    assert "prospective" in invoke("list")


def test_data_sets_of_all_benchmarks_are_listed_with_their_revisions() -> None:
    output = invoke("data", "list")
    assert "966cd89545d6b6acfd7638bc708b98261ca58e84" in output
    listed = json.loads(invoke("data", "list", "--json"))
    assert {entry["benchmark"] for entry in listed} == {"in-context", "prospective", "visual", "unlearning"}
    assert {entry["name"] for entry in json.loads(invoke("data", "list", "visual", "--json"))} >= {"coco", "logo2k"}


def test_embedded_data_verify() -> None:
    output = invoke("data", "verify", "prospective", "embedded")
    assert "90 rows" in output
    assert "all together: sha256" in output


def test_recorded_replies_are_scored(tmp_path: Path) -> None:
    prompt = {"key": 1, "prompt": "p", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
    (tmp_path / "prompts.jsonl").write_text(json.dumps(prompt), encoding="utf-8")
    (tmp_path / "responses.jsonl").write_text(json.dumps({"prompt": "p", "response": "a, b"}), encoding="utf-8")
    out = tmp_path / "verdicts.jsonl"
    files = [str(tmp_path / name) for name in ("responses.jsonl", "prompts.jsonl")]
    output = invoke("score", "constraints", files[0], "--prompts", files[1], "--out", str(out))
    (row,) = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert row["reference"] == {"strict": False, "loose": False, "strict_each": [False], "loose_each": [False]}
    assert "1 reply by the reference reading, strict: 1 incorrect" in output
    account = json.loads(invoke("score", "constraints", files[0], "--prompts", files[1], "--out", str(out), "--json"))
    assert account["account"] == {"incorrect": 1}


def test_rows_that_are_left_out_are_counted_on_stderr(tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text('{"gold": 1, "reply": "1"}\n{"gold": 1}\n', encoding="utf-8")
    arguments = ["score", "gsm8k", str(replies), "--out", str(tmp_path / "verdicts.jsonl")]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "1 of 2 rows were left out" in result.stderr
    assert "replies.jsonl:2: field 'reply'" in result.stderr


def test_validation_holds_on_a_small_plan() -> None:
    output = invoke("validate", "prospective", "--limit", "1")
    assert "FAILS" not in output
    assert output.count("holds") >= 16


def test_inspects_own_command_says_in_one_line_what_is_wrong() -> None:
    command = [sys.executable, "-m", "inspect_ai", "eval", "forgetscope/in_context", "-T", "scenarios=dreams"]
    done = subprocess.run([*command, "--model", "mockllm/model"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("forgetscope: scenarios: no such scenario; found 'dreams'")
    assert len(done.stderr.splitlines()) == 1


def test_the_task_runs_under_inspects_own_command(tmp_path: Path) -> None:
    from inspect_ai import eval as inspect_eval

    (log,) = inspect_eval(
        "forgetscope/prospective",
        model="forgetscope/reference/perfect",
        task_args={"limit": 1, "loads": "mmlu", "seeds": "42", "experiments": "load"},
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success"
    assert log.results is not None
    assert {score.name: score.metrics["mean"].value for score in log.results.scores}["compliance"] == 1.0


def test_an_occupied_demo_folder_gets_a_number(tmp_path: Path) -> None:
    wanted = tmp_path / "demo"
    assert free_folder(wanted) == wanted
    wanted.mkdir()
    (wanted / "kept").touch()
    assert free_folder(wanted) == tmp_path / "demo-2"
    (tmp_path / "demo-2").touch()
    assert free_folder(wanted) == tmp_path / "demo-3"


def test_model_arguments_are_json_or_text() -> None:
    assert key_values(["a=1", "b=x/y.gguf", "c=true"], "-M") == {"a": 1, "b": "x/y.gguf", "c": True}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["a"], "-C: it takes key=value; found 'a'"),
        (["=1"], "-C: it takes key=value"),
        (["a=1", "a=2"], "-C a: said twice"),
        *(
            (["a=" + number], "-C a: not a number to count with")
            for number in ("nan", "-inf", "Infinity", "1e400", "-1e999")
        ),
    ],
)
def test_an_argument_that_cannot_be_meant_is_refused_under_its_own_option(given: list[str], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        key_values(given, "-C")
