"""What is kept of the questions a language model writes about a chunk, and why the rest is not.

The paper has an LLM write question-answer pairs for the low and the high subset (section 4.1) and reports no check.
Ours must be answerable: the answer stands in the chunk word for word, and, where a second model answers for the gates,
that model finds it with the chunk before it.
"""

import re
from collections.abc import Iterable

from forgetscope.benchmarks.unlearning.construction.prompts import UNANSWERABLE, QuestionDraft
from forgetscope.benchmarks.unlearning.data.records import Chunk, Question, QuestionSet, Side

LONGEST_ANSWER = 8
"""Words; the prompt says so too."""


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


def why_not_found(answer: str, reply: str) -> str:
    """Why a reader's reply is not the answer; empty if it is: one holds the other."""
    found = _plain(reply)
    if not found or _plain(UNANSWERABLE) in found:
        return "a reader finds no answer in the text"
    if _stands_in(_plain(answer), reply) or _stands_in(found, answer):
        return ""
    return "a reader answers otherwise"


def questions_of(chunk: Chunk, draft: QuestionDraft, number: int) -> list[Question]:
    """A usable draft as question so-and-so of its chunk, with its paraphrase where that is usable too.

    Example: the first one about chunk `retain-001#0` has the id `retain-001#0-q1`, its paraphrase `retain-001#0-q1-p`.
    """
    name = f"{chunk.id}-q{number}"
    first = Question(
        id=name,
        set=QuestionSet.FORGET if chunk.side is Side.FORGET else QuestionSet.RETAIN,
        question=draft.question,
        answers=(draft.answer,),
        document=chunk.document,
        chunk=chunk.id,
    )
    if not draft.paraphrase or why_unusable(draft.paraphrase, draft.answer, chunk.text, [draft.question]):
        return [first]
    reworded = {"id": f"{name}-p", "question": draft.paraphrase, "paraphrase_of": name}
    return [first, first.model_copy(update=reworded)]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _stands_in(words: str, text: str) -> bool:
    return f" {words} " in f" {_plain(text)} "
