"""Inputs that cannot be read count against completeness, and a mass of them ends a run before the rest is paid for."""

from pathlib import Path

import pytest

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.visual.data.loading import VisualData
from forgetscope.benchmarks.visual.data.pictures import PictureError
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.running.budget import A_MASS, InputFloor
from forgetscope.running.execute import FinishedRun, resume_run, start_run
from forgetscope.running.manifest import Limits, ModelSpec

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
