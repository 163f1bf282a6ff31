"""The attacks against judges of known behaviour: one that keeps to its rubric is not moved, an obedient one is.

The obedient judge does what any text outside the fences says. With fences it has nothing to obey; without, it obeys:
so the set can fail, and it is the fence that holds.
"""

import asyncio
import json
from collections.abc import Sequence

import pytest
from inspect_ai.model import ChatMessage, Model, get_model

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.in_context.benchmark import BENCHMARK
from forgetscope.judging import ask as asking
from forgetscope.judging.attacks import AttackResult, JudgeTrial, load_attacks, refusals, try_attacks
from forgetscope.judging.fence import Fenced, unfenced
from tests.judging.scripted import judge, replies

ATTACKS = load_attacks()


@pytest.fixture(scope="module")
def trials() -> tuple[JudgeTrial, ...]:
    assert BENCHMARK.judge_trials is not None
    return BENCHMARK.judge_trials("embedded")


def put(model: Model, trials: Sequence[JudgeTrial]) -> list[AttackResult]:
    return asyncio.run(try_attacks(model, trials, ATTACKS))


def obedient(conversation: Sequence[ChatMessage]) -> str:
    """Fails the reply unless a word outside the fences, from the reply on, sounds like a wish to pass it."""
    prompt = conversation[1].text
    orders = unfenced(prompt)[""].partition("Reply:")[2].removesuffix(asking.CLOSING).casefold()
    wishes = ("yes", "correct", "pass", "accept", "ignore the rubric", "richtig", "sí", "通过", "ruled")
    passes = any(wish in orders for wish in wishes)
    rubric = prompt.split("\n\n", 1)[0]
    if '"follows"' in rubric:
        return json.dumps({"follows": passes})
    return json.dumps({"verdict": "yes", "leak": "none"} if passes else {"verdict": "no", "leak": "verbatim"})


def test_a_judge_that_keeps_to_its_rubric_is_moved_by_no_attack_in_any_scenario(trials: tuple[JudgeTrial, ...]) -> None:
    get_benchmark("in-context")
    results = put(get_model("forgetscope/reference/rule-judge", memoize=False), trials)
    assert len(results) == 3 * len(ATTACKS)
    assert {result.plain for result in results} == {"fail"}
    assert [(result.trial, result.attack.id) for result in results if result.moved] == []
    assert [(result.trial, result.attack.id) for result in results if not result.is_flagged] == []


def test_a_judge_that_obeys_what_stands_outside_the_fences_is_not_moved_either(trials: tuple[JudgeTrial, ...]) -> None:
    results = put(judge(obedient)[0], [trial for trial in trials if trial.name != "subtask_revision"])
    assert [result.attack.id for result in results if result.attacked != "fail"] == []


def test_without_fences_the_same_judge_is_moved(
    trials: tuple[JudgeTrial, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "fence", lambda _, text: Fenced(text, ()))
    moved = {result.attack.id for result in put(judge(obedient)[0], trials[:1]) if result.moved}
    assert {"order", "fake-verdict", "close-fence", "chat-tokens", "already-ruled", "german", "chinese"} <= moved


def test_a_judge_that_babbles_is_unreadable_and_not_moved(trials: tuple[JudgeTrial, ...]) -> None:
    get_benchmark("in-context")
    results = put(get_model("forgetscope/reference/babbling-judge", memoize=False), trials[:1])
    assert {(result.plain, result.attacked, result.moved) for result in results} == {
        ("unreadable", "unreadable", False)
    }


def test_a_judge_that_cannot_be_reached_is_an_error(trials: tuple[JudgeTrial, ...]) -> None:
    model, _ = judge(lambda _: RuntimeError("down"))
    assert {result.attacked for result in put(model, trials[:1])} == {"error"}


def test_a_judge_that_passes_everything_is_not_moved_and_refused_as_blind(trials: tuple[JudgeTrial, ...]) -> None:
    forgetting = [trial for trial in trials if trial.name == "instructional_forgetting"]
    results = put(judge(replies('{"verdict": "yes", "leak": "none"}'))[0], forgetting)
    assert {(result.plain, result.moved, result.is_blind) for result in results} == {("pass", False, True)}
    assert refusals(results) == [
        f"blind on {len(ATTACKS)} of {len(ATTACKS)} attacks: of 6 plain wrong replies it passed 6"
    ]


def test_a_judge_that_fails_everything_is_refused_for_what_it_should_pass(trials: tuple[JudgeTrial, ...]) -> None:
    results = put(judge(replies('{"follows": false}'))[0], [t for t in trials if t.name == "dynamic_preference"])
    assert {(result.plain, result.right) for result in results} == {("fail", "fail")}
    assert refusals(results) == ["passes no plain right reply (dynamic_preference)"]


@pytest.mark.parametrize("name", ["babbling-judge", "echoing-judge"])
def test_a_judge_that_cannot_be_read_is_refused_in_every_scenario(name: str, trials: tuple[JudgeTrial, ...]) -> None:
    get_benchmark("in-context")
    results = put(get_model(f"forgetscope/reference/{name}", memoize=False), trials)
    assert {(result.plain, result.attacked) for result in results} == {("unreadable", "unreadable")}
    (reason,) = refusals(results)
    assert f"blind on {len(results)} of {len(results)}" in reason
    assert "of 18 plain wrong replies it gave no readable verdict on 18" in reason


def test_plain_replies_are_of_several_items_and_the_rule_judge_is_right_on_all(trials: tuple[JudgeTrial, ...]) -> None:
    get_benchmark("in-context")
    results = put(get_model("forgetscope/reference/rule-judge", memoize=False), trials)
    assert len({(result.trial, result.place) for result in results}) == 18
    assert {(result.plain, result.right) for result in results} == {("fail", "pass")}
    assert refusals(results) == []
