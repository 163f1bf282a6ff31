"""A run that is cut into parts is the run that is not: the same table, and nothing is sent again."""

import itertools
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelAPI
from inspect_ai.scorer import SampleScore

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.results import CORE_SCHEMA, build_table
from forgetscope.running import building, execute, manifest
from forgetscope.running.execute import resume_run, start_run
from forgetscope.running.finished import FinishedRun, collect_run
from forgetscope.running.manifest import LOG_FOLDER, Limits, ModelSpec, read_manifest, update_manifest
from forgetscope.running.shards import Light

SETTINGS = ProspectiveSettings(loads="mmlu", experiments="load", seeds=(42,), limit=4)
MODEL = ModelSpec(name="forgetscope/reference/fading")


def run(folder: Path, samples_a_log: int, monkeypatch: pytest.MonkeyPatch) -> FinishedRun:
    monkeypatch.setattr(manifest, "SAMPLES_A_LOG", samples_a_log)
    benchmark = get_benchmark("prospective")
    return start_run(benchmark, SETTINGS, benchmark.plan(SETTINGS), MODEL, Limits(), folder, display="none")


def logs(folder: Path) -> list[Path]:
    return sorted((folder / LOG_FOLDER).glob("*.eval"))


def test_a_run_cut_into_parts_has_the_table_of_one_that_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(tmp_path / "whole", 0, monkeypatch)
    parts = run(tmp_path / "parts", 7, monkeypatch)
    assert len(logs(tmp_path / "whole")) == 1
    assert len(logs(tmp_path / "parts")) == -(-whole.table.height // 7) > 2
    assert [read_eval_log(str(log), header_only=True).eval.dataset.samples for log in logs(tmp_path / "parts")][:2] == [
        7,
        7,
    ]
    assert parts.table.drop("seconds").equals(whole.table.drop("seconds"))
    assert collect_run(tmp_path / "parts").table["sample_id"].to_list() == sorted(whole.table["sample_id"])


def test_what_inspect_holds_of_a_finished_sample_is_its_factors_and_the_log_has_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[SampleScore] = []
    complete = Light.complete_sample

    async def spied(self: Light, id: str | int, epoch: int, scores: dict[str, SampleScore]) -> None:
        await complete(self, id, epoch, scores)
        held.extend(scores.values())

    monkeypatch.setattr(Light, "complete_sample", spied)
    done = run(tmp_path / "run", 7, monkeypatch)
    assert len(held) >= done.table.height
    assert all("sample" not in (score.sample_metadata or {"sample": ""}) for score in held)
    log = read_eval_log(str(logs(tmp_path / "run")[0]))
    assert all("sample" in sample.metadata for sample in log.samples or [])


def test_a_part_that_is_missing_is_sent_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(tmp_path / "run", 7, monkeypatch)
    logs(tmp_path / "run")[1].unlink()
    sent = itertools.count()
    real = building.build_model

    def counted(spec: ModelSpec, limits: Limits) -> object:
        model = real(spec, limits)
        generate = model.api.generate

        async def counting(**given: object) -> object:
            next(sent)
            return await generate(**given)  # type: ignore[arg-type]

        assert isinstance(model.api, ModelAPI)
        model.api.generate = counting  # type: ignore[method-assign, assignment]
        return model

    monkeypatch.setattr(execute, "build_model", counted)
    again = resume_run(tmp_path / "run", display="none")
    assert next(sent) == 7
    assert again.table.drop("seconds").equals(done.table.drop("seconds"))


def test_a_run_started_before_there_were_parts_goes_on_in_its_one_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "run", 0, monkeypatch)
    before = logs(tmp_path / "run")
    stored = read_manifest(tmp_path / "run").model_dump()
    assert stored.pop("samples_a_log") == 0
    update_manifest(tmp_path / "run", manifest.Manifest.model_validate(stored), {"finished": None})
    resume_run(tmp_path / "run", display="none")
    assert logs(tmp_path / "run") == before


def test_a_table_of_more_rows_than_are_taken_at_once_is_whole() -> None:
    row = dict.fromkeys(CORE_SCHEMA)
    table = build_table(({**row, "sample_id": str(number)} for number in range(2500)), {})
    assert table["sample_id"].to_list() == [str(number) for number in range(2500)]
    with pytest.raises(ValueError, match="does not fit the schema: reply"):
        build_table(
            ({name: None for name in CORE_SCHEMA if name != "reply" or number < 2400} for number in range(2500)), {}
        )
