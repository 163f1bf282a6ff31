"""Reference values: computed once, read by all, whole or as the likeliest entries."""

from pathlib import Path

import pytest
import torch

from forgetscope.benchmarks.unlearning.training.batches import EncodedText, collate
from forgetscope.benchmarks.unlearning.training.losses import kl_divergence
from forgetscope.benchmarks.unlearning.training.processes import (
    Processes,
    current_processes,
    inner_product,
    is_bfloat16_faster,
    transformer_blocks,
)
from forgetscope.benchmarks.unlearning.training.reference_cache import (
    FULL_VOCABULARY,
    CachedReference,
    LiveReference,
    reference_cache,
)
from forgetscope.core.errors import SettingError
from tests.benchmarks.unlearning.small_models import ALONE, small_model, texts

MODEL = small_model(seed=1)


def test_kept_logits_are_the_models_own(tmp_path: Path) -> None:
    some = texts(4, 3)
    cached = CachedReference(tmp_path, kept="logits", pad_id=0)
    assert cached.fill(MODEL, some) == 4
    batch = collate(some, 0)
    kept, live = cached.batch(some, batch), LiveReference(MODEL).batch(some, batch)
    assert kept.logits is not None
    assert live.logits is not None
    where = batch.attention_mask.bool()
    assert torch.allclose(kept.logits[where], live.logits[where], atol=1e-5)
    assert torch.allclose(kept.nll, live.nll, rtol=1e-5)
    assert kept.logits[~where].abs().max() == 0


def test_another_process_reads_what_one_has_computed(tmp_path: Path) -> None:
    some = texts(4, 3)
    CachedReference(tmp_path, kept="logits", pad_id=0).fill(MODEL, some)
    other = CachedReference(tmp_path, kept="logits", pad_id=0, memory=0)
    assert other.fill(MODEL, some) == 0
    assert other.batch(some, collate(some, 0)).logits is not None
    same_ids = EncodedText("another name", some[0].ids)
    assert other.nll([same_ids])["another name"] == pytest.approx(other.nll(some)[some[0].id])


def test_the_likeliest_entries_bound_the_divergence_from_below(tmp_path: Path) -> None:
    some = texts(4, 3)
    batch = collate(some, 0)
    current = small_model(seed=2).logits(batch.input_ids, batch.attention_mask).detach()
    exact = LiveReference(MODEL).batch(some, batch).kl(current, batch.mask, mean="token", denominator=10)
    for k in (1, 30, 299):
        cached = CachedReference(tmp_path, kept="top_k", top_k=k, pad_id=0)
        cached.fill(MODEL, some)
        bound = cached.batch(some, batch).kl(current, batch.mask, mean="token", denominator=10)
        assert 0 < bound <= exact * (1 + 1e-5)
    assert bound == pytest.approx(float(exact), rel=1e-4)


def test_the_divergence_of_a_model_from_itself_is_zero(tmp_path: Path) -> None:
    some = texts(4, 3)
    batch = collate(some, 0)
    cached = CachedReference(tmp_path, kept="logits", pad_id=0)
    cached.fill(MODEL, some)
    own = MODEL.logits(batch.input_ids, batch.attention_mask).detach()
    assert cached.batch(some, batch).kl(own, batch.mask, mean="sequence", denominator=4) == pytest.approx(0, abs=1e-6)
    whole = kl_divergence(own[:, :-1].log_softmax(-1), own[:, :-1].log_softmax(-1), batch.mask)
    assert whole == pytest.approx(0, abs=1e-6)


def test_small_vocabularies_are_kept_whole(tmp_path: Path) -> None:
    assert MODEL.vocabulary <= FULL_VOCABULARY
    cached = reference_cache(tmp_path, MODEL, top_k=5)
    cached.fill(MODEL, texts(1, 3))
    assert [path.name for path in tmp_path.iterdir()] == ["logits"]


def test_a_text_nobody_asked_about_is_one_line(tmp_path: Path) -> None:
    cached = CachedReference(tmp_path, kept="nll", pad_id=0)
    with pytest.raises(SettingError, match="no reference values for a text"):
        cached.nll(texts(1, 3))


def test_this_process_is_alone_and_its_precision_is_measured() -> None:
    found = current_processes("float32")
    assert (found.rank, found.count, found.is_main, found.bfloat16) == (0, 1, True, False)
    assert isinstance(is_bfloat16_faster(torch.device("cpu"), size=32), bool)


def test_forward_passes_run_in_the_precision_asked_for() -> None:
    narrow = Processes(0, 1, torch.device("cpu"), bfloat16=True)
    ids = torch.tensor([[5, 6, 7]])
    with narrow.autocast():
        assert MODEL.logits(ids, torch.ones_like(ids)).dtype is torch.bfloat16
    with ALONE.autocast():
        assert MODEL.logits(ids, torch.ones_like(ids)).dtype is torch.float32


def test_the_inner_product_of_a_hand_computed_pair() -> None:
    left, right = [torch.tensor([1.0, 2.0]), torch.tensor([3.0])], [torch.tensor([4.0, 5.0]), torch.tensor([6.0])]
    assert inner_product(left, right, ALONE) == 4 + 10 + 18


def test_blocks_are_found_by_the_models_own_word() -> None:
    assert [type(block).__name__ for block in transformer_blocks(MODEL.network)] == ["LlamaDecoderLayer"] * 2
    with pytest.raises(SettingError, match="does not name its blocks"):
        transformer_blocks(torch.nn.Linear(2, 2))
