"""How likely each text is to the model: loss, Min-K, extraction strength, and what gradient a method has left.

One forward pass a text gives all of them, without generating anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from forgetscope.benchmarks.unlearning.evaluation.base import Measured, Subject
from forgetscope.benchmarks.unlearning.evaluation.privacy import membership_auc
from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.batches import EncodedText, collate
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.core.results import Value

BATCH_TOKENS = 8192


@dataclass(frozen=True)
class TextLikelihood:
    """A text under a model.

    Attributes:
        id: Of the text.
        tokens: Predicted ones; of a solved question those of its answer.
        nll: Negative log-likelihood, summed over them, in nats.
        min_k: Mean negative log-likelihood of the least likely share of them (Min-K% Prob), in nats.
        min_k_plus: The same of each token's log-probability less its mean over the vocabulary, in standard deviations
            of it, both under the model (Min-K%++, Zhang et al. 2024); negated, so that lower is more of a member.
        extraction_strength: Share of the text, from its end, that the model completes by itself: 1 - k / n for the
            shortest prefix of k tokens after which greedy decoding reproduces all the rest; 1 needs no prompt at all.
    """

    id: str
    tokens: int
    nll: float
    min_k: float
    min_k_plus: float
    extraction_strength: float


@torch.inference_mode()
def text_likelihoods(
    model: LanguageModel, texts: Sequence[EncodedText], *, min_k: float = 0.4, batch_tokens: int = BATCH_TOKENS
) -> list[TextLikelihood]:
    """Each text scored by the model, in order.

    Args:
        model: Put into evaluation mode.
        texts: To be scored.
        min_k: Share of the tokens that Min-K averages, rounded down, at least one.
        batch_tokens: Positions a forward pass has at most, padding included.
    """
    model.network.train(False)
    found: dict[int, TextLikelihood] = {}
    order = sorted(range(len(texts)), key=lambda index: len(texts[index].ids))
    while order:
        part = [order.pop()]  # longest first: the batch is as wide as this one
        while order and len(texts[part[0]].ids) * (len(part) + 1) <= batch_tokens:
            part.append(order.pop())
        batch = collate([texts[index] for index in part], model.tokenizer.pad_id, question_weight=0.0)
        moved = batch.to(model.device)
        logits = model.logits(moved.input_ids, moved.attention_mask)
        log_probabilities = losses.token_log_probabilities(logits, moved.input_ids).cpu()
        right = (logits[:, :-1].argmax(-1) == moved.input_ids[:, 1:]).cpu()
        for row, index in enumerate(part):
            counted = batch.mask[row].bool()
            standardised = standardised_log_probabilities(
                logits[row, :-1][counted.to(logits.device)], log_probabilities[row][counted]
            )
            found[index] = _one(texts[index], log_probabilities[row][counted], standardised, right[row][counted], min_k)
    return [found[index] for index in range(len(texts))]


def standardised_log_probabilities(logits: torch.Tensor, log_probabilities: torch.Tensor) -> torch.Tensor:
    """How likely each token was beside what the model expected there: (tokens,), in standard deviations.

    ``(log p(x) - mu) / sigma`` with mu and sigma of ``log p(v)`` for v drawn from p; 0 where p is flat.

    Args:
        logits: (tokens, vocabulary), at each token's place.
        log_probabilities: (tokens,), of the tokens that came.
    """
    every = logits.float().log_softmax(-1)
    shares = every.exp()
    mean = (shares * every).sum(-1)
    spread = ((shares * every.square()).sum(-1) - mean.square()).clamp_min(0).sqrt().cpu()
    return torch.where(spread > 1e-6, (log_probabilities - mean.cpu()) / spread.clamp_min(1e-6), 0.0)


def _one(
    text: EncodedText, log_probabilities: torch.Tensor, standardised: torch.Tensor, right: torch.Tensor, min_k: float
) -> TextLikelihood:
    tokens = len(log_probabilities)
    kept = max(1, int(tokens * min_k))
    least = log_probabilities.sort().values[:kept]
    wrong = (~right).nonzero()
    completed = tokens if len(wrong) == 0 else tokens - 1 - int(wrong[-1])
    return TextLikelihood(
        id=text.id,
        tokens=tokens,
        nll=-float(log_probabilities.double().sum()),
        min_k=-float(least.double().mean()),
        min_k_plus=-float(standardised.sort().values[:kept].double().mean()),
        extraction_strength=completed / tokens,
    )


def likelihood(subject: Subject) -> Measured:
    """Every text of the grid scored; figures of the forget side: loss, extraction strength, saturated sequences."""
    rows: list[dict[str, Value]] = []
    figures: dict[str, float | None] = {}
    standardised: dict[str, list[float]] = {}
    for kind, encoded in _texts_by_kind(subject).items():
        scored = text_likelihoods(subject.model, encoded, min_k=subject.settings.min_k)
        weights = _weights(subject, scored) if kind == "forget_format" else [None] * len(scored)
        rows += [_row(subject, kind, one, weight) for one, weight in zip(scored, weights, strict=True)]
        standardised[kind] = [one.min_k_plus for one in scored]
        tokens = sum(one.tokens for one in scored)
        figures[f"nll.{kind}"] = sum(one.nll for one in scored) / tokens
        figures[f"extraction_strength.{kind}"] = sum(one.extraction_strength for one in scored) / len(scored)
        known = [weight for weight in weights if weight is not None]
        if known:
            figures["saturated"] = sum(weight < losses.SATURATED_BELOW for weight in known) / len(known)
    if "holdout" in standardised:
        figures["auc.min_k_plus"] = membership_auc(standardised["forget"], standardised["holdout"])
    return Measured(likelihoods=rows, figures=figures)


def _texts_by_kind(subject: Subject) -> dict[str, list[EncodedText]]:
    """What is scored, by kind; kinds without any texts are left out."""
    data, tokenizer = subject.data, subject.model.tokenizer
    retain = tokenizer.chunks(data.retain)
    low, high = set(data.low), set(data.high)
    kinds = {
        "forget": tokenizer.chunks(data.forget),
        "retain_low": [text for text in retain if text.id in low],
        "retain_high": [text for text in retain if text.id in high],
        "retain": [text for text in retain if text.id not in low | high],
        "holdout": tokenizer.chunks(data.holdout),
    }
    if subject.forget_format is not None:
        kinds["forget_format"] = tokenizer.packed(data.texts[subject.forget_format], data.forget)
    return {kind: texts for kind, texts in kinds.items() if texts}


def _weights(subject: Subject, scored: Sequence[TextLikelihood]) -> list[float | None]:
    """The share of its gradient each sequence still has; None where it never fades, or does not depend on the text."""
    is_proper = subject.factors.get("semantics") == "proper"
    if subject.method is None or not is_proper or any(one.id not in subject.target_nll for one in scored):
        return [None] * len(scored)
    weights = subject.method.weight(
        torch.tensor([one.nll for one in scored]),
        torch.tensor([float(one.tokens) for one in scored]),
        torch.tensor([subject.target_nll[one.id] for one in scored]),
    )
    return [None] * len(scored) if weights is None else [float(weight) for weight in weights]


def _row(subject: Subject, kind: str, one: TextLikelihood, weight: float | None) -> dict[str, Value]:
    known: Mapping[str, float] = subject.target_nll
    return {
        **subject.factors,
        "seed": subject.seed,
        "text": one.id,
        "kind": kind,
        "tokens": one.tokens,
        "nll": one.nll,
        "target_nll": known.get(one.id),
        "min_k": one.min_k,
        "extraction_strength": one.extraction_strength,
        "weight": weight,
    }
