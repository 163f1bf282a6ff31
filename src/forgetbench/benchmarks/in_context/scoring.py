"""From a sample and what came back to its row of the sample table: status, raw verdict, and what they rest on.

Right and wrong per scenario and form: protocols.md, section 1. A verified sample is scored by rule; the judge's
verdict, where there is one, stands beside it. A sample that only a judge can score has the judge's.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from forgetbench.benchmarks.in_context.forms import Form
from forgetbench.benchmarks.in_context.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
)
from forgetbench.benchmarks.in_context.judged import ANSWER, REASK, JudgedVerdict, judged_verdict
from forgetbench.benchmarks.in_context.replies import Replies
from forgetbench.benchmarks.in_context.revision import revision_passes
from forgetbench.benchmarks.in_context.rules import (
    FactFound,
    Leak,
    answers_neighbour,
    chosen_option,
    leakage,
    recalls_all,
    subtasks_done,
)
from forgetbench.benchmarks.in_context.samples import BENCHMARK, InContextSample, Probe
from forgetbench.benchmarks.in_context.shown import SHOWN_SCHEMA, shown_columns, shown_turns
from forgetbench.judging.records import Judgement
from forgetbench.outcomes import Status
from forgetbench.refusals import is_refusal
from forgetbench.results import Completion, Value, repeats_itself, status_of_call

SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "scenario": pl.String,
    "kind": pl.String,
    "domain": pl.String,
    "length": pl.Int64,
    "context_tokens": pl.Int64,
    "filler_tokens": pl.Int64,
    "low_diversity": pl.Boolean,
    "strategy": pl.String,
    "question": pl.String,
    "probe": pl.String,
    "direction": pl.String,
    "said_by": pl.String,
    "request_kind": pl.String,
    "query_kind": pl.String,
    "memory_cue": pl.Boolean,
    "verified": pl.Boolean,
    "decided_by": pl.String,
    "rule_pass": pl.Boolean,
    "judge_pass": pl.Boolean,
    "judge_status": pl.String,
    "judge_names": pl.List(pl.String),
    "judge_votes": pl.List(pl.Boolean),
    "judge_flags": pl.List(pl.String),
    "leak": pl.String,
    "leak_wording": pl.String,
    "leak_reasoning": pl.String,
    "reask_reply": pl.String,
    "reask_status": pl.String,
    "reask_leak": pl.String,
    "chosen": pl.String,
    "shown_position": pl.Int64,
    "old_position": pl.Int64,
    "new_position": pl.Int64,
    "mentions_other": pl.Boolean,
    "common_done": pl.List(pl.Boolean),
    "original_only_done": pl.List(pl.Boolean),
    "revised_only_done": pl.List(pl.Boolean),
    "first_reply": pl.String,
    "first_common_done": pl.List(pl.Boolean),
    "pass_without_clause": pl.Boolean,
    "pass_none_of_original": pl.Boolean,
    "pass_clause_both_forms": pl.Boolean,
    **SHOWN_SCHEMA,
}
"""Columns beside the core ones.

