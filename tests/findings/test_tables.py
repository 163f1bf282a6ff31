"""Specifications of tables: the right figure in each cell, and nothing where none was computed."""

from forgetscope.findings.figures import Figure, Interval
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import (
    Factors,
    MetricTable,
    bounds,
    change,
    count,
    defined,
    either,
    further_section,
    given,
    label,
    left_out,
    listing,
    number,
    optional,
    p_value,
    rate,
    remark,
    table,
    tally,
    value,
)

INDEX = FigureIndex(
    [
        Figure("kept", {"load": "none", "prompt": "plain"}, 0.9, n=10, excluded=2, low=0.6, high=0.98, note="few"),
        Figure("kept", {"load": "mmlu", "prompt": "plain"}, 0.5, n=8, low=0.2, high=0.8),
        Figure("kept", {"load": "none", "prompt": "other"}, None, n=0, note="nothing was sent"),
        Figure("kept.lowest", {"load": "none"}, 0.25, n=10),
        Figure("kept.highest", {"load": "none"}, 1.0, n=10),
        Figure("kept.lowest", {"load": "mmlu"}, None, n=0),
        Figure("kept.highest", {"load": "mmlu"}, None, n=0),
        Figure("lost", {"load": "mmlu"}, -0.4, n=8, low=-0.6, high=-0.2),
        Figure("lost.p", {"load": "mmlu"}, 0.01, n=8, unit="p", note="exact"),
        Figure("replies", {"load": "mmlu"}, 7.0, n=8, unit="count"),
        Figure("average", {"scorer": "paper"}, 0.7, n=2),
    ]
)
ROWS: list[Factors] = [{"load": "none"}, {"load": "mmlu"}]


def test_a_cell_shows_the_figure_of_the_rows_and_the_columns_factors() -> None:
    found = table(INDEX, "T", ROWS, [label("Load", "load"), rate("Plain", "kept", "why", prompt="plain")], slug="t")
    assert [(head.key, head.label, head.kind, head.help) for head in found.columns] == [
        ("Load", "Load", "text", ""),
        ("Plain", "Plain", "percent", "why"),
    ]
    assert found.rows == (
        {"Load": "none", "Plain": Interval(0.9, 0.6, 0.98, "few")},
        {"Load": "mmlu", "Plain": Interval(0.5, 0.2, 0.8)},
    )
    assert (found.title, found.slug, found.folded) == ("T", "t", False)


def test_every_kind_of_column_reads_its_part_of_the_figure() -> None:
    columns = [
        label("Load", "load", str.upper),
        label("Place", lambda row: len(str(row["load"])), kind="integer"),
        change("Lost", "lost"),
        number("As it is", "lost"),
        p_value("p", "lost.p"),
        value("Replies", "replies", "integer"),
        tally("Counted", "replies"),
        count("n", "kept", prompt="plain"),
        left_out("Left out", "kept", prompt="plain"),
        remark("Note", "kept", prompt="plain"),
        bounds("Could be", "kept"),
    ]
    none, mmlu = (tuple(row.values()) for row in table(INDEX, "T", ROWS, columns).rows)
    assert none == ("NONE", 4, None, None, None, None, 0, 10, 2, "few", "25.0% to 100.0%")
    lost = Interval(-0.4, -0.6, -0.2)
    assert mmlu == ("MMLU", 4, lost, lost, 0.01, 7, 7, 8, 0, "", "undefined")
    assert isinstance(mmlu[5], int)


def test_of_several_names_the_first_with_a_value_is_shown() -> None:
    rows: list[Factors] = [{"load": "mmlu"}, {"scorer": "paper"}, {"scorer": "other"}]
    (found,) = (
        [row["Either"] for row in table(INDEX, "T", rows, [rate("Either", ("kept.lowest", "lost", "average"))]).rows],
    )
    assert found == [Interval(-0.4, -0.6, -0.2), Interval(0.7), None]
    undefined = table(INDEX, "T", [{"load": "none"}], [rate("K", "kept", prompt="other")]).rows[0]["K"]
    assert undefined == Interval(None, note="nothing was sent"), "undefined is not the same as not computed"
    (row,) = table(INDEX, "T", [{"load": "none"}], [defined(rate("K", "kept", prompt="other"))]).rows
    assert row["K"] is None


