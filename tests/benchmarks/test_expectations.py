"""What a model of known behaviour must give: the share of hits, at most it, nothing at all, or guessing."""

import numpy as np
import polars as pl
import pytest

from forgetscope.benchmarks.expectations import (
    Expectation,
    ExpectedResidue,
    Kind,
    check_all,
    check_residues,
    ended_as,
    share,
)
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Figure
from forgetscope.findings.residue import Word, read_residue, residue_figures
from forgetscope.stats.residue import Arms

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
        ("above", 0.5, 30, 40, True),
        ("above", 0.5, 22, 40, False),
        ("above", 0.5, 0, 0, False),
        ("below", 0.5, 10, 40, True),
        ("below", 0.5, 18, 40, False),
        ("below", 0.5, 0, 0, False),
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


FACTORS = {"part": "x", "condition": "request", "probe": "query"}


def figures(deleted: int, never: int = 0, items: int = 12, told: int | None = None) -> list[Figure]:
    """So many items of which the told arm has all, the deleted and the never-told so many."""
    arms = Arms.of(*(np.arange(items) < count for count in (items if told is None else told, deleted, never)))
    return list(residue_figures(FACTORS, arms, read_residue(arms)))


@pytest.mark.parametrize(
    ("value", "word", "found", "holds"),
    [
        (0, "", figures(0), True),
        (0, "", figures(1), False),
        (1, "still there", figures(12), True),
        (1, "still there", figures(11), False),
        (1, "avoided", figures(12), False),
        ("kept", "", figures(12, never=3), True),
        ("kept", "", figures(11, never=3), False),
        ("lost", "", figures(0, never=3), True),
        ("lost", "", figures(1, never=3), False),
        (None, "nothing to forget", figures(0, told=0), True),
        (None, "nothing to forget", figures(0), False),
        (1, "still there", figures(2, items=2), True),
        (0, "", figures(2, items=2), False),
    ],
)
def test_a_residue_holds_where_arms_interval_and_word_are_what_they_must_be(
    value: float | None, word: Word, found: list[Figure], holds: bool
) -> None:
    (check,) = check_residues("model", [ExpectedResidue("residue", {"condition": "request"}, value, word)], found, 60)
    assert check.holds == holds, check


def test_what_a_run_has_no_item_of_is_left_out_and_without_any_residue_it_fails() -> None:
    other = ExpectedResidue("residue", {"condition": "placebo"}, 0)
    assert check_residues("model", [other], figures(0), 3) == []
    (check,) = check_residues("model", [other], figures(0), 60)
    assert not check.holds
    (check,) = check_residues("model", [other], [], 3)
    assert (check.holds, check.found) == (False, "no residue")
