from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.core.outcomes import Account, Status

STATUSES = st.lists(st.tuples(st.sampled_from(list(Status)), st.sampled_from([True, False, None])), max_size=40)


def account(pairs: Sequence[tuple[Status, bool | None]]) -> Account:
    return Account.of([status for status, _ in pairs], [raw for _, raw in pairs])


def test_rates_of_a_small_cell_by_hand() -> None:
    cell = account(
        [
            (Status.CORRECT, True),
            (Status.INCORRECT, False),
            (Status.TRUNCATED, True),
            (Status.MODEL_ERROR, None),
            (Status.NOT_SENT, None),
        ]
    )
    assert cell.planned == 5
    assert cell.attempted == 4
    assert cell.completed_rate == 1 / 2
    assert cell.paper_rate == 2 / 3
    assert cell.bounds == (1 / 4, 3 / 4)
    assert cell.completeness == 4 / 5
    assert cell.is_length_limited


def test_an_empty_cell_has_no_rates() -> None:
    cell = account([])
    assert (cell.completed_rate, cell.paper_rate, cell.bounds, cell.completeness) == (None, None, None, None)
    assert not cell.is_length_limited


def test_five_percent_truncated_is_not_yet_length_limited() -> None:
    cell = account([(Status.TRUNCATED, True)] + [(Status.CORRECT, True)] * 19)
    assert not cell.is_length_limited


def test_an_unknown_status_raises() -> None:
    with pytest.raises(ValueError, match="forgotten"):
        Account.of(["forgotten"], [None])


@given(STATUSES)
def test_counts_sum_to_planned_and_the_completed_rate_lies_in_its_bounds(
    pairs: list[tuple[Status, bool | None]],
) -> None:
    cell = account(pairs)
    assert sum(cell.counts.values()) == cell.planned == len(pairs)
    if cell.completed_rate is not None and cell.bounds is not None:
        low, high = cell.bounds
        assert low <= cell.completed_rate <= high


@given(STATUSES)
def test_order_does_not_matter(pairs: list[tuple[Status, bool | None]]) -> None:
    assert account(pairs).bounds == account(pairs[::-1]).bounds
