import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.core.results import CORE_SCHEMA, build_table, repeats_itself


def row(**changes: object) -> dict[str, object]:
    return dict.fromkeys(CORE_SCHEMA) | {"sample_id": "a", "status": "correct"} | changes


def test_a_row_with_a_column_nobody_declared_is_an_error() -> None:
    with pytest.raises(ValueError, match="colour"):
        build_table([row(colour="red")], {})  # type: ignore[list-item]


@pytest.mark.parametrize(
    "reply",
    [
        "Start. " + "the cat sat on the mat. " * 6,
        "Start. " + "the cat sat on the mat. " * 6 + "the cat s",
        "\n".join(f"{number}. Paris is the capital" for number in range(1, 30)),
        "word " * 40,
    ],
)
def test_a_reply_that_ends_in_a_loop_is_found(reply: str) -> None:
    assert repeats_itself(reply)


@pytest.mark.parametrize(
    "reply",
    ["", "A short reply.", "One two three four five six seven eight nine ten. " * 2, "ha ha ha ha", "-----"],
)
def test_ordinary_replies_are_no_loops(reply: str) -> None:
    assert not repeats_itself(reply)


@given(st.text(max_size=300))
def test_any_text_can_be_asked(reply: str) -> None:
    repeats_itself(reply)


def test_a_reply_of_a_megabyte_is_asked_in_a_moment() -> None:
    assert not repeats_itself("".join(random.Random(0).choices("abcdefgh ", k=1_000_000)))
