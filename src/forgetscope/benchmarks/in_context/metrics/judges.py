"""How far judged figures can be trusted: what judges decided, judge against rule, each judge of a panel by itself."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import polars as pl

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, SCENARIOS, InContextStudy, Pairs
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import FigureIndex, figure
from forgetscope.stats import wilson
from forgetscope.stats.jackknife import wilson_ends


def judge_figures(study: InContextStudy) -> Iterator[Figure]:
    """Everything about judges; nothing where none was asked."""
    yield from decided_figures(study)
    judged = study.queries.filter(pl.col("judge_status").is_not_null())
    for scenario in SCENARIOS:
        for form in Form:
            part = judged.filter((pl.col("scenario") == scenario) & (pl.col("form") == form.value))
            if part.height:
                yield from agreement_figures(part, {"scenario": scenario, "form": form.value})
    votes = votes_of(judged)
    names = sorted(votes["judge"].unique())
    if len(names) > 1:
        yield from panel_figures(study, judged, votes)


def decided_figures(study: InContextStudy) -> Iterator[Figure]:
    """The share of a cell's samples that a judge decided, rather than a rule; no interval, it is a fact of the data."""
    for key in study.cells:
        frame = study.cell(key)
        judged = int((frame["decided_by"] == "judge").sum())
        yield Figure("judge.decided", key.factors, judged / frame.height, frame.height, method="samples without a rule")