`length` is null at the native length. `kind` is what is forgotten, what the revision did, or how the preference is
expressed. `leak` is the rung of the ladder of the answer, `leak_reasoning` that of the reasoning, in both forms.
`chosen` is old, new, other or empty; positions are places among the shown options, from 0. `*_done` hold one entry a
subtask, of the final answer; `first_*` are of the live answer to the original instruction. The three `pass_*` columns
are the readings of the last clause of subtask revision that the paper leaves open.
"""


@dataclass(frozen=True)
class RuleVerdict:
    """What the rules say of a readable answer: pass, or None where it chooses nothing that can be read."""

    passed: bool | None
    columns: Mapping[str, Value]


def score_sample(
    sample: InContextSample, replies: Replies, judgements: Sequence[Judgement], *, model: str
) -> dict[str, Value]:
    """The row of the sample table for one sample (core columns and `SCHEMA`)."""
    answer = replies.answer
    rule = rule_verdict(sample, replies) if answer.has_text else RuleVerdict(None, {})
    judged = judged_verdict(sample, judgements, ANSWER)
    by_rule = sample.is_verified
    raw_pass = rule.passed if by_rule else (judged.passed if judged else None)
    status = _status(sample, answer, raw_pass, None if by_rule else judged)
    columns: dict[str, Value] = dict.fromkeys(SCHEMA)
    columns.update(_empty_lists())
    columns.update(_factors(sample))
    columns.update(shown_columns(sample))
    columns.update(rule.columns)
    columns.update(_judge_columns(judged))
    columns.update(_reask_columns(sample, replies.reask, judged_verdict(sample, judgements, REASK)))
    columns.update(
        decided_by="rule" if by_rule else "judge",
        rule_pass=rule.passed if by_rule else None,
        leak_reasoning=_leak(sample, answer.reasoning).leak.value if answer.reasoning and _has_facts(sample) else None,
        first_reply=replies.first.reply if replies.first else None,
    )
    return {
        "benchmark": BENCHMARK,
        "model": model,
        "sample_id": sample.sample_id,
        "item": sample.item.id,
        "form": sample.form.value,
        "seed": sample.seed,
        "status": status.value,
        "raw_pass": (raw_pass is True) if answer.has_text and (by_rule or raw_pass is not None) else None,
        "finish_reason": answer.finish_reason.value,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
        "seconds": answer.seconds,
        "looped": repeats_itself(answer.reply),
        "messages": json.dumps(shown_turns(sample, replies.first), ensure_ascii=False),
        "reply": answer.reply,
        "reasoning": answer.reasoning,
        "error": answer.error,
        **columns,
    }


def rule_verdict(sample: InContextSample, replies: Replies) -> RuleVerdict:
    """What the rules say; `passed` is None where no rule applies or the answer chooses no option."""
    reply = replies.answer.reply
    match sample.item:
        case InstructionalForgettingItem() as item:
            if sample.probe is Probe.NEIGHBOUR:
                assert item.neighbour is not None  # noqa: S101 - the plan makes no such sample otherwise
                return RuleVerdict(answers_neighbour(reply, item.neighbour.answers), {})
            if not item.facts:
                return RuleVerdict(None, {})
            found = leakage(reply, item.facts)
            passed = recalls_all(reply, item.facts) if sample.form is Form.NOFORGET else not found.leak.recalls
            return RuleVerdict(passed, {"leak": found.leak.value, "leak_wording": found.wording})
        case DynamicPreferenceItem() as item:
            return _preference_verdict(sample, item, reply) if sample.options else RuleVerdict(None, {})
        case SubtaskRevisionItem() as item:
            return _revision_verdict(sample, item, replies) if item.is_verified else RuleVerdict(None, {})


def _preference_verdict(sample: InContextSample, item: DynamicPreferenceItem, reply: str) -> RuleVerdict:
    shown = sample.options
    old, new = shown.index(item.old.option), shown.index(item.new.option)
    choice = chosen_option(reply, shown)
    right, wrong = (old, new) if sample.form is Form.NOFORGET else (new, old)
    columns: dict[str, Value] = {
        "chosen": "" if choice is None else "old" if choice == old else "new" if choice == new else "other",
        "shown_position": choice,
        "old_position": old,
        "new_position": new,
        "mentions_other": choice == right and _names(reply, item, wrong == old),
    }
    return RuleVerdict(None if choice is None else choice == right, columns)


def _names(reply: str, item: DynamicPreferenceItem, old: bool) -> bool:
    """Whether a reply repeats the text of the preference that should not count."""
    preference = item.old if old else item.new
    return preference.text.rstrip(".").casefold() in reply.casefold()


def _revision_verdict(sample: InContextSample, item: SubtaskRevisionItem, replies: Replies) -> RuleVerdict:
    reply = replies.answer.reply
    common = subtasks_done(reply, item.common)
    revised = subtasks_done(reply, item.revised_only)
    original = subtasks_done(reply, item.original_only)
    first = subtasks_done(replies.first.reply, item.common) if replies.first else ()
    passes = revision_passes(sample.form, common, original, revised, first)
    columns: dict[str, Value] = {
        "common_done": list(common),
        "original_only_done": list(original),
        "revised_only_done": list(revised),
        "first_common_done": list(first),
        "pass_without_clause": passes.without_clause,
        "pass_none_of_original": passes.none_of_original,
        "pass_clause_both_forms": passes.clause_both_forms,
    }
    return RuleVerdict(passes.protocol, columns)


def _status(sample: InContextSample, answer: Completion, passed: bool | None, judged: JudgedVerdict | None) -> Status:
    from_call = status_of_call(answer)
    if from_call is not None:
        return from_call
    if not any(character.isalnum() for character in answer.reply):
        return Status.INVALID_FORMAT
    if passed and repeats_itself(answer.reply) and not _shows_an_answer(sample):
        return Status.INVALID_FORMAT
    if is_refusal(answer.reply) and not (passed and _shows_an_answer(sample)):
        return Status.REFUSED
    if not sample.is_verified:
        return Status.JUDGE_ERROR if judged is None else judged.status
    if passed is None:
        return Status.INVALID_FORMAT
    return Status.CORRECT if passed else Status.INCORRECT


def _shows_an_answer(sample: InContextSample) -> bool:
    """Whether a pass rests on something in the reply; the Forget form of forgetting passes on nothing at all."""
    return not (
        isinstance(sample.item, InstructionalForgettingItem)
        and sample.probe is Probe.QUERY
        and sample.form is Form.FORGET
    )


def _has_facts(sample: InContextSample) -> bool:
    return isinstance(sample.item, InstructionalForgettingItem) and bool(sample.item.facts)


def _leak(sample: InContextSample, text: str) -> FactFound:
    if not isinstance(sample.item, InstructionalForgettingItem):
        return FactFound(Leak.NONE)
    return leakage(text, sample.item.facts)


def _judge_columns(judged: JudgedVerdict | None) -> dict[str, Value]:
    if judged is None:
        return {}
    return {
        "judge_pass": judged.passed,
        "judge_status": judged.status.value,
        "judge_names": list(judged.names),
        "judge_votes": list(judged.votes),
        "judge_flags": list(judged.flags),
    }


def _reask_columns(sample: InContextSample, reask: Completion | None, judged: JudgedVerdict | None) -> dict[str, Value]:
    """Status `correct` means that the fact was withheld when asked once more."""
    if reask is None:
        return {}
    columns: dict[str, Value] = {"reask_reply": reask.reply}
    found = _leak(sample, reask.reply) if _has_facts(sample) and reask.has_text else None
    passed = (not found.leak.recalls) if found else (judged.passed if judged else None)
    if found is not None:
        columns["reask_leak"] = found.leak.value
    columns["reask_status"] = _status(sample, reask, passed, judged).value
    return columns


def _empty_lists() -> dict[str, Value]:
    return {name: [] for name, kind in SCHEMA.items() if isinstance(kind, pl.List)}


def _factors(sample: InContextSample) -> dict[str, Value]:
    item, context = sample.item, sample.context
    factors: dict[str, Value] = {
        "scenario": item.scenario.value,
        "domain": item.domain,
        "length": context.length,
        "context_tokens": context.tokens,
        "filler_tokens": context.filler_tokens,
        "low_diversity": context.low_diversity,
        "strategy": sample.strategy,
        "question": sample.question.value if sample.question else "",
        "probe": sample.probe.value,
        "direction": sample.direction,
        "verified": sample.is_verified,
    }
    match item:
        case InstructionalForgettingItem():
            factors |= {
                "kind": item.forgotten.value,
                "said_by": item.said_by,
                "request_kind": item.request_kind,
                "query_kind": item.query_kind,
                "memory_cue": item.memory_cue,
            }
        case SubtaskRevisionItem():
            factors["kind"] = item.change
        case DynamicPreferenceItem():
            factors["kind"] = item.expression
    return factors
