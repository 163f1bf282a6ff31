"""The losses against slow loops in float64, their signs, and what the published variants do instead."""

import math
from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.simnpo import SimNpo
from forgetscope.benchmarks.unlearning.methods.terms import RawTerms
from forgetscope.benchmarks.unlearning.training import losses

BATCH, SEQUENCE, VOCABULARY = 3, 6, 7


def drawn(seed: int, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) * 2


class Batch:
    """Logits of a current and a reference model over sequences of different lengths, and the slow loops over them."""

    def __init__(self, seed: int = 0, vocabulary: int = VOCABULARY) -> None:
        self.logits = drawn(seed, BATCH, SEQUENCE, vocabulary).requires_grad_()
        self.reference_logits = drawn(seed + 1, BATCH, SEQUENCE, vocabulary)
        generator = torch.Generator().manual_seed(seed + 2)
        self.input_ids = torch.randint(0, vocabulary, (BATCH, SEQUENCE), generator=generator)
        self.lengths = [5, 2, 3]  # predicted positions of each sequence
        self.mask = torch.tensor([[float(t < n) for t in range(SEQUENCE - 1)] for n in self.lengths]).double()

    @property
    def log_probabilities(self) -> Tensor:
        return losses.token_log_probabilities(self.logits, self.input_ids)

    @property
    def reference_nll(self) -> Tensor:
        return losses.sequence_nll(losses.token_log_probabilities(self.reference_logits, self.input_ids), self.mask)

    def loss(self, name: str) -> Tensor:
        if name == "ga":
            return losses.gradient_ascent(self.log_probabilities, self.mask)
        if name == "npo":
            return losses.npo(self.log_probabilities, self.mask, self.reference_nll, beta=0.1)
        if name == "simnpo":
            return losses.simnpo(self.log_probabilities, self.mask, beta=4.5, delta=0.2)
        raise ValueError(name)

    def kl(self, **options: object) -> Tensor:
        return losses.kl_divergence(
            self.reference_logits[:, :-1].log_softmax(-1),
            self.logits[:, :-1].log_softmax(-1),
            self.mask,
            **options,  # type: ignore[arg-type]
        )


def slow_log_softmax(row: list[float]) -> list[float]:
    total = math.log(sum(math.exp(value) for value in row))
    return [value - total for value in row]


def slow_nlls(logits: Tensor, batch: Batch) -> list[float]:
    """Summed negative log-likelihood of each sequence, token by token."""
    return [
        -sum(slow_log_softmax(logits[b, t].tolist())[int(batch.input_ids[b, t + 1])] for t in range(batch.lengths[b]))
        for b in range(BATCH)
    ]


def slow_log_sigmoid(value: float) -> float:
    return -math.log(1 + math.exp(-value))


def test_gradient_ascent_equals_a_slow_loop() -> None:
    batch = Batch()
    assert batch.loss("ga").item() == pytest.approx(-sum(slow_nlls(batch.logits, batch)) / sum(batch.lengths))


def test_npo_equals_a_slow_loop() -> None:
    batch = Batch()
    pairs = zip(slow_nlls(batch.logits, batch), slow_nlls(batch.reference_logits, batch), strict=True)
    expected = [-2 / 0.1 * slow_log_sigmoid(0.1 * (nll - reference)) for nll, reference in pairs]
    assert batch.loss("npo").item() == pytest.approx(sum(expected) / BATCH)


def test_simnpo_equals_a_slow_loop() -> None:
    batch = Batch()
    nlls = slow_nlls(batch.logits, batch)
    expected = [-2 / 4.5 * slow_log_sigmoid(4.5 * (nll / n - 0.2)) for nll, n in zip(nlls, batch.lengths, strict=True)]
    assert batch.loss("simnpo").item() == pytest.approx(sum(expected) / BATCH)


def slow_kl_of_sequences(batch: Batch) -> list[float]:
    sums = []
    for b in range(BATCH):
        total = 0.0
        for t in range(batch.lengths[b]):
            reference = slow_log_softmax(batch.reference_logits[b, t].tolist())
            current = slow_log_softmax(batch.logits[b, t].tolist())
            total += sum(math.exp(q) * (q - p) for q, p in zip(reference, current, strict=True))
        sums.append(total)
    return sums


