"""What cannot be read is the log's fault, what cannot be scored is ours; what only matters to some is one warning."""

import errno
import fcntl
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import LoggedSample
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.errors import DataError, ForgetscopeWarning, RunFolderError
from forgetscope.core.results import Value
from forgetscope.io.files import alone_in
from forgetscope.running.execute import start_run
from forgetscope.running.finished import FinishedRun
from forgetscope.running.logs import ScoringError, collect_table
from forgetscope.running.manifest import Limits, ModelSpec
from forgetscope.running.started import record_start

PROSPECTIVE = get_benchmark("prospective")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> FinishedRun:
    settings = ProspectiveSettings(loads="mmlu", experiments="load", conditions="baseline", seeds=(42,), limit=2)
    folder, model = tmp_path_factory.mktemp("runs") / "run", ModelSpec(name="forgetscope/reference/fading")
    return start_run(PROSPECTIVE, settings, PROSPECTIVE.plan(settings), model, Limits(), folder, display="none")


@pytest.mark.parametrize("error", [ValueError("no"), KeyError("no"), TypeError("no"), AttributeError("no"), OSError()])
def test_a_mistake_in_scoring_is_ours_and_names_the_sample(finished: FinishedRun, error: Exception) -> None:
    def broken(_: LoggedSample) -> dict[str, Value]:
        raise error

    with pytest.raises(ScoringError, match=r"sample prospective/\S+ of .* a mistake in forgetscope") as raised:
        collect_table(finished.folder, replace(PROSPECTIVE, row=broken), "m")
    assert raised.value.__cause__ is error, "its trace is kept"


def test_a_users_mistake_found_in_scoring_stays_one(finished: FinishedRun) -> None:
    def refuses(_: LoggedSample) -> dict[str, Value]:
        raise DataError("the picture is another one")

    with pytest.raises(DataError, match="another one"):
        collect_table(finished.folder, replace(PROSPECTIVE, row=refuses), "m")


@pytest.mark.parametrize("other", ["visual", "in-context"])
def test_samples_of_another_benchmark_are_the_logs_fault(finished: FinishedRun, other: str) -> None:
    with pytest.raises(RunFolderError, match="is none of this benchmark"):
        collect_table(finished.folder, get_benchmark(other), "m")


def test_a_start_that_cannot_be_noted_is_said(
    finished: FinishedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FORGETSCOPE_STATE", str(tmp_path / "file" / "state"))
    elsewhere = ModelSpec(name="openai/some-model", base_url="http://127.0.0.1:9/v1")
    with pytest.warns(ForgetscopeWarning, match="cannot note in .*started.jsonl"):
        record_start(finished.manifest, [elsewhere])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        record_start(finished.manifest, [finished.manifest.model])  # which sends nowhere


def test_a_file_system_without_locks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    with pytest.warns(ForgetscopeWarning, match="without locks"), alone_in(tmp_path):
        pass
