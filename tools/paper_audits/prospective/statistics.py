"""The checks of Tables 1 and 8: deltas, gains, effect sizes, intervals and tests."""

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.stats import cohens_h, holm
from tools.paper_audits.prospective.counts import PLANNED, fitted_cells, fitted_pairs, published_cells
from tools.paper_audits.prospective.tables import (
    CONDITIONS,
    MODELS,
    RUNS,
    compliance,
    drops,
    gain,
    mean,
    names,
    slashes,
)
from tools.paper_audits.rounding import counts_for, rounds_to

SINGLE_TASKS = ("triviaqa", "mmlu", "gsm8k_x1", "cnn_dailymail")


def h_range(cell_percent: float, baseline_percent: float) -> tuple[float, float]:
    """Smallest and largest h of any two percentages that are printed as these."""
    half = 0.05
    low = cohens_h((baseline_percent - half) / 100, (cell_percent + half) / 100)
    return low, cohens_h((baseline_percent + half) / 100, (cell_percent - half) / 100)


def tables_1_and_8() -> AuditEntry:
    """The natural half of Table 1 is Table 8's compliance column."""
    different = [
        (cell.model, cell.condition)
        for cell in published_cells()
        if compliance("natural", cell.condition, cell.model) != cell.percent
    ]
    return AuditEntry(
        "Tables 1 and 8 print the same compliance",
        "Tables 1, 8",
        "21 cells",
        f"{21 - len(different)} of 21 equal",
        not different,
        "",
        "test_table_1_and_table_8_print_the_same_compliance",
    )


def deltas() -> AuditEntry:
    """Delta is baseline - condition."""
    baseline = {cell.model: cell.percent for cell in published_cells() if cell.condition == "baseline"}
    beside = [
        (cell.model, cell.condition)
        for cell in published_cells()
        if cell.delta is not None and not rounds_to(baseline[cell.model] - cell.percent, cell.delta, 1e-6)
    ]
    far = [
        (cell.model, cell.condition)
        for cell in published_cells()
        if cell.delta is not None and not rounds_to(baseline[cell.model] - cell.percent, cell.delta, 0.1 + 1e-6)
    ]
    return AuditEntry(
        "Delta is the overall baseline minus the condition",
        "Table 8",
        "18 deltas",
        f"{18 - len(far)} of 18 within rounding, {len(beside)} of them off by 0.1 because rounded after subtracting",
        not far,
        f"Off by 0.1: {names(beside)}. The counts fitted below reproduce all 18 exactly.",
        "test_delta_is_baseline_minus_condition",
    )


def average_deltas() -> AuditEntry:
    """Average delta per model."""
    averages = [mean([drops()[model, condition] for condition in CONDITIONS]) for model in MODELS]
    agrees = all(rounds_to(value, said) for value, said in zip(averages, (6.3, 10.8, 3.2), strict=True))
    return AuditEntry(
        "Average drop of each model over the six conditions (points)",
        "5.1, B.1",
        "6.3 / 10.8 / 3.2",
        slashes(averages),
        agrees,
        "",
        "test_average_deltas_per_model",
    )


def average_gains() -> AuditEntry:
    """Average gain of the reminder per model."""
    averages = [mean([gain(condition, model) for condition in CONDITIONS]) for model in MODELS]
    agrees = all(rounds_to(value, said) for value, said in zip(averages, (15.1, 17.5, 9.9), strict=True))
    return AuditEntry(
        "Average gain of the reminder over natural embedding (points)",
        "5.1",
        "15.1 / 17.5 / 9.9",
        slashes(averages),
        agrees,
        "The reminder prompt also drops the original creative task, so the gain is not the reminder's alone.",
        "test_average_gains_per_model",
    )


