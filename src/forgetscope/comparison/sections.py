"""A comparison as sections of a page: what was compared, each measure, which samples changed."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from forgetscope.comparison.changes import CHANGE_NAMES, RUN_COLUMN, Change, change_column
from forgetscope.comparison.compare import RUNS_ACROSS, Comparison
from forgetscope.comparison.difference_tables import Row, difference_chart, difference_table, groups_table
from forgetscope.comparison.differences import DifferenceTable
from forgetscope.comparison.findings import capital
from forgetscope.comparison.second_opinion import MOST_GROUPS
from forgetscope.findings.figures import Browser, Column, Finding, Interval, Section, Table
from forgetscope.findings.phrasing import text_column


def comparison_sections(found: Comparison, browser: Browser | None) -> tuple[Section, ...]:
    """The runs, then each measure, then what changed sample by sample.

    Args:
        found: The comparison.
        browser: The benchmark's way of reading its samples; None leaves them out.
    """
    sections = [runs_section(found)]
    for _, tables in groupby(found.tables, key=lambda table: table.measure.name):
        sections.append(measure_section(found, list(tables)))
    sections.append(changes_section(found))
    if len(found.runs) >= RUNS_ACROSS and any(entry.condition for entry in found.design.outcomes):
        sections.append(opinion_section(found))
    if browser is not None:
        sections.append(samples_section(found, browser))
    return tuple(sections)


def runs_section(found: Comparison) -> Section:
    """What was compared, and what became of each run's matched samples."""
    rows: list[Row] = []
    for run, table in zip(found.runs, found.matching.tables, strict=True):
        correct = int((table["status"] == "correct").sum())
        scored = int(table["status"].is_in(["correct", "incorrect"]).sum())
        rows.append(
            {
                "label": run.label,
                "model": run.model,
                "decoding": run.decoding,
                "judge": run.judge or None,
                "folder": run.folder,
                "samples": run.table.height,
                "planned": run.planned,
                "matched": found.matching.samples,
                "scored": scored,
                "correct": correct,
                "completeness": run.completeness,
            }
        )
    columns = (
        text_column("label", "Run"),
        text_column("model", "Model"),
        text_column("decoding", "Decoding"),
        *((text_column("judge", "Judge"),) if any(row["judge"] for row in rows) else ()),
        text_column("folder", "Folder"),
        Column("samples", "Samples", "integer"),
        Column("planned", "Planned", "integer"),
        Column("matched", "Matched", "integer", "samples all runs hold and were sent alike"),
        Column("scored", "Scored", "integer", "matched samples that ended as correct or incorrect"),
        Column("correct", "Correct", "integer"),
        Column("completeness", "Completeness", "percent"),
    )
    return Section(
        "What was compared",
        (Table("Runs", columns, tuple(rows), slug="runs"),),
        intro=f"All differences are between runs over the same {found.matching.samples:,} samples, paired one by one. "
        "Data and prompt texts are the same in all runs; where anything else differs it is said at the top.",
        slug="runs",
    )


def measure_section(found: Comparison, tables: Sequence[DifferenceTable]) -> Section:
    """A measure's tables: the first open, with its differences drawn and sets not told apart, the others folded."""
    measure, main = tables[0].measure, tables[0]
    rest = tuple(replace(difference_table(found, table), folded=True) for table in tables[1:])
    sets = (groups_table(found, main),) if len(found.runs) >= RUNS_ACROSS else ()
    return Section(
        capital(measure.label),
        (difference_chart(found, main), difference_table(found, main), *sets, *rest),
        intro=f"{capital(measure.what)}.",
        slug=f"measure-{measure.name.replace('.', '-')}",
    )


_NO_OPINION = (
    f"Not fitted: one condition alone, or more than {MOST_GROUPS:,} items, load items and models together, for which "
    "the model takes too long."
)


