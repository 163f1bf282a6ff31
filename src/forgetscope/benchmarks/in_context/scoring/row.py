"""From a sample and what came back to its row of the sample table: status, raw verdict, and what they rest on.

Right and wrong per scenario and form: protocols.md, section 1. A verified sample is scored by rule; the judge's
verdict, where there is one, stands beside it. A sample that only a judge can score has the judge's.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from forgetscope.benchmarks.base import LoggedSample
from forgetscope.benchmarks.in_context.data.forms import (
    BENCHMARK,
    NO_FILLER,
    SYSTEM_PART,
    Form,
    InContextSample,
    Part,
    Replies,
    logged_replies,
    logged_sample,
    logged_system,
)
from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.scoring import RuleVerdict
from forgetscope.benchmarks.in_context.scoring.columns import SCHEMA
from forgetscope.benchmarks.in_context.scoring.forgetting import (
    forgetting_verdict,
    leak_in,
    reask_verdict,
)
from forgetscope.benchmarks.in_context.scoring.judges.verdicts import (
    ANSWER,
    REASK,
    JudgedVerdict,
    RevisionVerdict,
    judged_verdict,
)
from forgetscope.benchmarks.in_context.scoring.preference import preference_verdict
from forgetscope.benchmarks.in_context.scoring.revision import READINGS, revision_verdict
from forgetscope.benchmarks.in_context.scoring.unreadable import Unreadable, unreadable
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.refusals import is_blanket_decline
from forgetscope.core.results import Completion, Value, repeats_itself, status_of_call
from forgetscope.judging.records import Judgement
from forgetscope.mentions.plain import without_endless_rows


def score_logged(logged: LoggedSample) -> dict[str, Value]:
    """The row of a logged sample."""
    replies = logged_replies(logged.metadata, logged.completion)
    sample, system = logged_sample(logged.metadata), logged_system(logged.metadata)
    return score_sample(sample, replies, logged.judgements, model=logged.model, system=system)


def score_sample(
    sample: InContextSample, replies: Replies, judgements: Sequence[Judgement], *, model: str, system: str = ""
) -> dict[str, Value]:
    """The row of the sample table for one sample (core columns and `SCHEMA`); `system` is shown, not scored."""
    answer, read = replies.answer, _as_read(replies)
    rule = rule_verdict(sample, read) if answer.has_text else RuleVerdict()
    judged, judged_again = (
        judged_verdict(sample, judgements, aspect) if judgements else None for aspect in (ANSWER, REASK)
    )
    by_rule = sample.is_verified
    raw_pass = rule.passed if by_rule else (judged.passed if judged else None)
    why = _unreadable(sample, read.answer, sample.query)
    status = status_by_rule(answer, rule, why) if by_rule else status_by_judge(answer, judged, why)
    final_alone = rule.final_alone or bool(judged and judged.passes and judged.passes["final_alone"])
    status = status_with_first(status, replies.first, final_alone=final_alone)
    columns: dict[str, Value] = dict.fromkeys(SCHEMA)
    columns.update(_empty_lists())
    columns.update(_factors(sample))
    columns.update(shown_columns(sample))
    columns.update(rule.columns if by_rule else _judged_revision_columns(judged))
    columns.update(_judge_columns(judged))
    columns.update(_reask_columns(sample, replies.reask, judged_again))
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
        "messages": json.dumps(shown_turns(sample, replies.first, system), ensure_ascii=False),
        "reply": answer.reply,
        "reasoning": answer.reasoning,
        "error": answer.error,
        **columns,
    }


def _as_read(replies: Replies) -> Replies:
    """The replies without what only repeats itself without end, which takes rules seconds and tells them nothing."""

    def shortened(one: Completion) -> Completion:
        return replace(one, reply=without_endless_rows(one.reply))

    return Replies(shortened(replies.answer), replies.first and shortened(replies.first), replies.reask)


def rule_verdict(sample: InContextSample, replies: Replies) -> RuleVerdict:
    """The rule's verdict on a sample's answer."""
    reply = replies.answer.reply
    match sample.item:
        case InstructionalForgettingItem() as item:
            return forgetting_verdict(sample, item, reply)
        case DynamicPreferenceItem() as item:
            return preference_verdict(sample, item, reply)
        case SubtaskRevisionItem() as item:
            return revision_verdict(sample, item, replies)


def status_by_rule(reply: Completion, rule: RuleVerdict, why_unreadable: Unreadable | None) -> Status:
    """The status of a reply that a rule scores.

    A verdict that rests on something in the reply stands: it is there in black and white. One that rests on nothing
    being there, such as a fact withheld, has to be an answer first.
    """
    from_call = status_of_call(reply)
    if from_call is not None:
        return from_call
    verdict = Status.INVALID_FORMAT if rule.passed is None else Status.CORRECT if rule.passed else Status.INCORRECT
    return verdict if rule.is_shown else _if_an_answer(reply, why_unreadable, verdict)


def status_by_judge(reply: Completion, judged: JudgedVerdict | None, why_unreadable: Unreadable | None) -> Status:
    """The status of a reply that judges score; nobody asked is a lost verdict, and counted as one."""
    from_call = status_of_call(reply)
    if from_call is not None:
        return from_call
    return _if_an_answer(reply, why_unreadable, Status.JUDGE_ERROR if judged is None else judged.status)


def status_with_first(status: Status, first: Completion | None, *, final_alone: bool) -> Status:
    """The status of a revision with an answer to the original: `truncated` where that was cut off and the cut decided.

    Args:
        status: By what the protocol asks of both answers.
        first: The live answer to the original instruction.
        final_alone: Whether the final answer alone would have passed.
    """
    was_cut = first is not None and first.finish_reason in (FinishReason.LENGTH, FinishReason.CONTEXT)
    return Status.TRUNCATED if was_cut and final_alone and status is Status.INCORRECT else status


def _if_an_answer(reply: Completion, why_unreadable: Unreadable | None, verdict: Status) -> Status:
    if why_unreadable is not None and (verdict is Status.CORRECT or why_unreadable is not Unreadable.LOOP):
        return Status.INVALID_FORMAT  # a loop may still be read to have failed, never to have passed
    if is_blanket_decline(reply.reply):
        return Status.REFUSED
    return verdict


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
        "arm": sample.arm.value,
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


def shown_columns(sample: InContextSample) -> Mapping[str, Value]:
    """The columns of wordings that a sample of its scenario has."""
    match sample.item:
        case InstructionalForgettingItem() as item:
            said = [wording for fact in item.facts for wording in (fact.value, *fact.aliases)]
            told = [wording for fact in item.facts for wording in (*fact.paraphrases, *fact.parts)]
            neighbour = item.neighbour if sample.probe is DialogueProbe.NEIGHBOUR else None
            return {
                "facts": said,
                "fact_paraphrases": told,
                "fact_hints": [wording for fact in item.facts for wording in fact.hints],
                "request_names_fact": item.request_states_fact if item.facts else None,
                "reask_query": item.reask if sample.reask else None,
                "accepted_answers": list(neighbour.answers) if neighbour else [],
            }
        case SubtaskRevisionItem() as item:
            return {
                "common_subtasks": [subtask.text for subtask in item.common],
                "original_only_subtasks": [subtask.text for subtask in item.original_only],
                "revised_only_subtasks": [subtask.text for subtask in item.revised_only],
            }
        case DynamicPreferenceItem():
            return {"options": list(sample.options)}


def shown_turns(sample: InContextSample, first: Completion | None, system: str) -> list[dict[str, str | bool]]:
    """The dialogue: part, role and text of each turn, `live` where the model under test said it.

    Filler is one line wherever it stands, which says how much it is in all.
    """
    shown: list[dict[str, str | bool]] = []
    if system:
        shown.append({"part": SYSTEM_PART, "role": "system", "content": system})
    turns = sample.turns(NO_FILLER)
    memory = sum(turn.part is Part.MEMORY for turn in turns)
    interrupted = sample.form is Form.FORGET and any(turn.part is Part.INTERFERENCE for turn in turns)
    places = {memory, len(turns) - 1} if interrupted else {memory}
    for place, turn in enumerate(turns):
        if place in places and sample.context.filler_tokens:
            here = ", about half of them here" if interrupted else ""
            said = f"unrelated turns, {sample.context.filler_tokens} tokens in all{here}"
            shown.append({"part": Part.UNRELATED.value, "role": "", "content": said})
        if turn.live and first is not None:
            shown.append({"part": turn.part.value, "role": turn.role, "content": first.reply, "live": True})
        else:
            shown.append({"part": turn.part.value, "role": turn.role, "content": turn.content})
    return shown
