"""The paper's Tables 1, 8, 3, 4, 12 and 13 as printed, what of ours each value is of, and what keeps the two apart."""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import load_name
from forgetscope.findings.beside_paper import Ours, PrintedTable, beside_paper_section
from forgetscope.findings.figures import Column, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent
from forgetscope.findings.published import published_table
from forgetscope.findings.tables import Factors, label

_TYPE_NAMES = {
    "number_highlighted_sections": "num_highlighted",
    "number_bullet_lists": "num_bullet_lists",
    "number_placeholders": "num_placeholders",
}
"""The paper's names in Table 13 where its Table 5, which the sample table follows, has others."""


def published_section(study: ProspectiveStudy, index: FigureIndex) -> Section:
    """Caveats first, then each printed table with the run in the column beside the three models."""
    return beside_paper_section(index, caveats(study, index), PRINTED)


def caveats(study: ProspectiveStudy, index: FigureIndex) -> Iterator[str]:
    """Why the run's figures and the paper's are not of the same thing."""
    settings = study.settings
    if settings.data == "embedded":
        yield "this run used the embedded data, written for this project: compare shapes, not levels"
    else:
        yield "the paper's draws of items cannot be reproduced: the items are others from the same sets"
    yield "connector and constraint wording are ours; the paper's templates are not printed in full"
    if settings.max_tokens != 2048:
        yield f"the token limit was {settings.max_tokens}, the paper's 2048"
    if settings.limit is not None:
        yield f"the run was limited to {settings.limit} items"
    cut = index.value("outcomes.share.truncated", experiment="all")
    if cut:
        yield f"{percent(cut)} of the replies were cut off"


def _cell(row: Factors) -> Factors:
    """The factors of Table 1's cells; both templates have the baseline in their first row."""
    if row["condition"] == BASELINE:
        return {"condition": BASELINE, "load": NO_LOAD}
    return {"condition": row["template"], "load": row["condition"]}


def _accuracy(row: Factors) -> Ours:
    """The figure a row of Table 3 prints."""
    name = str(row["condition"])
    if name == "task_only_average":
        return "task.accuracy.average", {"condition": "task_only", "scorer": "paper"}
    load = name.removeprefix("reminder_").removesuffix("_rouge_l")
    figure = "task.rouge_l.paper" if name.endswith("_rouge_l") else "task.accuracy.paper"
    return figure, {"condition": "reminder", "load": load}


def _accuracy_label(row: Factors) -> str:
    figure, factors = _accuracy(row)
    if "load" not in factors:
        return "task only, average"
    return f"reminder + {load_name(str(factors['load']))}" + (" (ROUGE-L)" if "rouge" in figure else "")


def _joint(number: int, source: str, column: str, axis: str) -> PrintedTable:
    """Tables 4 and 12: joint compliance over one axis."""
    return PrintedTable(
        f"Table {number} beside this run: joint compliance by number of {axis}",
        f"published-table-{number}",
        published_table(f"prospective_{source}"),
        (Column("joint_compliance_percent", "", "percent"),),
        lambda row: [
            ("stacking.joint.strict", {"constraints": ALL, "problems": ALL, "trailing": ALL, axis: row[column]})
        ],
        rows=(column,),
        labels=(label(axis.capitalize(), column, kind="integer"),),
    )


TABLE_1 = PrintedTable(
    "Table 1 beside this run: strict compliance",
    "published-table-1",
    published_table("prospective_table1_compliance"),
    (Column("compliance_percent", "", "percent"),),
    lambda row: [("compliance.strict.paper", _cell(row))],
    rows=("template", "condition"),
    labels=(label("Template", "template"), label("Load", "condition", load_name)),
)
TABLE_8 = PrintedTable(
    "Table 8 beside this run: delta (overall baseline - natural) and Cohen's h",
    "published-table-8",
    published_table("prospective_table8_statistics").filter(pl.col("condition") != BASELINE),
    (Column("delta_percent", "", "points"), Column("cohens_h", "h", "number")),
    lambda row: [
        (name, {"condition": "natural", "load": row["condition"]}) for name in ("delta.paper", "delta.cohens_h")
    ],
    rows=("condition",),
    labels=(label("Load", "condition", load_name),),
)
PRINTED = (
    TABLE_1,
    TABLE_8,
    PrintedTable(
        "Table 3 beside this run: task accuracy, the paper's scorer",
        "published-table-3",
        published_table("prospective_table3_task_accuracy"),
        (Column("accuracy_percent", "", "percent"),),
        lambda row: [_accuracy(row)],
        rows=("condition",),
        labels=(label("Condition", _accuracy_label),),
        note="The paper does not say which tasks its average holds; this run's holds every load that was run.",
    ),
    _joint(4, "table4_stacking", "constraints", "constraints"),
    _joint(12, "table12_stacking_load", "gsm8k_problems", "problems"),
    PrintedTable(
        "Table 13 beside this run: types inside stacks",
        "published-table-13",
        published_table("prospective_table13_type_under_stacking").unpivot(
            index="constraint_type", variable_name="model", value_name="percent"
        ),
        (Column("percent", "", "percent"),),
        lambda row: [
            (
                "stacking.type.strict",
                {"type": _TYPE_NAMES.get(str(row["constraint_type"]), row["constraint_type"])},
            )
        ],
        rows=("constraint_type",),
        labels=(label("Type", "constraint_type"),),
    ),
)
