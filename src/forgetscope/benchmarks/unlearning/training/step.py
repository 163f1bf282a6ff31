"""A step of unlearning: forget loss plus lambda times the retain term, in the open.

Each step runs the forget texts and the retain texts apart, so that the two gradients are known before they are added:
their norms and the angle between them go into the log, and one term swamping the other is seen. This costs no further
pass, as the two are different texts, but one more copy of the gradient (`log_gradients` switches it off).
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.optim import AdamW

from forgetscope.benchmarks.unlearning.methods.terms import REFERENCE_NEEDS, LossTerms, Need, RawTerms
from forgetscope.benchmarks.unlearning.settings import (
    ExecutionSettings,
)
from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.batches import (
    Batch,
    EncodedText,
    TrainingStep,
    collate,
    micro_batches,
    padding_share,
)
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.benchmarks.unlearning.training.processes import Processes, inner_product
from forgetscope.benchmarks.unlearning.training.reference_cache import ReferenceBatch, ReferenceSource
from forgetscope.benchmarks.unlearning.training.task import StepLog, UnlearningTask
from forgetscope.core.errors import SettingError


@dataclass
class _ForgetSums:
    """What the forget half of a step adds up over micro-batches and processes."""

    loss: Tensor
    nll: Tensor
    weight: Tensor
    saturated: Tensor
    has_weight: bool = False


@dataclass(frozen=True)
class _Pass:
    """A micro-batch, what the model says of it, and what the reference does, where that was looked up."""

    batch: Batch
    logits: Tensor
    hidden_states: tuple[Tensor, ...]
    reference: ReferenceBatch | None

    @property
    def known(self) -> ReferenceBatch:
        """What the reference says."""
        if self.reference is None:
            raise ValueError("the reference was not asked")
        return self.reference

    @property
    def published_logits(self) -> Tensor:
        """The reference's raw logits, for the published losses."""
        return _raw(self.known, "the published losses need", where="loss_semantics", found="muse-compat")

    def terms(
        self, needs: frozenset[Need], whole: Sequence[EncodedText], substitutes: LossTerms | None = None
    ) -> LossTerms:
        """What a loss is given of it.

        Args:
            needs: Of the loss.
            whole: All texts of the effective batch.
            substitutes: The terms of the texts in place of these.
        """
        given: dict[Need, object] = {}
        if "hidden_states" in needs:
            given["hidden_states"] = self.hidden_states
        if "reference_nll" in needs:
            given["reference_nll"] = self.known.nll
        if "reference_logits" in needs:
            found = _raw(self.known, "the method needs", where="method", found="reference_logits")
            given["reference_logits"] = found[:, :-1]
        if "reference_hidden_states" in needs:
            given["reference_hidden_states"] = self.known.hidden_states
        if substitutes is not None:
            given["substitutes"] = substitutes
        return LossTerms(
            log_probabilities=losses.token_log_probabilities(self.logits, self.batch.input_ids),
            mask=self.batch.mask,
            tokens=sum(text.predicted for text in whole),
            sequences=len(whole),
            labels=self.batch.input_ids[:, 1:],
            logits=self.logits[:, :-1],
            attended=self.batch.attention_mask,
            given=given,
        )


def _raw(reference: ReferenceBatch, who: str, *, where: str, found: str) -> Tensor:
    if reference.logits is None:
        raise SettingError(
            f"{who} the reference's raw logits, and only the likeliest entries are kept",
            where=where,
            found=found,
            next_step="set execution.reference: live",
        )
    return reference.logits


