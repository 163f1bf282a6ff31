"""Rates of kept formats."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from tests.benchmarks.prospective.metrics.small_tables import figures_of, row

BASE = {"condition": "baseline", "load": "none"}


def test_the_paper_rate_takes_every_reply_with_text_and_the_completed_rate_leaves_cut_ones_out() -> None:
    index = figures_of(
        [
            row("a", "baseline", kept=True),
            row("b", "baseline", kept=True),
            row("c", "baseline", kept=False),
            row("d", "baseline", kept=False, status="truncated", finish_reason="length"),
            row("e", "baseline"),
        ]
    )
    paper, completed = index.get("compliance.strict.paper", **BASE), index.get("compliance.strict.completed", **BASE)
    assert paper is not None
    assert completed is not None
    assert (paper.value, paper.n, paper.excluded) == (0.5, 4, 1)
    assert completed.value == pytest.approx(2 / 3)
    assert completed.excluded == 2
    assert index.value("compliance.strict.completed.lowest", **BASE) == pytest.approx(2 / 5)
    assert index.value("compliance.strict.completed.highest", **BASE) == pytest.approx(4 / 5)
    assert "length-limited: 1 of 5" in paper.note


def test_one_reply_an_item_gets_wilson_and_several_runs_get_it_for_fewer_samples_than_replies() -> None:
    rows = [row(item, "natural", "mmlu", item in "abcd") for item in "abcdefgh"]
    single = figures_of(rows).get("compliance.strict.paper", condition="natural", load="mmlu")
    several = [*rows, *(row(item, "natural", "mmlu", item in "abcde", seed=137) for item in "abcdefgh")]
    repeated = figures_of(several, ProspectiveSettings(seeds=(42, 137))).get(
        "compliance.strict.paper", condition="natural", load="mmlu"
    )
    assert single is not None
    assert repeated is not None
    assert single.method.endswith("Wilson, 95%")
    assert (single.low, single.high) == pytest.approx((0.2152, 0.7848), abs=1e-4)  # Wilson for 4 of 8
    assert repeated.value == 9 / 16
    # Item means 1, 1, 1, 1, 1/2, 0, 0, 0: variance s**2 / 8, mixed with 0.15 of an item's worth of p (1 - p) / 8.
    weight = 7 * (63 / 64) ** 2
    mixed = (weight * np.var([1, 1, 1, 1, 0.5, 0, 0, 0], ddof=1) / 8 + 0.15 * (63 / 256) / 8) / (weight + 0.15)
    low, high = proportion_confint(9 / 16 * (samples := 63 / 256 / mixed), samples, method="wilson")
    assert 8 < samples < 16
    assert (repeated.low, repeated.high) == pytest.approx((low, high), abs=1e-9)


def test_what_is_the_same_in_every_run_enters_the_paper_interval_once_a_run() -> None:
    rows = [row(item, "baseline", kept=item != "c") for item in "abc"]
    rows += [row("a", "natural", "mmlu", True, seed=seed) for seed in (42, 137, 256)]
    index = figures_of(rows, ProspectiveSettings(seeds=(42, 137, 256)))
    pooled = index.get("compliance.strict.pooled", **BASE)
    honest = index.get("compliance.strict.paper", **BASE)
    assert pooled is not None
    assert honest is not None
    assert (pooled.n, honest.n) == (9, 3)
    assert pooled.value == pytest.approx(2 / 3)
    assert "paper" in pooled.method


def test_loose_and_repaired_readings_are_read_from_their_own_columns() -> None:
    index = figures_of([row("a", "baseline", kept=False, loose=True, strict_repaired=True, loose_repaired=False)])
    names = ("strict.paper", "loose.paper", "strict.repaired", "loose.repaired")
    assert [index.value(f"compliance.{name}", **BASE) for name in names] == [0.0, 1.0, 1.0, 0.0]


def test_a_single_reply_has_a_rate_and_no_interval() -> None:
    entry = figures_of([row("a", "baseline", kept=True)]).get("compliance.strict.paper", **BASE)
    assert entry is not None
    assert (entry.value, entry.low) == (1.0, None)
    assert entry.note == "fewer than 6 samples"
