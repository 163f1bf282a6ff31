"""What judges said of a sample, brought to one verdict. How they are asked stands in `judging` and `rubrics`.

A panel decides by majority of all its judges: where too many could not be read, or it is split, there is no verdict,
and the sample is left out and counted.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

from forgetscope.benchmarks.in_context.data.samples import InContextSample
from forgetscope.benchmarks.in_context.scoring.judges.forms import (
    PreferenceVerdict,
    RecallVerdict,
    RevisionVerdict,
    WithholdVerdict,
    verdict_form,
)
from forgetscope.benchmarks.in_context.scoring.rules.facts import Leak
from forgetscope.benchmarks.in_context.scoring.rules.revision import RevisionPasses, revision_passes
from forgetscope.core.outcomes import Status
from forgetscope.judging.records import Judgement, JudgeVerdict

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
