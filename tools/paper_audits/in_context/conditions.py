"""The checks of Table 2 (prompts) and Tables 6 to 8 (context length)."""

from collections.abc import Iterable
from itertools import pairwise

from forgetscope.benchmarks.methods import AuditEntry
from tools.paper_audits.in_context.counts import tables_that_fit, whole
from tools.paper_audits.in_context.main_results import DESIGNED
from tools.paper_audits.in_context.tables import (
    FORGETTING,
    PREFERENCE,
    REVISION,
    SCENARIOS,
    Cell,
    Measures,
    lengths,
    main_table,
    named,
    span,
    strategies,
)


def steps(cell: Cell, name: str) -> list[float]:
    """Changes of one measure from each length to the next, points."""
    values = [getattr(row, name) for row in lengths()[cell].values()]
    return [after - before for before, after in pairwise(values)]


def same_rows() -> AuditEntry:
    """Table 2's first half."""
    equal = sum(main_table()[cell] == row for cell, row in strategies("no_forget_prompt").items())
    return AuditEntry(
        "The NoForget prompt is the main table's",
        "4.5, Tables 1, 2",
        "9 rows",
        f"{equal} of 9 equal in all three figures",
        equal == 9,
        "So the main table is of the plain role prompt, which the paper does not say.",
        "test_table_2s_noforget_rows_are_table_1",
    )


def reminders() -> AuditEntry:
    """Reminders improve FA and SFRR."""
    plain, forget = strategies("no_forget_prompt"), strategies("forget_prompt")
    better = {name: [c for c in plain if getattr(forget[c], name) > getattr(plain[c], name)] for name in ("fa", "sfrr")}
    worse = [cell for cell in plain if cell not in better["sfrr"]]
    return AuditEntry(
        "Reminders improve FA and SFRR for all models and scenarios",
        "4.5, Table 2",
        "all",
        f"FA in {len(better['fa'])} of 9 rows, SFRR in {len(better['sfrr'])}; not: {named(worse)} "
        f"({plain[worse[0]].sfrr} to {forget[worse[0]].sfrr})",
        not worse and len(better["fa"]) == 9,
        "",
        "test_reminders_raise_fa_everywhere_and_sfrr_in_eight_of_nine_rows",
    )


def reminder_cost() -> AuditEntry:
    """What reminders cost."""
    plain, forget = strategies("no_forget_prompt"), strategies("forget_prompt")
    change = {cell: forget[cell].na - plain[cell].na for cell in plain}
    listed = {s: [value for (_, scenario), value in change.items() if scenario == s] for s in SCENARIOS}
    return AuditEntry(
        "Reminders cost a little NA in instructional forgetting",
        "4.5, Table 2",
        "a small decrease",
        f"{span(listed[FORGETTING])} points",
        max(listed[FORGETTING]) < 0,
        f"Subtask revision changes by {span(listed[REVISION])}, dynamic preference by {span(listed[PREFERENCE])}.",
        "test_reminders_cost_na_in_two_scenarios_and_not_in_the_third",
    )


def by_scenario(rows: Iterable[tuple[Cell, Measures]]) -> dict[str, list[float]]:
    """All NA and FA of some rows, by scenario."""
    found: dict[str, list[float]] = {scenario: [] for scenario in SCENARIOS}
    for (_, scenario), row in rows:
        found[scenario].extend((row.na, row.fa))
    return found


def by_chance(percents: dict[str, list[float]]) -> float:
    """How many of the percentages are whole numbers of items, averaged over the 40 sizes next to the main table's."""
    return sum(
        whole(values, DESIGNED[scenario] + step) / 40
        for scenario, values in percents.items()
        for step in range(-20, 21)
        if step
    )


def reminder_sizes() -> AuditEntry:
    """Table 2's second half against the main table's sizes."""
    rows = strategies("forget_prompt")
    percents = by_scenario(rows.items())
    fit = sum(whole(values, DESIGNED[scenario]) for scenario, values in percents.items())
    tables = sum(bool(tables_that_fit(row, None, DESIGNED[scenario])) for (_, scenario), row in rows.items())
    return AuditEntry(
        "The Forget prompt was tried on the main table's items",
        "4.5, Table 2",
        "no size printed",
        f"{fit} of 18 values of NA and FA are a whole number of 994, 710 or 784 items; next to these sizes "
        f"{by_chance(percents):.1f} are, by chance. {tables} of 9 rows fit a 2 x 2 table",
        tables == 9,
        "The NoForget half is the main table and fits but for subtask revision. Other items, lost replies or averages "
        "would explain it; then the effect of the prompt mixes with that of the items.",
        "test_neither_reminders_nor_lengths_fit_the_main_tables_sizes",
    )


