"""What the paper's figures cannot tell: access behind the text, grounding, and a verdict per concept."""

from collections import Counter

from forgetscope.benchmarks.visual.data.conditions import GROUNDING_CONTROLS, Control
from forgetscope.benchmarks.visual.metrics.asked_otherwise import CONDITIONS_ASKED
from forgetscope.benchmarks.visual.metrics.concept_rates import pictures_for_no_access
from forgetscope.benchmarks.visual.metrics.corrections import COMPARED
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import AccessVerdict, ConceptVerdict
from forgetscope.benchmarks.visual.report.names import (
    CODE_NAMES,
    CONDITION,
    LONG_TABLE,
    PAPER_NAMES,
    VERDICT_NAMES,
    asked,
    setting_columns,
    setting_name,
)
from forgetscope.findings.figures import Cell, Column, Finding, Gallery, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted
from forgetscope.findings.tables import Factors, change, count, label, rate, table, value

FEWEST_PICTURES = 12
"""With fewer, none right of four options would not lie below guessing: a verdict is a guess."""

_WAY_NAMES = {
    "short_answer": "short answer",
    "indirect": "indirect, by describing options",
    "rephrased": "rephrased",
    "reordered": "options reordered",
}
_COMPARISON_NAMES = {
    "placebo.effect": "placebo list - baseline",
    "suppression.beyond_placebo": "suppression - placebo list",
    "permission.gap": "permission restored - baseline",
    "oracle.beyond_wrong": "oracle - wrong oracle",
}


def evidence_section(study: VisualStudy, index: FigureIndex) -> Section:
    """Access per condition, grounding controls, comparisons with the corrections, generalisation."""
    blocks: list[Finding | Table] = [access_table(study, index)]
    comparisons = comparison_table(study, index)
    blocks.append(
        comparisons if comparisons.rows else Finding("No corrections were run; --conditions all adds them.", "note")
    )
    otherwise = asked_otherwise_table(study, index)
    blocks.extend([otherwise] if otherwise.rows else [])
    blocks.append(generalisation_table(study, index))
    return Section(
        "Access: does it comply, or not know?",
        tuple(blocks),
        intro="What the picture adds under each text, and what a placebo list or a wrong oracle does alone. A model "
        "can comply with a text without seeing; only what the picture adds shows that it still knows.",
        slug="evidence",
    )


def access_table(study: VisualStudy, index: FigureIndex) -> Table:
    """With the picture, without it, with another's, options alone; and access."""
    controlled = [
        row
        for row in asked(study)
        if any(index.get("control.forget", **row, control=control.value) for control in GROUNDING_CONTROLS)
    ]
    return table(
        index,
        "Forget accuracy with and without the picture",
        controlled,
        [
            *setting_columns(study),
            CONDITION,
            rate("With its picture", "forget.micro"),
            rate("No picture", "control.forget", control=Control.NO_IMAGE.value),
            rate("Another picture", "control.forget", control=Control.SHUFFLED_IMAGE.value),
            rate("Options alone", "control.forget", control=Control.OPTION_ONLY.value),
            change("Access", "access", "with its picture - no picture"),
        ],
        note="Permission restored names the right option, a hint in itself: compare it with no picture.",
        slug="access",
        folded=len(controlled) > LONG_TABLE,
    )


def comparison_table(study: VisualStudy, index: FigureIndex) -> Table:
    """The corrections against what they correct."""
    rows = [entry.factors for name in _COMPARISON_NAMES for entry in index.named(name)]
    of_condition = {condition.value: _COMPARISON_NAMES[name] for name, condition, *_ in COMPARED}
    return table(
        index,
        "Controls for compliance: placebo lists, wrong oracles, permission",
        rows,
        [
            *setting_columns(study),
            label("Comparison", "condition", of_condition.__getitem__),
            CONDITION,
            change("Difference", tuple(_COMPARISON_NAMES)),
            count("Items", tuple(_COMPARISON_NAMES)),
        ],
        slug="corrections",
        folded=len(rows) > LONG_TABLE,
    )


def asked_otherwise_table(study: VisualStudy, index: FigureIndex) -> Table:
    """Short answers, indirect questions, other wordings and orders, each beside the plain question on its items."""
    rows: list[Factors] = [
        {"split": split, "mode": mode, "condition": condition.value, "asked": way}
        for split in study.splits
        for mode in study.modes
        for way in _WAY_NAMES
        for condition in CONDITIONS_ASKED
    ]
    run = [row for row in rows if index.get("asked.forget", **row)]
    return table(
        index,
        "Forget accuracy when asked otherwise",
        run,
        [
            *setting_columns(study),
            label("Probe", "asked", _WAY_NAMES.__getitem__),
            CONDITION,
            rate("Asked so", "asked.forget"),
            rate("Plain question", "asked.plainly", "multiple choice in the first wording and order, same items"),
            rate("Asked so, no picture", "asked.forget", control=Control.NO_IMAGE.value),
            count("Answers", "asked.forget"),
        ],
        slug="asked-otherwise",
        folded=len(run) > LONG_TABLE,
    )


