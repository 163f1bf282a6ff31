"""The paper's statements, each with what this grid says of it."""

from forgetbench.benchmarks.unlearning.metrics.claims import BY_NAME, Answer
from forgetbench.figures import Cell, Column, Figure, Finding, Interval, Section, Table
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import interval_words, signed


def claim_section(index: FigureIndex) -> Section | None:
    """Holds, fails or undecided, per setting; None where no claim's cells were run."""
    entries = index.named("claim")
    if not entries:
        return None
    rows: list[dict[str, Cell | Interval]] = [
        {
            "statement": BY_NAME[str(entry.factors["claim"])].statement,
            "corpus": str(entry.factors["corpus"]),
            "semantics": str(entry.factors["semantics"]),
            "rate": f"{entry.factors['learning_rate']:g}",
            "contrast": Interval.of(entry) if entry.unit == "points" else None,
            "correlation": Interval.of(entry) if entry.unit == "ratio" else None,
            "answer": _answer(entry),
        }
        for entry in entries
    ]
    return Section(
        "What the paper says, on this grid",
        (
            Table(
                "Claims as contrasts",
                (
                    Column("statement", "statement"),
                    Column("corpus", "corpus"),
                    Column("semantics", "losses"),
                    Column("rate", "learning rate"),
                    Column(
                        "contrast", "contrast", "points", "difference of S_change, positive where the statement holds"
                    ),
                    Column("correlation", "correlation", "number", "Spearman's, over cells"),
                    Column("answer", "answer"),
                ),
                tuple(rows),
                note="Intervals are over questions and chunks, with these training runs held fixed; another seed "
                "may differ.",
                slug="claims",
            ),
        ),
        slug="claims",
    )


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
