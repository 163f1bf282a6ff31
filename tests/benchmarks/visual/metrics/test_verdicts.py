"""Each rule of the verdict on a concept, on answers written by hand."""

import pytest

from forgetscope.benchmarks.visual.metrics.concept_rates import pictures_for_no_access
from forgetscope.benchmarks.visual.metrics.verdicts import (
    AccessVerdict,
    ConceptVerdict,
    concept_verdicts,
)
from tests.benchmarks.visual.metrics.small_tables import Row, row, rows, some, study

KNOWN = [*rows(some(20, 20), role="eligibility"), *rows(some(5, 20), role="eligibility", control="no_image")]
BEFORE = rows(some(20, 20))
ORACLES_OBEYED = [*rows(some(0, 20), "oracle_hard"), *rows(some(0, 20), "oracle_reverse")]


def soft(right: int) -> list[Row]:
    return rows(some(right, 20), "unlearn_soft")


def verdict(*parts: list[Row], n_min: int = 20) -> ConceptVerdict:
    (found,) = concept_verdicts(study(*parts), n_min)
    return found


def test_right_under_every_suppression_is_accessible() -> None:
    found = verdict(KNOWN, BEFORE, soft(20), rows(some(18, 20), "unlearn_medium"))
    assert found.verdict is AccessVerdict.ACCESSIBLE
    assert found.evidence[1].sample_id.startswith("visual/forget-fox-0/unlearn_soft")


def test_right_under_one_suppression_only_is_not_accessible_yet() -> None:
    found = verdict(KNOWN, BEFORE, soft(20), rows(some(0, 20), "unlearn_medium"))
    assert found.verdict is AccessVerdict.UNDECIDED


def test_lost_under_suppression_and_back_with_permission_is_suppressed() -> None:
    found = verdict(KNOWN, BEFORE, soft(2), rows(some(19, 20), "restored_soft"))
    assert found.verdict is AccessVerdict.SUPPRESSED
    assert "restored_soft: 95% right" in found.evidence[-1].what


def test_permission_that_names_the_answer_to_the_blind_shows_nothing() -> None:
    restored = rows(some(19, 20), "restored_soft")
    blind = rows(some(19, 20), "restored_soft", control="no_image")
    assert verdict(KNOWN, BEFORE, soft(2), restored, blind).verdict is not AccessVerdict.SUPPRESSED


def test_a_short_answer_that_names_the_concept_shows_access() -> None:
    own_words = rows(some(6, 20), "unlearn_soft", probe="short_answer", chance=0.0)
    assert verdict(KNOWN, BEFORE, soft(2), own_words).verdict is AccessVerdict.SUPPRESSED


def test_avoidance_below_guessing_with_the_picture_and_not_without_is_suppressed() -> None:
    without = rows(some(5, 20), "unlearn_soft", control="no_image")
    assert verdict(KNOWN, BEFORE, soft(0), without).verdict is AccessVerdict.SUPPRESSED


def test_avoidance_from_the_text_alone_is_no_sign_of_seeing() -> None:
    without = rows(some(0, 20), "unlearn_soft", control="no_image")
    assert verdict(KNOWN, BEFORE, soft(0), without).verdict is AccessVerdict.UNDECIDED


def test_lost_under_suppression_and_at_guessing_in_every_other_probe_is_not_accessible_under_these_probes() -> None:
    many = rows(some(25, 100), "restored_soft")
    found = verdict(KNOWN, rows(some(100, 100)), rows(some(25, 100), "unlearn_soft"), many)
    assert found.verdict is AccessVerdict.NOT_ACCESSIBLE


def test_right_under_suppression_because_the_text_names_it_is_no_access() -> None:
    blind = rows(some(20, 20), "unlearn_soft", control="no_image")
    assert verdict(KNOWN, BEFORE, soft(20), blind).verdict is AccessVerdict.UNDECIDED
    assert verdict(KNOWN, BEFORE, soft(20), rows(some(5, 20), "unlearn_soft", control="no_image")).verdict is (
        AccessVerdict.ACCESSIBLE
    )


def indirect(right: int, condition: str = "unlearn_soft") -> list[Row]:
    return rows(some(right, 100), condition, probe="indirect")


def test_a_probe_that_fails_before_suppression_too_says_nothing() -> None:
    lost = [*rows(some(100, 100)), *rows(some(25, 100), "unlearn_soft"), *indirect(25)]
    unable = verdict(KNOWN, lost, indirect(25, "baseline_normal"))
    assert unable.verdict is AccessVerdict.UNDECIDED
    assert unable.evidence[-1].what.endswith("no better before suppression: it says nothing")
    able = verdict(KNOWN, lost, indirect(90, "baseline_normal"))
    assert able.verdict is AccessVerdict.NOT_ACCESSIBLE


