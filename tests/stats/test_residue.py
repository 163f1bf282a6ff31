import numpy as np
import pytest

from forgetscope.stats import named_stream
from forgetscope.stats.residue import Arms, Rung, alike_interval, items_to_be_alike, residue, worst_residue


def arms_of(told: float, deleted: float, never: float, items: int = 40) -> Arms:
    """So many items, the first of them 1 in each arm."""

    def first(share: float) -> np.ndarray:
        return (np.arange(items) < round(share * items)).astype(float)

    return Arms.of(first(told), first(deleted), first(never))


def test_residue_is_one_where_nothing_was_forgotten_and_zero_where_it_is_as_if_never_told() -> None:
    assert residue(arms_of(1.0, 1.0, 0.0)).value == 1
    assert residue(arms_of(1.0, 0.25, 0.25)).value == 0
    assert residue(arms_of(1.0, 0.0, 0.25)).value == pytest.approx(-1 / 3)


def test_each_arm_has_its_own_guessing() -> None:
    told, deleted = np.ones(20), np.r_[np.ones(5), np.zeros(15)]
    guessed = np.r_[np.zeros(15), np.ones(5)]
    assert residue(Arms.of(told, deleted, guessed)).value == 0
    assert residue(Arms.of(told, deleted, guessed, np.zeros(20))).value == pytest.approx(0.25 / 0.75)


def test_the_example_of_its_docstring() -> None:
    found = residue(Arms.of(np.ones(10), np.r_[np.ones(5), np.zeros(5)], np.zeros(10)))
    assert (found.value, round(found.low or 0, 2), round(found.high or 0, 2)) == (0.5, 0.11, 0.89)


def test_there_is_no_residue_of_what_telling_does_not_add() -> None:
    found = residue(arms_of(0.30, 0.1, 0.25))
    assert found.value is None
    assert "not shown to be above 0.1" in found.undefined
    assert residue(arms_of(0.30, 0.1, 0.25), floor=-1).value is not None


def test_no_interval_below_six_items_and_none_without_items() -> None:
    assert "fewer than 6" in residue(arms_of(1, 0, 0, items=5)).undefined
    assert "no item" in residue(Arms.of([], [], [])).undefined


def test_where_all_items_agree_the_interval_has_a_width() -> None:
    for deleted in (0.0, 1.0):
        found = residue(arms_of(1.0, deleted, 0.0, items=20))
        assert found.low is not None
        assert found.high is not None
        assert 0.1 < found.high - found.low < 0.5


@pytest.mark.parametrize("spoiled", [{"told": [1.0, 0.0]}, {"told": [2.0]}, {"told": [float("nan")]}])
def test_arms_of_unequal_length_or_out_of_range_are_refused(spoiled: dict[str, list[float]]) -> None:
    with pytest.raises(ValueError, match=r"same items|between 0 and 1|finite"):
        Arms.of(**{"told": [1.0], "deleted": [0.0], "never_told": [0.0], **spoiled})


def test_fifty_nine_items_without_a_difference_are_alike_within_five_points_and_fifty_eight_are_not() -> None:
    enough, few = alike_interval(np.zeros(59)), alike_interval(np.zeros(58))
    assert enough.high is not None
    assert enough.high < 0.05
    assert few.high is not None
    assert few.high > 0.05


def test_likeness_is_symmetric_and_holds_the_difference() -> None:
    rng = named_stream(1, "likeness")
    found = rng.choice([-1.0, 0.0, 1.0], p=[0.1, 0.7, 0.2], size=200)
    one, other = alike_interval(found), alike_interval(-found)
    assert one.low == pytest.approx(-(other.high or 0))
    assert one.low is not None
    assert one.high is not None
    assert one.value is not None
    assert one.low < one.value < one.high


@pytest.mark.parametrize("one_way", [0.0, 0.02, 0.1])
def test_unlike_scores_are_called_alike_in_at_most_five_of_a_hundred(one_way: float) -> None:
    rng = named_stream(2, f"unlike {one_way}")
    called = 0
    for _ in range(1500):
        more, less, _ = rng.multinomial(80, [one_way + 0.05, one_way, 0.95 - 2 * one_way])
        found = alike_interval(np.r_[np.ones(more), -np.ones(less), np.zeros(80 - more - less)])
        called += found.low is not None and found.high is not None and -0.05 <= found.low <= found.high <= 0.05
    assert called / 1500 <= 0.065


def test_items_that_likeness_needs_rise_with_guessing_and_fall_with_the_margin() -> None:
    assert items_to_be_alike() == 59
    assert items_to_be_alike(guessed=0.02) > 120
    assert items_to_be_alike(guessed=0.25) > 1000
    assert items_to_be_alike(0.1) < items_to_be_alike(0.05)
    with pytest.raises(ValueError, match="margin"):
        items_to_be_alike(0)


def test_the_interval_holds_the_truth_over_a_small_grid() -> None:
    rng, held, drawn = named_stream(3, "coverage"), 0, 0
    for told, share in ((0.9, 0.0), (0.9, 0.3), (1.0, 0.9)):
        for _ in range(400):
            never = 0.1
            deleted = never + share * (told - never)
            own = rng.random((4, 30))
            arms = Arms.of(
                *((own[place] < rate).astype(float) for place, rate in enumerate((told, deleted, never, never)))
            )
            found = residue(arms)
            if found.low is not None and found.high is not None:
                drawn += 1
                held += found.low <= share <= found.high
    assert drawn > 1000
    assert 0.93 <= held / drawn <= 0.985


def test_the_worst_of_several_ways_to_ask_is_drawn_with_its_choice() -> None:
    rng = named_stream(5, "worst")
    told, never = np.ones(40), np.zeros(40)
    names = tuple(f"i{place}" for place in range(40))
    alike = {name: Rung(names, Arms.of(told, rng.random(40) < 0.3, never)) for name in "abcdef"}
    name, worst = worst_residue(alike, named_stream(5, "items"))
    alone = residue(alike[name].arms)
    assert worst.value == alone.value == max(residue(rung.arms).value or 0 for rung in alike.values())
    assert worst.low is not None
    assert alone.low is not None
    assert worst.low > alone.low
    assert worst_residue(alike, named_stream(5, "items")) == (name, worst)


def test_a_way_to_ask_that_few_items_have_is_drawn_with_those_it_has() -> None:
    names = tuple(f"i{place}" for place in range(40))
    every = Rung(names, Arms.of(np.ones(40), np.zeros(40), np.zeros(40)))
    some = Rung(names[:10], Arms.of(np.ones(10), np.ones(10), np.zeros(10)))
    name, worst = worst_residue({"query": every, "hint": some}, named_stream(5, "items"))
    assert (name, worst.value, worst.n, worst.high) == ("hint", 1.0, 40, 1.0)


def test_there_is_no_worst_where_nothing_was_learned() -> None:
    names = tuple(f"i{place}" for place in range(40))
    nothing = Rung(names, Arms.of(np.zeros(40), np.zeros(40), np.zeros(40)))
    name, worst = worst_residue({"query": nothing}, named_stream(5, "items"))
    assert (name, worst.value, worst.undefined) == ("", None, "no residue is defined")
