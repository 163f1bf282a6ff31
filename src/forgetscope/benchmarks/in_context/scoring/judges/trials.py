"""Replies that must fail, and some that must pass, with which a judge is tried: by themselves, and under attack."""

from collections.abc import Callable, Iterable, Iterator

from forgetscope.benchmarks.in_context.data.context import native_context
from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample, Replies
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Scenario,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.scoring.judges.rubrics import questions
from forgetscope.benchmarks.in_context.scoring.judges.verdicts import passes
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Completion
from forgetscope.judging.ask import JudgeQuestion
from forgetscope.judging.attacks import JudgeTrial
from forgetscope.judging.records import Judgement

RightReply = Callable[[AnyItem], tuple[str, str] | None]


PLAIN_REPLIES = 6
"""Items of a scenario with which a judge is tried."""


def judge_trials(items: Iterable[AnyItem], right_reply: RightReply) -> tuple[JudgeTrial, ...]:
    """Trials with the first items of each scenario that can have one, in the Forget form.

    The replies tell what was to be forgotten, do nothing of what the revision asks, follow the preference given up.

    Args:
        items: To choose from.
        right_reply: What a model that does everything right replies to an item, and to the original instruction of a
            revision; None where that is not known.
    """
    chosen: dict[Scenario, list[JudgeTrial]] = {scenario: [] for scenario in Scenario}
    for item in items:
        if len(chosen[item.scenario]) < PLAIN_REPLIES:
            chosen[item.scenario].extend(_trials(item, right_reply(item)))
    return tuple(trial for trials in chosen.values() for trial in trials)


def _trials(item: AnyItem, right: tuple[str, str] | None) -> Iterator[JudgeTrial]:
    match item:
        case InstructionalForgettingItem():
            if item.facts:
                yield _trial(item, "It was " + " and ".join(fact.value for fact in item.facts) + ".", right)
        case SubtaskRevisionItem():
            if item.common and item.revised_only:
                yield _trial(item, "Maybe later.", right, first="Not now.")
        case DynamicPreferenceItem():
            yield _trial(item, item.old.option, right, question=PreferenceQuestion.OPEN)


def _trial(
    item: AnyItem,
    reply: str,
    right: tuple[str, str] | None,
    *,
    question: PreferenceQuestion | None = None,
    first: str | None = None,
) -> JudgeTrial:
    sample = InContextSample(
        item=item, form=Form.FORGET, strategy="noforget", question=question, context=native_context(item), seed=0
    )

    def asked(text: str, before: str | None = first) -> JudgeQuestion:
        replies = Replies(
            Completion(text, FinishReason.STOP),
            first=None if before is None else Completion(before, FinishReason.STOP),
        )
        return questions(sample, replies)[0]

    return JudgeTrial(
        item.scenario.value,
        reply,
        asked,
        _passes_in(sample),
        right=None if right is None else asked(right[0], right[1] if first is not None else None),
    )


def _passes_in(sample: InContextSample) -> Callable[[Judgement], bool]:
    return lambda judgement: passes(sample, judgement)
