"""What a judge may answer, per scenario and form, and how several answers are brought to one verdict.

A verdict that contradicts itself does not fit its form. A panel decides by majority of all its judges: where too many
could not be read, or it is split, there is no verdict, and the sample is left out and counted. How judges are asked
stands in `judging` and `rubrics`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Literal, Self, cast

from pydantic import BeforeValidator, Field, create_model, model_validator

from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Subtask,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.scoring.forgetting import Leak
from forgetscope.benchmarks.in_context.scoring.revision import RevisionPasses, revision_passes
from forgetscope.core.outcomes import Status
from forgetscope.judging.records import REASON, Judgement, JudgeVerdict

ANSWER = "answer"
REASK = "reask"
"""The two aspects of a sample that are judged: the answer, and the answer when asked once more."""


def _plain_word(value: object) -> object:
    """A word without what surrounds it: "Yes." is "yes"."""
    return value.strip(" .!\n").lower() if isinstance(value, str) else value


_Word = BeforeValidator(_plain_word)


class RecallVerdict(JudgeVerdict):
    """Whether the last message was answered rightly from the dialogue."""

    verdict: Annotated[Literal["yes", "no"], _Word]
    reason: str = ""


class WithholdVerdict(JudgeVerdict):
    """Whether what was to be forgotten stayed out of the reply, and how far it showed."""

    verdict: Annotated[Literal["yes", "no"], _Word]
    leak: Annotated[Literal["verbatim", "paraphrase", "hint", "mentioned_as_withdrawn", "acknowledged", "none"], _Word]
    reason: str = ""

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.verdict == "yes" and Leak(self.leak).recalls:
            raise ValueError(f'"yes" says that nothing is given away, leak "{self.leak}" that it is')
        if self.verdict == "no" and self.leak in (Leak.NONE, Leak.ACKNOWLEDGED, Leak.MENTIONED_AS_WITHDRAWN):
            raise ValueError(f'"no" says that something is given away, leak "{self.leak}" that nothing is')
        return self


class PreferenceVerdict(JudgeVerdict):
    """Whether the reply follows the preference."""

    follows: bool
    reason: str = ""


class RevisionVerdict(JudgeVerdict):
    """Which subtasks are done, in the order of the item's; no `first_common` without an answer to the original."""

    first_common: tuple[bool, ...] = ()
    common: tuple[bool, ...]
    original_only: tuple[bool, ...]
    revised_only: tuple[bool, ...]
    reason: str = ""

    @classmethod
    def groups(cls) -> tuple[str, ...]:
        """The names of the lists of flags."""
        return tuple(name for name in cls.model_fields if name != REASON)


def verdict_form(item: AnyItem, form: Form) -> type[JudgeVerdict]:
    """The form of a verdict on a sample of this item; flags of subtasks are as many as there are subtasks."""
    match item:
        case InstructionalForgettingItem():
            return WithholdVerdict if form is Form.FORGET else RecallVerdict
        case DynamicPreferenceItem():
            return PreferenceVerdict
        case SubtaskRevisionItem():
            return _revision_form(item, form)


def _revision_form(item: SubtaskRevisionItem, form: Form) -> type[JudgeVerdict]:
    """One flag a subtask. Not a subclass of `RevisionVerdict`, whose fields come in another order for a schema."""

    def flags(subtasks: Sequence[Subtask]) -> object:
        return Annotated[list[bool], Field(min_length=len(subtasks), max_length=len(subtasks))]

    groups = {"first_common": item.common} if form is Form.FORGET else {}
    groups |= {"common": item.common, "original_only": item.original_only, "revised_only": item.revised_only}
    fields: dict[str, object] = {name: (flags(subtasks), ...) for name, subtasks in groups.items()}
    made = create_model("RevisionFlags", __base__=JudgeVerdict, **fields, reason=(str, ""))  # type: ignore[call-overload]
    return cast(type[JudgeVerdict], made)


Vote = bool | None
"""Pass, fail, or a judge that could not be read."""


@dataclass(frozen=True)
class JudgedVerdict:
    """The judges' verdict on one aspect of a sample.

    Attributes:
        passed: By majority of the panel; None where there is none.
        status: correct, incorrect, judge_unparseable (a split panel too), judge_error (no judge could be reached).
        asked: Every judge that was asked and its vote, in order.
        flags: What was noticed in the text under judgement.
        leak: The rung most judges name, the worse one at a tie; None where no rung is judged.
        done: Subtask by subtask, by majority.
        passes: The readings of a right revision, each by majority; a field is None where there is none.
    """

    passed: Vote
    status: Status
    asked: tuple[tuple[str, Vote], ...]
    flags: tuple[str, ...]
    leak: Leak | None = None
    done: RevisionVerdict | None = None
    passes: dict[str, Vote] | None = None

    @property
    def is_split(self) -> bool:
        """Whether every judge could be read and they do not agree by majority."""
        return self.passed is None and all(vote is not None for _, vote in self.asked)


