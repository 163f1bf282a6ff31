"""A comparison in words and tables: what differs, what keeps the runs apart, which samples changed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from forgetbench.comparison.changes import CHANGE_NAMES, RUN_COLUMN, Change, change_column
from forgetbench.comparison.compare import RUNS_ACROSS, Comparison
from forgetbench.comparison.differences import ALPHA, Difference, DifferenceTable
from forgetbench.comparison.groups import in_words, not_distinguished
from forgetbench.comparison.second_opinion import MOST_GROUPS
from forgetbench.figures import Browser, Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetbench.measures import figure, plain
from forgetbench.outcomes import Account, Status
from forgetbench.phrasing import counted, percent, points, signed, text_column

Row = dict[str, Cell | Interval]

MINOR_COLUMNS = frozenset({"n", "excluded", "lost", "gained", "p", "corrected"})
"""Columns of a table of differences that a terminal leaves out."""
MOST_CELLS_IN_WORDS = 6
"""A table with more cells is summed up in one sentence."""


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


def comparison_figures(found: Comparison) -> Iterator[Figure]:
    """Every number: `NAME.difference`, each side's value, p-values, the smallest detectable difference, changes."""
    for table in found.tables:
        for row in table.rows:
            yield from _row_figures(found, table, row)
    for entry in found.changes:
        factors: dict[str, Cell] = {"first": found.labels[0], "second": found.labels[entry.run]}
        for change in Change:
            yield plain(
                f"{entry.outcome.name}.samples.{change.value}",
                factors,
                entry.counts[change],
                len(entry.samples),
                unit="count",
                method="matched samples, " + CHANGE_NAMES[change.value],
            )
    for opinion in found.opinions:
        factors = {"condition": opinion.level, "reference": opinion.model.reference}
        factors |= {opinion.outcome.within: opinion.within} if opinion.outcome.within else {}
        what = "condition - reference across models, items and models random"
        estimate = opinion.model.effects[opinion.level]
        yield figure(f"{opinion.outcome.name}.crossed", factors, estimate, unit="points", label=what)


def _row_figures(found: Comparison, table: DifferenceTable, row: Difference) -> Iterator[Figure]:
    name = table.measure.name
    factors: dict[str, Cell] = {
        "table": table.breakdown.title,
        **row.cell,
        "first": found.labels[row.first],
        "second": found.labels[row.second],
    }
    what = f"second - first, on the same samples: {table.measure.what}"
    yield figure(f"{name}.difference", factors, row.estimate, excluded=row.excluded, unit="points", label=what)
    n = row.estimate.n
    for side, value in (("first", row.value_first), ("second", row.value_second)):
        note = "" if value is not None else row.estimate.undefined
        yield plain(f"{name}.{side}", factors, value, n, unit="proportion", method=table.measure.what, note=note)
    note = "" if row.p is not None else row.estimate.undefined
    yield plain(f"{name}.p", factors, row.p, n, unit="p", method=f"{row.test}, two-sided", note=note)
    method = f"Holm over the {table.tests} tests of this table (cells x pairs of runs)"
    yield plain(f"{name}.p.holm", factors, row.p_holm, n, unit="p", method=method, note=note)
    if row.table is not None:
        counts = f"{row.table.b} right in the first only, {row.table.c} in the second only"
        for kind, value in (("exact", row.table.exact_p), ("corrected", row.table.corrected_p)):
            method = f"McNemar, {kind}, single samples taken as independent; {counts}"
            yield plain(f"{name}.mcnemar.{kind}", factors, value, n, unit="p", method=method)
    method = "smallest true difference found in 80% of repetitions at 5%, from the interval's width"
    yield plain(f"{name}.detectable", factors, row.detectable, n, unit="points", method=method, note=note)


def headline_findings(found: Comparison) -> tuple[Finding, ...]:
    """What keeps the runs apart, then each measure's first table in words."""
    if found.is_without_any_difference:
        every = f"every reply is the same in {found.matching.samples:,} samples"
        return (*_warnings(found), Finding(f"No difference anywhere: {every}."))
    said = [
        finding
        for _, tables in groupby(found.tables, key=lambda table: table.measure.name)
        for finding in table_findings(found, next(iter(tables)))
    ]
    return (*_warnings(found), *said)