def opinion_section(found: Comparison) -> Section:
    """Conditions across models by the mixed model, beside the plain mean over the runs."""
    rows: list[Row] = []
    for opinion in found.opinions:
        estimate = opinion.model.effects[opinion.level]
        rows.append(
            {
                "outcome": opinion.outcome.label,
                "within": opinion.within.replace("_", " "),
                "level": f"{opinion.level} - {opinion.model.reference}".replace("_", " "),
                "plain": opinion.plain,
                "effect": Interval(estimate.value, estimate.low, estimate.high, estimate.undefined),
                "n": estimate.n,
                "spread": ", ".join(f"{name} {100 * value:.1f}" for name, value in opinion.model.spreads.items()),
            }
        )
    table = Table(
        "Conditions across models, with items and models random",
        (
            text_column("outcome", "Outcome"),
            *((text_column("within", "Within"),) if any(row["within"] for row in rows) else ()),
            text_column("level", "Condition - reference"),
            Column("plain", "Mean over runs", "points", "plain difference of rates, averaged over the runs"),
            Column("effect", "Mixed model", "points", "with its 95% interval"),
            Column("n", "Samples", "integer"),
            text_column("spread", "Spread, points", "standard deviation of each random effect"),
        ),
        tuple(rows),
        slug="second-opinion",
    )
    return Section(
        "A second opinion across models",
        (table,) if rows else (Finding(_NO_OPINION),),
        intro="The tables above take these runs and items as they are. Here items and models are drawn from many, and "
        "the effect of a condition may differ by model: a linear mixed model with crossed random effects, restricted "
        f"maximum likelihood, Student's t with {len(found.runs) - 1} degrees of freedom (runs - 1). Runs of one "
        "family are not independent, and few runs give wide intervals.",
        slug="second-opinion",
    )


def changes_section(found: Comparison) -> Section:
    """How many samples went which way, and which."""
    counts: list[Row] = []
    moved: list[Row] = []
    for entry in found.changes:
        counted_ = entry.counts
        counts.append(
            {
                "outcome": entry.outcome.label,
                "run": found.labels[entry.run],
                **{change.value: counted_[change] for change in Change},
                "same": entry.same_reply,
            }
        )
        for sample, change in entry.changed:
            moved.append(
                {
                    "outcome": entry.outcome.label,
                    "run": found.labels[entry.run],
                    "sample": sample,
                    "change": CHANGE_NAMES[change.value],
                }
            )
    head = (text_column("outcome", "Outcome"), text_column("run", f"From {found.labels[0]} to"))
    table = Table(
        "Samples by what became of them",
        (
            *head,
            *(Column(change.value, capital(CHANGE_NAMES[change.value]), "integer") for change in Change),
            Column("same", "Same reply", "integer", "the very same text in both runs"),
        ),
        tuple(counts),
        slug="changes",
    )
    listing = Table(
        "Samples that changed",
        (*head, text_column("sample", "Sample"), text_column("change", "Change")),
        tuple(moved),
        slug="changed-samples",
        folded=True,
    )
    return Section(
        "What changed, sample by sample",
        (table, *((listing,) if moved else ())),
        intro="Both ways: a difference of zero may hide many samples that went each way.",
        slug="changes",
    )


def samples_section(found: Comparison, browser: Browser) -> Section:
    """The matched samples of all runs, to filter by what changed and to read side by side."""
    outcomes = dict.fromkeys(entry.outcome for entry in found.changes)
    changes = tuple(
        Column(change_column(outcome), f"{outcome.label}, since {found.labels[0]}", names=CHANGE_NAMES)
        for outcome in outcomes
    )
    run = Column(RUN_COLUMN, "Run", names={label: label for label in found.labels})
    sample = tuple(column for column in browser.shown if column.key == "sample_id")
    others = tuple(column for column in browser.shown if column.key != "sample_id")
    return Section(
        "Samples",
        (
            replace(
                browser,
                filters=(*changes, run, *browser.filters),
                shown=(*sample, run, *changes, *others),
                together=("sample_id",),
                apart=run,
            ),
        ),
        intro=f"What changed stands at the samples of the later runs, as seen from {found.labels[0]}. Open one and "
        "press 'Side by side' to read the replies of all runs to it.",
        slug="samples",
    )
