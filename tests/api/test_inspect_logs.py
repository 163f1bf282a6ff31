"""Logs of `inspect eval` become runs with a page; what is foreign, damaged or hostile is one line."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_set, task_with
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from typer.testing import CliRunner

import forgetscope as fs
from forgetscope.api.inspect_logs import inspect_runs
from forgetscope.benchmarks.in_context.task import in_context
from forgetscope.benchmarks.prospective.task import prospective
from forgetscope.cli.commands import app
from forgetscope.core.errors import RunFolderError
from forgetscope.report import write_report
from forgetscope.running.manifest import is_inspect_logs

MODEL = "forgetscope/reference/fading"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inspect")
    task = prospective(experiments="load", loads="mmlu", seeds=42, limit=2)
    inspect_eval(task, model=MODEL, log_dir=str(folder), display="none", max_tokens=300)
    (found,) = folder.glob("*.eval")
    return found


def copied(log: Path, folder: Path, **changes: object) -> EvalLog:
    """The log with some of its head changed, written into a folder."""
    folder.mkdir(exist_ok=True)
    whole = read_eval_log(str(log))
    whole.eval = whole.eval.model_copy(update=changes)
    write_eval_log(whole, str(folder / f"{len(list(folder.iterdir()))}.eval"), format="eval")
    return whole


def test_a_log_of_inspect_gives_the_table_and_page_of_a_run_of_ours(log: Path, tmp_path: Path) -> None:
    assert is_inspect_logs(log)
    assert is_inspect_logs(log.parent)
    copied(log, tmp_path / "logs")
    (run,), left_out = inspect_runs(tmp_path / "logs")
    own = fs.run("prospective", MODEL, out=tmp_path / "own", experiments="load", loads="mmlu", seed=42, limit=2)
    same = [name for name in own.table.columns if name not in ("seconds",)]
    assert run.table.select(same).equals(own.table.select(same))
    assert (left_out, run.is_complete, run.manifest.settings["max_tokens"]) == ([], True, 300)
    assert run.manifest.model.decoding == "greedy"
    page = write_report(run).html.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert {path.name for path in (tmp_path / "logs").iterdir()} >= {"report.html", "samples.parquet", "summary.json"}
    assert not (tmp_path / "logs" / "run.json").exists()


def test_logs_of_several_models_become_several_runs_and_foreign_ones_are_named(log: Path, tmp_path: Path) -> None:
    copied(log, tmp_path / "logs")
    copied(log, tmp_path / "logs", model="some/other")
    copied(log, tmp_path / "logs", task="gsm8k", task_registry_name="inspect_evals/gsm8k")
    runs, left_out = inspect_runs(tmp_path / "logs")
    assert [(run.manifest.model.name, run.folder.name) for run in runs] == [
        (MODEL, "1-prospective"),
        ("some/other", "2-prospective"),
    ]
    assert left_out == ["2.eval is of the task inspect_evals/gsm8k"]


def test_an_eval_set_of_inspects_own_becomes_one_page_with_a_chapter_a_task(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    tasks = [
        task_with(prospective(experiments="load", loads="mmlu", seeds=42, limit=1), model=MODEL),
        task_with(in_context(limit=1), model="forgetscope/reference/perfect-forgetter"),
    ]
    finished, _ = eval_set(tasks, log_dir=str(logs), display="none", retry_attempts=0)
    assert finished
    assert (logs / "eval-set.json").is_file()
    said = CliRunner().invoke(app, ["report", str(logs), "--out", str(tmp_path / "page.html")])
    assert said.exit_code == 0, said.output
    runs, left_out = inspect_runs(logs)
    assert (sorted(run.manifest.benchmark for run in runs), left_out) == (["in-context", "prospective"], [])
    assert all(run.is_complete for run in runs)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert all(f'id="c{chapter}--outcomes"' in page for chapter in (1, 2))


def test_samples_that_are_not_there_are_missed(log: Path, tmp_path: Path) -> None:
    whole = read_eval_log(str(log))
    whole.samples = (whole.samples or [])[:-2]
    (tmp_path / "logs").mkdir()
    write_eval_log(whole, str(tmp_path / "logs" / "part.eval"), format="eval")
    (run,), _ = inspect_runs(tmp_path / "logs")
    assert not run.is_complete
    assert any("2 samples" in note for note in run.manifest.notes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"task": "gsm8k", "task_registry_name": "inspect_evals/gsm8k"}, "no log of a forgetscope task"),
        ({"task_args": {"loads": "mmlu", "steal": "keys"}}, "the arguments of this log are none of prospective's"),
        ({"task_args": {"seeds": ["x"]}}, "the arguments of this log are none of prospective's"),
        ({"task": "x" * 5000, "task_registry_name": None}, "no log of a forgetscope task"),
    ],
)
def test_a_foreign_or_hostile_log_is_one_line(log: Path, tmp_path: Path, changes: dict[str, object], said: str) -> None:
    copied(log, tmp_path / "logs", **changes)
    with pytest.raises(RunFolderError, match=said) as raised:
        inspect_runs(tmp_path / "logs")
    assert len(str(raised.value)) < 1000


def test_a_damaged_log_and_one_of_another_benchmark_are_refused(log: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.eval").write_bytes(b"PK\x03\x04" + bytes(range(256)))
    copied(log, tmp_path / "swapped", task="visual", task_registry_name="forgetscope/visual", task_args={})
    for path, said in (
        (tmp_path / "bad.eval", "this log is damaged"),
        (tmp_path / "swapped", "none of this benchmark"),
    ):
        with pytest.raises(RunFolderError, match=said):
            inspect_runs(path)


def test_the_logs_of_a_run_of_ours_are_told_from_such(tmp_path: Path) -> None:
    run = fs.run("prospective", MODEL, out=tmp_path / "own", experiments="load", loads="mmlu", seed=42, limit=1)
    with pytest.raises(RunFolderError, match="the logs of a run of forgetscope"):
        inspect_runs(run.folder / "logs")


@pytest.mark.parametrize("name", ["a?b.eval", "a#b.eval", "a%20b.eval", "a\nb.eval"])
def test_a_log_whose_name_inspect_reads_as_an_address_is_refused(log: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(log.read_bytes())
    with pytest.raises(RunFolderError, match="cannot have such a name"):
        inspect_runs(tmp_path)


@pytest.mark.parametrize(
    "make",
    [lambda path: os.mkfifo(path), lambda path: path.mkdir(), lambda path: path.symlink_to("/etc/passwd")],
    ids=["pipe", "folder", "link"],
)
def test_what_is_called_a_log_and_is_no_file_is_refused(
    log: Path, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    copied(log, tmp_path)
    make(tmp_path / "other.eval")
    with pytest.raises(RunFolderError, match=r"other\.eval: not a log but a link, a folder or a pipe"):
        inspect_runs(tmp_path)


def test_tables_are_not_written_where_a_link_leads(log: Path, tmp_path: Path) -> None:
    copied(log, tmp_path / "logs")
    copied(log, tmp_path / "logs", model="some/other")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "logs" / "forgetscope").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RunFolderError, match="a link stands where tables are written"):
        inspect_runs(tmp_path / "logs")
    assert not list((tmp_path / "elsewhere").iterdir())
