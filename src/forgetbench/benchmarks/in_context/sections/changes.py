"""Context length (figure 5, tables 6 to 8) and prompt strategies (table 2)."""

from forgetbench.benchmarks.in_context.metrics.study import CellKey, Study
from forgetbench.benchmarks.in_context.sections.names import length_name, scenario_name, setting_name
from forgetbench.figures import Cell, Chart, Column, Finding, Interval, Section, Series, Table
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import interval_words, percent, signed, verdict

_NAMES = {"na": "NA", "fa": "FA", "sfrr": "SFRR"}


def length_section(study: Study, index: FigureIndex) -> Section | None:
    """Curves over the controlled lengths, trends, and how long contexts really were; None with fewer than two."""
    if len(study.lengths) < 2:
        return None
    blocks: list[Finding | Chart | Table] = [*trend_findings(index)]
    blocks.extend(curve(study, index, name) for name in _NAMES)
    trends = trend_table(index)
    if trends.rows:
        blocks.append(trends)
    blocks.append(realised_table(study))
    return Section(
        "Context length",
        tuple(blocks),
        intro="Unrelated turns around the forgetting, until all turns before the query reach the length (cl100k "
        "tokens, Forget form, without live answers). Both forms of an item get the same turns; contexts are nested.",
        slug="lengths",
    )


def trend_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """What a doubling of the context does, where that was tested."""
    found = []
    for name, label in _NAMES.items():
        for entry in index.named(f"trend.{name}"):
            if entry.value is None:
                continue
            change = "rises" if entry.value > 0 else "falls" if entry.value < 0 else "does not move"
            found.append(
                Finding(
                    f"{scenario_name(str(entry.factors['scenario'])).capitalize()}: {label} {change} with length by "
                    f"{signed(abs(entry.value))} points a doubling ({interval_words(entry, flip=entry.value < 0)}; "
                    f"{entry.factors['strategy']} prompt).",
                    verdict(entry),
                )
            )
    return tuple(found)


def curve(study: Study, index: FigureIndex, name: str) -> Chart:
    """One measure over the lengths, a line for each scenario and strategy."""
    groups = dict.fromkeys((key.scenario, key.strategy, key.question) for key in study.cells if key.length is not None)
    several = len({strategy for _, strategy, _ in groups}) > 1
    lines = []
    for scenario, strategy, question in groups:
        keys = [CellKey(scenario, length, strategy, question) for length in study.lengths]
        label = scenario_name(scenario) + (f", {strategy}" if several else "") + (", open" if question else "")
        lines.append(Series(label, tuple(index.interval(name, **key.factors) for key in keys)))
    names = tuple(length_name(length) for length in study.lengths)
    said = []
    for line in lines:
        known = [
            f"{label} {percent(point.value)}"
            for label, point in zip(names, line.points, strict=True)
            if point is not None and point.value is not None
        ]
        said.append(f"{line.label}: {', '.join(known) or 'nothing defined'}")
    return Chart(
        "lines",
        f"{_NAMES[name]} over context length",
        names,
        tuple(lines),
        summary=". ".join(said) + ".",
        y_label=_NAMES[name],
        slug=f"{name}-by-length",
    )


def trend_table(index: FigureIndex) -> Table:
    """Change per doubling of the length, with p-values where items can be compared with themselves."""
    rows: list[dict[str, Cell | Interval]] = []
    for entry in index.named("trend.na"):
        factors = entry.factors
        row: dict[str, Cell | Interval] = {
            "scenario": scenario_name(str(factors["scenario"])),
            "strategy": str(factors["strategy"]),
        }
        for name in _NAMES:
            row[name] = index.interval(f"trend.{name}", **factors)
            row[f"{name}_p"] = index.value(f"trend.{name}.p.holm", **factors)
        rows.append(row)
    return Table(
        "Trend per doubling of the length",
        (
            Column("scenario", "scenario"),
            Column("strategy", "strategy"),
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


def realised_table(study: Study) -> Table:
    """How long the contexts were, how much of them was filler, and where the filler was little beside the length."""
    rows: list[dict[str, Cell | Interval]] = []
    for key in study.cells:
        if key.length is None:
            continue
        frame = study.cell(key)
        rows.append(
            {
                "scenario": scenario_name(key.scenario),
                "setting": setting_name(key),
                "tokens": float(frame["context_tokens"].mean() or 0),  # type: ignore[arg-type]
                "filler": float(frame["filler_tokens"].mean() or 0),  # type: ignore[arg-type]
                "items": frame["item"].n_unique(),
                "low": "low diversity" if frame["low_diversity"].any() else "",
            }
        )
    return Table(
        "Contexts as sent",
        (
            Column("scenario", "scenario"),
            Column("setting", "setting"),
            Column("tokens", "tokens before the query, mean", "integer"),
            Column("filler", "of them filler, mean", "integer"),
            Column("items", "items", "integer"),
            Column("low", "remark"),
        ),
        tuple(rows),
        slug="realised",
    )


def strategy_section(index: FigureIndex) -> Section | None:
    """Effects of the system messages against the plain role prompt; None where only one was run."""
    entries = index.named("strategy.fa")
    if not entries:
        return None
    blocks: list[Finding | Table] = []
    rows: list[dict[str, Cell | Interval]] = []
    for entry in entries:
        factors = entry.factors
        name = f"{scenario_name(str(factors['scenario']))}, {length_name(factors['length'])}"
        if entry.value is not None:
            change = "raises" if entry.value > 0 else "lowers" if entry.value < 0 else "does not change"
            blocks.append(
                Finding(
                    f"The {factors['strategy']} prompt {change} FA in {name} by {signed(abs(entry.value))} points "
                    f"({interval_words(entry, flip=entry.value < 0)}).",
                    verdict(entry),
                )
            )
        rows.append(
            {
                "cell": name,
                "strategy": str(factors["strategy"]),
                **{key: index.interval(f"strategy.{key}", **factors) for key in _NAMES},
                "p": index.value("strategy.fa.p.holm", **factors),
                "n": entry.n,
            }
        )
    table = Table(
        "Change against the plain role prompt",
        (
            Column("cell", "scenario and length"),
            Column("strategy", "prompt"),
            *(Column(key, label, "points") for key, label in _NAMES.items()),
            Column("p", "p of FA (Holm)", "p"),
            Column("n", "items", "integer"),
        ),
        tuple(rows),
        slug="strategies",
    )
    return Section(
        "Prompt strategies",
        (*blocks, table),
        intro="forget: the role prompt with an explicit reminder. none: an empty system message. Positive = higher "
        "than with the plain role prompt, on the same items.",
        slug="strategies",
    )