def _warnings(found: Comparison) -> Iterator[Finding]:
    for run in found.runs:
        if run.table.height < run.planned:
            yield Finding(
                f"{run.label}: only {run.table.height:,} of {run.planned:,} planned samples are in its logs.", "warning"
            )
    for run, table in zip(found.runs, found.matching.tables, strict=True):
        account = Account.of(table["status"].to_list(), table["raw_pass"].to_list())
        if account.is_length_limited:
            cut = account.counts[Status.TRUNCATED]
            yield Finding(
                f"{run.label} is length-limited: {cut:,} of {account.attempted:,} matched replies were cut off.",
                "warning",
            )
    if found.matching.only_in_some:
        yield Finding(
            f"{counted(found.matching.only_in_some, 'sample')} that some run lacks {_are(found.matching.only_in_some)} "
            f"left out; the comparison is over the {found.matching.samples:,} that all hold.",
            "warning",
        )
    if found.matching.asked_differently:
        yield Finding(
            f"{counted(found.matching.asked_differently, 'sample')} {_are(found.matching.asked_differently)} left out "
            "because the runs were not sent the same.",
            "warning",
        )
    for mismatch in found.mismatches:
        listed = "; ".join(f"{label}: {value}" for label, value in zip(found.labels, mismatch.values, strict=True))
        yield Finding(f"Not the same in all runs: {mismatch.what} ({listed}).", "warning")


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def table_findings(found: Comparison, table: DifferenceTable) -> tuple[Finding, ...]:
    """A sentence for each cell of a small table of two runs, one for a large table or many runs."""
    apart = [row for row in table.rows if row.is_distinguished]
    if len(found.runs) == 2 and len(table.rows) <= MOST_CELLS_IN_WORDS:
        rest = [row for row in table.rows if not row.is_distinguished]
        shown = tuple(
            Finding(f"{_capital(table.measure.label)}: {_in_words(found, table, row)}", "shown") for row in apart
        )
        return (*shown, *((_undecided(found, table, rest),) if rest else ()))
    where = f"{_capital(table.measure.label)}, {table.breakdown.title}"
    tested = f"{table.tests} comparisons"
    if not apart:
        return (Finding(f"{where}: no difference is shown in {tested} (Holm).", "undecided"),)
    largest = max(apart, key=lambda row: abs(row.estimate.value or 0.0))
    words = f"{where}: {counted(len(apart), 'difference')} of {tested} {_are(len(apart))} shown (Holm); the largest: "
    return (Finding(words + _in_words(found, table, largest), "shown"),)


def _undecided(found: Comparison, table: DifferenceTable, rows: Sequence[Difference]) -> Finding:
    """The cells in which nothing is shown, in one sentence; of a single cell, its numbers."""
    name = _capital(table.measure.label)
    if len(rows) == 1:
        return Finding(f"{name}: {_in_words(found, table, rows[0])}", "undecided")
    listed = "; ".join(
        f"{cell_name(table, row)} {'undefined' if row.estimate.value is None else signed(row.estimate.value)}"
        for row in rows
    )
    missed = max((row.detectable for row in rows if row.detectable is not None), default=None)
    words = "" if missed is None else f". Less than {points(missed)} would mostly be missed in the widest of them"
    return Finding(f"{name}: no difference is shown. Points: {listed}{words}.", "undecided")


def _in_words(found: Comparison, table: DifferenceTable, row: Difference) -> str:
    value, first, second = row.estimate.value, row.value_first, row.value_second
    where = f"{cell_name(table, row)}: " if row.cell else ""
    if value is None or first is None or second is None:
        return f"{where}not defined ({row.estimate.undefined})."
    one, two = found.labels[row.first], found.labels[row.second]
    interval = (
        f"95% interval {signed(row.estimate.low)} to {signed(row.estimate.high)}"
        if row.estimate.low is not None and row.estimate.high is not None
        else f"no interval: {row.estimate.undefined}"
    )
    p = "" if row.p_holm is None else f", p {_p(row.p_holm)} after Holm"
    direction = "no different from" if value == 0 else f"{points(value)} points {'above' if value > 0 else 'below'}"
    missed = (
        ""
        if row.is_distinguished or row.detectable is None
        else f"; less than {points(row.detectable)} points would mostly be missed"
    )
    return (
        f"{where}{two} ({percent(second)}) is {direction} {one} ({percent(first)}), {interval}{p}, "
        f"{_matched(row)}{missed}."
    )


def _matched(row: Difference) -> str:
    clusters = row.estimate.clusters
    of = f" of {clusters} clusters" if clusters not in (0, row.estimate.n) else ""
    return f"{counted(row.estimate.n, 'matched unit')}{of}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def cell_name(table: DifferenceTable, row: Difference) -> str:
    """A cell for a person: the names of its factors' values; `all` without factors."""
    words = [_value_name(column, row.cell[column.key]) for column in _telling(table)]
    return ", ".join(word for word in words if word) or "all"


def _telling(table: DifferenceTable) -> tuple[Column, ...]:
    """The factors that tell the table's cells apart; of a single cell, the first."""
    factors = table.breakdown.factors
    several = tuple(one for one in factors if len({row.cell[one.key] for row in table.rows}) > 1)
    return several or factors[:1]


def _value_name(column: Column, value: Cell) -> str:
    name = column.names.get("" if value is None else str(value))
    return name if name is not None else "" if value is None else str(value).replace("_", " ")


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
        _capital(measure.label),
        (difference_chart(found, main), difference_table(found, main), *sets, *rest),
        intro=f"{_capital(measure.what)}.",
        slug=f"measure-{measure.name.replace('.', '-')}",
    )


