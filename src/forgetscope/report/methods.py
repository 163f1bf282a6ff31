"""The methods of a report: words that hold for all benchmarks, then what stands behind the figures of each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from forgetscope.benchmarks.methods import AuditEntry, Certificate, Methods, counted, methods_of
from forgetscope.findings.figures import Figure, Table
from forgetscope.findings.tables import given, listing
from forgetscope.report.accounting import MEANINGS
from forgetscope.report.summary import SummaryFacts
from forgetscope.report.tables import TableView, view_table
from forgetscope.report.wording import finite, write_number

DEFINITIONS = (
    ("Sample", "One item in one form, put to a model once. Every sample ends in exactly one status."),
    (
        "Paper rate",
        "Every reply with text, as the paper's own scorer reads it; the rate to set beside published figures.",
    ),
    (
        "Completed rate",
        "Correct over correct and incorrect. All other samples lie outside it and inside its bounds: the lowest and "
        "highest value it could have if they had all gone one way or the other.",
    ),
    ("Completeness", "The share of planned samples that were lost neither to the model nor to the judge."),
    ("Length-limited", "More than 5% of a cell's replies were cut off by the token limit; its rates are too low."),
    (
        "Interval",
        "At 95%, the item with all its forms and runs being the unit. Rates: Wilson's score interval, with the "
        "effective sample size where items have several replies; differences: the adjusted interval for paired "
        "proportions; tokens: Student's t corrected for skewness. Fewer than six items: none.",
    ),
    (
        "Shown, undecided, too few",
        "Shown: the interval leaves out zero, the test beside it gives at most 0.05, and there are ten items, of the "
        "same items six that changed. Too few: under ten items. Undecided: anything else is missing; that is not the "
        "same as no difference.",
    ),
    (
        "Holds, fails",
        "What a run says of a claim of the paper, by the same rule; otherwise it is undecided. A claim of certain "
        "scenarios is not refuted by an average.",
    ),
    (
        "Paired difference",
        "The same items with and without the request, text or load. An item that lacks a form is left out and counted.",
    ),
)
"""Words every chapter uses; docs/concepts.md works them through."""


@dataclass(frozen=True)
class BenchmarkMethods:
    """What the methods say of one benchmark.

    Attributes:
        title: Of the benchmark.
        differences: From the paper, a point each.
        calibration: What responders of known behaviour showed, in a sentence.
        checks: The figures behind that; None without responders.
        audited: What recomputing the paper's figures showed, in a sentence; empty where nothing was recomputed.
        audit: The statements behind that, those that do not agree first.
    """

    id: str
    title: str
    differences: tuple[Markup, ...]
    calibration: str
    checks: TableView | None
    audited: str
    audit: tuple[AuditEntry, ...]


@dataclass(frozen=True)
class MethodsView:
    """The methods of a report."""

    definitions: tuple[tuple[str, str], ...]
    statuses: tuple[tuple[str, str], ...]
    benchmarks: tuple[BenchmarkMethods, ...]


def view_methods(runs: Sequence[SummaryFacts]) -> MethodsView:
    """The methods of these runs: each benchmark once, in the order of its first run."""
    first = {run.benchmark: run for run in reversed(runs)}
    order = dict.fromkeys(run.benchmark for run in runs)
    found = ((first[name], methods_of(name)) for name in order)
    return MethodsView(
        DEFINITIONS,
        tuple((status.value.replace("_", " "), meaning) for status, meaning in MEANINGS.items()),
        tuple(_benchmark(run, methods) for run, methods in found if methods is not None),
    )


def _benchmark(run: SummaryFacts, methods: Methods) -> BenchmarkMethods:
    certificate = methods.calibration
    return BenchmarkMethods(
        id=f"methods-{run.benchmark}",
        title=run.title.partition(":")[0],
        differences=tuple(inline(point) for point in methods.differences),
        calibration=calibration_words(certificate, run),
        checks=None if certificate is None else view_table(_checks(certificate)),
        audited=counted(methods.audit) if methods.audit else "",
        audit=tuple(sorted(methods.audit, key=lambda entry: entry.agrees)),
    )


def calibration_words(certificate: Certificate | None, run: SummaryFacts) -> str:
    """What the certificate says, and whether it is of what this run used."""
    if certificate is None:
        return (
            "No findings on models of known behaviour are kept with this version; "
            f"'forgetscope validate {run.benchmark}' makes them."
        )
    checks = len(certificate.checks)
    said = (
        f"{certificate.held} of {checks} figures are what they must be for {len(certificate.models)} responders whose "
        f"behaviour is known by construction (forgetscope validate, {certificate.made}, forgetscope "
        f"{certificate.forgetscope}, prompts {certificate.prompts_version})."
    )
    other = []
    if certificate.forgetscope != run.forgetscope:
        other.append(f"forgetscope {run.forgetscope}")
    if certificate.prompts_version != run.prompts_version:
        other.append(f"prompts {run.prompts_version}")
    return f"{said} This run used {' and '.join(other)}: validate again." if other else said


def _checks(certificate: Certificate) -> Table:
    return listing(
        "Responders of known behaviour",
        certificate.checks,
        [
            given("Responder", lambda check: check.model),
            given("Figure", lambda check: check.figure),
            given("Must be", lambda check: check.expected),
            given("Found", lambda check: check.found),
            given("Holds", lambda check: "yes" if check.holds else "NO"),
        ],
        slug="certificate",
    )


_SPAN = re.compile(r"\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`|\[(?P<text>[^\]]+)\]\([^)]*\)")


def inline(markdown: str) -> Markup:
    """Bold and code of a line of Markdown as HTML; of a link its text alone, since its target lies elsewhere.

    >>> str(inline("**Loose** is `a<b>`; see [there](x.md)"))
    '<strong>Loose</strong> is <code>a&lt;b&gt;</code>; see there'
    """
    parts: list[Markup] = []
    done = 0
    for span in _SPAN.finditer(markdown):
        parts.append(escape(markdown[done : span.start()]))
        if span["strong"] is not None:
            parts.append(Markup("<strong>{}</strong>").format(span["strong"].replace("`", "")))
        elif span["code"] is not None:
            parts.append(Markup("<code>{}</code>").format(span["code"]))
        else:
            parts.append(escape(span["text"]))
        done = span.end()
    parts.append(escape(markdown[done:]))
    return Markup("").join(parts)


def judge_words(judge: str, figures: Sequence[Figure]) -> str:
    """Who decided, and how often the judge agreed with the rule where both decided."""
    if not judge:
        return "none: every verdict is a rule's, a checker's or a parser's"
    measured = [
        f"{', '.join(str(value).replace('_', ' ') for value in entry.factors.values())} "
        f"{write_number(entry.value, 'percent')}% of {entry.n}{_interval(entry)}"
        for entry in figures
        if entry.name == "judge.agreement" and entry.value is not None
    ]
    if not measured:
        return f"{judge}; its error is not known here: no sample has both its verdict and a rule's"
    return f"{judge}; agrees with the rule, where both decided: {'; '.join(measured)}"


def _interval(entry: Figure) -> str:
    low, high = finite(entry.low), finite(entry.high)
    if low is None or high is None:
        return ""
    return f" ({write_number(low, 'percent')} to {write_number(high, 'percent')})"