def agreement_figures(part: pl.DataFrame, factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """Judge against rule on samples that have both verdicts; the rule is the reference.

    Sensitivity: passes the judge found among the rule's passes; specificity: fails it found among the rule's fails.

    Args:
        part: Judged samples, with `rule_pass`, `judge_pass`, `judge_status` and `judge_flags`.
        factors: Of the figures.
    """
    both = part.filter(pl.col("rule_pass").is_not_null() & pl.col("judge_pass").is_not_null())
    agree = int((both["rule_pass"] == both["judge_pass"]).sum())
    rest = part.height - both.height
    yield figure("judge.agreement", factors, wilson(agree, both.height), excluded=rest, label="judge = rule")
    for name, verdict in (("sensitivity", True), ("specificity", False)):
        held = both.filter(pl.col("rule_pass") == verdict)
        hits = int((held["judge_pass"] == verdict).sum())
        what = "rule passes the judge passed" if verdict else "rule fails the judge failed"
        yield figure(f"judge.{name}", factors, wilson(hits, held.height), excluded=rest, label=what)
    unread = int((part["judge_status"] == Status.JUDGE_UNPARSEABLE.value).sum())
    yield figure("judge.unreadable", factors, wilson(unread, part.height), label="judged, no readable verdict")
    rungs = part.filter(pl.col("leak").is_not_null() & pl.col("judge_leak").is_not_null())
    if rungs.height:
        same = int((rungs["leak"] == rungs["judge_leak"]).sum())
        yield figure("judge.ladder", factors, wilson(same, rungs.height), label="judge names the rule's rung")
    flagged = int((part["judge_flags"].list.len() > 0).sum())
    yield figure("judge.flagged", factors, wilson(flagged, part.height), label="text that addresses the judge")


def votes_of(judged: pl.DataFrame) -> pl.DataFrame:
    """One row a vote that could be read: the sample's columns, `judge` and `vote`."""
    return (
        judged.with_columns(judge="judge_names", vote="judge_votes")
        .explode("judge", "vote")
        .filter(pl.col("judge").is_not_null())
    )


def panel_figures(study: InContextStudy, judged: pl.DataFrame, votes: pl.DataFrame) -> Iterator[Figure]:
    """Of a panel: how often all of it agreed, and per judge its agreement with the rule and NA, FA, SFRR by it alone.

    Args:
        study: Of the run.
        judged: Samples that were judged.
        votes: As `votes_of` gives them.
    """
    several = judged.filter(pl.col("judge_votes").list.len() > 1)
    unanimous = int((several["judge_votes"].list.n_unique() == 1).sum())
    rest = judged.height - several.height
    yield figure("judge.unanimous", {}, wilson(unanimous, several.height), excluded=rest, label="all judges agree")
    for (name,), part in sorted(votes.partition_by("judge", as_dict=True).items(), key=str):
        known = part.filter(pl.col("rule_pass").is_not_null())
        agree = int((known["rule_pass"] == known["vote"]).sum())
        of_judge: dict[str, Cell] = {"judge": str(name)}
        yield figure("judge.one.agreement", of_judge, wilson(agree, known.height), label="this judge = rule")
        for key in study.main_cells():
            cell = study.cell(key)
            here = part.filter(pl.col("sample_id").is_in(cell["sample_id"].implode()))
            if here.is_empty():
                continue
            table = Pairs.of(here, "vote").table
            factors = {**key.factors, **of_judge}
            missed = cell["item"].n_unique() - table.n
            for measure, hits, n in (
                ("na", table.n11 + table.n10, table.n),
                ("fa", table.n11 + table.n01, table.n),
                ("sfrr", table.n11, table.n11 + table.n10),
            ):
                yield figure(f"by_judge.{measure}", factors, wilson(hits, n), excluded=missed, label="by this judge")


METRIC = InContextMetric(judge_figures)

WRONG_MORE_OFTEN = 0.5
"""Where the interval of a judge's sensitivity or specificity lies below this, what it decides is no result."""
_UNTOUCHED = ("judge.", "by_judge.", "outcomes.", "context.", "truncated")
"""Figures that say nothing of what a judge decided, or say how good it is."""
_UNKNOWN = "scored by a judge; no reply has its verdict and a rule's, so how good it is is not known"


def judge_refusals(index: FigureIndex) -> dict[str, str]:
    """Why what judges decided in a scenario is no result, by scenario; measured in it where a rule can tell there."""
    refused: dict[str, str] = {}
    for scenario in dict.fromkeys(str(entry.factors["scenario"]) for entry in decided(index)):
        for name, said in (
            ("specificity", "the judge passed {wrong} of {n} replies that the rule fails"),
            ("sensitivity", "the judge failed {wrong} of {n} replies that the rule passes"),
        ):
            hits, n = hits_of(index, name, scenario)
            if n and wilson_ends(hits / n, n, 0.95)[1] < WRONG_MORE_OFTEN:
                refused.setdefault(scenario, said.format(wrong=n - hits, n=n))
    return refused


def decided(index: FigureIndex) -> list[Figure]:
    """The figures `judge.decided` of the cells in which a judge decided something."""
    return [entry for entry in index.named("judge.decided") if entry.value]


def hits_of(index: FigureIndex, name: str, scenario: str) -> tuple[int, int]:
    """Of `judge.NAME` over both forms, in how many replies judge and rule agree, and of how many; of all scenarios
    where a rule scored none in this one."""
    known = [entry for entry in index.named(f"judge.{name}") if entry.value is not None]
    chosen = [entry for entry in known if entry.factors["scenario"] == scenario] or known
    return sum(round((entry.value or 0.0) * entry.n) for entry in chosen), sum(entry.n for entry in chosen)


def judged_with_care(index: FigureIndex) -> FigureIndex:
    """The figures, without a value where a judge decided that is refused, and with a word where nothing is known of it.

    A figure over several cells counts with each of them.
    """
    reasons = judge_refusals(index)
    cells = decided(index)
    if not cells:
        return index
    unknown = {
        str(cell.factors["scenario"])
        for cell in cells
        if not hits_of(index, "agreement", str(cell.factors["scenario"]))[1]
    }

    def careful(entry: Figure) -> Figure:
        scenarios = [str(cell.factors["scenario"]) for cell in cells if _is_over(entry, cell)]
        for scenario in scenarios if not entry.name.startswith(_UNTOUCHED) else ():
            if scenario in reasons:
                return replace(entry, value=None, low=None, high=None, p=None, note=f"no result: {reasons[scenario]}")
            if scenario in unknown:
                return replace(entry, note="; ".join(part for part in (entry.note, _UNKNOWN) if part))
        return entry

    return FigureIndex(map(careful, index))


def _is_over(entry: Figure, cell: Figure) -> bool:
    """Whether a figure has a cell's samples in it: its own, those of a group in it, over lengths or over scenarios."""
    here, there = dict(entry.factors), dict(cell.factors)
    if here.get("scenario") == AVERAGE:
        here.pop("scenario")
    elif "scenario" not in here:
        return False
    is_same_question = here.get("question") == there.get("question")
    return is_same_question and all(here.get(name, value) == value for name, value in there.items())