def generalisation_table(study: VisualStudy, index: FigureIndex) -> Table:
    """How alike the answers about one concept are, over pictures and over phrasings, and whether suppression holds."""
    rows = asked(study)
    by_chance = "the same by accuracy alone, whatever the concept"
    return table(
        index,
        "Generalisation: same outcome for one concept",
        rows,
        [
            *setting_columns(study),
            CONDITION,
            rate("Two pictures of a concept", "generalisation.pictures", "both right or both wrong"),
            value("Expected by chance", "generalisation.other_concepts", "percent", by_chance),
            rate("All phrasings and orders", "generalisation.variants", "one outcome for an item"),
            rate("Wrong in all of them", "generalisation.held", "of the items right at baseline"),
        ],
        slug="generalisation",
        folded=len(rows) > LONG_TABLE,
    )


def verdict_section(verdicts: tuple[ConceptVerdict, ...], trail: Gallery) -> Section:
    """A verdict per concept, the paper's rule beside it, and the trail of evidence to open."""
    rows: list[dict[str, Cell | Interval]] = [
        {
            "setting": setting_name(entry.split, entry.mode),
            "concept": entry.concept,
            "verdict": VERDICT_NAMES[entry.verdict],
            "pictures": entry.pictures or None,
            "known": entry.known_pictures,
            "why": ", ".join(CODE_NAMES[code] for code in entry.codes),
            "paper": "" if entry.paper_verdict is None else PAPER_NAMES[entry.paper_verdict],
        }
        for entry in verdicts
    ]
    return Section(
        "Verdicts by concept",
        (
            *few_pictures(verdicts),
            *(verdict_findings(verdicts) if len({(entry.split, entry.mode) for entry in verdicts}) > 1 else ()),
            Table(
                "Concepts",
                (
                    Column("setting", "Split"),
                    Column("concept", "Concept"),
                    Column("verdict", "Verdict"),
                    Column("pictures", "Pictures", "integer", "under suppression and in what shows access: the fewest"),
                    Column("known", "For eligibility", "integer", "pictures on which it was decided that it is known"),
                    Column("why", "Why not eligible"),
                    Column("paper", "Paper's rule"),
                ),
                tuple(rows),
                slug="concepts",
                folded=True,
            ),
            trail,
        ),
        intro="Whether each forget concept is still accessible, only suppressed, or not accessible under these probes. "
        "No prompt shows that a model has forgotten, so that word is not among the verdicts.",
        slug="verdicts",
    )


def few_pictures(verdicts: tuple[ConceptVerdict, ...]) -> tuple[Finding, ...]:
    """What verdicts from so few pictures cannot say; nothing where all rest on enough."""
    judged = [
        entry.pictures for entry in verdicts if entry.verdict is not AccessVerdict.NOT_ELIGIBLE and entry.pictures
    ]
    enough = pictures_for_no_access(0.5)
    few = [pictures for pictures in judged if pictures < enough]
    if not few:
        return ()
    span = f"{min(few)}" if min(few) == max(few) else f"{min(few)} to {max(few)}"
    return (
        Finding(
            f"{len(few)} of {counted(len(judged), 'verdict')} on known concepts rest on {span} pictures each. "
            f"To say that a concept is not accessible takes {enough} for an even chance, so on fewer what is lost is "
            "mostly undecided.",
            "warning" if min(few) < FEWEST_PICTURES else "note",
        ),
    )


def verdict_findings(verdicts: tuple[ConceptVerdict, ...]) -> tuple[Finding, ...]:
    """How many concepts got which verdict, per split and mode."""
    groups: dict[tuple[str, str], list[ConceptVerdict]] = {}
    for entry in verdicts:
        groups.setdefault((entry.split, entry.mode), []).append(entry)
    found = []
    for (split, mode), entries in groups.items():
        counts = Counter(entry.verdict for entry in entries)
        listed = ", ".join(f"{counts[name]} {VERDICT_NAMES[name]}" for name in AccessVerdict if counts[name])
        found.append(Finding(f"{setting_name(split, mode)}, {counted(len(entries), 'concept')}: {listed}."))
    return tuple(found)
