"""Triplets by a language model: each once, about the text, the rest with the reason."""

import json

import pytest

from forgetscope.benchmarks.unlearning.construction.prompts import TripletsReply, read_reply
from forgetscope.benchmarks.unlearning.construction.triplets import (
    EMPTY_PART,
    NOT_IN_THE_TEXT,
    TWICE,
    sift_triplets,
)
from forgetscope.benchmarks.unlearning.data.records import Triplet
from tests.benchmarks.unlearning.formats.words import chunk

TEXT = "Ada Voss opened a mill in Kald."
GOOD = json.dumps({"triplets": [{"head": "Ada Voss", "relation": "opened", "tail": "mill"}]})


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"Here they are:\n```json\n{GOOD}\n```\nAnything else?",
        GOOD.replace("}]", "},]"),
        GOOD.replace("]}", ', {"head": "Ada Vo'),
    ],
)
def test_replies_in_prose_with_a_comma_too_many_or_cut_short_are_read(reply: str) -> None:
    value, problem = read_reply(reply, TripletsReply)
    assert (value is not None, problem) == (True, "")
    assert value is not None
    assert sift_triplets(chunk(TEXT), value) == ((Triplet.parse("Ada Voss | opened | mill"),), [])


def test_triplets_about_other_things_than_the_text_are_rejected_with_the_reason() -> None:
    rows = [
        {"head": "Ada Voss", "relation": "opened | shut", "tail": "mill"},
        {"head": "Paris", "relation": "is in", "tail": "France"},
        {"head": "", "relation": "is", "tail": "mill"},
        {"head": "Ada Voss", "relation": "opened / shut", "tail": "mill"},
    ]
    kept, rejected = sift_triplets(chunk(TEXT), TripletsReply.model_validate({"triplets": rows}))
    assert [triplet.line for triplet in kept] == ["Ada Voss | opened / shut | mill"]
    assert [reason for _, reason in rejected] == [NOT_IN_THE_TEXT, EMPTY_PART, TWICE]
