"""Measures of TOFU (Maini et al. 2024): probability of the answer, and the truth ratio in two readings.

The truth ratio averages the wrong answers. TOFU's paper and its `utils.get_model_utility` average their probabilities;
open-unlearning, and TOFU's own later `aggregate_eval_stat.py`, average their losses. The first is at least as large.
"""

import math
from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.data.records import Question, QuestionSet
from forgetscope.benchmarks.unlearning.evaluation.base import Measured, Subject
from forgetscope.benchmarks.unlearning.evaluation.forget_quality import FORGET_RATIOS
from forgetscope.benchmarks.unlearning.evaluation.likelihood import text_likelihoods
from forgetscope.benchmarks.unlearning.prompts import question_prompt


def truth_ratio_of(right: float, wrong: Sequence[float]) -> float:
    """How much likelier wrong answers are than the right one, told in other words, as open-unlearning has it.

    `exp(right - mean(wrong))`, the geometric mean of the wrong answers' probabilities over that of the right one.
    Near 0: the model prefers the right answer; 1: it makes no difference. TOFU's logs record this item by item.

    >>> truth_ratio_of(1.0, [1.0, 1.0])
    1.0

    Args:
        right: Negative log-likelihood a token of the paraphrased right answer, in nats.
        wrong: Of each wrong answer.
    """
    return math.exp(right - sum(wrong) / len(wrong))


def tofu_truth_ratio_of(right: float, wrong: Sequence[float]) -> float:
    """The same as TOFU's paper has it (R_truth): the wrong answers' mean probability over that of the right one.

    >>> round(tofu_truth_ratio_of(1.0, [1.0, 1.0 + math.log(2)]), 6)
    0.75
    """
    return sum(math.exp(right - one) for one in wrong) / len(wrong)


def forget_truth(ratios: Sequence[float]) -> float:
    """The aggregate of both on the forget side: mean of min(R, 1/R), 0-1; near 1 is a model that does not know."""
    return sum(min(ratio, 1 / ratio) if ratio > 0 else 0.0 for ratio in ratios) / len(ratios)


def retain_truth(ratios: Sequence[float]) -> float:
    """The aggregate of both everywhere else: mean of max(0, 1 - R), 0-1; near 1 is a model that knows."""
    return sum(max(0.0, 1 - ratio) for ratio in ratios) / len(ratios)


def answer_probability(answer: float, wrong: Sequence[float] = ()) -> float:
    """Probability of the answer, normalised by length; with wrong answers, its share among all of them (TOFU).

    Args:
        answer: Negative log-likelihood a token of the answer, in nats.
        wrong: Of each wrong answer; empty on the forget and retain sides.
    """
    own = math.exp(-answer)
    return own / (own + sum(math.exp(-one) for one in wrong)) if wrong else own


def truth_ratio(subject: Subject) -> Measured:
    """Figures `truth_ratio.SET` (open-unlearning's), `truth_ratio_tofu.SET` and `answer_probability.SET`.

    On the questions that have wrong answers. Of each forget question its truth ratio (`FORGET_RATIOS`), for the test
    that TOFU calls forget quality. A model gives no finite ratio where an answer is impossible to it: it then has none.
    """
    tested = [q for q in (*subject.data.questions, *subject.data.world) if q.perturbed_answers and not q.is_paraphrase]
    figures: dict[str, float | None] = {}
    of_forget: dict[str, float] = {}
    for kind in QuestionSet:
        questions = [question for question in tested if question.set is kind]
        if not questions:
            continue
        scored = [_losses(subject, question) for question in questions]
        aggregate = forget_truth if kind is QuestionSet.FORGET else retain_truth
        for name, ratio_of in (("truth_ratio", truth_ratio_of), ("truth_ratio_tofu", tofu_truth_ratio_of)):
            ratios = [ratio_of(right, wrong) for _, right, wrong in scored]
            figures[f"{name}.{kind}"] = aggregate(ratios)
            if f"{name}.{kind}" == FORGET_RATIOS:
                of_forget = {q.id: ratio for q, ratio in zip(questions, ratios, strict=True) if math.isfinite(ratio)}
        options = kind is QuestionSet.WORLD
        chances = [answer_probability(answer, wrong if options else ()) for answer, _, wrong in scored]
        figures[f"answer_probability.{kind}"] = sum(chances) / len(chances)
    return Measured(figures=figures, by_question={FORGET_RATIOS: of_forget} if of_forget else {})


def _losses(subject: Subject, question: Question) -> tuple[float, float, list[float]]:
    """Negative log-likelihood a token of the answer, of the answer in other words, and of the wrong ones."""
    prompt = question_prompt(question.question, cue=subject.settings.answer_cue)
    right = question.paraphrased_answer or question.answers[0]
    answers = (question.answers[0], right, *question.perturbed_answers)
    texts = [subject.model.tokenizer.solved(f"{index}", prompt, answer) for index, answer in enumerate(answers)]
    found = [one.nll / one.tokens for one in text_likelihoods(subject.model, texts)]
    return found[0], found[1], found[2:]
