"""The calibration runs, and it fails where a model is not what it is taken for."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from forgetscope.benchmarks.base import Check, TrainedReference
from forgetscope.benchmarks.in_context.benchmark import BENCHMARK
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.benchmarks.in_context.validation.expectations import (
    JUDGED_REFERENCES,
    TRAINED_REFERENCES,
    check_reference,
)
from forgetscope.cli.commands import app
from forgetscope.running.calibrate import calibrate
from forgetscope.running.execute import start_run
from forgetscope.running.manifest import Limits, ModelSpec


def test_every_reference_model_and_judge_has_the_figures_it_must_have() -> None:
    settings = InContextSettings.model_validate({**BENCHMARK.validation_settings, "limit": 1})
    runs = list(calibrate(replace(BENCHMARK, trained_references=()), settings))
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


@pytest.mark.parametrize(
    ("responder", "member", "failing"),
    [
        ("perfect-forgetter", "obedient", set()),
        ("stubborn", "stubborn", set()),
        ("stubborn", "obedient", {"T2, T3: withheld on request"}),
        ("perfect-forgetter", "stubborn", {"T2, T3: withheld on request"}),
        ("amnesiac", "obedient", {"T1: recalled unasked", "T2, T3: withheld on request", "T4: neighbour facts kept"}),
    ],
)
def test_a_trained_model_is_held_to_what_was_announced(
    responder: str, member: str, failing: set[str], tmp_path: Path
) -> None:
    name = f"forgetscope/murmur-{member}"
    (settings,) = (run.settings for run in TRAINED_REFERENCES if run.model == name)
    checks = check_reference(name, _table(responder, tmp_path / "run", settings))
    assert {check.figure for check in checks if not check.holds} == failing


def test_trained_models_are_asked_after_the_others() -> None:
    run = TrainedReference("forgetscope/reference/stubborn", {**TRAINED_REFERENCES[0].settings, "limit": 2})
    only = replace(
        BENCHMARK,
        reference_models={"stubborn": ""},
        judged_references=(),
        trained_references=(run,),
        check_reference=lambda name, table: [Check(name, "rows", "", str(table.height), holds=True)],
    )
    *_, (check,) = calibrate(only, InContextSettings.model_validate({"limit": 1}))
    assert (check.model, check.found) == (run.model, "8")


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
    return replace(BENCHMARK, reference_models=models, judged_references=(), trained_references=())
