"""The checks of Appendix A against Table 1: which numbers of items fit the printed figures."""

from collections.abc import Iterable

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, Condition
from forgetscope.benchmarks.visual.report.appendix import DATASET_LEVELS, printed_rows, rows_of
from forgetscope.findings.published import published_table
from tools.paper_audits.rounding import HALF_A_HUNDREDTH, counts_for

OF_ROUNDED_CLASSES = 2 * HALF_A_HUNDREDTH
"""How far a mean of class accuracies rounded to four decimals, rounded again, may lie from its value, in percent."""

FORGET_ITEMS = {
    "COCO": 800,
    "MIT Indoor67": 300,
    "AID": 250,
    "LAD-Color": 300,
    "LAD-Habitat": 150,
    "SpatialMQA": 150,
    "Celebrity": 150,
    "Logo2K+": 50,
}
"""Forget items that a dataset's printed figures fit. Table 1 gives COCO 1,000 and Logo-2K+ 10; the rest agree."""

TABLE_1_NAMES = {
    "COCO": "COCO",
    "MIT Indoor67": "MIT Indoor-67",
    "AID": "AID",
    "LAD-Color": "LAD Color",
    "LAD-Habitat": "LAD Habitat",
    "SpatialMQA": "SpatialMQA",
    "Celebrity": "Celebrity Faces",
    "Logo2K+": "Logo-2K+",
}
"""Datasets of Appendix A by the name Table 1 gives their `random_k` split."""


def designed(dataset: str) -> tuple[int, int]:
    """Forget and retain test items of a dataset after Table 1."""
    for row in published_table("visual_table1_splits").iter_rows(named=True):
        if row["dataset"] == TABLE_1_NAMES[dataset] and row["split_mode"] == "random_k":
            return row["k"] * row["test_per_forget_class"], row["retain_test"]
    raise KeyError(dataset)


def fit(values: Iterable[float], n: int, half_unit: float = HALF_A_HUNDREDTH) -> tuple[int, int]:
    """How many of the accuracies are a whole number of n, and of how many."""
    listed = list(values)
    return sum(bool(counts_for(100 * value, [n], half_unit)) for value in listed), len(listed)


def forget_values(dataset: str) -> list[float]:
    """All printed forget accuracies of a dataset."""
    return [value for row in rows_of(dataset) for value in row.forget.values()]


def retain_values(dataset: str) -> list[float]:
    """All printed retain accuracies of a dataset."""
    return [value for row in rows_of(dataset) for value in row.retain.values()]


def forget_sizes() -> AuditEntry:
    """Sizes of the forget side."""
    apart = []
    for name in DATASET_LEVELS:
        n, _ = designed(name)
        fitting, total = fit(forget_values(name), n, OF_ROUNDED_CLASSES)
        better, _ = fit(forget_values(name), FORGET_ITEMS[name], OF_ROUNDED_CLASSES)
        if fitting < total:
            apart.append(f"{name} {fitting} of {total} with {n:,} items, {better} of {total} with {FORGET_ITEMS[name]}")
    return AuditEntry(
        "Forget sets have Table 1's sizes (K times the items of a class)",
        "Table 1, Appendix A",
        f"{len(DATASET_LEVELS)} datasets",
        f"{len(DATASET_LEVELS) - len(apart)} of {len(DATASET_LEVELS)} fit; not: {'; '.join(apart)}",
        not apart,
        "With classes of one size the macro-average is a share of all items. COCO's figures are multiples of 1/800, "
        "Logo-2K+'s of 1/50.",
        "test_forget_figures_fit_table_1_except_for_coco_and_logos",
    )


def rounded_classes() -> AuditEntry:
    """Digits that a mean of unrounded class accuracies cannot print."""
    off = [
        (row, condition)
        for row in printed_rows()
        for condition, value in row.forget.items()
        if not counts_for(100 * value, [FORGET_ITEMS[row.dataset]], HALF_A_HUNDREDTH)
    ]
    total = len(PAPER_CONDITIONS) * len(printed_rows())
    listed = ", ".join(f"{row.model} on {row.dataset} {row.forget[condition]:.4f}" for row, condition in off)
    return AuditEntry(
        "The macro-average is the mean of the class accuracies",
        "Equation 2, Appendix A",
        f"{total} cells with four decimals",
        f"{total - len(off)} of {total} are a whole number of items to the printed digit",
        not off,
        f"One in the last digit apart: {listed}. Means of class accuracies that were rounded to four decimals first "
        "print so. Ours are not rounded.",
        "test_five_cells_are_one_in_the_last_digit_apart",
    )


def retain_sizes() -> AuditEntry:
    """Sizes of the retain side."""
    fitting = [name for name in DATASET_LEVELS if len({*fit(retain_values(name), designed(name)[1])}) == 1]
    return AuditEntry(
        "Retain test sets have Table 1's sizes",
        "Table 1, Appendix A",
        f"{len(DATASET_LEVELS)} datasets",
        f"{len(fitting)} of {len(DATASET_LEVELS)} fit in every cell",
        len(fitting) == len(DATASET_LEVELS),
        "",
        "test_retain_figures_fit_table_1",
    )


def splits_with_figures() -> AuditEntry:
    """How many of the thirteen splits have a published figure."""
    splits = published_table("visual_table1_splits").height
    return AuditEntry(
        "All splits of Table 1 have results",
        "Table 1, Appendix A",
        f"{splits} splits",
        f"{len(DATASET_LEVELS)} have figures",
        False,
        "None are printed for COCO balanced by supercategory, LAD Color (black), LAD Shape, LAD Size (big) and LAD "
        "Behaviour (swim).",
        "test_five_of_thirteen_splits_have_no_figures",
    )


def oracle_retain() -> AuditEntry:
    """Retain figures of the oracle conditions."""
    same = sum(
        row.retain[condition] == row.retain[Condition.BASELINE_NORMAL]
        for row in printed_rows()
        for condition in (Condition.ORACLE_HARD, Condition.ORACLE_REVERSE)
    )
    total = 2 * len(printed_rows())
    return AuditEntry(
        "Oracle conditions are asked on the forget side only",
        "Table 2, Appendix A",
        "forget side only",
        f"{same} of {total} retain figures are the baseline's",
        same == total,
        "Figure 3(b)'s oracle bars and Figure 4's oracle points therefore show no effect of an oracle on retained "
        "concepts.",
        "test_oracle_conditions_repeat_the_baselines_retain_figure",
    )


CHECKS = (forget_sizes, rounded_classes, retain_sizes, splits_with_figures, oracle_retain)
