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
from forgetscope.benchmarks.prospective.loads.replies import contains_phrase, without_echo, without_json
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
_NOT_AN_ARTICLE = r"(?!['’]\w)(?!(?<=[aA])\s+(?!because\b|since\b|as\b|which\b|for\b|and\b)\w)"
_EXPLICIT_LETTER = re.compile(
    r"\b(?:answer|choice|option|letter)\b[^\S\n]*(?:(?:is|would be|should be|must be)\b[^\S\n]*:?|[:=])"
    rf"[\s*_\"'(\[]*(?:(?:option|choice|letter)\s+)?\(?([a-d])\b{_NOT_AN_ARTICLE}"
    r"|\b(?:option|choice|letter)\s+[*_\"'(\[]*((?-i:[A-D])\b|[a-d](?=[)\]]))",
    re.IGNORECASE,
)
_MARKED_LETTER = re.compile(
    r"(?:^|\n)(?:[^\S\n]|[*_>\"'(\[-])*+([a-d])[)\].:*](?:\s|$|\*)|\*\*\(?([a-d])\)?[.:)]?\*\*", re.IGNORECASE
)
_LETTER_ALONE = re.compile(r"(?:^|\n)(?:[^\S\n]|[*_\"'(\[])*+([a-d])(?:[^\S\n]|[*_\"')\].!])*+(?=\n|$)", re.IGNORECASE)
_LONE_LETTER = re.compile(rf"\b([A-D])\b{_NOT_AN_ARTICLE}")


def paper_letter(reply: str) -> str | None:
    """The paper's rule: "the answer is X", else the first lone capital A-D, else the first A-D anywhere."""
    for pattern in (_PAPER_ANSWER_IS, _LONE_CAPITAL):
        match = pattern.search(reply)
        if match:
            return match.group(1)
    match = _ANY_CAPITAL.search(reply)
    return match.group(0) if match else None


def stated_letter(reply: str, choices: Sequence[str]) -> str | None:
    """Ours: the last explicit answer, in either case; else the one letter or option the reply gives; else None."""
    explicit = _EXPLICIT_LETTER.findall(reply)
    if explicit:
        return "".join(explicit[-1]).upper()
    for pattern in (_LETTER_ALONE, _MARKED_LETTER):
        found = {"".join(match).upper() for match in pattern.findall(reply)}
        if len(found) == 1:
            return found.pop()
    lone = set(_LONE_LETTER.findall(reply))
    if len(lone) == 1:
        return str(lone.pop())
    named = [letter for letter, choice in zip(CHOICE_LETTERS, choices, strict=True) if contains_phrase(reply, choice)]
    return named[0] if len(named) == 1 else None


def _score_letter(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    gold = content.golds[0][0]
    paper = paper_letter(reply) == gold
    own = without_echo(without_json(reply), prompt)
    letter = stated_letter(own, content.choices)
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
