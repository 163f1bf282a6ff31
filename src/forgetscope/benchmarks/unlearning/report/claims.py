"""The paper's statements, each with what this grid says of it."""

from collections.abc import Callable

from forgetscope.benchmarks.unlearning.metrics.claims import BY_NAME
from forgetscope.findings.figures import Cell, Column, Figure, Finding, Interval, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import interval_words, signed
from forgetscope.findings.tables import Factors, Shown, label, table
from forgetscope.findings.verdicts import Answer


def claim_section(index: FigureIndex) -> Section | None:
    """Holds, fails or undecided, per setting; None where no claim's cells were run."""
    entries = index.named("claim")
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
                _of_claim(Column("", "answer"), _answer),
                _of_claim(
                    Column("", "contrast", "points", "difference of S_change, positive where the statement holds"),
                    lambda entry: Interval.of(entry) if entry.unit == "points" else None,
                ),
                _of_claim(
                    Column("", "correlation", "number", "Spearman's, over cells"),
                    lambda entry: Interval.of(entry) if entry.unit == "ratio" else None,
                ),
                label("statement", lambda row: BY_NAME[str(row["claim"])].statement),
            ],
            slug="claims",
        )
        for (corpus, semantics, rate), rows in groups.items()
    ]
    return Section(
        "What the paper says, on this grid",
        tuple(tables),
        intro="Each statement as a contrast of cells that differ in nothing else. Intervals are over questions and "
        "chunks, with these training runs held fixed; another seed may differ.",
        slug="claims",
    )


def _of_claim(column: Column, read: Callable[[Figure], Cell | Interval]) -> Shown:
    def cell(index: FigureIndex, row: Factors) -> Cell | Interval:
        found = index.get("claim", **row)
        return None if found is None else read(found)

    return Shown(column, cell)


def claim_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """The claims that are decided, as sentences; one setting's beside another's."""
    return tuple(
        Finding(
            f"{_sentence(BY_NAME[str(entry.factors['claim'])].statement)}: {_answer(entry)} here "
            f"({_size(entry)}; {entry.factors['corpus']}, {entry.factors['semantics']} losses, learning rate "
            f"{entry.factors['learning_rate']:g}).",
            _answer(entry),
        )
        for entry in index.named("claim")
        if entry.value is not None and _answer(entry) != "undecided"
    )


def _answer(entry: Figure) -> Answer:
    return BY_NAME[str(entry.factors["claim"])].answer(entry)


def _size(entry: Figure) -> str:
    if entry.unit == "points" and entry.value is not None:
        return f"{signed(entry.value)} points of S_change, {interval_words(entry)}"
    return f"{entry.value:.2f}, 95% interval {entry.low:.2f} to {entry.high:.2f}"


def _sentence(statement: str) -> str:
    return statement[0].upper() + statement[1:]
