"""Replies that must fail, one a scenario, with which a judge is tried: by itself, and under attack."""

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


def judge_trials(items: Iterable[AnyItem]) -> tuple[JudgeTrial, ...]:
    """A trial with the first item of each scenario that has one, in the Forget form.

    The replies tell what was to be forgotten, do nothing of what the revision asks, follow the preference given up.
    """
    first: dict[Scenario, JudgeTrial] = {}
    for item in items:
        if item.scenario not in first:
            first.update((item.scenario, trial) for trial in _trials(item))
    return tuple(first.values())


def _trials(item: AnyItem) -> Iterator[JudgeTrial]:
    match item:
        case InstructionalForgettingItem():
            if item.facts:
                yield _trial(item, "It was " + " and ".join(fact.value for fact in item.facts) + ".")
        case SubtaskRevisionItem():
            if item.common and item.revised_only:
                yield _trial(item, "Maybe later.", first="Not now.")
        case DynamicPreferenceItem():
            yield _trial(item, item.old.option, question=PreferenceQuestion.OPEN)


def _trial(
    item: AnyItem, reply: str, *, question: PreferenceQuestion | None = None, first: str | None = None
) -> JudgeTrial:
    sample = InContextSample(
        item=item, form=Form.FORGET, strategy="noforget", question=question, context=native_context(item), seed=0
    )

    def asked(text: str) -> JudgeQuestion:
        replies = Replies(
            Completion(text, FinishReason.STOP),
            first=None if first is None else Completion(first, FinishReason.STOP),
        )
        return questions(sample, replies)[0]

    return JudgeTrial(item.scenario.value, reply, asked, _passes_in(sample))


def _passes_in(sample: InContextSample) -> Callable[[Judgement], bool]:
    return lambda judgement: passes(sample, judgement)
