"""Residue under each suppression text, and after permission: against the same question without the picture.

Protocols, section 5: told is the baseline, deleted the text, never told the same condition with the picture withheld.
Texts that name the answer have no residue. Pictures are the items.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, Condition, Control
from forgetscope.benchmarks.visual.metrics.study import LEFT_OUT, SCORED, Selection, VisualStudy
from forgetscope.findings.figures import Figure
from forgetscope.findings.residue import Circumstances, read_residue, residue_figures, unscored_shares
from forgetscope.stats.residue import Arms

DELETED = tuple(name for name, info in CONDITIONS.items() if info.names == "forget_list")
"""The conditions that ask for the concepts of the list not to be used, and those that allow them again."""


def visual_residues(study: VisualStudy) -> Iterator[Figure]:
    """The residue of every split, mode and condition that was asked with and without the picture."""
    for split in study.splits:
        for mode in study.modes:
            for condition in study.conditions(split, mode):
                if condition in DELETED:
                    yield from _residue(study, Selection(split, mode), condition)


def _residue(study: VisualStudy, baseline: Selection, condition: Condition) -> Iterator[Figure]:
    deleted = replace(baseline, condition=condition)
    selections = {
        "told": baseline,
        "deleted": deleted,
        "never_told": replace(baseline, control=Control.NO_IMAGE),
        "never_deleted": replace(deleted, control=Control.NO_IMAGE),
    }
    frames = {name: study.select(selection) for name, selection in selections.items()}
    if any(frame.is_empty() for frame in frames.values()):
        return
    scores = {name: _by_picture(frame) for name, frame in frames.items()}
    pictures = sorted(set.intersection(*(set(found) for found in scores.values())))
    arms = Arms(**{name: np.array([found[picture] for picture in pictures]) for name, found in scores.items()})
    around = Circumstances(
        {name: unscored_shares(frame.filter(~LEFT_OUT)["status"].to_list()) for name, frame in frames.items()},
        control_told=_retained(study, replace(baseline, side="retain")),
        control_deleted=_retained(study, replace(deleted, side="retain")),
    )
    factors = {"part": "visual", "probe": deleted.probe.value, "split": baseline.split, "mode": baseline.mode}
    asked = frames["told"]["picture"].n_unique()
    yield from residue_figures(
        {**factors, "condition": condition.value}, arms, read_residue(arms, around), excluded=asked - len(pictures)
    )


def _by_picture(frame: pl.DataFrame) -> dict[str, float]:
    """The share of a picture's scored questions that were answered rightly."""
    scored = frame.filter(SCORED & ~LEFT_OUT).with_columns(right=(pl.col("status") == "correct").cast(pl.Float64))
    return dict(scored.group_by("picture").agg(pl.col("right").mean()).iter_rows())


def _retained(study: VisualStudy, selection: Selection) -> float | None:
    """Accuracy on the retain side; None where it was not asked."""
    values = study.outcomes(selection).values
    return float(values.mean()) if len(values) else None
