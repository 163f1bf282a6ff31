"""What a record gives by itself: its words, its checker, a reply that follows and one that breaks it."""

import pytest

from forgetscope.checkers import (
    CONSTRAINTS,
    FOLLOWED,
    Behaviour,
    Constraint,
    NoParameters,
    Parameters,
    Verdict,
    broken,
    construct,
    registry,
)
from forgetscope.core.errors import UnknownNameError
from forgetscope.core.registry import Registry


def judge(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    del behaviour
    return FOLLOWED if reply.endswith("?") else broken("no question")


QUESTION = Constraint(
    "ours:question",
    NoParameters,
    judge,
    wording="Ask something.",
    wish=lambda _, wishes: wishes.finish.append(lambda text: text + "?"),
)


@pytest.fixture
def _with_question(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Registry("constraint", "forgetscope.none", {**CONSTRAINTS, QUESTION.instruction_id: QUESTION}, Constraint)
    for module in (registry, construct):
        monkeypatch.setattr(module, "CONSTRAINTS", known)


@pytest.mark.usefixtures("_with_question")
def test_a_constraint_that_finishes_the_text_holds_beside_those_that_shape_it() -> None:
    beside: list[tuple[str, dict[str, object]]] = [("ours:question", {}), ("punctuation:no_comma", {})]
    assert construct.compose(beside, prompt="", body="One, two") == "One two?"
    assert construct.compose([*beside, ("startend:quotation", {})], prompt="") is None
    assert construct.violate("ours:question", {}, prompt="", body="One") == "Here it comes.\n\nOne\n\nThat Was All."


def test_a_wording_names_lists_with_commas_and_relations_in_words() -> None:
    text = CONSTRAINTS["keywords:existence"].text({"keywords": ["tea", "milk"]})
    assert text == "Include each of these keywords in your response: tea, milk."
    words = CONSTRAINTS["length_constraints:number_words"]
    assert words.text({"relation": "less than", "num_words": 5}) == "Write fewer than 5 words in your response."
    with pytest.raises(UnknownNameError, match="unknown relation; found 'about'"):
        words.text({"relation": "about", "num_words": 5})
    with pytest.raises(KeyError, match="num_words"):
        words.text({"relation": "at least"})


def test_a_short_name_is_the_papers_or_the_end_of_the_id() -> None:
    assert QUESTION.name == "question"
    assert CONSTRAINTS["detectable_format:number_highlighted_sections"].name == "num_highlighted"
    assert (QUESTION.in_paper, QUESTION.category, QUESTION.stacked) == (False, None, None)


def test_every_wording_names_every_parameter() -> None:
    for entry in CONSTRAINTS.values():
        assert issubclass(entry.parameters, Parameters)
        for field in entry.parameters.model_fields:
            assert f"{{{field}}}" in entry.wording
