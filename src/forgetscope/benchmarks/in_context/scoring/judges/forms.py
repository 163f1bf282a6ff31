"""The forms of a judge's verdict, per scenario and form. A verdict that contradicts itself does not fit its form."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self, cast

from pydantic import BeforeValidator, Field, create_model, model_validator

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Subtask,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.scoring.rules.facts import Leak
from forgetscope.judging.records import REASON, JudgeVerdict

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
    leak: Annotated[Literal["verbatim", "paraphrase", "hint", "acknowledged", "none"], _Word]
    reason: str = ""

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.verdict == "yes" and Leak(self.leak).recalls:
            raise ValueError(f'"yes" says that nothing is given away, leak "{self.leak}" that it is')
        if self.verdict == "no" and self.leak in (Leak.NONE, Leak.ACKNOWLEDGED):
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
