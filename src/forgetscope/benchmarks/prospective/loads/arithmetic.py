"""Word problems, alone and in chains of three and five (GSM8K)."""

import re
from collections.abc import Sequence

from pydantic import Field, model_validator

from forgetscope.benchmarks.prospective.loads.load import (
    EMBEDDED,
    LoadContent,
    LoadItem,
    LoadTask,
    Pool,
    TaskVerdict,
)
from forgetscope.benchmarks.prospective.loads.reading.stated_numbers import stated_numbers
from forgetscope.io.hub import HubSet


class MathProblem(LoadItem):
    """A word problem, as GSM8K's rows: the worked answer ends in a line `#### N`."""

    question: str = Field(min_length=1)
    answer: str

    @model_validator(mode="after")
    def _has_final_line(self) -> "MathProblem":
        final_number(self.answer)
        return self

    @property
    def golds(self) -> tuple[str, ...]:
        """The number after `####`."""
        return (number_text(final_number(self.answer)),)


def final_number(answer: str) -> float:
    """The gold of a GSM8K answer: the number after `####`, thousands separators removed.

    >>> final_number("2 + 3 = 5\\n#### 2,125")
    2125.0

    Raises:
        ValueError: no `####`, or no number after it.
    """
    _, mark, number = answer.rpartition("####")
    if not mark:
        raise ValueError("the answer has no '#### N' line")
    return float(number.strip().replace(",", "").removeprefix("$"))


def number_text(number: float) -> str:
    """A number without thousands separators or a trailing `.0`.

    >>> number_text(2125.0), number_text(0.5)
    ('2125', '0.5')
    """
    return str(int(number)) if number.is_integer() else repr(number)


def _wording(problems: Sequence[MathProblem]) -> str:
    if len(problems) == 1:
        return f"Solve this math problem: {problems[0].question.strip()}"
    numbered = "\n\n".join(
        f"Problem {number}: {problem.question.strip()}" for number, problem in enumerate(problems, start=1)
    )
    return f"Solve each of these {len(problems)} math problems.\n\n{numbered}"


def _questions(text: str, count: int) -> tuple[str, ...]:
    """The problems of a wording, as many as there are in it; a text that is no wording is one problem."""
    if count == 1:
        return (text.removeprefix("Solve this math problem:").strip(),)
    return tuple(piece.strip() for piece in re.split(r"^Problem \d+:", text, flags=re.MULTILINE)[1:])


_LAST_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def read_number(text: str) -> float:
    """A number as written, without currency sign, thousands separators or a trailing stop."""
    return float(text.replace("$", "").replace(",", "").rstrip("."))


def last_number(text: str) -> str | None:
    """The paper's rule: the last number anywhere."""
    found = _LAST_NUMBER.findall(text)
    return found[-1] if found else None


def _score_numbers(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    golds = [read_number(gold[0]) for gold in content.golds]
    last = last_number(reply)
    paper = last is not None and _equal(read_number(last), golds[-1])
    answers = stated_numbers(reply, prompt, len(golds), _questions(content.text, len(golds)))
    verdicts = tuple(
        None if answer is None else _equal(answer, gold) for answer, gold in zip(answers, golds, strict=True)
    )
    repaired = None if all(verdict is None for verdict in verdicts) else all(verdict is True for verdict in verdicts)
    found = () if repaired is None else tuple("" if answer is None else number_text(answer) for answer in answers)
    return TaskVerdict(paper, repaired, float(paper), None if repaired is None else float(repaired), verdicts, found)


def _equal(answer: float, gold: float) -> bool:
    return abs(answer - gold) < 1e-6


def _answers(content: LoadContent, right: bool) -> Sequence[str]:
    numbers = [float(gold[0]) + (0 if right else 1) for gold in content.golds]
    if len(numbers) == 1:
        return (f"The answer is {number_text(numbers[0])}.",)
    return ("\n".join(f"Problem {position}: {number_text(value)}" for position, value in enumerate(numbers, start=1)),)


PROBLEMS = Pool(
    "gsm8k",
    MathProblem,
    EMBEDDED / "arithmetic.jsonl",
    HubSet("openai/gsm8k", "main", "test", "cc7b047b6e5bb11b4f1af84efc572db110a51b3c", "MIT"),
)


GSM8K_X1 = LoadTask("gsm8k_x1", "GSM8K", PROBLEMS, _wording, _score_numbers, _answers)
GSM8K_X3 = LoadTask("gsm8k_x3", "3 x GSM8K", PROBLEMS, _wording, _score_numbers, _answers, items=3, one_item_in=3)
GSM8K_X5 = LoadTask("gsm8k_x5", "5 x GSM8K", PROBLEMS, _wording, _score_numbers, _answers, items=5, one_item_in=5)
