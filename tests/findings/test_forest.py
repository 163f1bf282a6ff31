"""The forest of residues: a row each with its word, several under headings, and what it says in words."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from forgetscope.findings.figures import Chart, Figure
from forgetscope.findings.forest import AS_IT_SHOULD, SHOULD_STAY, TO_BE_KEPT, forest, joined
from forgetscope.report.charts.draw import draw_chart
from forgetscope.report.tables import chart_table

LEFT = Figure("residue", {"condition": "soft"}, 0.31, 60, low=0.2, high=0.42, verdict="still there")
GONE = Figure("residue", {"condition": "medium"}, 0.02, 80, low=-0.05, high=0.09, verdict="as if never told")
FEW = Figure(
    "residue", {"condition": "few"}, 0.1, 20, low=-0.2, high=0.4, verdict="undecided",
    note="too few items for as if never told (needs 59)",
)  # fmt: skip
REFUSED = Figure("residue", {"condition": "hard"}, None, 0, note="-", verdict="not measurable (refused)")


def named(figures: Sequence[Figure], *, is_to_be_kept: bool = False) -> Chart | None:
    return forest(figures, [str(entry.factors["condition"]) for entry in figures], is_to_be_kept=is_to_be_kept)


def test_rows_stand_in_their_order_with_their_words_and_few_items_say_how_many_it_takes() -> None:
    chart = named([LEFT, GONE, FEW, REFUSED])
    assert chart is not None
    assert chart.categories == ("soft", "medium", "few", "hard")
    (rows,) = chart.series
    assert rows.words == (
        "still there",
        "as if never told",
        "undecided, needs 59 items in all",
        "not measurable (refused)",
    )
    assert "soft 0.31 [0.20, 0.42], still there" in chart.summary
    assert "hard not measurable (refused)" in chart.summary
    assert named([]) is None


def test_forests_are_joined_under_headings_and_each_row_belongs_to_one() -> None:
    kept = named([GONE], is_to_be_kept=True)
    lost = named([LEFT, REFUSED])
    assert kept is not None
    assert lost is not None
    both = joined([("one", lost), ("two", kept)])
    assert both is not None
    assert both.categories == ("soft", "hard", "medium")
    assert [series.label for series in both.series] == ["one", "two"]
    assert [[bool(word) for word in series.words] for series in both.series] == [
        [True, True, False],
        [False, False, True],
    ]
    assert (both.series[0].panel, both.series[1].panel) == ("", TO_BE_KEPT)
    assert f"two: medium 0.02 [-0.05, 0.09], as if never told ({TO_BE_KEPT})" in both.summary
    assert joined([]) is None


def test_names_words_and_values_are_drawn_wide_and_narrow_also_where_nothing_was_measured() -> None:
    chart = named([LEFT, REFUSED])
    assert chart is not None
    for narrow in (False, True):
        root = ET.fromstring(draw_chart(chart, prefix="a", narrow=narrow))  # noqa: S314 - our own output
        said = " ".join("".join(root.itertext()).split())
        for text in ("never told", "told", "soft", "0.31", "still there", "hard", "not measurable (refused)"):
            assert text in said
    only = named([REFUSED])
    assert only is not None
    assert draw_chart(only, prefix="a") == "" or "not measurable" in draw_chart(only, prefix="a")


def test_the_numbers_beside_a_forest_give_interval_and_word() -> None:
    chart = named([LEFT, REFUSED])
    assert chart is not None
    shown = chart_table(chart)
    said = [[cell.text for cell in row] for row in shown.rows]
    assert [row[0] for row in said] == ["soft", "hard"]
    assert [row[-1] for row in said] == ["still there", "not measurable (refused)"]


def test_what_should_stay_and_is_still_there_is_no_warning() -> None:
    chart = forest([LEFT, GONE], [f"soft {SHOULD_STAY}", f"medium {SHOULD_STAY}"])
    assert chart is not None
    assert chart.series[0].words == (AS_IT_SHOULD, "as if never told")
