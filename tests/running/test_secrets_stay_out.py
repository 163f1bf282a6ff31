"""No key, password or echo of one reaches a file of a run."""

import os
import zipfile
from pathlib import Path

import pytest

from forgetscope.api.runs import _spec
from forgetscope.cli.specs import model_spec
from forgetscope.core.errors import SettingError
from forgetscope.core.secrets import looks_secret, masked, masked_json, with_secrets, without_secrets
from forgetscope.running.execute import build_model
from forgetscope.running.manifest import Limits, ModelSpec
from tests.faults.server import DIALECTS, Fault, FaultServer, Script
from tests.faults.table import run_against

PLANTED = "sk-planted-0123456789"


@pytest.mark.parametrize(
    "name", ["api_key", "apikey", "OPENAI_API_KEY", "auth_token", "hf-token", "password", "secret"]
)
def test_names_of_secrets_are_known(name: str) -> None:
    assert looks_secret(name)


@pytest.mark.parametrize("name", ["max_tokens", "tokens_per_second", "keyword", "tokenizer", "monkey", "author"])
def test_names_like_them_are_not_taken_for_them(name: str) -> None:
    assert not looks_secret(name)


def test_a_key_among_the_arguments_is_kept_by_the_name_of_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE_API_KEY", PLANTED)
    kept = without_secrets({"api_key": PLANTED, "headers": {"x-thing": PLANTED}, "seed": 3}, "-M")
    assert kept == {"api_key": "env:MINE_API_KEY", "headers": {"x-thing": "env:MINE_API_KEY"}, "seed": 3}
    assert with_secrets(kept, "-M") == {"api_key": PLANTED, "headers": {"x-thing": PLANTED}, "seed": 3}


def test_a_key_that_stands_in_no_variable_is_refused_and_not_repeated() -> None:
    with pytest.raises(SettingError, match="env:VARIABLE") as refused:
        model_spec("openai-api/x/y", None, [f"api_key={PLANTED}"], 0.0)
    assert PLANTED not in str(refused.value)
    with pytest.raises(SettingError, match="env:VARIABLE"):
        _spec(ModelSpec(name="openai-api/x/y", args={"api_key": PLANTED}))


def test_a_variable_that_is_not_set_is_one_line() -> None:
    with pytest.raises(SettingError, match="no such environment variable"):
        model_spec("openai-api/x/y", None, ["api_key=env:NOBODY_SET_THIS"], 0.0)


@pytest.mark.parametrize(
    "address",
    [f"https://me:{PLANTED}@host/v1", "https://me@host/v1", f"https://host/v1?api_key={PLANTED}", "http://[broken"],
)
def test_an_address_with_a_secret_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(SettingError) as refused:
        model_spec("openai-api/x/y", address, [], 0.0)
    assert PLANTED not in str(refused.value)


def test_an_argument_from_the_environment_reaches_the_model_and_not_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE_API_KEY", PLANTED)
    spec = model_spec("openai-api/mine/m", "http://127.0.0.1:9", ["api_key=env:MINE_API_KEY"], 0.0)
    model = build_model(spec, Limits())
    assert model.api.api_key == PLANTED
    assert PLANTED not in str(model.model_args)


def test_texts_are_masked_by_the_name_of_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE_API_KEY", PLANTED)
    monkeypatch.setenv("OTHER_API_KEY", f"{PLANTED}-and-more")
    monkeypatch.setenv("SHORT_TOKEN", "yes")
    assert masked(f"yes: {PLANTED}-and-more, {PLANTED}") == "yes: [OTHER_API_KEY], [MINE_API_KEY]"
    assert masked_json({PLANTED: [PLANTED, 1, None]}) == {"[MINE_API_KEY]": ["[MINE_API_KEY]", 1, None]}


def test_a_key_that_a_provider_repeats_is_in_no_file_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHOED_API_KEY", PLANTED)
    monkeypatch.setitem(DIALECTS, Fault.PARTS, lambda _: DIALECTS[Fault.NO_USAGE](f"your key is {PLANTED}"))
    faults = [Fault.UNAUTHORIZED, Fault.SERVER_ERROR, Fault.POLICY_400, Fault.PARTS]
    with FaultServer([Script(fault) for fault in faults], echo=f" (key {PLANTED})") as server:
        outcome = run_against(server, tmp_path / "run", limit=len(faults))
    said = " ".join([*outcome.finished.table["error"], *outcome.finished.table["reply"]])
    assert said.count("[ECHOED_API_KEY]") >= 3
    for path in (tmp_path / "run").rglob("*"):
        if path.suffix == ".eval":
            with zipfile.ZipFile(path) as archive:
                assert not [name for name in archive.namelist() if PLANTED.encode() in archive.read(name)]
        elif path.is_file():
            assert PLANTED.encode() not in path.read_bytes(), path
    assert PLANTED not in os.environ["FORGETSCOPE_STATE"]
