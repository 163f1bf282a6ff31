"""From a verdict and the reply it is about to the sample's status (protocols.md, section 0).

The order matters: how the call ended, then what the reply shows by itself, then whether it can be read at all, then
whether it is a blanket decline, and only then the verdict.
"""

from forgetscope.benchmarks.in_context.scoring.judges.verdicts import JudgedVerdict
from forgetscope.benchmarks.in_context.scoring.readable import Unreadable
from forgetscope.benchmarks.in_context.scoring.rules.facts import speaks_of_not_knowing
from forgetscope.benchmarks.in_context.scoring.rules.verdicts import RuleVerdict
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.refusals import is_refusal
from forgetscope.core.results import Completion, status_of_call


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
    if is_refusal(reply.reply) and not speaks_of_not_knowing(reply.reply):
        return Status.REFUSED
    return verdict
