"""Right and wrong in subtask revision: every clause, and the readings the paper leaves open."""

from itertools import product

import pytest

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.scoring.revision import READINGS, revision_passes

FLAGS = [True, False]


@pytest.mark.parametrize(
    ("common", "original", "revised", "first", "right"),
    [
        ([True], [False], [True], [True], True),
        ([True], [True, False], [True], [True], True),
        ([True], [True, True], [True], [True], False),
        ([True], [], [True], [True], True),
        ([False], [False], [True], [True], False),
        ([True], [False], [False], [True], False),
        ([True], [False], [True], [False], False),
        ([], [False], [True], [], True),
    ],
)
def test_the_forget_form_needs_every_clause(
    common: list[bool], original: list[bool], revised: list[bool], first: list[bool], right: bool
) -> None:
    assert revision_passes(Form.FORGET, common, original, revised, first).protocol is right


def test_the_noforget_form_asks_for_common_and_revised_alone() -> None:
    assert revision_passes(Form.NOFORGET, [True], [True], [True], []).protocol
    assert not revision_passes(Form.NOFORGET, [True], [True], [True], []).clause_both_forms
    assert not revision_passes(Form.NOFORGET, [False], [False], [True], []).protocol


@pytest.mark.parametrize(("common", "one", "two", "revised", "first"), list(product(FLAGS, repeat=5)))
def test_stricter_readings_pass_no_more_than_looser_ones(
    common: bool, one: bool, two: bool, revised: bool, first: bool
) -> None:
    passes = revision_passes(Form.FORGET, [common], [one, two], [revised], [first])
    assert passes.none_of_original <= passes.protocol <= passes.without_clause
    assert passes.protocol == passes.clause_both_forms == (passes.final_alone and first)
    assert all(hasattr(passes, reading) for reading in READINGS)


def test_an_answer_to_the_original_is_judged_on_all_common_subtasks_or_it_is_an_error() -> None:
    with pytest.raises(ValueError, match="1 common subtasks, 0 judged in the answer to the original"):
        revision_passes(Form.FORGET, [True], [], [True], [])
