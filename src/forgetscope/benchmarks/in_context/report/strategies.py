"""Prompt strategies (table 2): what a reminder, or no system message, changes."""

from collections.abc import Sequence

from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.report.lengths import MEASURES, not_shown
from forgetscope.benchmarks.in_context.report.names import length_name, scenario_name, strategy_name
from forgetscope.benchmarks.in_context.settings import NATIVE
from forgetscope.findings.figures import Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, points, verdict
from forgetscope.findings.tables import Factors, change, count, label, p_value, table
from forgetscope.findings.verdicts import Support


def strategy_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """Effects of the system messages against the plain role prompt; None where only one was run."""
    entries = index.named("strategy.fa")
    if not entries:
        return None
    main = [entry for entry in entries if _is_main(study, entry)]
    tables = [_table(index, main, "Change against the plain prompt", folded=False)] if main else []
    if len(main) < len(entries):
        tables.append(_table(index, entries, "Change against the plain prompt: every length", folded=True))
    return Section(
        "Prompt strategies",
        (*strategy_findings(study, index), *tables),
        intro="What another system message changes, on the same items. Plain prompt: a role and no more. Reminder "
        "prompt: the same with an explicit reminder to forget. Empty prompt: no system message.",
        slug="strategies",
    )


def _is_main(study: InContextStudy, entry: Figure) -> bool:
    length = study.main_setting[0]
    return entry.factors["length"] == (NATIVE if length is None else length)


def strategy_findings(study: InContextStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """What each prompt does to FA at the main length: one finding for every effect shown, one for all that are not."""
    found, undecided = [], []
    for entry in index.named("strategy.fa"):
        if entry.value is None or not _is_main(study, entry):
            continue
        prompt, where = strategy_name(str(entry.factors["strategy"])), _asked(entry.factors)
        if verdict(entry) == "shown":
            change = "raised" if entry.value > 0 else "lowered"
            found.append(
                Support.of(entry).finding(
                    f"Against the plain prompt, the {prompt} {change} FA in {where} by {points(entry.value)} points "
                    f"({basis(entry)}; p after Holm)"
                )
            )
        else:
            undecided.append(f"the {prompt} in {where}")
    return (*found, *not_shown("effect of a prompt on FA", undecided))


def _asked(factors: Factors) -> str:
    name = scenario_name(str(factors["scenario"]))
    return f"{name} (open question)" if factors.get("question") else name


def _table(index: FigureIndex, entries: Sequence[Figure], title: str, *, folded: bool) -> Table:
    return table(
        index,
        title,
        rows=[entry.factors for entry in entries],
        columns=[
            label("Scenario", _asked),
            label("Length", "length", length_name),
            label("Prompt", "strategy", strategy_name),
            *(change(words, f"strategy.{name}") for name, words in MEASURES.items()),
            p_value("p, FA", "strategy.fa.p.holm", "exact McNemar, Holm over all lengths and prompts"),
            count("Items", "strategy.fa"),
        ],
        slug="strategies-every" if folded else "strategies",
        folded=folded,
    )
