"""Charts: the same every time, without styles of their own, with words for who cannot see them."""

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from forgetscope.findings.figures import Chart, Interval, Series
from forgetscope.report.charts import draw as charts
from forgetscope.report.charts.draw import _spread, draw_chart
from forgetscope.report.tables import chart_table
from tests.report.synthetic import make_results

RADAR = Chart(
    "radar",
    "Radar",
    ("verbatim", "low", "world"),
    (
        Series("target", (Interval(0.9), Interval(0.5), Interval(0.4))),
        Series("low", (Interval(0.2, 0.1, 0.3), Interval(0.4), None), panel="raw"),
        Series("high", (Interval(0.1), Interval(0.3), Interval(0.4)), panel="raw"),
        Series("low", (Interval(0.6), Interval(-0.1), Interval(0.4)), panel="triplets"),
    ),
    "The target keeps 90.0% verbatim.",
)
PLANE = Chart(
    "plane",
    "Plane",
    ("1e-5", "2e-5"),
    (
        Series("GA", (Interval(0.1), Interval(0.7, 0.6, 0.8)), across=(Interval(0.2), Interval(0.8, 0.7, 0.9))),
        Series("NPO", (Interval(-0.1), None), across=(Interval(0.1), Interval(0.5))),
    ),
    "GA goes further.",
    y_label="Retain change",
    x_label="Forget change",
    is_joined=True,
)
CHARTS = [block for section in make_results().sections for block in section.blocks if isinstance(block, Chart)]
HOSTILE = "$\\frac{</title><script>alert(1)</script>\u202e\x00 漢字"


@pytest.mark.parametrize("chart", [*CHARTS, RADAR], ids=lambda chart: chart.title)
class TestEveryKindOfChart:
    def test_the_same_numbers_give_the_same_bytes(self, chart: Chart) -> None:
        drawn = draw_chart(chart, prefix="a")
        charts._drawn.cache_clear()
        assert draw_chart(chart, prefix="a") == drawn

    def test_it_has_a_title_and_a_description(self, chart: Chart) -> None:
        root = ET.fromstring(draw_chart(chart, prefix="a"))  # noqa: S314 - our own output
        assert root.get("role") == "img"
        assert [child.text for child in root[:2]] == [chart.title, chart.summary]

    def test_it_needs_no_style_picture_or_link(self, chart: Chart) -> None:
        drawn = draw_chart(chart, prefix="a")
        assert not re.search(r"style=|<style|<image|http:(?!//www\.w3\.org/2000/svg)|https:", drawn)

    def test_its_words_stay_text(self, chart: Chart) -> None:
        root = ET.fromstring(draw_chart(chart, prefix="a"))  # noqa: S314 - our own output
        words = {text.text for text in root.iter() if text.tag.endswith("text")}
        assert words >= {chart.categories[0], chart.categories[-1]}

    def test_for_a_phone_it_is_half_as_wide_and_says_as_much(self, chart: Chart) -> None:
        wide, narrow = (ET.fromstring(draw_chart(chart, prefix="a", narrow=narrow)) for narrow in (False, True))  # noqa: S314
        widths = [float(root.get("viewBox", "").split()[2]) for root in (wide, narrow)]
        assert widths == pytest.approx([7.6 * 72, 4.6 * 72])
        assert narrow.get("class") == "chart narrow"
        said = [sorted("".join(t.itertext()) for t in root.iter("text")) for root in (wide, narrow)]
        assert len(said[1]) >= len(chart.categories)

    def test_two_in_a_page_share_no_id(self, chart: Chart) -> None:
        one, two = (set(re.findall(r' id="([^"]+)"', draw_chart(chart, prefix=prefix))) for prefix in "ab")
        assert one
        assert not one & two

    def test_every_reference_leads_somewhere(self, chart: Chart) -> None:
        drawn = draw_chart(chart, prefix="a")
        ids = set(re.findall(r' id="([^"]+)"', drawn))
        assert set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', drawn)) <= {(i, "") for i in ids} | {
            ("", i) for i in ids
        }


