"""The losses of unlearning, as pure functions of log-probabilities.

With y a sequence, m its mask over predicted positions (the first token is never predicted, padding never counts),
|y| the number of unmasked positions, p the current and q the reference model, and
``NLL(y) = -sum over t of m_t log p(y_t | y_<t)``:

====  ============================================================================================
(E1)  GA = -CE                      mean over the unmasked tokens of the batch of ``log p(y_t | y_<t)``
(E2)  NPO = -(2/beta) log sigmoid(beta (NLL(y) - NLL_ref(y)))                  mean over sequences
(E3)  SimNPO = -(2/beta) log sigmoid(beta (NLL(y)/|y| - delta))                mean over sequences
(E4)  KL(q || p) = sum over v of q(v) (log q(v) - log p(v)) at every unmasked position
      per token: mean over the unmasked positions; per sequence: summed over a sequence's, mean over sequences
(E5)  total = forget loss + lambda * retain loss                     (the paper's equation 1, its lambda is 1)
====  ============================================================================================

E2 is Zhang et al. 2024 with pi = exp(-NLL); E3 is Fan et al. 2024, whose gamma is our ``beta * delta``. The paper
names the three and prints no formula; these are the ones it cites.

A step may be split over several micro-batches or processes. Every mean therefore takes its denominator from the
caller (`tokens`, `sequences`: those of the whole effective batch), so that the parts simply add up to the loss of the
whole. Without it, the denominator is that of the call.

`muse_compat_npo`, `muse_compat_simnpo` and `muse_compat_kl` (C2-C4) are what the published MUSE baselines compute
instead. They treat raw logits as log-probabilities, over every position and every vocabulary entry:

====  ============================================================================================
(C2)  -(2/beta) mean over b, t, v of log sigmoid(beta (z_ref - z))
(C3)  -(2/beta) mean over b, t, v of log sigmoid(beta (-z - gamma))
(C4)  (1/B) sum over b, t, v of exp(z_ref) (z_ref - z)
====  ============================================================================================

None knows which token came next, none has a mask, C4 grows with the length, can be negative and changes when all
logits shift by a constant, which changes no probability. They are kept to show what that does.
"""

import torch
from torch import Tensor
from torch.nn import functional

from forgetscope.benchmarks.unlearning.settings import KlMean


def token_log_probabilities(logits: Tensor, input_ids: Tensor) -> Tensor:
    """Log-probability of every token but the first, given those before it.

    Args:
        logits: (batch, sequence, vocabulary), as the model returns them for `input_ids`.
        input_ids: (batch, sequence).

    Returns:
        (batch, sequence - 1), in float32 or wider.
    """
    predictions = logits[:, :-1]
    if predictions.dtype in (torch.bfloat16, torch.float16):
        predictions = predictions.float()
    return -functional.cross_entropy(predictions.transpose(1, 2), input_ids[:, 1:], reduction="none")


def sequence_nll(log_probabilities: Tensor, mask: Tensor) -> Tensor:
    """Negative log-likelihood of each sequence, summed over its unmasked positions: (batch,), in nats.

    Args:
        log_probabilities: (batch, positions), of the tokens that came.
        mask: (batch, positions), 1 where a predicted position counts.
    """
    return -(log_probabilities * mask).sum(1)


def gradient_ascent(log_probabilities: Tensor, mask: Tensor, *, tokens: Tensor | float | None = None) -> Tensor:
    """E1, gradient ascent: minus the cross-entropy, mean over tokens. Unbounded below.

    Args:
        log_probabilities: (batch, positions).
        mask: (batch, positions).
        tokens: Unmasked positions of the effective batch; those of this call by default.
    """
    return (log_probabilities * mask).sum() / (mask.sum() if tokens is None else tokens)


def npo(
    log_probabilities: Tensor,
    mask: Tensor,
    reference_nll: Tensor,
    *,
    beta: float,
    sequences: int | None = None,
) -> Tensor:
    """E2, negative preference optimisation; mean over sequences. Never negative: 0 when forgotten without limit.

    Args:
        log_probabilities: (batch, positions), of the model being unlearned.
        mask: (batch, positions).
        reference_nll: (batch,), summed negative log-likelihood under the reference, in nats.
        beta: Inverse temperature; as it goes to 0 the gradient becomes that of gradient ascent on the sum.
        sequences: Sequences of the effective batch; those of this call by default.
    """
    margin = sequence_nll(log_probabilities, mask) - reference_nll
    return -2 / beta * functional.logsigmoid(beta * margin).sum() / (sequences or len(margin))


def simnpo(
    log_probabilities: Tensor, mask: Tensor, *, beta: float, delta: float, sequences: int | None = None
) -> Tensor:
    """E3, NPO without a reference, normalised by length; mean over sequences. Never negative.

    Args:
        log_probabilities: (batch, positions).
        mask: (batch, positions).
        beta: Inverse temperature.
        delta: Margin in nats a token; the papers' gamma is `beta * delta`.
        sequences: Sequences of the effective batch; those of this call by default.
    """
    margin = sequence_nll(log_probabilities, mask) / mask.sum(1) - delta
    return -2 / beta * functional.logsigmoid(beta * margin).sum() / (sequences or len(margin))


