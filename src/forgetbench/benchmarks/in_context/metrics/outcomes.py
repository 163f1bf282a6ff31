"""Outcome accounting per cell and form: every status counted, what was cut off, and judges beside rules."""

from collections.abc import Iterator

import polars as pl

from forgetbench.benchmarks.in_context.forms import Form
from forgetbench.benchmarks.in_context.metrics.study import SCENARIOS, Study
from forgetbench.figures import Cell, Figure
from forgetbench.measures import figure, plain
from forgetbench.outcomes import Account, Status
from forgetbench.stats import wilson


def outcome_figures(study: Study) -> Iterator[Figure]:
    """Counts over statuses, truncated and looping shares, per cell and form."""
    for key in study.cells:
        for form in Form:
            part = study.cell(key).filter(pl.col("form") == form.value)
            factors: dict[str, Cell] = {**key.factors, "form": form.value}
            account = Account.of(part["status"].to_list(), part["raw_pass"].to_list())
            for status in Status:
                count = account.counts.get(status, 0)
                if count:
                    yield plain(
                        "outcome",
                        {**factors, "status": status.value},
                        count,
                        account.planned,
                        unit="count",
                        method="samples with this status",
                    )
            cut = account.counts.get(Status.TRUNCATED, 0)
            yield figure("truncated", factors, wilson(cut, account.attempted), label="replies cut off")


def agreement_figures(study: Study) -> Iterator[Figure]:
    """Judge against rule on samples that have both verdicts, per scenario and form; the rule is the reference.

    Sensitivity: passes the judge found among the rule's passes; specificity: fails it found among the rule's fails.
    """
    judged = study.queries.filter(pl.col("judge_status").is_not_null())
    for scenario in SCENARIOS:
        for form in Form:
            part = judged.filter((pl.col("scenario") == scenario) & (pl.col("form") == form.value))
            if part.is_empty():
                continue
            factors: dict[str, Cell] = {"scenario": scenario, "form": form.value}
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
            flagged = int((part["judge_flags"].list.len() > 0).sum())
            yield figure("judge.flagged", factors, wilson(flagged, part.height), label="text that addresses the judge")
