"""Questions with four choices (MMLU)."""

import re
from collections.abc import Sequence

from pydantic import Field

from forgetscope.benchmarks.prospective.loads.load import (
    EMBEDDED,
    LoadContent,
    LoadItem,
    LoadTask,
    Pool,
    TaskVerdict,
)
from forgetscope.benchmarks.prospective.loads.reading.replies import without_echo
from forgetscope.benchmarks.prospective.loads.reading.stated_letter import stated_letter
from forgetscope.io.hub import HubSet

CHOICE_LETTERS = "ABCD"


class ChoiceQuestion(LoadItem):
    """A four-choice question, as MMLU's rows; `answer` is the index of the right choice."""

    question: str = Field(min_length=1)
    subject: str = ""
    choices: tuple[str, str, str, str]
    answer: int = Field(ge=0, le=3)

    @property
    def golds(self) -> tuple[str, ...]:
        """The letter of the right choice."""
        return (CHOICE_LETTERS[self.answer],)

    @property
    def options(self) -> tuple[str, ...]:
        """The four choices."""
        return self.choices


def _wording(questions: Sequence[ChoiceQuestion]) -> str:
    question = questions[0]
    choices = "\n".join(f"{letter}. {choice}" for letter, choice in zip(CHOICE_LETTERS, question.choices, strict=True))
    return (
        "Answer this multiple-choice question and give the letter of the correct option.\n\n"
        f"{question.question.strip()}\n{choices}"
    )


_PAPER_ANSWER_IS = re.compile(r"[Tt]he answer is:?\s*\**\(?([A-D])\b")
_LONE_CAPITAL = re.compile(r"\b([A-D])\b")
_ANY_CAPITAL = re.compile(r"[A-D]")


def paper_letter(reply: str) -> str | None:
    """The paper's rule: "the answer is X", else the first lone capital A-D, else the first A-D anywhere."""
    for pattern in (_PAPER_ANSWER_IS, _LONE_CAPITAL):
        match = pattern.search(reply)
        if match:
            return match.group(1)
    match = _ANY_CAPITAL.search(reply)
    return match.group(0) if match else None


def _score_letter(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    gold = content.golds[0][0]
    paper = paper_letter(reply) == gold
    own = without_echo(reply, prompt)
    letter = stated_letter(own, content.choices, content.text)
    repaired = None if letter is None else letter == gold
    return TaskVerdict.passed(paper, repaired, *(() if letter is None else (letter,)))


def _answers(content: LoadContent, right: bool) -> Sequence[str]:
    letter = content.golds[0][0]
    if not right:
        letter = CHOICE_LETTERS[(CHOICE_LETTERS.index(letter) + 1) % len(CHOICE_LETTERS)]
    return (f"The answer is {letter}.",)


MMLU = LoadTask(
    "mmlu",
    "MMLU",
    Pool(
        "mmlu",
        ChoiceQuestion,
        EMBEDDED / "mmlu.jsonl",
        HubSet("cais/mmlu", "all", "test", "c30699e8356da336a370243923dbaf21066bb9fe", "MIT"),
    ),
    _wording,
    _score_letter,
    _answers,
)
