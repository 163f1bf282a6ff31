"""What suppression does by level and axis (Figure 3c), and over all concepts: what a busy person reads first."""

from collections import Counter
from functools import partial

from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, SUPPRESSIONS, Condition
from forgetscope.benchmarks.visual.metrics.pooled import ALL, PooledGroup, groups
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import AccessVerdict, ConceptVerdict
from forgetscope.benchmarks.visual.report.names import CODE_NAMES, VERDICT_NAMES, condition_name, group_name
from forgetscope.findings.charts import chart, drawn, line
from forgetscope.findings.figures import Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, interval_words, percent, points, signed, undecided_words, verdict
from forgetscope.findings.tables import Factors, change, label, optional, rate, table

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


def _level_chart(index: FigureIndex, levels: list[PooledGroup], mode: str) -> Chart:
    """Figure 3(c) for this run."""
    over = {group_name(group.name): {"by": group.by, "group": group.name, "mode": mode} for group in levels}
    lines = [line(condition_name(name), "pooled.forget.macro", condition=name.value) for name in PAPER_CONDITIONS]
    return chart(
        index,
        "bars",
        f"Forget accuracy by level (figure 3c), {mode.replace('_', ' ')}",
        over=over,
        lines=drawn(index, over, lines),
        summary="{said}.",
        y_label="accuracy",
        slug=f"levels-{mode}",
    )


def _level_table(
    study: VisualStudy,
    index: FigureIndex,
    found: tuple[PooledGroup, ...],
    verdicts: tuple[ConceptVerdict, ...],
    mode: str,
) -> Table:
    splits = {(group.by, group.name): group.splits for group in found}

    def given(verdict: AccessVerdict, row: Factors) -> int:
        of = splits[str(row["by"]), str(row["group"])]
        return sum(entry.verdict is verdict and entry.mode == mode and entry.split in of for entry in verdicts)

    def concepts(row: Factors) -> int:
        return sum(len(study.concepts(split)) for split in splits[str(row["by"]), str(row["group"])])

    macro, base, soft, restored = "pooled.forget.macro", _C.BASELINE_NORMAL, _C.UNLEARN_SOFT, _C.RESTORED_SOFT
    figures = (
        rate("baseline", macro, condition=base),
        rate("soft", macro, condition=soft),
        change(
            "change, soft",
            "pooled.forget.change",
            "soft - baseline on the same items, mean over concepts",
            condition=soft,
        ),
        rate(
            "allowed again", macro, "listed softly, then lifted; the text names the answer: a hint", condition=restored
        ),
        rate("the same, no picture", "pooled.forget.blind", "how far that hint goes by itself", condition=restored),
        rate("oracle, hard", macro, condition=_C.ORACLE_HARD),
        change("access, baseline", "pooled.access", "with the picture - without it", condition=base),
        change("access, soft", "pooled.access", "with the picture - without it, same text", condition=soft),
        rate("retain", "pooled.retain", condition=base),
        change("retain, change", "pooled.retain.change", "soft - baseline", condition=soft),
    )
    return table(
        index,
        f"By level and axis, {mode.replace('_', ' ')}",
        [{"by": group.by, "group": group.name, "mode": mode} for group in found],
        [
            label("by", lambda row: "" if row["by"] == ALL else row["by"]),
            label("level or axis", "group", group_name),
            label("concepts", concepts, kind="integer"),
            *map(optional, figures),
            *(label(VERDICT_NAMES[name], partial(given, name), kind="integer") for name in AccessVerdict),
        ],
        slug=f"levels-table-{mode}",
    )
