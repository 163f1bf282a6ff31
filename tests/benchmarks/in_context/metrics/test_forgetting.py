"""NA, FA, SFRR and what belongs to them: by hand, whatever the order, undefined where a member is."""

import random

import pytest

from forgetscope.benchmarks.in_context.metrics.study import AVERAGE
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.in_context.metrics.small_tables import DP, IF, SR, Row, cell, factors, figures_of, pair, study_of

HERE = factors()


def value(index: FigureIndex, name: str, **more: str) -> float | None:
    return index.value(name, **HERE, **more)


def test_a_cell_by_hand() -> None:
    index = figures_of(cell(6, 2, 1, 1))
    assert value(index, "na") == 0.8
    assert value(index, "fa") == 0.7
    assert value(index, "sfrr") == 0.75
    assert value(index, "wr") == 0.1
    assert value(index, "both") == 0.6
    assert value(index, "drop") == pytest.approx(0.1)
    assert value(index, "drop.p.exact") == 1.0  # 2 against 1: twice the chance of at most 1 of 3
    sfrr = index.get("sfrr", **HERE)
    assert sfrr is not None
    # Wilson, 6 of 8
    assert sfrr.n == 8
    assert [sfrr.low, sfrr.high] == pytest.approx([0.4093, 0.9285], abs=1e-4)


def test_a_lost_gain_needs_a_drop_that_is_significant_by_mcnemar() -> None:
    assert value(figures_of(cell(2, 8, 0, 2)), "drop.p.exact") == pytest.approx(2 / 2**8)


def test_unscored_items_leave_the_figures_and_widen_the_bounds() -> None:
    index = figures_of(cell(6, 2, 1, 1) + pair("x", True, "cut") + pair("y", "lost", "lost"))
    na, sfrr = index.get("na", **HERE), index.get("sfrr", **HERE)
    assert na is not None
    assert sfrr is not None
    assert (na.value, na.n, na.excluded) == (0.8, 10, 2)
    assert value(index, "sfrr.lowest") == pytest.approx(6 / 10)
    assert value(index, "sfrr.highest") == pytest.approx(8 / 10)


def test_all_scored_samples_stand_beside_the_pairs() -> None:
    index = figures_of(cell(1, 0, 0, 1) + pair("x", True, "cut") + pair("y", None, True))
    assert value(index, "na") == 0.5
    assert value(index, "all_valid.na") == pytest.approx(2 / 3)
    assert value(index, "all_valid.fa") == pytest.approx(2 / 3)
    assert value(index, "all_valid.fa.lowest") == pytest.approx(2 / 4)
    assert value(index, "all_valid.fa.highest") == pytest.approx(3 / 4)


def test_the_papers_reading_takes_every_reply_with_text() -> None:
    index = figures_of(pair("a", True, "cut but passing") + pair("b", "refused", True) + pair("c", "lost", True))
    assert value(index, "na") is None
    paper = index.get("paper.na", **HERE)
    assert paper is not None
    assert (paper.value, paper.n, paper.excluded) == (0.5, 2, 1)
    assert value(index, "paper.fa") == 1.0
    assert value(index, "paper.sfrr") == 1.0


def test_nothing_scored_leaves_every_figure_undefined_and_none_raises() -> None:
    index = figures_of(pair("a", "cut", "cut") + pair("b", "lost", True))
    for name in ("na", "fa", "sfrr", "drop", "wr", "both", "drop.p.exact"):
        assert value(index, name) is None, name


def test_one_item_has_values_and_no_interval() -> None:
    index = figures_of(cell(0, 1, 0, 0))
    for name, expected in (("na", 1.0), ("fa", 0.0), ("sfrr", 0.0), ("drop", 1.0)):
        entry = index.get(name, **HERE)
        assert entry is not None
        assert (entry.value, entry.low, entry.n) == (expected, None, 1)
        assert entry.note


def test_sfrr_is_undefined_where_nothing_was_right_without_the_interference() -> None:
    index = figures_of(cell(0, 0, 3, 1))
    sfrr = index.get("sfrr", **HERE)
    assert sfrr is not None
    assert sfrr.value is None
    assert value(index, "fa") == value(index, "wr") == 0.75


def test_the_order_of_rows_changes_no_figure() -> None:
    rows = cell(4, 3, 2, 3) + cell(5, 2, 1, 1, SR) + cell(3, 3, 1, 2, DP) + cell(3, 3, 3, 3, length=500)
    shuffled: list[Row] = list(rows)
    random.Random(5).shuffle(shuffled)
    assert list(figures_of(rows)) == list(figures_of(shuffled))


