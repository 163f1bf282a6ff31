"""What suppression does by level and axis (Figure 3c), and over all concepts: what a busy person reads first."""

from collections import Counter
from functools import partial

import polars as pl

from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, SUPPRESSIONS, Condition
from forgetscope.benchmarks.visual.metrics.pooled import ALL, PooledGroup, groups
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import AccessVerdict, ConceptVerdict
from forgetscope.benchmarks.visual.report.names import (
    CODE_NAMES,
    VERDICT_NAMES,
    changed_finding,
    condition_name,
    group_name,
)
from forgetscope.findings.charts import chart, drawn, line
from forgetscope.findings.figures import Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, counted, percent, points
from forgetscope.findings.tables import Factors, change, label, optional, rate, table
from forgetscope.findings.verdicts import Support

_C = Condition


def level_section(study: VisualStudy, index: FigureIndex, verdicts: tuple[ConceptVerdict, ...]) -> Section:
    """The bars of Figure 3(c) and a row for every level and axis; of modes after the first also what was found."""
    found = groups(study)
    blocks: list[Finding | Chart | Table] = []
    for mode in study.modes:
        blocks.extend(overall_findings(study, index, verdicts, mode))
        levels = [group for group in found if group.by == "level"]
        if len(levels) > 1:
            blocks.append(_level_chart(index, levels, mode))
        blocks.append(_level_table(study, index, found, verdicts, mode))
    return Section(
        "Accuracy by level and axis (Figure 3c)",
        tuple(blocks),
        intro="Mean accuracy over forget concepts in each condition, for every kind of concept. All in the repaired "
        "reading; the paper's stands with all conditions. Access is accuracy with the picture minus accuracy under the "
        "same text without it: what seeing adds.",
        slug="levels",
    )


def _label(study: VisualStudy, mode: str) -> str:
    return f"{mode.replace('_', ' ').capitalize()}: " if len(study.modes) > 1 else ""


def headline_findings(
    study: VisualStudy, index: FigureIndex, verdicts: tuple[ConceptVerdict, ...]
) -> tuple[Finding, ...]:
    """The sentences over all concepts, of the first mode that was run."""
    return tuple(finding for mode in study.modes[:1] for finding in overall_findings(study, index, verdicts, mode))


def overall_findings(
    study: VisualStudy, index: FigureIndex, verdicts: tuple[ConceptVerdict, ...], mode: str
) -> tuple[Finding, ...]:
    """What suppression did and cost, whether permission restores it, the verdicts, and what the paper's rule says."""
    label = _label(study, mode)
    texts = (
        *_suppression(index, mode),
        _permission(study, index, mode),
        _verdicts([entry for entry in verdicts if entry.mode == mode]),
    )
    return tuple(Finding(f"{label}{finding.text}", finding.verdict) for finding in texts if finding is not None)


def _get(index: FigureIndex, name: str, mode: str, condition: Condition) -> Figure | None:
    return index.get(name, by=ALL, group=ALL, mode=mode, condition=condition.value)


def _suppression(index: FigureIndex, mode: str) -> tuple[Finding, ...]:
    """Soft suppression where it was run, else medium, and its cost; the baseline alone where neither was."""
    before = _get(index, "pooled.forget.macro", mode, _C.BASELINE_NORMAL)
    for condition in SUPPRESSIONS:
        after, change = (_get(index, name, mode, condition) for name in ("pooled.forget.macro", "pooled.forget.change"))
        if after is None or change is None or before is None:
            continue
        if before.value is None or after.value is None or change.value is None:
            why = next(entry.note for entry in (before, after, change) if entry.value is None)
            return (Finding(f"Nothing can be said of {condition_name(condition)}: {why}.", "undecided"),)
        kept = _get(index, "pooled.retain.change", mode, condition)
        return (
            changed_finding(
                f"Under {condition_name(condition)}, forget accuracy (repaired reading)", change, before, after
            ),
            *((changed_finding("Cost: retain accuracy", kept),) if kept is not None and kept.value is not None else ()),
        )
    if before is not None and before.value is not None:
        return (
            Finding(
                f"Forget accuracy at baseline is {percent(before.value)}; no suppression was run, so nothing can be "
                "said of it."
            ),
        )
    return (Finding("No reply could be scored, so there is nothing to say.", "undecided"),)


def _permission(study: VisualStudy, index: FigureIndex, mode: str) -> Finding | None:
    """Whether what suppression took away is there when the concepts are allowed again."""
    for condition, listed in ((_C.RESTORED_SOFT, _C.UNLEARN_SOFT), (_C.RESTORED_MEDIUM, _C.UNLEARN_MEDIUM)):
        after = _get(index, "pooled.forget.macro", mode, condition)
        under = _get(index, "pooled.forget.macro", mode, listed)
        if after is None or after.value is None or under is None or under.value is None:
            continue
        access = _get(index, "pooled.access", mode, condition)
        blind = _get(index, "pooled.forget.blind", mode, condition)
        restored = study.frame.filter(pl.col("condition") == condition.value)
        names_answers = restored.select(pl.col("labels").list.contains(pl.col("forget_concept")).any()).item()
        said = "names the right option, a hint" if names_answers else "names people, no option"
        start = (
            f"Permission restored: with the concepts allowed again, forget accuracy is {percent(after.value)} "
            f"({percent(under.value)} while suppressed). The text that allows them {said}"
        )
        if access is None or access.value is None or blind is None or blind.value is None:
            return Finding(f"{start}; how strong one was not measured." if names_answers else f"{start}.")
        adds = "adds" if access.value >= 0 else "takes away"
        return Support.of(access).finding(
            f"{start}: without the picture {percent(blind.value)} are right, so the picture {adds} "
            f"{points(access.value)} points ({basis(access)})"
        )
    return None


