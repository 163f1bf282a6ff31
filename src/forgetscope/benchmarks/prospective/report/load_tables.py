"""The tables of compliance under load: Table 1, Table 8, and every reading of compliance."""

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name, own_prompt
from forgetscope.findings.figures import Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import (
    Factors,
    Shown,
    bounds,
    change,
    count,
    label,
    optional,
    p_value,
    rate,
    remark,
    table,
    value,
)

_NONE = NO_LOAD
_UNLOADED = "no load"
_STRICT = "compliance.strict.paper"
_CONDITION, _LOAD = label("Condition", "condition", condition_name), label("Load", "load", load_name)


def compliance_table(study: ProspectiveStudy, index: FigureIndex, mode: str) -> Table:
    """Table 1: natural and reminder by load, with what was lost and gained on the same items (strict mode)."""
    name = f"compliance.{mode}.paper"
    loose_only = (
        change("Loss, natural", "delta.loose.paired", "baseline - natural on the same items", condition="natural"),
        change("Loss, natural, paper", "delta.loose.paper", "baseline of all items - natural", condition="natural"),
    )
    strict_only = (
        change(
            "Loss, natural",
            "delta.paired",
            "baseline - natural on the same items",
            condition="natural",
            against=BASELINE,
        ),
        change(
            "Loss, reminder",
            "delta.paired",
            "constraint only - reminder on the same items",
            condition="reminder",
            against=CONSTRAINT_ONLY,
        ),
        change("Gain of reminder", "gain.paired", "reminder - natural on the same items"),
    )
    return table(
        index.asked(own_prompt),
        f"{mode.capitalize()} compliance by load (Table 1{'' if mode == 'strict' else ', loose'})",
        rows=[{"load": load} for load in (_NONE, *study.loads, ALL)],
        columns=[
            label("Load", "load", lambda name: f"+ {load_name(name)}" if name != _NONE else _UNLOADED),
            rate("Natural", name, condition="natural"),
            rate("Reminder", name, condition="reminder"),
            *(strict_only if mode == "strict" else loose_only),
            count("Replies", name, "with text, natural prompt (first row: baseline)", condition="natural"),
            remark("Mark", name, condition="natural"),
        ],
        note="First row: the prompt without load; of the natural prompt the baseline, of the reminder prompt the "
        "constraint alone.",
        slug=f"table-1-{mode}",
    )


def statistics_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Table 8's layout for every loaded condition: rate, both deltas, Cohen's h, tests, Holm."""
    rows: list[Factors] = []
    for condition in study.loaded_conditions:
        rows += [{"condition": condition, "load": load} for load in study.loads]
        rows.append({"condition": condition})  # the average has no load
    mcnemar = ("delta.mcnemar.corrected", "delta.mcnemar.pooled.corrected")
    return table(
        index,
        "Tests and effect sizes against the baseline (Table 8)",
        rows,
        [
            _CONDITION,
            label("Load", lambda row: load_name(str(row["load"])) if "load" in row else "average over loads"),
            rate("Compliance", _STRICT, "interval over items"),
            rate("Paper's interval", "compliance.strict.pooled", "all replies resampled as if independent"),
            change(
                "Loss",
                "delta.paired",
                "baseline - condition, on the same items",
                against=BASELINE,
            ),
            change("Loss, paper", ("delta.paper", "delta.average"), "baseline of all items - condition"),
            value("Cohen's h", "delta.cohens_h", "number", "of the paper's two percentages"),
            *_tests(against=BASELINE),
            p_value("p, paper", mcnemar, "McNemar with continuity correction; over pooled pairs with several runs"),
        ],
        note="The paper's loss is over all items and its p over matched items, so the two do not belong together.",
        slug="table-8",
    )


def runs_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Each run's rate and how far runs, replies of an item and items lie apart (B.2)."""
    cells = [*study.cells, *((condition, ALL) for condition in study.loaded_conditions)]
    return table(
        index,
        "Run by run (B.2)",
        rows=[
            {"condition": condition, "load": load}
            for condition, load in cells
            if index.get("spread.within", condition=condition, load=load) is not None
        ],
        columns=[
            _CONDITION,
            _LOAD,
            *(optional(rate(f"Seed {seed}", "compliance.strict.run", seed=seed)) for seed in study.settings.seeds),
            value("Between runs", "spread.runs", "size", "standard deviation of the runs' rates"),
            value("Within items", "spread.within", "size", "of an item's replies, over its runs and repeats"),
            optional(value("Same prompt", "spread.repeats", "size", "of replies to the same prompt")),
            value("Between items", "spread.between", "size", "of the items' rates, less what varies within items"),
        ],
        note="Standard deviations in points. A run draws other load items; the constraints are the same. Within items "
        "at most 50 and some more is possible (an item that is kept half of the time).",
        slug="runs",
    )


def _tests(**factors: str) -> tuple[Shown, Shown]:
    return (
        p_value("p", "delta.p", "exact McNemar with one run; sign flips over items with several", **factors),
        p_value("p, Holm", "delta.p.holm", "over all comparisons of this table, conditions x loads", **factors),
    )


def own_statistics_table(index: FigureIndex) -> Table:
    """Deltas and tests against the condition's own prompt without load, where that is not the baseline."""
    return table(
        index,
        "Tests against the same prompt without load (ours)",
        rows=[entry.factors for entry in index.named("delta.p") if entry.factors["against"] != BASELINE],
        columns=[
            _CONDITION,
            _LOAD,
            label("Against", "against", condition_name),
            change("Loss", "delta.paired", "without load - with it, on the same items"),
            *_tests(),
            count("Tested", "delta.p", "pairs with one run; items with several"),
        ],
        note="What load costs this prompt itself: the baseline of Table 8 differs from it in more than the load. "
        "Holm's correction is over the single loads of this table.",
        slug="own-tests",
    )


def readings_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Every reading of compliance per cell: paper, completed with bounds, loose, repaired checkers."""
    repaired = "where the reference checkers are unstable or wrong"
    return table(
        index,
        "Compliance by every reading",
        rows=[{"condition": condition, "load": load} for condition, load in study.cells],
        columns=[
            _CONDITION,
            _LOAD,
            rate("Strict, paper", _STRICT, "every reply with text counts"),
            rate("Strict, completed", "compliance.strict.completed", "correct / (correct + incorrect)"),
            bounds("Bounds", "compliance.strict.completed", "if every other reply had failed, or passed"),
            rate("Loose, paper", "compliance.loose.paper", "any of IFEval's eight variants"),
            rate("Strict, repaired", "compliance.strict.repaired", repaired),
            rate("Loose, repaired", "compliance.loose.repaired"),
        ],
        computed_only=True,
        slug="readings",
    )
