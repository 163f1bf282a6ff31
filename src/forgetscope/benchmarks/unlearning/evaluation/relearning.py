"""The relearning probe: how fast forgotten text comes back when a little of it is shown again.

A copy of the model takes a few ordinary training steps on a tenth of the forget chunks. Watched are the others: if
they come back too, they were hidden and not forgotten.
"""

import copy
import math

import torch
from torch.optim import AdamW

from forgetscope.benchmarks.unlearning.evaluation.base import Measured, Subject
from forgetscope.benchmarks.unlearning.evaluation.likelihood import text_likelihoods
from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.batches import EncodedText, collate
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.stats import named_stream


def relearning(subject: Subject) -> Measured:
    """Figures `relearning.nll.before`, `.after` and `.recovered` of the chunks that are not shown.

    `recovered` is the share of the rise over the target that is undone: 0 nothing, 1 back at the target; undefined
    where unlearning did not raise the loss by at least 0.1 nats a token.
    """
    settings = subject.settings.relearning
    encoded = subject.model.tokenizer.chunks(subject.data.forget)
    if len(encoded) < 2:
        return Measured()
    order = named_stream(subject.seed, "unlearning/relearning").permutation(len(encoded)).tolist()
    shown = order[: max(1, math.floor(settings.share * len(encoded)))]
    watched = [encoded[index] for index in order[len(shown) :]]
    network = copy.deepcopy(subject.model.network)
    model = LanguageModel(network, subject.model.tokenizer, subject.model.name)
    before = _nll(model, watched)
    train_a_little(model, [encoded[index] for index in shown], settings.steps, settings.learning_rate)
    after = _nll(model, watched)
    known = [subject.target_nll.get(text.id) for text in watched]
    recovered = None
    if all(value is not None for value in known):
        target = sum(value for value in known if value is not None) / sum(text.predicted for text in watched)
        recovered = (before - after) / (before - target) if before - target >= 0.1 else None
    return Measured(
        figures={
            "relearning.nll.before": before,
            "relearning.nll.after": after,
            "relearning.recovered": recovered,
        }
    )


def _nll(model: LanguageModel, texts: list[EncodedText]) -> float:
    scored = text_likelihoods(model, texts)
    return sum(one.nll for one in scored) / sum(one.tokens for one in scored)


def train_a_little(model: LanguageModel, texts: list[EncodedText], steps: int, learning_rate: float) -> None:
    """Ordinary training of the model on all texts at once, for so many steps."""
    trained = [parameter for parameter in model.network.parameters() if parameter.requires_grad]
    optimizer = AdamW(trained, lr=learning_rate, weight_decay=0.0)
    batch = collate(texts, model.tokenizer.pad_id).to(model.device)
    model.network.train()
    for _ in range(steps):
        logits = model.logits(batch.input_ids, batch.attention_mask)
        log_probabilities = losses.token_log_probabilities(logits, batch.input_ids)
        loss = -losses.gradient_ascent(log_probabilities, batch.mask)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
    model.network.train(False)
