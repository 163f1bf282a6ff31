"""The unlearning loop: what a step is, what its log says, and that nothing about how it runs changes it."""

import copy
import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.ga import GradientAscent
from forgetscope.benchmarks.unlearning.methods.npo import Npo
from forgetscope.benchmarks.unlearning.methods.simnpo import SimNpo
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings, LoraSettings, TrainingSettings
from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.batches import collate
from forgetscope.benchmarks.unlearning.training.loop import TrainingOutcome, unlearn
from forgetscope.benchmarks.unlearning.training.models import LanguageModel, with_adapter
from forgetscope.benchmarks.unlearning.training.reference_cache import CachedReference, LiveReference
from forgetscope.benchmarks.unlearning.training.task import StepLog, UnlearningTask
from forgetscope.core.errors import SettingError
from tests.benchmarks.unlearning.small_models import ALONE, small_model, small_task, texts

PLAIN = TrainingSettings(epochs=2, learning_rate=1e-3, precision="float32")


def live(model: LanguageModel) -> LiveReference:
    return LiveReference(LanguageModel(copy.deepcopy(model.network), model.tokenizer, "reference"))


def run(
    task: UnlearningTask, execution: ExecutionSettings | None = None, model: LanguageModel | None = None
) -> tuple[LanguageModel, TrainingOutcome]:
    model = model or small_model()
    return model, unlearn(model, live(model), task, execution or ExecutionSettings(), ALONE)


def figures(outcome: TrainingOutcome) -> list[StepLog]:
    """The log without the clock."""
    return [replace(log, seconds=0.0) for log in outcome.steps]


def nll(model: LanguageModel, task: UnlearningTask) -> float:
    """Nats a token over all forget texts."""
    batch = collate(task.forget, 0)
    with torch.no_grad():
        scored = losses.token_log_probabilities(model.logits(batch.input_ids, batch.attention_mask), batch.input_ids)
    return float(losses.sequence_nll(scored, batch.mask).sum() / batch.mask.sum())


@pytest.mark.parametrize("method", [GradientAscent(), GradientAscent(nll_cap=9.0), Npo(), SimNpo(beta=0.5, delta=0.5)])
def test_every_method_makes_the_forget_text_less_likely(method: Method) -> None:
    task = small_task(method, settings=PLAIN.model_copy(update={"epochs": 4}))
    model, outcome = run(task)
    assert outcome.ended == "complete"
    assert nll(model, task) > nll(small_model(), task) + 0.1


def test_a_step_equals_one_written_out_by_hand() -> None:
    """One step of GA with the KL term, against plain PyTorch."""
    task = small_task(GradientAscent(), settings=PLAIN.model_copy(update={"batch_size": 6, "epochs": 1}))
    by_hand, reference = small_model().network, small_model().network
    step = task.schedule()[0]
    forget = collate([task.forget[i] for i in step.forget], 0)
    retain = collate([task.retain[i] for i in step.retain], 0)
    optimizer = torch.optim.AdamW(by_hand.parameters(), lr=1e-3, weight_decay=0.0)
    logits = by_hand(input_ids=forget.input_ids, attention_mask=forget.attention_mask).logits
    ascent = losses.gradient_ascent(losses.token_log_probabilities(logits, forget.input_ids), forget.mask)
    with torch.no_grad():
        target = reference(input_ids=retain.input_ids, attention_mask=retain.attention_mask).logits
    logits = by_hand(input_ids=retain.input_ids, attention_mask=retain.attention_mask).logits
    kl = losses.kl_divergence(target[:, :-1].log_softmax(-1), logits[:, :-1].log_softmax(-1), retain.mask)
    (ascent + kl).backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(by_hand.parameters(), 1.0)
    optimizer.step()

    model, outcome = run(task)
    assert outcome.steps[0].forget_loss == pytest.approx(ascent.item(), rel=1e-5)
    assert outcome.steps[0].retain_loss == pytest.approx(kl.item(), abs=1e-6)
    for ours, theirs in zip(model.network.parameters(), by_hand.parameters(), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-6)


def test_before_the_first_step_the_retain_term_is_nothing_and_npo_lets_half_through() -> None:
    _, outcome = run(small_task(Npo()))
    first = outcome.steps[0]
    assert first.retain_loss == pytest.approx(0, abs=1e-6)
    assert first.weight == pytest.approx(0.5)
    assert first.forget_loss == pytest.approx(2 / 0.1 * math.log(2), rel=1e-4)
    assert outcome.steps[-1].retain_loss > 0  # type: ignore[operator]


def test_simnpo_on_text_the_model_does_not_know_is_saturated_from_the_start() -> None:
    """An untrained model: log(300) = 5.7 nats a token, 4.5 times that in the sigmoid."""
    _, outcome = run(small_task(SimNpo()))
    assert outcome.steps[0].saturated == 1.0
    assert outcome.steps[0].forget_gradient < 1e-6  # type: ignore[operator]


