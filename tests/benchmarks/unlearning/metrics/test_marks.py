"""Table 1's marking and the Pareto front on tables small enough to mark by eye."""

from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.metrics.front import pareto_front
from forgetscope.benchmarks.unlearning.metrics.marks import Marks, TableCell, mark

RAW, PRUNED = ("raw", "low"), ("pruned", "low")


def test_each_row_marks_who_forgets_most_and_who_keeps_most() -> None:
    found = mark(
        {
            (RAW, "ga"): TableCell(0.5, 0.3),
            (RAW, "npo"): TableCell(0.625, 0.375),
            (PRUNED, "ga"): TableCell(0.7, -0.1),
            (PRUNED, "npo"): TableCell(0.25, 0.0),
        }
    )
    assert found.best_forget == {(RAW, "npo"), (PRUNED, "ga")}
    assert found.best_retain == {(RAW, "ga"), (PRUNED, "ga")}
    assert found.best_of_method == {(PRUNED, "ga"), (RAW, "npo"), (PRUNED, "npo")}


def test_ties_are_all_marked() -> None:
    found = mark({(RAW, "ga"): TableCell(0.5, 0.3), (RAW, "npo"): TableCell(0.5, 0.3)})
    assert found.best_forget == found.best_retain == {(RAW, "ga"), (RAW, "npo")}


def test_undefined_cells_take_no_part() -> None:
    found = mark({(RAW, "ga"): TableCell(None, 0.9), (RAW, "npo"): TableCell(0.1, None)})
    assert found == Marks(frozenset({(RAW, "npo")}), frozenset({(RAW, "ga")}), frozenset())
    assert mark({}) == Marks(frozenset(), frozenset(), frozenset())


def test_the_front_holds_what_nothing_beats() -> None:
    cells = {
        "gentle": TableCell(0.2, 0.0),
        "strong": TableCell(0.8, 0.5),
        "beaten": TableCell(0.2, 0.1),
        "twin": TableCell(0.8, 0.5),
        "undefined": TableCell(None, 0.0),
    }
    assert pareto_front(cells) == {"gentle", "strong", "twin"}


CELLS = st.dictionaries(st.integers(0, 9), st.builds(TableCell, st.floats(-1, 1), st.floats(-1, 1)), min_size=1)


@given(CELLS)
def test_whoever_forgets_most_or_keeps_most_at_least_cost_is_on_the_front(cells: dict[int, TableCell]) -> None:
    front = pareto_front(cells)
    assert max(cells, key=lambda name: (cells[name].forget, -(cells[name].retain or 0))) in front
    assert min(cells, key=lambda name: (cells[name].retain, -(cells[name].forget or 0))) in front
