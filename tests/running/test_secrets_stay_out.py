"""No key, password or echo of one reaches a file of a run."""

import asyncio
import base64
import html
import json
import os
import re
import time
import traceback
import zipfile
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

import pytest
from inspect_ai.model import GenerateConfig, ModelOutput, get_model
from pydantic import JsonValue

from forgetscope.api.runs import _spec
from forgetscope.cli.specs import model_spec
from forgetscope.core.errors import SettingError
from forgetscope.core.secrets import SHORTEST_RUN, looks_secret, masked, masked_json
from forgetscope.models.received import UnreadableResponseError, guard
from forgetscope.running.building import build_model
from forgetscope.running.manifest import Limits, ModelSpec
from forgetscope.running.secret_arguments import with_secrets, without_secrets
from tests.faults.server import DIALECTS, Fault, FaultServer, Script
from tests.faults.table import run_against

PLANTED = "sk-planted-0123456789"


@pytest.mark.parametrize(
    "name", ["api_key", "apikey", "OPENAI_API_KEY", "auth_token", "hf-token", "password", "secret", "accessKey", "sig"]
)
def test_names_of_secrets_are_known(name: str) -> None:
    assert looks_secret(name)


@pytest.mark.parametrize(
    "name", ["max_tokens", "max_token", "tokens_per_second", "keyword", "tokenizer", "monkey", "author"]
)
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


@pytest.mark.parametrize(
    "argument",
    [
        "api_key=998877665544332211",
        f'api_keys=["{PLANTED}"]',
        f'default_headers={{"X-Thing": "Bearer {PLANTED}"}}',
        "note=ghp_abcdefghijklmnop0123456789",
        'others=[["sk-abcdefghijklmnop0123456789"]]',
    ],
)
def test_a_secret_is_known_wherever_it_stands_among_the_arguments(
    monkeypatch: pytest.MonkeyPatch, argument: str
) -> None:
    monkeypatch.setenv("PART_API_KEY", PLANTED)
    if argument == f'api_keys=["{PLANTED}"]':
        assert model_spec("openai-api/x/y", None, [argument], 0.0).args == {"api_keys": ["env:PART_API_KEY"]}
        return
    with pytest.raises(SettingError, match="env:VARIABLE") as refused:
        model_spec("openai-api/x/y", None, [argument], 0.0)
    assert argument.partition("=")[2][1:-1] not in str(refused.value)


def test_arguments_of_other_kinds_stay_what_they_are() -> None:
    arguments = ["seed=3", "stream=true", "max_token=5", "reasoning_effort=low", "sizes=[1, 2]"]
    assert model_spec("openai-api/x/y", None, arguments, 0.0).args == {
        "seed": 3,
        "stream": True,
        "max_token": 5,
        "reasoning_effort": "low",
        "sizes": [1, 2],
    }


def test_an_address_in_the_environment_with_a_password_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARDED_API_KEY", "not-a-secret")
    monkeypatch.setenv("GUARDED_BASE_URL", f"https://me:{PLANTED}@host/v1")
    with pytest.raises(SettingError, match="the address holds a secret") as refused:
        build_model(ModelSpec(name="openai-api/guarded/m"), Limits())
    assert PLANTED not in str(refused.value)


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


def test_secrets_are_known_under_any_name_and_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    key, password = "planted/key+with=signs-1", "p%40ssword-42"
    monkeypatch.setenv("SOME_API_KEY_2", key)
    monkeypatch.setenv("DATABASE_URL", f"postgres://me:{password}@db.example/x")
    told = base64.b64encode(f"user:{key}!".encode()).decode()
    said = f"{quote(key, safe='')} {key.encode().hex()} {told} {password} {unquote(password)}"
    hidden = masked(said).split()
    assert [*hidden[:2], *hidden[3:]] == ["[SOME_API_KEY_2]"] * 2 + ["[DATABASE_URL]"] * 2
    assert re.fullmatch(r"\w{,8}\[SOME_API_KEY_2\]\w{,3}=*", hidden[2])


ODD = 'sk-"quo\\te\n<&>-über+zwölf'


@pytest.mark.parametrize(
    "written",
    [
        ODD,
        repr(ODD),
        json.dumps(ODD),
        json.dumps(ODD, ensure_ascii=False),
        repr(ODD.encode()),
        html.escape(ODD),
        quote(ODD),
        quote_plus(ODD),
        ODD.encode().hex(),
        base64.b64encode(ODD.encode()).decode(),
        " ".join(ODD.split()),
    ],
)
@pytest.mark.parametrize("around", ["", "\r", "\r\n", " "])
def test_a_secret_is_known_escaped_and_without_the_white_space_around_it(
    monkeypatch: pytest.MonkeyPatch, written: str, around: str
) -> None:
    monkeypatch.setenv("ODD_API_KEY", ODD + around)
    said = masked(f"Illegal header value <{written}>")
    assert said.startswith("Illegal header value <")
    assert "[ODD_API_KEY]" in said
    assert not re.search(r"quo|zw|c2st|736b2d", said)