def difference_table(found: Comparison, table: DifferenceTable) -> Table:
    """A row for each cell and pair of runs."""
    many = len(found.runs) > 2
    rows: list[Row] = []
    for row in table.rows:
        rows.append(
            {
                **{
                    f"cell {column.key}": _value_name(column, row.cell[column.key])
                    for column in table.breakdown.factors
                },
                "pair": f"{found.labels[row.second]} - {found.labels[row.first]}",
                "first": row.value_first,
                "second": row.value_second,
                "difference": Interval(
                    row.estimate.value,
                    row.estimate.low,
                    row.estimate.high,
                    row.estimate.undefined if row.estimate.value is None or row.estimate.low is None else "",
                ),
                "n": row.estimate.n,
                "excluded": row.excluded,
                "lost": None if row.table is None else row.table.b,
                "gained": None if row.table is None else row.table.c,
                "p": row.p,
                "corrected": None if row.table is None else row.table.corrected_p,
                "holm": row.p_holm,
                "detectable": _in_points(row.detectable),
            }
        )
    first, second = ("First", "Second") if many else found.labels
    has_counts = any(row.table is not None for row in table.rows)
    test = ", ".join(dict.fromkeys(row.test for row in table.rows))
    counts = (
        Column("lost", "Only first", "integer", "right in the first run only"),
        Column("gained", "Only second", "integer", "right in the second run only"),
    )
    mcnemar = Column(
        "corrected", "McNemar, corrected", "p", "continuity-corrected, single samples taken as independent: for papers"
    )
    columns = (
        *(text_column(f"cell {column.key}", column.label) for column in _telling(table)),
        *((text_column("pair", "Second - first"),) if many else ()),
        Column("first", first, "percent"),
        Column("second", second, "percent"),
        Column("difference", "Difference", "points", "second - first, paired, with its 95% interval"),
        Column("n", "Matched", "integer", "units scored in both"),
        Column("excluded", "Left out", "integer", "units of the cell not scored in both"),
        *(counts if has_counts else ()),
        Column("p", "p", "p", test),
        *((mcnemar,) if has_counts else ()),
        Column("holm", "p, Holm", "p", f"over the {table.tests} tests of this table; at most {ALPHA} tells runs apart"),
        Column("detectable", "Detectable points", "number", "smallest true difference found in 80% of repetitions"),
    )
    title = f"{_capital(table.measure.label)}, {table.breakdown.title}"
    return Table(title, columns, tuple(rows), slug=_slug(table, "differences"))


def _in_points(value: float | None) -> float | None:
    """A size in points, which has no sign."""
    return None if value is None else round(100 * value, 1)


def _slug(table: DifferenceTable, what: str) -> str:
    return f"{what}-{table.measure.name}-{table.breakdown.title}".replace(".", "-").replace(" ", "-").replace(",", "")


def difference_chart(found: Comparison, table: DifferenceTable) -> Chart:
    """Each later run's difference from the first, by cell, with its interval."""
    cells = list(dict.fromkeys(cell_name(table, row) for row in table.rows))
    from_first: dict[int, dict[str, Difference]] = {}
    for row in table.rows:
        if row.first == 0:
            from_first.setdefault(row.second, {})[cell_name(table, row)] = row
    series = tuple(
        Series(
            found.labels[run],
            tuple(
                Interval(rows[cell].estimate.value, rows[cell].estimate.low, rows[cell].estimate.high)
                if cell in rows
                else None
                for cell in cells
            ),
        )
        for run, rows in sorted(from_first.items())
    )
    apart = sum(row.is_distinguished for row in table.rows if row.first == 0)
    return Chart(
        "bars",
        f"{_capital(table.measure.label)}: difference from {found.labels[0]}",
        tuple(cells),
        series,
        f"Differences from {found.labels[0]} in percentage points with their 95% intervals; above zero the other run "
        f"is higher. {apart} of {sum(len(rows) for rows in from_first.values())} are shown after Holm's correction.",
        y_label="difference",
        unit="points",
        slug=_slug(table, "chart"),
    )


def groups_table(found: Comparison, table: DifferenceTable) -> Table:
    """For each cell the runs from high to low, and the sets that are not told apart."""
    rows: list[Row] = []
    for name, group in groupby(table.rows, key=lambda row: cell_name(table, row)):
        of_cell = list(group)
        sets = not_distinguished(of_cell, len(found.runs))
        widest = max((row.detectable for row in of_cell if row.detectable is not None), default=None)
        words = in_words(sets, found.labels)
        rows.append({"cell": name, "sets": words, "count": len(sets), "detectable": _in_points(widest)})
    return Table(
        f"{_capital(table.measure.label)}: runs that are not told apart",
        (
            text_column("cell", "Cell"),
            text_column("sets", "Sets of runs not told apart", "no two of a set differ after Holm; sets may overlap"),
            Column("count", "Sets", "integer"),
            Column("detectable", "Detectable points", "number", "the largest of the pairs of the cell"),
        ),
        tuple(rows),
        note="Not told apart is not equal: differences below the last column are mostly missed.",
        slug=_slug(table, "groups"),
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
            *(Column(change.value, _capital(CHANGE_NAMES[change.value]), "integer") for change in Change),
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
