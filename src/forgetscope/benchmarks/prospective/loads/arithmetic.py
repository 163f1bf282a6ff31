"""Word problems, alone and in chains of three and five (GSM8K)."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pydantic import Field, model_validator

from forgetscope.benchmarks.prospective.loads.load import (
    EMBEDDED,
    LoadContent,
    LoadItem,
    LoadTask,
    Pool,
    TaskVerdict,
)
from forgetscope.benchmarks.prospective.loads.replies import LINE_START, without_echo, without_json, without_postscript
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


_NUMBER = r"-?\$?\d[\d,]*(?:\.\d+)?"
_LAST_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_EXPLICIT_ANSWER = re.compile(
    rf"(?:####\s*+|\\boxed\{{\s*+|^[^\S\n]*+A:\s*+|\banswer\b\s*+(?:is|:|=|would be)?\s*+\**+\s*+(?:is\s*+)?)"
    rf"\$?({_NUMBER})",
    re.IGNORECASE | re.MULTILINE,
)
_NAMED_LABEL = re.compile(
    LINE_START + r"(?:problem|question|answer|solution|answer\s+to\s+problem|solution\s+to\s+problem)\s*+#?\s*+(\d)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NUMERAL_LABEL = re.compile(LINE_START + r"\(?(\d)\s*+[.):](?!\d)", re.MULTILINE)


def read_number(text: str) -> float:
    """A number as written, without currency sign, thousands separators or a trailing stop."""
    return float(text.replace("$", "").replace(",", "").rstrip("."))


def last_number(text: str) -> str | None:
    """The paper's rule: the last number anywhere."""
    found = _LAST_NUMBER.findall(text)
    return found[-1] if found else None


def stated_number(text: str) -> str | None:
    """Ours: the last number given as the answer, else the last of the last paragraph that calculates, else the last."""
    explicit = _EXPLICIT_ANSWER.findall(text)
    if explicit:
        return str(explicit[-1])
    calculating = [paragraph for paragraph in text.split("\n\n") if "=" in paragraph and last_number(paragraph)]
    return last_number(calculating[-1] if calculating else text)


def split_problems(text: str, count: int) -> list[str] | None:
    """The text of each of `count` problems, by label ("Problem 2") or number ("2."); None when not laid out so.

    Where the labels run through more than once (the problems restated, then answered) the last run counts.
    """
    for label in (_NAMED_LABEL, _NUMERAL_LABEL):
        runs = _complete_runs([(*match.span(), int(match.group(1))) for match in label.finditer(text)], count)
        if runs:
            labels = [*runs[-1], (len(text), len(text))]
            return [text[end:start] for (_, end), (start, _) in pairwise(labels)]
    return None


def _complete_runs(marks: Sequence[tuple[int, int, int]], count: int) -> list[list[tuple[int, int]]]:
    """Start and end of each label of every run 1, 2, ... count, in order of the text."""
    runs: list[list[tuple[int, int]]] = []
    current: list[tuple[int, int]] = []
    for start, end, number in marks:
        if number == len(current) + 1:
            current.append((start, end))
        elif number == 1:
            current = [(start, end)]
        if len(current) == count:
            runs.append(current)
            current = []
    return runs


def _score_numbers(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    golds = [read_number(gold[0]) for gold in content.golds]
    last = last_number(reply)
    paper = last is not None and _equal(last, golds[-1])
    text = without_json(reply)
    own = without_postscript(without_echo(text, prompt))
    parts = [own] if len(golds) == 1 else split_problems(own, len(golds)) or split_problems(text, len(golds))
    if parts is None:
        return TaskVerdict(paper, None, float(paper), None, (None,) * len(golds), ())
    answers = [stated_number(part) for part in parts]
    verdicts = tuple(
        None if answer is None else _equal(answer, gold) for answer, gold in zip(answers, golds, strict=True)
    )
    repaired = None if all(verdict is None for verdict in verdicts) else all(verdict is True for verdict in verdicts)
    return TaskVerdict(
        paper,
        repaired,
        float(paper),
        None if repaired is None else float(repaired),
        verdicts,
        tuple(answer or "" for answer in answers),
    )


def _equal(answer: str, gold: float) -> bool:
    return abs(read_number(answer) - gold) < 1e-6


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
