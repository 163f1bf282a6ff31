"""The reference models and judges do what their names say, on every embedded item."""

import json

import pytest

from forgetscope.benchmarks.in_context.data.forms import NO_FILLER, Form, InContextSample, Replies
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Scenario,
)
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.listed import REFERENCE_JUDGES, REFERENCE_MODELS
from forgetscope.benchmarks.in_context.scoring.judges.rubrics import questions
from forgetscope.benchmarks.in_context.scoring.row import score_sample
from forgetscope.benchmarks.in_context.validation.reference import (
    REFUSAL,
    publish_answer_key,
    respond,
)
from forgetscope.benchmarks.in_context.validation.reference_judges import respond as judge
from forgetscope.judging.ask import read_verdict
from tests.benchmarks.in_context.small_items import FORGETTING, said, sample

ITEMS = load_data("embedded").items
EACH = pytest.mark.parametrize("item", ITEMS, ids=[item.id for item in ITEMS])


@pytest.fixture(autouse=True)
def _items_are_known() -> None:
    publish_answer_key(ITEMS)


def answered(name: str, of: InContextSample) -> Replies:
    """What a reference model says to a sample, turn by turn."""
    conversation = [("system", "You are an assistant.")]
    first = None
    for turn in of.turns(NO_FILLER):
        text = respond(name, conversation) if turn.live else turn.content
        assert text is not None
        first = said(text) if turn.live else first
        conversation.append((turn.role, text))
    reply = respond(name, conversation)
    assert reply is not None
    return Replies(said(reply), first=first)


def status(name: str, of: InContextSample) -> object:
    return score_sample(of, answered(name, of), (), model=name)["status"]


EXPECTED = {
    "perfect-forgetter": dict.fromkeys(Scenario, (1, 1)),
    "stubborn": dict.fromkeys(Scenario, (1, 0)),
    "amnesiac": dict(zip(Scenario, ((0, 1), (1, 1), (0, 0)), strict=True)),
}
"""Right in the NoForget and in the Forget form (protocols.md, section 1)."""


@EACH
@pytest.mark.parametrize("name", list(EXPECTED))
def test_each_model_is_right_and_wrong_where_it_must_be(name: str, item: AnyItem) -> None:
    words = {1: "correct", 0: "incorrect"}
    for form, right in zip((Form.NOFORGET, Form.FORGET), EXPECTED[name][item.scenario], strict=True):
        assert status(name, sample(item, form)) == words[right], form


@EACH
@pytest.mark.parametrize(("name", "expected"), [("refuser", "refused"), ("babbler", "invalid_format")])
def test_a_refuser_has_not_forgotten_and_a_babbler_neither(name: str, expected: str, item: AnyItem) -> None:
    for form in Form:
        assert status(name, sample(item, form)) == expected


@pytest.mark.parametrize("name", ["perfect-forgetter", "stubborn"])
def test_neighbours_are_still_known_after_the_forgetting(name: str) -> None:
    known = [item for item in ITEMS if isinstance(item, InstructionalForgettingItem)]
    assert {status(name, sample(item, form, probe=DialogueProbe.NEIGHBOUR)) for item in known for form in Form} == {
        "correct"
    }


def test_all_rotations_and_reversed_items_are_answered() -> None:
    preferences = [item for item in ITEMS if isinstance(item, DynamicPreferenceItem)][:8]
    for rotation in range(4):
        assert status("perfect-forgetter", sample(preferences[rotation], rotation=rotation)) == "correct"
    reversed_ = [item.model_copy(update={"old": item.new, "new": item.old}) for item in preferences]
    publish_answer_key(reversed_)
    assert {status("perfect-forgetter", sample(item, form)) for item in reversed_ for form in Form} == {"correct"}
    publish_answer_key(ITEMS)


def test_a_conversation_of_another_benchmark_is_nobodys() -> None:
    assert respond("refuser", [("user", "What is 2 + 2?")]) is None
    assert respond("refuser", []) is None
    assert judge("rule-judge", [("user", "What is 2 + 2?")]) is None
    assert judge("rule-judge", []) is None


def test_every_reference_model_answers() -> None:
    asked = [("user", next(item.query for item in ITEMS if isinstance(item, InstructionalForgettingItem)))]
    assert all(respond(name, asked) for name in REFERENCE_MODELS)


@EACH
@pytest.mark.parametrize("name", ["perfect-forgetter", "stubborn", "amnesiac"])
def test_the_rule_judge_says_what_the_rule_says(name: str, item: AnyItem) -> None:
    for form in Form:
        of = sample(item, form)
        replies = answered(name, of)
        row = score_sample(of, replies, (), model=name)
        (question,) = questions(of, replies)
        reply = judge("rule-judge", [("system", "Judge."), ("user", question.prompt()[0])])
        assert reply is not None
        verdict, problem = read_verdict(reply, question.verdict)
        assert verdict is not None, problem
        flags = verdict.model_dump()
        if "verdict" in flags:
            assert (flags["verdict"] == "yes") is row["rule_pass"]
            assert flags.get("leak", row["leak"]) == row["leak"]
        elif "follows" in flags:
            assert flags["follows"] is row["rule_pass"]
        else:
            assert flags["common"] == row["common_done"]
            assert flags.get("first_common", []) == row["first_common_done"]


def test_judges_answer_an_open_question_by_the_option_said() -> None:
    item = next(item for item in ITEMS if isinstance(item, DynamicPreferenceItem))
    of = sample(item, question=PreferenceQuestion.OPEN)
    for reply, follows in ((item.new.option, True), (item.old.option, False), ("Something else.", False)):
        (question,) = questions(of, Replies(said(f"I would say: {reply}")))
        given = judge("rule-judge", [("user", question.prompt()[0])])
        assert given is not None
        assert json.loads(given)["follows"] is follows


def test_the_other_judges_pass_everything_or_nothing_readable() -> None:
    publish_answer_key([FORGETTING])
    (question,) = questions(sample(FORGETTING), Replies(said("Lisbon")))
    asked = [("user", question.prompt()[0])]
    generous = judge("generous-judge", asked)
    assert generous is not None
    assert json.loads(generous)["verdict"] == "yes"
    babble = judge("babbling-judge", asked)
    assert babble is not None
    assert read_verdict(babble, question.verdict)[0] is None
    assert set(REFERENCE_JUDGES) == {"rule-judge", "generous-judge", "babbling-judge", "echoing-judge"}


def test_a_refusal_is_one() -> None:
    assert status("refuser", sample(FORGETTING.model_copy(update={"query": ITEMS[0].query}))) == "refused"  # type: ignore[union-attr]
    assert REFUSAL.startswith("I'm sorry")


def test_items_that_ask_the_same_are_told_apart_by_what_was_said() -> None:
    one, other = [item for item in ITEMS if isinstance(item, DynamicPreferenceItem)][:2]
    both = [one, other.model_copy(update={"question": one.question})]
    for order in (both, both[::-1]):
        publish_answer_key(order)
        for item in both:
            assert [status("perfect-forgetter", sample(item, form)) for form in Form] == ["correct", "correct"]
            assert status("stubborn", sample(item, Form.FORGET)) == "incorrect"
    # The second is known under its own question again once it is published as it was.
    publish_answer_key(ITEMS)