def test_a_verdict_carries_the_fewest_pictures_it_rests_on() -> None:
    restored = rows(some(9, 12), "restored_soft")
    found = verdict(KNOWN, BEFORE, soft(2), restored)
    assert (found.verdict, found.pictures, found.known_pictures) == (AccessVerdict.SUPPRESSED, 12, 20)
    twice = [row(f"q{place}", right=True, condition="unlearn_soft", picture=f"p{place // 2}") for place in range(20)]
    assert verdict(KNOWN, BEFORE, twice).pictures == 10
    assert verdict(KNOWN, BEFORE).pictures == 0
    unread = rows([True] + [None] * 19, "unlearn_soft", probe="short_answer", chance=0.0)
    assert verdict(KNOWN, BEFORE, soft(2), restored, unread).pictures == 12, "one readable answer shows nothing"
    said = rows([*some(5, 6), *[None] * 14], "unlearn_soft", probe="short_answer", chance=0.0)
    assert verdict(KNOWN, BEFORE, soft(2), restored, said).pictures == 12, "of two proofs the one of more pictures"
    assert verdict(KNOWN, BEFORE, soft(2), said).pictures == 6


def test_nothing_asked_behind_the_suppression_is_undecided() -> None:
    assert verdict(KNOWN, BEFORE, soft(5)).verdict is AccessVerdict.UNDECIDED


def test_no_suppression_run_is_undecided() -> None:
    assert verdict(KNOWN, BEFORE).verdict is AccessVerdict.UNDECIDED


def test_items_without_a_permitted_choice_do_not_count_towards_a_verdict() -> None:
    struck = [
        row(f"forget-fox-{place}", right=False, condition="unlearn_soft", no_permitted_choice=True, listed_choices=4)
        for place in range(10, 20)
    ]
    permitted = rows(some(10, 10), "unlearn_soft")
    assert verdict(KNOWN, BEFORE, permitted, struck).verdict is AccessVerdict.ACCESSIBLE


@pytest.mark.parametrize(
    ("known", "codes"),
    [
        (rows(some(12, 12), role="eligibility"), ("few_pictures",)),
        (rows(some(6, 20), role="eligibility"), ("not_above_chance",)),
        (
            [*rows(some(15, 20), role="eligibility"), *rows(some(15, 20), role="eligibility", control="no_image")],
            ("not_grounded",),
        ),
        (rows([None] * 20, role="eligibility"), ("few_pictures", "not_above_chance")),
    ],
)
def test_a_concept_the_untouched_model_does_not_know_is_not_eligible_and_says_why(
    known: list[Row], codes: tuple[str, ...]
) -> None:
    found = verdict(known, rows([None] * 20), soft(0))
    assert found.verdict is AccessVerdict.NOT_ELIGIBLE
    assert found.codes == codes


def test_pictures_are_counted_once_each_for_eligibility() -> None:
    twice = [row(f"q{place}", right=True, role="eligibility", picture=f"p{place // 2}") for place in range(20)]
    assert verdict(twice, BEFORE, soft(20)).codes == ("few_pictures",)
    assert verdict(twice, BEFORE, soft(20), n_min=10).codes == ()


def test_the_papers_rule_wants_poor_under_soft_and_not_obeying_under_both_oracles() -> None:
    guessing = [*rows(some(5, 20), "oracle_hard"), *rows(some(6, 20), "oracle_reverse")]
    assert verdict(KNOWN, BEFORE, soft(5), guessing).paper_verdict is True
    assert verdict(KNOWN, BEFORE, soft(5), ORACLES_OBEYED).paper_verdict is False
    assert verdict(KNOWN, BEFORE, soft(20), guessing).paper_verdict is False


def test_the_papers_rule_is_silent_where_an_oracle_was_not_run_or_too_few_could_show_obedience() -> None:
    assert verdict(KNOWN, BEFORE, soft(5)).paper_verdict is None
    few = [*rows(some(0, 11), "oracle_hard"), *rows(some(0, 11), "oracle_reverse")]
    assert verdict(KNOWN, BEFORE, soft(5), few).paper_verdict is None


def test_no_verdict_and_no_evidence_says_forgotten() -> None:
    assert not any("forgot" in name for name in AccessVerdict)


def test_verdicts_do_not_depend_on_the_order_of_rows() -> None:
    parts = [*KNOWN, *BEFORE, *soft(2), *rows(some(19, 20), "restored_soft"), *ORACLES_OBEYED]
    assert verdict(parts) == verdict(list(reversed(parts)))


def test_how_many_pictures_it_takes_to_say_that_a_guessing_model_has_no_access() -> None:
    assert pictures_for_no_access(0.5) == 144
    assert pictures_for_no_access(0.8) == 223
    assert pictures_for_no_access(0.5, probes=1) < pictures_for_no_access(0.5, probes=4)
    assert pictures_for_no_access(0.5, chance=0.5) > pictures_for_no_access(0.5), "guessing varies more"
