"""Subtask revision: which subtasks are done, and what of that is right; by rule and by judge alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample, Replies
from forgetscope.benchmarks.in_context.data.items import Subtask, SubtaskRevisionItem
from forgetscope.benchmarks.in_context.scoring import RuleVerdict
from forgetscope.benchmarks.in_context.scoring.requested import is_attempt, requested_text
from forgetscope.checkers import Behaviour, check
from forgetscope.core.results import Value

READINGS = ("without_clause", "none_of_original", "clause_both_forms")
"""The readings of a right answer that the paper leaves open beside the headline; each is a column `pass_*`."""

ALL_OF_THE_REPLY = frozenset({"detectable_format:json_format", "reader:json"})
"""Checks that also the chat around a text breaks."""


@dataclass(frozen=True)
class RevisionPasses:
    """The readings of a right answer in subtask revision.

    Attributes:
        protocol: As protocols.md fixes it; the headline.
        without_clause: Without "not all original-only subtasks are done".
        none_of_original: None of the original-only subtasks is done, in the Forget form.
        clause_both_forms: "Not all" asked of the NoForget form as well.
        final_alone: The headline without asking anything of the answer to the original instruction. Where that answer
            was cut off and this holds, the cut decided.
    """

    protocol: bool
    without_clause: bool
    none_of_original: bool
    clause_both_forms: bool
    final_alone: bool


def revision_verdict(sample: InContextSample, item: SubtaskRevisionItem, replies: Replies) -> RuleVerdict:
    """The verdict on both answers; none where a subtask has no check."""
    if not item.is_verified:
        return RuleVerdict()
    reply = replies.answer.reply
    common = subtasks_done(reply, item.common, sample.query)
    revised = subtasks_done(reply, item.revised_only, sample.query)
    original = subtasks_done(reply, item.original_only, sample.query)
    first = subtasks_done(replies.first.reply, item.common, item.original) if replies.first else ()
    passes = revision_passes(sample.form, common, original, revised, first)
    columns: dict[str, Value] = {
        "common_done": list(common),
        "original_only_done": list(original),
        "revised_only_done": list(revised),
        "first_common_done": list(first),
        **{f"pass_{name}": getattr(passes, name) for name in READINGS},
    }
    return RuleVerdict(passes.protocol, passes.protocol, columns, passes.final_alone)


def revision_passes(
    form: Form, common: Sequence[bool], original: Sequence[bool], revised: Sequence[bool], first: Sequence[bool]
) -> RevisionPasses:
    """Right or wrong by subtasks done; `first` are the common ones in the answer to the original instruction.

    With no original-only subtask the last clause holds.

    Raises:
        ValueError: in the Forget form, `first` and `common` are not equally many.

    >>> revision_passes(Form.FORGET, [True], [True, False], [True], [True]).protocol
    True
    """
    done = all(common) and all(revised)
    not_all = not original or not all(original)
    if form is Form.NOFORGET:
        return RevisionPasses(done, done, done, done and not_all, done)
    if len(first) != len(common):
        raise ValueError(f"{len(common)} common subtasks, {len(first)} judged in the answer to the original")
    both = done and all(first)
    return RevisionPasses(both and not_all, both, both and not any(original), both and not_all, done and not_all)


def subtasks_done(reply: str, subtasks: Sequence[Subtask], instruction: str = "") -> tuple[bool, ...]:
    """For each subtask whether its check holds in the text that was asked for; none does where there is none.

    Args:
        reply: The whole reply; what has to be all of it, such as JSON for a machine, is looked for in the whole, and
            last words at its end: an offer of help after them is more of the text unless a rule parts it off.
        subtasks: The subtasks.
        instruction: What was asked for; said back, it is no answer.

    Raises:
        ValueError: a subtask has no check.
    """
    text, ending = requested_text(reply), requested_text(reply, to_its_end=True)
    tried = is_attempt(reply, instruction)
    done = []
    for subtask in subtasks:
        if subtask.check is None:
            raise ValueError(f"no machine check for subtask {subtask.text!r}")
        kind = subtask.check.type
        seen = reply if kind in ALL_OF_THE_REPLY else ending if kind == "reader:closing" else text
        done.append(
            tried and check(subtask.check.type, subtask.check.kwargs, seen, behaviour=Behaviour.REPAIRED).followed
        )
    return tuple(done)
