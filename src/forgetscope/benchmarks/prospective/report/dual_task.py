"""Dual task: the cost goes both ways, and part of it may be the parser's (Table 3, figure 9)."""

from forgetscope.benchmarks.prospective.data.conditions import TASK_ONLY, Load
from forgetscope.benchmarks.prospective.metrics.contrasts import references
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name
from forgetscope.findings.figures import Cell, Chart, Column, Finding, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import (
    bounds_words,
    interval_words,
    not_run,
    percent,
    points,
    series,
    text_column,
    undecided_words,
    verdict,
)

SCORER_WORDS = {"paper": "the paper's scorer", "repaired": "the repaired scorer"}


def dual_task_section(study: ProspectiveStudy, index: FigureIndex) -> Section | None:
    """Costs in words, both directions as a chart, Table 3, costs under both scorers; None without load."""
    if not study.loads:
        return None
    blocks: list[Finding | Chart | Table] = [*task_findings(study, index)]
    if index.named("task.cost.paper"):
        blocks.extend([both_ways_chart(study, index), cost_table(study, index)])
    else:
        blocks.append(
            not_run("The load without a constraint (task_only), or a constraint beside it,", "--conditions paper")
        )
    blocks.append(accuracy_table(study, index))
    return Section(
        "Dual task",
        tuple(blocks),
        intro="What the constraint costs the task: accuracy alone minus accuracy with the constraint, on the same "
        "questions. The paper's scorer reads the last number or first letter anywhere in the reply; the repaired one "
        "looks where the answer is given.",
        slug="dual-task",
    )