class StepTaker:
    """Takes optimiser steps: what they share is model, data and settings."""

    def __init__(
        self,
        model: LanguageModel,
        reference: ReferenceSource,
        task: UnlearningTask,
        execution: ExecutionSettings,
        processes: Processes,
        optimizer: AdamW,
    ) -> None:
        self._model = model
        self._reference = reference
        self._task = task
        self._execution = execution
        self._processes = processes
        self._optimizer = optimizer
        self._trained = [parameter for parameter in model.network.parameters() if parameter.requires_grad]

    def step(self, index: int, step: TrainingStep) -> StepLog:
        """Take one optimiser step, unless its gradient is not a number."""
        started = time.perf_counter()
        task = self._task
        forget = [task.forget[i] for i in step.forget]
        retain = [task.retain[i] for i in step.retain]
        sums = self._forget_half(step.forget)
        norms: tuple[float | None, float | None, float | None] = (None, None, None)
        retain_loss: float | None = None
        if retain and self._execution.log_gradients:
            forget_gradients = [self._take_gradient(parameter) for parameter in self._trained]
            retain_loss = self._retain_half(retain)
            norms = self._add_gradients(forget_gradients)
        elif retain:
            retain_loss = self._retain_half(retain)
        limit = task.settings.max_gradient_norm
        gradient = self._gradient_norm()
        forget_loss = float(self._processes.total(sums.loss))
        if all(math.isfinite(value) for value in (gradient, forget_loss, retain_loss or 0.0)):
            if limit is not None and gradient > limit:
                for parameter in self._trained:
                    if parameter.grad is not None:
                        parameter.grad.mul_(limit / gradient)
            self._optimizer.step()
        self._optimizer.zero_grad()
        tokens = sum(text.predicted for text in forget)
        return StepLog(
            step=index,
            epoch=step.epoch,
            forget_loss=forget_loss,
            retain_loss=retain_loss,
            forget_nll=float(self._processes.total(sums.nll)) / tokens,
            weight=float(self._processes.total(sums.weight)) / len(forget) if sums.has_weight else None,
            saturated=float(self._processes.total(sums.saturated)) / len(forget) if sums.has_weight else None,
            forget_gradient=norms[0],
            retain_gradient=norms[1],
            gradient_cosine=norms[2],
            gradient=gradient,
            forget_tokens=tokens,
            retain_tokens=sum(text.predicted for text in retain),
            padding=padding_share([len(text.ids) for text in forget]),
            seconds=time.perf_counter() - started,
        )

    def _parts(self, texts: Sequence[EncodedText]) -> list[tuple[list[int], float]]:
        """Places of the texts of each micro-batch, and whether it counts."""
        size, processes = self._execution.micro_batch_size, self._processes
        return micro_batches(range(len(texts)), size, rank=processes.rank, processes=processes.count)

    def _pass(self, texts: Sequence[EncodedText], needs: frozenset[Need], *, asks_reference: bool) -> "_Pass":
        """Run the model on texts, and look up what the reference says if that is asked for."""
        batch = collate(texts, self._model.tokenizer.pad_id).to(self._processes.device)
        with_states = "reference_hidden_states" in needs
        reference = self._reference.batch(texts, batch, hidden_states=with_states) if asks_reference else None
        hidden_states: tuple[Tensor, ...] = ()
        with self._processes.autocast():
            if "hidden_states" in needs:
                logits, hidden_states = self._model.logits_and_hidden_states(batch.input_ids, batch.attention_mask)
            else:
                logits = self._model.logits(batch.input_ids, batch.attention_mask)
        return _Pass(batch, logits, hidden_states, reference)

    def _substituted(self, texts: Sequence[EncodedText], whole: Sequence[EncodedText]) -> LossTerms:
        needs = self._task.method.needs - {"substitutes"}
        passed = self._pass(texts, needs, asks_reference=bool(needs & REFERENCE_NEEDS))
        return passed.terms(needs, whole)

    def _forget_half(self, places: Sequence[int]) -> _ForgetSums:
        """Backward through the forget loss; gradients of all processes are averaged, hence the factor."""
        device, task = self._processes.device, self._task
        method, needs = task.method, task.method.needs
        texts = [task.forget[i] for i in places]
        substitutes = [task.substitutes[i] for i in places] if "substitutes" in needs else []
        loss_sum, nll_sum, weight_sum, saturated_sum = torch.zeros(4, device=device, dtype=torch.float64)
        sums = _ForgetSums(loss_sum, nll_sum, weight_sum, saturated_sum)
        for part, counts in self._parts(texts):
            passed = self._pass([texts[i] for i in part], needs, asks_reference=task.forget_asks_reference)
            paired = self._substituted([substitutes[i] for i in part], substitutes) if substitutes else None
            terms = passed.terms(needs, texts, paired)
            published = self._published(passed, len(texts))
            loss = method.forget_loss(terms) if published is None else published
            (loss * counts * self._processes.count).backward()  # type: ignore[no-untyped-call]
            nll = losses.sequence_nll(terms.log_probabilities.detach(), terms.mask)
            weight = None
            if published is None:
                before = torch.full_like(nll, math.nan) if passed.reference is None else passed.reference.nll
                weight = method.weight(nll, terms.mask.sum(1), before)
            sums.loss += counts * loss.detach()
            sums.nll += counts * nll.sum()
            if weight is not None:
                sums.has_weight = True
                sums.weight += counts * weight.sum()
                sums.saturated += counts * (weight < losses.SATURATED_BELOW).sum()
        return sums

    def _published(self, passed: "_Pass", sequences: int) -> Tensor | None:
        """The published code's forget term, on every position that is no padding; None where it is the proper one.

        Its texts all have one length, so padding never arises there; ours is left out.
        """
        if self._task.semantics == "proper":
            return None
        kept = passed.batch.attention_mask.bool()
        share = len(passed.logits) / sequences
        return self._task.method.muse_compat_loss(
            RawTerms(passed.logits[kept][None].float(), passed.published_logits[kept][None], share)
        )

    def _retain_half(self, texts: Sequence[EncodedText]) -> float:
        """Backward through lambda times the retain term; returns the term itself over the effective batch."""
        task, settings = self._task, self._task.settings
        needs = task.method.retain_needs
        per_token = settings.kl_mean == "token"
        denominator = float(sum(text.predicted for text in texts) if per_token else len(texts))
        total = torch.zeros((), device=self._processes.device, dtype=torch.float64)
        for part, counts in self._parts(texts):
            chosen = [texts[i] for i in part]
            passed = self._pass(chosen, needs or frozenset(), asks_reference=task.retain_asks_reference)
            if needs is not None:
                loss = task.method.retain_loss(passed.terms(needs, texts))
            elif task.semantics == "muse-compat":
                kept = passed.batch.attention_mask.bool()
                loss = losses.muse_compat_kl(
                    passed.published_logits[kept][None], passed.logits[kept][None].float(), sequences=len(texts)
                )
            else:
                loss = passed.known.kl(passed.logits, passed.batch.mask, mean=settings.kl_mean, denominator=denominator)
            scale = counts * settings.lambda_retain * self._processes.count
            (loss * scale).backward()  # type: ignore[no-untyped-call]
            total += counts * loss.detach()
        return float(self._processes.total(total))

    def _take_gradient(self, parameter: Tensor) -> Tensor:
        gradient = parameter.grad
        parameter.grad = None
        return torch.zeros_like(parameter) if gradient is None else gradient

    def _add_gradients(self, forget: Sequence[Tensor]) -> tuple[float, float, float | None]:
        """Add the forget gradients back; the norms of both and the cosine of the angle between them."""
        retain = [
            torch.zeros_like(parameter) if parameter.grad is None else parameter.grad for parameter in self._trained
        ]
        forget_norm = math.sqrt(inner_product(forget, forget, self._processes))
        retain_norm = math.sqrt(inner_product(retain, retain, self._processes))
        product = inner_product(forget, retain, self._processes)
        for parameter, gradient in zip(self._trained, forget, strict=True):
            parameter.grad = gradient if parameter.grad is None else parameter.grad.add_(gradient)
        lengths = forget_norm * retain_norm
        return forget_norm, retain_norm, product / lengths if lengths > 0 else None

    def _gradient_norm(self) -> float:
        gradients = [parameter.grad for parameter in self._trained if parameter.grad is not None]
        return math.sqrt(inner_product(gradients, gradients, self._processes))
