"""Accuracy, change, entropy and what is left out, against values computed by hand."""

import random

import pytest

from forgetscope.benchmarks.visual.metrics.accuracy import accuracy_figures, entropy_bits
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.visual.metrics.small_tables import Row, row, rows, some, study

BASE = {"split": "animals", "mode": "generate", "condition": "baseline_normal"}
SOFT = {**BASE, "condition": "unlearn_soft"}


def figures(*parts: list[Row]) -> FigureIndex:
    return FigureIndex(accuracy_figures(study(*parts)))


def test_macro_weighs_concepts_and_micro_weighs_items() -> None:
    found = figures(rows(some(3, 4)), rows(some(0, 2), forget_concept="owl"))
    assert found.value("forget.macro", **BASE) == pytest.approx((3 / 4 + 0 / 2) / 2)
    assert found.value("forget.micro", **BASE) == pytest.approx(3 / 6)
    assert found.value("forget.concept", **BASE, concept="fox") == pytest.approx(0.75)


def test_macro_and_micro_agree_where_concepts_are_of_one_size() -> None:
    found = figures(rows(some(3, 5)), rows(some(1, 5), forget_concept="owl"))
    assert found.value("forget.macro", **BASE) == pytest.approx(found.value("forget.micro", **BASE))


def test_pictures_count_within_their_concepts_so_that_concepts_that_differ_widen_nothing() -> None:
    names = ("fox", "owl", "bee", "cod", "elk", "emu", "hen", "yak")
    found = figures(*(rows(some(1, 2), forget_concept=name) for name in names)).get("forget.macro", **BASE)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert found.value == 0.5
    # One right and one wrong picture of each concept: variance 1/2 within, 1/4 of a concept's mean, 1/4/8 of that of
    # eight; with 0.15 of a picture's worth of 1/4/16 beside the 8 degrees of freedom.
    samples = (1 / 4) / ((8 * (1 / 4 / 8) + 0.15 * (1 / 4 / 16)) / 8.15)
    assert found.high - found.low == pytest.approx(2 * 1.96 / (2 * (samples + 1.96**2) ** 0.5), abs=1e-4)


def test_a_picture_asked_about_two_concepts_is_resampled_through_both() -> None:
    fox, owl = rows(some(3, 6)), rows(some(3, 6), forget_concept="owl")
    shared = [{**entry, "picture": str(place % 6)} for place, entry in enumerate([*fox, *owl])]
    found = figures(shared).get("forget.macro", **BASE)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert (found.value, found.low < 0.2, found.high > 0.8) == (0.5, True, True), "right and wrong go together"


def test_the_order_of_rows_changes_no_figure() -> None:
    entries = [*rows(some(3, 6)), *rows(some(1, 6), "unlearn_soft"), *rows(some(4, 6), side="retain")]
    shuffled = random.Random(7).sample(entries, len(entries))
    assert list(accuracy_figures(study(entries))) == list(accuracy_figures(study(shuffled)))


def test_change_is_paired_on_the_items_scored_in_both() -> None:
    before = rows([True, True, True, False, None])
    after = rows([False, True, None, True, True], "unlearn_soft")
    change = figures(before, after).get("forget.change", **SOFT)
    assert change is not None
    assert change.value == pytest.approx((-1 + 0 + 1) / 3), "items 0, 1, 3; 2 and 4 lack one side"
    assert change.n == 3


def test_change_is_a_mean_over_concepts() -> None:
    found = figures(
        rows(some(4, 4)),
        rows(some(0, 4), "unlearn_soft"),
        rows(some(2, 2), forget_concept="owl"),
        rows(some(2, 2), "unlearn_soft", forget_concept="owl"),
    )
    assert found.value("forget.change", **SOFT) == pytest.approx((-1 + 0) / 2)


def test_a_concept_without_a_readable_answer_leaves_the_mean_over_concepts_undefined_and_is_named() -> None:
    found = figures(rows(some(3, 4)), rows([None, None], forget_concept="owl"))
    macro = found.get("forget.macro", **BASE)
    assert macro is not None
    assert macro.value is None
    assert "owl" in macro.note
    assert found.value("forget.micro", **BASE) == pytest.approx(0.75)


def test_items_whose_every_option_is_listed_are_left_out_of_suppression_and_counted() -> None:
    struck = [row("z", right=False, condition="unlearn_soft", no_permitted_choice=True, listed_choices=4)]
    found = figures([*rows(some(2, 2)), row("z", right=True)], rows(some(1, 2), "unlearn_soft"), struck)
    soft = found.get("forget.micro", **SOFT)
    assert soft is not None
    assert soft.value == pytest.approx(0.5)
    assert soft.n == 2
    assert "1 without a permitted choice" in soft.note
    assert found.value("forget.micro", **BASE) == pytest.approx(1.0), "the baseline keeps the item"


def test_restored_permission_keeps_items_whose_every_option_is_listed() -> None:
    restored = [row("z", right=True, condition="restored_soft", no_permitted_choice=True, listed_choices=4)]
    found = figures([row("z", right=True)], restored)
    assert found.value("forget.micro", **{**BASE, "condition": "restored_soft"}) == pytest.approx(1.0)


def test_retain_without_listed_options_leaves_out_items_with_one() -> None:
    listed = row("a", right=True, condition="unlearn_soft", side="retain", listed_choices=1)
    unlisted = [row(name, right=False, condition="unlearn_soft", side="retain") for name in "bc"]
    found = figures(rows(some(2, 2)), rows(some(2, 2), "unlearn_soft"), [listed, *unlisted])
    assert found.value("retain", **SOFT) == pytest.approx(1 / 3)
    assert found.value("retain.unlisted", **SOFT) == 0.0


