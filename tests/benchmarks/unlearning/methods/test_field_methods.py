"""Methods of the field: each against a slow computation text by text, without batch or padding."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
import torch
from torch import Tensor

from forgetscope.benchmarks.unlearning.doctor.diagnosis import diagnose
from forgetscope.benchmarks.unlearning.grid.cell_run import run_cell
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.locks import CellLock, claim_cell
from forgetscope.benchmarks.unlearning.grid.preparing import prepare_experiment
from forgetscope.benchmarks.unlearning.methods.base import Method, WeightEdit
from forgetscope.benchmarks.unlearning.methods.ceu import CrossEntropyUnlearning
from forgetscope.benchmarks.unlearning.methods.graddiff import GradDiff
from forgetscope.benchmarks.unlearning.methods.idkdpo import IdkDpo
from forgetscope.benchmarks.unlearning.methods.npo import Npo
from forgetscope.benchmarks.unlearning.methods.rmu import Rmu
from forgetscope.benchmarks.unlearning.methods.satimp import SatImp
from forgetscope.benchmarks.unlearning.methods.task_vector import TaskVector
from forgetscope.benchmarks.unlearning.methods.terms import Need
from forgetscope.benchmarks.unlearning.methods.undial import Undial
from forgetscope.benchmarks.unlearning.methods.wga import Wga
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings, TrainingSettings
from forgetscope.benchmarks.unlearning.training.batches import Batch, EncodedText
from forgetscope.benchmarks.unlearning.training.fitting import fit
from forgetscope.benchmarks.unlearning.training.loop import unlearn
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.benchmarks.unlearning.training.reference_cache import CachedReference, LiveReference, ReferenceBatch
from forgetscope.benchmarks.unlearning.training.target_settings import FitSettings
from forgetscope.benchmarks.unlearning.training.task import UnlearningTask
from forgetscope.core.errors import SettingError
from tests.benchmarks.unlearning.small_grid import cells_of, copy_grid, small_settings
from tests.benchmarks.unlearning.small_models import ALONE, small_model, small_task

ONE_STEP = TrainingSettings(epochs=1, learning_rate=1e-3, batch_size=6, lambda_retain=0.5, precision="float32")
MICRO_BATCHES = [ExecutionSettings(micro_batch_size=size) for size in (6, 2)]


class NeverAsked:
    """A reference that must not be used."""

    def batch(self, texts: object, batch: Batch, *, hidden_states: bool = False) -> ReferenceBatch:  # noqa: ARG002
        raise AssertionError("nobody needs it")


def task_of(method: Method) -> UnlearningTask:
    task = small_task(method, settings=ONE_STEP)
    tokenizer = small_model().tokenizer
    instead = [method.substitute(text, tokenizer) for text in task.forget] if "substitutes" in method.needs else []
    return UnlearningTask(**{**vars(task), "substitutes": tuple(instead)})


def said(model: LanguageModel, text: EncodedText) -> tuple[Tensor, list[Tensor]]:
    """Log-probabilities (tokens - 1, vocabulary) and hidden states (tokens, width) of one text."""
    output = model.network(input_ids=torch.tensor([text.ids]), output_hidden_states=True)
    return output.logits[0, :-1].log_softmax(-1), [states[0] for states in output.hidden_states]


def nll(model: LanguageModel, text: EncodedText) -> Tensor:
    rows, _ = said(model, text)
    return torch.stack([-rows[place, token] for place, token in enumerate(text.ids[1:])]).sum()


def mean_nll(model: LanguageModel, texts: list[EncodedText]) -> Tensor:
    return torch.stack([nll(model, text) for text in texts]).sum() / sum(text.predicted for text in texts)


def slow_wga(model: LanguageModel, _: LanguageModel, texts: list[EncodedText]) -> Tensor:
    return slow_weighted(model, texts, lambda p: p**0.5)


def slow_satimp(model: LanguageModel, _: LanguageModel, texts: list[EncodedText]) -> Tensor:
    return slow_weighted(model, texts, lambda p: p**5 * (1 - p))


def slow_weighted(model: LanguageModel, texts: list[EncodedText], weight: Callable[[float], float]) -> Tensor:
    parts = []
    for text in texts:
        rows = said(model, text)[0]
        parts += [
            weight(math.exp(rows[place, token].item())) * rows[place, token] for place, token in enumerate(text.ids[1:])
        ]
    return torch.stack(parts).mean()


def slow_ceu(model: LanguageModel, _: LanguageModel, texts: list[EncodedText]) -> Tensor:
    parts = []
    for text in texts:
        rows = said(model, text)[0]
        for place, token in enumerate(text.ids[1:]):
            shares = rows[place].detach().exp().clone()
            shares[token] = 0
            parts.append(-(shares / shares.sum() * rows[place]).sum())
    return torch.stack(parts).mean()


def slow_rmu(model: LanguageModel, _: LanguageModel, texts: list[EncodedText]) -> Tensor:
    method = RMU
    distances = [
        torch.stack([((state - method.direction(32)) ** 2).mean() for state in said(model, text)[1][1]]).mean()
        for text in texts
    ]
    return torch.stack(distances).mean()


def slow_rmu_retain(model: LanguageModel, target: LanguageModel, texts: list[EncodedText]) -> Tensor:
    pairs = [zip(said(model, text)[1][1], said(target, text)[1][1], strict=True) for text in texts]
    means = [torch.stack([((mine - theirs) ** 2).mean() for mine, theirs in pair]).mean() for pair in pairs]
    return RMU.alpha * torch.stack(means).mean()


def slow_dpo(model: LanguageModel, target: LanguageModel, texts: list[EncodedText]) -> Tensor:
    method, parts = IdkDpo(), []
    for text in texts:
        instead = method.substitute(text, model.tokenizer)
        better = nll(target, instead) - nll(model, instead)
        worse = nll(target, text) - nll(model, text)
        parts.append(-2 / method.beta * torch.log(1 / (1 + torch.exp(-method.beta * (better - worse)))))
    return torch.stack(parts).mean()


def slow_undial(model: LanguageModel, target: LanguageModel, texts: list[EncodedText]) -> Tensor:
    parts = []
    for text in texts:
        mine, theirs = said(model, text)[0], said(target, text)[0]
        for place, token in enumerate(text.ids[1:]):
            lowered = theirs[place].clone()
            lowered[token] -= Undial().strength
            parts.append(-(lowered.softmax(-1) * mine[place]).sum())
    return torch.stack(parts).mean()


def slow_kl(model: LanguageModel, target: LanguageModel, texts: list[EncodedText]) -> Tensor:
    pairs = [zip(said(target, text)[0], said(model, text)[0], strict=True) for text in texts]
    return torch.stack([(q.exp() * (q - p)).sum() for pair in pairs for q, p in pair]).mean()


RMU = Rmu(layer=1, steering=5.0, alpha=3.0)

Slow = Callable[[LanguageModel, LanguageModel, list[EncodedText]], Tensor]

SLOW: list[tuple[Method, Slow, Slow]] = [
    (GradDiff(), lambda m, _, texts: -mean_nll(m, texts), lambda m, _, texts: mean_nll(m, texts)),
    (Wga(beta=0.5), slow_wga, slow_kl),
    (SatImp(), slow_satimp, slow_kl),
    (CrossEntropyUnlearning(), slow_ceu, slow_kl),
    (RMU, slow_rmu, slow_rmu_retain),
    (IdkDpo(), slow_dpo, slow_kl),
    (Undial(), slow_undial, slow_kl),
]


@pytest.mark.parametrize("execution", MICRO_BATCHES, ids=["whole", "in parts"])
@pytest.mark.parametrize(("method", "forget", "retain"), SLOW, ids=[entry[0].title for entry in SLOW])
def test_two_steps_equal_those_written_out_by_hand(
    method: Method, forget: Slow, retain: Slow, execution: ExecutionSettings
) -> None:
    """Losses, gradients and the weights after each step; with lambda 0.5."""
    task = task_of(method)
    task = UnlearningTask(**{**vars(task), "settings": ONE_STEP.model_copy(update={"epochs": 2})})
    model, by_hand, target = small_model(), small_model(), small_model()
    reference = NeverAsked() if isinstance(method, GradDiff) else LiveReference(target)
    outcome = unlearn(model, reference, task, execution, ALONE)
    optimizer = torch.optim.AdamW(by_hand.network.parameters(), lr=1e-3, weight_decay=0.0)
    parameters = list(by_hand.network.parameters())
    for log, step in zip(outcome.steps, task.schedule(), strict=True):
        forget_loss = forget(by_hand, target, [task.forget[i] for i in step.forget])
        retain_loss = retain(by_hand, target, [task.retain[i] for i in step.retain])
        assert log.forget_loss == pytest.approx(forget_loss.item(), rel=1e-4)
        assert log.retain_loss == pytest.approx(retain_loss.item(), rel=1e-3, abs=1e-6)
        gradients = torch.autograd.grad(forget_loss, parameters, retain_graph=True, allow_unused=True)
        norm = math.sqrt(sum(float((one**2).sum()) for one in gradients if one is not None))
        assert log.forget_gradient == pytest.approx(norm, rel=1e-3)
        (forget_loss + 0.5 * retain_loss).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()
    assert len(outcome.steps) == 2


def test_an_edit_of_weights_takes_no_steps_and_is_what_it_says() -> None:
    task = task_of(TaskVector(scale=0.5))
    model, learnt = small_model(), small_model()
    before = [parameter.clone() for parameter in model.network.parameters()]
    outcome = unlearn(model, NeverAsked(), task, ExecutionSettings(), ALONE)
    fit(learnt, task.forget, FitSettings(epochs=2, learning_rate=1e-3), ALONE, seed=task.seed)
    assert (outcome.ended, outcome.steps, task.schedule()) == ("complete", (), ())
    for mine, old, theirs in zip(model.network.parameters(), before, learnt.network.parameters(), strict=True):
        assert torch.allclose(mine, 1.5 * old - 0.5 * theirs, atol=1e-6)
    assert sum(nll(model, text) for text in task.forget) > sum(nll(small_model(), text) for text in task.forget)


def test_an_edit_that_leaves_a_weight_without_a_number_has_diverged() -> None:
    assert unlearn(
        small_model(), NeverAsked(), task_of(TaskVector(scale=math.inf)), ExecutionSettings(), ALONE
    ).ended == ("diverged")


def test_the_cache_holds_what_a_method_asks_for_and_says_what_it_does_not(tmp_path: Path) -> None:
    model = small_model()
    whole = CachedReference(tmp_path, kept="logits", pad_id=0)
    for method in (IdkDpo(), Undial()):
        task = task_of(method)
        whole.fill(model, task.reference_texts())
        cached = unlearn(small_model(), whole, task, ExecutionSettings(), ALONE)
        live = unlearn(small_model(), LiveReference(model), task, ExecutionSettings(), ALONE)
        assert cached.steps[0].forget_loss == pytest.approx(live.steps[0].forget_loss, rel=1e-5)
    with pytest.raises(SettingError, match=r"hidden states, which are not kept.*execution\.reference: live"):
        unlearn(small_model(), whole, task_of(RMU), ExecutionSettings(), ALONE)
    top = CachedReference(tmp_path, kept="top_k", top_k=8, pad_id=0)
    top.fill(model, task_of(Undial()).reference_texts())
    with pytest.raises(SettingError, match=r"the method needs the reference's raw logits.*execution\.reference: live"):
        unlearn(small_model(), top, task_of(Undial()), ExecutionSettings(), ALONE)


def test_reference_values_are_made_for_those_who_ask_and_of_what_they_ask() -> None:
    assert task_of(GradDiff()).reference_texts() == []
    assert task_of(TaskVector()).reference_texts() == []
    npo, dpo = task_of(Npo()), task_of(IdkDpo())
    assert npo.reference_texts() == [*npo.forget, *npo.retain]
    assert dpo.reference_texts() == [*dpo.forget, *dpo.substitutes, *dpo.retain]
    step = npo.schedule()[:1]
    assert len(npo.reference_texts(step)) == len(step[0].forget) + len(step[0].retain)


def test_using_what_was_not_asked_for_names_it() -> None:
    class Forgetful(Undial):
        needs: ClassVar[frozenset[Need]] = frozenset()

    with pytest.raises(SettingError, match=r"does not ask for; found 'reference_logits'; next: name it in its `needs`"):
        unlearn(small_model(), LiveReference(small_model()), task_of(Forgetful()), ExecutionSettings(), ALONE)


@pytest.mark.parametrize("method", [TaskVector(), IdkDpo(), GradDiff(), Rmu()], ids=lambda method: method.title)
def test_a_cell_is_trained_evaluated_and_stored(method: Method, made_grid: GridFolder, tmp_path: Path) -> None:
    grid = copy_grid(made_grid, tmp_path / "grid")
    config = cells_of(grid)[1]
    assert config.unlearning is not None
    config = config.model_copy(update={"unlearning": config.unlearning.model_copy(update={"method": method})})
    claim = claim_cell(grid.cell(config.id))
    assert isinstance(claim, CellLock)
    with claim:
        result = run_cell(grid, config, ExecutionSettings(), claim)
    assert result.status == "complete"
    assert result.training is not None
    assert result.training.steps == (0 if isinstance(method, WeightEdit) else 2)
    assert result.figures["score.verbatim"] is not None


def test_the_doctor_and_the_plan_count_no_steps_of_an_edit(made_grid: GridFolder, tmp_path: Path) -> None:
    grid = copy_grid(made_grid, tmp_path / "grid")
    settings = small_settings().model_copy(update={"methods": (TaskVector(),)})
    prepared = [prepare_experiment(experiment, grid) for experiment in settings.experiments]
    found = diagnose(settings, prepared, grid)
    assert (found.trials, found.budgets, found.cost.steps, found.cost.cells) == ((), (), 0, 2)
