"""Models and tokenizers: loaded from anywhere, saved and loaded the same, nothing unpickled."""

from pathlib import Path

import pytest
import torch
from torch import nn

from forgetscope.benchmarks.unlearning.data.records import Chunk, PackedText, Side
from forgetscope.benchmarks.unlearning.settings import LoraSettings
from forgetscope.benchmarks.unlearning.training.models import (
    LanguageModel,
    embedded_model,
    load_model,
    load_tokenizer,
    merged,
    weights_sha256,
    with_adapter,
)
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer, train_tokenizer
from forgetscope.core.errors import DataError, RunFolderError, SettingError, UnknownNameError
from tests.benchmarks.unlearning.small_models import small_model

TEXTS = ["The mayor of Osthaven opened the bridge.", "Osthaven has 553 boats – and one bridge."]


def tokenizer(vocabulary: int = 300) -> ModelTokenizer:
    return ModelTokenizer.of(train_tokenizer(TEXTS, vocabulary))


def logits(model: LanguageModel) -> torch.Tensor:
    ids = torch.tensor([[1, 10, 20, 30]])
    with torch.no_grad():
        return model.logits(ids, torch.ones_like(ids))


def test_the_embedded_model_has_about_a_million_weights_and_its_seed_decides_them() -> None:
    words = tokenizer(300)
    first, again, other = (embedded_model(words, seed=seed) for seed in (0, 0, 1))
    assert first.parameters == len(words) * 128 + 853_120
    assert weights_sha256(first.network) == weights_sha256(again.network) != weights_sha256(other.network)


def test_making_a_model_does_not_disturb_other_random_numbers() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    embedded_model(tokenizer(), seed=1)
    assert torch.equal(torch.rand(3), expected)


def test_the_trained_tokenizer_gives_back_every_text_and_is_the_same_each_time() -> None:
    words = tokenizer()
    for text in (*TEXTS, "Ünïcode \t and  blanks 123", ""):
        assert words.decode(words.encode(text)) == text
    assert words.encode(TEXTS[0]) == tokenizer().encode(TEXTS[0])
    with pytest.raises(ValueError, match="at least 259 entries"):
        train_tokenizer(TEXTS, 258)


def test_marks_are_where_they_belong() -> None:
    words = tokenizer()
    assert words.begin == (1,)
    assert words.prompt("a") == [1, *words.encode("a")]
    solved = words.solved("q", "Question: Who?\nAnswer:", "Maris")
    assert solved.ids[-1] == words.end
    assert words.decode(solved.ids[solved.answer :]) == " Maris"
    assert words.decode(words.solved("q", "Answer: ", "Maris").ids) == "Answer: Maris"


def test_only_the_last_chunk_of_a_document_is_closed() -> None:
    words = tokenizer()
    chunks = [
        Chunk(id=f"d{d}#{n}", document=f"d{d}", side=Side.FORGET, text="a bridge", tokens=3)
        for d, n in ((0, 0), (0, 1), (1, 0))
    ]
    assert [text.ids[-1] == words.end for text in words.chunks(chunks)] == [False, True, True]
    packed = [
        PackedText(id=f"p{i}", side=Side.FORGET, format="raw", chunks=names, text="a", tokens=1)
        for i, names in enumerate([("d0#0",), ("d0#1", "d1#0")])
    ]
    assert [text.ids[-1] == words.end for text in words.packed(packed, chunks)] == [False, True]
    open_ended = ModelTokenizer(words.base, words.begin, words.end, words.pad_id, closes_texts=False)
    assert open_ended.chunks(chunks)[2].ids[-1] != words.end


def test_a_model_is_saved_and_loaded_the_same(tmp_path: Path) -> None:
    model = small_model()
    model.save(tmp_path)
    loaded = load_model(str(tmp_path))
    assert torch.equal(logits(loaded), logits(model))
    assert loaded.tokenizer.encode(TEXTS[0]) == model.tokenizer.encode(TEXTS[0])
    assert load_tokenizer(str(tmp_path)).begin == (1,)
    assert not loaded.network.training


def test_saved_in_half_the_bits_it_is_nearly_the_same(tmp_path: Path) -> None:
    model = small_model()
    model.save(tmp_path / "half", half=True)
    model.save(tmp_path / "whole")
    sizes = [(tmp_path / name / "model.safetensors").stat().st_size for name in ("half", "whole")]
    assert sizes[0] < 0.6 * sizes[1]
    loaded = load_model(str(tmp_path / "half"))
    assert loaded.network.dtype is torch.float32
    assert torch.allclose(logits(loaded), logits(model), atol=1e-2)


def test_an_adapter_starts_as_no_change_can_be_switched_off_and_is_merged_when_saved(tmp_path: Path) -> None:
    plain = logits(small_model())
    model = with_adapter(small_model(), LoraSettings(rank=2), seed=0)
    assert model.has_adapter
    assert torch.allclose(logits(model), plain)
    with torch.no_grad():
        for name, parameter in model.network.named_parameters():
            if "lora_B" in name:
                parameter.add_(0.1)
    changed = logits(model)
    assert not torch.allclose(changed, plain, atol=1e-3)
    with model.without_adapter():
        assert torch.allclose(logits(model), plain)
    model.save(tmp_path)
    assert torch.allclose(logits(load_model(str(tmp_path))), changed, atol=1e-5)
    with pytest.raises(SettingError, match="no adapter to merge"):
        merged(small_model().network)


def test_a_model_that_cannot_be_had_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no such model; found 'gpt'; allowed: shipped, smollm2, a folder"):
        load_model("gpt")
    with pytest.raises(DataError, match="the model cannot be loaded") as caught:
        load_model(str(tmp_path))
    assert "\n" not in str(caught.value)
    with pytest.raises(UnknownNameError, match="no such model"):
        load_tokenizer("gpt")


def test_pickled_weights_are_not_loaded(tmp_path: Path) -> None:
    model = small_model()
    model.save(tmp_path)
    state = model.network.state_dict()
    (tmp_path / "model.safetensors").unlink()
    torch.save(state, tmp_path / "pytorch_model.bin")
    with pytest.raises(DataError, match="the model cannot be loaded"):
        load_model(str(tmp_path))


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="cannot store the model"):
        small_model().save(tmp_path / "file")


def test_the_hash_of_weights_follows_every_weight() -> None:
    network = nn.Linear(3, 3)
    before = weights_sha256(network)
    with torch.no_grad():
        network.bias[0] += 1e-3
    assert weights_sha256(network) != before


def test_a_chat_prompt_needs_a_template() -> None:
    with pytest.raises(SettingError, match="the model has no chat template; found 'chat'; allowed: few_shot, plain"):
        tokenizer().chat("Who?")
