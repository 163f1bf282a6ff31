"""An address is one of a web server and holds no secret, whoever gives it; else one line says so."""

import pytest
from pydantic import JsonValue

from forgetscope.api.runs import _spec
from forgetscope.cli.specs import model_spec
from forgetscope.core.errors import SettingError, UnknownNameError
from forgetscope.io.addresses import require_address
from forgetscope.running.building import build_model
from forgetscope.running.manifest import Limits, ModelSpec

NONE = [
    *(
        "ftp://127.0.0.1:8000/v1",
        "file:///etc/passwd",
        "127.0.0.1:8000/v1",
        "localhost",
        "//host/v1",
        "http://",
        "http:///v1",
    ),
    *("http://127.0.0.1:999999/v1", "http://127.0.0.1:0/v1", "http://127.0.0.1:-1/v1", "http://127.0.0.1:port/v1"),
    *(
        "http://127.0.0.1\n:8000/v1",
        "http://127.0.0.1 :8000",
        " http://127.0.0.1",
        "http://host/v1\r",
        "http://host/\x00v1",
    ),
    *(
        "http://ß☃.invalid/v1",
        "http://a..b/v1",
        "http://[broken",
        "http://[::1",
        "http://host/\u202ev1",
        "javascript:alert(1)",
    ),
    *(
        "http://" + "a" * 70 + ".example/v1",
        "unix:///run/x.sock",
        "ws://host/v1",
        "http:host",
        "",
        "   ",
    ),
]
SERVERS = [
    *("http://127.0.0.1:8000/v1", "https://api.example.org", "HTTPS://Proxy.Example/v1/", "http://[::1]:8080/v1"),
    *(
        "http://localhost:11434/v1",
        "http://bücher.example/v1",
        "http://my_server:8000/v1",
        "https://host/v1?api-version=2026-01-01",
    ),
]


@pytest.mark.parametrize("address", NONE)
@pytest.mark.parametrize(
    ("named_by", "option"),
    [
        ("--model", "--model-base-url"),
        ("--judge", "--judge-base-url"),
        ("--builder", "--builder-base-url"),
        ("--gate-model", "--gate-base-url"),
    ],
)
def test_what_is_no_address_of_a_server_is_one_line(address: str, named_by: str, option: str) -> None:
    with pytest.raises(SettingError, match=f"^{option}: not the address of a server; ") as refused:
        model_spec("openai-api/x/y", address, [], 0.0, named_by=named_by)
    assert "\n" not in str(refused.value)
    with pytest.raises(SettingError, match="base_url of openai-api/x/y: not the address"):
        _spec(ModelSpec(name="openai-api/x/y", base_url=address))


@pytest.mark.parametrize("address", SERVERS)
def test_addresses_of_servers_are_taken(address: str) -> None:
    require_address(address, "--model-base-url")
    require_address(None, "--model-base-url")


@pytest.mark.parametrize("address", NONE)
def test_an_address_in_the_environment_is_held_to_the_same(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "\x00" in address or not address:
        pytest.skip("no variable holds it")
    monkeypatch.setenv("ADDRESSED_API_KEY", "not-a-secret")
    monkeypatch.setenv("ADDRESSED_BASE_URL", address)
    with pytest.raises((SettingError, UnknownNameError), match=r"not the address of a server|cannot make this model"):
        build_model(ModelSpec(name="openai-api/addressed/m"), Limits())


@pytest.mark.parametrize("argument", [{"http_client": 1}, {"client_timeout": "soon"}, {"nobody": []}])
def test_an_argument_that_no_provider_can_mean_is_one_line(
    argument: dict[str, JsonValue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADDRESSED_API_KEY", "not-a-secret")
    spec = ModelSpec(name="openai-api/addressed/m", base_url="http://127.0.0.1:9/v1", args=argument)
    with pytest.raises(UnknownNameError, match="--model openai-api/addressed/m: cannot make this model"):
        build_model(spec, Limits())
