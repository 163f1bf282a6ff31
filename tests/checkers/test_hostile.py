"""Replies made to break a checker: huge, repetitive, odd."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.checkers import CONSTRAINTS, Behaviour, check
from tests.checkers.test_cases import CASES

SIZE = 1_000_000
MOST_SECONDS = 20.0  # of the processor; the slowest takes three, a quadratic pattern would take hours

HUGE = {
    "blanks": " " * SIZE + "x",
    "newlines": "\n" * SIZE + "x",
    "asterisks": "*" * SIZE,
    "brackets": "[" * SIZE,
    "angles": "<<" * (SIZE // 2),
    "points": ". " * (SIZE // 2),
    "quotes": '"' * SIZE,
    "postscripts": "p." * (SIZE // 2),
    "bullets": "*\n" * (SIZE // 2),
}
KWARGS = {case[0]: case[1] for case in CASES}
SLOW_BY_NATURE = {
    "language:response_language",
    "reader:tongue",
    "change_case:english_capital",
    "change_case:english_lowercase",
}


@pytest.mark.parametrize("kind", HUGE)
def test_a_megabyte_hangs_no_checker(kind: str) -> None:
    for instruction_id in CONSTRAINTS:
        for behaviour in Behaviour:
            start = time.process_time()
            check(instruction_id, KWARGS[instruction_id], HUGE[kind], behaviour=behaviour)
            assert time.process_time() - start < MOST_SECONDS, instruction_id


def test_json_nested_too_deeply_is_not_followed() -> None:
    verdict = check("detectable_format:json_format", {}, "[" * 200_000)
    assert (verdict.followed, verdict.reason) == (False, "not JSON that can be read: nested too deeply")


@given(st.text(max_size=80) | st.text(alphabet=st.sampled_from("*-#<>[]\"'.,!? \n\r\tPpSs1aAßǅİ\ud83d"), max_size=80))
def test_any_text_gets_a_verdict_with_a_reason_and_a_span_inside_it(reply: str) -> None:
    for instruction_id in CONSTRAINTS:
        if instruction_id in SLOW_BY_NATURE:
            continue
        for behaviour in Behaviour:
            verdict = check(instruction_id, KWARGS[instruction_id], reply, behaviour=behaviour)
            assert verdict.followed == (verdict.reason == "")
            assert verdict.span is None or 0 <= verdict.span[0] < verdict.span[1] <= len(reply), instruction_id
