"""Plan, run, load and report from Python, on real runs of reference models."""

from pathlib import Path

import polars as pl
import pytest

import forgetbench as fb
from forgetbench.results import read_table
from forgetbench.running.manifest import read_manifest


def test_a_plan_counts_what_a_run_sends(perfect: fb.Run) -> None:
    planned = fb.plan("prospective", limit=2, seed=42, loads="mmlu", experiments="load")
    assert planned.samples == perfect.table.height == 10


def test_a_run_has_its_table_its_figures_and_its_place(perfect: fb.Run) -> None:
    assert perfect.is_complete
    assert perfect.benchmark == "prospective"
    assert perfect.model == "forgetbench/reference/perfect"
    assert perfect.table.equals(read_table(perfect.folder / "samples.parquet"))
    rates = perfect.figures.filter(figure="compliance.strict.completed")
    assert rates.height > 0
    assert set(rates["value"]) == {1.0}
    assert {"load", "condition", "low", "high", "n", "excluded", "interval_method"} <= set(rates.columns)


def test_a_table_and_figures_go_to_pandas(perfect: fb.Run) -> None:
    assert list(perfect.table.to_pandas().columns) == perfect.table.columns
    assert perfect.figures.to_pandas()["value"].max() >= 1.0


def test_one_figure_is_found_by_name_and_factors(fading: fb.Run) -> None:
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
def test_a_figure_that_is_not_one_is_refused(perfect: fb.Run, name: str, factors: dict[str, str], says: str) -> None:
    with pytest.raises(LookupError, match=says):
        perfect.figure(name, **factors)


def test_a_loaded_run_is_the_run(perfect: fb.Run) -> None:
    again = fb.load(str(perfect.folder))
    assert again.table.equals(perfect.table)
    assert again.results == perfect.results


def test_a_run_without_a_table_is_read_from_its_logs(perfect: fb.Run) -> None:
    table = perfect.folder / "samples.parquet"
    table.unlink()
    assert fb.load(perfect.folder).table.equals(perfect.table)
    assert table.is_file()
    assert fb.load(perfect.folder, from_logs=True).table.equals(perfect.table)


def test_a_finished_run_resumed_is_the_same(perfect: fb.Run) -> None:
    assert fb.resume(perfect.folder).table.equals(perfect.table)


def test_the_report_lies_where_it_is_wanted(perfect: fb.Run, fading: fb.Run, tmp_path: Path) -> None:
    assert perfect.report() == perfect.folder / "report.html"
    assert "reference/perfect" in perfect.report(tmp_path / "page.html").read_text(encoding="utf-8")
    joint = fb.joint_report([perfect, fading.folder], tmp_path)
    page = joint.read_text(encoding="utf-8")
    assert joint == tmp_path / "report.html"
    assert "reference/perfect" in page
    assert "reference/fading" in page


def test_a_model_is_named_with_its_arguments(tmp_path: Path) -> None:
    model = fb.ModelSpec(name="forgetbench/reference/perfect", args={"latency": 0.001})
    limits = fb.Limits(max_connections=2)
    run = fb.run(
        "prospective", model, out=tmp_path / "run", limit=1, seed=42, experiments="load", loads="mmlu", limits=limits
    )
    manifest = read_manifest(run.folder)
    assert manifest.model.args == {"latency": 0.001}
    assert manifest.limits.max_connections == 2


def _small(folder: Path, *, limits: fb.Limits | None = None, shard: str = "") -> fb.Run:
    model = "forgetbench/reference/perfect"
    return fb.run(
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


def test_shards_merge_to_the_whole_run(perfect: fb.Run, tmp_path: Path) -> None:
    parts = [_small(tmp_path / str(part), shard=f"{part}/2") for part in (1, 2)]
    whole = fb.merge([parts[1], parts[0].folder], tmp_path / "whole")
    assert {part.table.height for part in parts} == {5}
    assert whole.table.drop("seconds").equals(perfect.table.drop("seconds"))


def test_a_run_stopped_by_its_budget_says_so_and_goes_on(perfect: fb.Run, tmp_path: Path) -> None:
    run = _small(tmp_path / "run", limits=fb.Limits(max_samples=4))
    assert run.stopped
    assert not run.is_complete
    again = fb.resume(run.folder, limits={"max_samples": 100})
    assert not again.stopped
    assert again.table.drop("seconds").equals(perfect.table.drop("seconds"))


def test_a_judge_is_asked_again_without_generating(tmp_path: Path) -> None:
    run = fb.run(
        "in-context",
        "forgetbench/reference/stubborn",
        out=tmp_path / "run",
        limit=1,
        scenarios="dynamic_preference",
        judges=["forgetbench/reference/rule-judge"],
    )
    assert "judge_status" in run.table.columns
    again = fb.rejudge(run.folder, ["forgetbench/reference/babbling-judge"])
    assert again.table["reply"].equals(run.table["reply"])
    assert fb.Status.JUDGE_UNPARSEABLE in set(again.table["judge_status"])


def test_a_model_does_not_judge_itself(tmp_path: Path) -> None:
    name = "forgetbench/reference/stubborn"
    with pytest.raises(fb.UserError, match="must not judge itself"):
        fb.run("in-context", name, judges=[name], limit=1, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(fb.UserError, match="not a run folder"):
        fb.load(tmp_path)


def test_counts_by_status_are_one_line(fading: fb.Run) -> None:
    counts = fading.table.group_by("status").agg(pl.len())
    assert counts["len"].sum() == 10


def test_a_notebook_without_its_package_is_told_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inspect_ai._util import platform

    monkeypatch.setattr(platform, "running_in_notebook", lambda: True)
    monkeypatch.setattr(platform, "have_package", lambda _: False)
    with pytest.raises(fb.errors.MissingPartError, match="pip install ipywidgets"):
        fb.run("prospective", "forgetbench/reference/perfect", out=tmp_path / "run", limit=1)
