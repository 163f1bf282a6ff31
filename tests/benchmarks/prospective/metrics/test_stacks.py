"""Stacks and pairs in tension."""

import pytest

from tests.benchmarks.prospective.metrics.small_tables import Row, figures_of, row, stack

PAIR = "num_bullet_lists+no_comma"


def grid() -> list[Row]:
    """Two stacks of one and two of two, without and with the reminder."""
    return [
        stack("s1", (True,), "no_comma"),
        stack("s1", (True,), "no_comma", trailing="generic"),
        stack("s2", (True,), "num_bullet_lists"),
        stack("s2", (False,), "num_bullet_lists", trailing="generic"),
        stack("d1", (True, False), "no_comma+title"),
        stack("d1", (True, True), "no_comma+title", trailing="generic"),
        stack("d2", (False, False), "existence+title"),
        stack("d2", (True, True), "existence+title", trailing="generic"),
    ]


def test_a_stack_counts_only_when_every_constraint_is_kept() -> None:
    index = figures_of(grid())

    def joint(size: int, trailing: str) -> float | None:
        return index.value("stacking.joint.strict", constraints=size, problems="all", trailing=trailing)

    assert joint(1, "all") == 3 / 4
    assert joint(2, "all") == 2 / 4
    assert joint(2, "none") == 0
    assert joint(2, "generic") == 1


def test_types_are_counted_over_every_stack_that_holds_them() -> None:
    index = figures_of(grid())
    assert index.value("stacking.type.strict", type="title") == 2 / 4
    assert index.value("stacking.type.strict", type="no_comma") == 4 / 4
    assert index.value("stacking.type.strict", type="existence") == 1 / 2


def test_the_lift_is_paired_by_stack_and_its_range_names_the_cells() -> None:
    index = figures_of(grid())
    assert index.value("stacking.lift", constraints=1, problems=0) == -0.5
    assert index.value("stacking.lift", constraints=2, problems=0) == 1
    assert index.value("stacking.lift", constraints="all", problems="all") == 0.25
    lowest = index.get("stacking.lift.lowest", constraints="all", problems="all")
    assert lowest is not None
    assert (lowest.value, lowest.note) == (-0.5, "at 1 constraints and 0 problems")
    assert index.value("stacking.lift.highest", constraints="all", problems="all") == 1


def test_a_pair_is_set_against_safe_pairs_and_against_the_product_of_its_singles() -> None:
    rows = grid()
    rows += [stack(f"t{n}", (True, n > 1), PAIR, experiment="tension") for n in range(4)]
    rows += [stack(f"c{n}", (n > 0,), "no_comma") for n in range(3)]  # with s1: 3 of 4 kept
    rows += [stack("b1", (False,), "num_bullet_lists")]  # with s2: 1 of 2 kept, without reminder
    index = figures_of(rows)
    assert index.value("tension.joint.strict", pair=PAIR, problems="all", trailing="all") == 0.5
    assert index.value("tension.gap.safe", pair=PAIR) == pytest.approx(0.5 - 0.5)
    gap = index.get("tension.gap.singles", pair=PAIR, singles="stacks_of_one")
    assert gap is not None
    assert gap.value == pytest.approx(0.5 - 0.5 * 3 / 4)
    assert "4 items of the pair, 2 items of num_bullet_lists, 4 items of no_comma" in gap.note


def test_singles_of_the_load_experiment_are_matched_by_the_number_of_problems() -> None:
    rows = [stack(f"t{n}", (True, True), PAIR, experiment="tension") for n in range(2)]
    rows += [row(item, "baseline", kept=item == "a") for item in "ab"]
    rows += [row(item, "baseline", kept=True, type="num_bullet_lists", category="counting") for item in "cd"]
    gap = figures_of(rows).get("tension.gap.singles", pair=PAIR, singles="load_experiment")
    assert gap is not None
    assert gap.value == pytest.approx(1 - 0.5 * 1)


def matched_pair() -> list[Row]:
    """Four stacks of a pair and each constraint alone, without problems; the first also with one problem."""
    first, second = PAIR.split("+")
    rows = []
    for number in range(4):
        rows.append(stack(f"t{number}", (number == 0, True), PAIR, experiment="tension"))
        rows.append(stack(f"t{number}", (number < 3,), first, experiment="singles", pair=PAIR))
        rows.append(stack(f"t{number}", (number < 2,), second, experiment="singles", pair=PAIR))
    rows.append(stack("t0", (True, True), PAIR, problems=1, experiment="tension"))
    rows.append(stack("t0", (True,), first, problems=1, experiment="singles", pair=PAIR))
    rows.append(stack("t0", (True,), second, problems=1, experiment="singles", pair=PAIR))
    return rows


def test_a_pair_is_matched_with_each_of_its_constraints_alone_on_the_same_stack() -> None:
    first, second = PAIR.split("+")
    lonely = stack("t1", (False, False), PAIR, problems=1, experiment="tension")  # its singles were not run
    rows = [*matched_pair(), lonely, stack("t2", (False,), first, problems=1, experiment="singles", pair=PAIR)]
    index = figures_of(rows)
    gap = index.get("tension.gap.matched", pair=PAIR)
    assert gap is not None
    # No problem: 1/4 - 3/4 * 2/4; one problem: 1 - 1 * 1.
    assert gap.value == pytest.approx((1 / 4 - 3 / 4 * 2 / 4 + 0) / 2)
    assert (gap.n, gap.excluded) == (5, 2)
    assert index.value("tension.single.strict", pair=PAIR, type=first) == 4 / 5
    assert index.value("tension.single.strict", pair=PAIR, type=second) == 3 / 5


def test_singles_of_other_stacks_match_nothing_and_the_gap_says_so() -> None:
    rows = [stack("t0", (True, True), PAIR, experiment="tension")]
    rows += [stack("t9", (True,), name, experiment="singles", pair=PAIR) for name in PAIR.split("+")]
    gap = figures_of(rows).get("tension.gap.matched", pair=PAIR)
    assert gap is not None
    assert (gap.value, gap.n, gap.excluded, gap.note) == (None, 0, 3, "no scored samples")


def test_singles_do_not_enter_safe_stacks_or_the_load_experiment() -> None:
    singles = [line for line in matched_pair() if line["experiment"] == "singles"]
    rest = [*grid(), row("a", "baseline", kept=True), row("a", "natural", "mmlu", False)]
    without, beside = figures_of(rest), figures_of(rest + singles)
    names = ("stacking.", "compliance.", "delta.", "slope.", "mechanism.")
    assert [entry for entry in without if entry.name.startswith(names)] == [
        entry for entry in beside if entry.name.startswith(names)
    ]
    assert beside.value("outcomes.planned", experiment="singles", problems=0) == 8


def test_without_singles_the_comparison_is_undefined_and_says_why() -> None:
    index = figures_of([stack("t", (True, True), PAIR, experiment="tension")])
    gap = index.get("tension.gap.singles", pair=PAIR, singles="stacks_of_one")
    assert gap is not None
    assert gap.value is None
    assert "not run alone" in gap.note
    assert index.value("tension.gap.safe", pair=PAIR) is None
