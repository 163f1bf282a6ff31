"""What the tests of unlearning share: one small grid, made once a process. PyTorch is imported when it is asked for."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from forgetscope.benchmarks.unlearning.grid.cells import GridFolder


@pytest.fixture(scope="session")
def made_grid(tmp_path_factory: pytest.TempPathFactory) -> "GridFolder":
    """The small grid with its data and target; not to be changed: `copy_grid` it."""
    from tests.benchmarks.unlearning.small_grid import make_grid

    return make_grid(tmp_path_factory.mktemp("grid") / "small")
