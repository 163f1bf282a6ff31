"""Memory and GPU hours of large models, by hand."""

import json
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.settings import ExecutionSettings, LoraSettings, TrainingSettings
from forgetscope.benchmarks.unlearning.training.footprint import (
    BANDWIDTH,
    LLAMA_2_7B,
    PEAK_FLOPS,
    UTILISATION,
    CellWork,
    ModelShape,
    footprint,
    gpu_seconds,
    shape_of,
    ways,
)
from forgetscope.benchmarks.unlearning.training.models import embedded_llama
from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED

P = 6_738_415_616
SMALL = {"micro_batch_size": 1, "gradient_checkpointing": True}


def test_all_weights_of_seven_billion_take_twenty_bytes_each_and_their_activations() -> None:
    held = footprint(LLAMA_2_7B, TrainingSettings(), ExecutionSettings(), 2048, bfloat16=True)
    assert held.gradients == held.optimizer == 8 * P
    assert held.weights == 6 * P
    assert held.logits == 4 * 2048 * 32000 * 16
    assert held.activations == 4 * 2048 * 4096 * 16 * 2 * 32
    assert 180e9 < held.total < 190e9


def test_an_adapter_fits_one_gpu_of_eighty_gigabytes_and_shards_fit_eight() -> None:
    lora = TrainingSettings(lora=LoraSettings(rank=16))
    one = footprint(LLAMA_2_7B, lora, ExecutionSettings.model_validate(SMALL), 2048, bfloat16=True)
    assert one.gradients == 8 * 39_976_960
    assert 27e9 < one.total < 32e9
    eight = footprint(
        LLAMA_2_7B, TrainingSettings(), ExecutionSettings.model_validate({**SMALL, "processes": 8}), 2048, bfloat16=True
    )
    assert eight.gradients == P
    assert 18e9 < eight.total < 25e9


def test_a_live_reference_is_a_second_model_unless_the_adapter_can_be_switched_off() -> None:
    live = ExecutionSettings(reference="live")
    assert footprint(LLAMA_2_7B, TrainingSettings(), live, 8, bfloat16=True).reference == 4 * P
    assert footprint(LLAMA_2_7B, TrainingSettings(lora=LoraSettings()), live, 8, bfloat16=True).reference == 0


def test_seconds_are_operations_by_throughput_and_rounds_by_bandwidth() -> None:
    work = CellWork(trained=1_000_000, cached=0, prompts=0, rounds=100)
    found = gpu_seconds(LLAMA_2_7B, TrainingSettings(), ExecutionSettings(), work)
    assert found == pytest.approx(6e6 * P / (PEAK_FLOPS * UTILISATION) + 400 * P / BANDWIDTH)
    lora = TrainingSettings(lora=LoraSettings())
    assert gpu_seconds(LLAMA_2_7B, lora, ExecutionSettings(), work) < found


def test_parameters_are_those_of_the_network_itself() -> None:
    network = embedded_llama(512, seed=0)
    shape = ModelShape(layers=4, hidden=128, intermediate=384, key_value=128, vocabulary=512, is_tied=True)
    assert shape.parameters == sum(parameter.numel() for parameter in network.parameters())


def test_shapes_are_known_from_a_folder_or_of_the_papers_checkpoints(tmp_path: Path) -> None:
    assert shape_of("muse-bench/MUSE-Books_target") == LLAMA_2_7B
    assert shape_of("someone/else") is None
    shipped = shape_of(SHIPPED)
    assert shipped is not None
    assert shipped.parameters == 1_115_264
    row = {
        "num_hidden_layers": 2,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": 100,
    }
    (tmp_path / "config.json").write_text(json.dumps(row), encoding="utf-8")
    assert shape_of(str(tmp_path)) == ModelShape(2, 64, 128, 32, 100)
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    assert shape_of(str(tmp_path)) is None


def test_the_ways_are_the_grids_own_an_adapter_and_shards() -> None:
    own, adapter, shards = ways(TrainingSettings(), ExecutionSettings())
    assert own.settings == ""
    assert adapter.training.lora is not None
    assert (shards.training.lora, shards.execution.processes) == (None, 8)
