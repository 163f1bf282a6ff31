"""JSON from replies: whatever the model writes, a record or one clear problem."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from forgetscope.benchmarks.unlearning.data import construction_prompts as prompts
from forgetscope.benchmarks.unlearning.data.replies import UnreadableReplyError, read_json


class Row(BaseModel):
    name: str
    size: int


class Rows(BaseModel):
    rows: tuple[Row, ...]


rows = st.lists(st.builds(Row, name=st.text(max_size=8), size=st.integers(-5, 500)), max_size=5)


@given(rows, st.text(alphabet="abc \n`", max_size=10))
def test_a_whole_reply_is_read_with_anything_around_it(given_rows: list[Row], noise: str) -> None:
    wanted = Rows(rows=tuple(given_rows))
    assert read_json(f"{noise}{wanted.model_dump_json()}{noise}", Rows) == wanted


@given(rows, st.integers(0, 200))
def test_a_reply_cut_short_gives_its_first_rows_or_is_unreadable(given_rows: list[Row], length: int) -> None:
    wanted = Rows(rows=tuple(given_rows))
    try:
        found = read_json(wanted.model_dump_json()[:length], Rows)
    except UnreadableReplyError:
        return
    assert found.rows == wanted.rows[: len(found.rows)]


@given(st.text(max_size=60))
def test_no_reply_raises_anything_else(reply: str) -> None:
    with pytest.raises(UnreadableReplyError):
        read_json(reply.replace("rows", ""), Rows)


def test_deeply_nested_replies_are_unreadable() -> None:
    with pytest.raises(UnreadableReplyError):
        read_json('{"rows":' + "[" * 100_000, Rows)


def test_the_problem_names_the_field() -> None:
    with pytest.raises(UnreadableReplyError, match=r"rows.0.size"):
        read_json(json.dumps({"rows": [{"name": "a", "size": "many"}]}), Rows)


def test_the_prompts_are_those_of_their_version() -> None:
    """Whoever changes a prompt raises CONSTRUCTION_PROMPTS_VERSION and this."""
    texts = (prompts.TRIPLETS, prompts.QUESTIONS, prompts.ANSWER, prompts.AGAIN)
    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()
    assert (prompts.CONSTRUCTION_PROMPTS_VERSION, digest[:16]) == ("1", "2091db9499ff4f08")


def test_prompts_hold_the_text_between_their_fences_once() -> None:
    text = "Ada opened {a mill}.\n---\nShe left."
    for prompt in (
        prompts.triplets_prompt(text),
        prompts.questions_prompt(text, 3),
        prompts.answer_prompt(text, "Who left?"),
    ):
        assert prompt.count("----------") == 2
        assert "Ada opened {a mill}." in prompt.split("----------")[1]
