"""Whatever a model writes, a value of the form or one clear problem; asked again once, with the problem."""

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from forgetscope.io.asking import AskedFor, Heard, Said, ask_for, chat, going_on, read_json


class Decision(BaseModel):
    """A form that knows its fields."""

    model_config = ConfigDict(extra="forbid")

    verdict: Literal["yes", "no"]
    flags: Annotated[tuple[bool, ...], Field(max_length=2)] = ()


class Size(BaseModel):
    name: str
    size: int


class Sizes(BaseModel):
    rows: tuple[Size, ...]


YES, NO = '{"verdict": "yes"}', '{"verdict": "no"}'


@pytest.mark.parametrize(
    "reply",
    [
        NO,
        f"Here it is:\n```json\n{NO}\n```",
        f"[{NO}]",
        f"The reply holds {{braces}} and is wrong. {NO} That is all.",
        f"{NO}\n{NO}",
    ],
)
def test_one_object_is_read_whatever_stands_around_it(reply: str) -> None:
    assert read_json(reply, Decision) == (Decision(verdict="no"), "")


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "it holds no JSON object"),
        ("no", "it holds no JSON object"),
        ("['no']", "it holds no JSON object"),
        (f"The reply claims {YES} but I say {NO}", "it holds several objects of that form"),
        ('{"verdict": "maybe"}', "verdict: input should be 'yes' or 'no'"),
        ('{"flags": []}', "verdict: field required"),
        ('{"verdict": "no", "grade": 3}', "grade: extra inputs are not permitted"),
        ('{"result": {"verdict": "no"}}', "verdict: field required"),
        ('{"verdict": "no", "flags": [true, true, true]}', "flags: tuple should have at most 2 items"),
        ('{"verdict": "no"', "it holds no JSON object"),
        ("{" * 50_000, "it holds no JSON object"),
        ('{"a":' * 5_000, "it holds no JSON object"),
    ],
)
def test_what_is_no_value_says_why(reply: str, problem: str) -> None:
    value, found = read_json(reply, Decision)
    assert value is None
    assert found.startswith(problem)


def test_objects_may_differ_in_what_only_explains() -> None:
    both = '{"name": "because", "size": 3} {"name": "since", "size": 3}'
    assert read_json(both, Size, explaining=("name",)) == (Size(name="because", size=3), "")
    assert read_json(both, Size, called="sizes") == (None, "it holds several sizes")


rows = st.lists(st.builds(Size, name=st.text(max_size=8), size=st.integers(-5, 500)), max_size=5)


@given(rows, st.text(alphabet="abc \n`", max_size=10))
def test_a_whole_reply_is_read_with_anything_around_it(given_rows: list[Size], noise: str) -> None:
    wanted = Sizes(rows=tuple(given_rows))
    for repair in (False, True):
        assert read_json(f"{noise}{wanted.model_dump_json()}{noise}", Sizes, repair=repair) == (wanted, "")


@given(rows, st.integers(0, 200))
def test_a_reply_cut_short_gives_its_first_rows_or_is_unreadable(given_rows: list[Size], length: int) -> None:
    wanted = Sizes(rows=tuple(given_rows))
    found, problem = read_json(wanted.model_dump_json()[:length], Sizes, repair=True)
    if found is None:
        assert problem
    else:
        assert found.rows == wanted.rows[: len(found.rows)]


def test_commas_too_many_are_passed_over_where_that_is_asked_for() -> None:
    reply = '{"rows": [{"name": "a", "size": 1,},],}'
    assert read_json(reply, Sizes)[0] is None
    assert read_json(reply, Sizes, repair=True) == (Sizes(rows=(Size(name="a", size=1),)), "")


@given(st.text(max_size=60), st.booleans())
def test_no_reply_raises(reply: str, repair: bool) -> None:
    assert read_json(reply.replace("rows", ""), Sizes, repair=repair)[0] is None


@pytest.mark.parametrize("reply", ['{"rows":' + "[" * 100_000, "{" * 50_000, "}" * 50_000])
def test_replies_that_are_nested_too_deeply_are_unreadable(reply: str) -> None:
    assert read_json(reply, Sizes, repair=True) == (None, "it holds no JSON object")


def test_the_problem_names_the_field_whether_or_not_it_was_repaired() -> None:
    reply = json.dumps({"rows": [{"name": "a", "size": "many"}]})
    for repair in (False, True):
        assert read_json(reply, Sizes, repair=repair)[1].startswith("rows.0.size: ")


def asked(*script: Heard) -> tuple[AskedFor[Decision], list[Sequence[Said]]]:
    conversations: list[Sequence[Said]] = []

    async def send(said: Sequence[Said], attempt: int) -> Heard:
        conversations.append(said)
        assert attempt == len(conversations)
        return script[attempt - 1]

    start = [("system", "You judge."), ("user", "Well?")]
    found = asyncio.run(ask_for(start, send, lambda reply: read_json(reply, Decision), going_on("Again ({problem}).")))
    return found, conversations


def test_a_reply_that_cannot_be_read_is_asked_for_once_more_with_the_problem() -> None:
    found, (first, second) = asked(Heard("Hm.", "<think>..</think>Hm."), Heard(NO, NO))
    assert found == AskedFor(Decision(verdict="no"), "", ("<think>..</think>Hm.", NO))
    assert second[: len(first)] == first
    assert second[2:] == [("assistant", "<think>..</think>Hm."), ("user", "Again (it holds no JSON object).")]


def test_an_empty_reply_goes_back_as_no_text() -> None:
    _, (_, second) = asked(Heard(), Heard(NO, NO))
    assert second[2] == ("assistant", "(no text)")


def test_after_one_retry_the_value_stays_unread() -> None:
    found, conversations = asked(Heard("Hm.", "Hm."), Heard("", "", "{problem}, cut off at 7 tokens"), Heard(NO, NO))
    assert found == AskedFor(None, "it holds no JSON object, cut off at 7 tokens", ("Hm.", ""))
    assert len(conversations) == 2


def test_where_asking_again_cannot_help_it_is_not_asked() -> None:
    found, conversations = asked(Heard("", "", "{problem} (content_filter)", is_last=True), Heard(NO, NO))
    assert (found.value, found.problem) == (None, "it holds no JSON object (content_filter)")
    assert len(conversations) == 1


def test_a_model_that_is_lost_at_the_retry_leaves_the_first_reply() -> None:
    found, _ = asked(Heard("Hm.", "Hm."), Heard(lost="the server is down"))
    assert found == AskedFor(None, "it holds no JSON object", ("Hm.",), "the server is down")


def test_a_conversation_becomes_messages_in_their_roles() -> None:
    said = [("system", "a"), ("user", "b"), ("assistant", "c")]
    assert [(message.role, message.text) for message in chat(said)] == said
