"""What one short request finds before a run: nobody there, no such model, no eyes; and that nothing else was sent."""

import re
import socket
from pathlib import Path

import pytest

from forgetscope.api import runs
from forgetscope.api.reproduction import reproduce
from forgetscope.core.errors import ForgetscopeWarning, MissingPartError, SettingError
from forgetscope.models.probe import is_asked
from forgetscope.running.manifest import Limits, ModelSpec
from tests.faults.server import Fault, FaultServer, Script

VISUAL = {"limit": 1, "conditions": "baseline_normal", "probes": "choice", "controls": "none", "eligibility": 1}
pytestmark = pytest.mark.filterwarnings(
    "ignore:Unclosed:ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)

MODEL = "openai-api/faulty/some-model"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")


def run(folder: Path, url: str, name: str = "prospective", **chosen: object) -> runs.Run:
    settings = chosen or {"limit": 1, "loads": "mmlu", "experiments": "load", "conditions": "baseline"}
    limits = Limits(max_retries=0, first_wait=0.01)
    return runs.run(name, ModelSpec(name=MODEL, base_url=url), out=folder / "run", limits=limits, **settings)  # type: ignore[arg-type]


def test_a_server_that_is_not_there_is_named_and_leaves_no_folder(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(SettingError, match=f"{MODEL}: nobody answers; found '{re.escape(url)}'"):
            run(tmp_path, url)
    assert not (tmp_path / "run").exists()


def test_a_host_that_nobody_knows_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"nobody answers; found 'http://nowhere\.invalid/v1'"):
        run(tmp_path, "http://nowhere.invalid/v1")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.NOT_FOUND, "The model does not exist"),
        (Fault.UNAUTHORIZED, "Incorrect API key"),
        (Fault.REDIRECT, "sends requests on to"),
    ],
)
def test_what_every_request_would_meet_ends_after_one(fault: Fault, said: str, tmp_path: Path) -> None:
    with FaultServer([Script(fault)], knows_probes=False) as server, pytest.raises(SettingError, match=said):
        run(tmp_path, server.url)
    assert server.requests.total() == 1


@pytest.mark.parametrize("fault", [Fault.UNAVAILABLE, Fault.RATE_LIMIT, Fault.SERVER_ERROR, Fault.INVALID_JSON])
def test_what_may_pass_is_left_to_the_patience_of_the_run(fault: Fault, tmp_path: Path) -> None:
    with FaultServer([Script(fault)], knows_probes=False) as server:
        done = run(tmp_path, server.url)
    assert done.table["status"].to_list() == ["model_error"]
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [Fault.NO_PICTURES, Fault.LLAMA_CPP_NO_PICTURES])
def test_a_model_without_eyes_is_found_by_one_picture(fault: Fault, tmp_path: Path) -> None:
    refused = pytest.raises(SettingError, match="it refused one short request with a picture")
    with FaultServer([Script(fault)], knows_probes=False) as server, refused:
        run(tmp_path, server.url, "visual", **VISUAL)
    assert len(server.requests) == 1


def test_a_model_that_does_not_see_the_colour_is_doubted_and_run(tmp_path: Path) -> None:
    doubted = pytest.warns(ForgetscopeWarning, match="red picture, it said 'The answer is B.'; does it see pictures?")
    with FaultServer([Script(Fault.NONE)], knows_probes=False) as server, doubted:
        done = run(tmp_path, server.url, "visual", **VISUAL)
    assert done.is_complete


def test_a_model_that_answers_is_asked_once_beside_the_plan(tmp_path: Path) -> None:
    with FaultServer([Script(Fault.NONE)]) as server:
        done = run(tmp_path, server.url)
    assert (server.probes, server.requests.total()) == (1, done.table.height)


def test_a_model_of_ours_that_reads_text_alone_is_shown_no_pictures(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="reads text alone, and the benchmark shows pictures"):
        runs.run("visual", "forgetscope/smollm2", out=tmp_path / "run", limit=1)


def test_of_several_models_every_one_is_asked_before_the_first_is_run(tmp_path: Path) -> None:
    with FaultServer([Script(Fault.NONE)]) as server:
        first = ModelSpec(name=MODEL, base_url=server.url)
        second = first.model_copy(update={"name": "openai-api/faulty/other", "base_url": "http://nowhere.invalid/v1"})
        with pytest.raises(SettingError, match="openai-api/faulty/other: nobody answers"):
            reproduce("prospective", first, second, data="embedded", limit=1, out=tmp_path)
    assert (server.probes, server.requests.total()) == (1, 0)


def test_a_server_of_a_package_that_is_not_installed_is_found_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VLLM_BASE_URL", raising=False)
    monkeypatch.setattr("forgetscope.models.probe.find_spec", lambda _: None)
    with pytest.raises(MissingPartError, match="vllm is not installed"):
        runs.run("prospective", "vllm/some-model", out=tmp_path / "run", limit=1)
    monkeypatch.setenv("VLLM_BASE_URL", "http://127.0.0.1:9/v1")
    assert is_asked("vllm/some-model")
    assert not is_asked("hf/some-model")


def test_a_server_that_takes_a_picture_and_leaves_it_out_is_found_by_what_the_model_says(tmp_path: Path) -> None:
    server = FaultServer([Script(Fault.NONE)], knows_probes=False, answer=lambda _: "Sorry, I cannot see any image.")
    with server, pytest.raises(SettingError, match="cannot see any image"):
        run(tmp_path, server.url, "visual", **VISUAL)
    assert len(server.requests) == 1