def effect_sizes() -> AuditEntry:
    """Cohen's h from the two percentages, rounding propagated."""
    baseline = {cell.model: cell.percent for cell in published_cells() if cell.condition == "baseline"}
    outside = []
    for cell in published_cells():
        if cell.h is None:
            continue
        low, high = h_range(cell.percent, baseline[cell.model])
        if not low - 0.005 <= cell.h <= high + 0.005:
            outside.append((cell.model, cell.condition))
    return AuditEntry(
        "Cohen's h follows from the two percentages",
        "Table 8",
        "18 values of h",
        f"{18 - len(outside)} of 18 within what rounding allows",
        not outside,
        "Each percentage may lie 0.05 and h 0.005 to either side of what is printed.",
        "test_cohens_h_follows_from_the_percentages_with_rounding_propagated",
    )


def effect_sizes_from_counts() -> AuditEntry:
    """Cohen's h from the counts that fit."""
    fits = {(fit.cell.model, fit.cell.condition): fit for fit in fitted_cells()}
    off = []
    for (model, condition), fit in fits.items():
        if fit.cell.h is None:
            continue
        (before, of_before), (after, of_after) = fits[model, "baseline"].best, fit.best
        if not rounds_to(cohens_h(before / of_before, after / of_after), fit.cell.h, 0.005 + 1e-9):
            off.append((model, condition))
    return AuditEntry(
        "Cohen's h follows from the counts that fit each cell best",
        "Table 8",
        "18 values of h",
        f"{18 - len(off)} of 18 reproduce; not: {names(off)}",
        not off,
        "Llama + TriviaQA: 240 and 237 of 270 give 0.035, just below the limit for the printed 0.04.",
        "test_cohens_h_from_the_fitted_counts_is_off_in_one_cell",
    )


def cell_sizes() -> AuditEntry:
    """Which counts fit; how many cells are smaller than planned."""
    smaller = [fit for fit in fitted_cells() if fit.best[1] < fit.planned]
    listed = "; ".join(
        f"{fit.cell.model} {fit.cell.condition} {fit.best[0]} of {fit.best[1]} ({fit.planned} planned)"
        for fit in smaller
    )
    return AuditEntry(
        "Every cell holds all its planned samples (270, 90, 54 or 135)",
        "B.1, B.2, Table 7",
        "21 full cells",
        f"{21 - len(smaller)} of 21 fit the full size",
        not smaller,
        f"Smaller: {listed}. The paper does not mention lost samples. "
        "All 21 cells fit some count; see the table below.",
        "test_every_cell_of_table_8_fits_a_count_and_nine_fit_only_fewer_than_planned",
    )


def reminder_sizes() -> AuditEntry:
    """The reminder half of Table 1 against the planned sizes."""
    smaller = [
        (model, condition)
        for model in MODELS
        for condition in CONDITIONS
        if not counts_for(compliance("reminder", condition, model), [PLANNED[condition]])
    ]
    return AuditEntry(
        "The reminder cells hold all their planned samples",
        "Table 1, B.2",
        "18 full cells",
        f"{18 - len(smaller)} of 18 are a count of the planned size; not: {names(smaller)}",
        not smaller,
        "98.4 fits 127 of 129, the size that also fits o4-mini's natural cell. No intervals are printed for this half.",
        "test_one_reminder_cell_fits_only_fewer_than_planned",
    )


def pooled_270() -> AuditEntry:
    """All intervals are said to resample 270 outcomes."""
    full = [fit for fit in fitted_cells() if fit.best[1] == PLANNED["baseline"]]
    return AuditEntry(
        "Intervals resample the 270 pooled outcomes",
        "B.1",
        "270 in every cell",
        f"{len(full)} of 21 intervals have the width and the steps of 270; the rest fit n from "
        f"{min(fit.best[1] for fit in fitted_cells())} to 269",
        len(full) == len(fitted_cells()),
        "For the chained and summary conditions 90, 54 and 135 were planned, as B.2 and Table 7 imply; the sentence is "
        "loose, the intervals are right for those sizes. Pooling treats an item's three runs as independent.",
        "test_intervals_fit_each_cells_own_size_and_not_270",
    )


