"""The checks of the stacking experiment: Tables 4, 12, 13 and 14."""

from functools import cache
from itertools import pairwise

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.findings.published import published_table
from tools.paper_audits.prospective.tables import MODELS, mean, slashes
from tools.paper_audits.rounding import counts_for, rounds_to

CELLS_PER_N, CELLS_PER_M, PROMPTS_PER_CELL = 6, 8, 10


def stacked(table: str, key: str, model: str) -> dict[int, float]:
    """Table 4 or 12: percent by number of constraints or of problems."""
    rows = published_table(table).iter_rows(named=True)
    return {int(row[key]): float(row["joint_compliance_percent"]) for row in rows if row["model"] == model}


def by_constraints(model: str) -> dict[int, float]:
    """Table 4: joint compliance, percent, by number of constraints."""
    return stacked("prospective_table4_stacking", "constraints", model)


def by_problems(model: str) -> dict[int, float]:
    """Table 12: joint compliance, percent, by number of GSM8K problems."""
    return stacked("prospective_table12_stacking_load", "gsm8k_problems", model)


@cache
def _sums_of_cells(cells: int, short_cells: int) -> frozenset[int]:
    """What rates of `cells` cells can sum to, in units of 1/2520 (the common denominator of 7 to 10 prompts)."""
    unit = 2520
    sums = {k * (unit // PROMPTS_PER_CELL) for k in range(PROMPTS_PER_CELL * (cells - short_cells) + 1)}
    short = {k * (unit // n) for n in (7, 8, 9) for k in range(n + 1)}
    for _ in range(short_cells):
        sums = {total + rate for total in sums for rate in short}
    return frozenset(sums)


def mean_of_cells_fits(percent: float, cells: int, short_cells: int) -> bool:
    """Whether a mean over cells of ten prompts, `short_cells` of them with only 7 to 9 scored, is printed so."""
    return any(rounds_to(100 * total / 2520 / cells, percent) for total in _sums_of_cells(cells, short_cells))


def stacking_margins() -> AuditEntry:
    """Averages over N and over M are averages of the same cells."""
    over_n = [mean(list(by_constraints(model).values())) for model in MODELS]
    over_m = [mean(list(by_problems(model).values())) for model in MODELS]
    return AuditEntry(
        "Tables 4 and 12 average the same 24 cells",
        "Tables 4, 12",
        "one grand mean per model",
        f"over N {slashes(over_n, 2)}; over M {slashes(over_m, 2)}",
        all(abs(a - b) <= 0.1 for a, b in zip(over_n, over_m, strict=True)),
        "",
        "test_averages_over_constraints_and_over_load_have_one_grand_mean",
    )


def stacking_counts() -> AuditEntry:
    """Rates of 60 and 80 prompts."""
    cells = [
        (f"{model} {letter}={key}", percent, size)
        for letter, table, size in (("N", by_constraints, CELLS_PER_N), ("M", by_problems, CELLS_PER_M))
        for model in MODELS
        for key, percent in table(model).items()
    ]
    missing = [name for name, percent, size in cells if not counts_for(percent, [size * PROMPTS_PER_CELL])]
    return AuditEntry(
        "Each average rests on cells of 10 prompts (60 for an N, 80 for an M)",
        "G.3, Tables 4, 12",
        f"{len(cells)} averages",
        f"{len(cells) - len(missing)} of {len(cells)} are whole counts; not: {'; '.join(missing)}",
        not missing,
        "All misfits are o4-mini's; each but N=1 fits a mean of cells one of which has 7 to 9 scored samples.",
        "test_stacking_averages_fit_whole_counts_but_for_o4_mini",
    )


def stacking_99() -> AuditEntry:
    """o4-mini's 99.0 at N=1."""
    possible = any(mean_of_cells_fits(99.0, CELLS_PER_N, short) for short in range(CELLS_PER_N + 1))
    pooled = counts_for(99.0, range(1, CELLS_PER_N * PROMPTS_PER_CELL + 1))
    return AuditEntry(
        "o4-mini's joint compliance with one constraint",
        "Table 4",
        "99.0",
        "no count of at most 60 prompts and no mean of six cells of 7 to 10 gives 99.0 (59 of 60 is 98.3)",
        possible or bool(pooled),
        "The same value enters the grand mean that agrees with Table 12, so it is not a slip of the pen; a mean over "
        "types instead of prompts could give it.",
        "test_99_percent_with_one_constraint_fits_no_count_of_sixty",
    )


def stacking_decline() -> AuditEntry:
    """Declines in N."""
    fall = [by_constraints(model)[1] - by_constraints(model)[5] for model in MODELS]
    rising = [
        f"{model} N={a} {by_constraints(model)[a]} to N={b} {by_constraints(model)[b]}"
        for model in MODELS
        for a, b in pairwise(by_constraints(model))
        if by_constraints(model)[b] > by_constraints(model)[a]
    ]
    return AuditEntry(
        "Joint compliance declines as constraints accumulate (o4-mini 51.5, DeepSeek 31.7 points; below 50% for one)",
        "Abstract, 5.4, 7",
        "51.5 / 31.7",
        f"{slashes(fall)}; rises: {'; '.join(rising)}",
        not rising,
        "The falls agree (37 of 60 less 56 of 60 is 31.7). DeepSeek rises from N=2 to N=3.",
        "test_joint_compliance_falls_with_constraints_but_for_one_step",
    )


def stacking_load() -> AuditEntry:
    """Declines in M."""
    falling = all(
        by_problems(model)[a] > by_problems(model)[b] for model in MODELS for a, b in pairwise(by_problems(model))
    )
    return AuditEntry(
        "Joint compliance declines with added GSM8K problems for all models",
        "5.4, H.1, Table 12",
        "86.8 to 69.1, 87.5 to 72.5, 97.5 to 86.2",
        "falls at every step for every model" if falling else "does not fall at every step",
        falling,
        "The further statement that stacking and load are additive cannot be tested on averages over either.",
        "test_joint_compliance_falls_with_load_at_every_step",
    )


def stacking_lift() -> AuditEntry:
    """The largest lift of the reminder."""
    return AuditEntry(
        "The reminder's lift ranges from +25 (o4-mini, N=3, M=1) to -20 points (o4-mini, N=2, M=3)",
        "5.4",
        "+25, -20",
        "differences of two cells of 10 prompts are multiples of 10 points",
        25 % 10 == 0,
        "+25 needs lost samples in that cell, which the rates of o4-mini suggest anyway. The mean lifts (5.8, 2.5, "
        "1.7) fit 7, 3 and 2 of 120.",
        "test_a_lift_of_25_points_needs_lost_samples",
    )


def type_sizes() -> AuditEntry:
    """Table 13: one n per type for all models."""
    misfits = []
    for row in published_table("prospective_table13_type_under_stacking").iter_rows(named=True):
        common = [n for n in range(20, 121) if all(counts_for(row[model], [n]) for model in MODELS[1:])]
        if not common:
            misfits.append(str(row["constraint_type"]))
    return AuditEntry(
        "All models see the same stacking prompts, so a type has one n",
        "4.3, Table 13",
        "11 types",
        f"{11 - len(misfits)} of 11 have an n from 20 to 120 that fits DeepSeek and Llama; not: {', '.join(misfits)}",
        not misfits,
        "Lost samples, or an average over cells, would explain it. 660 constraints are drawn, 60 a type on average.",
        "test_two_types_under_stacking_fit_no_common_size",
    )


def tension() -> AuditEntry:
    """Table 14 with N=2 as its reference."""
    fits = sum(
        any(rounds_to(100 * k / 60 - by_constraints(row["model"])[2], row["gap_points"]) for k in range(61))
        for row in published_table("prospective_table14_tension").iter_rows(named=True)
        if row["model"] != "o4-mini"
    )
    return AuditEntry(
        "Tension pairs are compared with the safe pairs of Table 4's N=2",
        "I, Tables 4, 14",
        "8 gaps of DeepSeek and Llama",
        f"{fits} of 8 are a count of 60 less Table 4's value",
        fits == 8,
        "Signs that our text lost are taken from the paper's words. o4-mini's four gaps are left out: its reference "
        "has lost samples. The comparison mixes tension with how hard the types are, as the paper says.",
        "test_tension_gaps_are_counts_of_sixty_against_the_safe_pairs",
    )


CHECKS = (
    stacking_margins,
    stacking_counts,
    stacking_99,
    stacking_decline,
    stacking_load,
    stacking_lift,
    type_sizes,
    tension,
)
"""In the order of the page."""
