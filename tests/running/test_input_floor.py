"""Inputs that cannot be read count against completeness, and a mass of them ends a run before the rest is paid for."""

from pathlib import Path

import pytest

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.visual import plan as planning
from forgetscope.benchmarks.visual.data.loading import VisualData, load_data
from forgetscope.benchmarks.visual.data.pictures import PictureError
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.core.errors import RunFolderError
from forgetscope.report import write_report
from forgetscope.running.costs.budget import A_MASS, InputFloor
from forgetscope.running.execute import resume_run, start_run
from forgetscope.running.finished import FinishedRun
from forgetscope.running.manifest import Limits, ModelSpec
from tests.benchmarks.visual import layouts
from tests.benchmarks.visual.data.test_data import own

__all__ = ["own"]

SETTINGS = VisualSettings(splits="embedded-identity", conditions="paper", probes="choice", limit=4)
MODEL = ModelSpec(name="forgetscope/reference/visual-stubborn")


def run(folder: Path, floor: float) -> FinishedRun:
    benchmark, limits = get_benchmark("visual"), Limits(completeness_floor=floor, max_connections=1)
    return start_run(benchmark, SETTINGS, benchmark.plan(SETTINGS), MODEL, limits, folder, display="none")


def unreadable(*_: object) -> None:
    raise PictureError("truncated", where="one.jpg")


def test_a_mass_of_unreadable_inputs_stops_the_run_and_resume_looks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(VisualData, "open", unreadable)
        stopped = run(tmp_path / "run", floor=0.98)
    counts = dict(stopped.table["status"].value_counts().iter_rows())
    assert counts["input_error"] < stopped.table.height
    assert "inputs cannot be read" in stopped.stopped
    assert "a completeness of 98.0% allows" in stopped.stopped
    assert not stopped.is_complete
    assert stopped.manifest.completeness == 0
    assert capfd.readouterr().err.count("\n") <= A_MASS
    again = resume_run(tmp_path / "run", display="none")
    assert again.stopped == ""
    assert again.is_complete
    assert not set(again.table["status"]) & {"input_error", "model_error"}


def test_below_the_floor_the_run_goes_on_and_they_count_against_completeness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(VisualData, "open", unreadable)
    finished = run(tmp_path / "run", floor=0.0)
    assert finished.stopped == ""
    assert set(finished.table["status"]) == {"input_error"}
    assert set(finished.table["error"]) == {"truncated"}
    assert finished.manifest.completeness == 0


@pytest.mark.parametrize(("planned", "floor", "last"), [(1000, 0.98, 21), (20, 0.98, A_MASS), (20, 0.0, None)])
def test_the_floor_is_the_completeness_floor_and_at_least_a_mass(planned: int, floor: float, last: int | None) -> None:
    inputs = InputFloor(planned, floor)
    for number in range(1, planned + 1):
        inputs.note(f"s{number}", "gone")
        assert bool(inputs.reached) == (last is not None and number >= last)


def of_folder(folder: Path) -> VisualSettings:
    return VisualSettings(data=str(folder), conditions="paper", probes="choice", vision_free=False, eligibility=1)


def fresh(settings: VisualSettings, out: Path) -> FinishedRun:
    """A run as a new process would start it."""
    load_data.cache_clear()
    benchmark = get_benchmark("visual")
    return start_run(benchmark, settings, benchmark.plan(settings), MODEL, Limits(), out, display="none")


def test_a_picture_that_could_not_be_opened_at_planning_is_sent_once_it_is_back(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "MOST_UNREADABLE", 0.5)
    settings = of_folder(own)
    whole = fresh(settings, tmp_path / "whole")
    name = whole.table["image"][0]
    picture = own / "pictures" / name
    kept = picture.read_bytes()
    picture.write_bytes(kept[:40])
    run = fresh(settings, tmp_path / "run")
    assert run.manifest.unreadable == {f"own/{name}": "truncated"}
    assert "input_error" in set(run.table["status"])
    load_data.cache_clear()
    assert "input_error" in set(resume_run(tmp_path / "run", display="none").table["status"])
    picture.write_bytes(kept)
    load_data.cache_clear()
    again = resume_run(tmp_path / "run", display="none")
    assert again.table.drop("seconds").equals(whole.table.drop("seconds"))
    assert again.is_complete
    write_report(again)
    assert "the data have changed" not in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    layouts.picture(next(other for other in (own / "pictures").iterdir() if other.name != name), 99)
    load_data.cache_clear()
    with pytest.raises(RunFolderError, match="the data changed"):
        resume_run(tmp_path / "run", display="none")


def test_a_picture_that_is_gone_since_planning_is_named_and_the_run_goes_on_when_it_is_back(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "MOST_UNREADABLE", 0.5)
    fresh(of_folder(own), tmp_path / "run")
    picture = own / "pictures" / "3.jpg"
    kept = picture.read_bytes()
    picture.unlink()
    load_data.cache_clear()
    with pytest.raises(RunFolderError, match=r"1 inputs .* cannot now; found 'own/3.jpg: no such file'; next: bring"):
        resume_run(tmp_path / "run", display="none")
    picture.write_bytes(kept)
    load_data.cache_clear()
    assert resume_run(tmp_path / "run", display="none").is_complete
