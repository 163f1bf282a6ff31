"""The checks of Tables 12 to 14: the judge against three annotators, 50 replies per scenario and form."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.findings.published import published_table
from forgetscope.stats.agreement import fleiss_of_counts, kappa_of_counts
from tools.paper_audits.in_context.tables import (
    FORGETTING,
    PREFERENCE,
    REVISION,
    prints,
    slashes,
    span,
)
from tools.paper_audits.rounding import counts_for, rounds_to

REPLIES = 50
_PREFIX = {"IF": FORGETTING, "SR": REVISION, "DP": PREFERENCE}
_HALF_A_THOUSANDTH = 0.0005 + 1e-9

JudgeTable = tuple[int, int, int, int]
"""Replies that judge and annotator both pass, the judge alone, the annotator alone, neither."""


@dataclass(frozen=True, slots=True)
class HumanCell:
    """One row of Table 14 with its agreement rates of Table 13, percent."""

    task: str
    scenario: str
    form: str
    agreement: tuple[float, float, float]
    cohen: tuple[float, float, float]
    fleiss: float


@cache
def human_cells() -> tuple[HumanCell, ...]:
    """Tables 13 and 14, row by row."""
    rates = published_table("in_context_table13_annotators").sort("annotator")
    found = []
    for row in published_table("in_context_table14_kappa").iter_rows(named=True):
        prefix, _, form = row["task"].partition("_")
        column = "no_forget_percent" if form == "NoForget" else "forget_percent"
        one, two, three = rates.filter(scenario=_PREFIX[prefix])[column].to_list()
        kappas = (row["cohen_a1"], row["cohen_a2"], row["cohen_a3"])
        found.append(HumanCell(row["task"], _PREFIX[prefix], form, (one, two, three), kappas, row["fleiss"]))
    return tuple(found)


@cache
def judge_tables(agreement: float, kappa: float) -> tuple[JudgeTable, ...]:
    """Tables of 50 replies with this agreement that print this Cohen's kappa; their mirror images (yes for no) too."""
    return tuple(table for table in _tables(agreement) if _prints_kappa(kappa_of_counts(*table), kappa))


def _tables(agreement: float) -> Iterator[JudgeTable]:
    agreed = round(agreement * REPLIES / 100)
    for both, judge_alone in product(range(agreed + 1), range(REPLIES - agreed + 1)):
        yield both, judge_alone, REPLIES - agreed - judge_alone, agreed - both


def _prints_kappa(value: float | None, printed: float) -> bool:
    return value is not None and rounds_to(value, printed, _HALF_A_THOUSANDTH)


def rates_for(kappa: float) -> list[float]:
    """Agreement rates of 50 replies with which a kappa can be printed."""
    return [100 * agreed / REPLIES for agreed in range(REPLIES + 1) if judge_tables(100 * agreed / REPLIES, kappa)]


@cache
def unanimous_counts(cell: HumanCell) -> tuple[int, ...]:
    """How many of the 50 replies all three annotators can have answered alike, given every figure of the row.

    Split replies cost one or two disagreements with the judge, unanimous ones none or three; and the annotators' yes
    answers must be possible with one and the same number of passes by the judge. Where no table fits an annotator's
    kappa, the agreement rate alone is used.
    """
    disagreements = sum(REPLIES - round(rate * REPLIES / 100) for rate in cell.agreement)
    totals = _yes_totals(cell)
    found = set()
    for unanimous in range(REPLIES + 1):
        split = REPLIES - unanimous
        against = any((disagreements - cost) % 3 == 0 for cost in range(split, min(2 * split, disagreements) + 1))
        possible = range(split, 3 * unanimous + 2 * split + 1)
        if against and any(
            yes in totals and _prints_kappa(fleiss_of_counts(unanimous, yes, REPLIES), cell.fleiss) for yes in possible
        ):
            found.add(unanimous)
    return tuple(sorted(found))


def _yes_totals(cell: HumanCell) -> set[int]:
    """What the three annotators' yes answers can sum to."""
    tables = [
        judge_tables(rate, kappa) or tuple(_tables(rate))
        for rate, kappa in zip(cell.agreement, cell.cohen, strict=True)
    ]
    totals = set()
    for judge in range(REPLIES + 1):
        yes = [{both + alone for both, judged, alone, _ in fits if both + judged == judge} for fits in tables]
        totals |= {sum(combination) for combination in product(*yes)}
    return totals


def table_12() -> AuditEntry:
    """Means over annotators."""
    printed = published_table("in_context_table12_agreement")
    rows = {str(row["scenario"]).lower().replace(" ", "_"): row for row in printed.iter_rows(named=True)}
    fit = sum(
        prints(sum(cell.agreement) / 3, rows[cell.scenario]["no_forget" if cell.form == "NoForget" else "forget"])
        for cell in human_cells()
    )
    return AuditEntry(
        "Table 12 is the mean of Table 13's three annotators",
        "G.1, Tables 12, 13",
        "6 rates",
        f"{fit} of 6 to the printed digit",
        fit == 6,
        "",
        "test_table_12_is_the_mean_of_table_13",
    )


