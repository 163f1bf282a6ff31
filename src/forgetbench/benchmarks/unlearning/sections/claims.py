"""The paper's statements, each with what this grid says of it."""

from forgetbench.benchmarks.unlearning.metrics.claims import CLAIMS
from forgetbench.figures import Cell, Column, Figure, Finding, Interval, Section, Table
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import interval_words, signed


def claim_section(index: FigureIndex) -> Section | None:
    """Holds, fails or undecided, per corpus and loss semantics; None where no claim's cells were run."""
    entries = index.named("claim")
    if not entries:
        return None
    statements = {claim.name: claim.statement for claim in CLAIMS}
    rows: list[dict[str, Cell | Interval]] = [
        {
            "statement": statements[str(entry.factors["claim"])],
            "corpus": str(entry.factors["corpus"]),
            "semantics": str(entry.factors["semantics"]),
            "contrast": Interval.of(entry),
            "answer": answer(entry),
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
                    Column(
                        "contrast", "contrast", "points", "difference of S_change, positive where the statement holds"
                    ),
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


def answer(entry: Figure) -> str:
    """`holds`, `fails` or `undecided`, by the interval of the contrast."""
    if entry.low is None or entry.high is None:
        return "undecided"
    return "holds" if entry.low > 0 else "fails" if entry.high < 0 else "undecided"


def claim_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """The claims that are decided, as sentences."""
    statements = {claim.name: claim.statement for claim in CLAIMS}
    return tuple(
        Finding(
            f"{_sentence(statements[str(entry.factors['claim'])])}: {answer(entry)} here ({signed(entry.value)} points "
            f"of S_change, {interval_words(entry)}; {entry.factors['corpus']}, {entry.factors['semantics']} losses).",
            "shown",
        )
        for entry in index.named("claim")
        if entry.value is not None and answer(entry) != "undecided"
    )


def _sentence(statement: str) -> str:
    return statement[0].upper() + statement[1:]
