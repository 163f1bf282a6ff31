"""`summary.json`: every figure of a run and what the run was, in a file other programs can rely on."""

from pathlib import Path, PurePath
from typing import Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, JsonValue

from forgetscope.core.errors import RunFolderError
from forgetscope.core.outcomes import Account
from forgetscope.findings.figures import Badge, Figure, Finding, Unit
from forgetscope.io.received import read_form
from forgetscope.report.wording import finite
from forgetscope.running.finished import FinishedRun

SUMMARY_VERSION: Literal["2"] = "2"
SUMMARY_NAME = "summary.json"

NOT_FINITE = "not a finite number"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SummaryFacts(_Part):
    """What was run, as the manifest has it.

    Provider arguments and addresses are left out: this file is handed on, and they may hold a key. `inspect_ai` is
    empty where the samples are not Inspect's.
    """

    benchmark: str
    title: str
    model: str
    decoding: str
    judge: str
    data: str
    data_sha256: str
    prompts_version: str
    plan_sha256: str
    settings: dict[str, JsonValue]
    forgetscope: str
    inspect_ai: str
    python: str
    started: str
    finished: str | None
    status: Literal["running", "complete", "incomplete"]
    completeness: float | None
    completeness_floor: float
    planned: int
    samples: int
    notes: tuple[str, ...]


class SummaryFigure(_Part):
    """A `Figure` as stored: numbers are finite or null, `note` says why one is null."""

    name: str
    factors: dict[str, str | int | float | bool | None]
    value: float | None
    n: int
    excluded: int
    low: float | None
    high: float | None
    method: str
    unit: Unit
    note: str
    items: int | None = None
    p: float | None = None
    test: str = ""
    changed: int | None = None
    verdict: str = ""


class SummaryFinding(_Part):
    """A headline: a sentence and how sure it is."""

    text: str
    verdict: Badge


class Summary(_Part):
    """The content of `summary.json`. A file with other fields or another version is refused."""

    schema_version: Literal["2"] = SUMMARY_VERSION
    run: SummaryFacts
    outcomes: dict[str, int]
    """Samples per status."""
    headlines: tuple[SummaryFinding, ...]
    figures: tuple[SummaryFigure, ...]

    def as_json(self) -> str:
        """The file's text; plain JSON, never NaN."""
        return self.model_dump_json(indent=2) + "\n"


def make_summary(
    finished: FinishedRun, title: str, figures: tuple[Figure, ...], headlines: tuple[Finding, ...]
) -> Summary:
    """The summary of a finished run."""
    manifest, table = finished.manifest, finished.table
    facts = SummaryFacts(
        benchmark=manifest.benchmark,
        title=title,
        model=manifest.model.name,
        decoding=manifest.model.decoding,
        judge=finished.judged_by,
        data=shown_source(str(manifest.settings.get("data", ""))),
        data_sha256=manifest.data_sha256,
        prompts_version=manifest.prompts_version,
        plan_sha256=manifest.plan_sha256,
        settings={**manifest.settings, "data": shown_source(str(manifest.settings.get("data", "")))},
        forgetscope=manifest.forgetscope,
        inspect_ai=manifest.inspect_ai,
        python=manifest.python,
        started=manifest.started,
        finished=manifest.finished,
        status=manifest.status,
        completeness=manifest.completeness,
        completeness_floor=manifest.limits.completeness_floor,
        planned=manifest.planned_samples,
        samples=table.height,
        notes=tuple(manifest.notes),
    )
    return summary_of(facts, table, figures, headlines)


def summary_of(
    facts: SummaryFacts, table: pl.DataFrame, figures: tuple[Figure, ...], headlines: tuple[Finding, ...]
) -> Summary:
    """The summary of a sample table, whatever made it."""
    counts = Account.of(table["status"].to_list(), table["raw_pass"].to_list()).counts
    return Summary(
        run=facts,
        outcomes={status.value: count for status, count in sorted(counts.items())},
        headlines=tuple(SummaryFinding(text=finding.text, verdict=finding.verdict) for finding in headlines),
        figures=tuple(stored_figure(figure) for figure in figures),
    )


OWN_DATA = ("embedded", "embedded-small")
"""Data in the package, written for this project: what is found on them is labelled so."""

OWN_MODELS = ("forgetscope/glimpse-", "forgetscope/murmur-")
"""How the names of models begin that the package ships and whose truth is known."""


def shown_source(source: str) -> str:
    """A data source as it is shown: a folder by its name alone, for a report may be handed on."""
    return source if source in (*OWN_DATA, "official", "") else PurePath(source).name


def read_summary(path: Path) -> Summary:
    """A stored summary.

    Raises:
        RunFolderError: missing, not JSON, or of another version.
    """
    again = "forgetscope report DIR"
    try:
        return read_form(path, Summary, "the summary is not one this version reads", next_step=again)
    except FileNotFoundError:
        raise RunFolderError("no summary", where=str(path), next_step=again) from None


def stored_figure(figure: Figure) -> SummaryFigure:
    """NaN and infinities become null, and the note says so: JSON has neither."""
    numbers = (figure.value, figure.low, figure.high)
    broken = any(number is not None and finite(number) is None for number in numbers)
    return SummaryFigure(
        name=figure.name,
        factors=dict(figure.factors),
        value=finite(figure.value),
        n=figure.n,
        excluded=figure.excluded,
        low=finite(figure.low),
        high=finite(figure.high),
        method=figure.method,
        unit=figure.unit,
        note="; ".join(part for part in (figure.note, NOT_FINITE if broken else "") if part),
        items=figure.items,
        p=finite(figure.p),
        test=figure.test,
        changed=figure.changed,
        verdict=figure.verdict,
    )
