"""Several judges on several questions: all of them asked, each verdict kept by itself."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from forgetbench.errors import SettingError
from forgetbench.judging.ask import Question, ask
from forgetbench.judging.records import Judgement

if TYPE_CHECKING:
    from inspect_ai.model import Model

GRADER = "grader"
"""Inspect's model role of the judges; several models of this role are a panel."""


def bound_judges() -> "list[Model]":
    """The models of the role `grader` in the running task.

    Raises:
        SettingError: none is bound. The model under test never judges itself silently.
    """
    from inspect_ai.model import model_roles

    bound = model_roles().get(GRADER)
    if bound is None:
        raise SettingError(
            "no judge",
            where=f"model role {GRADER}",
            next_step="--judge MODEL, or --model-role grader=MODEL with Inspect",
        )
    return bound if isinstance(bound, list) else [bound]


async def judge_all(judges: "Sequence[Model]", questions: Sequence[Question]) -> list[Judgement]:
    """The judgement of every judge on every question, by question, in the order of the judges."""
    asked = [ask(judge, str(judge), question) for question in questions for judge in judges]
    return list(await asyncio.gather(*asked))