def test_the_mean_of_the_three_is_unweighted() -> None:
    # SFRR 6/8, 2/4, 1/1; NA 8/10, 4/4, 1/2; drop 1/10, 2/4, -1/2 + ...
    index = figures_of(cell(6, 2, 1, 1) + cell(2, 2, 0, 0, SR) + cell(1, 0, 1, 0, DP))
    mean = factors(AVERAGE)
    assert index.value("na", **mean) == pytest.approx((0.8 + 1.0 + 0.5) / 3)
    assert index.value("fa", **mean) == pytest.approx((0.7 + 0.5 + 1.0) / 3)
    assert index.value("sfrr", **mean) == pytest.approx((0.75 + 0.5 + 1.0) / 3)
    assert index.value("drop", **mean) == pytest.approx((0.1 + 0.5 - 0.5) / 3)
    assert index.value("wr", **mean) == pytest.approx((0.1 + 0.0 + 0.5) / 3)


def test_the_mean_needs_all_three_scenarios_and_says_which_member_is_undefined() -> None:
    two = figures_of(cell(2, 1, 0, 1) + cell(2, 1, 0, 1, SR))
    assert two.get("na", **factors(AVERAGE)) is None
    rows = cell(2, 1, 0, 1) + cell(2, 1, 0, 1, SR) + cell(0, 0, 2, 2, DP)
    entry = figures_of(rows).get("sfrr", **factors(AVERAGE))
    assert entry is not None
    assert entry.value is None
    assert "nothing was right without the request in dynamic preference" in entry.note


def test_a_mean_whose_members_all_agree_has_an_interval_and_no_zero_width() -> None:
    entry = figures_of(cell(5, 0, 0, 0) + cell(5, 0, 0, 0, SR) + cell(5, 0, 0, 0, DP)).get("sfrr", **factors(AVERAGE))
    assert entry is not None
    assert entry.value == entry.high == 1.0
    assert entry.low is not None
    assert 0.5 < entry.low < 1.0


def test_levels_of_a_factor_share_out_the_items_of_the_cell() -> None:
    rows = cell(2, 1, 0, 0) + [
        made
        for number in range(3)
        for made in pair(f"g{number}", True, False, kind="goal", memory_cue=True, request_kind="retraction")
    ]
    index = figures_of(rows)
    for factor in ("kind", "memory_cue", "request_kind", "request"):
        levels = [
            entry
            for entry in index.named("by_factor.na")
            if entry.factors["factor"] == factor and entry.factors["scenario"] == IF
        ]
        assert sum(entry.n for entry in levels) == 6
    by_kind = {**HERE, "factor": "kind"}
    assert index.value("by_factor.sfrr", **by_kind, level="goal") == 0.0
    assert index.value("by_factor.sfrr", **by_kind, level="identity") == pytest.approx(2 / 3)
    named = index.get("by_factor.na", **HERE, factor="request", level="retraction, fact named")
    assert named is not None
    assert named.n == 3
    assert index.get("by_factor.na", **HERE, factor="memory_cue", level="yes") is not None


def test_items_whose_request_was_not_looked_at_have_no_level_of_it() -> None:
    index = figures_of(cell(1, 1, 0, 0, request_names_fact=None))
    assert not [entry for entry in index.named("by_factor.na") if entry.factors["factor"] == "request"]


def test_only_the_kind_has_figures_away_from_the_main_setting() -> None:
    index = figures_of(cell(1, 1, 0, 0) + cell(1, 1, 0, 0, length=500))
    away = {entry.factors["factor"] for entry in index.named("by_factor.na") if entry.factors["length"] == 500}
    assert away == {"kind"}


def test_where_only_the_open_question_was_put_it_is_the_main_cell() -> None:
    rows = cell(1, 1, 0, 0) + cell(1, 0, 0, 1, SR) + cell(1, 1, 1, 1, DP, question="open")
    study = study_of(rows)
    assert [(key.scenario, key.question) for key in study.main_cells()] == [(IF, ""), (SR, ""), (DP, "open")]
    assert figures_of(rows).value("na", **factors(AVERAGE)) == pytest.approx((1.0 + 0.5 + 0.5) / 3)


def test_options_come_before_the_open_question_in_the_mean() -> None:
    rows = cell(1, 1, 0, 0) + cell(1, 1, 0, 0, SR) + cell(0, 0, 2, 2, DP, question="open") + cell(2, 0, 0, 0, DP)
    assert figures_of(rows).value("na", **factors(AVERAGE)) == pytest.approx(1.0)
    assert figures_of(rows).value("na", **factors(DP, question="open")) == 0.0
