"""The calibration runs, and it fails where a model is not what it is taken for."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from forgetscope.benchmarks.in_context.benchmark import BENCHMARK
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.benchmarks.in_context.validation.expectations import JUDGED_REFERENCES, check_reference
from forgetscope.cli.commands import app
from forgetscope.running.calibrate import calibrate
from forgetscope.running.execute import start_run
from forgetscope.running.manifest import Limits, ModelSpec


def test_every_reference_model_and_judge_has_the_figures_it_must_have() -> None:
    settings = InContextSettings.model_validate({**BENCHMARK.validation_settings, "limit": 1})
    runs = list(calibrate(BENCHMARK, settings))
    assert [checks[0].model for checks in runs] == [
        *BENCHMARK.reference_models,
        *(run.name for run in JUDGED_REFERENCES),
    ]
    assert [check for checks in runs for check in checks if not check.holds] == []


def _table(model: str, folder: Path, settings: Mapping[str, object]) -> pl.DataFrame:
    chosen = InContextSettings.model_validate(settings)
    spec = ModelSpec(name=f"forgetscope/reference/{model}")
    return start_run(BENCHMARK, chosen, BENCHMARK.plan(chosen), spec, Limits(), folder, display="none").table


@pytest.mark.parametrize(
    ("taken_for", "figures"),
    [
        ("perfect-forgetter", {"instructional forgetting: FA", "subtask revision: SFRR", "withheld when asked again"}),
        ("amnesiac", {"instructional forgetting: NA", "instructional forgetting: SFRR"}),
        ("refuser", {"refused", "counted as correct"}),
        ("babbler", {"unreadable", "instructional forgetting: NA"}),
    ],
)
def test_a_stubborn_model_is_not_taken_for_another(taken_for: str, figures: set[str], stubborn: pl.DataFrame) -> None:
    failing = {check.figure for check in check_reference(taken_for, stubborn) if not check.holds}
    assert figures <= failing


@pytest.fixture(scope="module")
def stubborn(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    return _table("stubborn", tmp_path_factory.mktemp("validation") / "run", {"limit": 1})


def test_a_check_without_samples_fails(stubborn: pl.DataFrame) -> None:
    empty = check_reference("stubborn", stubborn.clear())
    assert not any(check.holds for check in empty)


def test_the_command_exits_zero_where_all_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: BENCHMARK.reference_models[name] for name in ("refuser",)}
    monkeypatch.setattr("forgetscope.benchmarks.get_benchmark", lambda _: _with(few))
    result = CliRunner().invoke(app, ["validate", "in-context", "--limit", "1", "--json"])
    assert result.exit_code == 0, result.output
    assert '"holds": true' in result.output


def _with(models: Mapping[str, str]) -> object:
    from dataclasses import replace

    return replace(BENCHMARK, reference_models=models, judged_references=())
