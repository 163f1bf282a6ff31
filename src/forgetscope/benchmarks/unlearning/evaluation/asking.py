"""Putting samples to the subject and scoring what it writes: what the generating measures share."""

import time
from collections.abc import Callable, Sequence

from forgetscope.benchmarks.unlearning.evaluation.base import Asked, ModelReply, Subject, sample_row
from forgetscope.benchmarks.unlearning.evaluation.generation import Continuation, continue_greedily, never
from forgetscope.benchmarks.unlearning.scoring.scores import NO_OVERLAP, is_gibberish, overlap
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Value


def ask(
    subject: Subject,
    asked: Sequence[Asked],
    prompts: Sequence[Sequence[int]],
    *,
    max_new_tokens: int,
    read: Callable[[str], str] = str.strip,
    is_over: Callable[[str], bool] | None = None,
) -> list[dict[str, Value]]:
    """Rows of the sample table: each prompt continued greedily, read and scored.

    A prompt longer than the model's context is not sent and says so; where training failed, all are lost.

    Args:
        subject: Under evaluation.
        asked: What is asked, one for each prompt.
        prompts: Token ids.
        max_new_tokens: Of a continuation.
        read: From what was written to what is scored.
        is_over: Whether what was written so far holds all there is to read; None: never.
    """
    sent = [
        index
        for index, prompt in enumerate(prompts)
        if not subject.failure and len(prompt) + max_new_tokens <= subject.model.context
    ]
    tokenizer = subject.model.tokenizer
    started = time.perf_counter()
    written = continue_greedily(
        subject.model,
        [prompts[index] for index in sent],
        max_new_tokens=max_new_tokens,
        is_over=(lambda ids: is_over(tokenizer.decode(ids))) if is_over is not None else never,
    )
    seconds = (time.perf_counter() - started) / max(1, len(sent))
    by_index = dict(zip(sent, written, strict=True))
    rows = []
    for index, one in enumerate(asked):
        reply = _reply(subject, by_index.get(index), len(prompts[index]), seconds, read)
        found = overlap(reply.text, one.references) if reply.text else NO_OVERLAP
        gibberish = is_gibberish(reply.text, subject.lexicon)
        rows.append(sample_row(subject, one, reply, found, gibberish=gibberish))
    return rows


def _reply(
    subject: Subject, written: Continuation | None, length: int, seconds: float, read: Callable[[str], str]
) -> ModelReply:
    if subject.failure:
        return ModelReply("", FinishReason.ERROR, length, 0, error=subject.failure)
    if written is None:
        return ModelReply("", FinishReason.CONTEXT, length, 0, error="the prompt is longer than the model's context")
    text = read(subject.model.tokenizer.decode(written.ids))
    reason = FinishReason.STOP if written.stopped else FinishReason.LENGTH
    return ModelReply(text, reason, length, len(written.ids), seconds)
