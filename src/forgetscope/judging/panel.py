"""Several judges on several questions: all of them asked, each verdict kept by itself; and who may judge at all."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from forgetscope.core.errors import SettingError
from forgetscope.judging.ask import JudgeQuestion, ask
from forgetscope.judging.records import Judgement

if TYPE_CHECKING:
    from inspect_ai.model import Model

GRADER = "grader"
"""Inspect's model role of the judges; several models of this role are a panel."""


def bound_judges(*, under_test: str, allow_self: bool = False) -> "list[Model]":
    """The models of the role `grader` in the running task.

    Raises:
        SettingError: none is bound, one is bound twice, or one is the model under test.
    """
    from inspect_ai.model import model_roles

    bound = model_roles().get(GRADER)
    if bound is None:
        raise SettingError(
            "no judge",
            where=f"model role {GRADER}",
            next_step="--judge MODEL, or --model-role grader=MODEL with Inspect",
        )
    judges = bound if isinstance(bound, list) else [bound]
    require_judges([str(judge) for judge in judges], under_test=under_test, allow_self=allow_self)
    return judges


def require_judges(names: Iterable[str], *, under_test: str, allow_self: bool) -> None:
    """Refuse judges that cannot be meant.

    Raises:
        SettingError: a judge named twice (its two votes would be one), or the model under test, unless allowed.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SettingError("a judge is named twice", where="--judge", found=name, allowed="each judge once")
        seen.add(name)
        if name == under_test and not allow_self:
            raise SettingError(
                "a model must not judge itself",
                where="--judge",
                found=name,
                next_step="name another model, or allow it with --allow-self-judge (-T allow_self_judge=true)",
            )


async def judge_all(
    judges: "Sequence[Model]", questions: Sequence[JudgeQuestion], *, max_tokens: int | None = None
) -> list[Judgement]:
    """The judgement of every judge on every question, by question, in the order of the judges."""
    asked = [ask(judge, str(judge), question, max_tokens=max_tokens) for question in questions for judge in judges]
    return list(await asyncio.gather(*asked))
