"""Ordinary next-token training: how a target learns its corpus, and how forgotten text is learnt again."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch.optim import AdamW

from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.batches import EncodedText, collate, shuffled_batches
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.benchmarks.unlearning.training.processes import Processes
from forgetscope.benchmarks.unlearning.training.target_settings import FitSettings
from forgetscope.stats import named_stream


@dataclass(frozen=True)
class EpochLog:
    """One pass over the texts.

    Attributes:
        nll: Mean loss in nats a token, weights of answers included.
        steps, tokens: So far.
        seconds: Since the start.
    """

    epoch: int
    nll: float
    steps: int
    tokens: int
    seconds: float


def fit(
    model: LanguageModel,
    texts: Sequence[EncodedText],
    settings: FitSettings,
    processes: Processes,
    *,
    seed: int,
    on_epoch: Callable[[EpochLog], None] = lambda _: None,
) -> tuple[EpochLog, ...]:
    """Fit the model to the texts, each as often as it occurs among them; `model` is changed.

    Args:
        model: On its device; trained in this process alone.
        texts: To be learnt.
        seed: Of the order.
        on_epoch: Called after each pass.

    Returns:
        One entry a pass.
    """
    trained = [parameter for parameter in model.network.parameters() if parameter.requires_grad]
    optimizer = AdamW(trained, lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True)
    started = time.perf_counter()
    planned = sum(len(batches) for batches in _epochs(texts, settings, seed))
    model.network.train()
    logs: list[EpochLog] = []
    steps = tokens = 0
    for epoch, batches in enumerate(_epochs(texts, settings, seed)):
        total, counted = torch.zeros(2, dtype=torch.float64, device=processes.device)
        for indices in batches:
            part = [texts[index] for index in indices]
            batch = collate(part, model.tokenizer.pad_id, answer_weight=settings.answer_weight).to(processes.device)
            for group in optimizer.param_groups:
                group["lr"] = settings.learning_rate * learning_rate_factor(steps, planned, settings.warmup_steps)
            with processes.autocast():
                logits = model.logits(batch.input_ids, batch.attention_mask)
            log_probabilities = losses.token_log_probabilities(logits, batch.input_ids)
            loss = -losses.gradient_ascent(log_probabilities, batch.mask)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(trained, settings.max_gradient_norm)
            optimizer.step()
            optimizer.zero_grad()
            weights = batch.mask.sum()
            total += loss.detach() * weights
            counted += weights
            steps += 1
            tokens += sum(text.predicted for text in part)
        logs.append(EpochLog(epoch, float(total / counted), steps, tokens, time.perf_counter() - started))
        on_epoch(logs[-1])
        if settings.stop_at_nll is not None and logs[-1].nll <= settings.stop_at_nll:
            break
    return tuple(logs)


def _epochs(texts: Sequence[EncodedText], settings: FitSettings, seed: int) -> list[list[list[int]]]:
    """The batches of every pass: texts of about equal length together, as many as fit into `batch_tokens`."""
    kinds = _kinds_by_length([len(text.ids) for text in texts], settings.batch_tokens)
    passes = []
    for epoch in range(settings.epochs):
        generator = named_stream(seed, f"unlearning/fit/{epoch}")
        batches: list[list[int]] = []
        for members, size in kinds:
            lengths = [len(texts[index].ids) for index in members]
            for batch in shuffled_batches(lengths, size, generator, bucketed=True):
                batches.append([members[index] for index in batch])
        passes.append([batches[index] for index in generator.permutation(len(batches)).tolist()])
    return passes


def _kinds_by_length(lengths: Sequence[int], batch_tokens: int) -> list[tuple[list[int], int]]:
    """Texts in groups within a factor of two in length, each with the batch size that fits its longest."""
    groups: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        groups.setdefault(length.bit_length(), []).append(index)
    return [(members, max(1, batch_tokens // max(lengths[index] for index in members))) for members in groups.values()]


def learning_rate_factor(step: int, steps: int, warmup: int) -> float:
    """Share of the highest learning rate: up along a line, level, and down along a line over the last quarter.

    >>> [round(learning_rate_factor(step, 100, 4), 2) for step in (0, 1, 3, 50, 75, 87, 99)]
    [0.25, 0.5, 1.0, 1.0, 1.0, 0.52, 0.04]
    """
    rise = min(1.0, (step + 1) / warmup) if warmup else 1.0
    return rise * min(1.0, (steps - step) / (steps / 4))
