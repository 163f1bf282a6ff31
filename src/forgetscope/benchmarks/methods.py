"""What stands behind a benchmark's figures: where it differs from its paper, its calibration, the audit of the paper.

Each benchmark's folder holds all three: its README's section of differences, `certificate.json` with what `validate`
found when it was last made (`tools/write_certificates.py`), and `paper_audit.json` with the paper's statements,
recomputed (`tools/paper_audits/`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from forgetscope.benchmarks import package_of

CERTIFICATE_NAME = "validation/certificate.json"
AUDIT_NAME = "validation/paper_audit.json"

_DIFFERENCES = re.compile(r"^## Where ours differs[^\n]*\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_POINT = re.compile(r"^- (?P<text>.*?)(?=^- |\Z)", re.MULTILINE | re.DOTALL)


class CertifiedCheck(BaseModel):
    """One figure a responder of known behaviour must have, and what was found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    figure: str
    expected: str
    found: str
    holds: bool


class Certificate(BaseModel):
    """What `forgetscope validate` found, with what it was found with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal["1"] = "1"
    benchmark: str
    made: str
    forgetscope: str
    prompts_version: str
    data_sha256: str
    checks: tuple[CertifiedCheck, ...]

    @property
    def held(self) -> int:
        """How many checks hold."""
        return sum(check.holds for check in self.checks)

    @property
    def models(self) -> tuple[str, ...]:
        """The responders, each once."""
        return tuple(dict.fromkeys(check.model for check in self.checks))


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One published statement and what its paper's own tables say.

    Attributes:
        claim: The statement, in our words.
        source: Where it stands.
        published: The figure as printed.
        recomputed: The figure from the tables.
        agrees: Whether rounding alone explains any difference.
        note: What a reader should know, fair to the authors.
        test: The test that shows it, in tests/tools/paper_audits/.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    claim: str
    source: str
    published: str
    recomputed: str
    agrees: bool
    note: str
    test: str


AUDIT_ROWS = TypeAdapter(tuple[AuditEntry, ...])
"""A paper's audit as a data file."""


@dataclass(frozen=True)
class Methods:
    """What a report says of a benchmark itself, whatever was run.

    Attributes:
        differences: Where ours differs from the paper and why, a point each, in Markdown.
        calibration: None where no findings on models of known behaviour are kept.
        audit: The paper's statements, recomputed from its own tables.
    """

    differences: tuple[str, ...]
    calibration: Certificate | None
    audit: tuple[AuditEntry, ...]


def methods_of(benchmark: str) -> Methods | None:
    """The methods of a benchmark; None where it has no README that says where it differs, or there is none such."""
    package = package_of(benchmark)
    if not package or not (files(package) / "README.md").is_file():
        return None
    place = files(package)
    certificate = place / CERTIFICATE_NAME
    audit = place / AUDIT_NAME
    return Methods(
        differences_in((place / "README.md").read_text(encoding="utf-8")),
        Certificate.model_validate_json(certificate.read_text(encoding="utf-8")) if certificate.is_file() else None,
        AUDIT_ROWS.validate_json(audit.read_bytes()) if audit.is_file() else (),
    )


def counted(entries: Sequence[AuditEntry]) -> str:
    """How many statements were recomputed and how many agree, as a sentence."""
    agreed = sum(entry.agrees for entry in entries)
    return (
        f"{len(entries)} statements were recomputed from the paper's own tables: {agreed} agree with them by "
        f"rounding alone, {len(entries) - agreed} do not."
    )


def differences_in(readme: str) -> tuple[str, ...]:
    """The points under "Where ours differs", each as one line of Markdown.

    >>> differences_in("## Where ours differs, and why\\n\\n- **One.** It\\n  does.\\n- Two.\\n\\n## Rooms\\n- no\\n")
    ('**One.** It does.', 'Two.')
    """
    section = _DIFFERENCES.search(readme)
    if section is None:
        return ()
    return tuple(" ".join(point["text"].split()) for point in _POINT.finditer(section["body"]))
