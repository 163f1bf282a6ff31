"""The row of the sample table for one reply: what was asked, and what was read from the reply."""

import json
from collections.abc import Mapping

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
from forgetscope.core.results import Completion, SampleColumn, Value, kinds_of, repeats_itself

COLUMNS: Mapping[str, SampleColumn] = {
    "split": SampleColumn(pl.String, "the split: a source and what is forgotten of it"),
    "side": SampleColumn(pl.String, "`forget` or `retain`: whether the item's concept is to be forgotten or kept"),
    "role": SampleColumn(pl.String, "`effect`, or `eligibility`: whether the untouched model knows the concept at all"),
    "level": SampleColumn(pl.String, "how specific the thing to forget is, from `object` upwards"),
    "axis": SampleColumn(pl.String, "what of the picture is asked for"),
    "source": SampleColumn(pl.String, "the source of the pictures"),
    "class_name": SampleColumn(pl.String, "the class the picture shows"),
    "forget_concept": SampleColumn(pl.String, "the concept that the item's condition is about"),
    "supercategory": SampleColumn(
        pl.String, "the group whose other members are hard distractors; empty without grouping"
    ),
    "picture": SampleColumn(pl.String, "the unit of intervals: the picture, or the group it belongs to"),
    "condition": SampleColumn(pl.String, "what the model is told beside the question"),
    "control": SampleColumn(
        pl.String, "what is taken away or put in its place: `none`, `no_image`, `shuffled_image`, `option_only`"
    ),
    "probe": SampleColumn(pl.String, "how it is asked: `choice`, `short_answer`, `indirect`"),
    "mode": SampleColumn(pl.String, "how the reply becomes an index: `generate`, `first_token`"),
    "phrasing": SampleColumn(pl.Int64, "which phrasing of the text, from 0"),
    "order": SampleColumn(pl.Int64, "which order of the options, from 0"),
    "image": SampleColumn(pl.String, "path of the picture that is sent, below the split's root; empty when none is"),
    "donor": SampleColumn(pl.String, "what the sent picture shows, where it is another item's"),
    "choices": SampleColumn(
        pl.List(pl.String), "the options as shown, in this order; for the indirect probe the clues"
    ),
    "labels": SampleColumn(pl.List(pl.String), "the concepts behind them"),
    "answer": SampleColumn(pl.Int64, "index of the right one"),
    "chance": SampleColumn(pl.Float64, "accuracy of guessing: one over the number of options, 0 for a short answer"),
    "target": SampleColumn(pl.String, "what the oracle or wrong-oracle text names; else empty"),
    "listed_choices": SampleColumn(pl.Int64, "how many of the options the text's list of concepts names"),
    "answer_listed": SampleColumn(pl.Boolean, "whether it names the right one"),
    "no_permitted_choice": SampleColumn(
        pl.Boolean, "whether the list leaves no option to obey with; such samples are outside suppression figures"
    ),
    "hard_distractors": SampleColumn(pl.Int64, "how many of the wrong options are of the answer's group"),
    "predicted": SampleColumn(pl.Int64, "index into `choices` that the reply names; null without a readable answer"),
    "predicted_label": SampleColumn(pl.String, "the concept behind it"),
    "predicted_paper": SampleColumn(pl.Int64, "the same by the paper's rule, the first digit; options alone"),
    "read_by": SampleColumn(pl.String, "how it was read: `digit`, `repaired`, `name`, `first_token`"),
    "digit_logprobs": SampleColumn(
        pl.String, "in first-token mode a JSON object from digit to log-probability; else empty"
    ),
}
"""This benchmark's columns beside the core ones."""

SCHEMA = kinds_of(COLUMNS)
"""Their types."""

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