def test_kl_equals_a_slow_loop_per_token_and_per_sequence() -> None:
    batch = Batch()
    expected = slow_kl_of_sequences(batch)
    assert batch.kl().item() == pytest.approx(sum(expected) / sum(batch.lengths))
    assert batch.kl(mean="sequence").item() == pytest.approx(sum(expected) / BATCH)


def test_a_hand_computed_case() -> None:
    """One token of probability 1/4 under the model and 1/2 under the reference: NLL 1.386 against 0.693."""
    log_probabilities, mask = torch.tensor([[math.log(0.25)]]), torch.ones(1, 1)
    assert losses.gradient_ascent(log_probabilities, mask).item() == pytest.approx(-1.3863, abs=1e-4)
    # beta 1: (p / p_ref) = 1/2, so -2 log sigmoid(log 2) = 2 log(1 + 1/2)
    npo = losses.npo(log_probabilities, mask, torch.tensor([math.log(2)]), beta=1.0)
    assert npo.item() == pytest.approx(2 * math.log(1.5))
    # beta 1, delta 0: 2 log(1 + 1/4)
    assert losses.simnpo(log_probabilities, mask, beta=1.0, delta=0.0).item() == pytest.approx(2 * math.log(1.25))


@pytest.mark.parametrize("name", ["ga", "npo", "simnpo"])
def test_every_forget_loss_falls_when_the_text_becomes_less_likely(name: str) -> None:
    batch = Batch()
    (gradient,) = torch.autograd.grad(batch.loss(name), batch.logits)
    for b in range(BATCH):
        for t in range(SEQUENCE):
            came = gradient[b, t, int(batch.input_ids[b, t + 1])] if t < batch.lengths[b] else None
            if came is None:
                assert gradient[b, t].abs().max() == 0, "masked positions have no gradient"
            else:
                assert came > 0, "descent lowers the logit of the token that came"


def test_the_gradient_of_npo_and_simnpo_is_twice_their_weight() -> None:
    nll = torch.tensor([0.5, 3.0, 40.0], dtype=torch.float64, requires_grad=True)
    reference = torch.tensor([1.0, 1.0, 1.0], dtype=torch.float64)
    mask = torch.ones(3, 1, dtype=torch.float64)
    (gradient,) = torch.autograd.grad(losses.npo(-nll[:, None], mask, reference, beta=0.1), nll)
    assert torch.allclose(gradient, -2 * losses.npo_weight(nll, reference, beta=0.1) / 3)
    (gradient,) = torch.autograd.grad(losses.simnpo(-nll[:, None], mask, beta=4.5, delta=0.1), nll)
    expected = -2 * losses.simnpo_weight(nll, torch.ones(3), beta=4.5, delta=0.1) / 3
    assert torch.allclose(gradient, expected)
    assert expected[2].abs() < losses.SATURATED_BELOW, "a sequence of 40 nats a token has no gradient left"


def test_npo_becomes_gradient_ascent_on_the_sum_as_beta_goes_to_zero() -> None:
    batch = Batch()
    (npo,) = torch.autograd.grad(
        losses.npo(batch.log_probabilities, batch.mask, batch.reference_nll, beta=1e-6), batch.logits
    )
    (ascent,) = torch.autograd.grad(
        losses.gradient_ascent(batch.log_probabilities, batch.mask, tokens=BATCH), batch.logits
    )
    assert torch.allclose(npo, ascent, rtol=1e-4)


def test_kl_is_zero_where_the_two_agree_and_has_no_gradient_there() -> None:
    batch = Batch()
    batch.reference_logits = batch.logits.detach().clone()
    assert batch.kl().item() == pytest.approx(0, abs=1e-15)
    (gradient,) = torch.autograd.grad(batch.kl(), batch.logits)
    assert gradient.abs().max() < 1e-15


@given(st.integers(0, 10_000))
def test_kl_is_never_negative(seed: int) -> None:
    assert Batch(seed).kl().item() > 0


@given(st.integers(0, 10_000), st.floats(-30, 30))
def test_kl_is_unchanged_by_a_constant_added_to_all_logits(seed: int, constant: float) -> None:
    batch, shifted = Batch(seed), Batch(seed)
    shifted.logits = (batch.logits + constant).detach()
    assert shifted.kl().item() == pytest.approx(batch.kl().item(), rel=1e-9)


