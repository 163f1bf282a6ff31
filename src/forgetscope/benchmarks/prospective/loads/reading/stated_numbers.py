"""The repaired reading of word problems: what a reply answers to one problem, or to each of a chain."""

import re
from collections.abc import Sequence

from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.benchmarks.prospective.loads.reading.numbers_in_json import numbers_in_json, text_of_json
from forgetscope.benchmarks.prospective.loads.reading.passages import plain, said_aloud
from forgetscope.benchmarks.prospective.loads.reading.replies import (
    fenced_json,
    without_echo,
    without_postscript,
)
from forgetscope.benchmarks.prospective.loads.reading.stated_chain import stated_chain
from forgetscope.benchmarks.prospective.loads.reading.stated_number import stated_number

_CODE = re.compile(r"```(?:python|py|javascript|js|java|c|cpp|c\+\+|r)\s*\n.*?(?:```|$)", re.IGNORECASE | re.DOTALL)


def stated_numbers(reply: str, prompt: str, count: int, questions: Sequence[str] = ()) -> tuple[float | None, ...]:
    """The answer a reply gives to each of `count` problems, whose texts help where they are known; None for none."""
    questions = questions if len(questions) == count else ("",) * count
    if count == 1:
        text = text_of(without_echo(reply, prompt))
        before = stated_number(without_postscript(text), questions[0])
        return (stated_number(text, questions[0]) if before is None else before,)
    if (found := fenced_json(said_aloud(reply))) is not None and (
        answers := numbers_in_json(found, questions)
    ) is not None:
        return answers
    text = text_of(without_echo(reply, prompt))
    for version in dict.fromkeys((without_postscript(text), text, text_of(reply))):
        if (answers := stated_chain(version, questions)) is not None:
            return answers
    return (None,) * count


def answering_text(reply: str, question: str) -> str:
    """The text in which the answer to one problem is looked for: without the problem's echo and a postscript."""
    text = text_of(without_echo(reply, question))
    return without_postscript(text) if without_postscript(text).strip() else text


def text_of(reply: str) -> str:
    """What a reply says in plain sentences; JSON as a line `keys: value` for each value."""
    said = said_aloud(reply)
    found = fenced_json(said)
    if found is None:
        without_code = _CODE.sub(" ", said)
        return plain(without_code if numerals(without_code) else said)
    return text_of_json(found)
