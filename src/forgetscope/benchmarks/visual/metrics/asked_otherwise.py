"""The same items asked in other ways: in own words, by options that describe, in other wordings, in other orders.

Accuracy over forget items, each way beside the plain question on the very items that were asked both ways. Of a short
answer and an indirect question there is no accuracy without the picture under a suppression; under the baseline it is
the guessing to beat.
"""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.visual.data.conditions import SUPPRESSIONS, Condition, Control, VisualProbe
from forgetscope.benchmarks.visual.metrics.accuracy import micro
from forgetscope.benchmarks.visual.metrics.study import VisualStudy, outcomes_of
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure

CONDITIONS_ASKED = (Condition.BASELINE_NORMAL, *SUPPRESSIONS)
PLAINLY = "plainly"
_CHOICE = pl.col("probe") == VisualProbe.CHOICE.value
WAYS: dict[str, pl.Expr] = {
    VisualProbe.SHORT_ANSWER.value: pl.col("probe") == VisualProbe.SHORT_ANSWER.value,
    VisualProbe.INDIRECT.value: pl.col("probe") == VisualProbe.INDIRECT.value,
    "rephrased": _CHOICE & (pl.col("phrasing") > 0),
    "reordered": _CHOICE & (pl.col("order") > 0),
}
"""Ways of asking, and which samples are asked so."""


def asked_otherwise_figures(study: VisualStudy) -> Iterator[Figure]:
    """`asked.forget` for every split, mode, condition and way, with `asked.plainly` on the same items.

    Factors: split, mode, condition, asked; and control, where the picture was left out.
    """
    effect = study.frame.filter((pl.col("role") == "effect") & (pl.col("side") == "forget"))
    for split in study.splits:
        for mode in study.modes:
            asked_of = effect.filter((pl.col("split") == split) & (pl.col("mode") == mode))
            for condition in CONDITIONS_ASKED:
                rows = asked_of.filter(pl.col("condition") == condition.value)
                for way, chosen in WAYS.items():
                    factors: dict[str, Cell] = {
                        "split": split,
                        "mode": mode,
                        "condition": condition.value,
                        "asked": way,
                    }
                    yield from _way(rows, chosen, factors)


def _way(rows: pl.DataFrame, chosen: pl.Expr, factors: dict[str, Cell]) -> Iterator[Figure]:
    seen = pl.col("control") == Control.NONE.value
    so = rows.filter(chosen & seen)
    if so.is_empty():
        return
    plainly = rows.filter(_CHOICE & seen & (pl.col("phrasing") == 0) & (pl.col("order") == 0))
    both = plainly.filter(pl.col("item").is_in(so["item"].unique().to_list()))
    blind = rows.filter(chosen & (pl.col("control") == Control.NO_IMAGE.value))
    for name, frame, own in (
        ("asked.forget", so, factors),
        ("asked.plainly", both, factors),
        ("asked.forget", blind, {**factors, "control": Control.NO_IMAGE.value}),
    ):
        if frame.is_empty():
            continue
        found = outcomes_of(frame)
        yield figure(name, own, micro(found), excluded=found.excluded, label="accuracy over forget items")