@pytest.mark.parametrize("kind", ["bars", "lines", "heatmap", "radar"])
def test_hostile_names_are_drawn_as_text(kind: str) -> None:
    chart = Chart(
        kind,  # type: ignore[arg-type]
        HOSTILE,
        (HOSTILE, "b"),
        (Series(HOSTILE, (Interval(0.5, 0.4, 0.6), None)), Series("two", (Interval(0.2), Interval(0.3)))),
        HOSTILE,
        HOSTILE,
    )
    drawn = draw_chart(chart, prefix="a")
    assert "<script" not in drawn
    assert "[U+202E]" in drawn
    ET.fromstring(drawn)  # noqa: S314 - our own output; it must be well-formed


@pytest.mark.parametrize("kind", ["bars", "lines", "heatmap", "radar", "plane"])
def test_a_chart_without_numbers_is_not_drawn(kind: str) -> None:
    empty = Chart(kind, "Empty", ("a",), (Series("s", (None,)), Series("t", (Interval(float("nan")),))), "none")  # type: ignore[arg-type]
    assert draw_chart(empty, prefix="a") == ""


def test_one_value_and_all_zero_can_be_drawn() -> None:
    for value in (0.0, 1.0, -0.2):
        assert draw_chart(
            Chart("bars", "One", ("a",), (Series("s", (Interval(value),)),), "one", unit="points"), prefix="a"
        )
        assert draw_chart(Chart("bars", "One", ("a",), (Series("s", (Interval(value),)),), "one"), prefix="a")
        assert draw_chart(Chart("heatmap", "One", ("a",), (Series("s", (Interval(value),)),), "one"), prefix="a")
    many = tuple(Series(str(number), (Interval(0.5), Interval(0.5))) for number in range(9))
    assert draw_chart(Chart("lines", "Flat", ("a", "b"), many, "flat"), prefix="a")


def test_labels_that_would_overlap_are_spread_evenly_and_keep_their_order() -> None:
    assert _spread([0.0, 0.1, 5.0], 1.0) == pytest.approx([-0.45, 0.55, 5.0])
    places = _spread([1.0, 1.0, 1.5, 1.6, 9.0], 1.0)
    assert all(after - before >= 1 - 1e-9 for before, after in pairwise(places))


def words_of(chart: Chart) -> list[str | None]:
    root = ET.fromstring(draw_chart(chart, prefix="a"))  # noqa: S314 - our own output
    return [text.text for text in root.iter() if text.tag.endswith("text")]


def test_a_radar_has_a_panel_a_group_and_names_each_series_once() -> None:
    words = words_of(RADAR)
    assert [words.count(name) for name in ("raw", "triplets", "target", "low", "high", "verbatim")] == [
        1,
        1,
        1,
        3,
        1,
        2,
    ]
    alone = replace(RADAR, series=RADAR.series[:1])
    assert words_of(alone).count("verbatim") == 1


def test_a_series_without_a_panel_is_drawn_in_every_panel() -> None:
    def lines(chart: Chart) -> int:
        return len(re.findall(r"<path[^>]*stroke-s0", draw_chart(chart, prefix="a")))

    assert lines(RADAR) == lines(replace(RADAR, series=(RADAR.series[0], RADAR.series[1]))) + 1


def test_a_plane_names_both_axes_and_draws_only_whole_points() -> None:
    words = words_of(PLANE)
    assert {"Forget change, %", "Retain change, %", "GA", "NPO"} <= set(words)
    drawn = draw_chart(PLANE, prefix="a")
    assert drawn == draw_chart(PLANE, prefix="a")
    without = replace(PLANE.series[1], points=(Interval(-0.1), Interval(0.3)))
    assert drawn.count("<use") + 1 == draw_chart(replace(PLANE, series=(PLANE.series[0], without)), prefix="a").count(
        "<use"
    )


def test_the_numbers_beside_a_radar_say_the_panel_and_beside_a_plane_both_places() -> None:
    assert [head.label for head in chart_table(RADAR).heads] == ["", "target", "raw: low", "raw: high", "triplets: low"]
    plane = chart_table(PLANE)
    assert [head.label for head in plane.heads[1:]] == [
        "GA, Forget change",
        "GA, Retain change",
        "NPO, Forget change",
        "NPO, Retain change",
    ]
    assert [cell.text for cell in plane.rows[1]] == ["2e-5", "80.0", "70.0", "50.0", "–"]
