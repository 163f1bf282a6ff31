"""Replies that follow or break by construction, and the checkers' agreement with that."""

from pathlib import Path

import pytest

from forgetscope.checkers import CONSTRAINTS, Behaviour, PromptSpec, check, check_prompt, read_prompts
from forgetscope.checkers.construct import BODY, compose, satisfy, violate
from forgetscope.core.errors import SettingError
from tests.checkers.test_cases import CASES

BODIES = (BODY, "Problem 1: 1,215\nProblem 2: 18\nThe answer is B", "- One. *Two*? Three!\n\n***\n\nÜbrigens, ß.")
OWN = [(case[0], case[1]) for case in CASES]

# Their request, which the reply must repeat, holds what another of their instructions excludes.
CONFLICTING_IN_IFEVAL = {374, 1627, 3369, 3371, 3718}


@pytest.mark.parametrize("body", BODIES, ids=["plain", "problems", "messy"])
@pytest.mark.parametrize(("instruction_id", "kwargs"), OWN, ids=[entry[0] for entry in OWN])
def test_what_is_built_to_follow_follows_and_what_is_built_to_break_does_not(
    instruction_id: str, kwargs: dict[str, object], body: str
) -> None:
    good, bad = (build(instruction_id, kwargs, prompt="p", body=body) for build in (satisfy, violate))
    for behaviour in Behaviour:
        assert check(instruction_id, kwargs, good, behaviour=behaviour).followed
        verdict = check(instruction_id, kwargs, bad, behaviour=behaviour)
        assert not verdict.followed
        assert verdict.reason
    assert satisfy(instruction_id, kwargs, prompt="p", body=body) == good


def test_every_type_can_be_built() -> None:
    assert {entry[0] for entry in OWN} == set(CONSTRAINTS)


@pytest.mark.parametrize("name", [entry.instruction_id for entry in CONSTRAINTS.values() if entry.in_paper])
def test_the_answer_stays_readable_in_every_type_of_the_paper(name: str) -> None:
    kwargs = next(kwargs for instruction_id, kwargs in OWN if instruction_id == name)
    if name == "length_constraints:number_words":
        kwargs = {"num_words": 50, "relation": "less than"}
    body = "The answer is 1,215"
    for build in (satisfy, violate):
        plain = build(name, kwargs, prompt="p", body=body).lower().replace(",", "")
        assert "the answer is 1215" in plain


def test_instructions_that_cannot_hold_together_give_none() -> None:
    assert compose([("change_case:english_capital", {}), ("change_case:english_lowercase", {})], prompt="p") is None
    repeat = ("combination:repeat_prompt", {"prompt_to_repeat": "One, two"})
    assert compose([repeat, ("punctuation:no_comma", {})], prompt="p") is None
    with pytest.raises(SettingError, match="no reply can be built that follows length_constraints:number_words"):
        satisfy("length_constraints:number_words", {"num_words": 0, "relation": "less than"}, prompt="p")


def test_an_instruction_every_text_follows_is_broken_by_the_empty_reply() -> None:
    kwargs = {"num_sentences": 1, "relation": "at least"}
    assert violate("length_constraints:number_sentences", kwargs, prompt="p") == ""


def test_many_instructions_hold_together() -> None:
    instructions: list[tuple[str, dict[str, object]]] = [
        ("change_case:english_lowercase", {}),
        ("detectable_format:title", {}),
        ("punctuation:no_comma", {}),
        ("detectable_content:number_placeholders", {"num_placeholders": 3}),
        ("detectable_format:number_highlighted_sections", {"num_highlights": 2}),
        ("length_constraints:number_words", {"num_words": 60, "relation": "at least"}),
        ("keywords:existence", {"keywords": ["farm"]}),
        ("startend:end_checker", {"end_phrase": "Peace!"}),
        ("detectable_format:number_bullet_lists", {"num_bullets": 4}),
    ]
    reply = compose(instructions, prompt="p", body="Problem 1: 1,215")
    assert reply is not None
    assert "problem 1: 1215" in reply
    assert all(check(name, kwargs, reply).followed for name, kwargs in instructions)


@pytest.fixture(scope="module")
def ifeval(real_data: Path) -> list[PromptSpec]:
    return read_prompts(real_data / "ifeval" / "input_data.jsonl")


def test_all_834_instructions_of_ifeval_are_followed_and_broken_by_construction(ifeval: list[PromptSpec]) -> None:
    compared = 0
    for spec in ifeval:
        for name, kwargs in zip(spec.instruction_id_list, spec.kwargs, strict=True):
            assert check(name, kwargs, satisfy(name, kwargs, prompt=spec.prompt)).followed, (spec.key, name)
            assert not check(name, kwargs, violate(name, kwargs, prompt=spec.prompt)).followed, (spec.key, name)
            compared += 1
    assert compared == 834


def test_all_541_prompts_of_ifeval_hold_as_a_whole_but_for_the_listed_ones(ifeval: list[PromptSpec]) -> None:
    impossible = set()
    for spec in ifeval:
        reply = compose(list(zip(spec.instruction_id_list, spec.kwargs, strict=True)), prompt=spec.prompt)
        if reply is None:
            impossible.add(spec.key)
        else:
            assert check_prompt(spec, reply).followed_strict, spec.key
    assert impossible == CONFLICTING_IN_IFEVAL
