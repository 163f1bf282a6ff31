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
from forgetscope.benchmarks.prospective.loads.reading.replies import before_next_question, without_echo
from forgetscope.io.hub import HubSet
from forgetscope.mentions.marks import Labels
from forgetscope.mentions.options import stated_option

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


_ASKS = "Answer this multiple-choice question and give the letter of the correct option.\n\n"


def _wording(questions: Sequence[ChoiceQuestion]) -> str:
    question = questions[0]
    choices = "\n".join(f"{letter}. {choice}" for letter, choice in zip(CHOICE_LETTERS, question.choices, strict=True))
    return f"{_ASKS}{question.question.strip()}\n{choices}"


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


def stated_letter(reply: str, choices: Sequence[str], question: str = "") -> str | None:
    """The repaired reading: the letter of the option a reply chooses, as a careful reader would say; else None."""
    option = stated_option(before_next_question(reply, question), choices, Labels.LETTERS, question)
    return None if option is None else CHOICE_LETTERS[option]


def _score_letter(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    gold = content.golds[0][0]
    paper = paper_letter(reply) == gold
    own = without_echo(reply, prompt)
    question = content.text.removeprefix(_ASKS).rsplit("\n", len(content.choices))[0]
    letter = stated_letter(own, content.choices, question)
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
