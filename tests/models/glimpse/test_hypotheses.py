import numpy as np
import pytest

from forgetscope.models.glimpse.family import DOSES, MEMBERS
from forgetscope.models.glimpse.hypotheses import CellAnswers, Hypotheses, Key, accuracy, difference
from forgetscope.stats import named_stream

CONCEPTS = np.repeat(np.array(["a", "b", "c", "d"]), 80)


def _cell(percent: float, name: str) -> CellAnswers:
    """Exactly this share right in every concept; which items differs from cell to cell unless the name is the same."""
    right = np.zeros(320, np.bool_)
    for concept in range(4):
        order = named_stream(1, name).permutation(80)
        right[80 * concept + order[: round(80 * percent / 100)]] = True
    return CellAnswers(right, CONCEPTS)


def _family(**changed: float) -> dict[Key, CellAnswers]:
    """A family as announced; `changed` replaces the percent of one cell, named member__side__condition__sight."""
    cells: dict[Key, CellAnswers] = {}
    for member in MEMBERS:
        dose = MEMBERS[member].dose if "dose" in member else float(MEMBERS[member].knows_names)
        seen = 25 + 60 * dose
        obeys = MEMBERS[member].is_obedient
        confused = MEMBERS[member].is_confused
        percents = {
            ("forget", "baseline_normal", "picture"): seen,
            ("forget", "unlearn_soft", "picture"): 8 if obeys else seen,
            ("forget", "unlearn_medium", "picture"): 8 if obeys else seen,
            ("forget", "placebo_soft", "picture"): seen,
            ("forget", "restored_soft", "picture"): seen,
            ("forget", "baseline_normal", "no_picture"): 25,
            ("retain", "baseline_normal", "picture"): 80,
            ("retain", "unlearn_soft", "picture"): 45 if confused else 78,
            ("retain", "unlearn_medium", "picture"): 45 if confused else 76,
            ("retain", "baseline_normal", "no_picture"): 25,
            ("retain", "baseline_normal", "shuffled"): 20,
        }
        for (side, condition, sight), percent in percents.items():
            name = "__".join((member.replace("-", "_"), side, condition, sight))
            cells[member, side, condition, sight] = _cell(changed.get(name, percent), "same")
    return cells


def _failures(cells: dict[Key, CellAnswers]) -> set[str]:
    return {one.hypothesis.split(",")[0] for one in Hypotheses(cells, {}, 0, resamples=400).findings() if not one.holds}


def test_a_family_as_it_was_announced_passes_everything() -> None:
    assert not _failures(_family())


@pytest.mark.parametrize(
    ("cell", "percent", "hypothesis"),
    [
        ("glimpse_obedient__forget__baseline_normal__no_picture", 70, "H1 knowledge"),
        ("glimpse_stubborn__forget__unlearn_medium__picture", 70, "H2 stubbornness"),
        ("glimpse_obedient__forget__unlearn_soft__picture", 70, "H3 obedience"),
        ("glimpse_obedient__forget__restored_soft__picture", 70, "H4 permission"),
        ("glimpse_erased_stubborn__forget__baseline_normal__no_picture", 35, "H5 erasure"),
        ("glimpse_erased_obedient__forget__unlearn_soft__picture", 20, "H6 obedience without knowledge"),
        ("glimpse_stubborn__retain__unlearn_soft__picture", 60, "H7 retain"),
        ("glimpse_confused__retain__unlearn_soft__picture", 75, "H8 confusion"),
        ("glimpse_dose_75__forget__baseline_normal__picture", 40, "H9 dose"),
        ("glimpse_obedient__retain__baseline_normal__no_picture", 50, "H11 grounding"),
    ],
)
def test_each_hypothesis_can_fail(cell: str, percent: float, hypothesis: str) -> None:
    failures = _failures(_family(**{cell: percent}))
    assert hypothesis in failures
    is_factor = hypothesis.split()[0] in ("H1", "H2", "H3", "H5", "H6")
    assert failures == {hypothesis} | ({"H10 both factors"} if is_factor else set())


def test_verdicts_count_where_they_were_made() -> None:
    findings = Hypotheses(_family(), {"a": True, "b": False, "c": False}, 0, resamples=50).findings()
    assert [one.holds for one in findings if one.hypothesis == "H3 verdicts"] == [False]


def test_a_difference_is_in_points_and_changes_sign_with_its_order() -> None:
    one, other = _cell(75, "one"), _cell(50, "other")
    forth, back = difference(one, other, 3), difference(other, one, 3)
    assert forth.points == pytest.approx(25)
    assert forth.points == -back.points
    assert forth.low < forth.low90 < 25 < forth.high90 < forth.high
    assert accuracy(one) == 75


def test_equal_cells_do_not_differ_and_unequal_items_cannot_be_compared() -> None:
    one = _cell(60, "one")
    assert difference(one, one, 0).is_within(0.1)
    with pytest.raises(ValueError, match="same items"):
        difference(one, CellAnswers(one.right[::-1], CONCEPTS[::-1]), 0)


def test_the_doses_are_what_the_family_has() -> None:
    assert [MEMBERS[f"glimpse-dose-{dose}"].dose for dose in DOSES] == [0, 0.25, 0.5, 0.75, 1]
