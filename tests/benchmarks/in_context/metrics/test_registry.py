"""Metrics are parts in a registry; one with a table needs no section of its own."""

import pytest

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.in_context.metrics import METRICS, InContextMetric, compute_figures
from forgetscope.benchmarks.in_context.report.results import results
from forgetscope.core.registry import Registry
from forgetscope.findings.figures import Table
from forgetscope.findings.measures import plain
from forgetscope.findings.tables import MetricTable, count, label
from tests.benchmarks.in_context.metrics.small_tables import SETTINGS, pair, study_of, table_of

CELLS = InContextMetric(
    lambda study: [plain("cells", {"of": "run"}, len(study.cells), 1, unit="count", method="cells of the run")],
    MetricTable("Cells", "cells", (label("of", "of"), count("n", "cells"))),
)


def test_every_metric_of_ours_is_there_under_a_name_and_has_figures() -> None:
    assert list(METRICS)[:2] == ["outcomes", "forgetting"]
    names = {entry.name for entry in compute_figures(study_of(pair("i1", True, True)))}
    assert {"na", "outcomes.planned", "context.tokens", "leak", "judge.decided"} <= names


def test_a_metric_with_a_table_needs_no_section_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    more = Registry(METRICS.kind, METRICS.group, {**dict(METRICS.items()), "cells": CELLS}, InContextMetric)
    for room in ("metrics", "report.results"):
        monkeypatch.setattr(f"forgetscope.benchmarks.in_context.{room}.METRICS", more)
    found = results(table_of(pair("i1", True, True)), FigureFacts(SETTINGS, {}, 0.98))
    assert [entry.value for entry in found.figures if entry.name == "cells"] == [1]
    (section,) = [section for section in found.sections if section.slug == "further"]
    shown = section.blocks[-1]
    assert isinstance(shown, Table)
    assert shown.title == "Cells"
