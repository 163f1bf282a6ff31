"""The paper's models beside the run: Appendix A and Figures 3 to 5 as printed, and what keeps the two apart."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from forgetscope.benchmarks.visual.data.axes import Level
from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, Condition, Mode
from forgetscope.benchmarks.visual.data.loading import EMBEDDED
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.report.appendix import DATASET_LEVELS, printed_figures, printed_rows, rows_of
from forgetscope.benchmarks.visual.report.names import condition_name, setting_name
from forgetscope.benchmarks.visual.report.over_models import trade_off
from forgetscope.benchmarks.visual.report.suppression import MOST_SAID
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.findings.beside_paper import Ours, PrintedTable, beside_paper_section
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Column, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, said, signed, turned
from forgetscope.findings.published import published_table
from forgetscope.findings.tables import Factors, Shown, either, label, rate, table, value

_COLUMNS = (
    *(("forget", "forget.macro", name) for name in PAPER_CONDITIONS),
    *(
        ("retain", "retain", name)
        for name in (Condition.BASELINE_NORMAL, Condition.UNLEARN_SOFT, Condition.UNLEARN_MEDIUM)
    ),
)
"""Side, the run's figure, condition: what Appendix A prints of each model."""

DATASET_SPLITS = {
    "COCO": "coco-random-10",
    "MIT Indoor67": "indoor67-random-10",
    "AID": "aid-random-5",
    "LAD-Color": "lad-color-random-3",
    "LAD-Habitat": "lad-habitat-random-3",
    "SpatialMQA": "spatialmqa-random-3",
    "Celebrity": "celebrity-random-5",
    "Logo2K+": "logo2k-random-10",
}
"""Datasets of Appendix A, and the split of Table 1 that each is taken to be of: the paper does not say which."""


def _ours(row: Factors) -> Sequence[Ours]:
    """The paper's reading of a run on the split of a dataset: a reply without a digit is wrong."""
    split = DATASET_SPLITS[str(row["dataset"])]
    names = {"forget": "paper.forget.macro", "retain": "paper.retain"}
    return [
        (names[side], {"split": split, "mode": Mode.GENERATE.value, "condition": name.value})
        for side, _, name in _COLUMNS
    ]


def _appendix() -> pl.DataFrame:
    """A row for a dataset and model, a column for a side and condition, in percent."""
    return pl.DataFrame(
        [
            {
                "dataset": row.dataset,
                "model": row.model,
                **{
                    f"{side} {name}": 100 * (row.forget if side == "forget" else row.retain)[name]
                    for side, _, name in _COLUMNS
                },
            }
            for row in printed_rows()
        ]
    )


PRINTED = (
    PrintedTable(
        "Appendix A",
        "published-appendix-a",
        _appendix(),
        tuple(
            Column(f"{side} {name}", f"{side.capitalize()}, {condition_name(name)}", "percent")
            for side, _, name in _COLUMNS
        ),
        _ours,
        rows=("dataset",),
        labels=(label("Dataset", "dataset"),),
        is_by_model=True,
        note="Forget: mean over concepts. Retain: over items. The oracles have no own retain side. Which split "
        "of Table 1 a dataset is of is not said: LAD's figures fit the sizes of three concepts drawn (300, 150 items), "
        "not those of one named; of COCO's two the one drawn at random is taken.",
        folded=True,
    ),
)


def published_section(study: VisualStudy, index: FigureIndex) -> Section:
    """Caveats first, then levels with the paper's means and the run's splits, the paper's figures, Appendix A."""
    printed = FigureIndex(printed_figures())
    both = FigureIndex([*printed, *index])
    appendix = PRINTED[0].beside(index) or appendix_table(printed)
    blocks: list[Table | Chart] = [beside_table(study, both), *published_charts(printed), appendix]
    return beside_paper_section(index, caveats(study.settings), blocks)


def caveats(settings: VisualSettings) -> Iterator[str]:
    """Why the run's figures and the paper's are not of the same thing."""
    if settings.data == EMBEDDED:
        yield "this run used embedded drawings, made for this project: compare shapes, not levels"
    else:
        yield "the authors' draws cannot be reproduced: concepts, pictures and distractors are others of the same kind"
    without = published_table("visual_table1_splits").height - len(DATASET_LEVELS)
    yield (
        "the printed COCO figures are multiples of 1/800 and those of Logo-2K+ of 1/50; Table 1 gives 1,000 and 10 "
        "items"
    )
    yield (
        f"{without} of Table 1's thirteen splits have no published figure: COCO balanced by supercategory, LAD Color "
        "(black), LAD Shape, LAD Size (big), LAD Behaviour (swim)"
    )
    yield "the printed retain figures of the oracle conditions are the baseline's and are not repeated here"
    yield "the paper counts a reply without a digit as wrong; the run's accuracies leave it out and count it"
    if settings.limit is not None:
        yield f"the run was limited to {counted(settings.limit, 'item')} of each side of a split"


