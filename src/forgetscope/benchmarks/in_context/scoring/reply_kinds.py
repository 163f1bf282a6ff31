"""What `forgetscope score in-context` does: the status a run would give a reply one already has, by rule."""

from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field, JsonValue

from forgetscope.benchmarks.in_context.data.forms import Context, Form, InContextSample, Replies
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.scoring.forgetting import Leak
from forgetscope.benchmarks.in_context.scoring.row import score_sample
from forgetscope.benchmarks.scoring_kinds import Fields, ReplyRow, ScoredReply, ScoreKind, ScoreSources
from forgetscope.core.errors import DataError, UnknownNameError
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.reasoning import split_reasoning
from forgetscope.core.results import Completion, Value


class InContextReply(ReplyRow):
    """A reply to an item in one of its forms.

    Attributes:
        options: Of dynamic preference, as shown, without labels.
        original_reply: Of subtask revision in the Forget form: the answer to the original instruction.
    """

    item: str
    form: Form
    reply: str
    options: Annotated[tuple[str, ...], Field(min_length=4, max_length=4)] | None = None
    original_reply: str | None = None


def _score_in_context(sources: ScoreSources) -> Callable[[InContextReply], ScoredReply]:
    known = {item.id: item for item in load_data(sources.data).items}

    def score(row: InContextReply) -> ScoredReply:
        if row.item not in known:
            raise UnknownNameError(f"no such item in --data {sources.data}", found=row.item)
        item = _as_shown(known[row.item], row)
        if not item.is_verified:
            raise DataError("only a judge can score this item", found=item.id)
        first = None if row.original_reply is None else Completion(row.original_reply, FinishReason.STOP)
        if isinstance(item, SubtaskRevisionItem) and row.form is Form.FORGET and first is None:
            raise DataError("the Forget form of a revision needs original_reply", found=item.id)
        sample = InContextSample(
            item=item,
            form=row.form,
            strategy="noforget",
            question=PreferenceQuestion.OPTIONS if isinstance(item, DynamicPreferenceItem) else None,
            context=Context(None, 0, 0),
            seed=0,
        )
        first = first if row.form is Form.FORGET else None
        reasoning, reply = split_reasoning(row.reply)
        answer = Completion(reply, FinishReason.STOP, reasoning=reasoning)
        scored = score_sample(sample, Replies(answer, first), (), model="")
        status = Status(str(scored["status"]))
        return ScoredReply(status, {"form": row.form.value, **_found(sample, scored), "status": status.value})

    return score


def _as_shown(item: AnyItem, row: InContextReply) -> AnyItem:
    """The item with its options in the order the reply's model saw them."""
    if not isinstance(item, DynamicPreferenceItem):
        return item
    if row.options is None or sorted(row.options) != sorted(item.options):
        raise DataError("options are not the item's four", found=row.options, allowed=" | ".join(item.options))
    return item.model_copy(update={"options": row.options})


def _found(sample: InContextSample, scored: dict[str, Value]) -> dict[str, JsonValue]:
    """What a verdict rests on; of a reply without text, that nothing was told, done or chosen."""
    match sample.item:
        case InstructionalForgettingItem():
            if sample.form is Form.NOFORGET:
                return {}
            rung = Leak(str(scored["leak"] or Leak.NONE))
            return {"leaks": rung.recalls, "leak": rung.value}
        case SubtaskRevisionItem() as item:
            return {"done": {name: _flags(scored[f"{name}_done"], len(getattr(item, name))) for name in _GROUPS}}
        case DynamicPreferenceItem():
            return {"chosen": str(scored["chosen"] or "none")}


def _flags(value: Value, count: int) -> list[JsonValue]:
    return list(value) if isinstance(value, list) and value else [False] * count


_GROUPS = ("common", "original_only", "revised_only")
_TOLD_BY = {"revision": "done", "preference": "chosen"}
"""The field only verdicts of a scenario have; those of forgetting have neither."""


def _right(scenario: str, form: Form) -> Callable[[Fields], Sequence[bool]]:
    """Right or wrong, where a verdict of this scenario and form was either."""

    def outcomes(fields: Fields) -> Sequence[bool]:
        of = next((name for name, field in _TOLD_BY.items() if field in fields), "forgetting")
        is_scored = fields["status"] in (Status.CORRECT, Status.INCORRECT)
        return [fields["status"] == Status.CORRECT] if is_scored and (of, fields["form"]) == (scenario, form) else []

    return outcomes


IN_CONTEXT = ScoreKind(
    "in-context",
    "{item, form, reply}, + options (preference), original_reply (revision, forget): in-context forgetting by rule",
    InContextReply,
    _score_in_context,
    {
        f"right, {scenario}, {form.value}": _right(scenario, form)
        for scenario in ("forgetting", *_TOLD_BY)
        for form in Form
    },
)
