"""The tables of compliance under load: Table 1, Table 8, and every reading of compliance."""

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, Load
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name
from forgetscope.findings.figures import Cell, Column, Interval, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import bounds_words, text_column

_NONE = Load.NONE.value
_STRICT = "compliance.strict.paper"


def compliance_table(study: ProspectiveStudy, index: FigureIndex, mode: str) -> Table:
    """Table 1: natural and reminder by load, with what was lost and gained on the same items (strict mode)."""
    name = f"compliance.{mode}.paper"
    rows: list[dict[str, Cell | Interval]] = [
        {
            "load": "Baseline / constraint only" if load == _NONE else f"+ {load_name(load)}",
            "natural": index.interval(name, condition=BASELINE if load == _NONE else "natural", load=load),
            "reminder": index.interval(name, condition=CONSTRAINT_ONLY if load == _NONE else "reminder", load=load),
            "lost": index.interval("delta.paired", condition="natural", load=load, against=BASELINE),
            "reminder_lost": index.interval("delta.paired", condition="reminder", load=load, against=CONSTRAINT_ONLY),
            "gain": index.interval("gain.paired", load=load),
            "n": getattr(index.get(name, condition=BASELINE if load == _NONE else "natural", load=load), "n", None),
            "note": getattr(index.get(name, condition=BASELINE if load == _NONE else "natural", load=load), "note", ""),
        }
        for load in (_NONE, *study.loads, ALL)
    ]
    strict_only = (
        Column("lost", "Lost under load", "points", "baseline - natural on the same items"),
        Column("reminder_lost", "Lost with reminder", "points", "constraint only - reminder on the same items"),
        Column("gain", "Gained by reminder", "points", "reminder - natural on the same items"),
    )
    return Table(
        f"Compliance by load, {mode} (Table 1{'' if mode == 'strict' else ', loose'})",
        (
            text_column("load", "Load"),
            Column("natural", "Natural", "percent"),
            Column("reminder", "Reminder", "percent"),
            *(strict_only if mode == "strict" else ()),
            Column("n", "Replies", "integer", "replies with text, natural (or baseline)"),
            Column("note", "Mark"),
        ),
        tuple(rows),
        note="Intervals: Wilson where each item has one reply, otherwise items resampled with all their runs.",
        slug=f"table-1-{mode}",
    )


