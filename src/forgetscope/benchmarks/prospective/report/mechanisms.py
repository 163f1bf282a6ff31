"""Mechanisms: how replies failed (Table 10). Tokens: how long prompts and replies were (Table 9)."""

from forgetscope.benchmarks.prospective.metrics.mechanism_counts import OUTSIDE
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.outcomes import cell_name
from forgetscope.benchmarks.prospective.report.wording import condition_name
from forgetscope.benchmarks.prospective.scoring.mechanisms import Mechanism
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent
from forgetscope.findings.tables import Factors, count, label, number, table, tally


def mechanism_section(study: ProspectiveStudy, index: FigureIndex) -> Section | None:
    """Counts over the paper's choice of failures and over all; None without a constraint under load."""
    if not study.worked_conditions:
        return None
    rules = [
        rule
        for rule in ("paper_rule", "all")
        if index.get("mechanism.count", condition=ALL, mechanism="unclassified", failures=rule) is not None
    ]
    blocks: list[Finding | Chart | Table] = [*(_finding(index, rule) for rule in rules)]
    blocks.append(mechanism_chart(study, index, rules[0]))
    blocks.extend(mechanism_table(study, index, rule) for rule in rules)
    return Section(
        "Failure mechanisms",
        tuple(blocks),
        intro="How replies under load broke their constraint. Sorted by rule where a rule can tell, with the evidence "
        "in the sample browser; the rest is for a person. Replies cut off, refusals and samples without a reply have "
        "no mechanism and are counted apart.",
        slug="mechanisms",
    )


_RULE_WORDS = {
    "paper_rule": "failures by the paper's choice (whole reply, task right, constraint kept in the baseline)",
    "all": "all failures of whole replies under load",
}


def _counts(index: FigureIndex, condition: str, rule: str) -> dict[str, int]:
    return {
        mechanism.value: int(
            index.value("mechanism.count", condition=condition, mechanism=mechanism.value, failures=rule) or 0
        )
        for mechanism in Mechanism
    }


_OUTSIDE_WORDS = {
    "truncated": "cut off",
    "refused": "refused",
    "invalid_format": "no text",
    "model_error": "error",
    "not_sent": "not sent",
}


def _outside(index: FigureIndex, condition: str, rule: str) -> dict[str, int]:
    """What did not keep its format and is no failure of status `incorrect`, by status."""
    return {
        status.value: int(
            index.value("mechanism.outside", condition=condition, status=status.value, failures=rule) or 0
        )
        for status in OUTSIDE
    }


def _apart(index: FigureIndex, rule: str) -> str:
    """A sentence for the replies no mechanism is read from; empty where there is none."""
    found = {name: count for name, count in _outside(index, ALL, rule).items() if count}
    listed = ", ".join(f"{count} {_OUTSIDE_WORDS[name]}" for name, count in found.items())
    return f" Not among them: {listed}." if listed else ""


def _finding(index: FigureIndex, rule: str) -> Finding:
    counts = _counts(index, ALL, rule)
    total = sum(counts.values())
    if not total:
        return Finding(f"{_capital(_RULE_WORDS[rule])}: none.{_apart(index, rule)}")
    unclassified = counts.pop(Mechanism.UNCLASSIFIED.value)
    first = max(counts, key=lambda name: counts[name])
    leading = f" (most often {Mechanism(first).words}, {counts[first]})" if counts[first] else ""
    return Finding(
        f"{_capital(_RULE_WORDS[rule])}: {total}, of which {total - unclassified} sorted by rule{leading} and "
        f"{unclassified} ({percent(unclassified / total)}) left for a person.{_apart(index, rule)}"
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def mechanism_chart(study: ProspectiveStudy, index: FigureIndex, rule: str) -> Chart:
    """Counts by mechanism, one set of bars a condition."""
    return chart(
        index,
        "bars",
        "Failures by mechanism",
        over={mechanism.words: {"mechanism": mechanism.value, "failures": rule} for mechanism in Mechanism},
        lines=[
            line(condition_name(condition), "mechanism.count", condition=condition)
            for condition in study.worked_conditions
        ],
        summary="{said}.",
        write=lambda count: f"{count:.0f}",
        y_label="failures",
        unit="count",
        slug="mechanisms",
    )


def mechanism_table(study: ProspectiveStudy, index: FigureIndex, rule: str) -> Table:
    """Table 10 by condition; what has no mechanism below it, where there is any."""
    outside = _outside(index, ALL, rule)
    rows: list[Factors] = [{"mechanism": mechanism.value, "failures": rule} for mechanism in Mechanism]
    rows += [{"status": name, "failures": rule} for name, count in outside.items() if count]
    return table(
        index,
        f"Mechanisms (Table 10): {_RULE_WORDS[rule]}",
        rows,
        [
            label("Mechanism", _failure_words),
            *(
                tally(
                    "all" if name == ALL else condition_name(name),
                    ("mechanism.count", "mechanism.outside"),
                    condition=name,
                )
                for name in (*study.worked_conditions, ALL)
            ),
        ],
        slug=f"table-10-{rule.replace('_', '-')}",
    )


def _failure_words(row: Factors) -> str:
    if "mechanism" in row:
        return Mechanism(str(row["mechanism"])).words
    return f"not sorted: {_OUTSIDE_WORDS[str(row['status'])]}"


def token_section(study: ProspectiveStudy, index: FigureIndex) -> Section:
    """Table 9: mean input and output tokens per cell, counted by the provider."""
    found = table(
        index,
        "Mean tokens of prompts and replies (Table 9)",
        rows=[diagnosed.factors for diagnosed in study.diagnostic_cells],
        columns=[
            label("Cell", cell_name),
            number("Input", "tokens.input"),
            number("Output", "tokens.output"),
            count("Replies counted", "tokens.output"),
        ],
        note="As the provider counts them; cut replies count with what was written.",
        slug="table-9",
    )
    return Section("Tokens", (found,), intro="How long prompts and replies were.", slug="tokens")
