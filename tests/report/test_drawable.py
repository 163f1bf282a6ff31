"""What of a chart is drawn: no few items, no zeros, no single number, and what is left out is named."""

from dataclasses import replace

from forgetscope.findings.figures import Chart, Figure, Interval, Series
from forgetscope.report.charts.drawable import drawable

FEW, MANY = Interval(0.9, n=9), Interval(0.4, n=10)


def bars(*series: Series, categories: tuple[str, ...] = ("trivia", "maths")) -> Chart:
    return Chart("bars", "Bars", categories, series, "Words.")


def test_a_figure_carries_its_units_into_the_chart() -> None:
    assert Interval.of(Figure("rate", {}, 0.5, 7)).n == 7


def test_a_group_of_nine_items_is_left_to_the_table_and_named() -> None:
    found = drawable(bars(Series("plain", (MANY, FEW)), Series("told", (MANY, FEW))))
    assert found.chart is not None
    assert found.chart.categories == ("trivia",)
    assert [len(series.points) for series in found.chart.series] == [1, 1]
    assert found.left_out == ("maths", "plain", "told")


def test_groups_of_few_items_alone_are_no_chart() -> None:
    found = drawable(bars(Series("plain", (FEW, FEW))))
    assert found.chart is None
    assert found.why == "Not drawn: groups of fewer than 10 items."


def test_zeros_alone_and_one_number_alone_are_no_chart() -> None:
    zero = Interval(0.0, 0.0, 0.1, n=50)
    assert drawable(bars(Series("plain", (zero, zero)))).why == "Not drawn: every value is zero."
    assert drawable(bars(Series("plain", (MANY, None)))).why == "Not drawn: it is one number."
    assert drawable(bars(Series("plain", (None, None)))).why == "There is no number to draw."


def test_a_number_of_unknown_units_is_drawn() -> None:
    chart = bars(Series("plain", (Interval(0.4), Interval(0.2))))
    assert drawable(chart).chart == chart


def test_a_point_of_a_plane_needs_enough_items_both_ways() -> None:
    line = Series("GA", (MANY, MANY, MANY), across=(MANY, FEW, MANY))
    chart = replace(bars(line, categories=("a", "b", "c")), kind="plane")
    found = drawable(chart).chart
    assert found is not None
    assert found.series[0].points == (MANY, None, MANY)
    assert found.series[0].across == (MANY, None, MANY)
