"""How far methods lie apart: the range of their changes, for losses done properly and as published code has them.

Under the published code's losses methods can come out alike to the printed digit; this is the figure that shows it.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from forgetscope.benchmarks.unlearning.metrics.change import GROUPS
from forgetscope.benchmarks.unlearning.metrics.resampled import Changes, SharedItems, mean_change
from forgetscope.benchmarks.unlearning.metrics.study import CellKey, UnlearningStudy
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import plain
from forgetscope.stats.sums import FloatArray


def range_figures(study: UnlearningStudy) -> Iterator[Figure]:
    """For each setting, format and retain subset with two methods or more: highest minus lowest change of a group."""
    for setting, cells in study.settings_run.items():
        rows: defaultdict[tuple[str, str], list[CellKey]] = defaultdict(list)
        for key in cells:
            rows[key.forget_format, key.retain_subset].append(key)
        for (forget_format, subset), row in rows.items():
            if len(row) < 2:
                continue
            for group, members in GROUPS.items():
                factors: dict[str, Cell] = {
                    **setting.factors,
                    "forget_format": forget_format,
                    "retain_subset": subset,
                    "group": group,
                }
                yield _range(study, row, members, factors)


def _range(study: UnlearningStudy, row: list[CellKey], members: tuple[str, ...], factors: dict[str, Cell]) -> Figure:
    """Without an interval: the highest minus the lowest of several grows with noise alone."""

    def statistic(changes: Changes) -> FloatArray:
        spread: FloatArray = np.ptp(np.stack([mean_change(changes, key, members) for key in row]), axis=0)
        return spread

    found = SharedItems.of(study, [(key, measure) for key in row for measure in members]).estimate(statistic)
    method = f"highest minus lowest of {len(row)} methods"
    note = found.undefined if found.value is None else ""
    return plain("methods.range", factors, found.value, found.n, unit="points", method=method, note=note)
