"""How long a model thinks: on the wire, in the manifest's words, and refused where nothing could heed it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import anyio
import pytest

from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.errors import SettingError
from forgetscope.running.building import build_model, describe_model
from forgetscope.running.manifest import Limits, ModelSpec


@pytest.fixture
def asked() -> Iterator[tuple[str, list[dict[str, object]]]]:
    """The address of a server, and what it was asked."""
    bodies: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            message = {"role": "assistant", "content": "Yes."}
            said = {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
            reply = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", bodies
        server.shutdown()
        thread.join()


def test_an_effort_reaches_the_provider_and_the_decodings_name(
    asked: tuple[str, list[dict[str, object]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, bodies = asked
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    spec = ModelSpec(name="openai-api/local/m", base_url=address, reasoning_effort="low", reasoning_tokens=500)
    model = build_model(spec, Limits(max_retries=0))
    anyio.run(model.generate, "Well?")
    assert [body.get("reasoning_effort") for body in bodies] == ["low"]
    described = describe_model(spec, model, ProspectiveSettings())
    assert described.decoding == "greedy, reasoning effort low, reasoning tokens 500"
    assert described.reasoning_effort == "low"
    plain = ModelSpec(name="openai-api/local/m", base_url=address)
    assert describe_model(plain, build_model(plain, Limits()), ProspectiveSettings()).decoding == "greedy"


def test_a_model_in_this_process_takes_no_effort() -> None:
    with pytest.raises(SettingError, match="thinks as it will"):
        build_model(ModelSpec(name="forgetscope/reference/perfect", reasoning_effort="low"), Limits())
