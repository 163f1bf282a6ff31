"""What a prompt changes and how figures move with length: on the same items, by hand."""

import pytest

from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.in_context.metrics.small_tables import IF, Row, cell, factors, figures_of, pair

AGAINST = {"against": "noforget"}


def change(index: FigureIndex, name: str, strategy: str = "forget") -> Figure:
    entry = index.get(f"strategy.{name}", **factors(strategy=strategy), **AGAINST)
    assert entry is not None
    return entry


def test_the_effect_of_a_prompt_is_paired_by_item() -> None:
    rows = pair("a", True, False) + pair("b", True, False) + pair("c", True, True) + pair("d", False, True)
    rows += pair("a", True, True, strategy="forget") + pair("b", True, False, strategy="forget")
    rows += pair("c", True, True, strategy="forget") + pair("d", False, True, strategy="forget")
    index = figures_of(rows)
    assert change(index, "na").value == 0
    assert change(index, "fa").value == pytest.approx(1 / 4)
    assert change(index, "fa").n == 4
    assert change(index, "sfrr").value == pytest.approx(2 / 3 - 1 / 3)


def test_only_items_scored_under_both_prompts_are_compared() -> None:
    rows = pair("a", True, False) + pair("b", True, False) + pair("c", True, "cut") + pair("d", True, True)
    rows += pair("a", True, True, strategy="forget") + pair("b", True, False, strategy="forget")
    rows += pair("c", True, True, strategy="forget")
    fa = change(figures_of(rows), "fa")
    assert (fa.value, fa.n) == (0.5, 2)


def test_mcnemar_of_fa_is_corrected_over_all_cells_compared() -> None:
    rows = cell(0, 8, 0, 0) + cell(0, 8, 0, 0, length=500)
    rows += cell(8, 0, 0, 0, strategy="forget") + cell(0, 8, 0, 0, strategy="forget", length=500)
    index = figures_of(rows)
    native = index.value("strategy.fa.p.holm", **factors(strategy="forget"), **AGAINST)
    at_500 = index.value("strategy.fa.p.holm", **factors(length=500, strategy="forget"), **AGAINST)
    assert native == pytest.approx(2 * 2 / 2**8)  # exact p 2/256, times the two comparisons
    assert at_500 == 1.0


def test_prompts_swapped_give_the_opposite_sign() -> None:
    def swapped(rows: list[Row]) -> list[Row]:
        names = {"noforget": "forget", "forget": "noforget"}
        return [
            made
            for entry in rows
            for made in pair(
                str(entry["item"]),
                entry["status"] == "correct" if entry["form"] == "noforget" else None,
                entry["status"] == "correct" if entry["form"] == "forget" else None,
                strategy=names[str(entry["strategy"])],
            )
        ]

    rows = cell(2, 4, 1, 1) + cell(4, 2, 0, 2, strategy="forget")
    for name in ("na", "fa", "sfrr"):
        one, other = change(figures_of(rows), name).value, change(figures_of(swapped(rows)), name).value
        assert one is not None
        assert other == pytest.approx(-one)


def test_a_prompt_without_the_plain_one_beside_it_is_compared_with_nothing() -> None:
    assert figures_of(cell(1, 1, 0, 0, strategy="forget")).named("strategy.fa") == ()


def trend(index: FigureIndex, name: str) -> Figure:
    entry = index.get(f"trend.{name}", scenario=IF, strategy="noforget")
    assert entry is not None
    return entry


def at_lengths(outcomes: dict[int, list[tuple[bool, bool]]]) -> FigureIndex:
    return figures_of(
        [
            made
            for length, pairs in outcomes.items()
            for number, (without, with_) in enumerate(pairs)
            for made in pair(f"i{number}", without, with_, length=length)
        ]
    )


def test_a_trend_is_the_change_per_doubling() -> None:
    # NA of two items: 1, 1 at 500; 1, 1 at 1,000; 1, 0 at 2,000; slope within items over -1, 0, 1 doublings:
    # item 0: 0; item 1: (-1 * 1 + 1 * 0) / 2 = -0.5; their mean -0.25
    index = at_lengths({500: [(True, False)] * 2, 1000: [(True, False)] * 2, 2000: [(True, True), (False, True)]})
    assert trend(index, "na").value == pytest.approx(-0.25)
    assert trend(index, "fa").value == pytest.approx(0.5)
    # SFRR 0, 0, 1: (-1 * 0 + 1 * 1) / 2
    assert trend(index, "sfrr").value == pytest.approx(0.5)


def test_lengths_that_are_not_doublings_are_placed_by_their_logarithm() -> None:
    # 500, 1,000 and 4,000 stand at 0, 1 and 3 doublings, mean 4/3: (-4/3 * 0 - 1/3 * 0 + 5/3 * 1) / (16 + 1 + 25) * 9
    index = at_lengths({500: [(False, False)] * 2, 1000: [(False, False)] * 2, 4000: [(True, True)] * 2})
    assert trend(index, "na").value == pytest.approx((5 / 3) / (42 / 9))


def test_two_lengths_and_the_native_one_make_no_trend() -> None:
    index = figures_of(cell(1, 1, 0, 0) + cell(1, 1, 0, 0, length=500) + cell(1, 1, 0, 0, length=1000))
    assert index.named("trend.na") == ()


def test_items_left_out_at_short_lengths_bend_no_trend() -> None:
    short = {500: [(True, True)] * 2, 1000: [(True, True)] * 2, 2000: [(True, True)] * 2}
    more = {**short, 2000: [(True, True)] * 2 + [(False, False)] * 6}
    assert trend(at_lengths(short), "na").value == trend(at_lengths(more), "na").value == 0


def test_a_trend_of_sfrr_is_undefined_where_one_length_has_none() -> None:
    index = at_lengths({500: [(False, True)] * 2, 1000: [(True, True)] * 2, 2000: [(True, True)] * 2})
    assert trend(index, "sfrr").value is None
    assert trend(index, "sfrr").note == "zero denominator"


def test_p_values_of_trends_are_one_family() -> None:
    outcomes = {500: [(True, False)] * 8, 1000: [(True, False)] * 8, 2000: [(False, False)] * 8}
    index = at_lengths(outcomes)
    family = [index.value(f"trend.{name}.p.holm", scenario=IF, strategy="noforget") for name in ("na", "fa")]
    assert family[0] is not None
    assert family[0] < 0.05
    assert family[1] == 1.0
