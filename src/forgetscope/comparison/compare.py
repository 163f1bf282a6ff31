"""A comparison from its runs: what matches, every difference, every changed sample."""

from collections.abc import Sequence
from dataclasses import dataclass

from forgetscope.comparison.changes import OutcomeChanges, sample_changes
from forgetscope.comparison.design import ComparisonDesign
from forgetscope.comparison.differences import DifferenceTable, difference_tables
from forgetscope.comparison.runs import ComparedRun, Matching, Mismatch, match, mismatches
from forgetscope.comparison.second_opinion import ConditionContrast, second_opinion

RUNS_ACROSS = 3
"""Runs from which claims across models are made: sets that are not told apart, correlations, the second opinion."""


@dataclass(frozen=True)
class Comparison:
    """Runs of one benchmark over the same samples.

    Attributes:
        mismatches: What keeps the runs apart beside their models.
        tables: Differences, a table for each breakdown of each measure.
        changes: What became of each sample from the first run to each other one.
        opinions: Of several runs, the claims across models by a mixed model.
    """

    design: ComparisonDesign
    runs: tuple[ComparedRun, ...]
    matching: Matching
    mismatches: tuple[Mismatch, ...]
    tables: tuple[DifferenceTable, ...]
    changes: tuple[OutcomeChanges, ...]
    opinions: tuple[ConditionContrast, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """What the runs are called."""
        return tuple(run.label for run in self.runs)

    @property
    def is_without_any_difference(self) -> bool:
        """Whether every reply and every figure is the same in all runs: a run compared with itself.

        That no verdict differs is less: where little could be scored, little could differ.
        """
        values = [row.estimate.value for table in self.tables for row in table.rows]
        same = all(entry.same_reply == len(entry.samples) and not entry.changed for entry in self.changes)
        return same and not any(values)


def compare(design: ComparisonDesign, runs: Sequence[ComparedRun]) -> Comparison:
    """Pair the runs and compute every difference the benchmark declares.

    Raises:
        SettingError: fewer than two runs, of several benchmarks, or over other data or prompt texts.
        RunFolderError: no sample in common, or none was sent alike.
    """
    matching = match(runs)
    return Comparison(
        design,
        tuple(runs),
        matching,
        mismatches(runs),
        difference_tables(design.measures, matching.tables),
        sample_changes(design.outcomes, matching.tables),
        second_opinion(design.outcomes, [run.label for run in runs], matching.tables)
        if len(runs) >= RUNS_ACROSS
        else (),
    )
