"""Likelihood, Min-K, extraction strength, membership, relearning."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.evaluation.base import FACTOR_SCHEMA, Subject
from forgetscope.benchmarks.unlearning.evaluation.generation import continue_greedily
from forgetscope.benchmarks.unlearning.evaluation.likelihood import standardised_log_probabilities, text_likelihoods
from forgetscope.benchmarks.unlearning.evaluation.measures import evaluate
from forgetscope.benchmarks.unlearning.evaluation.privacy import membership_auc, privacy_leakage
from forgetscope.benchmarks.unlearning.evaluation.relearning import relearning
from forgetscope.benchmarks.unlearning.evaluation.truth_ratio import truth_ratio
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.settings import EvaluationSettings, RelearningSettings
from forgetscope.benchmarks.unlearning.training.batches import EncodedText
from forgetscope.benchmarks.unlearning.training.target import load_target
from tests.benchmarks.unlearning.small_grid import cells_of
from tests.benchmarks.unlearning.small_models import small_model, texts

MODEL = small_model(seed=3)


def test_a_text_is_scored_as_a_slow_loop_scores_it() -> None:
    for text, found in zip(texts(5, 7), text_likelihoods(MODEL, texts(5, 7), min_k=0.5), strict=True):
        with torch.no_grad():
            logits = MODEL.network(input_ids=torch.tensor([text.ids])).logits[0].double().log_softmax(-1)
        each = [-float(logits[t, text.ids[t + 1]]) for t in range(len(text.ids) - 1)]
        assert found.tokens == len(each)
        assert found.nll == pytest.approx(sum(each), rel=1e-5)
        least = sorted(each, reverse=True)[: len(each) // 2]
        assert found.min_k == pytest.approx(sum(least) / len(least), rel=1e-5)
        standard = []
        for t, nll in enumerate(each):
            shares = np.exp(logits[t].numpy())
            mean = float((shares * logits[t].numpy()).sum())
            spread = math.sqrt(float((shares * (logits[t].numpy() - mean) ** 2).sum()))
            standard.append((-nll - mean) / spread)
        lowest = sorted(standard)[: len(each) // 2]
        assert found.min_k_plus == pytest.approx(-sum(lowest) / len(lowest), rel=1e-3)


def test_a_flat_distribution_has_nothing_to_stand_out_from() -> None:
    flat = torch.zeros(3, 5)
    assert standardised_log_probabilities(flat, torch.full((3,), -math.log(5))).tolist() == [0.0, 0.0, 0.0]


def test_how_texts_are_batched_does_not_matter() -> None:
    many = texts(9, 8)
    for one, other in zip(text_likelihoods(MODEL, many), text_likelihoods(MODEL, many, batch_tokens=1), strict=True):
        assert one.nll == pytest.approx(other.nll, rel=1e-5)
        assert one.extraction_strength == other.extraction_strength


def test_of_a_solved_question_the_answer_is_scored() -> None:
    text = EncodedText("q", (5, 6, 7, 8, 9), answer=3)
    (whole,) = text_likelihoods(MODEL, [replace(text, answer=None)])
    (answer,) = text_likelihoods(MODEL, [text])
    assert answer.tokens == 2
    assert answer.nll < whole.nll


def test_extraction_strength_is_the_share_that_greedy_decoding_completes() -> None:
    """What the model itself would write is completed from the prompt on; a wrong token before that is not."""
    prompt = [10, 20, 30]
    (written,) = continue_greedily(MODEL, [prompt], max_new_tokens=5)
    wrong = 7 if written.ids[0] != 7 else 8
    completed, broken = text_likelihoods(
        MODEL,
        [EncodedText("a", (*prompt, *written.ids)), EncodedText("b", (*prompt, *written.ids[:-1], wrong))],
    )
    assert completed.extraction_strength >= 5 / 7
    assert broken.extraction_strength == 0


def test_a_hand_counted_membership_area() -> None:
    """Pairs (forget, holdout): 1<2, 1<3, 3>2, 3=3: one of four above, one level."""
    assert membership_auc([1.0, 3.0], [2.0, 3.0]) == pytest.approx(1.5 / 4)
    assert membership_auc([], [1.0]) is None
    assert membership_auc([math.nan], [1.0]) is None


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.lists(st.floats(-5, 5), min_size=1, max_size=12))
def test_the_area_is_that_of_the_swapped_sides_turned_round(first: list[float], second: list[float]) -> None:
    one, other = membership_auc(first, second), membership_auc(second, first)
    assert one is not None
    assert other is not None
    assert one + other == pytest.approx(1)


def test_privacy_leakage_is_zero_for_a_model_that_never_knew() -> None:
    assert privacy_leakage(0.48, 0.48) == 0
    assert privacy_leakage(0.0, 0.48) == -1
    assert privacy_leakage(None, 0.48) is None
    assert privacy_leakage(0.5, 0.0) is None


@pytest.fixture
def subject(made_grid: GridFolder) -> Subject:
    target, _, _ = cells_of(made_grid)
    return Subject(
        model=load_target(made_grid.target(target.target)),
        data=GridData.load(made_grid.data(target.data)),
        settings=EvaluationSettings(verbatim_max_tokens=8, knowledge_max_tokens=4),
        factors={**dict.fromkeys(FACTOR_SCHEMA), "cell": "c", "method": "target"},
        seed=0,
    )


def test_relearning_leaves_the_model_as_it_was_and_brings_watched_text_back_a_little(subject: Subject) -> None:
    settings = RelearningSettings(steps=3, share=0.5, learning_rate=1e-2)
    before = [parameter.clone() for parameter in subject.model.network.parameters()]
    figures = relearning(
        replace(subject, settings=subject.settings.model_copy(update={"relearning": settings}))
    ).figures
    assert figures["relearning.nll.after"] < figures["relearning.nll.before"]  # type: ignore[operator]
    assert figures["relearning.recovered"] is None, "the target is not known here"
    for one, other in zip(before, subject.model.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_recovery_is_the_share_of_the_rise_that_is_undone(subject: Subject) -> None:
    settings = RelearningSettings(steps=3, share=0.5, learning_rate=1e-2)
    scored = text_likelihoods(subject.model, subject.model.tokenizer.chunks(subject.data.forget))
    known = {one.id: one.nll - 2 * one.tokens for one in scored}
    figures = relearning(
        replace(subject, target_nll=known, settings=subject.settings.model_copy(update={"relearning": settings}))
    ).figures
    before, after = figures["relearning.nll.before"], figures["relearning.nll.after"]
    assert before is not None
    assert after is not None
    assert figures["relearning.recovered"] == pytest.approx((before - after) / 2, rel=1e-4)


def test_all_measures_together(subject: Subject) -> None:
    measures = ("verbatim", "knowledge", "likelihood", "paraphrases", "retain_verbatim", "truth_ratio", "relearning")
    found = evaluate(replace(subject, settings=subject.settings.model_copy(update={"measures": measures})))
    counts = dict(found.samples.group_by("form").len().iter_rows())
    assert counts == {"verbatim": 4, "knowledge": 64, "paraphrased": 64, "retain_verbatim": 6}
    assert found.samples["sample_id"].is_unique().all()
    assert found.figures["auc.loss"] == pytest.approx(
        membership_auc(*(_losses(found.likelihoods, kind) for kind in ("forget", "holdout")))
    )
    assert 0 <= (found.figures["auc.min_k_plus"] or 0.0) <= 1
    assert {
        "auc.min_k_plus",
        "score.paraphrased_forget",
        "gibberish.kept",
        "nll.holdout",
        "relearning.nll.after",
    } < set(found.figures)
    assert "truth_ratio.forget" not in found.figures, "no question here has wrong answers"


def _losses(rows: object, kind: str) -> list[float]:
    import polars as pl

    assert isinstance(rows, pl.DataFrame)
    part = rows.filter(pl.col("kind") == kind)
    return list(np.asarray(part["nll"]) / np.asarray(part["tokens"]))


def test_the_truth_ratio_of_a_model_is_that_of_its_losses(subject: Subject) -> None:
    question = subject.data.questions[0].model_copy(
        update={"paraphrased_answer": "some bank", "perturbed_answers": ("a mine", "a port")}
    )
    data = subject.data.model_copy(update={"questions": (question,)})
    measured = truth_ratio(replace(subject, data=data))
    figures = measured.figures
    prompt = f"Question: {question.question}\nAnswer:"
    per_token: Callable[[str], float] = lambda answer: (  # noqa: E731
        lambda one: one.nll / one.tokens
    )(text_likelihoods(subject.model, [subject.model.tokenizer.solved("x", prompt, answer)])[0])
    ratio = math.exp(per_token("some bank") - (per_token("a mine") + per_token("a port")) / 2)
    assert figures["truth_ratio.forget"] == pytest.approx(min(ratio, 1 / ratio), rel=1e-4)
    assert measured.by_question["truth_ratio.forget"] == {question.id: pytest.approx(ratio, rel=1e-4)}
    wrong = (math.exp(-per_token("a mine")) + math.exp(-per_token("a port"))) / 2
    own = wrong / math.exp(-per_token("some bank"))
    assert figures["truth_ratio_tofu.forget"] == pytest.approx(min(own, 1 / own), rel=1e-4)
    answer = math.exp(-per_token(question.answers[0]))
    assert figures["answer_probability.forget"] == pytest.approx(answer, rel=1e-4)
