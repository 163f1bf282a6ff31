import numpy as np
import pytest

from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.residue import (
    Circumstances,
    Word,
    read_residue,
    residue_figures,
    residue_section,
    unscored_shares,
)
from forgetscope.findings.tables import label
from forgetscope.stats.residue import Arms


def arms_of(told: float, deleted: float, never: float, items: int = 100) -> Arms:
    def first(share: float) -> np.ndarray:
        return (np.arange(items) < round(share * items)).astype(float)

    return Arms.of(first(told), first(deleted), first(never))


@pytest.mark.parametrize(
    ("arms", "word"),
    [
        (arms_of(0.3, 0.1, 0.25), "nothing to forget"),
        (arms_of(1.0, 0.02, 0.02), "as if never told"),
        (arms_of(1.0, 0.0, 0.25), "avoided"),
        (arms_of(1.0, 0.6, 0.0), "still there"),
        (arms_of(1.0, 0.04, 0.0, items=50), "undecided"),
        (arms_of(1.0, 0.0, 0.0, items=5), "undecided"),
    ],
)
def test_each_word_of_what_was_to_be_forgotten(arms: Arms, word: Word) -> None:
    assert read_residue(arms).word == word


@pytest.mark.parametrize(
    ("arms", "word"),
    [
        (arms_of(0.3, 0.3, 0.25), "nothing to keep"),
        (arms_of(1.0, 1.0, 0.1), "kept"),
        (arms_of(1.0, 0.5, 0.1), "partly lost"),
        (arms_of(1.0, 0.0, 0.0), "lost"),
        (arms_of(1.0, 1.0, 0.1, items=30), "undecided"),
    ],
)
def test_each_word_of_what_was_to_be_kept(arms: Arms, word: Word) -> None:
    assert read_residue(arms, is_to_be_kept=True).word == word


@pytest.mark.parametrize(
    ("statuses", "word"),
    [
        (["refused"] * 30 + ["correct"] * 70, "not measurable (refused)"),
        (["policy_block"] * 30 + ["correct"] * 70, "not measurable (refused)"),
        (["invalid_format"] * 21 + ["refused"] * 10 + ["correct"] * 69, "not measurable (unreadable)"),
        (["truncated"] * 21 + ["incorrect"] * 79, "not measurable (cut off)"),
        (["truncated"] * 20 + ["incorrect"] * 80, "as if never told"),
        (["model_error"] * 50 + ["incorrect"] * 50, "as if never told"),
    ],
)
def test_an_arm_that_is_rarely_scored_is_not_measurable_and_the_reason_is_named(
    statuses: list[str], word: Word
) -> None:
    around = Circumstances({"told": {}, "deleted": unscored_shares(statuses)})
    assert read_residue(arms_of(1.0, 0.02, 0.02), around).word == word


def test_a_model_that_refuses_everything_is_not_measurable_though_no_item_is_scored() -> None:
    around = Circumstances({"deleted": unscored_shares(["refused"] * 20)})
    assert read_residue(Arms.of([], [], []), around).word == "not measurable (refused)"


def test_nothing_to_forget_comes_before_everything_else() -> None:
    around = Circumstances({"deleted": {"refused": 1.0}}, control_told=1.0, control_deleted=0.0)
    assert read_residue(arms_of(0.3, 0.1, 0.25), around).word == "nothing to forget"


def test_a_model_that_lost_more_than_half_of_its_control_is_broken() -> None:
    gone = arms_of(1.0, 0.0, 0.0)
    assert read_residue(gone, Circumstances(control_told=0.8, control_deleted=0.39)).word == "broken"
    assert read_residue(gone, Circumstances(control_told=0.8, control_deleted=0.41)).word == "as if never told"
    assert read_residue(gone, Circumstances(control_told=0.8)).word == "as if never told"


def test_too_few_items_for_likeness_are_counted() -> None:
    reading = read_residue(arms_of(1.0, 0.0, 0.0, items=50))
    assert (reading.word, reading.needed) == ("undecided", 59)
    figures = list(residue_figures({"part": "visual"}, arms_of(1.0, 0.0, 0.0, items=50), reading))
    assert "too few items for 'as if never told' (needs 59)" in figures[0].note


def test_figures_have_the_names_that_the_first_page_looks_for_and_the_section_has_a_row_a_residue() -> None:
    arms = arms_of(1.0, 0.6, 0.1)
    index = FigureIndex(residue_figures({"part": "visual", "condition": "soft"}, arms, read_residue(arms), excluded=3))
    assert [entry.name for entry in index] == ["residue", "arm.told", "arm.deleted", "arm.never", "arm.never_told"]
    found = index.get("residue", part="visual", condition="soft")
    assert found is not None
    assert (found.verdict, found.excluded, round(found.value or 0, 3)) == ("still there", 3, 0.556)
    section = residue_section(index, (label("Condition", "condition"),))
    assert section is not None
    assert residue_section(FigureIndex(()), ()) is None


def test_training_seeds_that_lie_apart_widen_every_interval_and_may_leave_the_word_open() -> None:
    arms = arms_of(1.0, 0.1, 0.0)
    alone, spread = read_residue(arms), read_residue(arms, Circumstances(by_seed=(0.0, 0.0, 0.3)))
    assert (alone.word, spread.word) == ("still there", "undecided")
    for name in ("residue", "left", "alike", "alike_to_told"):
        narrow, wide = getattr(alone, name), getattr(spread, name)
        assert wide.value == narrow.value
        assert wide.low < narrow.low < narrow.high < wide.high
    assert "3 training seeds" in spread.residue.method


def test_seeds_that_agree_leave_the_interval_as_it_is() -> None:
    arms = arms_of(1.0, 0.4, 0.0)
    assert read_residue(arms, Circumstances(by_seed=(0.4, 0.4))).residue.low == read_residue(arms).residue.low
