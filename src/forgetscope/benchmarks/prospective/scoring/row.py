"""Reply -> statuses and scores: compliance by the checkers, the task by its two scorers, the mechanism by rule.

A sample has two aspects (protocols.md, sections 0 and 3): compliance in `status`, the task in `task_status`. For
`task_only`, which has nothing to comply with, `status` is the task's. The raw verdicts of the paper's scorers stand
beside them whenever there is text.
"""

import json
from dataclasses import dataclass

import polars as pl

from forgetscope.benchmarks.prospective.data.items import ProspectiveSample
from forgetscope.benchmarks.prospective.loads.load import LoadContent, TaskVerdict
from forgetscope.benchmarks.prospective.loads.registry import score_task
from forgetscope.benchmarks.prospective.prompts import SYSTEM_MESSAGES
from forgetscope.benchmarks.prospective.scoring.mechanisms import classify_failure
from forgetscope.checkers import Behaviour, PromptVerdict, check_prompt
from forgetscope.core.outcomes import Status
from forgetscope.core.refusals import after_decline, is_blanket_decline
from forgetscope.core.results import Completion, Value, repeats_itself, status_of_call

SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "experiment": pl.String,
    "condition": pl.String,
    "repeat": pl.Int64,
    "wording": pl.String,
    "load": pl.String,
    "original_task": pl.Boolean,
    "heading": pl.Boolean,
    "trailing": pl.String,
    "type": pl.String,
    "category": pl.String,
    "constraints": pl.Int64,
    "problems": pl.Int64,
    "pair": pl.String,
    "load_items": pl.List(pl.String),
    "instruction_types": pl.List(pl.String),
    "kwargs": pl.String,
    "strict": pl.Boolean,
    "loose": pl.Boolean,
    "strict_repaired": pl.Boolean,
    "loose_repaired": pl.Boolean,
    "strict_by_type": pl.List(pl.Boolean),
    "loose_by_type": pl.List(pl.Boolean),
    "reason": pl.String,
    "broke_from": pl.Int64,
    "broke_to": pl.Int64,
    "task_status": pl.String,
    "task_paper": pl.Boolean,
    "task_repaired": pl.Boolean,
    "task_score_paper": pl.Float64,
    "task_score_repaired": pl.Float64,
    "task_parts": pl.List(pl.Boolean),
    "task_found": pl.List(pl.String),
    "task_gold": pl.List(pl.String),
    "mechanism": pl.String,
    "evidence": pl.String,
}
"""This benchmark's columns beside the core ones. `broke_from`/`broke_to` are character offsets in the reply."""


@dataclass(frozen=True)
class Compliance:
    """What became of the formatting; `verdict` is None without text or without anything to comply with."""

    status: Status
    verdict: PromptVerdict | None


@dataclass(frozen=True)
class Work:
    """What became of the load; `verdict` is None without text."""

    status: Status
    verdict: TaskVerdict | None


def score_compliance(sample: ProspectiveSample, completion: Completion) -> Compliance | None:
    """Status and verdict of the formatting, reference behaviour; None for `task_only`."""
    if not sample.instruction_types:
        return None
    verdict = check_prompt(sample.spec, completion.reply) if completion.has_text else None
    status = status_of_call(completion)
    if status is not None or verdict is None:
        return Compliance(status or Status.INVALID_FORMAT, verdict)
    if is_blanket_decline(completion.reply):
        return Compliance(Status.REFUSED, verdict)
    return Compliance(Status.CORRECT if verdict.followed_strict else Status.INCORRECT, verdict)


def score_work(sample: ProspectiveSample, completion: Completion) -> Work | None:
    """Status and verdict of the load, by the repaired scorer with the paper's beside it; None without load."""
    if sample.content is None:
        return None
    verdict = score_task(sample.content, completion.reply, prompt=sample.prompt) if completion.has_text else None
    status = status_of_call(completion)
    if status is not None or verdict is None:
        return Work(status or Status.INVALID_FORMAT, verdict)
    return Work(status_of_work(sample.content, completion.reply, verdict), verdict)


