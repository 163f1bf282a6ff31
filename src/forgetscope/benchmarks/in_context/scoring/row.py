"""From a sample and what came back to its row of the sample table: status, raw verdict, and what they rest on.

Right and wrong per scenario and form: protocols.md, section 1. A verified sample is scored by rule; the judge's
verdict, where there is one, stands beside it. A sample that only a judge can score has the judge's.
"""

import json
from collections.abc import Sequence

import polars as pl

from forgetscope.benchmarks.in_context.data.forms import NO_FILLER
from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.samples import BENCHMARK, InContextSample
from forgetscope.benchmarks.in_context.scoring.judges.forms import ANSWER, REASK, RevisionVerdict
from forgetscope.benchmarks.in_context.scoring.judges.verdicts import JudgedVerdict, judged_verdict
from forgetscope.benchmarks.in_context.scoring.readable import Unreadable, unreadable
from forgetscope.benchmarks.in_context.scoring.replies import Replies
from forgetscope.benchmarks.in_context.scoring.rules.revision import READINGS
from forgetscope.benchmarks.in_context.scoring.rules.verdicts import RuleVerdict, leak_in, reask_verdict, rule_verdict
from forgetscope.benchmarks.in_context.scoring.shown import SHOWN_SCHEMA, shown_columns, shown_turns
from forgetscope.benchmarks.in_context.scoring.statuses import status_by_judge, status_by_rule, status_with_first
from forgetscope.core.results import Completion, Value, repeats_itself
from forgetscope.judging.records import Judgement

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
    "judge_split": pl.Boolean,
    "judge_names": pl.List(pl.String),
    "judge_votes": pl.List(pl.Boolean),
    "judge_unread": pl.List(pl.String),
    "judge_flags": pl.List(pl.String),
    "judge_leak": pl.String,
    "unreadable": pl.String,
    "leak": pl.String,
    "leak_wording": pl.String,
    "leak_reasoning": pl.String,
    "reask_reply": pl.String,
    "reask_status": pl.String,
    "reask_leak": pl.String,
    "reask_judge_status": pl.String,
    "reask_judge_leak": pl.String,
    "chosen": pl.String,
    "shown_position": pl.Int64,
    "old_position": pl.Int64,
    "new_position": pl.Int64,
    "mentions_other": pl.Boolean,
    "common_done": pl.List(pl.Boolean),
    "original_only_done": pl.List(pl.Boolean),
    "revised_only_done": pl.List(pl.Boolean),
    "first_reply": pl.String,
    "first_finish_reason": pl.String,
    "first_common_done": pl.List(pl.Boolean),
    "pass_without_clause": pl.Boolean,
    "pass_none_of_original": pl.Boolean,
    "pass_clause_both_forms": pl.Boolean,
    **SHOWN_SCHEMA,
}
"""Columns beside the core ones.

`length` is null at the native length. `kind` is what is forgotten, what the revision did, or how the preference is
expressed. `unreadable` says why a reply holds no answer: empty, loop, noise. `leak` is the rung of the ladder of the
answer by rule, `leak_reasoning` that of the reasoning, in both forms; `judge_leak` is the rung most judges name.
`judge_names` and `judge_votes` have one entry for each judge that could be read, `judge_unread` names the others.
`chosen` is old, new, other or empty; positions are places among the shown options, from 0. `*_done` hold one entry a
subtask, of the final answer; `first_*` are of the live answer to the original instruction. The three `pass_*` columns
are the readings of the last clause of subtask revision that the paper leaves open; both are the judges' where no rule
can check every subtask.
"""


def score_sample(
    sample: InContextSample, replies: Replies, judgements: Sequence[Judgement], *, model: str
) -> dict[str, Value]:
    """The row of the sample table for one sample (core columns and `SCHEMA`)."""
    answer = replies.answer
    rule = rule_verdict(sample, replies) if answer.has_text else RuleVerdict()
    judged = judged_verdict(sample, judgements, ANSWER)
    by_rule = sample.is_verified
    raw_pass = rule.passed if by_rule else (judged.passed if judged else None)
    why = _unreadable(sample, answer, sample.query)
    status = status_by_rule(answer, rule, why) if by_rule else status_by_judge(answer, judged, why)
    final_alone = rule.final_alone or bool(judged and judged.passes and judged.passes["final_alone"])
    status = status_with_first(status, replies.first, final_alone=final_alone)
    columns: dict[str, Value] = dict.fromkeys(SCHEMA)
    columns.update(_empty_lists())
    columns.update(_factors(sample))
    columns.update(shown_columns(sample))
    columns.update(rule.columns if by_rule else _judged_revision_columns(judged))
    columns.update(_judge_columns(judged))
    columns.update(_reask_columns(sample, replies.reask, judged_verdict(sample, judgements, REASK)))
    reasoned = leak_in(sample, answer.reasoning) if answer.reasoning else None
    columns.update(
        decided_by="rule" if by_rule else "judge",
        rule_pass=rule.passed if by_rule else None,
        unreadable=why.value if why is not None else "",
        leak_reasoning=reasoned.value if reasoned is not None else None,
        first_reply=replies.first.reply if replies.first else None,
        first_finish_reason=replies.first.finish_reason.value if replies.first else None,
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


def _judge_columns(judged: JudgedVerdict | None) -> dict[str, Value]:
    if judged is None:
        return {}
    return {
        "judge_pass": judged.passed,
        "judge_status": judged.status.value,
        "judge_split": judged.is_split,
        "judge_names": [name for name, vote in judged.asked if vote is not None],
        "judge_votes": [vote for _, vote in judged.asked if vote is not None],
        "judge_unread": [name for name, vote in judged.asked if vote is None],
        "judge_flags": list(judged.flags),
        "judge_leak": judged.leak.value if judged.leak is not None else None,
    }


def _judged_revision_columns(judged: JudgedVerdict | None) -> dict[str, Value]:
    """What the judges found of a revision that no rule can check."""
    if judged is None or judged.done is None or judged.passes is None:
        return {}
    return {
        **{f"{name}_done": list(getattr(judged.done, name)) for name in RevisionVerdict.groups()},
        **{f"pass_{name}": judged.passes[name] for name in READINGS},
    }


def _reask_columns(sample: InContextSample, reask: Completion | None, judged: JudgedVerdict | None) -> dict[str, Value]:
    """Status `correct` means that the fact was withheld when asked once more."""
    if reask is None or not isinstance(sample.item, InstructionalForgettingItem):
        return {}
    rule = reask_verdict(sample, reask.reply) if reask.has_text else RuleVerdict()
    why = _unreadable(sample, reask, sample.item.reask or "")
    status = status_by_rule(reask, rule, why) if sample.is_verified else status_by_judge(reask, judged, why)
    return {
        "reask_reply": reask.reply,
        "reask_status": status.value,
        "reask_leak": rule.columns.get("leak"),
        "reask_judge_status": judged.status.value if judged is not None else None,
        "reask_judge_leak": judged.leak.value if judged is not None and judged.leak is not None else None,
    }


def _unreadable(sample: InContextSample, reply: Completion, asked: str) -> Unreadable | None:
    if not reply.has_text:
        return None
    return unreadable(reply.reply, asked, (turn.content for turn in sample.turns(NO_FILLER)))


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