def padded(batch: Batch, by: int) -> Batch:
    wider = Batch()
    wider.lengths = batch.lengths
    wider.logits = torch.cat([batch.logits.detach(), drawn(90, BATCH, by, VOCABULARY)], 1)
    wider.reference_logits = torch.cat([batch.reference_logits, drawn(91, BATCH, by, VOCABULARY)], 1)
    wider.input_ids = torch.cat([batch.input_ids, torch.zeros(BATCH, by, dtype=torch.long)], 1)
    wider.mask = torch.cat([batch.mask, torch.zeros(BATCH, by, dtype=torch.float64)], 1)
    return wider


@pytest.mark.parametrize("name", ["ga", "npo", "simnpo"])
def test_padding_changes_no_forget_loss(name: str) -> None:
    batch = Batch()
    assert padded(batch, 4).loss(name).item() == pytest.approx(batch.loss(name).item())


def test_padding_does_not_change_kl() -> None:
    batch = Batch()
    assert padded(batch, 4).kl().item() == pytest.approx(batch.kl().item())


@pytest.mark.parametrize("name", ["ga", "npo", "simnpo", "kl"])
def test_parts_of_an_effective_batch_add_up_to_the_whole(name: str) -> None:
    batch = Batch()
    tokens, whole = sum(batch.lengths), batch.kl() if name == "kl" else batch.loss(name)

    def part(rows: slice) -> Tensor:
        log_probabilities, mask = batch.log_probabilities[rows], batch.mask[rows]
        if name == "ga":
            return losses.gradient_ascent(log_probabilities, mask, tokens=tokens)
        if name == "npo":
            return losses.npo(log_probabilities, mask, batch.reference_nll[rows], beta=0.1, sequences=BATCH)
        if name == "simnpo":
            return losses.simnpo(log_probabilities, mask, beta=4.5, delta=0.2, sequences=BATCH)
        reference = batch.reference_logits[rows, :-1].log_softmax(-1)
        current = batch.logits[rows, :-1].log_softmax(-1)
        return losses.kl_divergence(reference, current, mask, denominator=tokens)

    assert (part(slice(0, 1)) + part(slice(1, 3))).item() == pytest.approx(whole.item())


def top_k(batch: Batch, k: int) -> Tensor:
    top = batch.reference_logits[:, :-1].log_softmax(-1).topk(k, dim=-1)
    return losses.kl_divergence_top_k(top.values, top.indices, batch.logits[:, :-1].log_softmax(-1), batch.mask)


@given(st.integers(0, 10_000))
def test_top_k_and_tail_is_a_lower_bound_that_grows_with_k(seed: int) -> None:
    batch = Batch(seed)
    bounds = [top_k(batch, k).item() for k in range(1, VOCABULARY)]
    assert bounds == sorted(bounds)
    assert bounds[0] >= -1e-12
    # With one entry left, the tail is that entry: nothing was merged.
    assert bounds[-1] == pytest.approx(batch.kl().item())


def test_top_k_and_tail_is_zero_for_equal_models() -> None:
    batch = Batch()
    batch.reference_logits = batch.logits.detach().clone()
    assert top_k(batch, 3).item() == pytest.approx(0, abs=1e-12)


def test_a_reference_certain_of_its_token_leaves_finite_gradients() -> None:
    """In float32 the tail of a memorised token underflows to nothing."""
    reference = torch.tensor([[[60.0, 0.0, 0.0, -60.0]]]).log_softmax(-1)
    current = torch.zeros(1, 1, 4, requires_grad=True)
    top = reference.topk(2, dim=-1)
    loss = losses.kl_divergence_top_k(top.values, top.indices, current.log_softmax(-1), torch.ones(1, 1))
    (gradient,) = torch.autograd.grad(loss, current)
    assert loss.item() == pytest.approx(math.log(4), rel=1e-5)
    assert gradient.isfinite().all()


def test_half_precision_logits_are_scored_in_float32() -> None:
    logits = drawn(0, 1, 4, 5).to(torch.bfloat16)
    assert losses.token_log_probabilities(logits, torch.zeros(1, 4, dtype=torch.long)).dtype is torch.float32


# What the published code does instead


def slow_muse_kl(batch: Batch) -> float:
    total = 0.0
    for b in range(BATCH):
        for t in range(SEQUENCE):
            for v in range(VOCABULARY):
                z_ref, z = batch.reference_logits[b, t, v].item(), batch.logits[b, t, v].item()
                total += math.exp(z_ref) * (z_ref - z)
    return total / BATCH


