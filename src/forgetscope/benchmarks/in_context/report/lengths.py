"""Context length (figure 5, tables 6 to 8): curves, trends, and how long contexts really were."""

from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import length_name, scenario_name, setting_name, strategy_name
from forgetscope.benchmarks.in_context.report.settings import said
from forgetscope.findings.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import interval_words, points, verdict

MEASURES = {"na": "NA", "fa": "FA", "sfrr": "SFRR"}
FEWEST_FOR_A_TREND = 3
CORRECTED_BELOW = 0.05
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
        intro="Unrelated turns around the forgetting, until all turns before the query reach the length (cl100k "
        "tokens, Forget form, without live answers). Both forms of an item get the same turns; contexts are nested.",
        slug="lengths",
    )


def trend_findings(study: InContextStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """One finding for every trend that is shown, one for all that are not; the table has each."""
    if len(study.lengths) < FEWEST_FOR_A_TREND:
        return (
            Finding(f"A trend is tested over {FEWEST_FOR_A_TREND} lengths or more; {len(study.lengths)} were run."),
        )
    several = len({key.strategy for key in study.cells}) > 1
    found, undecided = [], []
    for name, label in MEASURES.items():
        for entry in index.named(f"trend.{name}"):
            if entry.value is None:
                continue
            where = _where(entry, several)
            if not is_shown(index, entry):
                undecided.append(f"{label} in {where}")
                continue
            change = "rises" if entry.value > 0 else "falls"
            found.append(
                Finding(
                    f"{where.capitalize()}: {label} {change} by {points(entry.value)} points with every doubling of "
                    f"the context ({interval_words(entry, flip=entry.value < 0)}).",
                    "shown",
                )
            )
    return (*found, *not_shown("trend with length", undecided))


def not_shown(what: str, where: list[str]) -> tuple[Finding, ...]:
    """One finding for all that was tested and is not shown: named where they are few, else counted."""
    if not where:
        return ()
    few = len(where) <= MOST_NAMED
    named = f"for {', '.join(where)}" if few else f"in {len(where)} of those tested (the table has them)"
    return (Finding(f"No {what} is shown {named}.", "undecided"),)


def _where(entry: Figure, several: bool) -> str:
    parts = [scenario_name(str(entry.factors["scenario"]))]
    if entry.factors.get("question"):
        parts.append("open question")
    if several:
        parts.append(strategy_name(str(entry.factors["strategy"])))
    return f"{parts[0]} ({', '.join(parts[1:])})" if len(parts) > 1 else parts[0]


def is_shown(index: FigureIndex, entry: Figure) -> bool:
    """Whether a figure's interval excludes zero and its p-value, where it has one, holds after Holm's correction."""
    corrected = index.value(f"{entry.name}.p.holm", **entry.factors)
    return verdict(entry) == "shown" and (corrected is None or corrected < CORRECTED_BELOW)


def curve(study: InContextStudy, index: FigureIndex, name: str) -> Chart:
    """One measure over the lengths under the main prompt, a line for each scenario."""
    strategy = study.main_setting[1]
    groups = dict.fromkeys(
        (key.scenario, key.question) for key in study.cells if key.length is not None and key.strategy == strategy
    )
    lines = []
    for scenario, question in groups:
        keys = [DialogueCell(scenario, length, strategy, question) for length in study.lengths]
        label = scenario_name(scenario) + (", open question" if question else "")
        lines.append(Series(label, tuple(index.interval(name, **key.factors) for key in keys)))
    names = tuple(length_name(length) for length in study.lengths)
    return Chart(
        "lines",
        f"{MEASURES[name]} over context length ({strategy_name(strategy)})",
        names,
        tuple(lines),
        summary=". ".join(said(line, names) for line in lines) + ".",
        y_label=MEASURES[name],
        slug=f"{name}-by-length",
    )


def trend_table(index: FigureIndex) -> Table:
    """Change per doubling of the length, with p-values where items can be compared with themselves."""
    rows: list[dict[str, Cell | Interval]] = []
    for entry in index.named("trend.na"):
        factors = entry.factors
        row: dict[str, Cell | Interval] = {
            "scenario": scenario_name(str(factors["scenario"])) + (", open question" if "question" in factors else ""),
            "strategy": strategy_name(str(factors["strategy"])),
        }
        for name in MEASURES:
            row[name] = index.interval(f"trend.{name}", **factors)
            row[f"{name}_p"] = index.value(f"trend.{name}.p.holm", **factors)
        rows.append(row)
    return Table(
        "Trend per doubling of the length",
        (
            Column("scenario", "scenario"),
            Column("strategy", "prompt"),
            Column("na", "NA", "points"),
            Column("na_p", "p (Holm)", "p"),
            Column("fa", "FA", "points"),
            Column("fa_p", "p (Holm)", "p"),
            Column("sfrr", "SFRR", "points"),
        ),
        tuple(rows),
        note="NA and FA within items. SFRR is of the items right without interference at each length, which are not "
        "the same items, so it has an interval and no test.",
        slug="trends",
    )


def context_table(study: InContextStudy, index: FigureIndex) -> Table:
    """How long the contexts were, how much of them was filler, and how many items were left out as too long."""
    rows: list[dict[str, Cell | Interval]] = []
    for key in study.cells:
        mean = index.get("context.tokens", **key.factors)
        if mean is None or key.strategy != study.main_setting[1]:
            continue
        least, most = (index.value(f"context.tokens.{end}", **key.factors) for end in ("least", "most"))
        shared = index.value("context.low_diversity", **key.factors)
        rows.append(
            {
                "scenario": scenario_name(key.scenario),
                "setting": setting_name(key),
                "tokens": mean.value,
                "range": f"{least:,.0f} to {most:,.0f}",
                "filler": index.value("context.filler", **key.factors),
                "items": mean.n,
                "left_out": int(index.value("context.left_out", **key.factors) or 0),
                "low": "low diversity" if shared else "",
            }
        )
    return Table(
        "Contexts as sent",
        (
            Column("scenario", "scenario"),
            Column("setting", "setting"),
            Column("tokens", "tokens before the query, mean", "integer"),
            Column("range", "least to most"),
            Column("filler", "of them filler, mean", "integer"),
            Column("items", "items", "integer"),
            Column("left_out", "left out", "integer", "longer than this length by themselves"),
            Column("low", "remark", "text", "low diversity: items share much of the filler there is"),
        ),
        tuple(rows),
        slug="contexts",
        folded=True,
    )
