"""The figures of a level, of an axis with several splits, and of the whole run: means over all their forget concepts.

A concept of two splits counts in each, as do its pictures. What the paper draws in Figure 3(c) is a mean over datasets;
this is one over concepts, so that a split weighs as much as it has concepts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from forgetscope.benchmarks.visual.data.axes import AXES, Level
from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, SUPPRESSIONS, Condition, Control
from forgetscope.benchmarks.visual.metrics.accuracy import macro, micro, paired_change, paired_test
from forgetscope.benchmarks.visual.metrics.study import Selection, VisualStudy
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure

ALL = "all"
_BASE = Condition.BASELINE_NORMAL


@dataclass(frozen=True)
class PooledGroup:
    """Splits whose concepts are taken together.

    Attributes:
        by: `level`, `axis`, or `all`.
        name: Of the level or axis; `all` for the whole run.
        study: Their samples as if they were one split.
    """

    by: str
    name: str
    splits: tuple[str, ...]
    study: VisualStudy

    def factors(self, mode: str, condition: Condition) -> dict[str, Cell]:
        """The factors of its figures."""
        return {"by": self.by, "group": self.name, "mode": mode, "condition": condition.value}


def groups(study: VisualStudy) -> tuple[PooledGroup, ...]:
    """Levels and axes of the run in their order (axes that are not ours by name), then the whole run."""
    others = sorted(set(study.frame["axis"].unique()) - set(AXES))
    wanted = [
        *(("level", level.value, pl.col("level") == level.value) for level in Level),
        *(("axis", axis, pl.col("axis") == axis) for axis in (*AXES, *others)),
        ("all", ALL, pl.lit(value=True)),
    ]
    found = []
    for by, name, rows in wanted:
        part = study.frame.filter(rows)
        if part.height:
            splits = tuple(part["split"].unique().sort())
            found.append(PooledGroup(by, name, splits, VisualStudy(_as_one_split(part), study.settings)))
    return tuple(found)


def _as_one_split(frame: pl.DataFrame) -> pl.DataFrame:
    """The samples with concepts, items and pictures told apart by their split."""
    told = [
        pl.concat_str([pl.col("split"), pl.lit("/"), pl.col(name)]).alias(name)
        for name in ("forget_concept", "item", "picture")
    ]
    return frame.with_columns(told).with_columns(split=pl.lit(ALL))


def pooled_figures(study: VisualStudy) -> Iterator[Figure]:
    """Accuracy, change, access and restored permission of every group, per mode and condition."""
    for group in groups(study):
        for mode in group.study.modes:
            for condition in group.study.conditions(ALL, mode):
                yield from _figures(group, mode, condition)


def _figures(group: PooledGroup, mode: str, condition: Condition) -> Iterator[Figure]:
    study, factors = group.study, group.factors(mode, condition)
    forget = Selection(ALL, mode, condition)
    found, before = study.outcomes(forget), study.outcomes(replace(forget, condition=_BASE))
    yield figure(
        "pooled.forget.macro",
        factors,
        macro(found),
        excluded=found.excluded,
        label="mean over concepts of accuracy",
    )
    if condition is not _BASE:
        change = paired_change(found, before, by_concept=True)
        tested = paired_test(study, "pooled.forget.change", factors, found, before)
        label = "condition - baseline, same items"
        yield figure("pooled.forget.change", factors, change, unit="points", label=label, tested=tested)
    blind = study.outcomes(replace(forget, control=Control.NO_IMAGE))
    if len(blind.items):
        access = paired_change(found, blind, by_concept=True)
        tested = paired_test(study, "pooled.access", factors, found, blind)
        label = "with the picture - without it, same text"
        yield figure("pooled.access", factors, access, unit="points", label=label, tested=tested)
        yield figure(
            "pooled.forget.blind",
            factors,
            macro(blind),
            excluded=blind.excluded,
            label="mean over concepts of accuracy without the picture",
        )
    if "retain" in CONDITIONS[condition].sides:
        yield from _retained(group, mode, condition)


def _retained(group: PooledGroup, mode: str, condition: Condition) -> Iterator[Figure]:
    study, factors = group.study, group.factors(mode, condition)
    selection = Selection(ALL, mode, condition, "retain")
    found = study.outcomes(selection)
    yield figure(
        "pooled.retain",
        factors,
        micro(found),
        excluded=found.excluded,
        label="accuracy over items",
    )
    if condition in SUPPRESSIONS:
        before = study.outcomes(replace(selection, condition=_BASE))
        change = paired_change(found, before, by_concept=False)
        tested = paired_test(study, "pooled.retain.change", factors, found, before)
        label = "condition - baseline, same items"
        yield figure("pooled.retain.change", factors, change, unit="points", label=label, tested=tested)
