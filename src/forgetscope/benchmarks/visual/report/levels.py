"""What suppression does by level and axis (Figure 3c), and over all concepts: what a busy person reads first."""

from collections import Counter

from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, SUPPRESSIONS, Condition
from forgetscope.benchmarks.visual.metrics.pooled import ALL, Group, groups
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import AccessVerdict, ConceptVerdict
from forgetscope.benchmarks.visual.report.names import CODE_NAMES, VERDICT_NAMES, condition_name, group_name
from forgetscope.findings.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, interval_words, percent, points, signed, undecided_words, verdict

_C = Condition


def level_section(study: VisualStudy, index: FigureIndex, verdicts: tuple[ConceptVerdict, ...]) -> Section:
    """Findings over all concepts, the bars of Figure 3(c), and a row for every level and axis."""
    found = groups(study)
    blocks: list[Finding | Chart | Table] = []
    for mode in study.modes:
        blocks.extend(overall_findings(index, verdicts, mode, label=_label(study, mode)))
        levels = [group for group in found if group.by == "level"]
        if len(levels) > 1:
            blocks.append(_level_chart(index, levels, mode))
        blocks.append(_level_table(study, index, found, verdicts, mode))
    return Section(
        "At a glance, by level and axis",
        tuple(blocks),
        intro="Means over forget concepts. Access is accuracy with the picture minus accuracy under the same text "
        "without it. No prompt shows that a model has forgotten.",
        slug="levels",
    )


def _label(study: VisualStudy, mode: str) -> str:
    return f"{mode.replace('_', ' ').capitalize()}: " if len(study.modes) > 1 else ""


def headline_findings(
    study: VisualStudy, index: FigureIndex, verdicts: tuple[ConceptVerdict, ...]
) -> tuple[Finding, ...]:
    """The sentences over all concepts, of the first mode that was run."""
    return tuple(
        finding
        for mode in study.modes[:1]
        for finding in overall_findings(index, verdicts, mode, label=_label(study, mode))
    )


def overall_findings(
    index: FigureIndex, verdicts: tuple[ConceptVerdict, ...], mode: str, *, label: str = ""
) -> tuple[Finding, ...]:
    """What suppression did and cost, whether permission restores it, the verdicts, and what the paper's rule says."""
    texts = (
        _suppression(index, mode),
        _permission(index, mode),
        *_verdicts([entry for entry in verdicts if entry.mode == mode]),
    )
    return tuple(Finding(f"{label}{finding.text}", finding.verdict) for finding in texts if finding is not None)


def _get(index: FigureIndex, name: str, mode: str, condition: Condition) -> Figure | None:
    return index.get(name, by=ALL, group=ALL, mode=mode, condition=condition.value)


def _suppression(index: FigureIndex, mode: str) -> Finding | None:
    """Soft suppression where it was run, else medium; the baseline alone where neither was."""
    before = _get(index, "pooled.forget.macro", mode, _C.BASELINE_NORMAL)
    for condition in SUPPRESSIONS:
        after, change = (_get(index, name, mode, condition) for name in ("pooled.forget.macro", "pooled.forget.change"))
        if after is None or change is None or before is None:
            continue
        if before.value is None or after.value is None or change.value is None:
            why = next(entry.note for entry in (before, after, change) if entry.value is None)
            return Finding(f"Nothing can be said of {condition_name(condition)}: {why}.", "undecided")
        moved = "lowers" if change.value < 0 else "raises" if change.value > 0 else "leaves"
        start = f"{condition_name(condition).capitalize()} {moved} accuracy on the forget concepts"
        figures = (
            f"at {percent(before.value)}"
            if not change.value
            else f"from {percent(before.value)} to {percent(after.value)}"
        )
        return Finding(
            f"{start} {figures} ({interval_words(change)}){undecided_words(change) if change.value else ''}"
            f"{_cost(_get(index, 'pooled.retain.change', mode, condition))}.",
            verdict(change),
        )
    if before is not None and before.value is not None:
        return Finding(
            f"{percent(before.value)} right on the forget concepts; no suppression was run, so nothing can be said of "
            "it."
        )
    return Finding("No reply could be scored, so there is nothing to say.", "undecided")


def _cost(kept: Figure | None) -> str:
    """What suppression does to what should be kept."""
    if kept is None or kept.value is None:
        return ""
    if not kept.value:
        return f"; what is to be kept does not move ({interval_words(kept)})"
    how = "loses" if kept.value < 0 else "gains"
    sure = "" if verdict(kept) == "shown" else ", not shown to differ from none"
    return f"; what is to be kept {how} {points(kept.value)} points ({interval_words(kept)}{sure})"


def _permission(index: FigureIndex, mode: str) -> Finding | None:
    """Whether what suppression took away is there when the concepts are allowed again."""
    for condition, listed in ((_C.RESTORED_SOFT, _C.UNLEARN_SOFT), (_C.RESTORED_MEDIUM, _C.UNLEARN_MEDIUM)):
        after = _get(index, "pooled.forget.macro", mode, condition)
        under = _get(index, "pooled.forget.macro", mode, listed)
        gap = _get(index, "pooled.forget.change", mode, condition)
        if after is None or gap is None or after.value is None or gap.value is None or gap.low is None:
            continue
        if under is None or under.value is None:
            continue
        access = _get(index, "pooled.access", mode, condition)
        blind = _get(index, "pooled.forget.blind", mode, condition)
        seen = (
            f" The text names the right option again, which is a hint: without the picture {percent(blind.value)} are "
            f"right under it, so the picture is worth {signed(access.value)} points ({interval_words(access)})."
            if access is not None and access.value is not None and blind is not None and blind.value is not None
            else " The text names the right option again, which is a hint; how strong one, nothing was asked to tell."
        )
        back = "at" if gap.low <= 0 <= (gap.high or 0) else "below" if gap.value < 0 else "above"
        return Finding(
            f"Listed and then allowed again, accuracy is {percent(after.value)} ({percent(under.value)} while listed): "
            f"{back} the baseline (the difference: {interval_words(gap)}).{seen}",
            "shown" if access is not None and verdict(access) == "shown" else "undecided",
        )
    return None


