"""What a model of known behaviour must give: the share of hits, at most it, nothing at all, or guessing."""

import polars as pl
import pytest

from forgetscope.benchmarks.expectations import Expectation, Kind, check_all, ended_as, share
from forgetscope.core.outcomes import Status

TABLE = pl.DataFrame({"n": [1, 2, 3, 4], "status": ["correct", "correct", "refused", "incorrect"]})


@pytest.mark.parametrize(
    ("kind", "value", "hits", "total", "holds"),
    [
        ("exactly", 0.5, 2, 4, True),
        ("exactly", 0.5, 3, 4, False),
        ("exactly", 0.0, 0, 0, False),
        ("at most", 0.5, 2, 4, True),
        ("at most", 0.5, 3, 4, False),
        ("at most", 0.5, 0, 0, False),
        ("undefined", 1.0, 0, 0, True),
        ("undefined", 1.0, 0, 1, False),
        ("guessing", 1.0, 10, 40, True),
        ("guessing", 1.0, 30, 40, False),
        ("guessing", 1.0, 0, 0, False),
    ],
)
def test_a_share_is_what_it_must_be_or_not(kind: Kind, value: float, hits: int, total: int, *, holds: bool) -> None:
    one = Expectation("a figure", lambda _: (hits, total), value, kind)
    assert one.holds(hits, total, chance=0.25) is holds


def test_checks_say_what_must_be_and_what_was_found() -> None:
    found = check_all(
        "someone",
        (
            Expectation("refused", ended_as(Status.REFUSED, pl.col("n") > 1), 1 / 3),
            Expectation("even", share(pl.lit(value=True), pl.col("n") % 2 == 0), 0.4, "at most"),
        ),
        TABLE,
    )
    assert [(check.figure, check.expected, check.found, check.holds) for check in found] == [
        ("refused", "33%", "1 of 3", True),
        ("even", "at most 40%", "2 of 4", False),
    ]
