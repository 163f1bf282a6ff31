"""The token limit under which nearly all replies would end."""

from math import exp
from statistics import NormalDist

import polars as pl

from forgetscope.diagnostics.token_limit import suggest_limit

Row = dict[str, str | int | bool | None]


def ended(tokens: int | None) -> Row:
    return {"status": "correct", "finish_reason": "stop", "looped": False, "output_tokens": tokens}


def cut(*, looped: bool = False) -> Row:
    return {"status": "truncated", "finish_reason": "length", "looped": looped, "output_tokens": 100}


def frame_of(rows: list[Row]) -> pl.DataFrame:
    kinds = {"status": pl.String, "finish_reason": pl.String, "looped": pl.Boolean, "output_tokens": pl.Int64}
    return pl.DataFrame(rows, schema=kinds)


def test_a_limit_under_which_nearly_all_end_is_the_length_of_the_98th_percentile() -> None:
    found = suggest_limit(frame_of([ended(n) for n in range(1, 101)]), 2048)
    assert found.suggested == 128  # the 98th percentile of 1..100 is 98.02
    assert "suffices" in found.why


def test_a_limit_that_cuts_a_third_suggests_a_higher_one() -> None:
    rows = [ended(n) for n in range(40, 100)] + [cut() for _ in range(30)]
    found = suggest_limit(frame_of(rows), 100)
    assert found.suggested is not None
    assert found.suggested > 100
    assert found.suggested % 64 == 0
    assert "log-normal" in found.why


def test_where_replies_loop_a_higher_limit_is_not_suggested() -> None:
    rows = [ended(50)] + [cut(looped=n < 8) for n in range(10)]
    found = suggest_limit(frame_of(rows), 100)
    assert found.suggested is None
    assert "8 of the 10 replies" in found.why
    assert "will not help" in found.why


def test_too_few_finished_replies_give_no_suggestion() -> None:
    found = suggest_limit(frame_of([ended(50)] + [cut() for _ in range(10)]), 100)
    assert found.suggested is None
    assert "only 1 of 11 replies ended" in found.why


def test_without_token_counts_no_limit_is_suggested() -> None:
    rows = [ended(None) for _ in range(20)]
    found = suggest_limit(frame_of([*rows, cut()]), 100)
    assert (found.suggested, found.why) == (None, "no finished reply with a known length")


def test_a_fit_recovers_the_quantile_of_a_known_log_normal() -> None:
    normal = NormalDist()
    lengths = [round(100 * exp(normal.inv_cdf((position + 0.5) / 200))) for position in range(200)]
    rows = [ended(length) if length <= 340 else cut() for length in lengths]
    found = suggest_limit(frame_of(rows), 340)
    assert found.suggested is not None
    assert 704 <= found.suggested <= 896  # exp(log 100 + 2.054) = 780
