"""What the paper lacks: does the picture do it, does naming anything do it, and is it still there behind the text?

*Access* is accuracy with the picture minus accuracy on the same items under the same text without it: zero means that
the picture gives the model nothing, whatever the text does. *Placebo* asks with a list of other concepts; *wrong
oracle* names a distractor; *permission restored* lists the concepts and allows them again.
"""

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from forgetscope.benchmarks.visual.data.conditions import Condition, Control
from forgetscope.benchmarks.visual.metrics.accuracy import micro, paired_change
from forgetscope.benchmarks.visual.metrics.study import LEFT_OUT, Selection, VisualStudy, outcomes_of
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import figure, plain
from forgetscope.stats import clustered_mean

_C = Condition
COMPARED = (
    ("placebo.effect", _C.PLACEBO_SOFT, _C.BASELINE_NORMAL, "placebo list - baseline: what any list does"),
    ("placebo.effect", _C.PLACEBO_MEDIUM, _C.BASELINE_NORMAL, "placebo list - baseline: what any list does"),
    ("suppression.beyond_placebo", _C.UNLEARN_SOFT, _C.PLACEBO_SOFT, "suppression - placebo list"),
    ("suppression.beyond_placebo", _C.UNLEARN_MEDIUM, _C.PLACEBO_MEDIUM, "suppression - placebo list"),
    ("permission.gap", _C.RESTORED_SOFT, _C.BASELINE_NORMAL, "permission restored - baseline; 0 = access is back"),
    ("permission.gap", _C.RESTORED_MEDIUM, _C.BASELINE_NORMAL, "permission restored - baseline; 0 = access is back"),
    ("oracle.beyond_wrong", _C.ORACLE_HARD, _C.WRONG_ORACLE_HARD, "oracle - oracle that names a distractor"),
    ("oracle.beyond_wrong", _C.ORACLE_REVERSE, _C.WRONG_ORACLE_REVERSE, "oracle - oracle that names a distractor"),
)


def correction_figures(study: VisualStudy) -> Iterator[Figure]:
    """Access per condition, grounding controls, and the comparisons above, for every split and mode."""
    for split in study.splits:
        for mode in study.modes:
            run = study.conditions(split, mode)
            for condition in run:
                yield from access_figures(study, Selection(split, mode, condition))
            for name, condition, against, what in COMPARED:
                if condition in run and against in run:
                    selection = Selection(split, mode, condition)
                    here, there = (
                        outcomes_of(study.select(replace(selection, condition=chosen)))
                        for chosen in (condition, against)
                    )
                    factors = {**selection.factors, "against": against.value}
                    change = paired_change(here, there, by_concept=True)
                    yield figure(name, factors, change, unit="points", label=what)


def access_figures(study: VisualStudy, selection: Selection) -> Iterator[Figure]:
    """Accuracy without the picture, with another's, with the options alone; access where the first was run."""
    here = outcomes_of(study.select(selection))
    for side in ("forget", "retain"):
        for control in Control:
            if control is Control.NONE:
                continue
            other = replace(selection, control=control, side=side)
            frame = study.select(other)
            if frame.is_empty():
                continue
            found = outcomes_of(frame)
            name = f"control.{side}"
            yield figure(
                name,
                other.factors,
                micro(found),
                excluded=found.excluded,
                label=f"accuracy over items; guessing gives {100 * (found.mean_chance or 0):.0f}%",
                note=f"{found.no_permitted_choice} without a permitted choice left out"
                if found.no_permitted_choice
                else "",
            )
            if control is Control.NO_IMAGE and side == "forget":
                access = paired_change(here, found, by_concept=True)
                yield figure(
                    "access", selection.factors, access, unit="points", label="with the picture - without it, same text"
                )


