"""Replies of one sign or one short sequence, tens of thousands of times: what a quadratic pattern takes minutes for."""

import string
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from pydantic import BaseModel

from forgetscope.benchmarks.scoring_kinds import KINDS, ScoreSources
from forgetscope.checkers import CONSTRAINTS, Behaviour, check
from forgetscope.core.reasoning import split_reasoning
from forgetscope.core.refusals import is_blanket_decline, is_refusal
from forgetscope.core.results import repeats_itself
from forgetscope.io.asking import read_json
from forgetscope.judging.fence import fence, unfenced
from forgetscope.judging.suspicion import suspicions
from tests.checkers.test_cases import CASES

CHARACTERS = 40_000
MOST_SECONDS = 0.1
"""Of CPU for one reply and one reader."""

SIGNS = (
    *(sign for sign in string.printable if sign not in "\x0b\x0c"),
    *"éß１٣中ا“”’‘«»–—•…°²½€\u00a0\u0301\u200b\u200d\u202e\u2028\ufeff😀",
)
SEQUENCES = (
    *(
        "<|",
        "[[",
        "<<",
        "- ",
        "1. ",
        "**",
        "* ",
        "\n\n",
        "# ",
        "| ",
        "|\n",
        '{"',
        '{"a":',
        "\\boxed{",
        "[a] ",
        "<<a>> ",
        "*a* ",
    ),
    *(
        "The answer is ",
        "not ",
        "A or ",
        "1,",
        "1 ",
        "1/",
        "$1 ",
        "= ",
        "3 apples ",
        "so ",
        "A. ",
        "(A) ",
        "####",
        "####1",
    ),
    *(
        "don't ",
        "I can't ",
        "I'm sorry, ",
        "<think>",
        "</think>",
        "```",
        "```\n",
        "```json\n",
        "a, ",
        "Mr. ",
        "? ",
        "! ",
        "a\n",
        "1\n",
    ),
    *(
        "- a\n",
        "P.S. ",
        "I have forgotten ",
        "0.",
        "0,0",
        "--",
        "a-",
        "a'",
        '"a" ',
        "B\n",
        "Answer: ",
        "x = ",
        "two ",
        "twenty-",
    ),
    *(
        "one hundred and ",
        "aB",
        "Ab ",
        "you are ",
        "ignore all previous instructions ",
        "A) x\n",
        "water ",
        "e\u0301",
        "a\u200b",
        ". ",
    ),
)

ROWS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "gsm8k": ({"gold": 12, "question": "Ten and two?"}, {"gold": [1, 2, 3], "prompt": "1. One? 2. Two? 3. Three?"}),
    "mmlu": ({"question": "What is wet?", "choices": ["Sand", "Water", "Fire", "Dust"], "right": "B"},),
    "triviaqa": (
        {"question": "Who wrote Hamlet?", "value": "Shakespeare", "aliases": ["William Shakespeare", "Bard"]},
    ),
    "visual": ({"choices": ["cat", "dog", "bird", "fish"], "right": 1},),
    "refusals": ({},),
    "in-context": (
        *({"item": item, "form": form} for item in ("if-001", "if-032", "dp-001") for form in ("forget", "noforget")),
        *({"item": item, "form": "noforget"} for item in ("sr-001", "sr-002", "sr-003", "sr-004")),
        {"item": "sr-001", "form": "forget", "original_reply": "Dear Mr Okafor"},
    ),
}
SLOW_BY_NATURE = (
    "language:response_language",
    "reader:tongue",
    "change_case:english_capital",
    "change_case:english_lowercase",
)
"""They ask a library what language a reply is in."""


class _Form(BaseModel):
    verdict: str


def readers() -> Iterator[tuple[str, Callable[[str], object]]]:
    """Whatever reads a reply, by name."""
    yield "fence", lambda reply: unfenced(fence("reply", reply).block)
    yield "suspicions", lambda reply: list(suspicions(reply))
    yield "reasoning", split_reasoning
    yield "repeats itself", repeats_itself
    yield "refusal", is_refusal
    yield "blanket decline", is_blanket_decline
    yield "JSON of a judge", lambda reply: read_json(reply, _Form, repair=True)
    for kind, rows in ROWS.items():
        score = KINDS[kind].scorer(ScoreSources())
        for row in rows:
            told = " ".join(str(row[name]) for name in ("item", "form", "load") if name in row)
            yield f"{kind} {told}".strip(), partial(_scored, score, KINDS[kind].row, row)
    for name, kwargs, *_ in CASES:
        if name in CONSTRAINTS and name not in SLOW_BY_NATURE:
            for behaviour in Behaviour:
                yield f"{name} {behaviour}", partial(_checked, name, kwargs, behaviour)


def _scored(score: Callable[[Any], object], kind: type[BaseModel], row: dict[str, Any], reply: str) -> object:
    from forgetscope.core.errors import UserError

    try:
        return score(kind.model_validate({**row, "reply": reply}))
    except UserError as error:  # an item that only a judge can score
        return error


def _checked(name: str, kwargs: Any, behaviour: Behaviour, reply: str) -> object:
    return check(name, kwargs, reply, behaviour=behaviour)


def too_slow(
    pieces: Sequence[str], *, most: float = MOST_SECONDS, only: Collection[str] = ()
) -> list[tuple[float, str, str]]:
    """CPU seconds, reader and piece, wherever a reply takes longer; measured again before it counts."""
    found = []
    for name, read in readers():
        if only and name not in only:
            continue
        read("warm")
        for piece in pieces:
            reply = (piece * CHARACTERS)[:CHARACTERS]
            spent = _seconds(read, reply)
            if spent > most:
                spent = min(spent, _seconds(read, reply + " "), _seconds(read, " " + reply))
            if spent > most:
                found.append((spent, name, piece))
                print(f"{spent:6.2f} CPU s  {name:<50} {piece!r}", flush=True)
    return sorted(found, reverse=True)


def _seconds(read: Callable[[str], object], reply: str) -> float:
    started = time.process_time()
    read(reply)
    return time.process_time() - started


if __name__ == "__main__":
    slow = too_slow((*SIGNS, *SEQUENCES))
    readers_tried = sum(1 for _ in readers())
    print(f"{readers_tried} readers, {len(SIGNS)} signs, {len(SEQUENCES)} sequences: {len(slow)} too slow")
