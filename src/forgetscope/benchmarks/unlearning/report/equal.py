"""Methods at equal forgetting: what each still knows where a quarter, half, three quarters have been forgotten."""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.metrics.equal import LEVELS
from forgetscope.benchmarks.unlearning.report.names import CORPUS, FORMAT, METHOD, SUBSET, probe_name
from forgetscope.findings.figures import Cell, Column, Interval, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent
from forgetscope.findings.tables import Factors, Shown, label, table

NOT_REACHED = "not reached"


def equal_section(index: FigureIndex) -> Section | None:
    """A row a method, format and measure: what it keeps at each level; None where no training was followed."""
    found = index.named("equal.furthest")
    if not found:
        return None
    doses = {frozenset(entry.factors.items()): entry.method for entry in found}

    def dose(row: Factors) -> Cell:
        return doses[frozenset(row.items())]

    columns: Sequence[Shown] = (
        CORPUS,
        FORMAT,
        SUBSET,
        METHOD,
        label("Forgotten by", "probe", probe_name),
        *(_at(level) for level in LEVELS),
        Shown(
            Column("", "Furthest", "percent", "of the way to the retain-only model, after any epoch"),
            lambda index, row: index.value("equal.furthest", **row),
        ),
        label("Trained", dose),
    )
    return Section(
        "Methods at equal forgetting",
        (
            table(
                index,
                "What is kept at equal forgetting",
                [entry.factors for entry in found],
                columns,
                note="Share of the target's score on the questions about what should be kept. The way goes from the "
                "target (0%) to the retain-only model (100%), along the training, epoch by epoch; intervals are over "
                "questions, and over training seeds where there are several. One seed says nothing of another.",
                slug="equal",
            ),
        ),
        intro="Methods that were run at one rate have gone different ways; here each is read where it had forgotten as "
        "much as the others. Where a method was trained at several rates or betas, one was chosen on a quarter of the "
        "questions, which take no part in this table. The published setting stands in the tables below.",
        slug="equal",
    )


def _at(level: float) -> Shown:
    def cell(index: FigureIndex, row: Factors) -> Cell | Interval:
        found = index.get("equal.retained", **row, level=level)
        if found is None or (found.value is None and NOT_REACHED in found.note):
            return None if found is None else NOT_REACHED
        return index.interval("equal.retained", **row, level=level)

    return Shown(Column("", f"Kept at {percent(level)}", "percent", "share of the target's score"), cell)