def test_unreadable_answers_are_outside_accuracy_and_wrong_in_the_papers_reading() -> None:
    found = figures(rows([True, False, None, None]))
    micro = found.get("forget.micro", **BASE)
    assert micro is not None
    assert (micro.value, micro.excluded) == (0.5, 2)
    assert found.value("paper.forget.macro", **BASE) == pytest.approx(0.25)
    assert found.value("invalid", **BASE) == pytest.approx(0.5)


def test_refusals_are_counted_as_such_and_never_as_invalid() -> None:
    refused = row("r", right=None, status="refused")
    found = figures([row("a", right=True), refused])
    assert found.value("refused", **BASE) == pytest.approx(0.5)
    assert found.value("invalid", **BASE) == 0.0


@pytest.mark.parametrize(
    ("counts", "bits"),
    [({0: 1, 1: 1, 2: 1, 3: 1}, 2.0), ({0: 5, 1: 5}, 1.0), ({2: 9}, 0.0), ({0: 3, 1: 1}, 0.8112781244591328)],
)
def test_entropy_is_in_bits(counts: dict[int, int], bits: float) -> None:
    assert entropy_bits(counts) == pytest.approx(bits)


def test_entropy_does_not_depend_on_which_option_is_which() -> None:
    assert entropy_bits({0: 3, 1: 5, 2: 1}) == pytest.approx(entropy_bits({3: 5, 0: 1, 1: 3}))


def test_entropy_is_over_readable_answers_and_stands_beside_that_of_the_right_positions() -> None:
    found = figures([*rows([True, False]), row("n", right=None), row("m", right=True, answer=3, predicted=3)])
    predicted = found.get("entropy.predicted", **BASE)
    assert predicted is not None
    assert predicted.value == pytest.approx(entropy_bits({0: 1, 1: 1, 3: 1}))
    assert predicted.excluded == 1
    assert found.value("entropy.gold", **BASE) == pytest.approx(entropy_bits({0: 3, 3: 1}))


@pytest.mark.parametrize(("concepts", "expected"), [(9, False), (10, True)])
def test_from_ten_concepts_on_an_interval_over_concepts_stands_beside(concepts: int, expected: bool) -> None:
    found = figures(*(rows(some(place % 3, 2), forget_concept=f"c{place}") for place in range(concepts)))
    over = found.get("forget.macro.over_concepts", **BASE)
    assert (over is not None) is expected
    if over is not None:
        assert over.value == pytest.approx(found.value("forget.macro", **BASE))
        assert over.n == concepts


def test_chance_is_the_mean_of_one_over_options_and_undefined_without_answers() -> None:
    assert figures([row("a", right=True), row("b", right=False, chance=0.5)]).value("chance", **BASE) == 0.375
    assert figures(rows([None, None])).value("chance", **BASE) is None


def test_two_models_in_a_table_are_refused() -> None:
    with pytest.raises(ValueError, match="one model"):
        study([row("a", right=True), row("b", right=True, model="other")])


def test_what_could_not_be_read_lies_inside_the_bounds_and_outside_the_rate() -> None:
    found = figures(rows([True, True, False, None]))
    assert found.value("forget.micro", **BASE) == pytest.approx(2 / 3)
    assert found.value("forget.micro.lowest", **BASE) == pytest.approx(2 / 4)
    assert found.value("forget.micro.highest", **BASE) == pytest.approx(3 / 4)
    kept = figures(rows([True, None], side="retain")).get("retain.highest", **BASE)
    assert kept is not None
    assert (kept.value, kept.n) == (1.0, 2)


def test_retain_without_a_listed_distractor_is_compared_with_the_baseline_of_the_same_items() -> None:
    struck = [
        row(f"k{place}", right=True, condition="unlearn_soft", side="retain", listed_choices=1) for place in (4, 5)
    ]
    found = figures(
        [row(f"k{place}", right=place < 3, side="retain") for place in range(6)],
        [row(f"k{place}", right=place < 2, condition="unlearn_soft", side="retain") for place in range(4)],
        struck,
        rows(some(1, 2)),
        rows(some(1, 2), "unlearn_soft"),
    )
    assert found.value("retain.change", **SOFT) == pytest.approx(1 / 6), "two struck out items are right for nothing"
    change = found.get("retain.unlisted.change", **SOFT)
    assert change is not None
    assert change.value == pytest.approx(-1 / 4)
    assert change.n == 4


def test_a_footnote_names_two_concepts_and_counts_the_others() -> None:
    names = ("bee", "cod", "elk", "emu")
    found = figures(rows(some(1, 2)), *(rows([None] * 2, forget_concept=name) for name in names))
    entry = found.get("forget.macro", **BASE)
    assert entry is not None
    assert entry.note == "no scored answer on bee, cod and 2 more"


def test_a_cell_says_that_resamples_had_no_value_without_counting_them() -> None:
    noted = Figure("a", {}, 0.5, 4, note="17 draws dropped (zero denominator)")
    undefined = Figure("b", {}, 0.5, 4, note="a denominator was zero in 6013 of 10000 draws; 2 left out")
    index = FigureIndex([noted, undefined])
    shown = [index.interval(name) for name in ("a", "b")]
    said = "few units, not every draw has a value"
    assert [cell.note for cell in shown if cell is not None] == [said, f"{said}; 2 left out"]