def status_of_work(content: LoadContent, reply: str, verdict: TaskVerdict) -> Status:
    """What became of the load in a whole reply, by the repaired scorer."""
    if is_blanket_decline(reply) and not _answers_all_the_same(content, reply):
        return Status.REFUSED
    if verdict.repaired is None:
        return Status.INVALID_FORMAT
    return Status.CORRECT if verdict.repaired else Status.INCORRECT


def _answers_all_the_same(content: LoadContent, reply: str) -> bool:
    """Whether a right answer follows the decline; one inside it ("help") is an accident."""
    rest = after_decline(reply)
    return bool(rest.strip()) and score_task(content, rest, prompt="").repaired is True


def score_sample(sample: ProspectiveSample, completion: Completion, *, model: str) -> dict[str, Value]:
    """The row of the sample table for one reply (core columns and `SCHEMA`)."""
    reply = completion.reply
    compliance, work = score_compliance(sample, completion), score_work(sample, completion)
    aspect = compliance or work
    if aspect is None:
        raise ValueError(f"{sample.sample_id}: neither a constraint nor a load")
    verdict = compliance.verdict if compliance else None
    task = work.verdict if work else None
    repaired = check_prompt(sample.spec, reply, behaviour=Behaviour.REPAIRED) if verdict else None
    broken = next((entry for entry in verdict.strict if not entry.followed), None) if verdict else None
    failure = classify_failure(sample, reply, verdict) if verdict and not verdict.followed_strict else None
    return {
        "benchmark": "prospective",
        "model": model,
        "sample_id": sample.sample_id,
        "item": sample.item,
        "form": sample.condition,
        "seed": sample.seed,
        "status": aspect.status.value,
        "raw_pass": verdict.followed_strict if verdict else None,
        "finish_reason": completion.finish_reason.value,
        "input_tokens": completion.input_tokens,
        "output_tokens": completion.output_tokens,
        "seconds": completion.seconds,
        "looped": repeats_itself(reply),
        "messages": json.dumps(messages(sample), ensure_ascii=False),
        "reply": reply,
        "reasoning": completion.reasoning,
        "error": completion.error,
        "experiment": sample.experiment,
        "condition": sample.condition,
        "repeat": sample.repeat,
        "wording": sample.wording,
        "load": sample.load,
        "original_task": sample.original_task,
        "heading": sample.heading,
        "trailing": sample.trailing.value,
        "type": sample.type_name,
        "category": sample.category if sample.instruction_types else "",
        "constraints": sample.constraints,
        "problems": sample.problems,
        "pair": sample.pair,
        "load_items": list(sample.content.ids) if sample.content else [],
        "instruction_types": list(sample.instruction_types),
        "kwargs": json.dumps(sample.kwargs, ensure_ascii=False),
        "strict": verdict.followed_strict if verdict else None,
        "loose": verdict.followed_loose if verdict else None,
        "strict_repaired": repaired.followed_strict if repaired else None,
        "loose_repaired": repaired.followed_loose if repaired else None,
        "strict_by_type": [entry.followed for entry in verdict.strict] if verdict else [],
        "loose_by_type": [entry.followed for entry in verdict.loose] if verdict else [],
        "reason": "; ".join(entry.reason for entry in verdict.strict if not entry.followed) if verdict else "",
        "broke_from": broken.span[0] if broken and broken.span else None,
        "broke_to": broken.span[1] if broken and broken.span else None,
        "task_status": work.status.value if work else None,
        "task_paper": task.paper if task else None,
        "task_repaired": task.repaired if task else None,
        "task_score_paper": task.paper_score if task else None,
        "task_score_repaired": task.repaired_score if task else None,
        "task_parts": list(task.parts) if task else [],
        "task_found": list(task.found) if task else [],
        "task_gold": [gold[0] for gold in sample.content.golds] if sample.content else [],
        "mechanism": failure.mechanism.value if failure else "",
        "evidence": failure.evidence if failure else "",
    }


def messages(sample: ProspectiveSample) -> list[dict[str, str]]:
    """What is sent: the system message and one user turn."""
    return [
        {"role": "system", "content": SYSTEM_MESSAGES[sample.system_message]},
        {"role": "user", "content": sample.prompt},
    ]
