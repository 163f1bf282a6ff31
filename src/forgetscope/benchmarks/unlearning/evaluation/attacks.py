"""Pressure on the weights: the same questions again after rounding them, or after a little training on something else.

An attack is done to a copy of the model, whatever model it is: the target, the unlearned one, the one that never knew.
So what the attack itself breaks or teaches is in all three arms of a residue, and is taken off. Measures are called
`ATTACK.MEASURE`.
"""

import copy
import math
from collections.abc import Collection
from dataclasses import replace
from functools import partial

import torch

from forgetscope.benchmarks.unlearning.data.records import QuestionSet
from forgetscope.benchmarks.unlearning.evaluation.base import Measured, Subject
from forgetscope.benchmarks.unlearning.evaluation.knowledge import knowledge
from forgetscope.benchmarks.unlearning.evaluation.relearning import train_a_little
from forgetscope.benchmarks.unlearning.evaluation.verbatim import verbatim
from forgetscope.benchmarks.unlearning.prompts import question_prompt
from forgetscope.benchmarks.unlearning.training.batches import EncodedText
from forgetscope.stats import named_stream


def _rounded(subject: Subject, *, bits: int) -> Measured:
    """Every weight matrix in so many bits: each row in equal steps up to its largest entry, to the nearest.

    Unlearning that moves weights by less than such a step is undone (Zhang et al. 2025, arXiv:2410.16454).
    """
    attacked = _copied(subject)
    most = 2 ** (bits - 1) - 1
    with torch.no_grad():
        for parameter in attacked.model.network.parameters():
            if parameter.dim() == 2:
                step = parameter.abs().amax(1, keepdim=True).clamp_min(torch.finfo(parameter.dtype).tiny) / most
                parameter.copy_((parameter / step).round().clamp(-most, most) * step)
    return _asked_again(attacked, f"rounded_{bits}")


rounded_8, rounded_4 = partial(_rounded, bits=8), partial(_rounded, bits=4)
"""To 8 and to 4 bits."""


def relearned(subject: Subject) -> Measured:
    """After a few steps on a tenth of the forget chunks; asked of the others, and of questions about other documents.

    The same chunks for every model, whatever its seed.
    """
    data, tokenizer = subject.data, subject.model.tokenizer
    if len(data.forget) < 2:
        return Measured()
    order = named_stream(0, "unlearning/relearned").permutation(len(data.forget)).tolist()
    shown = [
        data.forget[place] for place in order[: max(1, math.floor(subject.settings.relearning.share * len(order)))]
    ]
    texts = tokenizer.chunks(data.forget)
    names = {chunk.id for chunk in shown}
    return _trained(
        subject,
        [text for text in texts if text.id in names],
        "relearned",
        left_out={*names, *(chunk.document for chunk in shown)},
    )


def relearned_elsewhere(subject: Subject) -> Measured:
    """After as many steps on questions about the world with their answers, which say nothing of the forget side."""
    solved = [
        subject.model.tokenizer.solved(q.id, question_prompt(q.question, cue=subject.settings.answer_cue), q.answers[0])
        for q in subject.data.world
        if not q.is_paraphrase
    ]
    return _trained(subject, solved, "relearned_elsewhere") if solved else Measured()


def _trained(subject: Subject, texts: list[EncodedText], name: str, left_out: Collection[str] = ()) -> Measured:
    attacked, settings = _copied(subject), subject.settings.relearning
    train_a_little(attacked.model, texts, settings.steps, settings.learning_rate)
    return _asked_again(attacked, name, left_out)


def _copied(subject: Subject) -> Subject:
    network = copy.deepcopy(subject.model.network)
    return replace(subject, model=replace(subject.model, network=network))


def _asked_again(subject: Subject, name: str, left_out: Collection[str] = ()) -> Measured:
    """Continuations and forget questions, put to the model as it is now."""
    data = subject.data
    questions = tuple(q for q in data.questions if q.set is QuestionSet.FORGET)
    asked = replace(subject, data=data.model_copy(update={"questions": questions, "world": ()}))
    rows = [
        {
            **row,
            "measure": f"{name}.{row['measure']}",
            "form": f"{row['form']}_{name}",
            "sample_id": str(row["sample_id"]).replace("/cell=", f"/attack={name}/cell="),
        }
        for measured in (verbatim(asked), knowledge(asked))
        for row in measured.samples
        if row["item"] not in left_out and row["document"] not in left_out
    ]
    return Measured(samples=rows)
