"""The row of the sample table for one reply: what was asked, and what was read from the reply."""

import json

import polars as pl

from forgetscope.benchmarks.visual.data.conditions import Mode
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.scoring.parsing import (
    DigitLogprobs,
    ParsedAnswer,
    raw_choice,
    raw_verdict,
    read_answer,
)
from forgetscope.core.outcomes import Status
from forgetscope.core.results import Completion, Value, repeats_itself

SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "split": pl.String,
    "side": pl.String,
    "role": pl.String,
    "level": pl.String,
    "axis": pl.String,
    "source": pl.String,
    "class_name": pl.String,
    "forget_concept": pl.String,
    "supercategory": pl.String,
    "picture": pl.String,
    "condition": pl.String,
    "control": pl.String,
    "probe": pl.String,
    "mode": pl.String,
    "phrasing": pl.Int64,
    "order": pl.Int64,
    "image": pl.String,
    "donor": pl.String,
    "choices": pl.List(pl.String),
    "labels": pl.List(pl.String),
    "answer": pl.Int64,
    "chance": pl.Float64,
    "target": pl.String,
    "listed_choices": pl.Int64,
    "answer_listed": pl.Boolean,
    "no_permitted_choice": pl.Boolean,
    "hard_distractors": pl.Int64,
    "predicted": pl.Int64,
    "predicted_label": pl.String,
    "predicted_paper": pl.Int64,
    "read_by": pl.String,
    "digit_logprobs": pl.String,
}
"""This benchmark's columns beside the core ones.

`picture` is the unit of intervals (the picture, or the group it belongs to); `predicted` is an index into `choices`,
null without a readable answer, and `predicted_paper` the same by the paper's rule, for options alone; `read_by` says
how it was read: digit, repaired, name, first_token; `digit_logprobs` is a JSON object from digit to log-probability
in first-token mode, else empty.
"""

_OF_THE_SAMPLE = frozenset(SCHEMA) & frozenset(VisualSample.model_fields)
"""Columns that a sample has by the same name."""


def score_sample(
    sample: VisualSample, completion: Completion, logprobs: DigitLogprobs | None = None, *, model: str
) -> dict[str, Value]:
    """The row of the sample table for one reply (core columns and `SCHEMA`)."""
    answer = read_answer(sample, completion, logprobs)
    return {
        **_factors(sample),
        "model": model,
        "status": answer.status.value,
        "raw_pass": raw_verdict(sample, completion),
        "finish_reason": completion.finish_reason.value,
        "input_tokens": completion.input_tokens,
        "output_tokens": completion.output_tokens,
        "seconds": completion.seconds,
        "looped": repeats_itself(completion.reply),
        "reply": completion.reply,
        "reasoning": completion.reasoning,
        "error": sample.unsupported or sample.input_error or completion.error or _first_token_complaint(sample, answer),
        "predicted": answer.index,
        "predicted_paper": raw_choice(sample, completion),
        "predicted_label": sample.labels[answer.index] if answer.index is not None else None,
        "read_by": answer.read_by,
        "digit_logprobs": json.dumps(dict(sorted(logprobs.items()))) if logprobs else "",
    }


def _first_token_complaint(sample: VisualSample, answer: ParsedAnswer) -> str:
    missing = sample.mode is Mode.FIRST_TOKEN and answer.status is Status.MODEL_ERROR
    return "no digit of the item among the first token's log-probabilities" if missing else ""


def _factors(sample: VisualSample) -> dict[str, Value]:
    return {
        "benchmark": "visual",
        "sample_id": sample.sample_id,
        "item": sample.item,
        "form": sample.condition.value,
        "seed": None,
        "messages": json.dumps(messages(sample), ensure_ascii=False),
        **sample.model_dump(mode="json", include=set(_OF_THE_SAMPLE)),
        "picture": sample.picture_group,
        "chance": sample.chance,
        "no_permitted_choice": sample.no_permitted_choice,
    }


def messages(sample: VisualSample) -> list[dict[str, object]]:
    """What is sent: one user turn, the picture (by its path) before the text; a system message of an intervention."""
    picture = [{"type": "image", "image": sample.image}] if sample.image else []
    asked: dict[str, object] = {"role": "user", "content": [*picture, {"type": "text", "text": sample.prompt}]}
    return [{"role": "system", "content": sample.system}, asked] if sample.system else [asked]