def statistics_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Table 8's layout for every loaded condition: rate, both deltas, Cohen's h, tests, Holm."""
    rows: list[dict[str, Cell | Interval]] = []
    for condition in study.loaded_conditions:
        for load in study.loads:
            factors: dict[str, Cell] = {"condition": condition, "load": load}
            rows.append(
                {
                    "condition": condition_name(condition),
                    "load": load_name(load),
                    "rate": index.interval(_STRICT, **factors),
                    "pooled": index.interval("compliance.strict.pooled", **factors),
                    "paired": index.interval("delta.paired", **factors, against=BASELINE),
                    "paper": index.interval("delta.paper", **factors),
                    "h": index.value("delta.cohens_h", **factors),
                    "p": index.value("delta.p", **factors, against=BASELINE),
                    "holm": index.value("delta.p.holm", **factors, against=BASELINE),
                    "mcnemar": _either(index, "corrected", factors),
                }
            )
        factors = {"condition": condition}
        rows.append(
            {
                "condition": condition_name(condition),
                "load": "average over loads",
                "paper": index.interval("delta.average", **factors),
            }
        )
    return Table(
        "Tests and effect sizes against the baseline (Table 8)",
        (
            text_column("condition", "Condition"),
            text_column("load", "Load"),
            Column("rate", "Compliance", "percent", "interval by items"),
            Column("pooled", "Paper's interval", "percent", "paper: pooled outcomes resampled as if independent"),
            Column("paired", "Delta, paired", "points", "baseline - condition on the same items: the headline"),
            Column("paper", "Delta, paper", "points", "overall baseline - condition"),
            Column("h", "Cohen's h", "number", "of the paper's two percentages"),
            Column("p", "p", "p", "exact McNemar with one run; sign flips over items with several"),
            Column("holm", "p, Holm", "p", "over all comparisons of this table, conditions x loads"),
            Column(
                "mcnemar", "p, McNemar", "p", "continuity-corrected, as the paper; over pooled pairs with several runs"
            ),
        ),
        tuple(
            {"rate": None, "pooled": None, "paired": None, "h": None, "p": None, "holm": None, "mcnemar": None} | row
            for row in rows
        ),
        note="Delta, paper and p, McNemar are the paper's: the first is over all items, the second over matched items, "
        "so they do not belong together.",
        slug="table-8",
    )


def own_statistics_table(index: FigureIndex) -> Table:
    """Deltas and tests against the condition's own prompt without load, where that is not the baseline."""
    rows: list[dict[str, Cell | Interval]] = []
    for entry in index.named("delta.p"):
        condition, load, against = (str(entry.factors[name]) for name in ("condition", "load", "against"))
        if against == BASELINE:
            continue
        rows.append(
            {
                "condition": condition_name(condition),
                "load": load_name(load),
                "against": condition_name(against),
                "paired": index.interval("delta.paired", **entry.factors),
                "p": entry.value,
                "holm": index.value("delta.p.holm", **entry.factors),
                "n": entry.n,
            }
        )
    return Table(
        "Tests against the same prompt without load",
        (
            text_column("condition", "Condition"),
            text_column("load", "Load"),
            text_column("against", "Against"),
            Column("paired", "Delta, paired", "points", "without load - with it, on the same items"),
            Column("p", "p", "p", "exact McNemar with one run; sign flips over items with several"),
            Column("holm", "p, Holm", "p", "over all comparisons of this table, conditions x loads"),
            Column("n", "Tested", "integer", "pairs with one run; items with several"),
        ),
        tuple(rows),
        note="What load costs this prompt itself: the baseline of Table 8 differs from it in more than the load. "
        "Holm's correction is over the single loads of this table, a family apart from Table 8.",
        slug="own-tests",
    )


def _either(index: FigureIndex, form: str, factors: dict[str, Cell]) -> float | None:
    single = index.value(f"delta.mcnemar.{form}", **factors)
    return single if single is not None else index.value(f"delta.mcnemar.pooled.{form}", **factors)


def readings_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Every reading of compliance per cell: paper, completed with bounds, loose, repaired checkers."""
    rows: list[dict[str, Cell | Interval]] = []
    for condition, load in study.cells:
        factors: dict[str, Cell] = {"condition": condition, "load": load}
        if index.get(_STRICT, **factors) is None:
            continue
        rows.append(
            {
                "condition": condition_name(condition),
                "load": load_name(load),
                "paper": index.interval(_STRICT, **factors),
                "completed": index.interval("compliance.strict.completed", **factors),
                "bounds": bounds_words(index, "compliance.strict.completed", factors),
                "loose": index.interval("compliance.loose.paper", **factors),
                "repaired": index.interval("compliance.strict.repaired", **factors),
                "loose_repaired": index.interval("compliance.loose.repaired", **factors),
            }
        )
    return Table(
        "Compliance in every reading",
        (
            text_column("condition", "Condition"),
            text_column("load", "Load"),
            Column("paper", "Strict, paper", "percent", "raw passes over replies with text"),
            Column("completed", "Strict, completed", "percent", "correct / (correct + incorrect)"),
            Column("bounds", "Bounds", "text", "if all outside the completed rate had failed, or passed"),
            Column("loose", "Loose, paper", "percent", "any of IFEval's eight variants"),
            Column("repaired", "Strict, repaired", "percent", "where the reference checkers are unstable or wrong"),
            Column("loose_repaired", "Loose, repaired", "percent"),
        ),
        tuple(rows),
        slug="readings",
    )
