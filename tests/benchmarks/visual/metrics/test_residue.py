"""Residue under suppression, against values computed by hand."""

import pytest

from forgetscope.benchmarks.visual.metrics.residue import visual_residues
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.visual.metrics.small_tables import Row, rows, some, study


def residues(*parts: list[Row]) -> FigureIndex:
    return FigureIndex(visual_residues(study(*parts)))


def arms(deleted: list[Row], *more: list[Row], condition: str = "unlearn_soft") -> FigureIndex:
    """Twenty pictures: all right at the baseline, 5 without the picture there, 2 without it under the text."""
    return residues(
        rows(some(20, 20)),
        rows(some(5, 20), control="no_image"),
        deleted,
        rows(some(2, 20), condition, control="no_image"),
        *more,
    )


def residue_of(found: FigureIndex, condition: str = "unlearn_soft") -> Figure:
    factors = {"part": "visual", "probe": "choice", "split": "animals", "mode": "generate", "condition": condition}
    entry = found.get("residue", **factors)
    assert entry is not None
    return entry


def test_residue_is_against_the_same_condition_without_the_picture() -> None:
    entry = residue_of(arms(rows(some(11, 20), "unlearn_soft")))
    assert entry.value == pytest.approx((0.55 - 0.1) / (1 - 0.25))
    assert (entry.n, entry.excluded, entry.verdict) == (20, 0, "still there")


def test_pictures_without_a_readable_reply_in_some_arm_are_left_out_and_counted() -> None:
    replies = [None, None, *some(9, 18)]
    entry = residue_of(arms(rows(replies, "unlearn_soft")))
    assert (entry.n, entry.excluded) == (18, 2)


def test_a_model_that_can_no_longer_be_read_is_not_measurable() -> None:
    entry = residue_of(arms(rows([None] * 6 + some(0, 14), "unlearn_soft")))
    assert entry.verdict == "not measurable (unreadable)"


def test_a_model_that_lost_the_retained_pictures_too_is_broken() -> None:
    kept, lost = rows(some(10, 10), side="retain"), rows(some(4, 10), "unlearn_soft", side="retain")
    entry = residue_of(arms(rows(some(2, 20), "unlearn_soft"), kept, lost))
    assert entry.verdict == "broken"


def test_texts_that_name_the_answer_have_no_residue_and_permission_has() -> None:
    assert not list(arms(rows(some(11, 20), "oracle_hard"), condition="oracle_hard"))
    restored = arms(rows(some(20, 20), "restored_soft"), condition="restored_soft")
    assert residue_of(restored, "restored_soft").value == pytest.approx((1 - 0.1) / 0.75)


def test_without_the_control_there_is_no_never_arm_and_no_residue() -> None:
    assert not list(residues(rows(some(20, 20)), rows(some(4, 20), "unlearn_soft")))