@pytest.mark.parametrize("method", [GradientAscent(), Npo(), SimNpo(beta=0.5)])
def test_micro_batches_do_not_change_the_result(method: Method) -> None:
    _, whole = run(small_task(method), ExecutionSettings(micro_batch_size=4))
    _, split = run(small_task(method), ExecutionSettings(micro_batch_size=1))
    for a, b in zip(whole.steps, split.steps, strict=True):
        assert a.forget_loss == pytest.approx(b.forget_loss, rel=1e-4)
        assert a.retain_loss == pytest.approx(b.retain_loss, rel=1e-3, abs=1e-6)
        assert a.gradient == pytest.approx(b.gradient, rel=1e-3)


def test_keeping_the_gradients_apart_does_not_change_the_result() -> None:
    apart, first = run(small_task(), ExecutionSettings(log_gradients=True))
    together, second = run(small_task(), ExecutionSettings(log_gradients=False))
    assert first.steps[-1].forget_nll == pytest.approx(second.steps[-1].forget_nll, rel=1e-5)
    assert second.steps[0].forget_gradient is None
    for a, b in zip(apart.network.parameters(), together.network.parameters(), strict=True):
        assert torch.allclose(a, b, atol=1e-6)


def test_the_logged_gradients_are_those_of_the_two_terms() -> None:
    """Norms and cosine of the parts give the norm of the sum."""
    _, outcome = run(small_task())
    log = outcome.steps[-1]
    assert log.forget_gradient is not None
    assert log.retain_gradient is not None
    assert log.gradient_cosine is not None
    forget, retain, cosine = log.forget_gradient, log.retain_gradient, log.gradient_cosine
    assert log.gradient**2 == pytest.approx(forget**2 + retain**2 + 2 * cosine * forget * retain, rel=1e-5)


def test_the_cached_reference_gives_the_same_run_as_the_live_one(tmp_path: Path) -> None:
    task, model = small_task(), small_model()
    cached = CachedReference(tmp_path, kept="logits", top_k=0, pad_id=0)
    assert cached.fill(model, [*task.forget, *task.retain]) == 13
    assert cached.fill(model, [*task.forget, *task.retain]) == 0
    from_cache = unlearn(model, cached, task, ExecutionSettings(), ALONE)
    _, from_model = run(task)
    for a, b in zip(from_cache.steps, from_model.steps, strict=True):
        assert a.forget_loss == pytest.approx(b.forget_loss, rel=1e-5)
        assert a.retain_loss == pytest.approx(b.retain_loss, rel=1e-4, abs=1e-6)


def test_the_likeliest_entries_give_nearly_the_same_retain_term_and_never_more(tmp_path: Path) -> None:
    task, model = small_task(), small_model()
    cached = CachedReference(tmp_path, kept="top_k", top_k=250, pad_id=0)
    cached.fill(model, [*task.forget, *task.retain])
    bounded = unlearn(model, cached, task, ExecutionSettings(), ALONE)
    _, exact = run(task)
    bound, value = bounded.steps[1].retain_loss, exact.steps[1].retain_loss
    assert bound is not None
    assert value is not None
    assert 0.5 * value < bound <= value * (1 + 1e-4)


def test_muse_compat_needs_raw_logits(tmp_path: Path) -> None:
    task, model = small_task(semantics="muse-compat"), small_model()
    cached = CachedReference(tmp_path, kept="top_k", top_k=8, pad_id=0)
    cached.fill(model, [*task.forget, *task.retain])
    with pytest.raises(SettingError, match=r"raw logits.*next: set execution\.reference: live"):
        unlearn(model, cached, task, ExecutionSettings(), ALONE)


def test_under_muse_compat_the_retain_term_swamps_the_forget_term() -> None:
    """NPO and SimNPO then take the same steps to within a few digits; done properly they do not."""
    published = {}
    proper = {}
    for method in (Npo(), SimNpo(beta=0.1)):
        _, compat = run(small_task(method, semantics="muse-compat"))
        first = compat.steps[0]
        assert first.retain_gradient > 100 * first.forget_gradient  # type: ignore[operator]
        assert compat.steps[-1].retain_loss < 0  # type: ignore[operator]
        published[method.kind] = compat.steps[-1].forget_nll
        proper[method.kind] = run(small_task(method))[1].steps[-1].forget_nll
    assert abs(published["npo"] - published["simnpo"]) < 0.01 * abs(proper["npo"] - proper["simnpo"])


