"""The grids of `unlearn demo` and `demo`: the paper's cells on the embedded corpus and a model of a million weights."""

from collections.abc import Sequence
from typing import Literal, get_args

from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.settings import GridSettings, MeasureName
from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED
from forgetscope.core.errors import SettingError

DemoCells = Literal[27, 9, 3]

_PARTS: dict[DemoCells, dict[str, object]] = {
    27: {},
    9: {"retain_subsets": ["original"]},
    3: {"formats": ["raw"], "retain_subsets": ["original"]},
}
"""Three methods each: times three formats and three retain subsets, formats alone, or raw text alone."""

NOT_OURS = ("utility",)
"""Measures that need what a plain installation lacks."""


def demo_settings(
    cells: int = 27, *, target: Literal["made", "shipped"] = "made", is_full: bool = False, seeds: Sequence[int] = (0,)
) -> GridSettings:
    """The settings of a demo: every training followed epoch by epoch, so that methods meet at equal forgetting.

    Args:
        cells: 27, 9 or 3, for each seed.
        target: `made` on this machine (about 90 CPU seconds), or `shipped` with the package.
        is_full: Also the measures that cost more: paraphrases, retained text word for word, and how fast forgotten
            text is learnt again (truth ratios need wrong answers, which the embedded corpus has none of).
        seeds: Of the order of texts.

    Raises:
        SettingError: another number of cells.
    """
    if cells not in _PARTS:
        raise SettingError("no demo of so many cells", where="--cells", found=cells, allowed="27, 9, 3")
    row: dict[str, object] = {**_PARTS[cells], "seeds": list(seeds), "execution": {"evaluate_epochs": True}}
    if target == "shipped":
        row["experiments"] = [{"target": {"model": SHIPPED, "fit": None}}]
    if is_full:
        row["evaluation"] = {"measures": [name for name in get_args(MeasureName) if name not in NOT_OURS]}
    return settings_of(row)
