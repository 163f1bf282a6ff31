"""Questions about retain chunks by a language model, each checked against the text it was written from.

The paper has an LLM write question-answer pairs for the low and the high subset (section 4.1) and reports no check.
Ours must be answerable: the answer stands in the chunk word for word, and, where a model is given to verify with,
that model finds it with the chunk before it. What fails is kept with the reason, so that a yield can be reported.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.data.construction_prompts import UNANSWERABLE, answer_prompt, questions_prompt
from forgetscope.benchmarks.unlearning.data.records import Chunk, Question, QuestionSet, Side
from forgetscope.benchmarks.unlearning.data.replies import Ask, ask_in_form
from forgetscope.core.errors import SettingError

LONGEST_ANSWER = 8
"""Words; the prompt says so too."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1, max_length=400)
    answer: str = Field(min_length=1, max_length=200)
    paraphrase: str = Field(default="", max_length=400)


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True)

    questions: tuple[_Row, ...]


@dataclass(frozen=True)
class RejectedQuestion:
    """A question that was not kept, and why."""

    chunk: str
    question: str
    answer: str
    reason: str


@dataclass(frozen=True)
class GeneratedQuestions:
    """What came of asking for questions.

    Attributes:
        questions: Kept ones, each followed by its paraphrase where that is usable.
        rejected: The others.
        unreadable: By chunk id, what was wrong with the second reply.
        calls: Replies asked for, verification included.
    """

    questions: tuple[Question, ...]
    rejected: tuple[RejectedQuestion, ...]
    unreadable: dict[str, str]
    calls: int


async def generate_questions(
    chunks: Sequence[Chunk], ask: Ask, *, per_chunk: int = 4, verify: Ask | None = None, connections: int = 8
) -> GeneratedQuestions:
    """Questions about each chunk, at most `per_chunk`, in the set of the chunk's side (`forget` or `retain`).

    Args:
        chunks: Of forget or retain.
        ask: The model that writes them.
        per_chunk: Questions asked for.
        verify: The model that must find each answer in the text; None: the words of the text decide alone.
        connections: Prompts under way at once.

    Raises:
        SettingError: a chunk is of the holdout side, about which nothing is asked.
    """
    if any(chunk.side is Side.HOLDOUT for chunk in chunks):
        raise SettingError("no questions are asked about the holdout side", where="questions")
    free = asyncio.Semaphore(connections)

    async def one(chunk: Chunk) -> GeneratedQuestions:
        async with free:
            return await _of_chunk(chunk, ask, per_chunk, verify)

    parts = await asyncio.gather(*map(one, chunks))
    return GeneratedQuestions(
        questions=tuple(question for part in parts for question in part.questions),
        rejected=tuple(rejected for part in parts for rejected in part.rejected),
        unreadable={name: problem for part in parts for name, problem in part.unreadable.items()},
        calls=sum(part.calls for part in parts),
    )


async def _of_chunk(chunk: Chunk, ask: Ask, per_chunk: int, verify: Ask | None) -> GeneratedQuestions:
    reply = await ask_in_form(questions_prompt(chunk.text, per_chunk), _Reply, ask)
    if reply.value is None:
        return GeneratedQuestions((), (), {chunk.id: reply.problem}, len(reply.replies))
    kept: list[Question] = []
    rejected: list[RejectedQuestion] = []
    calls = len(reply.replies)
    for row in reply.value.questions[:per_chunk]:
        reason = why_unusable(row.question, row.answer, chunk.text, [question.question for question in kept])
        if not reason and verify is not None:
            calls += 1
            reason = _why_not_found(row.answer, await verify(answer_prompt(chunk.text, row.question)))
        if reason:
            rejected.append(RejectedQuestion(chunk.id, row.question, row.answer, reason))
        else:
            kept += _questions(chunk, row, sum(not question.is_paraphrase for question in kept))
    return GeneratedQuestions(tuple(kept), tuple(rejected), {}, calls)


def why_unusable(question: str, answer: str, text: str, others: Iterable[str]) -> str:
    """Why a question cannot be used, judged by words alone; empty if it can.

    The answer must stand in the text, have at most eight words, not stand in the question, and the question must not
    have been asked already.
    """
    wanted = _plain(answer)
    if not wanted:
        return "the answer is empty"
    if len(wanted.split()) > LONGEST_ANSWER:
        return f"the answer is longer than {LONGEST_ANSWER} words"
    if not _stands_in(wanted, text):
        return "the answer does not stand in the text"
    if _stands_in(wanted, question):
        return "the question gives its answer away"
    if _plain(question) in {_plain(other) for other in others}:
        return "the question was asked already"
    return ""


def _why_not_found(answer: str, reply: str) -> str:
    """Why a verifying model's reply is not the answer; empty if it is: one holds the other."""
    found = _plain(reply)
    if not found or _plain(UNANSWERABLE) in found:
        return "the verifying model finds no answer in the text"
    if _stands_in(_plain(answer), reply) or _stands_in(found, answer):
        return ""
    return f"the verifying model answers {reply.strip()[:80]!r}"


def _questions(chunk: Chunk, row: _Row, number: int) -> list[Question]:
    name = f"{chunk.id}-q{number + 1}"
    first = Question(
        id=name,
        set=QuestionSet.FORGET if chunk.side is Side.FORGET else QuestionSet.RETAIN,
        question=row.question,
        answers=(row.answer,),
        document=chunk.document,
        chunk=chunk.id,
    )
    if not row.paraphrase or why_unusable(row.paraphrase, row.answer, chunk.text, [row.question]):
        return [first]
    reworded = {"id": f"{name}-p", "question": row.paraphrase, "paraphrase_of": name}
    return [first, first.model_copy(update=reworded)]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _stands_in(words: str, text: str) -> bool:
    return f" {words} " in f" {_plain(text)} "