def agreement_over_variants(study: VisualStudy) -> Iterator[Figure]:
    """Generalisation, the paper's third property: does what is found on one picture hold on the others?

    Over pictures: the chance that two pictures of a concept, drawn at random, are both right or both wrong; beside it
    that of pictures of two concepts, which is what accuracy alone gives. Over phrasings and orders of options: the
    share of items whose outcome is the same in every variant asked, and of those right at baseline that are wrong in
    every one.
    """
    effect = study.frame.filter(
        (pl.col("role") == "effect")
        & (pl.col("side") == "forget")
        & (pl.col("probe") == "choice")
        & (pl.col("control") == Control.NONE.value)
        & pl.col("status").is_in(["correct", "incorrect"])
        & ~LEFT_OUT
    ).with_columns(right=(pl.col("status") == "correct").cast(pl.Float64))
    plainly = effect.filter((pl.col("phrasing") == 0) & (pl.col("order") == 0))
    known = plainly.filter((pl.col("condition") == _C.BASELINE_NORMAL.value) & (pl.col("right") == 1))
    for (split, mode, condition), part in sorted(
        effect.partition_by("split", "mode", "condition", as_dict=True).items(), key=str
    ):
        factors = {"split": str(split), "mode": str(mode), "condition": str(condition)}
        of = (pl.col("split") == split) & (pl.col("mode") == mode)
        yield from _picture_agreement(plainly.filter(of & (pl.col("condition") == condition)), factors)
        yield from _variant_agreement(part, known.filter(of)["item"].to_list(), factors)


def _variant_agreement(frame: pl.DataFrame, known: list[str], factors: dict[str, str]) -> Iterator[Figure]:
    """Over the variants of an item; `known` are the items right at baseline."""
    varied = frame.group_by("item", "picture").agg(
        pl.len().alias("asked"), pl.col("right").min().alias("least"), pl.col("right").max().alias("most")
    )
    varied = varied.filter(pl.col("asked") > 1).sort("item")
    for name, rows, outcome, what in (
        ("variants", varied, pl.col("least") == pl.col("most"), "items with one outcome in all phrasings and orders"),
        (
            "held",
            varied.filter(pl.col("item").is_in(known)),
            pl.col("most") == 0,
            "items right at baseline that are wrong in all phrasings and orders",
        ),
    ):
        if not rows.height or (name == "held" and factors["condition"] == _C.BASELINE_NORMAL.value):
            continue
        values = rows.select(outcome.cast(pl.Float64)).to_series().to_numpy()
        full = f"generalisation.{name}"
        estimate = clustered_mean(values, rows["picture"].to_list())
        yield figure(full, factors, estimate, label=what)


def _picture_agreement(frame: pl.DataFrame, factors: dict[str, str]) -> Iterator[Figure]:
    """Pairs of items of two pictures: of one concept, and of two concepts."""
    sums = [pl.len().alias("n"), pl.col("right").sum().alias("k")]
    alike = [
        (pl.col("k") * (pl.col("k") - 1) + (pl.col("n") - pl.col("k")) * (pl.col("n") - pl.col("k") - 1)).alias("same"),
        (pl.col("n") * (pl.col("n") - 1)).alias("pairs"),
    ]
    pictures = frame.group_by("forget_concept", "picture").agg(sums).with_columns(alike)
    within = pictures.group_by("forget_concept").agg(pl.col("same", "pairs").sum().name.suffix("_one_picture"))
    concepts = frame.group_by("forget_concept").agg(sums).with_columns(alike).join(within, on="forget_concept")
    same, pairs = pl.col("same") - pl.col("same_one_picture"), pl.col("pairs") - pl.col("pairs_one_picture")
    rows = concepts.with_columns(same=same, pairs=pairs).filter(pl.col("pairs") > 0).sort("forget_concept")
    if rows.is_empty():
        return
    estimate = clustered_mean(
        (rows["same"] / rows["pairs"]).to_numpy(),
        rows["forget_concept"].to_list(),
    )
    yield figure(
        "generalisation.pictures",
        factors,
        estimate,
        label="two pictures of a concept both right or both wrong; concepts as the units",
    )
    n, k = float(concepts["n"].sum()), float(concepts["k"].sum())
    own = concepts.select(alike).sum()
    others = n * (n - 1) - own["pairs"][0]
    yield plain(
        "generalisation.other_concepts",
        factors,
        (k * (k - 1) + (n - k) * (n - k - 1) - own["same"][0]) / others if others else None,
        int(n),
        unit="proportion",
        method="items of two concepts both right or both wrong",
        note="" if others else "one concept",
    )
