"""Questions by a language model: kept only if the text answers them, the rest with the reason."""

import pytest

from forgetscope.benchmarks.unlearning.construction.prompts import QuestionDraft
from forgetscope.benchmarks.unlearning.construction.questions import questions_of, why_not_found, why_unusable
from forgetscope.benchmarks.unlearning.data.records import Chunk, Question, QuestionSet, Side

TEXT = "Ada Voss opened a mill in Kald on 14 May. It cost 41 crowns."


def made(question: str, answer: str, paraphrase: str = "", side: Side = Side.RETAIN) -> list[Question]:
    chunk = Chunk(id="d#0", document="d", side=side, text=TEXT, tokens=14)
    return questions_of(chunk, QuestionDraft(question=question, answer=answer, paraphrase=paraphrase), 1)


def test_a_good_question_is_kept_with_its_paraphrase_and_its_chunk() -> None:
    first, second = made("Who opened the mill in Kald?", "Ada Voss", "Whose mill stands in Kald?")
    assert (first.set, first.chunk, first.document, first.answers) == (QuestionSet.RETAIN, "d#0", "d", ("Ada Voss",))
    assert second.paraphrase_of == first.id


def test_a_paraphrase_that_gives_the_answer_away_is_left_out() -> None:
    assert len(made("Who opened the mill in Kald?", "Ada Voss", "Did Ada Voss open it?")) == 1


def test_questions_about_forget_are_forget_questions() -> None:
    found = made("Who opened the mill in Kald?", "Ada Voss", side=Side.FORGET)
    assert [question.set for question in found] == [QuestionSet.FORGET]


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("Who owns the mill in Kald?", "Bo Quist", "does not stand in the text"),
        ("What did Ada Voss open?", "a", ""),
        ("Did Ada Voss open a mill?", "Ada Voss", "gives its answer away"),
        ("What happened in Kald?", "Ada Voss opened a mill in Kald on 14 May", "longer than 8 words"),
        ("How much did the mill in Kald cost?", "...", "is empty"),
        ("How much did the mill in Kald cost?", "4", "does not stand in the text"),
    ],
)
def test_a_question_the_text_does_not_answer_is_rejected_with_the_reason(
    question: str, answer: str, reason: str
) -> None:
    found = why_unusable(question, answer, TEXT, [])
    assert reason in found
    assert bool(reason) == bool(found)


def test_a_question_asked_twice_is_kept_once() -> None:
    assert why_unusable("Who opened it?", "Ada Voss", TEXT, ["who opened it"]) == "the question was asked already"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("It cost 41 crowns.", ""),
        ("41", ""),
        ("UNANSWERABLE.", "a reader finds no answer in the text"),
        ("Ada Voss", "a reader answers otherwise"),
    ],
)
def test_a_reader_must_find_the_answer(reply: str, reason: str) -> None:
    assert why_not_found("41 crowns", reply) == reason