def slow_muse_forget(batch: Batch, margin: Callable[[float, float], float], beta: float) -> float:
    every = [
        slow_log_sigmoid(beta * margin(z_ref, z))
        for z_ref, z in zip(batch.reference_logits.flatten().tolist(), batch.logits.flatten().tolist(), strict=True)
    ]
    return -2 / beta * sum(every) / len(every)


def test_muse_compat_equals_a_slow_loop_over_every_logit() -> None:
    batch = Batch()
    assert losses.muse_compat_kl(batch.reference_logits, batch.logits).item() == pytest.approx(slow_muse_kl(batch))
    npo = losses.muse_compat_npo(batch.logits, batch.reference_logits, beta=0.1)
    assert npo.item() == pytest.approx(slow_muse_forget(batch, lambda z_ref, z: z_ref - z, 0.1))
    simnpo = losses.muse_compat_simnpo(batch.logits, beta=0.3, gamma=0.2)
    assert simnpo.item() == pytest.approx(slow_muse_forget(batch, lambda _, z: -z - 0.2, 0.3))


def test_the_published_simnpo_multiplies_its_margin_by_beta_once() -> None:
    """Its gamma stands inside the product with beta, so it is the method's delta; the paper's is beta * delta."""
    batch = Batch()
    method = SimNpo(beta=0.3, delta=0.7)
    terms = RawTerms(logits=batch.logits, reference_logits=batch.reference_logits, share=1.0)
    published = -2 / 0.3 * torch.nn.functional.logsigmoid(0.3 * (-batch.logits - 0.7)).mean()
    assert method.muse_compat_loss(terms).item() == pytest.approx(published.item())


def test_muse_compat_kl_is_what_kl_div_gives_for_raw_logits() -> None:
    """The published code calls PyTorch's KL with logits where it asks for log-probabilities."""
    batch = Batch()
    published = torch.nn.functional.kl_div(batch.logits, batch.reference_logits, reduction="batchmean", log_target=True)
    assert losses.muse_compat_kl(batch.reference_logits, batch.logits).item() == pytest.approx(published.item())


def test_muse_compat_changes_when_a_constant_is_added_and_goes_negative() -> None:
    batch = Batch()
    same = losses.muse_compat_kl(batch.reference_logits, batch.reference_logits)
    shifted = losses.muse_compat_kl(batch.reference_logits, batch.reference_logits + 1)
    assert same.item() == 0
    assert shifted.item() == pytest.approx(-batch.reference_logits.exp().sum().item() / BATCH)
    assert shifted.item() < 0
    npo = losses.muse_compat_npo(batch.logits, batch.reference_logits, beta=0.1).item()
    assert losses.muse_compat_npo(batch.logits + 1, batch.reference_logits, beta=0.1).item() != pytest.approx(npo)


def test_muse_compat_kl_counts_padding() -> None:
    batch = Batch()
    wider = padded(batch, 4)
    narrow = losses.muse_compat_kl(batch.reference_logits, batch.logits).item()
    assert losses.muse_compat_kl(wider.reference_logits, wider.logits).item() != pytest.approx(narrow, rel=1e-3)


def test_muse_compat_has_the_same_gradient_wherever_the_model_is() -> None:
    """KL would pull the model back; this one pushes every logit up by the same amount for ever."""
    batch = Batch()
    (here,) = torch.autograd.grad(losses.muse_compat_kl(batch.reference_logits, batch.logits), batch.logits)
    moved = (batch.logits + drawn(5, *batch.logits.shape)).detach().requires_grad_()
    (there,) = torch.autograd.grad(losses.muse_compat_kl(batch.reference_logits, moved), moved)
    assert torch.allclose(here, there)
    assert (here < 0).all()


def test_muse_compat_forget_terms_do_not_know_the_text() -> None:
    """Their gradient is the same whichever tokens came: every logit goes down."""
    batch = Batch()
    for loss in (
        losses.muse_compat_npo(batch.logits, batch.reference_logits, beta=0.1),
        losses.muse_compat_simnpo(batch.logits, beta=4.5, gamma=0.0),
    ):
        (gradient,) = torch.autograd.grad(loss, batch.logits)
        assert (gradient > 0).all()
