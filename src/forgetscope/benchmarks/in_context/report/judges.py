"""What judges decided, and how good they are where a rule can tell."""

from collections.abc import Iterator

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.metrics.judges import decided, hits_of, judge_refusals
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import form_name, scenario_name, setting_name
from forgetscope.benchmarks.in_context.report.settings import SCENARIO, measures
from forgetscope.findings.figures import Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.tables import count, label, optional, rate, table

UNREAD_ABOVE = 0.05
"""Share of verdicts that could not be read above which the report says so first."""
WEAK_BELOW = 0.8
"""A judge that agrees with the rule on less than this share of the replies is warned of."""

UNKNOWN = (
    "how good the judge is cannot be told here: no reply has its verdict and a rule's ('--judge-what all' gives them "
    "where a rule can score, 'forgetscope try-judge' tries the judge)"
)


UNTRIED = "whether the judge can fail a wrong reply is not known ('forgetscope try-judge' tells)"


def decided_by(index: FigureIndex, key: DialogueCell) -> str:
    """Who scored a cell, for a table: rule, judge, or the share that was judged."""
    share = index.value("judge.decided", **key.factors)
    if not share:
        return "" if share is None else "rule"
    return "judge" if share == 1 else f"rule, {percent(share)} judge"


def judge_quality(index: FigureIndex, key: DialogueCell) -> str:
    """The sentence that follows every judged figure: how far judge and rule agree; empty where a rule scored."""
    if not index.value("judge.decided", **key.factors):
        return ""
    refused = judge_refusals(index).get(key.scenario)
    if refused is not None:
        return f"It was scored by a judge, and {refused}: that is no judge, so this is no result."
    known = [
        f"{percent(entry.value)} of {counted(entry.n, 'verified reply', 'verified replies')} in the "
        f"{form_name(form.value)} form"
        for form in Form
        if (entry := index.get("judge.agreement", scenario=key.scenario, form=form.value)) is not None
        and entry.value is not None
    ]
    if not known:
        return f"Scored by a judge; {UNKNOWN}."
    agrees = f"Scored by a judge; it agrees with the rule on {' and '.join(known)}"
    _, fails = hits_of(index, "specificity", key.scenario)
    return f"{agrees}." if fails else f"{agrees}; the rule fails none of these, so {UNTRIED}."


def agreement_cell(index: FigureIndex, key: DialogueCell) -> str:
    """Judge quality as a table cell, NoForget and Forget; empty where a rule scored."""
    if not index.value("judge.decided", **key.factors):
        return ""
    shares = [index.value("judge.agreement", scenario=key.scenario, form=form.value) for form in Form]
    return " / ".join("not known" if share is None else percent(share) for share in shares)


def judge_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """Warnings: verdicts that could not be read, a judge that is none, one of which nothing is known, a weak one."""
    return (*_unread_verdicts(index), *_refused_judge(index), *_unknown_judge(index), *_weak_judge(index))


def _refused_judge(index: FigureIndex) -> Iterator[Finding]:
    for scenario, reason in judge_refusals(index).items():
        yield Finding(
            f"{scenario_name(scenario).capitalize()}: {reason}. That is no judge: figures it would have decided are "
            "left out; 'forgetscope rejudge' asks another.",
            "warning",
        )


def _unknown_judge(index: FigureIndex) -> Iterator[Finding]:
    """Figures that are a judge's, without a reply on which it can be held against the rule."""
    scenarios = dict.fromkeys(str(entry.factors["scenario"]) for entry in decided(index))
    unknown = [scenario_name(name) for name in scenarios if not hits_of(index, "agreement", name)[1]]
    if unknown:
        yield Finding(f"{', '.join(unknown).capitalize()} scored by a judge: {UNKNOWN}.", "warning")


def _unread_verdicts(index: FigureIndex) -> tuple[Finding, ...]:
    entries = [entry for entry in index.named("judge.unreadable") if entry.value is not None]
    asked = sum(entry.n for entry in entries)
    unread = round(sum((entry.value or 0.0) * entry.n for entry in entries))
    if not asked or unread / asked <= UNREAD_ABOVE:
        return ()
    return (
        Finding(
            f"Of {asked:,} judged samples, {unread:,} ({percent(unread / asked)}) got no verdict that could be read, "
            "asked twice; 'forgetscope rejudge' asks another judge about them.",
            "warning",
        ),
    )


def _weak_judge(index: FigureIndex) -> tuple[Finding, ...]:
    deciding = {entry.factors["scenario"] for entry in decided(index)} - set(judge_refusals(index))
    weak = [
        f"{scenario_name(str(entry.factors['scenario']))} {form_name(str(entry.factors['form']))} "
        f"{percent(entry.value)} of {entry.n}"
        for entry in index.named("judge.agreement")
        if entry.value is not None and entry.value < WEAK_BELOW and entry.factors["scenario"] in deciding
    ]
    if not weak:
        return ()
    return (
        Finding(
            f"The judge often differs from the rule where both scored ({'; '.join(weak)} agree): figures scored by it "
            "are worth little.",
            "warning",
        ),
    )


def judge_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """How good the judge is where a rule can tell, and each judge of a panel; None where nothing was judged."""
    entries = index.named("judge.agreement")
    if not entries:
        return None
    quality = table(
        index,
        "Judge against rule, on verified items",
        rows=[entry.factors for entry in entries],
        columns=[
            SCENARIO,
            label("Form", "form", form_name),
            rate("Agreement", "judge.agreement", "same verdict as the rule"),
            rate("Sensitivity", "judge.sensitivity", "of the replies the rule passed, those the judge passed"),
            rate("Specificity", "judge.specificity", "of the replies the rule failed, those the judge failed"),
            optional(rate("Same rung", "judge.ladder", "of the leakage ladder")),
            rate("Unreadable", "judge.unreadable", "judged replies without a verdict that can be read"),
            rate("Flagged", "judge.flagged", "replies that address the judge"),
            count("Replies", "judge.agreement", "with both verdicts"),
        ],
        slug="judge",
    )
    return Section(
        "Judge quality",
        (*judge_findings(index), quality, *_panel_tables(study, index)),
        intro="How often the judge agrees with the rule on replies that both scored. A judge that passes everything "
        "has a sensitivity of 100% and a specificity of 0%.",
        slug="judge",
    )


def _panel_tables(study: InContextStudy, index: FigureIndex) -> Iterator[Finding | Table]:
    """Each judge of a panel by itself, in the main setting."""
    together = index.get("judge.unanimous")
    if together is None or together.value is None:
        return
    replies = counted(together.n, "reply", "replies")
    yield Finding(f"Panel: all judges gave the same verdict on {percent(together.value)} of {replies}.")
    judges = [entry.factors["judge"] for entry in index.named("judge.one.agreement")]
    yield table(
        index,
        f"NA, FA and SFRR by each judge alone ({setting_name(study.main_cells()[0])})",
        rows=[{**key.factors, "judge": judge} for judge in judges for key in study.main_cells()],
        columns=[
            label("Judge", "judge"),
            SCENARIO,
            *measures("na", "fa", "sfrr", prefix="by_judge."),
            label(
                "Agrees with the rule",
                lambda row: index.interval("judge.one.agreement", judge=row["judge"]),
                about="over all scenarios and forms",
                kind="percent",
            ),
        ],
        computed_only=True,
        slug="panel",
    )
