"""The repaired reading of word problems: what a reply answers to one problem, or to each of a chain.

A chain in a reply that is JSON is read by its keys, or as a list of as many values as problems.
"""

import re
from collections.abc import Iterator, Sequence

from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.benchmarks.prospective.loads.reading.passages import plain, said_aloud
from forgetscope.benchmarks.prospective.loads.reading.replies import (
    fenced_json,
    json_leaves,
    without_echo,
    without_postscript,
)
from forgetscope.benchmarks.prospective.loads.reading.stated_chain import CARDINALS, ORDINALS, Answers, stated_chain
from forgetscope.benchmarks.prospective.loads.reading.stated_number import stated_number

_CODE = re.compile(
    r"```(?:python|py|javascript|js|java|c|cpp|c\+\+|r)\s*\n.*?(?:```|$)|\A\s*(?:def\s\w+\([^)\n]*\):|import\s\w+\n).*",
    re.IGNORECASE | re.DOTALL,
)
_TOLD_IN_CODE = re.compile(
    r"(?:#|//)\s*(.*)|^\s*(?:answer|result|total)\w*\s*=\s*[\d.]+\s*$", re.IGNORECASE | re.MULTILINE
)
"""What code says of its result; what it would print is not worked out."""
_OF_THE_LOAD = re.compile(r"answer|solution|result|total|final|\bans\b|value|math|problem|arithmetic", re.IGNORECASE)
_INDEX_KEY = re.compile(
    r"(?:^|.*\D)(?P<digit>[1-9])$|.*(?<![a-z])(?:"
    + "|".join(f"{one}|{first}" for one, first in zip(CARDINALS, ORDINALS, strict=True))
    + r")(?![a-z])"
)
_LABEL_KEYS = ("id", "problem", "number", "question")


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
        return plain(without_code if numerals(without_code) else _CODE.sub(_told_in, said))
    return text_of_json(found)


def _told_in(code: re.Match[str]) -> str:
    return "\n".join(found[1] or found[0] for found in _TOLD_IN_CODE.finditer(code[0]))


def numbers_in_json(value: object, questions: Sequence[str]) -> Answers | None:
    """The answers in a JSON value to these problems; None where none of its keys or lists is for them."""
    count = len(questions)
    readings = [
        (count - answers.count(None), of_load, answers) for of_load, answers in _chains_in(value, questions, False)
    ]
    return max(
        ((given, of_load, answers) for given, of_load, answers in readings if given >= 2),
        key=lambda found: found[:2],
        default=(0, 0, None),
    )[2]


def text_of_json(value: object) -> str:
    """A JSON value as lines of `keys: value`, the keys without numbers."""
    leaves = ((re.sub(r"[_\d]+", " ", " ".join(path)).strip(), leaf) for path, leaf in json_leaves(value))
    return plain("\n\n".join(f"{keys}: {leaf}" if keys else str(leaf) for keys, leaf in leaves))


def _chains_in(value: object, questions: Sequence[str], of_load: bool) -> Iterator[tuple[bool, Answers]]:
    """Every reading of a part of the value as a chain, and whether a key says that it is the load's."""
    count = len(questions)
    match value:
        case dict():
            indexed: dict[int, object] = {}
            for key, inner in value.items():
                if (index := _index(str(key).strip().lower())) and index <= count:
                    indexed.setdefault(index, inner)
            if len(indexed) >= 2:
                named = of_load or any(_OF_THE_LOAD.search(str(key)) for key in value)
                yield (
                    named,
                    tuple(
                        _answer(indexed[index], question) if index in indexed else None
                        for index, question in enumerate(questions, start=1)
                    ),
                )
            elif of_load and len(value) == count:
                yield of_load, tuple(map(_answer, value.values(), questions))
            for key, inner in value.items():
                yield from _chains_in(inner, questions, of_load or _OF_THE_LOAD.search(str(key)) is not None)
        case list():
            if len(value) == count:
                yield of_load, tuple(map(_answer, value, questions))
            for inner in value:
                yield from _chains_in(inner, questions, of_load)
        case str():
            if (
                not re.search(r"\d\s*[-+*/×]\s*\d", value)
                and (answers := stated_chain(plain(value), questions)) is not None
            ):
                yield of_load, answers


def _index(key: str) -> int | None:
    found = _INDEX_KEY.match(key)
    if found is None or found["digit"]:
        return int(found["digit"]) if found else None
    words = re.findall("[a-z]+", key)
    return next(
        place for place, names in enumerate(zip(CARDINALS, ORDINALS, strict=True), start=1) if set(names) & set(words)
    )


def _answer(value: object, question: str) -> float | None:
    if isinstance(value, dict):
        value = {key: inner for key, inner in value.items() if str(key).lower() not in _LABEL_KEYS} or value
    return None if isinstance(value, list | bool) or value is None else stated_number(text_of_json(value), question)
