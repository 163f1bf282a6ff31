"""A paper's audit: its statements as rows of a data file, and as a chapter of docs/paper-audit.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from forgetscope.benchmarks.methods import AUDIT_NAME, AUDIT_ROWS, AuditEntry, counted

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "paper-audit.md"


@dataclass(frozen=True)
class PaperAudit:
    """One paper's statements and what its own tables give.

    Attributes:
        benchmark: Whose paper it is.
        title: Of the chapter.
        paper: Its title and authors.
        checks: One a statement, in the order of the page.
        said: What the entries amount to, a line each.
        appendix: What follows the statements: heading, lines of text, and the lines of a table.
        counting: How many statements agree, as a sentence.
    """

    benchmark: str
    title: str
    paper: str
    checks: Sequence[Callable[[], AuditEntry]]
    said: Sequence[str]
    appendix: tuple[str, Sequence[str], Callable[[], list[str]]]
    counting: Callable[[Sequence[AuditEntry]], str] = counted

    @property
    def json_path(self) -> Path:
        """The data file in the benchmark's folder."""
        return ROOT / "src" / "forgetscope" / "benchmarks" / self._name / AUDIT_NAME

    @property
    def tests(self) -> str:
        """The file of the tests that the entries name, from the repository."""
        return f"tests/tools/paper_audits/test_{self._name}.py"

    @property
    def _name(self) -> str:
        return self.benchmark.replace("-", "_")

    def entries(self) -> tuple[AuditEntry, ...]:
        """Every statement, recomputed."""
        return tuple(check() for check in self.checks)

    def chapter(self) -> str:
        """The chapter as Markdown: what does not agree, what does, and the table behind it."""
        entries = self.entries()
        heading, words, table = self.appendix
        apart = [line for entry in entries if not entry.agrees for line in _statement(entry)]
        agreed = [line for entry in entries if entry.agrees for line in _statement(entry)]
        blocks = (
            [f"## {self.title}"],
            [self.paper],
            [self.counting(entries), *self.said, f"The tests named are in `{self.tests}`."],
            ["### Does not agree with itself"],
            apart,
            ["### Agrees"],
            agreed,
            [f"### {heading}"],
            words,
            table(),
        )
        return "\n\n".join("\n".join(block) for block in blocks)

    def write(self) -> None:
        """Write the data file, and the chapter into the page."""
        self.json_path.write_bytes(AUDIT_ROWS.dump_json(self.entries(), indent=1) + b"\n")
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(page.replace(self.on_page(page), self.chapter()), encoding="utf-8")

    def on_page(self, page: str) -> str:
        """The chapter as it stands on a page."""
        begin = f"<!-- {self.benchmark}: begin, written by python -m tools.paper_audits -->\n"
        return page.split(begin)[1].split(f"\n<!-- {self.benchmark}: end -->")[0].strip("\n")


def _statement(entry: AuditEntry) -> list[str]:
    lines = [
        f"- **{entry.claim}** ({entry.source})",
        f"  - published: {entry.published}",
        f"  - recomputed: {entry.recomputed}",
    ]
    if entry.note:
        lines.append(f"  - {entry.note}")
    return [*lines, f"  - `{entry.test}`"]