def task_findings(study: ProspectiveStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """The task's cost under both scorers, and how much of it is the parser's."""
    found: list[Finding] = []
    for condition in ("natural", "reminder"):
        if condition not in study.loaded_conditions:
            continue
        factors: dict[str, Cell] = {"condition": condition, "load": ALL}
        paper, repaired = index.get("task.cost.paper", **factors), index.get("task.cost.repaired", **factors)
        artefact = index.get("task.artefact", **factors)
        if paper is None or repaired is None or artefact is None or paper.value is None or repaired.value is None:
            continue
        found.append(
            Finding(
                f"{condition.capitalize()}: the constraint {_costs(repaired.value)} points of task accuracy by the "
                f"repaired scorer ({interval_words(repaired, flip=repaired.value < 0)}, {repaired.n} pairs)"
                f"{undecided_words(repaired)}; by the paper's it {_costs(paper.value)} "
                f"({interval_words(paper, flip=paper.value < 0)}).",
                verdict(repaired),
            )
        )
        share = index.get("task.artefact.share", **factors)
        if share is not None and share.value is not None and artefact.value is not None:
            low = (
                "" if share.low is None or share.high is None else f", 95% interval {share.low:.0%} to {share.high:.0%}"
            )
            said = (
                f"{points(artefact.value)} of those {points(paper.value)} points are the parser's, not the model's"
                if artefact.value >= 0
                else f"the paper's parser hides {points(artefact.value)} points of the cost"
            )
            found.append(
                Finding(
                    f"{condition.capitalize()}: {said} ({share.value:.0%} of the cost{low})"
                    f"{undecided_words(artefact)}.",
                    "undecided" if verdict(artefact) == "undecided" else "shown",
                )
            )
    return tuple(found)


def _costs(value: float) -> str:
    return f"costs {points(value)}" if value >= 0 else f"adds {points(value)}"


def both_ways_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """Figure 9, for every load: compliance lost to the load beside accuracy lost to the constraint."""
    condition = next(name for name in study.loaded_conditions if index.get("task.cost.paper", condition=name, load=ALL))
    against = next(iter(references(study, condition)), "")
    loads = [*study.loads, ALL]
    lines = (
        series(
            index,
            "compliance lost to the load",
            "delta.paired",
            [{"condition": condition, "load": load, "against": against} for load in loads],
        ),
        *(
            series(
                index,
                f"accuracy lost to the constraint, {words}",
                f"task.cost.{scorer}",
                [{"condition": condition, "load": load} for load in loads],
            )
            for scorer, words in SCORER_WORDS.items()
        ),
    )
    said = "; ".join(
        f"{line.label} {100 * point.value:.1f}"
        for line in lines
        if (point := line.points[-1]) is not None and point.value is not None
    )
    return Chart(
        "bars",
        f"Both directions of the cost ({condition})",
        tuple(load_name(load) for load in loads),
        lines,
        summary=f"Points lost by load, positive is worse. Over all loads: {said or 'nothing defined'}.",
        y_label="points lost",
        unit="points",
        slug="both-ways",
    )


def cost_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """The cost under both scorers, the parser's part of it, and ROUGE-L for summaries."""
    rows: list[dict[str, Cell | Interval]] = []
    for condition in study.loaded_conditions:
        for load in (*study.loads, ALL):
            factors: dict[str, Cell] = {"condition": condition, "load": load}
            entry, share = index.get("task.cost.paper", **factors), index.get("task.artefact.share", **factors)
            if entry is None:
                continue
            rows.append(
                {
                    "condition": condition_name(condition),
                    "load": load_name(load),
                    "paper": Interval.of(entry),
                    "repaired": index.interval("task.cost.repaired", **factors),
                    "artefact": index.interval("task.artefact", **factors),
                    "share": None if share is None or share.value is None else Interval.of(share),
                    "rouge": index.interval("task.cost.rouge_l.repaired", **factors),
                    "n": entry.n,
                }
            )
    return Table(
        "What the constraint costs the task",
        (
            text_column("condition", "Condition"),
            text_column("load", "Load"),
            Column("paper", "Cost, paper", "points", "task only - condition, the paper's scorer"),
            Column("repaired", "Cost, repaired", "points", "the same by the repaired scorer"),
            Column("artefact", "Parser's part", "points", "cost by the paper's scorer - cost by the repaired one"),
            Column("share", "Parser's share", "percent", "only where the paper's cost is shown to be above zero"),
            Column("rouge", "ROUGE-L cost", "points", "summaries only: loss of ROUGE-L F1, 100 = all"),
            Column("n", "Pairs", "integer"),
        ),
        tuple(rows),
        note="Intervals resample load items.",
        slug="task-cost",
    )


def accuracy_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Table 3: accuracy alone and with the constraint, both scorers; chains per problem; ROUGE-L."""
    rows: list[dict[str, Cell | Interval]] = []
    for condition in (TASK_ONLY, *study.loaded_conditions):
        for load in study.loads:
            factors: dict[str, Cell] = {"condition": condition, "load": load}
            if index.get("task.accuracy.paper", **factors) is None:
                continue
            unread = index.value("task.unread", **factors)
            rows.append(
                {
                    "condition": condition_name(condition),
                    "load": load_name(load) + (" (engaged)" if load == Load.CNN_DAILYMAIL.value else ""),
                    "paper": index.interval("task.accuracy.paper", **factors),
                    "repaired": index.interval("task.accuracy.repaired", **factors),
                    "completed": index.interval("task.accuracy.completed", **factors),
                    "bounds": bounds_words(index, "task.accuracy.completed", factors),
                    "per_problem": index.interval("task.per_problem", **factors),
                    "unread": "" if unread is None else percent(unread),
                    "rouge": index.interval("task.rouge_l.paper", **factors),
                    "rouge_repaired": index.interval("task.rouge_l.repaired", **factors),
                }
            )
        if any(row["condition"] == condition_name(condition) for row in rows):
            rows.append(
                {
                    "condition": condition_name(condition),
                    "load": "average over loads",
                    "paper": index.interval("task.accuracy.average", condition=condition, scorer="paper"),
                    "repaired": index.interval("task.accuracy.average", condition=condition, scorer="repaired"),
                }
            )
    empty = dict.fromkeys(("completed", "bounds", "per_problem", "unread", "rouge", "rouge_repaired"))
    return Table(
        "Task accuracy (Table 3)",
        (
            text_column("condition", "Condition"),
            text_column("load", "Load"),
            Column("paper", "Accuracy, paper", "percent", "chains: the last number against the last problem"),
            Column("repaired", "Accuracy, repaired", "percent", "chains: every problem right; unread is not right"),
            Column("completed", "Completed", "percent", "repaired; correct / (correct + incorrect)"),
            Column("bounds", "Bounds", "text", "if all outside the completed rate had been wrong, or right"),
            Column("per_problem", "Per problem", "percent", "chains: problems right of all problems"),
            text_column("unread", "Unread", "replies in which the repaired scorer finds no answer"),
            Column("rouge", "ROUGE-L", "percent", "mean F1 of the whole reply, as the paper"),
            Column("rouge_repaired", "ROUGE-L, summary part", "percent"),
        ),
        tuple(empty | row for row in rows),
        note="CNN/DailyMail counts as right when ROUGE-L F1 is above 0.10 (engaged with the article).",
        slug="table-3",
    )
