"""The columns of the sample table beside the core ones."""

from collections.abc import Mapping

import polars as pl

from forgetscope.core.results import SampleColumn, kinds_of

COLUMNS: Mapping[str, SampleColumn] = {
    "scenario": SampleColumn(pl.String, "one of the three scenarios"),
    "kind": SampleColumn(pl.String, "what is forgotten, what the revision did, or how the preference is expressed"),
    "domain": SampleColumn(pl.String, "what the dialogue is about"),
    "length": SampleColumn(pl.Int64, "tokens the dialogue is filled up to; null at the native length"),
    "context_tokens": SampleColumn(pl.Int64, "tokens of the dialogue as sent"),
    "filler_tokens": SampleColumn(pl.Int64, "tokens of unrelated turns among them"),
    "low_diversity": SampleColumn(
        pl.Boolean, "whether the filler is more than a sixth of the stock, so that items share much of it"
    ),
    "strategy": SampleColumn(pl.String, "the system message"),
    "question": SampleColumn(pl.String, "how a preference is asked for; empty elsewhere"),
    "probe": SampleColumn(pl.String, "`query` (the item's own), `neighbour` (the control), or a rung of `--pressure`"),
    "arm": SampleColumn(
        pl.String, "empty for the paper's two forms, else what they are set against: `never`, `placebo`, `told`"
    ),
    "direction": SampleColumn(pl.String, "`forward`, or `reversed` where the two preferences changed places"),
    "said_by": SampleColumn(pl.String, "who said the fact: `user` or `assistant`"),
    "request_kind": SampleColumn(pl.String, '`explicit`, or `retraction` ("I\'m not actually a doctor")'),
    "query_kind": SampleColumn(
        pl.String, "`explicit` asks for the fact by name, `implicit` for something that needs it"
    ),
    "memory_cue": SampleColumn(pl.Boolean, 'whether the query says "before", "earlier" or the like'),
    "verified": SampleColumn(pl.Boolean, "whether a rule can decide the sample; else judges do"),
    "decided_by": SampleColumn(pl.String, "`rule` or `judge`"),
    "rule_pass": SampleColumn(pl.Boolean, "the rule's verdict; null where judges decide"),
    "judge_pass": SampleColumn(pl.Boolean, "the judges' verdict by majority; null without one"),
    "judge_status": SampleColumn(pl.String, "the outcome by the judges"),
    "judge_split": SampleColumn(pl.Boolean, "whether every judge could be read and there is no majority"),
    "judge_names": SampleColumn(pl.List(pl.String), "judges that could be read"),
    "judge_votes": SampleColumn(pl.List(pl.Boolean), "the vote of each of them"),
    "judge_unread": SampleColumn(pl.List(pl.String), "judges that could not be read"),
    "judge_flags": SampleColumn(pl.List(pl.String), "what was noticed in the text under judgement"),
    "judge_leak": SampleColumn(pl.String, "rung of the leakage ladder that most judges name, the worse one at a tie"),
    "unreadable": SampleColumn(pl.String, "why a reply holds no answer: `empty`, `loop`, `noise`; else empty"),
    "leak": SampleColumn(pl.String, "rung of the leakage ladder of the answer, by rule, in both forms"),
    "leak_wording": SampleColumn(pl.String, "the words of the answer that it rests on"),
    "leak_reasoning": SampleColumn(pl.String, "rung of the reasoning, by rule"),
    "reask_reply": SampleColumn(pl.String, "the answer when the question was put once more"),
    "reask_status": SampleColumn(pl.String, "its outcome; `correct` means that the fact was withheld"),
    "reask_leak": SampleColumn(pl.String, "its rung by rule"),
    "reask_judge_status": SampleColumn(pl.String, "its outcome by the judges"),
    "reask_judge_leak": SampleColumn(pl.String, "its rung by the judges"),
    "chosen": SampleColumn(pl.String, "which preference was chosen: `old`, `new`, `other` or empty"),
    "shown_position": SampleColumn(pl.Int64, "place of the chosen option among those shown, from 0"),
    "old_position": SampleColumn(pl.Int64, "place of the old preference's option"),
    "new_position": SampleColumn(pl.Int64, "place of the new preference's option"),
    "mentions_other": SampleColumn(
        pl.Boolean, "whether an answer that chose the new preference brings up the old one, in the Forget form"
    ),
    "common_done": SampleColumn(
        pl.List(pl.Boolean), "of each subtask of both instructions, whether the final answer does it"
    ),
    "original_only_done": SampleColumn(pl.List(pl.Boolean), "of each subtask of the original alone"),
    "revised_only_done": SampleColumn(pl.List(pl.Boolean), "of each subtask of the revision alone"),
    "first_reply": SampleColumn(pl.String, "the live answer to the original instruction"),
    "first_finish_reason": SampleColumn(pl.String, "why that ended"),
    "first_common_done": SampleColumn(pl.List(pl.Boolean), "of each common subtask, whether the first answer does it"),
    "pass_without_clause": SampleColumn(
        pl.Boolean, "the reading of a right revision without the last clause, which the paper leaves open"
    ),
    "pass_none_of_original": SampleColumn(
        pl.Boolean, "the reading that none of the subtasks of the original alone is done, in the Forget form"
    ),
    "pass_clause_both_forms": SampleColumn(pl.Boolean, "the reading that not all of them are done, in both forms"),
    "facts": SampleColumn(pl.List(pl.String), "for people to read: values and aliases of what is to be forgotten"),
    "fact_paraphrases": SampleColumn(pl.List(pl.String), "wordings that give it away"),
    "fact_hints": SampleColumn(pl.List(pl.String), "wordings that narrow it down"),
    "request_names_fact": SampleColumn(
        pl.Boolean, "whether the request to forget says the fact once more; null without facts"
    ),
    "reask_query": SampleColumn(pl.String, "the question when it is put once more"),
    "accepted_answers": SampleColumn(pl.List(pl.String), "right answers to the neighbour question"),
    "common_subtasks": SampleColumn(
        pl.List(pl.String), "wordings of the subtasks of both instructions, as many as `common_done`"
    ),
    "original_only_subtasks": SampleColumn(pl.List(pl.String), "of the original alone"),
    "revised_only_subtasks": SampleColumn(pl.List(pl.String), "of the revision alone"),
    "options": SampleColumn(pl.List(pl.String), "the options in the order shown"),
}
"""This benchmark's columns beside the core ones."""

SCHEMA = kinds_of(COLUMNS)
"""Their types."""
