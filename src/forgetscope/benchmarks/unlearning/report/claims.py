"""The paper's statements, each with what this grid says of it."""

from forgetscope.benchmarks.unlearning.metrics.claims import BY_NAME, Answer
from forgetscope.findings.figures import Cell, Column, Figure, Finding, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import interval_words, signed


def claim_section(index: FigureIndex) -> Section | None:
    """Holds, fails or undecided, per setting; None where no claim's cells were run."""
    entries = index.named("claim")
    if not entries:
        return None
    groups: dict[tuple[str, str, str], list[Figure]] = {}
    for entry in entries:
        rate = f"{entry.factors['learning_rate']:g}"
        groups.setdefault((str(entry.factors["corpus"]), str(entry.factors["semantics"]), rate), []).append(entry)
    tables = [
        Table(
            f"Claims as contrasts: {corpus}, {semantics} losses, learning rate {rate}",
            (
                Column("answer", "answer"),
                Column("contrast", "contrast", "points", "difference of S_change, positive where the statement holds"),
                Column("correlation", "correlation", "number", "Spearman's, over cells"),
                Column("statement", "statement"),
            ),
            tuple(_row(entry) for entry in found),
            slug="claims",
        )
        for (corpus, semantics, rate), found in groups.items()
    ]
    return Section(
        "What the paper says, on this grid",
        tuple(tables),
        intro="Each statement as a contrast of cells that differ in nothing else. Intervals are over questions and "
        "chunks, with these training runs held fixed; another seed may differ.",
        slug="claims",
    )


def _row(entry: Figure) -> dict[str, Cell | Interval]:
    return {
        "answer": _answer(entry),
        "contrast": Interval.of(entry) if entry.unit == "points" else None,
        "correlation": Interval.of(entry) if entry.unit == "ratio" else None,
        "statement": BY_NAME[str(entry.factors["claim"])].statement,
    }


def claim_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """The claims that are decided, as sentences; one setting's beside another's."""
    return tuple(
        Finding(
            f"{_sentence(BY_NAME[str(entry.factors['claim'])].statement)}: {_answer(entry)} here "
            f"({_size(entry)}; {entry.factors['corpus']}, {entry.factors['semantics']} losses, learning rate "
            f"{entry.factors['learning_rate']:g}).",
            "shown",
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
