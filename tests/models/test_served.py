"""A served vision-language model over the OpenAI protocol on loopback: llama.cpp with SmolLM2 and random eyes.

The server is `xllamacpp`, which is no part of the project: pip install xllamacpp to run these.
"""

import base64
import io
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from forgetscope.benchmarks import get_benchmark
from forgetscope.core.errors import ForgetscopeError
from forgetscope.models.weights import find_smollm2
from forgetscope.running.execute import start_run
from forgetscope.running.finished import FinishedRun
from forgetscope.running.manifest import Limits, ModelSpec
from tests.benchmarks.visual.data.test_data import own
from tests.models.random_projector import write_random_projector

__all__ = ["own"]

pytestmark = pytest.mark.real_model

SMOLLM2_WIDTH = 576


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    llama: Any = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: pip install xllamacpp")
    try:
        language_model = find_smollm2()
    except ForgetscopeError as missing:
        pytest.skip(str(missing))
    settings = llama.CommonParams()
    settings.model.path = str(language_model)
    settings.mmproj.path = str(write_random_projector(tmp_path_factory.mktemp("eyes") / "mmproj.gguf", SMOLLM2_WIDTH))
    settings.n_ctx, settings.n_parallel, settings.port, settings.warmup = 4096, 2, free_port(), False
    settings.cpuparams.n_threads = 1
    server = llama.Server(settings)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def served(address: str, monkeypatch: pytest.MonkeyPatch) -> ModelSpec:
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    return ModelSpec(name="openai-api/local/smollm2", base_url=address)


def run(served: ModelSpec, own: Path, out: Path, **changes: object) -> FinishedRun:
    visual = get_benchmark("visual")
    values = {"data": str(own), "conditions": "paper", "controls": "all", "limit": 1, "eligibility": 1}
    settings = visual.settings.model_validate({**values, "max_tokens": 6, **changes})
    return start_run(visual, settings, visual.plan(settings), served, Limits(max_retries=0), out, display="none")


def test_pictures_go_over_the_wire_and_replies_and_log_probabilities_come_back(
    served: ModelSpec, own: Path, tmp_path: Path
) -> None:
    table = run(served, own, tmp_path / "run", modes="first_token", controls="no_image").table
    assert set(table["status"]) <= {"correct", "incorrect"}
    tokens = dict(
        table.filter(role="effect", condition="baseline_normal").select("control", "input_tokens").iter_rows()
    )
    assert tokens["none"] - tokens["no_image"] > 10  # the picture's patches
    with_picture, without = (
        table.filter(role="effect", condition="baseline_normal", control=control)["digit_logprobs"][0]
        for control in ("none", "no_image")
    )
    assert with_picture != without


def test_a_picture_the_server_cannot_read_is_an_input_error_and_no_wrong_answer(
    served: ModelSpec, own: Path, tmp_path: Path
) -> None:
    for path in (own / "pictures").iterdir():  # whole pictures, of a format that this server does not read
        written = io.BytesIO()
        with Image.open(path) as picture:
            picture.save(written, "WEBP")
        path.write_bytes(written.getvalue())
    table = run(served, own, tmp_path / "run", controls="none").table
    assert set(table["status"]) == {"input_error"}
    assert all("400" in error or "Failed to load image" in error for error in table["error"])


def test_a_corrupt_picture_gets_a_real_400(address: str) -> None:
    import httpx

    broken = base64.b64encode(b"\x89PNG\r\n\x1a\n and nothing more").decode()
    content = [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{broken}"}},
        {"type": "text", "text": "What is it?"},
    ]
    body = {"model": "any", "messages": [{"role": "user", "content": content}], "max_tokens": 1}
    assert httpx.post(f"{address}/chat/completions", json=body, timeout=60).status_code == 400