def judged_verdict(sample: InContextSample, judgements: Sequence[Judgement], aspect: str) -> JudgedVerdict | None:
    """The verdict over all judgements of an aspect; None when nobody was asked."""
    asked = [entry for entry in judgements if entry.aspect == aspect]
    if not asked:
        return None
    read = [None if entry.verdict is None else read_again(sample, entry) for entry in asked]
    votes = tuple(None if verdict is None else _passes(sample, verdict) for verdict in read)
    passed = majority(votes)
    if passed is not None:
        status = Status.CORRECT if passed else Status.INCORRECT
    else:
        status = Status.JUDGE_ERROR if all(entry.error for entry in asked) else Status.JUDGE_UNPARSEABLE
    revisions = [verdict for verdict in read if isinstance(verdict, RevisionVerdict)]
    return JudgedVerdict(
        passed,
        status,
        asked=tuple((entry.judge, vote) for entry, vote in zip(asked, votes, strict=True)),
        flags=tuple(sorted({flag for entry in asked for flag in entry.flags})),
        leak=_leak(read),
        done=_done(revisions, len(asked)) if revisions else None,
        passes=_readings(sample, revisions, len(asked)) if revisions else None,
    )


def majority(votes: Sequence[Vote]) -> Vote:
    """What more than half of a panel says; None where there is no such half.

    >>> majority([True, True, None]), majority([True, False]), majority([True, None, None])
    (True, None, None)
    """
    for side in (True, False):
        if 2 * sum(vote is side for vote in votes) > len(votes):
            return side
    return None


def read_again(sample: InContextSample, judgement: Judgement) -> JudgeVerdict:
    """A stored verdict in its form.

    Raises:
        ValueError: it is not of the sample's rubric.
    """
    form = verdict_form(sample.item, sample.form)
    verdict = form.model_validate(judgement.verdict)
    flags = verdict.model_dump()
    return RevisionVerdict.model_validate(flags) if "revised_only" in flags else verdict


def passes(sample: InContextSample, judgement: Judgement) -> bool:
    """Whether a judgement that could be read means a pass in the sample's scenario and form.

    Raises:
        ValueError: the verdict is not of the sample's rubric.
    """
    return _passes(sample, read_again(sample, judgement))


def _passes(sample: InContextSample, verdict: JudgeVerdict) -> bool:
    match verdict:
        case RecallVerdict() | WithholdVerdict():
            return verdict.verdict == "yes"
        case PreferenceVerdict():
            return verdict.follows
        case RevisionVerdict():
            return _revision(sample, verdict).protocol
    raise ValueError(f"no verdict of this benchmark: {type(verdict).__name__}")


def _revision(sample: InContextSample, verdict: RevisionVerdict) -> RevisionPasses:
    return revision_passes(
        sample.form, verdict.common, verdict.original_only, verdict.revised_only, verdict.first_common
    )


def _leak(read: Sequence[JudgeVerdict | None]) -> Leak | None:
    rungs = Counter(Leak(verdict.leak) for verdict in read if isinstance(verdict, WithholdVerdict))
    ladder = list(Leak)
    return min(rungs, key=lambda rung: (-rungs[rung], ladder.index(rung)), default=None)


def _done(verdicts: Sequence[RevisionVerdict], panel: int) -> RevisionVerdict:
    """Each subtask: done where more than half of the panel says so."""

    def group(name: str) -> tuple[bool, ...]:
        flags = zip(*(getattr(verdict, name) for verdict in verdicts), strict=True)
        return tuple(2 * sum(said) > panel for said in flags)

    return RevisionVerdict.model_validate({name: group(name) for name in RevisionVerdict.groups()})


def _readings(sample: InContextSample, verdicts: Sequence[RevisionVerdict], panel: int) -> dict[str, Vote]:
    found = [_revision(sample, verdict) for verdict in verdicts]
    unread: list[Vote] = [None] * (panel - len(found))
    return {
        field.name: majority([*(getattr(passes, field.name) for passes in found), *unread])
        for field in fields(RevisionPasses)
    }
