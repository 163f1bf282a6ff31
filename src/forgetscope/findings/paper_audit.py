"""Do a paper's printed figures agree with each other? The form of an audited statement, shared by all papers.

A benchmark's `audit` package computes its statements from the printed tables; `docs/paper-audit.md` holds the chapters
and tests hold the page to them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HALF_A_TENTH = 0.05 + 1e-9
HALF_A_HUNDREDTH = 0.005 + 1e-9
"""How far a figure printed with one or two decimals may lie from the value it was rounded from."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One published statement and what its own tables say.

    Attributes:
        claim: The statement, in our words.
        source: Where it stands.
        published: The figure as printed.
        recomputed: The figure from the tables.
        agrees: Whether rounding alone explains any difference.
        note: What a reader should know, fair to the authors.
        test: The test that shows it, in the benchmark's tests/benchmarks/.../test_published_tables.py.
    """

    claim: str
    source: str
    published: str
    recomputed: str
    agrees: bool
    note: str
    test: str


def rounds_to(value: float, printed: float, half_unit: float = HALF_A_TENTH) -> bool:
    """Whether a value can have been printed so; a tie may go either way."""
    return abs(value - printed) <= half_unit


def counts_for(percent: float, sizes: Iterable[int], half_unit: float = HALF_A_TENTH) -> tuple[tuple[int, int], ...]:
    """All (k, n) with n among the sizes whose rate is printed as `percent`.

    Where n is so large that several k round to it, all of them. Example: 82.4 among 50 to 54 gives only 42 of 51.
    """
    found = []
    for n in sizes:
        nearest = round(percent * n / 100)
        spread = int(half_unit * n / 100) + 1
        for k in range(max(0, nearest - spread), min(n, nearest + spread) + 1):
            if rounds_to(100 * k / n, percent, half_unit):
                found.append((k, n))
    return tuple(found)


def statements(entries: Sequence[AuditEntry]) -> list[str]:
    """The Markdown of a chapter's statements: what does not agree first, then what does."""
    apart = [entry for entry in entries if not entry.agrees]
    agreed = [entry for entry in entries if entry.agrees]
    return [
        "### Does not agree with itself",
        "",
        *[line for entry in apart for line in _entry(entry)],
        "",
        "### Agrees",
        "",
        *[line for entry in agreed for line in _entry(entry)],
    ]


def counted(entries: Sequence[AuditEntry]) -> str:
    """How many statements were recomputed and how many agree, as a sentence."""
    agreed = sum(entry.agrees for entry in entries)
    return (
        f"{len(entries)} statements were recomputed from the paper's own tables: {agreed} agree with them by "
        f"rounding alone, {len(entries) - agreed} do not."
    )


def _entry(entry: AuditEntry) -> list[str]:
    lines = [
        f"- **{entry.claim}** ({entry.source})",
        f"  - published: {entry.published}",
        f"  - recomputed: {entry.recomputed}",
    ]
    if entry.note:
        lines.append(f"  - {entry.note}")
    return [*lines, f"  - `{entry.test}`"]