def npo_weight(nll: Tensor, reference_nll: Tensor, *, beta: float) -> Tensor:
    """How much of the forget gradient NPO still lets through, 0-1: ``1 - sigmoid(beta (NLL - NLL_ref))``, (batch,).

    The gradient of E2 by NLL is -2 times this: 1/2 at the start, below `SATURATED_BELOW` it is gone.
    """
    return torch.sigmoid(-beta * (nll - reference_nll))


def simnpo_weight(nll: Tensor, lengths: Tensor, *, beta: float, delta: float) -> Tensor:
    """The same for SimNPO, 0-1: ``1 - sigmoid(beta (NLL/|y| - delta))``, (batch,).

    It depends on how surprising the text is to the model, not on what has been unlearned: a format the model never
    saw (NLL/|y| of 1.6 nats or more at beta 4.5) is saturated before the first step.
    """
    return torch.sigmoid(-beta * (nll / lengths - delta))


SATURATED_BELOW = 1e-3
"""A sequence whose weight is below this no longer has a gradient worth the name (issue 4; protocols.md section 4)."""


def kl_divergence(
    reference: Tensor,
    current: Tensor,
    mask: Tensor,
    *,
    mean: KlMean = "token",
    denominator: Tensor | float | None = None,
) -> Tensor:
    """E4, KL(reference || current) over full distributions; 0 where they agree, never negative.

    Args:
        reference: (batch, positions, vocabulary) log-probabilities, normalised.
        current: The same of the model being unlearned.
        mask: (batch, positions).
        mean: Over positions, or over sequences of their sums.
        denominator: Positions (or sequences) of the effective batch; those of this call by default.
    """
    per_position = (reference.exp() * (reference - current)).sum(-1)
    return _mean_of_positions(per_position, mask, mean, denominator)


def kl_divergence_top_k(
    top_log_probabilities: Tensor,
    top_ids: Tensor,
    current: Tensor,
    mask: Tensor,
    *,
    mean: KlMean = "token",
    denominator: Tensor | float | None = None,
) -> Tensor:
    """E4 on the reference's k likeliest entries and, as one more, all others together.

    Merging entries can only lower a KL divergence, so this is a lower bound of `kl_divergence`, equal when nothing is
    merged; it is still 0 where the two agree and never negative.

    Args:
        top_log_probabilities: (batch, positions, k), k below the vocabulary's size.
        top_ids: (batch, positions, k), which entries they are.
        current: (batch, positions, vocabulary) log-probabilities of the model being unlearned.
        mask, mean, denominator: As in `kl_divergence`.
    """
    probabilities = top_log_probabilities.exp()
    tail = (1 - probabilities.sum(-1)).clamp_min(torch.finfo(probabilities.dtype).tiny)
    current_tail = current.scatter(-1, top_ids, -torch.inf).logsumexp(-1)
    per_position = (probabilities * (top_log_probabilities - current.gather(-1, top_ids))).sum(-1)
    return _mean_of_positions(per_position + tail * (tail.log() - current_tail), mask, mean, denominator)


def _mean_of_positions(per_position: Tensor, mask: Tensor, mean: KlMean, denominator: Tensor | float | None) -> Tensor:
    if denominator is None:
        denominator = mask.sum() if mean == "token" else len(mask)
    return (per_position * mask).sum() / denominator


def muse_compat_npo(logits: Tensor, reference_logits: Tensor, *, beta: float, sequences: int | None = None) -> Tensor:
    """C2, the forget term `npo` of the published MUSE baselines: no token that came, no mask, no normalisation.

    Args:
        logits, reference_logits: (batch, sequence, vocabulary).
        beta: 0.1 in that code.
        sequences: Sequences of the effective batch; those of this call by default.
    """
    every = functional.logsigmoid(beta * (reference_logits - logits))
    return -2 / beta * every.mean() * (len(logits) / (sequences or len(logits)))


def muse_compat_simnpo(logits: Tensor, *, beta: float, gamma: float, sequences: int | None = None) -> Tensor:
    """C3, the forget term `simnpo` of the MUSE branch of SimNPO's code: lowers every logit, whatever the text says.

    Args:
        logits: (batch, sequence, vocabulary).
        beta: As given on its command line; 0.1 by default there, against 4.5 in E3.
        gamma: Subtracted from every logit before beta multiplies both, 0 by default there: it is E3's delta, while the
            gamma of the paper stands outside the product (beta * delta).
        sequences: Sequences of the effective batch; those of this call by default.
    """
    every = functional.logsigmoid(beta * (-logits - gamma))
    return -2 / beta * every.mean() * (len(logits) / (sequences or len(logits)))


def muse_compat_kl(reference_logits: Tensor, logits: Tensor, *, sequences: int | None = None) -> Tensor:
    """C4, the retain term `klr` of both: raw logits in place of log-probabilities, over the number of sequences.

    Its gradient by a logit is ``-exp(z_ref) / B`` whatever the logit is: it pushes every logit up for ever.

    Args:
        reference_logits, logits: (batch, sequence, vocabulary); padding, if there is any, counts.
        sequences: Sequences of the effective batch; those of this call by default.
    """
    return (reference_logits.exp() * (reference_logits - logits)).sum() / (sequences or len(logits))
