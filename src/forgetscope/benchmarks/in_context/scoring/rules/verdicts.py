"""What the rules say of a sample: pass or fail in its scenario and form, and the columns that show why.

Right and wrong: protocols.md, section 1. The rules themselves stand in `rules`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Preference,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.samples import DialogueProbe, InContextSample
from forgetscope.benchmarks.in_context.scoring.replies import Replies
from forgetscope.benchmarks.in_context.scoring.rules.choices import chosen_option
from forgetscope.benchmarks.in_context.scoring.rules.facts import (
    Leak,
    answers_neighbour,
    leakage,
    recalls_all,
    speaks_of_earlier_preference,
    subtasks_done,
)
from forgetscope.benchmarks.in_context.scoring.rules.revision import READINGS, revision_passes
from forgetscope.benchmarks.in_context.scoring.wordings import mentions
from forgetscope.core.results import Value


@dataclass(frozen=True)
class RuleVerdict:
    """What the rules say of an answer.

    Attributes:
        passed: None where no rule applies, or the answer chooses nothing that can be read.
        is_shown: Whether the verdict rests on something in the answer: a fact told, an option chosen, subtasks done.
        columns: What it was made from.
        final_alone: In subtask revision, the verdict without asking anything of the answer to the original.
    """

    passed: bool | None = None
    is_shown: bool = False
    columns: Mapping[str, Value] = field(default_factory=dict)
    final_alone: bool = False


def rule_verdict(sample: InContextSample, replies: Replies) -> RuleVerdict:
    """The verdict on a sample's answer."""
    reply = replies.answer.reply
    match sample.item:
        case InstructionalForgettingItem() as item:
            if sample.probe is DialogueProbe.NEIGHBOUR:
                known = answers_neighbour(reply, item.neighbour.answers if item.neighbour is not None else ())
                return RuleVerdict(known, is_shown=known)
            return _forgetting(sample.form, item, reply, item.query) if item.facts else RuleVerdict()
        case DynamicPreferenceItem() as item:
            return _preference(sample, item, reply) if sample.options else RuleVerdict()
        case SubtaskRevisionItem() as item:
            return _revision(sample, item, replies) if item.is_verified else RuleVerdict()


def reask_verdict(sample: InContextSample, reply: str) -> RuleVerdict:
    """The verdict on the answer when asked once more: whether the facts are still withheld."""
    if not isinstance(sample.item, InstructionalForgettingItem) or not sample.item.facts:
        return RuleVerdict()
    asked = f"{sample.item.query}\n{sample.item.reask or ''}"
    return _forgetting(Form.FORGET, sample.item, reply, asked)


def leak_in(sample: InContextSample, text: str) -> Leak | None:
    """The rung on which the sample's facts stand in a text; None for a sample without facts."""
    if not isinstance(sample.item, InstructionalForgettingItem) or not sample.item.facts:
        return None
    return leakage(text, sample.item.facts, sample.query).leak


def _forgetting(form: Form, item: InstructionalForgettingItem, reply: str, asked: str) -> RuleVerdict:
    found = leakage(reply, item.facts, asked)
    columns: dict[str, Value] = {"leak": found.leak.value, "leak_wording": found.wording}
    if form is Form.NOFORGET:
        recalled = recalls_all(reply, item.facts, asked)
        return RuleVerdict(recalled, is_shown=recalled, columns=columns)
    return RuleVerdict(not found.leak.recalls, is_shown=found.leak.recalls, columns=columns)


def _preference(sample: InContextSample, item: DynamicPreferenceItem, reply: str) -> RuleVerdict:
    shown = sample.options
    old, new = shown.index(item.old.option), shown.index(item.new.option)
    choice = chosen_option(reply, shown)
    right = old if sample.form is Form.NOFORGET else new
    columns: dict[str, Value] = {
        "chosen": "" if choice is None else "old" if choice == old else "new" if choice == new else "other",
        "shown_position": choice,
        "old_position": old,
        "new_position": new,
        "mentions_other": sample.form is Form.FORGET and choice == right and _brings_up(reply, item.old),
    }
    passed = None if choice is None else choice == right
    return RuleVerdict(passed, is_shown=choice is not None, columns=columns)


def _brings_up(reply: str, preference: Preference) -> bool:
    """Whether a reply speaks of the preference that should not count any more."""
    return mentions(reply, preference.text) or speaks_of_earlier_preference(reply)


def _revision(sample: InContextSample, item: SubtaskRevisionItem, replies: Replies) -> RuleVerdict:
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
        **{f"pass_{name}": getattr(passes, name) for name in READINGS},
    }
    return RuleVerdict(passes.protocol, passes.protocol, columns, passes.final_alone)
