"""Every sentence of every report, driven with figures over a grid: the badge never says more than the figures do.

The tables are small and only make every section there; then each difference among their figures is replaced by one and
the same, so that what each sentence may claim is known.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.in_context.report import results as in_context
from forgetscope.benchmarks.prospective.report import results as prospective
from forgetscope.benchmarks.unlearning.report import results as unlearning
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.benchmarks.visual.report import results as visual
from forgetscope.comparison import compare
from forgetscope.comparison.findings import headline_findings
from forgetscope.findings.figures import Figure, Finding, Results
from forgetscope.findings.measures import FigureIndex
from forgetscope.stats import Estimate
from tests.benchmarks.in_context.metrics.small_tables import DP, IF, SR, cell, row
from tests.benchmarks.in_context.report.test_findings import results_of as in_context_results
from tests.benchmarks.prospective.metrics.small_tables import row as prospective_row
from tests.benchmarks.prospective.metrics.small_tables import stack
from tests.benchmarks.prospective.report.test_tables import results_of as prospective_results
from tests.benchmarks.prospective.report.test_tables import whole_run
from tests.benchmarks.unlearning.metrics.small_grids import table as grid_table
from tests.benchmarks.unlearning.report.test_tables import runs as grid_runs
from tests.benchmarks.visual.metrics.small_tables import table as visual_table
from tests.benchmarks.visual.report.test_sections import obedient
from tests.benchmarks.visual.report.test_sections import results_of as visual_results
from tests.comparison.invented import DESIGN, make_run, make_table


@dataclass(frozen=True)
class Made:
    """What every difference is made to rest on."""

    value: float
    low: float | None
    high: float | None
    items: int
    p: float | None
    changed: int | None

    @property
    def may_be_shown(self) -> bool:
        """Whether a sentence may call it shown."""
        return (
            self.low is not None
            and self.high is not None
            and not self.low <= 0 <= self.high
            and self.items >= 10
            and (self.p is None or self.p <= 0.05)
            and (self.changed is None or self.changed >= 6)
        )

    def of(self, entry: Figure) -> Figure:
        """A figure with it in the place of its own, where it is a difference."""
        if entry.unit not in ("points", "ratio") or entry.value is None:
            return entry
        return replace(
            entry,
            value=self.value,
            low=self.low,
            high=self.high,
            n=self.items,
            items=self.items,
            p=self.p,
            changed=self.changed,
        )


GRID = [
    Made(value, low, high, items, p, changed)
    for (value, low, high), items, (p, changed) in itertools.product(
        ((0.2, 0.1, 0.3), (-0.2, -0.3, -0.1), (0.1, -0.1, 0.3), (0.0, -0.1, 0.1), (0.2, None, None)),
        (9, 10),
        ((0.001, 8), (0.125, 8), (0.03, 5), (None, None)),
    )
]


def small_in_context() -> Results:
    rows = [made for scenario in (IF, SR, DP) for made in cell(4, 4, 2, 2, scenario)]
    for length, right in ((500, 12), (1000, 6), (2000, 1)):
        rows += cell(right, 0, 0, 12 - right, length=length) + cell(
            right, 0, 0, 12 - right, length=length, strategy="none"
        )
    rows += cell(4, 4, 2, 2, strategy="forget")
    rows += [row("n", "forget", True, leak="none", reask_status="incorrect")]
    rows = [{**made, "chosen": "old", "shown_position": 0} if made["scenario"] == DP else made for made in rows]
    return in_context_results(rows)


def small_prospective() -> Results:
    rows = whole_run()
    for number, item in enumerate("abcdef"):
        rows += [
            prospective_row(item, name, "mmlu", number > 1) for name in ("kept_heading", "reminder_per_constraint")
        ]
        rows += [prospective_row(item, "natural", f"gsm8k_x{size}", number > size) for size in (1, 3, 5)]
    pair = "no_comma+title"
    rows += [
        stack(f"t{n}", (n > 0,), name, experiment="singles", pair=pair) for n in range(3) for name in pair.split("+")
    ]
    return prospective_results(rows)


REPORTS: dict[str, tuple[Any, str, Callable[[], Results]]] = {
    "in-context": (in_context, "compute_figures", small_in_context),
    "prospective": (prospective, "compute_figures", small_prospective),
    "visual": (visual, "FigureIndex", lambda: visual_results(visual_table(obedient()))),
    "unlearning": (
        unlearning,
        "FigureIndex",
        lambda: unlearning.results(grid_table(*grid_runs(2e-5)), FigureFacts(GridSettings(), {}, 1.0)),
    ),
}


def sentences(found: Results) -> Iterator[Finding]:
    yield from found.headlines
    yield from (block for section in found.sections for block in section.blocks if isinstance(block, Finding))


def check(findings: Iterable[Finding], made: Made) -> int:
    """The rule of badges on each sentence; how many are sure."""
    sure = 0
    for finding in findings:
        claims = finding.verdict in ("shown", "holds", "fails")
        sure += claims
        assert made.may_be_shown or not claims, (made, finding)
        if claims:
            assert not re.search(r"not shown|undecided|too few|holds zero|no interval", finding.text), finding
            assert all(float(p) <= 0.05 for p in re.findall(r"\bp (0\.\d+|1\.0+)", finding.text)), finding
        for badge in ("undecided", "too few"):
            assert f"; {badge}: " not in finding.text or finding.verdict == badge, finding
    return sure


@pytest.mark.parametrize("benchmark", REPORTS)
def test_no_badge_of_a_report_says_more_than_its_figures(benchmark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, report = REPORTS[benchmark]
    computed: dict[int, FigureIndex] = {}
    calls = itertools.count()

    def kept(*given: Any) -> FigureIndex:
        call = next(calls)
        if call not in computed:
            computed[call] = original(*given)
        return FigureIndex(made.of(entry) for entry in computed[call])

    original = getattr(module, name)
    monkeypatch.setattr(module, name, kept)
    sure = 0
    for made in GRID:
        calls = itertools.count()
        sure += check(sentences(report()), made)
    assert sure, "some sentence can be shown at all"


def test_no_badge_of_a_comparison_says_more_than_its_figures() -> None:
    one, two = ({"easy": [number % 3 > place for number in range(12)]} for place in (0, 1))
    tables = [make_table(one), make_table(two, said="!"), make_table(one, said="?")]
    sure = 0
    for runs in (2, 3):
        found = compare(DESIGN, [make_run(table, f"run {number}") for number, table in enumerate(tables[:runs])])
        for made in GRID:
            rows = [
                replace(
                    table,
                    rows=tuple(
                        replace(
                            entry,
                            estimate=Estimate(
                                made.value, made.low, made.high, made.items, "", "" if made.low else "few"
                            )
                            if made.low is not None
                            else Estimate(made.value, None, None, made.items, "", "few"),
                            p=made.p,
                            p_holm=made.p,
                            items=made.items,
                            changed=made.changed,
                        )
                        for entry in table.rows
                    ),
                )
                for table in found.tables
            ]
            sure += check(headline_findings(replace(found, tables=tuple(rows))), made)
    assert sure