def length_sizes() -> AuditEntry:
    """Tables 6 to 8 against the main table's sizes."""
    percents = by_scenario((cell, row) for cell, rows in lengths().items() for row in rows.values())
    fit = sum(whole(values, DESIGNED[scenario]) for scenario, values in percents.items())
    return AuditEntry(
        "The lengths were tried on the main table's items",
        "3.5, 4.4, Tables 6, 7, 8",
        "no size printed",
        f"{fit} of 126 values of NA and FA are a whole number of 994, 710 or 784 items; next to these sizes "
        f"{by_chance(percents):.1f} are, by chance",
        fit == 126,
        "Items longer than a length cannot be in it, so sizes must differ. None is printed, and no interval can be "
        "given.",
        "test_neither_reminders_nor_lengths_fit_the_main_tables_sizes",
    )


def negative_wr() -> AuditEntry:
    """FA below NA x SFRR."""
    below = {
        (cell, length): row.implied_wr
        for cell, rows in lengths().items()
        for length, row in rows.items()
        if row.implied_wr < -row.implied_wr_error
    }
    listed = "; ".join(f"{cell[0]} {length // 1000}k {value:.2f}" for (cell, length), value in below.items())
    return AuditEntry(
        "FA is at least NA x SFRR, the share right in both forms",
        "3.4, Tables 6, 7, 8",
        "63 rows",
        f"{63 - len(below)} of 63; preference rows that imply a negative WR: {listed} points",
        not below,
        "Rounding allows 0.01. Figures of different items, or a slip in one of them.",
        "test_table_7_implies_a_negative_wr_in_two_preference_rows",
    )


def falling() -> AuditEntry:
    """NA and FA over length."""
    curves = [steps(cell, name) for cell in lengths() for name in ("na", "fa")]
    fall = sum(max(curve) < 0 for curve in curves)
    return AuditEntry(
        "NA and FA fall with length in all scenarios, for all models",
        "D.4, Tables 6, 7, 8",
        "monotonically",
        f"{fall} of {len(curves)} curves fall at every step",
        fall == len(curves),
        "",
        "test_na_and_fa_fall_at_every_step_of_the_length",
    )


def falling_sfrr() -> AuditEntry:
    """SFRR over length in two scenarios."""
    cells = [cell for cell in lengths() if cell[1] != REVISION]
    curves = {cell: steps(cell, "sfrr") for cell in cells}
    rising = [cell for cell in cells if max(curves[cell]) > 0]
    return AuditEntry(
        "SFRR declines with length in instructional forgetting and dynamic preference",
        "4.4, D.4, Tables 6, 7, 8",
        "declining, steadily",
        f"lower at 30k than at 0.5k in {sum(sum(curve) < 0 for curve in curves.values())} of 6 curves, falling at "
        f"every step in {6 - len(rising)}",
        all(sum(curve) < 0 for curve in curves.values()),
        f"{named(rising)} rises by {max(max(curves[cell]) for cell in rising):.2f} from 1k to 3k.",
        "test_sfrr_over_length_falls_in_two_scenarios_and_rises_in_the_third",
    )


def rising_sfrr() -> AuditEntry:
    """SFRR over length in subtask revision."""
    curves = {cell: steps(cell, "sfrr") for cell in lengths() if cell[1] == REVISION}
    falls = {cell[0]: min(curve) for cell, curve in curves.items() if min(curve) < 0}
    return AuditEntry(
        "SFRR in subtask revision consistently rises with length",
        "4.4, D.4, Tables 6, 7, 8",
        "consistently",
        f"higher at 30k than at 0.5k in {sum(sum(curve) > 0 for curve in curves.values())} of 3 curves, rising at "
        f"every step in {3 - len(falls)}",
        not falls,
        "From 0.5k to 1k it falls: " + "; ".join(f"{model} {fall:.2f}" for model, fall in falls.items()) + ".",
        "test_sfrr_over_length_falls_in_two_scenarios_and_rises_in_the_third",
    )


def survivors() -> AuditEntry:
    """What a rising SFRR is of."""
    ends = {cell[0]: [*rows.values()] for cell, rows in lengths().items() if cell[1] == REVISION}
    listed = "; ".join(
        f"{model} SFRR {rows[0].sfrr:.2f} to {rows[-1].sfrr:.2f}, both right {rows[0].both_right:.1f} to "
        f"{rows[-1].both_right:.1f}"
        for model, rows in ends.items()
    )
    return AuditEntry(
        "Long contexts can mitigate the influence of early context in subtask revision",
        "4.4, D.4, Tables 6, 7, 8",
        "SFRR rises",
        listed,
        all(rows[-1].sfrr > rows[0].sfrr for rows in ends.values()),
        "SFRR is of the items right without interference, which become fewer with length. Of all items, the share "
        "right in both forms falls by three tenths. SFRR alone cannot tell whether early context weighs less.",
        "test_in_subtask_revision_sfrr_rises_while_the_share_right_in_both_forms_falls",
    )


CHECKS = (
    same_rows,
    reminders,
    reminder_cost,
    reminder_sizes,
    length_sizes,
    negative_wr,
    falling,
    falling_sfrr,
    rising_sfrr,
    survivors,
)
"""In the order of the page."""