def test_a_column_may_fall_back_on_another_figure_with_factors_of_its_own() -> None:
    shown = either(rate("Accuracy", "kept", prompt="plain"), rate("", "average", scorer="paper"))
    rows: list[Factors] = [{"load": "mmlu"}, {}]
    found = table(INDEX, "T", rows, [shown])
    assert [row["Accuracy"] for row in found.rows] == [Interval(0.5, 0.2, 0.8), Interval(0.7)]


def test_rows_whose_first_figure_was_not_computed_are_left_out_when_asked() -> None:
    columns = [label("Load", "load"), change("Lost", "lost"), rate("Plain", "kept", prompt="plain")]
    assert [row["Load"] for row in table(INDEX, "T", ROWS, columns, computed_only=True).rows] == ["mmlu"]
    assert len(table(INDEX, "T", ROWS, columns).rows) == 2


def test_an_optional_column_is_left_out_where_no_row_has_anything() -> None:
    columns = [label("Load", "load"), optional(rate("None", "never")), optional(tally("Zero", "never"))]
    assert [head.label for head in table(INDEX, "T", ROWS, columns).columns] == ["Load"]
    assert len(table(INDEX, "T", ROWS, [optional(change("Lost", "lost"))]).columns) == 1


def test_one_heading_may_stand_over_two_columns() -> None:
    found = table(INDEX, "T", ROWS, [p_value("p", "lost.p"), count("p", "lost")])
    assert [head.label for head in found.columns] == ["p", "p"]
    assert [tuple(row.values()) for row in found.rows] == [(None, None), (0.01, 8)]


def test_a_table_without_rows_keeps_its_headings() -> None:
    found = table(INDEX, "T", [], [label("Load", "load"), rate("Plain", "kept")], computed_only=True)
    assert (found.rows, len(found.columns)) == ((), 2)


def test_an_index_can_be_asked_by_other_factors() -> None:
    asked = INDEX.asked(lambda factors: {**factors, "prompt": "plain"})
    assert asked.value("kept", load="mmlu") == 0.5
    assert INDEX.value("kept", load="mmlu") is None
    assert len(list(asked)) == len(list(INDEX))


def test_the_notes_of_cells_hold_no_counts() -> None:
    cut = Figure("kept", {}, 0.5, n=8, note="length-limited: 3 of 8 replies were cut off")
    dropped = Figure("kept", {}, 0.5, n=8, note="97 draws dropped (zero denominator)")
    assert Interval.of(cut).note == "length-limited"
    assert Interval.of(dropped).note == "few units, not every draw has a value"
    assert FigureIndex([cut]).interval("kept") == Interval.of(cut)


def test_a_metric_declares_its_own_table_and_has_it_where_its_figures_are() -> None:
    plain = MetricTable("Loads", "lost", (label("Load", "load"), change("Lost", "lost")), note="By load.")
    never = MetricTable("Never", "never", (label("Load", "load"),))
    section = further_section(INDEX, [plain, never])
    assert section is not None
    (found,) = section.blocks
    assert found == plain.of(INDEX)
    assert (plain.of(INDEX).slug, plain.of(INDEX).note) == ("lost", "By load.")
    assert [row["Load"] for row in plain.of(INDEX).rows] == ["mmlu"]
    assert further_section(INDEX, [never]) is None


def test_records_are_listed_by_what_their_columns_make_of_them() -> None:
    found = listing(
        "T",
        ["one", "three"],
        [
            given("Word", str.upper),
            given("Length", len, "integer", "letters"),
            given("Never", lambda word: None if word else word, is_optional=True),
        ],
        folded=True,
    )
    assert [(head.label, head.kind, head.help) for head in found.columns] == [
        ("Word", "text", ""),
        ("Length", "integer", "letters"),
    ]
    assert found.rows == ({"Word": "ONE", "Length": 3}, {"Word": "THREE", "Length": 5})
    assert found.folded
