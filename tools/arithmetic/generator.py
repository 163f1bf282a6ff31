"""Deals word problems in GSM8K's record format from the templates, by a seed."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from forgetscope.core.errors import SettingError
from tools.arithmetic.language import Draft, Draw
from tools.arithmetic.money import MONEY
from tools.arithmetic.quantities import QUANTITIES
from tools.arithmetic.shapes import SHAPES
from tools.arithmetic.times import TIME

TEMPLATES: dict[str, Callable[[Draw], Draft]] = {
    template.__name__: template for template in (*MONEY, *QUANTITIES, *SHAPES, *TIME)
}

# A template that has not come up with a new question after this many draws is taken to be exhausted.
_ATTEMPTS = 200


@dataclass(frozen=True)
class WordProblem:
    """One word problem: `question` and `answer` are GSM8K's two fields, the rest is what we know of it.

    Attributes:
        question: The problem; it asks for one number and names its unit.
        answer: Worked steps, one a line with `<<a*b=c>>c` marks, and a last line `#### N`; from 1,000 on N carries
            thousands separators in the templates that write them, as in GSM8K.
        template: Name of the template, a key of `TEMPLATES`.
        steps: Number of computations, 2 to 6.
        gold: The answer as an integer.
    """

    question: str
    answer: str
    template: str
    steps: int
    gold: int


def generate_problems(n: int, rng: np.random.Generator) -> list[WordProblem]:
    """`n` different word problems, spread evenly over the templates.

    Templates are dealt like cards: each full round uses every template once, in a new random order, so that the
    numbers of problems of two templates never differ by more than one. The same generator state gives the same list.

    Raises:
        SettingError: `n` is negative, or larger than the templates can fill without repeating a question.
    """
    if n < 0:
        raise SettingError("the number of problems cannot be negative", found=n, allowed="0 or more")
    names = list(TEMPLATES)
    problems: list[WordProblem] = []
    asked: set[str] = set()
    while len(problems) < n:
        for i in rng.permutation(len(names))[: n - len(problems)]:
            problem = _new_problem(names[int(i)], Draw(rng), asked)
            asked.add(problem.question)
            problems.append(problem)
    return problems


def _new_problem(name: str, draw: Draw, asked: set[str]) -> WordProblem:
    for _ in range(_ATTEMPTS):
        draft = TEMPLATES[name](draw)
        if draft.question not in asked:
            last = f"{draft.gold:,}" if draft.grouped else str(draft.gold)
            answer = "\n".join((*draft.steps, f"#### {last}"))
            return WordProblem(draft.question, answer, name, len(draft.steps), draft.gold)
    raise SettingError(
        f"the template {name} has no new question left", found=len(asked), allowed="fewer problems in one call"
    )
