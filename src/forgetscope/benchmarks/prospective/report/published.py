"""The paper's models beside the run: Tables 1, 8, 3, 4, 12, 13, as printed, and what keeps the two apart."""

from typing import Literal

import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, Load
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import load_name
from forgetscope.findings.figures import Cell, Column, Finding, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent, text_column
from forgetscope.findings.published import published_table

MODELS = ("o4-mini", "DeepSeek-V3.1", "Llama-3.3-70B")
_STRICT = "compliance.strict.paper"
_TYPE_NAMES = {
    "number_highlighted_sections": "num_highlighted",
    "number_bullet_lists": "num_bullet_lists",
    "number_placeholders": "num_placeholders",
}
"""The paper's names in Table 13 where its Table 5, which the sample table follows, has others."""

Row = dict[str, Cell | Interval]


def published_section(study: ProspectiveStudy, index: FigureIndex) -> Section:
    """Caveats first, then each printed table with the run in the column beside the three models."""
    tables = [_table_1(index)]
    if study.loaded_conditions:
        tables.extend([_table_8(index), _table_3(index)])
    if not study.experiment("stacking").is_empty():
        tables.extend([_table_4(index), _table_12(index), _table_13(index)])
    return Section(
        "Beside the paper",
        (*caveats(study, index), *tables),
        intro="The paper's figures are as printed and not corrected; the audit page lists where they disagree with "
        "themselves. The run's intervals are ours.",
        slug="published",
    )


def caveats(study: ProspectiveStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """Why the run's figures and the paper's are not of the same thing."""
    settings = study.settings
    found = []
    if settings.data == "embedded":
        found.append("this run used the embedded data, written for this project: compare shapes, not levels")
    else:
        found.append("the paper's draws of items cannot be reproduced: the items are others from the same sets")
    found.append("connector and constraint wording are ours; the paper's templates are not printed in full")
    if settings.max_tokens != 2048:
        found.append(f"the token limit was {settings.max_tokens}, the paper's 2048")
    if settings.limit is not None:
        found.append(f"the run was limited to {settings.limit} items")
    cut = index.value("outcomes.share.truncated", experiment="all")
    if cut:
        found.append(f"{percent(cut)} of the replies were cut off")
    return tuple(Finding(text[0].upper() + text[1:] + ".", "warning") for text in found)


def _models(kind: Literal["percent", "points"]) -> tuple[Column, ...]:
    return tuple(Column(model, model, kind, "as printed") for model in MODELS)


def _printed(frame: pl.DataFrame, value: str, **keys: Cell) -> Row:
    """The printed figure of each model, as a proportion."""
    chosen = frame.filter(*(pl.col(name) == wanted for name, wanted in keys.items()))
    found = dict(chosen.select("model", value).iter_rows())
    return {model: None if found.get(model) is None else found[model] / 100 for model in MODELS}


def _table_1(index: FigureIndex) -> Table:
    printed = published_table("prospective_table1_compliance")
    rows: list[Row] = []
    for template, load in printed.select("template", "condition").unique(maintain_order=True).iter_rows():
        baseline = load == BASELINE
        condition = BASELINE if baseline else template
        rows.append(
            {
                "template": template,
                "load": "baseline" if baseline else load_name(load),
                "run": index.interval(_STRICT, condition=condition, load=Load.NONE.value if baseline else load),
                **_printed(printed, "compliance_percent", template=template, condition=load),
            }
        )
    return Table(
        "Table 1 beside this run: strict compliance",
        (
            text_column("template", "Template"),
            text_column("load", "Load"),
            Column("run", "This run", "percent"),
            *_models("percent"),
        ),
        tuple(rows),
        slug="published-table-1",
    )


def _table_8(index: FigureIndex) -> Table:
    printed = published_table("prospective_table8_statistics").filter(pl.col("condition") != BASELINE)
    rows: list[Row] = []
    for load in printed["condition"].unique(maintain_order=True):
        row: Row = {
            "load": load_name(load),
            "run": index.interval("delta.paper", condition="natural", load=load),
            "h": index.value("delta.cohens_h", condition="natural", load=load),
            **_printed(printed, "delta_percent", condition=load),
        }
        for model in MODELS:
            own = printed.filter((pl.col("condition") == load) & (pl.col("model") == model))
            row[f"h {model}"] = own["cohens_h"].item() if own.height else None
        rows.append(row)
    return Table(
        "Table 8 beside this run: delta (overall baseline - natural) and Cohen's h",
        (
            text_column("load", "Load"),
            Column("run", "This run", "points"),
            *_models("points"),
            Column("h", "h, this run", "number"),
            *(Column(f"h {model}", f"h, {model}", "number", "as printed") for model in MODELS),
        ),
        tuple(rows),
        slug="published-table-8",
    )


def _table_3(index: FigureIndex) -> Table:
    printed = published_table("prospective_table3_task_accuracy")
    rows: list[Row] = []
    for condition in printed["condition"].unique(maintain_order=True):
        if condition == "task_only_average":
            label = "task only, average"
            run = index.interval("task.accuracy.average", condition="task_only", scorer="paper")
        else:
            load = condition.removeprefix("reminder_").removesuffix("_rouge_l")
            summary = condition.endswith("_rouge_l")
            label = f"reminder + {load_name(load)}" + (" (ROUGE-L)" if summary else "")
            name = "task.rouge_l.paper" if summary else "task.accuracy.paper"
            run = index.interval(name, condition="reminder", load=load)
        rows.append({"condition": label, "run": run, **_printed(printed, "accuracy_percent", condition=condition)})
    return Table(
        "Table 3 beside this run: task accuracy, the paper's scorer",
        (text_column("condition", "Condition"), Column("run", "This run", "percent"), *_models("percent")),
        tuple(rows),
        note="The paper does not say which tasks its average holds; this run's holds every load that was run.",
        slug="published-table-3",
    )


def _table_4(index: FigureIndex) -> Table:
    return _joint(index, "prospective_table4_stacking", "constraints", "constraints", 4)


def _table_12(index: FigureIndex) -> Table:
    return _joint(index, "prospective_table12_stacking_load", "gsm8k_problems", "problems", 12)


def _joint(index: FigureIndex, source: str, column: str, axis: str, number: int) -> Table:
    printed = published_table(source)
    rows: list[Row] = []
    for level in printed[column].unique(maintain_order=True):
        factors: dict[str, Cell] = {"constraints": ALL, "problems": ALL, "trailing": ALL} | {axis: int(level)}
        rows.append(
            {
                "level": int(level),
                "run": index.interval("stacking.joint.strict", **factors),
                **_printed(printed, "joint_compliance_percent", **{column: int(level)}),
            }
        )
    return Table(
        f"Table {number} beside this run: joint compliance by number of {axis}",
        (Column("level", axis.capitalize(), "integer"), Column("run", "This run", "percent"), *_models("percent")),
        tuple(rows),
        slug=f"published-table-{number}",
    )


def _table_13(index: FigureIndex) -> Table:
    printed = published_table("prospective_table13_type_under_stacking")
    rows: list[Row] = []
    for row in printed.iter_rows(named=True):
        name = str(row["constraint_type"])
        run = index.interval("stacking.type.strict", type=_TYPE_NAMES.get(name, name))
        rows.append({"type": name, "run": run, **{model: row[model] / 100 for model in MODELS}})
    return Table(
        "Table 13 beside this run: types inside stacks",
        (text_column("type", "Type"), Column("run", "This run", "percent"), *_models("percent")),
        tuple(rows),
        slug="published-table-13",
    )
