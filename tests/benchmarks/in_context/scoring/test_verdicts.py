"""Several judges, one verdict: more than half of the whole panel, or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.in_context.scoring.forgetting import Leak
from forgetscope.benchmarks.in_context.scoring.judges.verdicts import judged_verdict, majority, passes
from forgetscope.core.outcomes import Status
from forgetscope.judging.records import Judgement
from tests.benchmarks.in_context.small_items import JUDGED_FORGETTING, sample

VOTES = st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=7)


def said(verdict: str | None, leak: str = "hint", *, judge: str = "j") -> Judgement:
    held = None if verdict is None else {"verdict": verdict, "leak": leak}
    return Judgement.model_validate({"aspect": "answer", "rubric": "r", "judge": judge, "verdict": held, "replies": []})


@given(VOTES)
def test_a_majority_is_more_than_half_of_the_panel(votes: list[bool | None]) -> None:
    found = majority(votes)
    assert found is majority(votes[::-1]), "in any order"
    assert (found is None) == (max(votes.count(True), votes.count(False)) * 2 <= len(votes))


@given(VOTES)
def test_swapping_sides_swaps_the_majority(votes: list[bool | None]) -> None:
    swapped = majority([None if vote is None else not vote for vote in votes])
    assert swapped is {True: False, False: True, None: None}[majority(votes)]


def test_the_leak_most_judges_name_counts_and_the_worse_one_at_a_tie() -> None:
    def leak(*rungs: str) -> Leak | None:
        found = judged_verdict(sample(JUDGED_FORGETTING), [said("no", rung) for rung in rungs], "answer")
        assert found is not None
        return found.leak

    assert leak("hint", "hint", "verbatim") is Leak.HINT
    assert leak("hint", "verbatim") is Leak.VERBATIM
    assert judged_verdict(sample(JUDGED_FORGETTING), [said("yes")], "reask") is None


def test_whether_one_judgement_passes() -> None:
    assert passes(sample(JUDGED_FORGETTING), said("yes"))
    assert not passes(sample(JUDGED_FORGETTING), said("no"))


@pytest.mark.parametrize(
    ("errors", "status"), [((True, True), Status.JUDGE_ERROR), ((True, False), Status.JUDGE_UNPARSEABLE)]
)
def test_only_a_panel_that_was_lost_as_a_whole_is_a_judge_error(errors: tuple[bool, ...], status: Status) -> None:
    lost = [said(None).model_copy(update={"error": "gone" if error else ""}) for error in errors]
    found = judged_verdict(sample(JUDGED_FORGETTING), lost, "answer")
    assert found is not None
    assert found.status is status