def test_a_stopped_run_goes_on_from_its_checkpoint_to_the_same_end(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    execution = ExecutionSettings(checkpoint_seconds=0)
    whole_model, whole = run(small_task())

    class KilledError(Exception):
        pass

    def kill(log: StepLog) -> None:
        if log.step == 2:
            raise KilledError

    model = small_model()
    with pytest.raises(KilledError):
        unlearn(model, live(model), small_task(), execution, ALONE, checkpoint=path, on_step=kill)
    again = small_model()
    outcome = unlearn(again, live(small_model()), small_task(), execution, ALONE, checkpoint=path)
    assert outcome.resumed_at == 2
    assert figures(outcome) == figures(whole)
    for a, b in zip(again.network.parameters(), whole_model.network.parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_checkpoint_of_another_configuration_or_a_damaged_one_is_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    execution = ExecutionSettings(checkpoint_seconds=0)
    model = small_model()
    unlearn(model, live(model), small_task(), execution, ALONE, checkpoint=path)
    other = replace(small_task(), fingerprint="another cell")
    model = small_model()
    assert unlearn(model, live(model), other, execution, ALONE, checkpoint=path).resumed_at is None
    path.write_bytes(path.read_bytes()[:1000])
    model = small_model()
    assert unlearn(model, live(model), small_task(), execution, ALONE, checkpoint=path).resumed_at is None


def test_a_loss_that_is_no_number_ends_the_run_before_its_step_and_keeps_the_record() -> None:
    model = small_model()
    with torch.no_grad():
        next(model.network.parameters())[5] = float("nan")
    broken = tuple(replace(text, ids=(*text.ids[:2], 5, *text.ids[3:])) for text in texts(1, 4))
    before = [parameter.clone() for parameter in model.network.parameters()]
    _, outcome = run(small_task(forget=broken), model=model)
    assert outcome.ended == "diverged"
    assert len(outcome.steps) == 1
    assert math.isnan(outcome.steps[0].forget_loss)
    for a, b in zip(before, model.network.parameters(), strict=True):
        assert torch.equal(a.nan_to_num(), b.nan_to_num())


def test_training_stops_at_the_forget_likelihood_asked_for() -> None:
    limit = 5.9
    settings = PLAIN.model_copy(update={"epochs": 50, "stop_at_forget_nll": limit})
    _, outcome = run(small_task(GradientAscent(), settings=settings))
    assert outcome.ended == "stopped"
    assert outcome.steps[-1].forget_nll >= limit
    assert all(log.forget_nll < limit for log in outcome.steps[:-1])


def test_a_cap_bounds_gradient_ascent() -> None:
    settings = PLAIN.model_copy(update={"epochs": 30, "lambda_retain": 0.0, "learning_rate": 1e-2})
    _, free = run(small_task(GradientAscent(), settings=settings))
    _, capped = run(small_task(GradientAscent(nll_cap=7.0), settings=settings))
    assert free.steps[-1].forget_nll > 2 * capped.steps[-1].forget_nll


def test_without_a_retain_term_no_retain_text_is_needed_and_with_one_it_is() -> None:
    settings = PLAIN.model_copy(update={"lambda_retain": 0.0})
    _, outcome = run(small_task(settings=settings, retain=()))
    assert outcome.steps[0].retain_loss is None
    with pytest.raises(SettingError, match="no retain text"):
        run(small_task(retain=()))


def test_with_an_adapter_only_it_trains_and_the_reference_is_the_model_with_the_adapter_off() -> None:
    model = with_adapter(small_model(), LoraSettings(rank=4, alpha=8), seed=0)
    frozen = {name: value.clone() for name, value in model.network.named_parameters() if not value.requires_grad}
    settings = PLAIN.model_copy(update={"epochs": 6, "learning_rate": 1e-2, "lora": LoraSettings(rank=4)})
    outcome = unlearn(model, LiveReference(model), small_task(Npo(), settings=settings), ExecutionSettings(), ALONE)
    assert outcome.steps[0].retain_loss == pytest.approx(0, abs=1e-6)
    assert outcome.steps[-1].forget_nll > outcome.steps[0].forget_nll
    assert len(frozen) > 0
    for name, value in model.network.named_parameters():
        if name in frozen:
            assert torch.equal(value, frozen[name])


def test_an_adapters_checkpoint_holds_the_adapter_alone_and_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    execution = ExecutionSettings(checkpoint_seconds=0)
    settings = PLAIN.model_copy(update={"lora": LoraSettings(rank=4)})
    model = with_adapter(small_model(), LoraSettings(rank=4), seed=0)
    unlearn(model, LiveReference(model), small_task(settings=settings), execution, ALONE, checkpoint=path)
    again = with_adapter(small_model(), LoraSettings(rank=4), seed=0)
    outcome = unlearn(again, LiveReference(again), small_task(settings=settings), execution, ALONE, checkpoint=path)
    assert outcome.resumed_at == len(outcome.steps)
    with safe_open(path, framework="pt") as stored:
        assert all("lora_" in name for name in stored.keys())  # noqa: SIM118 - no mapping
    for a, b in zip(model.network.parameters(), again.network.parameters(), strict=True):
        assert torch.equal(a, b)


def test_the_smallest_numbers_are_numbers_again_after_training() -> None:
    run(small_task(GradientAscent(), settings=PLAIN))
    assert torch.tensor(1e-40) * 0.5 > 0