def _verdicts(entries: list[ConceptVerdict]) -> Finding | None:
    """How many concepts got which verdict, and what the paper's rule would have said of them."""
    if not entries:
        return None
    counts = Counter(entry.verdict for entry in entries)
    listed = ", ".join(f"{counts[name]} {VERDICT_NAMES[name]}" for name in AccessVerdict if counts[name])
    codes = Counter(entry.codes[0] for entry in entries if entry.codes)  # each concept once, by the first that holds
    why = ", ".join(f"{count} {CODE_NAMES[code]}" for code, count in codes.most_common())
    text = f"Verdicts on {counted(len(entries), 'forget concept')}: {listed}{f' ({why})' if why else ''}."
    ruled = [entry for entry in entries if entry.paper_verdict is not None]
    called = [entry for entry in ruled if entry.paper_verdict]
    if ruled:
        known = sum(entry.verdict in (AccessVerdict.ACCESSIBLE, AccessVerdict.SUPPRESSED) for entry in called)
        unknown = sum(entry.verdict is AccessVerdict.NOT_ELIGIBLE for entry in called)
        of_them = [f"{known} still accessible or only suppressed"] * bool(known)
        of_them += [f"{unknown} never known"] * bool(unknown)
        more = f" ({', '.join(of_them)})" if of_them else ""
        text += f" The paper's rule would call {len(called) or 'none'} of {len(ruled)} unlearned{more}."
    return Finding(text)


def _of_mode(mode: str) -> str:
    """How answers were taken, where that is not by generating them."""
    return "" if mode == "generate" else f", {mode.replace('_', ' ')}"


def _group(by: str, name: str) -> str:
    """`object level`, `size axis`, `all concepts`."""
    return group_name(name) if by == ALL else f"{group_name(name)} {by}"


def _level_chart(index: FigureIndex, levels: list[PooledGroup], mode: str) -> Chart:
    """Figure 3(c) for this run."""
    over = {group_name(group.name): {"by": group.by, "group": group.name, "mode": mode} for group in levels}
    lines = [line(condition_name(name), "pooled.forget.macro", condition=name.value) for name in PAPER_CONDITIONS]
    return chart(
        index,
        "bars",
        f"Forget accuracy by level (Figure 3c){_of_mode(mode)}",
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
    several = len(study.splits) > 1

    def given(verdict: AccessVerdict, row: Factors) -> int:
        of = splits[str(row["by"]), str(row["group"])]
        return sum(entry.verdict is verdict and entry.mode == mode and entry.split in of for entry in verdicts)

    def concepts(row: Factors) -> int:
        return sum(len(study.concepts(split)) for split in splits[str(row["by"]), str(row["group"])])

    macro, base, soft, restored = "pooled.forget.macro", _C.BASELINE_NORMAL, _C.UNLEARN_SOFT, _C.RESTORED_SOFT
    figures = (
        rate("Forget, baseline", macro, condition=base),
        rate("Forget, soft suppression", macro, condition=soft),
        change(
            "Change",
            "pooled.forget.change",
            "soft suppression - baseline on the same items, mean over concepts",
            condition=soft,
        ),
        rate(
            "Permission restored",
            macro,
            "suppressed softly, then allowed; the text names the answer: a hint",
            condition=restored,
        ),
        rate("Restored, no picture", "pooled.forget.blind", "how far that hint goes by itself", condition=restored),
        rate("Oracle, hard", macro, condition=_C.ORACLE_HARD),
        change("Access, baseline", "pooled.access", "with the picture - without it", condition=base),
        change("Access, soft suppression", "pooled.access", "with the picture - without it, same text", condition=soft),
        rate("Retain, baseline", "pooled.retain", condition=base),
        change("Retain, change", "pooled.retain.change", "soft suppression - baseline, same items", condition=soft),
    )
    return table(
        index,
        f"By level and axis{_of_mode(mode)}",
        [{"by": group.by, "group": group.name, "mode": mode} for group in found if group.by == ALL or several],
        [
            label("Level or axis", lambda row: _group(str(row["by"]), str(row["group"]))),
            label("Concepts", concepts, kind="integer"),
            *map(optional, figures),
            *(
                optional(label(VERDICT_NAMES[name].capitalize(), partial(given, name), kind="integer"))
                for name in AccessVerdict
            ),
        ],
        slug=f"levels-table-{mode}",
    )
