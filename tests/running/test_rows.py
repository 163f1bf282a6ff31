"""Rows made while a run goes on are those its logs give; a table is made again where what it follows from changed."""

from dataclasses import replace
from pathlib import Path

import pytest

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import Benchmark, LoggedSample
from forgetscope.core.results import Value
from forgetscope.io.tables import write_table
from forgetscope.running import finished, logs
from forgetscope.running.execute import start_run
from forgetscope.running.finished import TABLE_NAME, FinishedRun, collect_run
from forgetscope.running.judgements import JudgementFile
from forgetscope.running.manifest import LOG_FOLDER, Limits, ModelSpec

IN_CONTEXT = {"limit": 2, "probes": "none", "arms": "none", "max_tokens": 64, "judged": "all"}
RUNS = {
    "prospective": ("fading", (), {"loads": "mmlu,triviaqa", "experiments": "load", "seeds": (42,), "limit": 3}),
    "in-context": ("perfect-forgetter", ("rule-judge", "generous-judge"), IN_CONTEXT),
    "visual": ("visual-obedient", (), {"splits": "embedded-identity", "limit": 4}),
}


def run(folder: Path, name: str = "prospective", benchmark: Benchmark | None = None) -> FinishedRun:
    model, judges, given = RUNS[name]
    chosen = benchmark or get_benchmark(name)
    settings = chosen.settings.model_validate(given)
    plan, spec = chosen.plan(settings), ModelSpec(name=f"forgetscope/reference/{model}")
    asked = [ModelSpec(name=f"forgetscope/reference/{judge}") for judge in judges]
    return start_run(chosen, settings, plan, spec, Limits(), folder, display="none", judges=asked)


def forbid(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> None:
    def asked(*_: object, **__: object) -> None:
        raise AssertionError(f"{name} was called")

    monkeypatch.setattr(module, name, asked)


@pytest.mark.parametrize("name", RUNS)
def test_a_fresh_run_reads_no_sample_back_and_has_the_table_of_its_logs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        forbid(patched, logs, "_read")
        done = run(tmp_path / "run", name)
    assert done.table.height == done.manifest.planned_samples > 0
    assert done.table.equals(collect_run(tmp_path / "run", is_anew=True).table)


def test_a_row_that_cannot_be_made_in_passing_is_read_from_the_log(tmp_path: Path) -> None:
    benchmark = get_benchmark("prospective")
    failed: set[str] = set()

    def row(logged: LoggedSample) -> dict[str, Value]:
        made = dict(benchmark.row(logged))
        if str(made["sample_id"]) not in failed:
            failed.add(str(made["sample_id"]))
            raise RuntimeError("once")
        return made

    done = run(tmp_path / "run", benchmark=replace(benchmark, row=row))
    assert done.table.equals(run(tmp_path / "other").table.with_columns(done.table["seconds"]))


def test_a_table_is_used_while_logs_judgements_and_code_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    done = run(folder)
    with monkeypatch.context() as patched:
        forbid(patched, logs, "collect_table")
        assert collect_run(folder).table.equals(done.table)
        for other in ("is_anew", "code"):
            patched.setattr(finished, "code_sha256", lambda other=other: other)
            with pytest.raises(AssertionError, match="collect_table was called"):
                collect_run(folder, is_anew=other == "is_anew")
    assert collect_run(folder, is_anew=True).table.equals(done.table)


@pytest.mark.parametrize(
    "changed", ["log", "judgements", "damaged table", "no table", "table of elsewhere", "no record"]
)
def test_a_table_is_made_again_where_something_changed(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    done, table = run(folder), folder / TABLE_NAME
    (log,) = (folder / LOG_FOLDER).glob("*.eval")
    match changed:
        case "log":
            log.rename(log.with_name("2020-01-01T00-00-00-00-00_other.eval"))
        case "judgements":
            (folder / "judgements.jsonl").write_text("")
        case "damaged table":
            table.write_bytes(table.read_bytes()[:-2000] + b"x" * 1000)
        case "no table":
            table.unlink()
        case "table of elsewhere":
            done.table.head(1).write_parquet(table, metadata={"forgetscope_schema": "1"})
        case "no record":
            monkeypatch.setenv("FORGETSCOPE_STATE", str(tmp_path / "of another user"))
    before = table.stat().st_mtime_ns if table.is_file() else 0
    assert collect_run(folder).table.equals(done.table)
    assert table.stat().st_mtime_ns != before
    assert finished.read_run_table(folder, get_benchmark("prospective")).equals(done.table)


def test_a_received_table_is_not_used_whatever_its_folder_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sender has every file of the folder and the same code, but not the record of who receives it."""
    folder = tmp_path / "run"
    monkeypatch.setenv("FORGETSCOPE_STATE", str(tmp_path / "of the sender"))
    done = run(folder)
    forged = done.table.with_columns(raw_pass=True)
    finished._note_table(write_table(forged, folder / TABLE_NAME), finished.made_from(folder, done.manifest))
    assert collect_run(folder).table.equals(forged)
    monkeypatch.setenv("FORGETSCOPE_STATE", str(tmp_path / "of the receiver"))
    assert collect_run(folder).table.equals(done.table)


def test_a_run_is_collected_where_nothing_can_be_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FORGETSCOPE_STATE", str(tmp_path / "file" / "state"))
    done = run(tmp_path / "run")
    assert collect_run(tmp_path / "run").table.equals(done.table)


def test_of_a_sample_that_is_scored_again_the_last_row_counts(tmp_path: Path) -> None:
    benchmark = get_benchmark("prospective")
    made = logs.RowsMade(benchmark, "m", JudgementFile(tmp_path))
    first = run(tmp_path / "run").table.row(0, named=True)
    for reply in ("first", "second"):
        made._last["a"] = {**first, "reply": reply}
        made._put_away()
    names, table = made.among({"a", "b"})
    assert (names, table["reply"].to_list()) == (["a"], ["second"])
