"""Context length (figure 5, tables 6 to 8): curves, trends, and how long contexts really were."""

from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.report.names import length_name, scenario_name, strategy_name
from forgetscope.benchmarks.in_context.report.settings import SCENARIO, SETTING
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, points, verdict
from forgetscope.findings.tables import Factors, change, count, label, p_value, table, tally, value
from forgetscope.findings.verdicts import Support

MEASURES = {"na": "NA", "fa": "FA", "sfrr": "SFRR"}
FEWEST_FOR_A_TREND = 3
MOST_NAMED = 3


def length_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """Curves over the controlled lengths, trends, and contexts as sent; None with fewer than two lengths."""
    if len(study.lengths) < 2:
        return None
    blocks: list[Finding | Chart | Table] = [*trend_findings(study, index)]
    blocks.extend(curve(study, index, name) for name in MEASURES)
    trends = trend_table(index)
    if trends.rows:
        blocks.append(trends)
    blocks.append(context_table(study, index))
    return Section(
        "Context length",
        tuple(blocks),
        intro="How NA, FA and SFRR change as the dialogue gets longer. Unrelated turns are put before and after the "
        "request until all turns before the query reach the length (cl100k tokens, Forget form, without live answers). "
        "Both forms of an item get the same turns, and a longer context holds those of the shorter ones.",
        slug="lengths",
    )


def trend_findings(study: InContextStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """One finding for every trend that is shown, one for all that are not; the table has each."""
    if len(study.lengths) < FEWEST_FOR_A_TREND:
        return (
            Finding(
                f"{len(study.lengths)} lengths were run; a trend is tested over {FEWEST_FOR_A_TREND} or more "
                "('--lengths')."
            ),
        )
    several = len({key.strategy for key in study.cells}) > 1
    found, undecided = [], []
    for name, heading in MEASURES.items():
        for entry in index.named(f"trend.{name}"):
            if entry.value is None:
                continue
            where = _where(entry, several)
            if verdict(entry) != "shown":
                undecided.append(f"{heading} in {where}")
                continue
            change = "rose" if entry.value > 0 else "fell"
            found.append(
                Support.of(entry).finding(
                    f"{where.capitalize()}: {heading} {change} by {points(entry.value)} points for each doubling of "
                    f"the context ({_tested(entry)})"
                )
            )
    return (*found, *not_shown("trend with length", undecided))


def _tested(entry: Figure) -> str:
    """What a trend rests on; SFRR's has no test."""
    return basis(entry) if entry.p is None else f"{basis(entry)}; p after Holm"


def not_shown(what: str, where: list[str]) -> tuple[Finding, ...]:
    """One finding for all that was tested and is not shown: named where they are few, else counted."""
    if not where:
        return ()
    few = len(where) <= MOST_NAMED
    named = f"for {', '.join(where)}" if few else f"in {len(where)} comparisons, which stand in the table"
    return (Finding(f"No {what} is shown {named}.", "undecided"),)


def _where(entry: Figure, several: bool) -> str:
    parts = [scenario_name(str(entry.factors["scenario"]))]
    if entry.factors.get("question"):
        parts.append("open question")
    if several:
        parts.append(strategy_name(str(entry.factors["strategy"])))
    return f"{parts[0]} ({', '.join(parts[1:])})" if len(parts) > 1 else parts[0]


def curve(study: InContextStudy, index: FigureIndex, name: str) -> Chart:
    """One measure over the lengths under the main prompt, a line for each scenario."""
    strategy = study.main_setting[1]
    groups = dict.fromkeys(
        (key.scenario, key.question) for key in study.cells if key.length is not None and key.strategy == strategy
    )
    return chart(
        index,
        "lines",
        f"{MEASURES[name]} over context length ({strategy_name(strategy)})",
        over={length_name(length): {"length": length, "strategy": strategy} for length in study.lengths},
        lines=[
            line(
                scenario_name(scenario) + (", open question" if question else ""),
                name,
                scenario=scenario,
                **({"question": question} if question else {}),
            )
            for scenario, question in groups
        ],
        summary="{said}.",
        y_label=MEASURES[name],
        slug=f"{name}-by-length",
    )


def trend_table(index: FigureIndex) -> Table:
    """Change per doubling of the length, with p-values where items can be compared with themselves."""
    return table(
        index,
        "Change per doubling of the context",
        rows=[entry.factors for entry in index.named("trend.na")],
        columns=[
            label("Scenario", _asked),
            label("Prompt", "strategy", strategy_name),
            change("NA", "trend.na"),
            p_value("p, NA", "trend.na.p.holm", "permuted within items, Holm over all trends"),
            change("FA", "trend.fa"),
            p_value("p, FA", "trend.fa.p.holm", "permuted within items, Holm over all trends"),
            change("SFRR", "trend.sfrr"),
        ],
        note="NA and FA are compared within items. SFRR is of the items right in the NoForget form, which are others "
        "at each length: it has an interval and no test.",
        slug="trends",
    )


def _asked(row: Factors) -> str:
    return scenario_name(str(row["scenario"])) + (", open question" if "question" in row else "")


def context_table(study: InContextStudy, index: FigureIndex) -> Table:
    """How long the contexts were, how much of them was filler, and how many items were left out as too long."""

    def ends(row: Factors) -> str:
        least, most = (index.value(f"context.tokens.{end}", **row) for end in ("least", "most"))
        return f"{least:,.0f} to {most:,.0f}"

    return table(
        index,
        "Length of the contexts sent",
        rows=[key.factors for key in study.cells if key.strategy == study.main_setting[1]],
        columns=[
            SCENARIO,
            SETTING,
            value("Tokens, mean", "context.tokens", "integer", "before the query"),
            label("Shortest to longest", ends),
            value("Filler tokens, mean", "context.filler", "integer"),
            count("Items", "context.tokens"),
            tally("Too long", "context.left_out", "items longer than this length without filler, left out"),
            label(
                "Remark",
                lambda row: "items share filler" if index.value("context.low_diversity", **row) else "",
                about="there is too little filler for each item to get its own",
            ),
        ],
        computed_only=True,
        slug="contexts",
        folded=True,
    )
