"""What is kept at equal forgetting, by hand: trainings followed epoch by epoch from the target."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from forgetscope.benchmarks.unlearning.metrics.equal import LEVELS, Scores, equal_figures, is_held_out, where_passed
from forgetscope.benchmarks.unlearning.metrics.study import FORGET_MEASURES, RETAIN_MEASURES, CellKey
from forgetscope.benchmarks.unlearning.report.equal import equal_section
from forgetscope.findings.figures import Figure, Table
from forgetscope.findings.measures import FigureIndex

KEY = CellKey("news", "proper", "raw", "original", "ga", 1e-3, 1.0, 2.0)
ITEMS = [f"q{number}" for number in range(40)]
PLACE = {"corpus": "news", "semantics": "proper", "forget_format": "raw", "retain_subset": "original"}


def flat(score: float, step: float = 0.0) -> dict[str, float]:
    """Every item's score; with a step, items alternate about it."""
    return {item: score + (step if place % 2 else -step) for place, item in enumerate(ITEMS)}


Course = Sequence[tuple[float, float]]
"""Score on the forget side and on the retain side after each epoch."""


def scores(courses: Mapping[tuple[CellKey, int], Course], *, never: float = 0.2, step: float = 0.05) -> Scores:
    found: dict[tuple[CellKey | tuple[str, str], str], dict[tuple[int, int], dict[str, float]]] = {}
    for measure in (*FORGET_MEASURES, *RETAIN_MEASURES):
        is_forget = measure in FORGET_MEASURES
        found[("news", "target"), measure] = {(0, 0): flat(1.0 if is_forget else 0.8)}
        found[("news", "retain_only"), measure] = {(0, 0): flat(never if is_forget else 0.8)}
        for (key, seed), course in courses.items():
            points = found.setdefault((key, measure), {})
            for epoch, (forget, kept) in enumerate(course, start=1):
                points[seed, epoch] = flat(forget if is_forget else kept, step)
    return found


def figures(courses: Mapping[tuple[CellKey, int], Course]) -> FigureIndex:
    return FigureIndex(equal_figures(scores(courses)))


def at(index: FigureIndex, level: float, *, method: str = "ga", probe: str = "knowledge_forget") -> Figure:
    found = index.get("equal.retained", **PLACE, method=method, probe=probe, level=level)
    assert found is not None
    return found


def test_between_two_epochs_a_training_is_a_straight_line() -> None:
    """Target 1, retain-only 0.2: 0.6 is half of the way, 0.36 is 80%; retain questions 0.8, then 0.72 and 0.4."""
    index = figures({(KEY, 0): [(0.6, 0.72), (0.36, 0.4)]})
    assert at(index, 0.25).value == pytest.approx(1 - 0.1 / 2)
    assert at(index, 0.5).value == pytest.approx(0.9)
    assert at(index, 0.75).value == pytest.approx(0.9 + (0.5 - 0.9) * (0.25 / 0.3))
    low, high = at(index, 0.5).low, at(index, 0.5).high
    assert low is not None
    assert high is not None
    assert low < 0.9 < high
    assert index.value("equal.furthest", **PLACE, method="ga", probe="verbatim") == pytest.approx(0.8)


def test_a_level_that_no_epoch_passes_is_not_reached() -> None:
    index = figures({(KEY, 0): [(0.9, 0.8), (0.7, 0.8)]})
    assert at(index, 0.25).value is not None
    assert at(index, 0.5).value is None
    assert at(index, 0.5).note == "not reached; at most 38% of the way"
    section = equal_section(index)
    assert section is not None
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    kept = next(column.key for column in table.columns if column.label == "Kept at 50.0%")
    assert table.rows[0][kept] == "not reached"


def test_the_first_passing_counts_where_a_training_comes_back() -> None:
    way, kept = np.array([[0, 0.6, 0.3, 0.9]]), np.array([[1, 0.8, 0.7, 0.1]])
    assert where_passed(way, kept, 0.5)[0] == pytest.approx(1 - 0.2 * 0.5 / 0.6)
    assert where_passed(way, kept, 0.95)[0] == pytest.approx(0.1), "as far as it went"


def test_seeds_are_read_each_by_itself_and_their_spread_widens_the_interval() -> None:
    alike = at(figures({(KEY, 0): [(0.6, 0.72)], (KEY, 1): [(0.6, 0.72)]}), 0.5)
    apart = at(figures({(KEY, 0): [(0.6, 0.80)], (KEY, 1): [(0.6, 0.64)]}), 0.5)
    assert alike.value == pytest.approx(0.9)
    assert apart.value == pytest.approx(0.9)
    widths = [found.high - found.low for found in (alike, apart) if found.low is not None and found.high is not None]
    assert widths[1] > 2 * widths[0]
    assert "2 training seeds" in apart.method
    missed = at(figures({(KEY, 0): [(0.6, 0.72)], (KEY, 1): [(0.9, 0.8)]}), 0.5)
    assert missed.note.startswith("not reached by 1 of 2 seeds")


def test_a_rate_is_chosen_on_held_out_questions_that_take_no_part_afterwards() -> None:
    gentle, rough = KEY, CellKey(**{**KEY.factors, "learning_rate": 1e-2})  # type: ignore[arg-type]
    found = scores({(gentle, 0): [(0.3, 0.72)], (rough, 0): [(0.3, 0.72)]}, step=0.0)
    for measure in RETAIN_MEASURES:  # on the held-out questions the rough one keeps more, elsewhere nothing
        points = dict(found[rough, measure][0, 1])
        changed = {item: 0.8 if is_held_out(item) else 0.0 for item in points}
        found[rough, measure][0, 1].update(changed)  # type: ignore[attr-defined]
    index = FigureIndex(equal_figures(found))
    assert at(index, 0.5).value == pytest.approx(1 - 0.5 / 0.875)
    assert "rate 0.01" in at(index, 0.5).method
    assert "chosen on held-out questions among 2" in at(index, 0.5).method
    assert at(index, 0.5).n < 4 * len(ITEMS)


def test_a_quarter_of_questions_is_held_out_the_same_ones_always() -> None:
    held = [item for item in ITEMS if is_held_out(item)]
    assert 4 <= len(held) <= 16
    assert held == [item for item in ITEMS if is_held_out(item)]


def test_without_a_retain_only_model_nothing_is_said() -> None:
    every = scores({(KEY, 0): [(0.5, 0.5)]})
    found = {place: value for place, value in every.items() if place[0] != ("news", "retain_only")}
    assert list(equal_figures(found)) == []
    assert equal_section(FigureIndex([])) is None


def test_the_levels_are_a_quarter_a_half_and_three_quarters() -> None:
    assert LEVELS == (0.25, 0.5, 0.75)