def _printed(side: str, condition: Condition) -> Shown:
    return value(f"{side}, {condition_name(condition)}", f"printed.{side}", "percent", condition=condition)


def beside_table(study: VisualStudy, index: FigureIndex) -> Table:
    """For each level the paper's datasets, as means over models, and the splits of this run."""
    levels = {name: level.value for name, level in DATASET_LEVELS.items()}
    levels |= dict(study.frame.select("split", "level").unique().sort("split").iter_rows())
    datasets: list[Factors] = [{"dataset": name} for name in DATASET_LEVELS]
    splits: list[Factors] = [{"split": split, "mode": mode} for split in study.splits for mode in study.modes]

    def level_of(row: Factors) -> str:
        return levels[str(row.get("dataset") or row["split"])]

    def whose(row: Factors) -> str:
        if "dataset" not in row:
            return f"this run: {setting_name(str(row['split']), str(row['mode']))}"
        return f"{row['dataset']}, mean of {len(rows_of(str(row['dataset'])))} models"

    rows = [row for level in Level for row in (*datasets, *splits) if level_of(row) == level]
    columns = [
        either(_printed(side, condition), rate("", figure, condition=condition)) for side, figure, condition in _COLUMNS
    ]
    return table(
        index,
        "Levels beside the paper",
        rows,
        [label("level", level_of), label("whose", whose), *columns],
        note="Forget: mean over concepts. Retain: over items.",
        slug="published-levels",
    )


def appendix_table(printed: FigureIndex) -> Table:
    """Appendix A, one row for a model on a dataset."""
    return table(
        printed,
        "Appendix A as printed",
        [{"dataset": row.dataset, "model": row.model} for row in printed_rows()],
        [
            label("dataset", "dataset"),
            label("model", "model"),
            *(_printed(side, condition) for side, _, condition in _COLUMNS),
        ],
        slug="published-appendix-a",
        folded=True,
    )


def published_charts(printed: FigureIndex) -> tuple[Chart, ...]:
    """Figures 3(a) to 3(c), 4, 5(a) and 5(b); no intervals, for none are printed."""
    datasets = {name: {"dataset": name} for name in DATASET_LEVELS}
    levels = {level.value: {"level": level.value} for level in Level}
    return (
        _bars(printed, "Forget accuracy by dataset, mean over models", "3a", "forget", datasets),
        _bars(printed, "Retain accuracy by dataset, mean over models", "3b", "retain", datasets),
        _bars(printed, "Forget accuracy by level", "3c", "forget", levels),
        _trade_off(printed),
        _changes(printed, "5a", Condition.UNLEARN_SOFT),
        _changes(printed, "5b", Condition.ORACLE_HARD),
    )


def _bars(printed: FigureIndex, title: str, figure: str, side: str, over: dict[str, dict[str, str]]) -> Chart:
    return chart(
        printed,
        "bars",
        f"{title} (the paper's figure {figure})",
        over=over,
        lines=[line(condition_name(name), f"printed.{side}", condition=name) for name in PAPER_CONDITIONS],
        summary="{said}.",
        most=MOST_SAID,
        y_label="accuracy",
        slug=f"published-figure-{figure}",
    )


def _trade_off(printed: FigureIndex) -> Chart:
    """Figure 4: a point a model and dataset under each condition."""
    rows = printed_rows()

    def points(side: str, condition: Condition) -> tuple[Interval | None, ...]:
        return tuple(
            printed.interval(f"printed.{side}", dataset=row.dataset, model=row.model, condition=condition)
            for row in rows
        )

    names = tuple(f"{row.dataset}, {row.model}" for row in rows)
    return trade_off("published-figure-4", names, partial(points, "retain"), partial(points, "forget"))


def _changes(printed: FigureIndex, figure: str, condition: Condition) -> Chart:
    """Figure 5: the change of forget accuracy of every model on every dataset; a model that was not run has none."""
    models = tuple(dict.fromkeys(row.model for row in printed_rows()))
    made = chart(
        printed,
        "heatmap",
        f"Change of forget accuracy under {condition_name(condition)} (the paper's figure {figure})",
        over={name: {"dataset": name} for name in DATASET_LEVELS},
        lines=[line(model, "printed.forget.change", model=model, condition=condition) for model in models],
        summary="",
        unit="points",
        slug=f"published-figure-{figure}",
    )
    by_dataset = turned(made.series, made.categories)
    return replace(made, summary=f"{said(by_dataset, models, signed, MOST_SAID)}.")


def printed_tables() -> tuple[PrintedTable, ...]:
    """What the paper prints of models, with any run's figure of each value."""
    return PRINTED
