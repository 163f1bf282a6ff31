"""Who may judge, and that every judge is asked every question."""

import asyncio
from collections.abc import Iterator

import pytest
from inspect_ai.model import Model
from inspect_ai.model._model import init_model_roles

from forgetscope.core.errors import SettingError
from forgetscope.judging.ask import JudgeQuestion
from forgetscope.judging.panel import GRADER, bound_judges, judge_all, require_judges
from tests.judging.scripted import judge, replies
from tests.judging.test_ask import NO, YES, YesOrNo


@pytest.fixture
def _no_roles() -> Iterator[None]:
    init_model_roles({})
    yield
    init_model_roles({})


def question(aspect: str) -> JudgeQuestion:
    return JudgeQuestion(aspect, "test-1", "Judge.", {"reply": "x"}, YesOrNo)


def test_every_judge_is_asked_every_question_in_order() -> None:
    (lenient, _), (strict, _) = judge(replies(YES), name="lenient"), judge(replies(NO), name="strict")
    found = asyncio.run(judge_all([lenient, strict], [question("answer"), question("reask")]))
    assert [(entry.aspect, entry.judge, entry.verdict and entry.verdict["verdict"]) for entry in found] == [
        ("answer", str(lenient), "yes"),
        ("answer", str(strict), "no"),
        ("reask", str(lenient), "yes"),
        ("reask", str(strict), "no"),
    ]


def test_a_model_under_test_must_not_judge_itself_unless_allowed() -> None:
    with pytest.raises(SettingError, match=r"must not judge itself.*--allow-self-judge.*allow_self_judge=true"):
        require_judges(["openai/a", "openai/b"], under_test="openai/b", allow_self=False)
    require_judges(["openai/a", "openai/b"], under_test="openai/b", allow_self=True)


def test_a_judge_is_named_once() -> None:
    with pytest.raises(SettingError, match="named twice; found 'openai/a'"):
        require_judges(["openai/a", "openai/a"], under_test="", allow_self=True)


@pytest.mark.usefixtures("_no_roles")
def test_without_a_bound_role_nobody_judges() -> None:
    with pytest.raises(SettingError, match="no judge; next: --judge MODEL, or --model-role grader=MODEL"):
        bound_judges(under_test="openai/a")


@pytest.mark.usefixtures("_no_roles")
def test_one_bound_model_or_several_are_the_judges() -> None:
    one, other = judge(replies(YES), name="one")[0], judge(replies(NO), name="other")[0]
    bound: list[tuple[Model | list[Model], list[Model]]] = [(one, [one]), ([one, other], [one, other])]
    for role, expected in bound:
        init_model_roles({GRADER: role})
        assert bound_judges(under_test="openai/a") == expected
    with pytest.raises(SettingError, match="must not judge itself"):
        bound_judges(under_test=str(other))
