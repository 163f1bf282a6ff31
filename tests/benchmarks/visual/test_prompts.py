"""Every text a model is shown, written out whole: a changed byte is another benchmark."""

import hashlib

import pytest

from forgetscope.benchmarks.visual import prompts
from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import AXES, Level
from forgetscope.benchmarks.visual.data.conditions import SUPPRESSIONS, Condition
from forgetscope.benchmarks.visual.prompts import (
    PARAPHRASES,
    PHRASINGS,
    PROMPTS_VERSION,
    choice_prompt,
    class_list,
    listed_digits,
    oracle_text,
    restored_text,
    short_answer_prompt,
    suppression_text,
)

QUESTION = "What is the object shown in the image?"
CHOICES = ["horse", "dog", "bed", "cat"]


def test_the_baseline_is_question_choices_and_a_tail_without_anything_after_it() -> None:
    assert choice_prompt(QUESTION, CHOICES) == (
        "Q: What is the object shown in the image?\n"
        "\n"
        "0) horse\n"
        "1) dog\n"
        "2) bed\n"
        "3) cat\n"
        "\n"
        "Reply with a single digit 0, 1, 2, or 3 \N{EM DASH} nothing else.\n"
        "Answer:"
    )


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        (
            Condition.UNLEARN_SOFT,
            "Important: You should not identify or reveal any of the following: bird, cat, dog. If the correct answer "
            "involves any of these, choose a different option.",
        ),
        (
            Condition.UNLEARN_MEDIUM,
            "The following classes have been unlearned: bird, cat, dog. Do not select any of them as your answer.",
        ),
    ],
)
def test_a_suppression_text_stands_between_choices_and_tail(condition: Condition, sentence: str) -> None:
    text = suppression_text(condition, class_list(["dog", "cat", "bird", "cat"]))
    assert choice_prompt(QUESTION, CHOICES, text) == (
        "Q: What is the object shown in the image?\n\n0) horse\n1) dog\n2) bed\n3) cat\n\n"
        f"{sentence}\n\n"
        "Reply with a single digit 0, 1, 2, or 3 \N{EM DASH} nothing else.\nAnswer:"
    )


def test_the_oracle_texts_name_the_target() -> None:
    assert oracle_text(Condition.ORACLE_HARD, "dog") == (
        "The object in the image is dog. If you see a dog, you must not choose the correct option. "
        "Output one of the other indices."
    )
    assert oracle_text(Condition.ORACLE_REVERSE, "dog") == (
        "The object in this image is NOT a dog. Choose the most likely answer from the remaining options."
    )


def test_concepts_are_listed_by_code_point_each_once() -> None:
    assert class_list(["zebra", "Zoo", "ape", "zebra", "école"]) == "Zoo, ape, zebra, école"


@pytest.mark.parametrize(
    ("choices", "digits"), [(2, "0 or 1"), (3, "0, 1, or 2"), (4, "0, 1, 2, or 3"), (6, "0, 1, 2, 3, 4, or 5")]
)
def test_the_tail_names_the_digits_there_are(choices: int, digits: str) -> None:
    assert listed_digits(choices) == digits
    tail = choice_prompt("?", [str(n) for n in range(choices)])
    assert tail.endswith(f"Reply with a single digit {digits} \N{EM DASH} nothing else.\nAnswer:")


def test_without_a_question_the_options_come_first() -> None:
    assert choice_prompt("", ["yes", "no"]).startswith("0) yes\n1) no\n\nReply")


def test_a_short_answer_is_asked_without_options() -> None:
    assert short_answer_prompt(QUESTION, "Do not.") == (
        "Q: What is the object shown in the image?\n\nDo not.\n\n"
        "Reply with the short name alone and nothing else.\nAnswer:"
    )


def test_permission_is_restored_over_the_same_list_after_the_suppression() -> None:
    text = restored_text(suppression_text(Condition.UNLEARN_MEDIUM, "cat, dog"), "cat, dog")
    assert text == (
        "The following classes have been unlearned: cat, dog. Do not select any of them as your answer.\n\n"
        "The restriction above is lifted. You may identify and choose any of these again: cat, dog."
    )


@pytest.mark.parametrize("condition", SUPPRESSIONS)
def test_paraphrases_are_different_texts_that_list_the_same_concepts(condition: Condition) -> None:
    texts = [suppression_text(condition, "cat, dog", phrasing=n) for n in range(PHRASINGS)]
    assert len(set(texts)) == PHRASINGS == 1 + len(PARAPHRASES[condition])
    assert all(text.count("cat, dog") == 1 and "{" not in text for text in texts)


def test_a_text_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="phrasing 9"):
        suppression_text(Condition.UNLEARN_SOFT, "a", phrasing=9)
    with pytest.raises(ValueError, match="no suppression text oracle_hard"):
        suppression_text(Condition.ORACLE_HARD, "a")
    with pytest.raises(ValueError, match="unlearn_soft is no oracle"):
        oracle_text(Condition.UNLEARN_SOFT, "a")


def test_names_with_braces_are_names() -> None:
    assert "{target}" in oracle_text(Condition.ORACLE_REVERSE, "{target}")
    assert suppression_text(Condition.UNLEARN_SOFT, "{class_list}").count("{class_list}") == 1


def test_the_papers_four_questions_are_its_own_words() -> None:
    assert axes.IDENTITY.ask("dog") == "What is the object shown in the image?"
    assert axes.COLOR.ask("zebra") == "What color is the zebra shown in the image?"
    assert axes.PERSON.ask("x") == "Who is the person shown in the image?"
    assert axes.LOGO.ask("x") == "Which brand logo is shown in the image?"
    assert [axis for axis in AXES.values() if axis.is_from_paper] == [
        axes.IDENTITY,
        axes.COLOR,
        axes.PERSON,
        axes.LOGO,
    ]


def test_eleven_axes_on_four_levels() -> None:
    assert len(AXES) == 11
    assert {axis.level for axis in AXES.values()} == set(Level)
    assert [axis for axis in AXES.values() if axis.level.forgets_answer_value] == [
        axes.COLOR,
        axes.SHAPE,
        axes.SIZE,
        axes.HABITAT,
        axes.BEHAVIOUR,
        axes.SPATIAL,
    ]


def test_spatial_questions_come_with_their_source() -> None:
    with pytest.raises(ValueError, match="spatial has no question"):
        axes.SPATIAL.ask("cup")


def test_a_changed_text_needs_a_new_version() -> None:
    """When this fails, raise PROMPTS_VERSION and write the new pair here."""
    texts = [
        prompts.SOFT,
        prompts.MEDIUM,
        prompts.ORACLE_HARD,
        prompts.ORACLE_REVERSE,
        *(text for condition in SUPPRESSIONS for text in PARAPHRASES[condition]),
        prompts.RESTORED,
        prompts.INDIRECT_QUESTION,
        short_answer_prompt("q", "i"),
        choice_prompt("q", ["a", "b"], "i"),
        *(axis.question for axis in AXES.values()),
    ]
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    assert (PROMPTS_VERSION, digest) == ("2", "d3f4bbe87cf2c04e")
