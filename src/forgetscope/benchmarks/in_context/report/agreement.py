"""The paper's agreement of three people with its judge and each other (Tables 12 to 14), and ours of each value."""

from collections.abc import Iterator, Sequence

import polars as pl

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.report.names import scenario_name
from forgetscope.benchmarks.in_context.report.published import PAPER_JUDGE
from forgetscope.findings.beside_paper import Ours, PrintedTable
from forgetscope.findings.figures import Column
from forgetscope.findings.published import published_table
from forgetscope.findings.tables import Factors, label

ANNOTATORS = (1, 2, 3)
_TASKS = {
    Scenario.INSTRUCTIONAL_FORGETTING: "IF",
    Scenario.SUBTASK_REVISION: "SR",
    Scenario.DYNAMIC_PREFERENCE: "DP",
}


def agreement_table() -> PrintedTable:
    """The three tables as one: by scenario and form, the judge with people in percent, kappas of both."""
    values = (
        Column("mean", "Mean of annotators", "percent", "Table 12: the judge with people"),
        *(Column(f"a{number}", f"Annotator {number}", "percent", "Table 13") for number in ANNOTATORS),
        *(Column(f"k{number}", f"Cohen's kappa, {number}", "number", "Table 14") for number in ANNOTATORS),
        Column("fleiss", "Fleiss' kappa", "number", "Table 14: of people with each other"),
    )
    return PrintedTable(
        "Tables 12 to 14 beside this run: agreement of people and judge",
        "published-tables-12-to-14",
        pl.DataFrame(list(_rows())),
        values,
        _ours,
        rows=("scenario", "form"),
        labels=(label("Scenario", "scenario", scenario_name), label("Form", "form")),
        is_by_model=True,
    )


def _rows() -> Iterator[dict[str, object]]:
    means, people, kappas = (published_table(f"in_context_table{name}").rows(named=True) for name in _PRINTED)
    for scenario, task in _TASKS.items():
        for form, of_means, of_people, of_kappas in _FORMS:
            (mean,) = (row for row in means if row["scenario"].lower().replace(" ", "_") == scenario.value)
            (kappa,) = (row for row in kappas if row["task"] == f"{task}_{of_kappas}")
            each = {row["annotator"]: row[of_people] for row in people if row["scenario"] == scenario.value}
            yield {
                "model": f"the paper ({PAPER_JUDGE})",
                "scenario": scenario.value,
                "form": form.value,
                "mean": mean[of_means],
                **{f"a{number}": float(each[number]) for number in ANNOTATORS},
                **{f"k{number}": kappa[f"cohen_a{number}"] for number in ANNOTATORS},
                "fleiss": kappa["fleiss"],
            }


_PRINTED = ("12_agreement", "13_annotators", "14_kappa")
_FORMS = (
    (Form.NOFORGET, "no_forget", "no_forget_percent", "NoForget"),
    (Form.FORGET, "forget", "forget_percent", "Forget"),
)


def _ours(row: Factors) -> Sequence[Ours]:
    of_people = {"scenario": row["scenario"], "form": row["form"]}
    of_judge = {**of_people, "rater": "judge"}
    with_each = [{**of_judge, "with": f"annotator {number}"} for number in ANNOTATORS]
    return (
        ("agreement.mean", of_judge),
        *(("agreement", factors) for factors in with_each),
        *(("agreement.kappa", factors) for factors in with_each),
        ("people.fleiss", of_people),
    )
