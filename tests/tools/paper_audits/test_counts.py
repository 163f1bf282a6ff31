"""What printed figures leave: counts, tables of items and net losses, each a case small enough to check by hand."""

from tools.paper_audits.in_context.counts import tables_that_fit
from tools.paper_audits.in_context.tables import Measures
from tools.paper_audits.prospective.counts import net_losses_for, p_is_printed_as
from tools.paper_audits.rounding import HALF_A_HUNDREDTH, counts_for, rounds_to


def test_a_printed_rate_leaves_few_counts() -> None:
    assert counts_for(82.4, range(50, 55)) == ((42, 51),)
    assert counts_for(100.0, [10]) == ((10, 10),)
    assert counts_for(99.0, [10]) == ()


def test_two_decimals_leave_few_counts_and_one_table() -> None:
    assert counts_for(83.33, [6], HALF_A_HUNDREDTH) == ((5, 6),)
    assert counts_for(83.33, range(7, 12), HALF_A_HUNDREDTH) == ()
    assert counts_for(50.0, [30_000], HALF_A_HUNDREDTH) == tuple((k, 30_000) for k in range(14_999, 15_002))
    assert rounds_to(1.005, 1.0, HALF_A_HUNDREDTH)
    assert tables_that_fit(Measures(83.33, 50.0, 60.0), 0.0, 6) == ((3, 2, 0, 1),)
    assert tables_that_fit(Measures(83.33, 66.67, 60.0), None, 6) == ((3, 2, 1, 0),)
    assert tables_that_fit(Measures(83.33, 100.0, 60.0), None, 6) == ()


def test_printed_p_values_are_read_at_their_own_precision() -> None:
    assert p_is_printed_as(0.0004, "<.001")
    assert not p_is_printed_as(0.0011, "<.001")
    assert p_is_printed_as(0.0634, ".063")
    assert not p_is_printed_as(0.0636, ".063")
    assert p_is_printed_as(0.996, "1.00")
    assert not p_is_printed_as(0.99, "1.00")


def test_net_losses_respect_what_can_be_lost_and_gained() -> None:
    # With 2 failures at most 2 pairs can be lost, too few for a p-value below .05.
    assert net_losses_for("<.001", 88, 90, least=0, most=90) == ()
    assert net_losses_for("1.00", 88, 90, least=-90, most=90) == (-1, 0, 1)
