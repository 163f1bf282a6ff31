"""The grids of the demos: how many cells, from which target, measuring what."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pytest

from forgetscope.benchmarks.unlearning.evaluation.measures import MEASURES
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.demonstration import demo_settings
from forgetscope.benchmarks.unlearning.grid.preparing import list_cells, prepare_experiment
from forgetscope.core.errors import SettingError


@pytest.mark.parametrize(
    ("cells", "target", "seeds"),
    [(27, "made", (0,)), (27, "shipped", (0, 1, 2)), (9, "shipped", (0,)), (3, "shipped", (0,))],
)
def test_a_demo_has_its_cells_for_each_seed_the_target_and_the_model_that_never_knew(
    cells: int, target: Literal["made", "shipped"], seeds: Sequence[int], tmp_path: Path
) -> None:
    settings = demo_settings(cells, target=target, seeds=seeds)
    listed = list_cells(settings, [prepare_experiment(settings.experiments[0], GridFolder(tmp_path))])
    unlearned = [config for config in listed if config.unlearning is not None]
    assert len(unlearned) == cells * len(seeds)
    assert [config.role for config in listed if config.unlearning is None] == ["target", "retain_only"]
    assert len({config.id for config in listed}) == len(listed)
    assert {config.unlearning.method.kind for config in unlearned if config.unlearning} == {"ga", "npo", "simnpo"}
    assert settings.experiments[0].target.model == ("shipped" if target == "shipped" else "embedded")


def test_costly_measures_are_for_full_demos() -> None:
    assert demo_settings().evaluation.measures == ("verbatim", "knowledge", "likelihood")
    assert set(demo_settings(is_full=True).evaluation.measures) == set(MEASURES) - {"utility"}


def test_another_number_of_cells_is_one_line() -> None:
    with pytest.raises(SettingError, match=r"--cells: no demo of so many cells; found 5; allowed: 27, 9, 3"):
        demo_settings(5)