def test_long_runs_of_a_secret_are_hidden_forwards_backwards_and_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-proj-Ab12Cd34Ef56Gh78Ij90Kl"
    monkeypatch.setenv("RUN_API_KEY", key)
    monkeypatch.setenv("OTHER_API_KEY", "sk-proj-Zz99Yy88Xx77Ww66")
    for first in range(len(key) - SHORTEST_RUN + 1):
        for last in range(first + SHORTEST_RUN, len(key) + 1):
            run = key[first:last]
            for written in (run, run[::-1], run.encode().hex(), run.encode().hex().upper()):
                assert masked(f"it begins: {written}... bye") == "it begins: [RUN_API_KEY]... bye"
    assert masked(f"{key[:11]} and {key[-4:]}") == f"{key[:11]} and {key[-4:]}"
    assert masked("sk-proj-Zz99Y ****") == "[OTHER_API_KEY] ****"
    begin = base64.b64encode(key[:20].encode()).decode()
    assert "[RUN_API_KEY]" in masked(begin)
    assert begin[:16] not in masked(begin)


@pytest.mark.parametrize(
    "value", ["/home/somebody/secrets/of/a/path", "https://login.example.org/oauth2", "the-very-long-development-token"]
)
def test_parts_of_paths_addresses_and_words_are_no_secrets(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME_TOKEN", value)
    assert masked(f"in {value[:-3]}") == f"in {value[:-3]}"
    assert masked(f"in {value}") == "in [SOME_TOKEN]"


@pytest.mark.parametrize("signs", ["{0}#", "{1}", "{0}", "-", "{2}"])
def test_masking_takes_time_in_proportion_to_the_text(monkeypatch: pytest.MonkeyPatch, signs: str) -> None:
    key = "sk-" + "aB3dE6gH9" * 40
    monkeypatch.setenv("LONG_API_KEY", key)
    monkeypatch.setenv("DULL_API_KEY", "-" * 60)
    text = signs.format(key[:11], key[5:11], key[::-1][:11])
    masked(text)

    def seconds(length: int) -> float:
        whole, began = (text * length)[:length], time.process_time()
        masked(whole)
        return time.process_time() - began

    assert min(seconds(400_000) for _ in range(2)) < 40 * max(seconds(40_000), 0.002)


BAD_KEYS = [f"{PLANTED}\r", f" {PLANTED}", f"{PLANTED}\n", f"{PLANTED}\x1b", f"{PLANTED}é"]


@pytest.mark.parametrize("key", BAD_KEYS)
@pytest.mark.parametrize("argument", [False, True])
def test_a_key_that_no_request_can_carry_is_refused_by_the_name_of_its_variable(
    monkeypatch: pytest.MonkeyPatch, key: str, argument: bool
) -> None:
    monkeypatch.setenv("CARRIED" if argument else "CRLF_API_KEY", key)
    args: dict[str, JsonValue] = {"api_key": "env:CARRIED"} if argument else {}
    spec = ModelSpec(name="openai-api/crlf/m", base_url="http://127.0.0.1:9/v1", args=args)
    variable = "CARRIED" if argument else "CRLF_API_KEY"
    with pytest.raises(SettingError, match=f"the key in {variable} has white space around it") as refused:
        build_model(spec, Limits(), "--judge")
    assert PLANTED not in str(refused.value)


@pytest.mark.parametrize("name", [f"openai-api/local/{PLANTED}", PLANTED, f"openai-api/{PLANTED[:16]}/m"])
def test_a_model_named_like_a_secret_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", PLANTED)
    said = "the name of a model holds a secret"
    with pytest.raises(SettingError, match=f"--judge: {said}") as refused:
        model_spec(name, None, [], 0.0, named_by="--judge")
    assert PLANTED[:12] not in str(refused.value)
    with pytest.raises(SettingError, match=f"model: {said}"):
        _spec(name)


def test_what_is_given_as_an_argument_is_a_secret_whatever_its_variable_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MINE", PLANTED)
    assert masked(PLANTED) == PLANTED
    monkeypatch.setattr("forgetscope.core.secrets._used", set())
    with_secrets({"api_key": "env:MINE"}, "-M")
    assert masked(PLANTED) == "[MINE]"


@pytest.mark.parametrize("word", ["not-needed", "placeholder", "something", "no key needed"])
def test_a_word_in_place_of_a_key_is_not_taken_out_of_replies(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", word)
    assert masked(f"there is {word} here") == f"there is {word} here"


def test_an_error_whose_words_cannot_be_changed_is_told_without_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOED_API_KEY", PLANTED)
    api = get_model("mockllm/model", memoize=False).api

    async def fails(*_: object, **__: object) -> ModelOutput:
        ModelOutput.model_validate({"model": {"key": PLANTED}})
        raise AssertionError

    monkeypatch.setattr(api, "generate", fails)
    guard(api)
    with pytest.raises(UnreadableResponseError, match="ECHOED_API_KEY") as told:
        asyncio.run(api.generate([], [], "none", GenerateConfig()))
    assert PLANTED not in "".join(traceback.format_exception(told.value))


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
