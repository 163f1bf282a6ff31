"""The paper's models beside the run: Appendix A as printed, its means over models, and what keeps the two apart."""

from collections.abc import Mapping

from forgetscope.benchmarks.visual.data.axes import Level
from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, Condition
from forgetscope.benchmarks.visual.metrics.study import Selection, VisualStudy
from forgetscope.benchmarks.visual.plan import VisualSettings
from forgetscope.benchmarks.visual.report.appendix import (
    DATASET_LEVELS,
    forget_bars,
    printed_rows,
    retain_bars,
    rows_of,
)
from forgetscope.benchmarks.visual.report.names import condition_name, setting_name
from forgetscope.benchmarks.visual.report.published_figures import published_charts
from forgetscope.findings.figures import Cell, Column, Finding, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted
from forgetscope.findings.published import published_table

Row = dict[str, Cell | Interval]
_RETAINED = (Condition.BASELINE_NORMAL, Condition.UNLEARN_SOFT, Condition.UNLEARN_MEDIUM)
_COLUMNS = (
    *(Column(f"forget {name.value}", f"forget, {condition_name(name.value)}", "percent") for name in PAPER_CONDITIONS),
    *(Column(f"retain {name.value}", f"retain, {condition_name(name.value)}", "percent") for name in _RETAINED),
)


def published_section(study: VisualStudy, index: FigureIndex) -> Section:
    """Caveats first, then levels with the paper's means and the run's splits, the paper's figures, Appendix A."""
    return Section(
        "Beside the paper",
        (
            *(Finding(text, "warning") for text in caveats(study.settings)),
            beside_table(study, index),
            *published_charts(),
            appendix_table(),
        ),
        intro="The paper's figures are as printed and not corrected; the audit page lists where they disagree with "
        "themselves. The run's intervals are ours.",
        slug="published",
    )


def caveats(settings: VisualSettings) -> tuple[str, ...]:
    """Why the run's figures and the paper's are not of the same thing."""
    first = (
        "This run used embedded drawings, made for this project: compare shapes, not levels."
        if settings.data == "embedded"
        else "The authors' draws cannot be reproduced: concepts, pictures and distractors are others of the same kind."
    )
    without = published_table("visual_table1_splits").height - len(DATASET_LEVELS)
    found = [
        first,
        "The printed COCO figures are multiples of 1/800 and those of Logo-2K+ of 1/50; Table 1 gives 1,000 and 10 "
        "items.",
        f"{without} of Table 1's thirteen splits have no published figure: COCO balanced by supercategory, LAD Color "
        "(black), LAD Shape, LAD Size (big), LAD Behaviour (swim).",
        "The printed retain figures of the oracle conditions are the baseline's and are not repeated here.",
        "The paper counts a reply without a digit as wrong; the run's accuracies leave it out and count it.",
    ]
    if settings.limit is not None:
        found.append(f"The run was limited to {counted(settings.limit, 'item')} of each side of a split.")
    return tuple(found)


def beside_table(study: VisualStudy, index: FigureIndex) -> Table:
    """For each level the paper's datasets, as means over models, and the splits of this run."""
    forget, retain = forget_bars(), retain_bars()
    levels = dict(study.frame.select("split", "level").unique().sort("split").iter_rows())
    rows: list[Row] = []
    for level in Level:
        for dataset in (name for name, its in DATASET_LEVELS.items() if its is level):
            who = f"{dataset}, mean of {len(rows_of(dataset))} models"
            rows.append({"level": level.value, "who": who, **_printed(forget[dataset], retain[dataset])})
        for split in (name for name, its in levels.items() if its == level.value):
            for mode in study.modes:
                who = f"this run: {setting_name(split, mode)}"
                rows.append({"level": level.value, "who": who, **_of_run(index, split, mode)})
    return Table(
        "Levels beside the paper",
        (Column("level", "level"), Column("who", "whose"), *_COLUMNS),
        tuple(rows),
        note="Forget: mean over concepts. Retain: over items.",
        slug="published-levels",
    )


def appendix_table() -> Table:
    """Appendix A, one row for a model on a dataset."""
    rows: list[Row] = [
        {"dataset": row.dataset, "model": row.model, **_printed(row.forget, row.retain)} for row in printed_rows()
    ]
    return Table(
        "Appendix A as printed",
        (Column("dataset", "dataset"), Column("model", "model"), *_COLUMNS),
        tuple(rows),
        slug="published-appendix-a",
        folded=True,
    )


def _printed(forget: Mapping[Condition, float], retain: Mapping[Condition, float]) -> Row:
    return {
        **{f"forget {name.value}": forget[name] for name in PAPER_CONDITIONS},
        **{f"retain {name.value}": retain[name] for name in _RETAINED},
    }


def _of_run(index: FigureIndex, split: str, mode: str) -> Row:
    factors = {name: Selection(split, mode, name).factors for name in PAPER_CONDITIONS}
    return {
        **{f"forget {name.value}": index.interval("forget.macro", **factors[name]) for name in PAPER_CONDITIONS},
        **{f"retain {name.value}": index.interval("retain", **factors[name]) for name in _RETAINED},
    }
