"""The transformers provider: a real, tiny LLaVA looks at real pictures and gives replies with log-probabilities."""

import asyncio
import io
import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import (
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from PIL import Image

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.visual.interventions.applying import with_weights
from forgetscope.benchmarks.visual.interventions.other_weights import OtherWeights
from forgetscope.core.errors import DataError, SettingError
from forgetscope.models.provider import create_model
from forgetscope.models.seeing import ADAPTER_FILES, SeeingArgs, SeeingModel, _Reply, turns_of
from forgetscope.running.execute import start_run
from forgetscope.running.manifest import Limits, ModelSpec
from tests.benchmarks.visual.data.test_data import own
from tests.models.tiny_llava import write_tiny_llava

__all__ = ["own"]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch", reason="torch is not installed")
    return write_tiny_llava(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def model(tiny: Path) -> SeeingModel:
    return SeeingModel("transformers", GenerateConfig(), SeeingArgs(model_path=tiny))


def uri(colour: str) -> str:
    import base64

    written = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(written, "PNG")
    return f"data:image/png;base64,{base64.b64encode(written.getvalue()).decode()}"


def ask(model: SeeingModel, *pictures: str, top: int | None = None) -> ModelOutput:
    content: list[Content] = [ContentImage(image=picture) for picture in pictures]
    content.append(ContentText(text="What is it? Answer:"))
    config = GenerateConfig(temperature=0.0, max_tokens=4, logprobs=True, top_logprobs=top)
    return asyncio.run(model.generate([ChatMessageUser(content=content)], [], "none", config))


def first(output: ModelOutput) -> dict[str, float]:
    logprobs = output.choices[0].logprobs
    assert logprobs is not None
    return {entry.token: entry.logprob for entry in logprobs.content[0].top_logprobs or []}


def test_the_picture_changes_what_the_model_says_and_the_same_picture_does_not(model: SeeingModel) -> None:
    red, again, blue = (first(ask(model, uri(colour), top=5)) for colour in ("red", "red", "blue"))
    assert red == again
    assert red != blue
    assert len(red) == 5


def test_a_prompt_without_a_picture_is_answered_and_tokens_are_counted(model: SeeingModel) -> None:
    blind, seeing = ask(model), ask(model, uri("red"))
    assert blind.usage is not None
    assert seeing.usage is not None
    assert seeing.usage.input_tokens - blind.usage.input_tokens == 16 + 1  # patches of the picture, a line's end
    assert 1 <= blind.usage.output_tokens <= 4


def test_what_is_no_picture_or_lies_on_a_network_is_refused() -> None:
    with pytest.raises(DataError, match="cannot be read"):
        turns_of([ChatMessageUser(content=[ContentImage(image="data:image/png;base64,aGVsbG8=")])])
    with pytest.raises(SettingError, match="fetches nothing"):
        turns_of([ChatMessageUser(content=[ContentImage(image="https://example.org/a.png")])])


def test_a_think_block_is_split_from_the_answer(model: SeeingModel) -> None:
    reply = _Reply("<think>0 or 1? rather 1</think>2", (5, 6), 3, is_ended=True)
    output = model._output(reply, GenerateConfig())
    assert output.completion == "2"
    content = output.choices[0].message.content
    assert isinstance(content, list)
    assert [part.reasoning for part in content if isinstance(part, ContentReasoning)] == ["0 or 1? rather 1"]


def test_a_folder_without_a_model_and_an_unknown_argument_are_the_users_mistakes(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"no config\.json"):
        create_model("transformers", model_path=str(tmp_path))
    with pytest.raises(SettingError, match="model_path"):
        create_model("transformers")


@pytest.fixture(scope="module")
def adapter(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    peft = pytest.importorskip("peft", reason="peft is not installed")
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("adapter")
    library: Any = transformers  # its loaders are untyped
    base = library.AutoModelForImageTextToText.from_pretrained(str(tiny))
    torch.manual_seed(1)
    config = peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    peft.get_peft_model(base, config).save_pretrained(folder)
    return folder


def test_an_adapter_changes_what_the_model_says_and_is_used_as_other_weights(
    tiny: Path, model: SeeingModel, adapter: Path
) -> None:
    inspect_model = get_model("forgetscope/transformers", model_path=str(tiny), dtype="float32")
    other = with_weights(inspect_model, OtherWeights(str(adapter))).api
    assert isinstance(other, SeeingModel)
    assert (other.args.model_path, other.args.adapter, other.args.dtype) == (tiny, adapter, "float32")
    assert other.connection_key() != model.connection_key()
    plain, adapted = first(ask(model, uri("red"), top=5)), first(ask(other, uri("red"), top=5))
    assert plain != adapted
    whole = with_weights(inspect_model, OtherWeights(str(tiny))).api
    assert isinstance(whole, SeeingModel)
    assert whole.args.adapter is None


def test_an_adapter_that_is_none_is_damaged_or_fits_another_model_is_one_line(
    tiny: Path, adapter: Path, tmp_path: Path
) -> None:
    with pytest.raises(SettingError, match="no adapter here"):
        SeeingModel("transformers", GenerateConfig(), SeeingArgs(model_path=tiny, adapter=tmp_path))
    for name in ADAPTER_FILES:
        folder = tmp_path / name
        shutil.copytree(adapter, folder)
        (folder / name).write_bytes(b"{}")
        with pytest.raises(DataError, match=r"does not fit|not an adapter that is laid over"):
            ask(SeeingModel("transformers", GenerateConfig(), SeeingArgs(model_path=tiny, adapter=folder)), uri("red"))
    foreign = tmp_path / "foreign"
    shutil.copytree(adapter, foreign)
    settings = json.loads((foreign / ADAPTER_FILES[0]).read_text())
    (foreign / ADAPTER_FILES[0]).write_text(json.dumps(settings | {"target_modules": ["o_proj", "q_proj", "v_proj"]}))
    with pytest.raises(DataError, match=r"does not fit|not an adapter that is laid over"):
        ask(SeeingModel("transformers", GenerateConfig(), SeeingArgs(model_path=tiny, adapter=foreign)), uri("red"))


@pytest.mark.parametrize("name", ["pytorch_model.bin", "cut"])
def test_weights_that_are_a_pickle_or_cut_are_one_line(tiny: Path, tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(tiny, tmp_path / "model")
    (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:1000])
    if name != "cut":
        (folder / "model.safetensors").unlink()
        (folder / name).write_bytes(pickle.dumps({}))
    with pytest.raises(DataError, match="cannot be read as a model that sees"):
        ask(SeeingModel("transformers", GenerateConfig(), SeeingArgs(model_path=folder)))


def test_a_model_that_claims_layers_without_number_is_not_built(tiny: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny, tmp_path / "model")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["text_config"]["num_hidden_layers"] = 10**9
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(DataError, match="more layers than any model has"):
        ask(SeeingModel("transformers", GenerateConfig(), SeeingArgs(model_path=folder)))


def test_a_run_of_the_visual_benchmark_scores_the_first_token_of_every_sample(
    tiny: Path, own: Path, tmp_path: Path
) -> None:
    visual = get_benchmark("visual")
    settings = visual.settings.model_validate(
        {"data": str(own), "conditions": "paper", "controls": "all", "limit": 1,
         "modes": "generate,first_token", "max_tokens": 4}
    )  # fmt: skip
    spec = ModelSpec(name="forgetscope/transformers", args={"model_path": str(tiny)})
    finished = start_run(visual, settings, visual.plan(settings), spec, Limits(), tmp_path / "run", display="none")
    by_mode = finished.table.group_by("mode").agg("status").sort("mode")
    assert set(by_mode["status"][0]) <= {"correct", "incorrect"}
    assert set(by_mode["status"][1]) <= {"correct", "incorrect", "truncated", "invalid_format"}
    assert finished.is_complete
