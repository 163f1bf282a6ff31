"""The metrics of a run, ours and those that installed packages bring.

To add one: a module here with a `METRIC` and a line below; from outside, an entry point in the group
`forgetscope.in_context_metrics` (`examples/plugins/in_context_metric/` is a whole one).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.core.registry import Registry
from forgetscope.findings.figures import Figure
from forgetscope.findings.tables import MetricTable


@dataclass(frozen=True)
class InContextMetric:
    """Figures of a run's study, and where no section of ours shows them, a table of them.

    Attributes:
        figures: From the study to its figures; nothing where the run has no samples for them.
        table: Shown under "Further measures".
    """

    figures: Callable[[InContextStudy], Iterable[Figure]]
    table: MetricTable | None = None


_ROOM = "forgetscope.benchmarks.in_context.metrics"

METRICS: Registry[InContextMetric] = Registry(
    "in-context metric",
    "forgetscope.in_context_metrics",
    {
        "outcomes": f"{_ROOM}.outcomes:METRIC",
        "forgetting": f"{_ROOM}.forgetting:METRIC",
        "strategies": f"{_ROOM}.changes:STRATEGIES_METRIC",
        "lengths": f"{_ROOM}.changes:LENGTHS_METRIC",
        "details": f"{_ROOM}.details:METRIC",
        "judges": f"{_ROOM}.judges:METRIC",
        "contexts": f"{_ROOM}.contexts:METRIC",
        "forms": f"{_ROOM}.forms:METRIC",
        "residue": f"{_ROOM}.residue:METRIC",
        "pressure": f"{_ROOM}.pressure:METRIC",
    },
    InContextMetric,
)
"""By name, in the order of their figures in `summary.json`."""
