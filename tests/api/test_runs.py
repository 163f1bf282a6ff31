"""Plan, run, load and report from Python, on real runs of reference models."""

from pathlib import Path

import polars as pl
import pytest

import forgetscope as fs
from forgetscope.core.errors import MissingPartError
from forgetscope.io.tables import read_table
from forgetscope.running.manifest import read_manifest


def test_a_plan_counts_what_a_run_sends(perfect: fs.Run) -> None:
    planned = fs.plan("prospective", limit=2, seed=42, loads="mmlu", experiments="load")
    assert planned.samples == perfect.table.height == 10


def test_a_run_has_its_table_its_figures_and_its_place(perfect: fs.Run) -> None:
    assert perfect.is_complete
    assert perfect.benchmark == "prospective"
    assert perfect.model == "forgetscope/reference/perfect"
    assert perfect.table.equals(read_table(perfect.folder / "samples.parquet"))
    rates = perfect.figures.filter(figure="compliance.strict.completed")
    assert rates.height > 0
    assert set(rates["value"]) == {1.0}
    assert {"load", "condition", "low", "high", "n", "excluded", "interval_method"} <= set(rates.columns)


def test_a_table_and_figures_go_to_pandas(perfect: fs.Run) -> None:
    assert list(perfect.table.to_pandas().columns) == perfect.table.columns
    assert perfect.figures.to_pandas()["value"].max() >= 1.0


def test_one_figure_is_found_by_name_and_factors(fading: fs.Run) -> None:
    found = fading.figure("compliance.strict.paper", condition="natural", load="mmlu")
    assert (found.value, found.n) == (0.0, 2)


@pytest.mark.parametrize(
    ("name", "factors", "says"),
    [
        ("compliance.strict.paper", {}, "several figures have this name"),
        ("compliance.strict.paper", {"load": "moon"}, "no figure of this name has these factors"),
        ("compliance.of.the.moon", {}, "no such figure"),
    ],
)
def test_a_figure_that_is_not_one_is_refused(perfect: fs.Run, name: str, factors: dict[str, str], says: str) -> None:
    with pytest.raises(LookupError, match=says):
        perfect.figure(name, **factors)


def test_a_loaded_run_is_the_run(perfect: fs.Run) -> None:
    again = fs.load(str(perfect.folder))
    assert again.table.equals(perfect.table)
    assert again.results == perfect.results


def test_a_run_without_a_table_is_read_from_its_logs(perfect: fs.Run) -> None:
    table = perfect.folder / "samples.parquet"
    table.unlink()
    assert fs.load(perfect.folder).table.equals(perfect.table)
    assert table.is_file()
    assert fs.load(perfect.folder, from_logs=True).table.equals(perfect.table)


def test_a_finished_run_resumed_is_the_same(perfect: fs.Run) -> None:
    assert fs.resume(perfect.folder).table.equals(perfect.table)


def test_the_report_lies_where_it_is_wanted(perfect: fs.Run, fading: fs.Run, tmp_path: Path) -> None:
    assert perfect.report() == perfect.folder / "report.html"
    assert "reference/perfect" in perfect.report(tmp_path / "page.html").read_text(encoding="utf-8")
    joint = fs.joint_report([perfect, fading.folder], tmp_path)
    page = joint.read_text(encoding="utf-8")
    assert joint == tmp_path / "report.html"
    assert "reference/perfect" in page
    assert "reference/fading" in page


def test_a_model_is_named_with_its_arguments(tmp_path: Path) -> None:
    model = fs.ModelSpec(name="forgetscope/reference/perfect", args={"latency": 0.001})
    limits = fs.Limits(max_connections=2)
    run = fs.run(
        "prospective", model, out=tmp_path / "run", limit=1, seed=42, experiments="load", loads="mmlu", limits=limits
    )
    manifest = read_manifest(run.folder)
    assert manifest.model.args == {"latency": 0.001}
    assert manifest.limits.max_connections == 2


def _small(folder: Path, *, limits: fs.Limits | None = None, shard: str = "") -> fs.Run:
    model = "forgetscope/reference/perfect"
    return fs.run(
        "prospective",
        model,
        out=folder,
        limit=2,
        seed=42,
        loads="mmlu",
        experiments="load",
        limits=limits,
        shard=shard,
    )


def test_shards_merge_to_the_whole_run(perfect: fs.Run, tmp_path: Path) -> None:
    parts = [_small(tmp_path / str(part), shard=f"{part}/2") for part in (1, 2)]
    whole = fs.merge([parts[1], parts[0].folder], tmp_path / "whole")
    assert {part.table.height for part in parts} == {5}
    assert whole.table.drop("seconds").equals(perfect.table.drop("seconds"))


def test_a_run_stopped_by_its_budget_says_so_and_goes_on(perfect: fs.Run, tmp_path: Path) -> None:
    run = _small(tmp_path / "run", limits=fs.Limits(max_samples=4))
    assert run.stopped
    assert not run.is_complete
    again = fs.resume(run.folder, limits={"max_samples": 100})
    assert not again.stopped
    assert again.table.drop("seconds").equals(perfect.table.drop("seconds"))


def test_a_judge_is_asked_again_without_generating(tmp_path: Path) -> None:
    run = fs.run(
        "in-context",
        "forgetscope/reference/stubborn",
        out=tmp_path / "run",
        limit=1,
        scenarios="dynamic_preference",
        judges=["forgetscope/reference/rule-judge"],
    )
    assert "judge_status" in run.table.columns
    again = fs.rejudge(run.folder, ["forgetscope/reference/babbling-judge"])
    assert again.table["reply"].equals(run.table["reply"])
    assert fs.Status.JUDGE_UNPARSEABLE in set(again.table["judge_status"])


def test_a_model_does_not_judge_itself(tmp_path: Path) -> None:
    name = "forgetscope/reference/stubborn"
    with pytest.raises(fs.UserError, match="must not judge itself"):
        fs.run("in-context", name, judges=[name], limit=1, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(fs.UserError, match="not a run folder"):
        fs.load(tmp_path)


def test_counts_by_status_are_one_line(fading: fs.Run) -> None:
    counts = fading.table.group_by("status").agg(pl.len())
    assert counts["len"].sum() == 10


def test_a_notebook_without_its_package_is_told_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inspect_ai._util import platform

    monkeypatch.setattr(platform, "running_in_notebook", lambda: True)
    monkeypatch.setattr(platform, "have_package", lambda _: False)
    with pytest.raises(MissingPartError, match="pip install ipywidgets"):
        fs.run("prospective", "forgetscope/reference/perfect", out=tmp_path / "run", limit=1)


def test_a_printed_run_says_what_it_is_and_its_headlines(perfect: fs.Run) -> None:
    first, *rest = str(perfect).splitlines()
    assert first == f"prospective on forgetscope/reference/perfect: 10 samples, complete; {perfect.folder}"
    assert rest == [f"- {finding.verdict}: {finding.text}" for finding in perfect.headlines]
