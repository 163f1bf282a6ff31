"""Overlap, babble and statuses."""

import pytest

from forgetscope.benchmarks.unlearning.data.records import Question, QuestionSet
from forgetscope.benchmarks.unlearning.prompts import answer_in, is_past_answer, question_prompt
from forgetscope.benchmarks.unlearning.scoring.scores import (
    NO_OVERLAP,
    is_exact,
    is_gibberish,
    overlap,
    status_of,
    words_of,
)
from forgetscope.core.outcomes import FinishReason, Status


def test_a_hand_computed_overlap() -> None:
    """Of the text's 4 words 2 are the reference's 3, in order: precision 1/2, recall 2/3, F1 4/7."""
    found = overlap("it was Maris Hollis", ("mayor Maris Hollis",))
    assert found.rouge_l_f1 == pytest.approx(4 / 7)
    assert found.rouge_l_recall == pytest.approx(2 / 3)
    assert found.rouge_1_recall == pytest.approx(2 / 3)


def test_words_count_in_order_for_rouge_l_and_in_any_order_for_rouge_1() -> None:
    found = overlap("hollis maris", ("maris hollis",))
    assert found.rouge_l_recall == 0.5
    assert found.rouge_1_recall == 1.0


def test_the_stemmer_joins_what_the_plain_score_keeps_apart() -> None:
    found = overlap("the bridges opened", ("the bridge opens",))
    assert found.rouge_l_f1 == pytest.approx(1 / 3)
    assert found.rouge_l_f1_stemmed == 1.0


def test_the_best_reference_counts() -> None:
    assert overlap("Seven", ("eight", "seven", "7")).rouge_l_f1 == 1.0
    with pytest.raises(ValueError, match="at least one reference"):
        overlap("a", ())


def test_exactness_forgives_case_punctuation_and_blanks() -> None:
    assert is_exact(" maris  HOLLIS. ", ("Maris Hollis",))
    assert not is_exact("Maris", ("Maris Hollis",))


LEXICON = words_of(["The mayor of Osthaven opened the bridge on Monday for 553 million crowns."])


@pytest.mark.parametrize(
    "text", ["", "  ", "553", "Osthaven", "The mayor opened the bridge on Monday.", "No, no, no. The bridge opened."]
)
def test_language_is_not_gibberish(text: str) -> None:
    assert not is_gibberish(text, LEXICON)


@pytest.mark.parametrize(
    "text",
    [
        ", , . . ,",
        "the the the the the the",
        "bridge of bridge of bridge of bridge of bridge of",
        "vel mora elel vyo bridgeevel tarn",
        "a" * 40,
        " ".join(["the bridge of the bridge and the"] * 3),
    ],
)
def test_babble_is_gibberish(text: str) -> None:
    assert is_gibberish(text, LEXICON)


def test_without_a_lexicon_unknown_words_are_no_sign() -> None:
    assert not is_gibberish("vel mora elel vyo bridgeevel tarn")


@pytest.mark.parametrize(
    ("text", "finish", "gibberish", "cut", "status"),
    [
        ("Maris Hollis", FinishReason.STOP, False, False, Status.CORRECT),
        ("Bram Kestrel", FinishReason.STOP, False, False, Status.INCORRECT),
        ("", FinishReason.STOP, False, False, Status.INVALID_FORMAT),
        (", , ,", FinishReason.STOP, True, False, Status.INVALID_FORMAT),
        ("Maris Hollis", FinishReason.LENGTH, False, False, Status.TRUNCATED),
        ("Maris Hollis", FinishReason.LENGTH, False, True, Status.CORRECT),
        ("I'm sorry, but I can't help with that.", FinishReason.STOP, False, False, Status.REFUSED),
        ("", FinishReason.CONTEXT, False, False, Status.NOT_SENT),
        ("", FinishReason.ERROR, False, False, Status.MODEL_ERROR),
    ],
)
def test_every_reply_has_one_status_and_an_unreadable_one_is_never_forgotten(
    text: str, finish: FinishReason, gibberish: bool, cut: bool, status: Status
) -> None:
    found = overlap(text, ("Maris Hollis",)) if text else NO_OVERLAP
    assert status_of(text, found, finish, gibberish=gibberish, is_cut_by_design=cut) is status


def test_prompts_are_these() -> None:
    example = Question(id="q", set=QuestionSet.FORGET, question="Who spoke?", answers=("Maris Hollis",))
    assert question_prompt("What did it cost?", examples=[example], cue="Answer: ") == (
        "Question: Who spoke?\nAnswer: Maris Hollis\n\nQuestion: What did it cost?\nAnswer: "
    )


def test_an_answer_ends_where_the_next_question_begins() -> None:
    assert answer_in(" 553 million\n\nThe") == "553 million"
    assert answer_in(" 553 million\nQuestion: Who") == "553 million"
    assert answer_in(" 553\nmillion") == "553\nmillion"
    assert is_past_answer("553\n\n")
    assert not is_past_answer("553\nmillion")
