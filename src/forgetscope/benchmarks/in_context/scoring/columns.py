"""The columns of the sample table beside the core ones."""

import polars as pl

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
    "arm": pl.String,
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
    "facts": pl.List(pl.String),
    "fact_paraphrases": pl.List(pl.String),
    "fact_hints": pl.List(pl.String),
    "request_names_fact": pl.Boolean,
    "reask_query": pl.String,
    "accepted_answers": pl.List(pl.String),
    "common_subtasks": pl.List(pl.String),
    "original_only_subtasks": pl.List(pl.String),
    "revised_only_subtasks": pl.List(pl.String),
    "options": pl.List(pl.String),
}
"""Columns beside the core ones.

`length` is null at the native length. `arm` is empty for the paper's two forms, or says what they are set against.
`kind` is what is forgotten, what the revision did, or how the preference is expressed. `unreadable` says why a reply
holds no answer: empty, loop, noise. `leak` is the rung of the ladder of the answer by rule, `leak_reasoning` that of
the reasoning, in both forms; `judge_leak` is the rung most judges name. `judge_names` and `judge_votes` have one entry
for each judge that could be read, `judge_unread` names the others. `chosen` is old, new, other or empty; positions are
places among the shown options, from 0. `*_done` hold one entry a subtask, of the final answer; `first_*` are of the
live answer to the original instruction. The three `pass_*` columns are the readings of the last clause of subtask
revision that the paper leaves open; both are the judges' where no rule can check every subtask.

The last ten are wordings, for people to read. `accepted_answers` are those to the neighbour question, empty for the
item's own query. `facts` are values and aliases, `fact_paraphrases` and `fact_hints` what gives them away or narrows
them down. `request_names_fact` says whether the request to forget says the fact once more, in both forms; null without
facts. `*_subtasks` are as many as the flags of `*_done`; `options` stand in the order shown.
"""
