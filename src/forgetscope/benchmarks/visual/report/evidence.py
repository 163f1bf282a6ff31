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
    SETTING,
    VERDICT_NAMES,
    asked,
    setting_name,
)
from forgetscope.findings.figures import Cell, Column, Finding, Gallery, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted
from forgetscope.findings.tables import Factors, change, count, label, rate, table, value

FEWEST_PICTURES = 12
"""With fewer, none right of four options would not lie below guessing: a verdict is a guess."""

_WAY_NAMES = {
    "short_answer": "in own words",
    "indirect": "by options that describe",
    "rephrased": "in other wordings",
    "reordered": "in other orders",
}
_COMPARISON_NAMES = {
    "placebo.effect": "any list, against the baseline",
    "suppression.beyond_placebo": "suppression, against the placebo list",
    "permission.gap": "permission restored, against the baseline",
    "oracle.beyond_wrong": "oracle, against the wrong oracle",
}


def evidence_section(study: VisualStudy, index: FigureIndex) -> Section:
    """Access per condition, grounding controls, comparisons with the corrections, generalisation."""
    blocks: list[Finding | Table] = [access_table(study, index)]
    comparisons = comparison_table(index)
    blocks.append(
        comparisons if comparisons.rows else Finding("No corrections were run; --conditions all adds them.", "note")
    )
    otherwise = asked_otherwise_table(study, index)
    blocks.extend([otherwise] if otherwise.rows else [])
    blocks.append(generalisation_table(study, index))
    return Section(
        "Obeys or does not know?",
        tuple(blocks),
        intro="Access is accuracy with the picture minus accuracy under the same text without it. A model that obeys a "
        "text can do so without seeing; only what the picture adds shows knowledge.",
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
        "With and without the picture, forget side",
        controlled,
        [
            SETTING,
            CONDITION,
            rate("with its picture", "forget.micro"),
            rate("without a picture", "control.forget", control=Control.NO_IMAGE.value),
            rate("with another's", "control.forget", control=Control.SHUFFLED_IMAGE.value),
            rate("options alone", "control.forget", control=Control.OPTION_ONLY.value),
            change("access", "access"),
        ],
        note="Permission restored names the right option again, a hint in itself: read it without the picture too.",
        slug="access",
        folded=len(controlled) > LONG_TABLE,
    )


def comparison_table(index: FigureIndex) -> Table:
    """The corrections against what they correct."""
    rows = [entry.factors for name in _COMPARISON_NAMES for entry in index.named(name)]
    of_condition = {condition.value: _COMPARISON_NAMES[name] for name, condition, *_ in COMPARED}
    return table(
        index,
        "Corrections",
        rows,
        [
            SETTING,
            label("comparison", "condition", of_condition.__getitem__),
            CONDITION,
            change("difference", tuple(_COMPARISON_NAMES)),
            count("items", tuple(_COMPARISON_NAMES)),
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
        "Asked otherwise, forget side",
        run,
        [
            SETTING,
            label("how", "asked", _WAY_NAMES.__getitem__),
            CONDITION,
            rate("asked so", "asked.forget"),
            rate("plainly", "asked.plainly", "multiple choice in the first wording and order, same items"),
            rate("asked so, no picture", "asked.forget", control=Control.NO_IMAGE.value),
            count("answers", "asked.forget"),
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
        "Generalisation: the same outcome for one concept",
        rows,
        [
            SETTING,
            CONDITION,
            rate("two pictures of a concept", "generalisation.pictures", "both right or both wrong"),
            value("of two concepts", "generalisation.other_concepts", "percent", by_chance),
            rate("all phrasings and orders", "generalisation.variants", "one outcome for an item"),
            rate("wrong in all of them", "generalisation.held", "of the items right at baseline"),
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
        "Verdict per concept",
        (
            *few_pictures(verdicts),
            *verdict_findings(verdicts),
            Table(
                "Concepts",
                (
                    Column("setting", "split"),
                    Column("concept", "concept"),
                    Column("verdict", "verdict"),
                    Column("pictures", "pictures", "integer", "under suppression and in what shows access: the fewest"),
                    Column("known", "for eligibility", "integer", "pictures on which it was decided that it is known"),
                    Column("why", "why not eligible"),
                    Column("paper", "the paper's rule"),
                ),
                tuple(rows),
                slug="concepts",
                folded=True,
            ),
            trail,
        ),
        intro="No prompt shows that a model has forgotten, so that word is not among the verdicts.",
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
        eligible = len(entries) - counts[AccessVerdict.NOT_ELIGIBLE]
        found.append(
            Finding(
                f"{setting_name(split, mode)}: of {counted(len(entries), 'concept')} {listed}.",
                "shown" if eligible and counts[AccessVerdict.UNDECIDED] < eligible else "undecided",
            )
        )
    return tuple(found)
