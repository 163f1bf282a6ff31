"""Changes of several cells, and how they vary with the questions and chunks they were evaluated on.

Cells are fixed: what varies is which items were asked. Items are the units within each measure, an item with all its
cells together, because every cell and the target are put to the same ones.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from forgetscope.benchmarks.unlearning.metrics.study import MEASURES, CellKey, UnlearningStudy
from forgetscope.stats import Estimate, estimate_from_sums
from forgetscope.stats.sums import FloatArray, IntArray, divide

Asked = tuple[CellKey, str]
"""A cell and one of its measures."""

Changes = Callable[[CellKey, str], FloatArray]
"""The change of a measure of a cell, once for every row of sums: shape (rows,)."""


@dataclass(frozen=True)
class SharedItems:
    """Sums of target's and cells' scores over the items all these cells were scored on.

    Attributes:
        place: Column of `sums` by measure and cell; None is the target.
        sums: One row an item, shape (items, columns).
        strata: The measure of each row, by number.
        undefined: Why there is no change; empty where there is one.
    """

    place: dict[tuple[str, CellKey | None], int]
    sums: FloatArray
    strata: IntArray
    undefined: str

    @classmethod
    def of(cls, study: UnlearningStudy, asked: Iterable[Asked]) -> "SharedItems":
        """The items of these cells and measures."""
        wanted = set(asked)
        columns: dict[tuple[str, CellKey | None], None] = {}
        for key, measure in sorted(wanted):
            columns.update({(measure, None): None, (measure, key): None})
        place = {column: number for number, column in enumerate(columns)}
        rows: list[FloatArray] = []
        strata: list[int] = []
        missing: list[str] = []
        zero: list[str] = []
        for number, measure in enumerate(name for name in MEASURES if any(name == one for _, one in wanted)):
            scores = {key: study.scores(key, measure) for key, name in sorted(wanted) if name == measure}
            shared = sorted(set.intersection(*(set(found.items) for found in scores.values())))
            part = np.zeros((len(shared), len(columns)))
            for key, found in scores.items():
                at = {item: row for row, item in enumerate(found.items)}
                where = [at[item] for item in shared]
                part[:, place[measure, key]] = found.unlearned[where]
                part[:, place[measure, None]] = found.target[where]
            if not shared:
                missing.append(measure)
            elif not part[:, place[measure, None]].any():
                zero.append(measure)
            rows.append(part)
            strata.extend([number] * len(shared))
        reason = f"nothing was scored in {', '.join(missing)}" if missing else ""
        reason = reason or (f"the target scores 0 in {', '.join(zero)}" if zero else "")
        sums = np.concatenate(rows) if rows else np.zeros((0, len(columns)))
        return cls(place, sums, np.array(strata, dtype=np.int64), reason)

    def estimate(self, statistic: Callable[[Changes], FloatArray], *, least: int = 2) -> Estimate:
        """A figure of the changes, with its interval, which fewer items a measure than `least` do not have."""
        if self.undefined:
            return Estimate(None, None, None, len(self.sums), "", self.undefined)

        def of_totals(totals: FloatArray) -> FloatArray:
            def change(key: CellKey, measure: str) -> FloatArray:
                target = totals[:, self.place[measure, None]]
                return divide(target - totals[:, self.place[measure, key]], target)

            return statistic(change)

        found = estimate_from_sums(of_totals, self.sums, n=len(self.sums), kind="unbounded", strata=self.strata)
        if found.low is not None and np.unique(self.strata, return_counts=True)[1].min() < least:
            return replace(found, low=None, high=None, undefined=f"fewer than {least} items a measure")
        return found


def mean_change(changes: Changes, key: CellKey, measures: Sequence[str]) -> FloatArray:
    """The mean of a cell's changes over measures, shape (rows,)."""
    total: FloatArray = np.mean([changes(key, measure) for measure in measures], axis=0)
    return total
