"""Dual task: the cost goes both ways, and part of it may be the parser's (Table 3, figure 9)."""

from dataclasses import replace

from forgetscope.benchmarks.prospective.data.conditions import TASK_ONLY
from forgetscope.benchmarks.prospective.metrics.contrasts import references
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name, over_loads
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Cell, Chart, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, direction, interval_words, not_run, points
from forgetscope.findings.tables import (
    Factors,
    Shown,
    bounds,
    change,
    count,
    defined,
    either,
    label,
    rate,
    table,
    value,
)
from forgetscope.findings.verdicts import Support

SCORER_WORDS = {"paper": "the paper's scorer", "repaired": "the repaired scorer"}


def dual_task_section(study: ProspectiveStudy, index: FigureIndex) -> Section | None:
    """Costs in words, both directions as a chart, Table 3, costs under both scorers; None without load."""
    if not study.loads:
        return None
    blocks: list[Finding | Chart | Table] = [*task_findings(study, index)]
    if index.named("task.cost.paper"):
        blocks.extend([both_ways_chart(study, index), cost_table(study, index)])
    else:
        blocks.append(not_run("The task without a constraint (task_only), or with one,", "--conditions paper"))
    blocks.append(accuracy_table(study, index))
    return Section(
        "Dual-task cost",
        tuple(blocks),
        intro="What the constraint costs the task: accuracy on the task alone minus accuracy with the constraint, on "
        "the same questions. The paper's scorer takes the last number or first letter anywhere in the reply; the "
        "repaired scorer reads the answer where it is given.",
        slug="dual-task",
    )


def task_findings(study: ProspectiveStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """The task's cost under both scorers, and how much of it is the parser's."""
    found: list[Finding] = []
    for condition in ("natural", "reminder"):
        if condition not in study.worked_conditions:
            continue
        factors: dict[str, Cell] = {"condition": condition, "load": ALL}
        paper, repaired = index.get("task.cost.paper", **factors), index.get("task.cost.repaired", **factors)
        artefact = index.get("task.artefact", **factors)
        if paper is None or repaired is None or artefact is None or paper.value is None or repaired.value is None:
            continue
        name = f"{condition_name(condition).capitalize()} prompt"
        found.append(
            Support.of(repaired).finding(
                f"{name}: the constraint {_costs(repaired.value)} points of task accuracy (repaired scorer, "
                f"{basis(repaired, 'load item')})",
                then=f"By the paper's scorer it {_costs(paper.value)} ({interval_words(paper, flip=paper.value < 0)}).",
            )
        )
        share = index.get("task.artefact.share", **factors)
        if share is not None and share.value is not None and artefact.value is not None:
            said = (
                f"of the {points(paper.value)} points by the paper's scorer, {points(artefact.value)} "
                f"({share.value:.0%}) came from its parser, not from the model"
                if artefact.value >= 0
                else f"the paper's parser hid {points(artefact.value)} points of the cost"
            )
            found.append(Support.of(artefact).finding(f"{name}: {said} ({basis(artefact, 'load item')})"))
    return tuple(found)


def _costs(value: float) -> str:
    return direction(value, f"cost {points(value)}", f"added {points(value)}", "cost 0.0")


def both_ways_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """Figure 9, for every load: compliance lost to the load beside accuracy lost to the constraint."""
    condition = next(name for name in study.worked_conditions if index.get("task.cost.paper", condition=name, load=ALL))
    against = next(iter(references(study, condition)), "")
    found = chart(
        index,
        "bars",
        f"Compliance lost to the load, accuracy lost to the constraint ({condition})",
        over=over_loads((*study.loads, ALL)),
        lines=[
            line("compliance lost to the load", "delta.paired", condition=condition, against=against),
            *(
                line(f"accuracy lost to the constraint, {words}", f"task.cost.{scorer}", condition=condition)
                for scorer, words in SCORER_WORDS.items()
            ),
        ],
        summary="",
        y_label="points lost",
        unit="points",
        slug="both-ways",
    )
    said = "; ".join(
        f"{each.label} {100 * point.value:.1f}"
        for each in found.series
        if (point := each.points[-1]) is not None and point.value is not None
    )
    words = f"Points lost, over all loads: {said or 'nothing defined'}."
    return replace(found, summary=words)


_CONDITION = label("Condition", "condition", condition_name)


def cost_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """The cost under both scorers, the parser's part of it, and ROUGE-L for summaries."""
    return table(
        index,
        "What the constraint costs the task",
        rows=[
            {"condition": condition, "load": load}
            for condition in study.worked_conditions
            for load in (*study.loads, ALL)
        ],
        columns=[
            _CONDITION,
            label("Load", "load", load_name),
            change("Cost, paper", "task.cost.paper", "task only - condition, the paper's scorer"),
            change("Cost, repaired", "task.cost.repaired", "the same by the repaired scorer"),
            change("Parser's part", "task.artefact", "cost, paper - cost, repaired"),
            defined(
                rate("Parser's share", "task.artefact.share", "of the paper's cost, where its interval lies above zero")
            ),
            change("ROUGE-L cost", "task.cost.rouge_l.repaired", "summaries only: loss of ROUGE-L F1"),
            count("Pairs", "task.cost.paper"),
        ],
        computed_only=True,
        slug="task-cost",
    )


def accuracy_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Table 3: accuracy alone and with the constraint, both scorers; chains per problem; ROUGE-L."""
    rows: list[Factors] = []
    for condition in (TASK_ONLY, *study.worked_conditions):
        rows += [{"condition": condition, "load": load} for load in study.loads]
        rows.append({"condition": condition})  # the average has no load
    return table(
        index,
        "Task accuracy (Table 3)",
        rows,
        [
            _CONDITION,
            label("Load", _load_words),
            _accuracy("paper", "of several problems, the last"),
            _accuracy("repaired", "of several problems, all; no answer found is wrong"),
            rate("Completed", "task.accuracy.completed", "repaired; correct / (correct + incorrect)"),
            bounds("Bounds", "task.accuracy.completed", "if every other reply had been wrong, or right"),
            rate("Per problem", "task.per_problem", "of several problems, the share right"),
            value("Unread", "task.unread", "percent", "no answer found by the repaired scorer"),
            rate("ROUGE-L", "task.rouge_l.paper", "mean F1 of the whole reply (paper)"),
            rate("ROUGE-L, summary part", "task.rouge_l.repaired"),
        ],
        note="CNN/DailyMail counts as right when ROUGE-L F1 is above 0.10 (engaged with the article).",
        computed_only=True,
        slug="table-3",
    )


def _load_words(row: Factors) -> str:
    if "load" not in row:
        return "average over loads"
    return load_name(str(row["load"])) + (" (engaged)" if row["load"] == "cnn_dailymail" else "")


def _accuracy(scorer: str, about: str) -> Shown:
    """Accuracy of a load by one scorer, or of the average over loads."""
    one = rate(f"Accuracy, {scorer}", f"task.accuracy.{scorer}", about)
    return either(one, rate("", "task.accuracy.average", scorer=scorer))
