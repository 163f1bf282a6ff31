"""The answers to word problems in a reply that is JSON: by their keys, or a list of as many as there are problems."""

import re
from collections.abc import Iterator

from forgetscope.benchmarks.prospective.loads.reading.passages import plain
from forgetscope.benchmarks.prospective.loads.reading.replies import json_leaves
from forgetscope.benchmarks.prospective.loads.reading.stated_chain import CARDINALS, ORDINALS, stated_chain
from forgetscope.benchmarks.prospective.loads.reading.stated_number import stated_number

_MATH_KEY = re.compile(r"math|problem|arithmetic", re.IGNORECASE)
_ANSWER_KEY = re.compile(r"answer|solution|result|total|final|\bans\b|value", re.IGNORECASE)
_UNFINISHED = re.compile(r"\W*\d[\d.,]*\s*[-+*/×÷x]\s*[\d\s.,+*/×÷x()$-]+")
_INDEX_KEY = re.compile(r"(?:^|.*[^\d])([1-9])$")


def numbers_in_json(value: object, count: int) -> tuple[float | None, ...] | None:
    """The answers in a JSON value to `count` problems; None where none of its keys or lists is for them."""
    if count > 1:
        return _chain_in_json(value, count)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (float(value),)
    ranked: list[tuple[int, float]] = []
    leaves = list(json_leaves(value))
    for path, leaf in leaves:
        number = _leaf_number(leaf)
        if number is None or not path:
            continue
        whole = ".".join(path)
        rank = (
            2 * bool(_ANSWER_KEY.search(path[-1])) + 2 * bool(_MATH_KEY.search(whole)) + bool(_ANSWER_KEY.search(whole))
        )
        ranked.append((rank, number))
    best = max((rank for rank, _ in ranked), default=0)
    lone = [number for _, leaf in leaves if not isinstance(leaf, str) and (number := _leaf_number(leaf)) is not None]
    if best == 0 and len(lone) == 1:
        return (lone[0],)
    return (next(number for rank, number in reversed(ranked) if rank == best),) if best else None


def _leaf_number(leaf: object) -> float | None:
    if isinstance(leaf, int | float):
        try:
            return float(leaf)
        except OverflowError:
            return None
    text = plain(str(leaf))
    return None if _UNFINISHED.fullmatch(text) else stated_number(text)


def _chain_in_json(value: object, count: int) -> tuple[float | None, ...] | None:
    best: tuple[int, tuple[float | None, ...]] | None = None
    for rank, answers in _chains_in(value, count, 0):
        given = sum(answer is not None for answer in answers)
        if given >= 2 and (best is None or (given, rank) > (best[0] // 10, best[0] % 10)):
            best = (given * 10 + rank, answers)
    return best[1] if best else None


def _chains_in(value: object, count: int, rank: int) -> Iterator[tuple[int, tuple[float | None, ...]]]:
    match value:
        case dict():
            indexed: dict[int, object] = {}
            for key, inner in value.items():
                name = str(key).strip().lower()
                found = _INDEX_KEY.match(name)
                word = next(
                    (
                        place
                        for place, words in enumerate(zip(CARDINALS, ORDINALS, strict=True), start=1)
                        if any(re.search(rf"(?<![a-z]){w}(?![a-z])", name) for w in words)
                    ),
                    None,
                )
                index = int(found[1]) if found else word
                if index is not None and index <= count:
                    indexed.setdefault(index, inner)
            if len(indexed) >= 2:
                yield (
                    rank + 1,
                    tuple(_value_number(indexed[index]) if index in indexed else None for index in range(1, count + 1)),
                )
            elif rank >= 3 and len(value) == count:
                yield rank, tuple(_value_number(inner) for inner in value.values())
            for key, inner in value.items():
                named = bool(_ANSWER_KEY.search(str(key)) or _MATH_KEY.search(str(key)))
                yield from _chains_in(inner, count, 3 if named else rank)
        case list():
            if len(value) == count:
                yield rank, tuple(_value_number(inner) for inner in value)
            for inner in value:
                yield from _chains_in(inner, count, rank)
        case str():
            answers = stated_chain(plain(value), count)
            if answers is not None:
                yield rank, answers


def _value_number(value: object) -> float | None:
    if isinstance(value, dict):
        without_label = {
            key: inner
            for key, inner in value.items()
            if str(key).lower() not in ("id", "problem", "number", "question")
        }
        answers = numbers_in_json(without_label, 1)
        if answers is None:
            numbers = [number for _, leaf in json_leaves(without_label) if (number := _leaf_number(leaf)) is not None]
            return numbers[-1] if numbers else None
        return answers[0]
    return None if isinstance(value, list | bool) or value is None else _leaf_number(value)
