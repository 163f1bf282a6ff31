"""Tables over the cells of a run: the main setting for everyone, all lengths and prompts for who opens them."""

from collections.abc import Iterator, Sequence

from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import scenario_name, setting_name
from forgetscope.benchmarks.in_context.settings import NATIVE
from forgetscope.findings.figures import Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Factors, Shown, change, label, rate, table


def cell_of(factors: Factors) -> DialogueCell:
    """The cell that a row's factors are of, whatever else they name."""
    length = factors["length"]
    return DialogueCell(
        str(factors["scenario"]),
        None if length == NATIVE else int(str(length)),
        str(factors["strategy"]),
        str(factors.get("question", "")),
    )


SCENARIO = label("Scenario", "scenario", scenario_name)
SETTING = label("Setting", lambda row: setting_name(cell_of(row)))


def measures(*names: str, prefix: str = "") -> tuple[Shown, ...]:
    """Columns of `na`, `fa`, `sfrr`, `drop`, `wr` or `both`, of figures whose names begin with `prefix`."""
    known = {
        "na": rate("NA", f"{prefix}na", "right in the NoForget form"),
        "fa": rate("FA", f"{prefix}fa", "right in the Forget form"),
        "sfrr": rate(
            "SFRR", f"{prefix}sfrr", "of the items right in the NoForget form, those right in the Forget form"
        ),
        "drop": change("NA \N{MINUS SIGN} FA", f"{prefix}drop"),
        "wr": rate("WR", f"{prefix}wr", "wrong in the NoForget form, right in the Forget form"),
        "both": rate("Both right", f"{prefix}both", "right in both forms"),
    }
    return tuple(known[name] for name in names)


def tables_of(
    study: InContextStudy,
    index: FigureIndex,
    title: str,
    rows: Sequence[Factors],
    columns: Sequence[Shown],
    *,
    slug: str,
    note: str = "",
) -> Iterator[Table]:
    """The rows of the main setting, and where others were run, every row in a folded table.

    Args:
        study: Of the run.
        index: Its figures.
        title: Of the first table, which adds the setting where that is not its first column.
        rows: The factors of each, with those of its cell.
        columns: Of both; the first table has the setting's only where it is the first.
        slug: Of the first table.
        note: Below both.
    """
    length, strategy, _ = study.main_setting
    main = {*study.main_cells(), DialogueCell(AVERAGE, length, strategy)}
    here = [row for row in rows if cell_of(row) in main]
    if here:
        is_first = columns[0] is SETTING
        shown = [column for column in columns if is_first or column is not SETTING]
        name = title if is_first else f"{title} ({setting_name(study.main_cells()[0])})"
        yield table(index, name, here, shown, note=note, slug=slug)
    if len(here) < len(rows):
        name = f"{title}: every length and prompt"
        yield table(index, name, rows, columns, note=note, slug=f"{slug}-every", folded=True)
