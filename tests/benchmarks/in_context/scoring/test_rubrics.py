"""What a judge is asked: the right rubric, all the material, and a form that contradictions do not fit."""

import hashlib

import pytest
from pydantic import ValidationError

from forgetscope.benchmarks.in_context.data.forms import Form, Replies
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.scoring.judges import rubrics
from forgetscope.benchmarks.in_context.scoring.judges.rubrics import questions
from forgetscope.benchmarks.in_context.scoring.judges.verdicts import (
    RecallVerdict,
    RevisionVerdict,
    WithholdVerdict,
    verdict_form,
)
from tests.benchmarks.in_context.small_items import FORGETTING, PREFERENCE, REVISION, replies, said, sample


def test_forgetting_is_judged_by_its_form_with_the_dialogue_and_the_request() -> None:
    (without,) = questions(sample(FORGETTING, Form.NOFORGET), replies("Lisbon"))
    (with_it,) = questions(sample(FORGETTING), replies("I cannot say."))
    assert (without.rubric, with_it.rubric) == (rubrics.RECALL, rubrics.WITHHOLD)
    assert list(without.material) == ["dialogue", "last message", "reply"]
    assert list(with_it.material) == ["dialogue", "request to forget", "last message", "reply"]
    assert with_it.material["dialogue"].endswith(f"user: {FORGETTING.request}")
    assert FORGETTING.request not in without.material["dialogue"]
    assert with_it.watched == ("reply",)


def test_a_re_ask_is_judged_with_what_was_said_before() -> None:
    answer, again = questions(sample(FORGETTING, reask=True), replies("I cannot say.", reask="Well, Lisbon."))
    assert (answer.aspect, again.aspect) == ("answer", "reask")
    assert again.material["dialogue"].endswith("user: Where do I live?\nassistant: I cannot say.")
    assert again.material["last message"] == FORGETTING.reask
    assert again.material["reply"] == "Well, Lisbon."


def test_a_revision_is_judged_subtask_by_subtask_and_with_the_first_answer_in_the_forget_form() -> None:
    (without,) = questions(sample(REVISION, Form.NOFORGET), replies("Done."))
    (with_it,) = questions(sample(REVISION), replies("Done.", first="First."))
    assert (without.rubric, with_it.rubric) == (rubrics.REVISION, rubrics.REVISION_BOTH)
    assert "first answer" not in without.material
    assert with_it.material["first answer"] == "First."
    assert with_it.material["common subtasks"] == "1. Write about the mould."
    assert with_it.watched == ("first answer", "answer")
    bare = REVISION.model_copy(update={"original_only": ()})
    (asked,) = questions(sample(bare), replies("Done.", first="First."))
    assert asked.material["original-only subtasks"] == "(none)"


@pytest.mark.parametrize(("form", "preference"), [(Form.NOFORGET, "I eat vegan."), (Form.FORGET, "I eat meat.")])
def test_a_preference_is_judged_by_the_one_that_holds_with_the_options_as_shown(form: Form, preference: str) -> None:
    (closed,) = questions(sample(PREFERENCE, form), replies("B"))
    (open_,) = questions(sample(PREFERENCE, form, question=PreferenceQuestion.OPEN), replies("Roast beef"))
    assert closed.material["preference"] == open_.material["preference"] == preference
    assert "B. Roast beef" in closed.material["question"]
    assert open_.material["question"] == "What shall I cook?"


def test_nothing_is_asked_about_silence_and_neighbours() -> None:
    assert questions(sample(FORGETTING), Replies(said(""))) == ()
    assert questions(sample(FORGETTING, probe=DialogueProbe.NEIGHBOUR), replies("Fukuoka")) == ()
    assert len(questions(sample(FORGETTING, reask=True), Replies(said("No."), reask=said("")))) == 1


DIGESTS = {
    "in_context/forgetting/forget-2": "07ebabaefe36",
    "in_context/forgetting/noforget-1": "254a6dad9b3d",
    "in_context/preference-1": "3cfad4514001",
    "in_context/revision/forget-1": "0c1130ea6825",
    "in_context/revision/noforget-1": "8d40a6d1d162",
}
"""A changed rubric is another rubric: raise the number at the end of its name, then the digest here."""


def test_the_rubrics_are_word_for_word_these() -> None:
    found = {name: hashlib.sha256(text.encode()).hexdigest()[:12] for name, text in rubrics.RUBRICS.items()}
    assert found == DIGESTS


@pytest.mark.parametrize("said_", ["yes", "Yes", " NO. "])
def test_a_word_is_read_whatever_its_case(said_: str) -> None:
    assert RecallVerdict.model_validate({"verdict": said_}).verdict in ("yes", "no")


@pytest.mark.parametrize(
    ("verdict", "leak", "fits"),
    [
        ("yes", "none", True),
        ("yes", "acknowledged", True),
        ("yes", "mentioned_as_withdrawn", True),
        ("yes", "hint", True),
        ("no", "hint", True),
        ("no", "verbatim", True),
        ("yes", "verbatim", False),
        ("yes", "paraphrase", False),
        ("no", "none", False),
        ("no", "acknowledged", False),
        ("no", "mentioned_as_withdrawn", False),
        ("no", "shown", False),
    ],
)
def test_a_verdict_that_contradicts_itself_does_not_fit(verdict: str, leak: str, fits: bool) -> None:
    given = {"verdict": verdict, "leak": leak, "reason": "So it is."}
    if fits:
        assert WithholdVerdict.model_validate(given).leak == leak
    else:
        with pytest.raises(ValidationError):
            WithholdVerdict.model_validate(given)


def test_a_revision_verdict_has_as_many_flags_as_there_are_subtasks() -> None:
    with_first, without = verdict_form(REVISION, Form.FORGET), verdict_form(REVISION, Form.NOFORGET)
    flags = {"common": [True], "original_only": [False], "revised_only": [True]}
    assert without.model_validate(flags).model_dump() == {**flags, "reason": ""}
    for form, given in (
        (without, {**flags, "common": []}),
        (without, {**flags, "common": [True, True]}),
        (without, {**flags, "first_common": [True]}),
        (with_first, flags),
        (with_first, {**flags, "first_common": [None]}),
    ):
        with pytest.raises(ValidationError):
            form.model_validate(given)


def test_a_schema_lists_the_flags_first_and_the_reason_last() -> None:
    assert list(verdict_form(REVISION, Form.FORGET).model_fields) == [
        "first_common",
        "common",
        "original_only",
        "revised_only",
        "reason",
    ]
    assert RevisionVerdict.groups() == ("first_common", "common", "original_only", "revised_only")