def consensus() -> AuditEntry:
    """Table 3 is not agreement with a consensus."""
    means = [round(sum(cell.agreement) / 3, 2) for cell in human_cells()]
    whole = [mean for mean in means if counts_for(mean, [REPLIES], 0.005 + 1e-9)]
    return AuditEntry(
        "Table 3 gives the judge's agreement with human consensus on 50 replies",
        "4.7, Table 3, Tables 12, 13",
        slashes(means),
        f"{len(whole)} of 6 are a whole number of 50 replies; all are the mean of three annotators' own rates",
        len(whole) == len(means),
        "Agreement with the majority is not printed. Our command gives both.",
        "test_table_3_is_a_mean_of_annotators_and_no_consensus",
    )


def cohen() -> AuditEntry:
    """Cohen's kappa against counts."""
    misfits = [
        (cell, place)
        for cell in human_cells()
        for place in range(3)
        if not judge_tables(cell.agreement[place], cell.cohen[place])
    ]
    listed = "; ".join(
        f"{cell.task} annotator {place + 1}: {cell.cohen[place]} with {cell.agreement[place]:.0f}% agreement, possible "
        f"only with {' or '.join(f'{rate:.0f}%' for rate in rates_for(cell.cohen[place]))}"
        for cell, place in misfits
    )
    return AuditEntry(
        "Table 14's Cohen's kappas and Table 13's agreement rates are of the same 50 replies",
        "G.2, Tables 13, 14",
        "18 kappas",
        f"{18 - len(misfits)} of 18 fit a 2 x 2 table; not: {listed}",
        not misfits,
        "A slip in either table would do it.",
        "test_sixteen_of_eighteen_cohens_kappas_fit_a_table_of_fifty",
    )


def fleiss() -> AuditEntry:
    """Fleiss' kappa against counts."""
    counts = {cell.task: unanimous_counts(cell) for cell in human_cells()}
    listed = "; ".join(f"{task} {' or '.join(map(str, fits))}" for task, fits in counts.items())
    return AuditEntry(
        "Table 14's Fleiss' kappas are possible with all other figures of its rows",
        "G.2, Tables 13, 14",
        "6 kappas",
        f"{sum(bool(fits) for fits in counts.values())} of 6; replies of 50 on which all annotators agree: {listed}",
        all(counts.values()),
        "So where annotators disagree with the judge, they mostly do so together.",
        "test_fleiss_kappas_fit_and_tell_how_many_replies_were_unanimous",
    )


def prevalence() -> AuditEntry:
    """The row with the low kappas."""
    cell = human_cells()[0]
    mostly_yes = [
        table
        for rate, kappa in zip(cell.agreement, cell.cohen, strict=True)
        for table in judge_tables(rate, kappa)
        if table[0] > table[3]
    ]
    wrong = {alone_judge + neither for _, alone_judge, _, neither in mostly_yes}
    found = {neither for *_, neither in mostly_yes}
    return AuditEntry(
        "Kappas of 0.33 to 0.39 in instructional forgetting, NoForget, come from class imbalance",
        "G.3, Table 14",
        "a large proportion of one answer",
        f"annotators call {' or '.join(map(str, sorted(wrong)))} of 50 replies wrong, and the judge finds "
        f"{' or '.join(map(str, sorted(found)))} of them",
        True,
        "Imbalance explains the kappas. It also means that the judge's eye for wrong replies was measured on four or "
        "five of them, of which it missed about half: too few to correct NA for.",
        "test_where_kappa_is_low_the_judge_found_two_of_four_or_five_wrong_replies",
    )


def ranges() -> AuditEntry:
    """What G.3 says."""
    rates = [rate for cell in human_cells() for rate in cell.agreement]
    kappas = [kappa for cell in human_cells()[1:] for kappa in cell.cohen]
    several = [cell.fleiss for cell in human_cells()]
    return AuditEntry(
        "Agreement mostly above 90% and always above 80%; Cohen's kappa 0.63 to 0.95 but for one row; Fleiss' above "
        "0.87",
        "G.3, Tables 13, 14",
        "above 90, above 80; 0.63 to 0.95; above 0.87",
        f"{sum(rate > 90 for rate in rates)} of 18 above 90, lowest {min(rates):.0f}; {span(kappas, 3)}; lowest "
        f"{min(several):.3f}",
        min(rates) >= 80 and prints(min(kappas), 0.63) and min(several) >= 0.87,
        "80 and 0.87 are the lowest values, not below them.",
        "test_ranges_of_agreement_and_kappa_in_the_text",
    )


CHECKS = (table_12, consensus, cohen, fleiss, prevalence, ranges)
"""In the order of the page."""
