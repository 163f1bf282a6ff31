"""What judges said of a sample, brought to one verdict. How they are asked stands in `judging` and `rubrics`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from forgetbench.benchmarks.in_context.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
)
from forgetbench.benchmarks.in_context.revision import revision_passes
from forgetbench.benchmarks.in_context.samples import InContextSample
from forgetbench.judging.records import Judgement
from forgetbench.outcomes import Status

ANSWER = "answer"
REASK = "reask"


@dataclass(frozen=True)
class JudgedVerdict:
    """The judges' verdict on one aspect of a sample.

    Attributes:
        passed: By majority of the judges that could be read; None when none could, or at a tie.
        status: correct, incorrect, judge_unparseable, judge_error.
        names, votes: Of the judges that could be read.
        flags: What was noticed in the text under judgement.
    """

    passed: bool | None
    status: Status
    names: tuple[str, ...]
    votes: tuple[bool, ...]
    flags: tuple[str, ...]


def judged_verdict(sample: InContextSample, judgements: Sequence[Judgement], aspect: str) -> JudgedVerdict | None:
    """The verdict over all judgements of an aspect; None when nobody was asked."""
    asked = [entry for entry in judgements if entry.aspect == aspect]
    if not asked:
        return None
    read = [(entry.judge, passes(sample, entry)) for entry in asked if entry.verdict is not None]
    votes = tuple(vote for _, vote in read)
    flags = tuple(sorted({flag for entry in asked for flag in entry.flags}))
    names = tuple(name for name, _ in read)
    if 2 * sum(votes) == len(votes):
        unreachable = all(entry.error for entry in asked)
        return JudgedVerdict(None, Status.JUDGE_ERROR if unreachable else Status.JUDGE_UNPARSEABLE, names, votes, flags)
    passed = 2 * sum(votes) > len(votes)
    return JudgedVerdict(passed, Status.CORRECT if passed else Status.INCORRECT, names, votes, flags)


def passes(sample: InContextSample, judgement: Judgement) -> bool:
    """Whether a judgement that could be read means a pass in the sample's scenario and form.

    Raises:
        ValueError: the verdict is not of the sample's rubric.
    """
    verdict = judgement.verdict or {}
    match sample.item:
        case InstructionalForgettingItem():
            return _flag(verdict, "verdict", judgement) == "yes"
        case DynamicPreferenceItem():
            return _flag(verdict, "follows", judgement) is True
        case SubtaskRevisionItem():
            groups = [_flags(verdict, name) for name in ("common", "original_only", "revised_only", "first_common")]
            return revision_passes(sample.form, *groups).protocol


def _flag(verdict: Mapping[str, JsonValue], name: str, judgement: Judgement) -> JsonValue:
    if name not in verdict:
        raise ValueError(f"a verdict by {judgement.rubric} has no {name!r}: {sorted(verdict)}")
    return verdict[name]


def _flags(verdict: Mapping[str, JsonValue], name: str) -> tuple[bool, ...]:
    held = verdict.get(name, [])
    return tuple(entry is True for entry in held) if isinstance(held, list) else ()
