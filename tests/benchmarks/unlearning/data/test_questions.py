"""Questions by a language model: kept only if the text answers them, the rest with the reason."""

import asyncio
import json

import pytest

from forgetscope.benchmarks.unlearning.data.questions import GeneratedQuestions, generate_questions, why_unusable
from forgetscope.benchmarks.unlearning.data.records import Chunk, QuestionSet, Side
from forgetscope.core.errors import SettingError

TEXT = "Ada Voss opened a mill in Kald on 14 May. It cost 41 crowns."


def chunk(side: Side = Side.RETAIN) -> Chunk:
    return Chunk(id="d#0", document="d", side=side, text=TEXT, tokens=14)


def reply(*rows: tuple[str, str, str]) -> str:
    return json.dumps({"questions": [{"question": q, "answer": a, "paraphrase": p} for q, a, p in rows]})


def generate(*replies: str, verify: str | None = None, side: Side = Side.RETAIN) -> GeneratedQuestions:
    waiting = list(replies)

    async def ask(prompt: str) -> str:
        assert TEXT in prompt
        return waiting.pop(0)

    async def check(_: str) -> str:
        return verify or ""

    return asyncio.run(generate_questions([chunk(side)], ask, verify=check if verify is not None else None))


def test_a_good_question_is_kept_with_its_paraphrase_and_its_chunk() -> None:
    found = generate(reply(("Who opened the mill in Kald?", "Ada Voss", "Whose mill stands in Kald?")))
    first, second = found.questions
    assert (first.set, first.chunk, first.document, first.answers) == (QuestionSet.RETAIN, "d#0", "d", ("Ada Voss",))
    assert second.paraphrase_of == first.id
    assert found.calls == 1


def test_questions_about_forget_are_forget_questions() -> None:
    found = generate(reply(("Who opened the mill in Kald?", "Ada Voss", "")), side=Side.FORGET)
    assert [question.set for question in found.questions] == [QuestionSet.FORGET]


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
    row = ("Who opened the mill in Kald?", "Ada Voss", "")
    found = generate(reply(row, row))
    assert len(found.questions) == 1
    assert found.rejected[0].reason == "the question was asked already"


def test_a_verifying_model_must_find_the_answer() -> None:
    row = ("How much did the mill in Kald cost?", "41 crowns", "")
    assert generate(reply(row), verify="It cost 41 crowns.").questions
    assert generate(reply(row), verify="41").questions
    assert "finds no answer" in generate(reply(row), verify="UNANSWERABLE.").rejected[0].reason
    assert "answers 'Ada Voss'" in generate(reply(row), verify="Ada Voss").rejected[0].reason


def test_unreadable_replies_are_kept_apart() -> None:
    found = generate("no", "still no")
    assert found.questions == ()
    assert found.unreadable == {"d#0": "it holds no JSON object"}
    assert found.calls == 2


def test_nothing_is_asked_about_the_holdout() -> None:
    with pytest.raises(SettingError, match="holdout"):
        generate(side=Side.HOLDOUT)
