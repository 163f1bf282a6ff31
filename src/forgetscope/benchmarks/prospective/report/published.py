"""The paper's tables of results as printed, what of ours each value is of, and what keeps the two apart."""

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
"""The paper's names in its results where its Table 5, which the sample table follows, has others."""


def _type_name(name: object) -> str:
    return _TYPE_NAMES.get(str(name), str(name))


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


def _template_cell(template: str, row: Factors) -> Factors:
    """The factors of a template under a row's load; both templates have the baseline in their first row."""
    if row["condition"] == BASELINE:
        return {"condition": BASELINE, "load": NO_LOAD}
    return {"condition": template, "load": row["condition"]}


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
    lambda row: [("compliance.strict.paper", _template_cell(str(row["template"]), row))],
    rows=("template", "condition"),
    labels=(label("Template", "template"), label("Load", "condition", load_name)),
)
TABLE_2 = PrintedTable(
    "Table 2 beside this run: delta by type (baseline - natural + GSM8K)",
    "published-table-2",
    published_table("prospective_table2_types").with_columns(delta_points=-pl.col("change_points")),
    (Column("delta_points", "", "points"),),
    lambda row: [
        (
            "delta.paired",
            {"condition": "natural", "load": "gsm8k_x1", "type": _type_name(row["type"]), "against": BASELINE},
        )
    ],
    rows=("group", "type"),
    labels=(label("Group", "group", lambda group: group.replace("_", " ")), label("Type", "type")),
    note="The paper prints the change, so a loss as a minus, in whole points over 18 replies a cell.",
)
TABLE_8 = PrintedTable(
    "Table 8 beside this run: compliance, delta (overall baseline - natural), Cohen's h and McNemar's p",
    "published-table-8",
    published_table("prospective_table8_statistics"),
    (
        Column("compliance_percent", "", "percent"),
        Column("delta_percent", "delta", "points"),
        Column("cohens_h", "h", "number"),
        Column("mcnemar_p", "p", "p"),
    ),
    lambda row: [
        ("compliance.strict.pooled", _template_cell("natural", row)),
        *(
            (name, {"condition": "natural", "load": row["condition"]})
            for name in ("delta.paper", "delta.cohens_h", "delta.mcnemar.pooled.corrected")
        ),
    ],
    rows=("condition",),
    labels=(label("Load", "condition", load_name),),
    bounds={"compliance_percent": ("ci_low", "ci_high")},
    note="All as the paper computes them: its intervals and its test take the three runs of an item as independent.",
)
TABLE_9 = PrintedTable(
    "Table 9 beside this run: mean tokens of prompts and replies",
    "published-table-9",
    published_table("prospective_table9_tokens").with_columns(
        pl.col("condition").replace("ifeval_only", BASELINE), model=pl.lit("mean of three models")
    ),
    (Column("mean_input_tokens", "input", "number"), Column("mean_output_tokens", "output", "number")),
    lambda row: [
        (name, {"experiment": "load", **_template_cell(str(row["template"]), row)})
        for name in ("tokens.input", "tokens.output")
    ],
    rows=("template", "condition"),
    labels=(label("Template", "template"), label("Load", "condition", load_name)),
    note="As each provider counts them.",
)
TABLE_10 = PrintedTable(
    "Table 10 beside this run: mechanisms of failure",
    "published-table-10",
    published_table("prospective_table10_mechanisms").with_columns(model=pl.lit("three models together")),
    (Column("count", "", "number"),),
    lambda row: [
        ("mechanism.count", {"condition": ALL, "mechanism": row["mechanism"], "failures": "paper_rule"}),
    ],
    rows=("mechanism",),
    labels=(label("Mechanism", "mechanism", lambda name: name.replace("_", " ")),),
    note="Failures whose task was right and whose item was kept in the baseline: the paper's by reading each, this "
    "run's by rule; what no rule can tell is in the section on mechanisms.",
)
PRINTED = (
    TABLE_1,
    TABLE_2,
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
    TABLE_9,
    TABLE_10,
    _joint(12, "table12_stacking_load", "gsm8k_problems", "problems"),
    PrintedTable(
        "Table 13 beside this run: types inside stacks",
        "published-table-13",
        published_table("prospective_table13_type_under_stacking").unpivot(
            index="constraint_type", variable_name="model", value_name="percent"
        ),
        (Column("percent", "", "percent"),),
        lambda row: [("stacking.type.strict", {"type": _type_name(row["constraint_type"])})],
        rows=("constraint_type",),
        labels=(label("Type", "constraint_type"),),
    ),
    PrintedTable(
        "Table 14 beside this run: tension pairs, gap to the safe stacks of two",
        "published-table-14",
        published_table("prospective_table14_tension"),
        (Column("gap_points", "", "points"),),
        lambda row: [("tension.gap.safe", {"pair": "+".join(map(_type_name, str(row["pair"]).split("+")))})],
        rows=("pair",),
        labels=(label("Pair", "pair"),),
        note="The paper's comparison is confounded by how hard the types are; the section on tension has better ones.",
    ),
)


def printed_tables() -> tuple[PrintedTable, ...]:
    """What the paper prints of models, with any run's figure of each value."""
    return PRINTED