def baseline_repeats() -> AuditEntry:
    """Greedy baselines repeated three times."""
    best = {fit.cell.model: fit.best for fit in fitted_cells() if fit.cell.condition == "baseline"}
    alike = [model for model, (passed, scored) in best.items() if passed % RUNS == 0 and scored % RUNS == 0]
    return AuditEntry(
        "Greedy decoding makes the three baseline runs alike",
        "4.1, Ethical considerations",
        "outputs expected to be stable",
        "; ".join(f"{model} {passed} of {scored}" for model, (passed, scored) in best.items()),
        len(alike) == len(MODELS),
        "Three equal runs give counts divisible by three. o4-mini takes no temperature; DeepSeek's 241 means that its "
        "greedy runs differed in at least one item. The paper says that bitwise repeatability is not guaranteed.",
        "test_two_of_three_baselines_do_not_fit_three_equal_runs",
    )


def mcnemar_counts() -> AuditEntry:
    """Printed p-values against counts."""
    possible = [fit for fit in fitted_pairs() if fit.net_losses]
    return AuditEntry(
        "McNemar's p-values (continuity-corrected) are possible with the fitted counts",
        "Table 8",
        "18 p-values",
        f"{len(possible)} of 18 are given by whole numbers of discordant pairs",
        len(possible) == 18,
        "",
        "test_every_mcnemar_p_value_is_possible_with_the_fitted_counts",
    )


def mcnemar_deltas() -> AuditEntry:
    """Delta and p-value describe different sets of items in the smaller conditions."""
    apart = []
    for fit in fitted_pairs():
        printed = fit.cell.delta or 0.0
        if not any(abs(delta - printed) <= 0.5 for delta in fit.deltas):
            apart.append(fit)
    listed = "; ".join(
        f"{fit.cell.model} {fit.cell.condition}: printed {fit.cell.delta}, p {fit.cell.p} allows "
        + ", ".join(f"{delta:.1f}" for delta in fit.deltas)
        for fit in apart
    )
    return AuditEntry(
        "Delta and McNemar's p-value describe the same comparison",
        "Table 8",
        "18 pairs of delta and p",
        f"{18 - len(apart)} of 18 can, within half a point",
        not apart,
        "Delta compares with the baseline of all items, McNemar (B.1) with that of the same items, which differ in the "
        f"smaller conditions. A p-value has no direction, so losses and gains are both listed. {listed}.",
        "test_in_chained_and_summary_cells_delta_and_mcnemar_cannot_both_be_paired",
    )


def significance() -> AuditEntry:
    """How many comparisons hold before and after Holm."""
    printed = [cell.p for cell in published_cells() if cell.p is not None]
    upper = [float(p.removeprefix("<")) for p in printed]
    corrected = [p for p in holm(upper) if p is not None]
    return AuditEntry(
        "18 comparisons are tested without correction",
        "B.1",
        "individual p-values, caution advised",
        f"{sum(p < 0.05 for p in upper)} of 18 below .05 as printed, {sum(p < 0.05 for p in corrected)} after Holm",
        True,
        "The paper says so itself. `<.001` enters Holm's procedure as .001.",
        "test_holm_leaves_five_of_nine_comparisons",
    )


def o4_single_tasks() -> AuditEntry:
    """O4-mini's single-task effects are called marginal."""
    p = {cell.condition: cell.p for cell in published_cells() if cell.model == "o4-mini"}
    return AuditEntry(
        "o4-mini's single-task effects are marginal, p up to .063",
        "B.1",
        "up to .063",
        "; ".join(f"{condition} {p[condition]}" for condition in SINGLE_TASKS),
        max(float(p[condition] or "nan") for condition in SINGLE_TASKS) <= 0.063,
        "TriviaQA and MMLU are meant; GSM8K x1 (.265) is a single task too, and further from significance.",
        "test_statements_about_significance_per_model",
    )


CHECKS = (
    tables_1_and_8,
    deltas,
    average_deltas,
    average_gains,
    effect_sizes,
    effect_sizes_from_counts,
    cell_sizes,
    reminder_sizes,
    pooled_270,
    baseline_repeats,
    mcnemar_counts,
    mcnemar_deltas,
    significance,
    o4_single_tasks,
)
"""In the order of the page."""