def _verdicts(entries: list[ConceptVerdict]) -> tuple[Finding, ...]:
    """How many concepts got which verdict, and what the paper's rule would have said of them."""
    if not entries:
        return ()
    counts = Counter(entry.verdict for entry in entries)
    listed = ", ".join(f"{counts[name]} {VERDICT_NAMES[name]}" for name in AccessVerdict if counts[name])
    decided = len(entries) - counts[AccessVerdict.NOT_ELIGIBLE] - counts[AccessVerdict.UNDECIDED]
    codes = Counter(code for entry in entries for code in entry.codes)
    why = ", ".join(f"{count} {CODE_NAMES[code]}" for code, count in codes.most_common())
    found = [
        Finding(
            f"Of {counted(len(entries), 'forget concept')}: {listed}{f' ({why})' if why else ''}.",
            "shown" if decided else "undecided",
        )
    ]
    ruled = [entry for entry in entries if entry.paper_verdict is not None]
    if ruled:
        called = [entry for entry in ruled if entry.paper_verdict]
        known = sum(entry.verdict in (AccessVerdict.ACCESSIBLE, AccessVerdict.SUPPRESSED) for entry in called)
        unknown = sum(entry.verdict is AccessVerdict.NOT_ELIGIBLE for entry in called)
        more = f"; {known} of them are accessible or only suppressed, {unknown} were never known" if called else ""
        found.append(
            Finding(
                f"The paper's rule would call {len(called)} of the {counted(len(ruled), 'concept')} it applies to "
                f"unlearned{more}.",
                "note",
            )
        )
    return tuple(found)


def _level_chart(index: FigureIndex, levels: list[Group], mode: str) -> Chart:
    """Figure 3(c) for this run."""
    lines = []
    for condition in PAPER_CONDITIONS:
        bars = tuple(index.interval("pooled.forget.macro", **group.factors(mode, condition)) for group in levels)
        if any(bar is not None for bar in bars):
            lines.append(Series(condition_name(condition), bars))
    names = tuple(group_name(group.name) for group in levels)
    said = [
        f"{line.label}: "
        + ", ".join(
            f"{name} {percent(bar.value)}"
            for name, bar in zip(names, line.points, strict=True)
            if bar is not None and bar.value is not None
        )
        for line in lines
    ]
    return Chart(
        "bars",
        f"Forget accuracy by level (figure 3c), {mode.replace('_', ' ')}",
        names,
        tuple(lines),
        summary=". ".join(said) + ".",
        y_label="accuracy",
        slug=f"levels-{mode}",
    )


def _level_table(
    study: VisualStudy, index: FigureIndex, found: tuple[Group, ...], verdicts: tuple[ConceptVerdict, ...], mode: str
) -> Table:
    rows = [_row(study, index, group, verdicts, mode) for group in found]
    columns = (
        Column("by", "by"),
        Column("group", "level or axis"),
        Column("concepts", "concepts", "integer"),
        Column("baseline", "baseline", "percent"),
        Column("soft", "soft", "percent"),
        Column("change", "change, soft", "points", "soft - baseline on the same items, mean over concepts"),
        Column("restored", "allowed again", "percent", "listed softly, then lifted; the text names the answer: a hint"),
        Column("restored_blind", "the same, no picture", "percent", "how far that hint goes by itself"),
        Column("hard", "oracle, hard", "percent"),
        Column("access", "access, baseline", "points", "with the picture - without it"),
        Column("access_soft", "access, soft", "points", "with the picture - without it, same text"),
        Column("retain", "retain", "percent"),
        Column("retain_change", "retain, change", "points", "soft - baseline"),
        *(Column(name.value, VERDICT_NAMES[name], "integer") for name in AccessVerdict),
    )
    return Table(
        f"By level and axis, {mode.replace('_', ' ')}",
        tuple(column for column in columns if any(row.get(column.key) is not None for row in rows)),
        tuple(rows),
        slug=f"levels-table-{mode}",
    )


def _row(
    study: VisualStudy, index: FigureIndex, group: Group, verdicts: tuple[ConceptVerdict, ...], mode: str
) -> dict[str, Cell | Interval]:
    def interval(name: str, condition: Condition) -> Interval | None:
        return index.interval(f"pooled.{name}", **group.factors(mode, condition))

    counts = Counter(entry.verdict for entry in verdicts if entry.mode == mode and entry.split in group.splits)
    return {
        "by": group.by if group.by != ALL else "",
        "group": group_name(group.name),
        "concepts": sum(len(study.concepts(split)) for split in group.splits),
        "baseline": interval("forget.macro", _C.BASELINE_NORMAL),
        "soft": interval("forget.macro", _C.UNLEARN_SOFT),
        "change": interval("forget.change", _C.UNLEARN_SOFT),
        "restored": interval("forget.macro", _C.RESTORED_SOFT),
        "restored_blind": interval("forget.blind", _C.RESTORED_SOFT),
        "hard": interval("forget.macro", _C.ORACLE_HARD),
        "access": interval("access", _C.BASELINE_NORMAL),
        "access_soft": interval("access", _C.UNLEARN_SOFT),
        "retain": interval("retain", _C.BASELINE_NORMAL),
        "retain_change": interval("retain.change", _C.UNLEARN_SOFT),
        **{name.value: counts[name] for name in AccessVerdict},
    }
