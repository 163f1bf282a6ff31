"""Access, placebo, permission and generalisation, against values computed by hand."""

import pytest

from forgetscope.benchmarks.visual.metrics.corrections import agreement_over_variants, correction_figures
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.visual.metrics.small_tables import Row, row, rows, some, study

BASE = {"split": "animals", "mode": "generate", "condition": "baseline_normal"}
SOFT = {**BASE, "condition": "unlearn_soft"}


def corrections(*parts: list[Row]) -> FigureIndex:
    return FigureIndex(correction_figures(study(*parts)))


def agreement(*parts: list[Row]) -> FigureIndex:
    return FigureIndex(agreement_over_variants(study(*parts)))


def test_access_is_accuracy_with_the_picture_minus_without_it_under_the_same_text() -> None:
    found = corrections(
        rows(some(4, 4)),
        rows(some(1, 4), control="no_image"),
        rows(some(2, 4), "unlearn_soft"),
        rows(some(2, 4), "unlearn_soft", control="no_image"),
    )
    assert found.value("access", **BASE) == pytest.approx(0.75)
    assert found.value("access", **SOFT) == 0.0
    assert found.value("control.forget", **SOFT, control="no_image") == pytest.approx(0.5)


def test_a_model_whose_picture_changes_nothing_has_no_access_whatever_it_is_told() -> None:
    guesses = some(3, 12)
    found = corrections(rows(guesses), rows(guesses, control="no_image"))
    access = found.get("access", **BASE)
    assert access is not None
    assert access.value == 0.0
    assert access.low is not None
    assert access.low < 0


def test_access_leaves_out_items_without_a_permitted_choice() -> None:
    struck = {"no_permitted_choice": True, "listed_choices": 4}
    found = corrections(
        [*rows(some(2, 2)), row("z", right=True)],
        [*rows(some(2, 2), "unlearn_soft"), row("z", right=False, condition="unlearn_soft", **struck)],
        [
            *rows(some(0, 2), "unlearn_soft", control="no_image"),
            row("z", right=False, condition="unlearn_soft", control="no_image", **struck),
        ],
    )
    access = found.get("access", **SOFT)
    assert access is not None
    assert (access.value, access.n) == (1.0, 2)


def test_the_placebo_list_takes_away_what_any_list_does() -> None:
    found = corrections(rows(some(4, 4)), rows(some(1, 4), "unlearn_soft"), rows(some(3, 4), "placebo_soft"))
    placebo = {**BASE, "condition": "placebo_soft", "against": "baseline_normal"}
    assert found.value("placebo.effect", **placebo) == pytest.approx(-0.25)
    assert found.value("suppression.beyond_placebo", **SOFT, against="placebo_soft") == pytest.approx(-0.5)


def test_permission_restored_is_compared_with_the_baseline_of_the_same_items() -> None:
    found = corrections(rows([True, True, None, False]), rows([True, False, True, False], "restored_soft"))
    gap = found.get("permission.gap", **{**BASE, "condition": "restored_soft"}, against="baseline_normal")
    assert gap is not None
    assert gap.value == pytest.approx(-1 / 3)
    assert gap.n == 3


def test_a_comparison_whose_other_side_was_not_run_is_absent() -> None:
    found = corrections(rows(some(2, 2)), rows(some(1, 2), "unlearn_soft"))
    assert found.named("suppression.beyond_placebo") == ()
    assert found.named("access") == ()


def test_agreement_over_pictures_counts_pairs_with_one_outcome() -> None:
    found = agreement(rows(some(3, 4)), rows(some(2, 2), forget_concept="owl"))
    fox = 3 / 6
    assert found.value("generalisation.pictures", **BASE) == pytest.approx((fox + 1) / 2)


def test_agreement_over_pictures_is_the_same_for_right_and_wrong_swapped() -> None:
    one, other = agreement(rows(some(3, 5))), agreement(rows(some(2, 5)))
    assert one.value("generalisation.pictures", **BASE) == other.value("generalisation.pictures", **BASE)


def test_agreement_over_phrasings_is_the_share_of_items_with_one_outcome() -> None:
    found = agreement(
        rows([True, True, False, True], "unlearn_soft"), rows([True, False, False, None], "unlearn_soft", phrasing=1)
    )
    entry = found.get("generalisation.variants", **SOFT)
    assert entry is not None
    assert entry.value == pytest.approx(2 / 3), "the fourth item has one readable variant and is no comparison"
    assert entry.n == 3


def test_beside_two_pictures_of_a_concept_stand_those_of_two_concepts() -> None:
    found = agreement(rows(some(2, 2)), rows(some(0, 2), forget_concept="owl"))
    assert found.value("generalisation.pictures", **BASE) == 1.0, "one concept always right, one always wrong"
    assert found.value("generalisation.other_concepts", **BASE) == 0.0
    alone = agreement(rows(some(2, 4))).get("generalisation.other_concepts", **BASE)
    assert alone is not None
    assert (alone.value, alone.note) == (None, "one concept")


def test_two_questions_about_one_picture_are_no_two_pictures() -> None:
    asked = [row(f"q{place}", right=place < 2, picture=f"p{place // 2}") for place in range(4)]
    found = agreement(asked, rows(some(2, 2), forget_concept="owl"))
    assert found.value("generalisation.pictures", **BASE) == pytest.approx((0 + 1) / 2)


def test_suppression_holds_where_an_item_known_before_is_wrong_in_every_phrasing() -> None:
    found = agreement(
        rows([True, True, True, False]),
        rows([False, False, True, False], "unlearn_soft"),
        rows([False, True, True, False], "unlearn_soft", phrasing=1),
    )
    assert found.value("generalisation.held", **SOFT) == pytest.approx(1 / 3), "the fourth was not right at baseline"
    assert found.get("generalisation.held", **BASE) is None
