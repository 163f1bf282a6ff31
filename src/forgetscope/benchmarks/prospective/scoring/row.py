"""Reply -> statuses and scores: compliance by the checkers, the task by its two scorers, the mechanism by rule.

A sample has two aspects (protocols.md, sections 0 and 3): compliance in `status`, the task in `task_status`. For
`task_only`, which has nothing to comply with, `status` is the task's. The raw verdicts of the paper's scorers stand
beside them whenever there is text.
"""

import json
from collections.abc import Mapping
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
from forgetscope.core.results import Completion, SampleColumn, Value, kinds_of, repeats_itself, status_of_call

COLUMNS: Mapping[str, SampleColumn] = {
    "experiment": SampleColumn(pl.String, "`load`, `stacking`, `tension`, `singles` or `wordings`"),
    "condition": SampleColumn(pl.String, "how the constraint is put; the benchmark's page lists them"),
    "repeat": SampleColumn(pl.Int64, "which time the same prompt was sent, from 1"),
    "wording": SampleColumn(
        pl.String, "`heading=2` and the like where a part of the prompt is in another phrasing than the first"
    ),
    "load": SampleColumn(pl.String, "the work to do besides: a task's name, or what stands in its place"),
    "original_task": SampleColumn(pl.Boolean, "whether the constraint's own task is in the prompt"),
    "heading": SampleColumn(pl.Boolean, "whether the constraint stands under a heading"),
    "trailing": SampleColumn(pl.String, "what stands at the end of the prompt: `none`, `generic`, `per_constraint`"),
    "type": SampleColumn(pl.String, "short name of the constraint; several joined by `+`"),
    "category": SampleColumn(pl.String, "the paper's category of the constraint, empty where there is none"),
    "constraints": SampleColumn(pl.Int64, "how many constraints are stacked"),
    "problems": SampleColumn(pl.Int64, "how many problems a chain has"),
    "pair": SampleColumn(pl.String, "which two constraints pull against each other (experiment `tension`)"),
    "load_items": SampleColumn(pl.List(pl.String), "ids of the items of the load"),
    "instruction_types": SampleColumn(pl.List(pl.String), "IFEval's or IFBench's names of the constraints"),
    "kwargs": SampleColumn(pl.String, "their parameters, as JSON"),
    "strict": SampleColumn(pl.Boolean, "all constraints kept, by the published checkers on the reply as it is"),
    "loose": SampleColumn(pl.Boolean, "the same on the best of the published variants of the reply"),
    "strict_repaired": SampleColumn(pl.Boolean, "as `strict`, by the repaired checkers"),
    "loose_repaired": SampleColumn(pl.Boolean, "as `loose`, by the repaired checkers"),
    "strict_by_type": SampleColumn(pl.List(pl.Boolean), "`strict` of each of `instruction_types`"),
    "loose_by_type": SampleColumn(pl.List(pl.Boolean), "`loose` of each of `instruction_types`"),
    "reason": SampleColumn(pl.String, "why a constraint is not kept, in words"),
    "broke_from": SampleColumn(pl.Int64, "where in the reply the first broken constraint broke, in characters"),
    "broke_to": SampleColumn(pl.Int64, "where that ends"),
    "task_status": SampleColumn(pl.String, "the one outcome of the load, by the repaired scorer; null without one"),
    "task_paper": SampleColumn(pl.Boolean, "whether the load is right as the paper's parser reads the reply"),
    "task_repaired": SampleColumn(pl.Boolean, "the same by the repaired scorer; null where it finds no answer"),
    "task_score_paper": SampleColumn(
        pl.Float64, "the graded value by the paper's scorer, 0 to 1: ROUGE-L F1 of a summary, else 0 or 1"
    ),
    "task_score_repaired": SampleColumn(pl.Float64, "the same by the repaired scorer"),
    "task_parts": SampleColumn(
        pl.List(pl.Boolean), "of a chain, the repaired verdict of each problem; null where it was not answered"
    ),
    "task_found": SampleColumn(pl.List(pl.String), "the answers the repaired scorer read"),
    "task_gold": SampleColumn(pl.List(pl.String), "the right answers, the first form of each"),
    "mechanism": SampleColumn(
        pl.String, "how a failed reply failed, by rule: one of the paper's five, or `unclassified`"
    ),
    "evidence": SampleColumn(pl.String, "the words of the reply the mechanism rests on"),
}
"""This benchmark's columns beside the core ones."""

SCHEMA = kinds_of(COLUMNS)
"""Their types."""


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
