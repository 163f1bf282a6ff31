"""A comparison as sections of a page: what was compared, each measure, which samples changed."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import polars as pl

from forgetscope.comparison.changes import CHANGE_NAMES, RUN_COLUMN, Change, OutcomeChanges, change_column
from forgetscope.comparison.compare import RUNS_ACROSS, Comparison
from forgetscope.comparison.difference_tables import difference_chart, difference_table, groups_table
from forgetscope.comparison.differences import DifferenceTable
from forgetscope.comparison.findings import capital
from forgetscope.comparison.runs import ComparedRun
from forgetscope.comparison.second_opinion import MOST_GROUPS, ConditionContrast
from forgetscope.findings.figures import Browser, Column, Finding, Interval, Section
from forgetscope.findings.tables import Given, given, listing

Pair = tuple[ComparedRun, pl.DataFrame]
"""A run and its matched samples."""


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

    def scored(pair: Pair, *statuses: str) -> int:
        return int(pair[1]["status"].is_in(statuses).sum())

    columns: list[Given[Pair]] = [
        given("Run", lambda pair: pair[0].label),
        given("Model", lambda pair: pair[0].model),
        given("Decoding", lambda pair: pair[0].decoding),
        given("Judge", lambda pair: pair[0].judge or None, is_optional=True),
        given("Folder", lambda pair: pair[0].folder),
        given("Samples", lambda pair: pair[0].table.height, "integer"),
        given("Planned", lambda pair: pair[0].planned, "integer"),
        given("Matched", lambda _: found.matching.samples, "integer", "samples all runs hold and were sent alike"),
        given(
            "Scored",
            lambda pair: scored(pair, "correct", "incorrect"),
            "integer",
            "matched samples that ended as correct or incorrect",
        ),
        given("Correct", lambda pair: scored(pair, "correct"), "integer"),
        given("Completeness", lambda pair: pair[0].completeness, "percent"),
    ]
    pairs = list(zip(found.runs, found.matching.tables, strict=True))
    return Section(
        "What was compared",
        (listing("Runs", pairs, columns, slug="runs"),),
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

    def effect(opinion: ConditionContrast) -> Interval:
        estimate = opinion.model.effects[opinion.level]
        return Interval(estimate.value, estimate.low, estimate.high, estimate.undefined)

    def spread(opinion: ConditionContrast) -> str:
        return ", ".join(f"{name} {100 * value:.1f}" for name, value in opinion.model.spreads.items())

    table = listing(
        "Conditions across models, with items and models random",
        found.opinions,
        [
            given("Outcome", lambda opinion: opinion.outcome.label),
            given("Within", lambda opinion: opinion.within.replace("_", " "), is_optional=True),
            given(
                "Condition - reference",
                lambda opinion: f"{opinion.level} - {opinion.model.reference}".replace("_", " "),
            ),
            given(
                "Mean over runs",
                lambda opinion: opinion.plain,
                "points",
                "plain difference of rates, averaged over the runs",
            ),
            given("Mixed model", effect, "points", "with its 95% interval"),
            given("Samples", lambda opinion: opinion.model.effects[opinion.level].n, "integer"),
            given("Spread, points", spread, about="standard deviation of each random effect"),
        ],
        slug="second-opinion",
    )
    return Section(
        "A second opinion across models",
        (table,) if table.rows else (Finding(_NO_OPINION),),
        intro="The tables above take these runs and items as they are. Here items and models are drawn from many, and "
        "the effect of a condition may differ by model: a linear mixed model with crossed random effects, restricted "
        f"maximum likelihood, Student's t with {len(found.runs) - 1} degrees of freedom (runs - 1). Runs of one "
        "family are not independent, and few runs give wide intervals.",
        slug="second-opinion",
    )


def changes_section(found: Comparison) -> Section:
    """How many samples went which way, and which."""
    since = f"From {found.labels[0]} to"
    table = listing(
        "Samples by what became of them",
        found.changes,
        [
            given("Outcome", lambda entry: entry.outcome.label),
            given(since, lambda entry: found.labels[entry.run]),
            *(_became(change) for change in Change),
            given("Same reply", lambda entry: entry.same_reply, "integer", "the very same text in both runs"),
        ],
        slug="changes",
    )
    moved = [(entry, sample, change) for entry in found.changes for sample, change in entry.changed]
    changed = listing(
        "Samples that changed",
        moved,
        [
            given("Outcome", lambda each: each[0].outcome.label),
            given(since, lambda each: found.labels[each[0].run]),
            given("Sample", lambda each: each[1]),
            given("Change", lambda each: CHANGE_NAMES[each[2].value]),
        ],
        slug="changed-samples",
        folded=True,
    )
    return Section(
        "What changed, sample by sample",
        (table, *((changed,) if moved else ())),
        intro="Both ways: a difference of zero may hide many samples that went each way.",
        slug="changes",
    )


def _became(change: Change) -> Given[OutcomeChanges]:
    return given(capital(CHANGE_NAMES[change.value]), lambda entry: entry.counts[change], "integer")


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
