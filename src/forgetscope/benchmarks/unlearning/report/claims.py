"""The paper's claims, each with what this grid says of it: holds, fails or undecided."""

from collections.abc import Callable, Mapping

from forgetscope.benchmarks.unlearning.metrics.claims import BY_NAME
from forgetscope.findings.figures import Cell, Column, Figure, Finding, Interval, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, points
from forgetscope.findings.tables import Factors, Shown, label, optional, table
from forgetscope.findings.verdicts import Answer

SAID: Mapping[str, tuple[str, str]] = {
    "low_equals_high_in_target": (
        "the target scores {size} points more on low-entangled text",
        "the target scores {size} points more on high-entangled text",
    ),
    "low_conditioning_keeps_high": (
        "questions on high-entangled text lost {size} points less with the low retain set than with the high one",
        "questions on high-entangled text lost {size} points more with the low retain set than with the high one",
    ),
    "low_conditioning_not_triplets": (
        "with triplets they lost {size} points more with the low retain set than with the high one",
        "with triplets they lost {size} points less with the low retain set than with the high one",
    ),
    "pruned_most_balanced": (
        "the smaller of its two gains in balance is {size} points",
        "the smaller of its two gains in balance is a loss of {size} points",
    ),
    "low_suffers_more": (
        "questions on low-entangled text lost {size} points more than those on high-entangled text",
        "questions on low-entangled text lost {size} points less than those on high-entangled text",
    ),
    "world_improves": ("world-fact questions gained {size} points", "world-fact questions lost {size} points"),
    "pruned_forgets_best": (
        "pruned text was forgotten by {size} points more than raw text",
        "pruned text was forgotten by {size} points less than raw text",
    ),
    "raw_forgets_best": (
        "raw text was forgotten by {size} points more than pruned text",
        "raw text was forgotten by {size} points less than pruned text",
    ),
    "triplets_retain_best": (
        "triplets cost {size} points less of what is kept than raw text",
        "triplets cost {size} points more of what is kept than raw text",
    ),
    "triplets_forget_less": (
        "triplets were forgotten by {size} points less than raw text",
        "triplets were forgotten by {size} points more than raw text",
    ),
    "subset_matters": (
        "the high-entangled retain set cost {size} points more of what is kept than the low one",
        "the high-entangled retain set cost {size} points less of what is kept than the low one",
    ),
    "subset_insensitive": (
        "the two retain sets differ by {size} points, the high-entangled one costing more",
        "the two retain sets differ by {size} points, the low-entangled one costing more",
    ),
    "pareto_improvement": (
        "the smaller of the two gains is {size} points",
        "the smaller of the two gains is a loss of {size} points",
    ),
    "simnpo_best": (
        "SimNPO's balance (Forget minus Retain) is {size} points better than GA's",
        "SimNPO's balance (Forget minus Retain) is {size} points worse than GA's",
    ),
    "no_free_lunch": (
        "from cell to cell, Retain change rises by {size} points with each point of Forget change",
        "from cell to cell, Retain change falls by {size} points with each point of Forget change",
    ),
}
"""What was measured for each claim, where its contrast is positive and where it is negative."""

MIRRORED = {"pruned_forgets_best": "raw_forgets_best"}
"""Claims of opposite contrasts, one of each of the paper's corpora: the contrast is shown once, under the second."""

ALSO = {"raw_forgets_best": ", the opposite of section 4.3 on News"}


def claim_section(index: FigureIndex) -> Section | None:
    """Holds, fails or undecided, per setting; None where no claim's cells were run."""
    entries = _shown(index)
    if not entries:
        return None
    groups: dict[tuple[str, str, str], list[Factors]] = {}
    for entry in entries:
        rate = f"{entry.factors['learning_rate']:g}"
        groups.setdefault((str(entry.factors["corpus"]), str(entry.factors["semantics"]), rate), []).append(
            entry.factors
        )
    tables = [
        table(
            index,
            f"Claims as contrasts: {corpus}, {semantics} losses, learning rate {rate}",
            rows,
            [
                label("Claim", lambda row: _statement(str(row["claim"]))),
                _of_claim(Column("", "Here"), _answer),
                optional(
                    _of_claim(
                        Column("", "Contrast", "points", "difference of S_change, positive where the claim holds"),
                        lambda entry: Interval.of(entry) if entry.unit == "points" else None,
                    )
                ),
                optional(
                    _of_claim(
                        Column("", "Slope", "number", "points of Retain change a point of Forget change, over cells"),
                        lambda entry: Interval.of(entry) if entry.unit == "ratio" else None,
                    )
                ),
                _of_claim(
                    Column("", "p", "p", "Student's t, from the interval; Holm over the claims"), lambda entry: entry.p
                ),
            ],
            slug="claims",
        )
        for (corpus, semantics, rate), rows in groups.items()
    ]
    return Section(
        "The paper's claims on this grid",
        tuple(tables),
        intro="Each claim of the paper as a contrast of cells that differ in nothing else. A claim of certain "
        "scenarios is not refuted by an average. Intervals are over questions and chunks, with these training runs "
        "held fixed; another seed may differ.",
        slug="claims",
    )


def _shown(index: FigureIndex) -> tuple[Figure, ...]:
    """The claims without those whose contrast another one has with the other sign."""
    entries = index.named("claim")
    there = {str(entry.factors["claim"]) for entry in entries}
    return tuple(entry for entry in entries if MIRRORED.get(str(entry.factors["claim"])) not in there)


def _of_claim(column: Column, read: Callable[[Figure], Cell | Interval]) -> Shown:
    def cell(index: FigureIndex, row: Factors) -> Cell | Interval:
        found = index.get("claim", **row)
        return None if found is None else read(found)

    return Shown(column, cell)


def claim_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """The claims that are decided, a sentence each: what the paper says, and what was measured here."""
    entries = [entry for entry in _shown(index) if entry.value is not None and _answer(entry) != "undecided"]
    return tuple(
        Finding(f"{_statement(str(entry.factors['claim']))}: {_measured(entry)}.", _answer(entry)) for entry in entries
    )


def _answer(entry: Figure) -> Answer:
    return BY_NAME[str(entry.factors["claim"])].answer(entry)


def _measured(entry: Figure) -> str:
    """That it holds or fails here, the contrast in words, and what it rests on."""
    value = entry.value or 0.0
    size = points(value) if entry.unit == "points" else f"{abs(value):.2f}"
    said = SAID[str(entry.factors["claim"])][value < 0].format(size=size)
    low, high = entry.low or 0.0, entry.high or 0.0
    rests = basis(entry) if entry.unit == "points" else f"95% interval {low:.2f} to {high:.2f}"
    return f"{_answer(entry)} here, {said} ({rests})"


def _statement(name: str) -> str:
    statement = BY_NAME[name].statement + ALSO.get(name, "")
    return statement[0].upper() + statement[1:]
