"""forgetbench measures what language and vision-language models forget: when they should not, and when they should.

From Python:

    import forgetbench as fb

    fb.plan("in-context", limit=6).samples                      # what would be sent; calls no model
    run = fb.run("in-context", "forgetbench/smollm2", limit=6, max_tokens=64, out="runs/a")
    run.table                                                   # a row a sample, a Polars data frame
    run.figures                                                 # a row a figure: value, interval, denominators
    run.report()                                                # the page, as `forgetbench report` writes it
    fb.compare("runs/a", "runs/b").headlines                    # paired by sample

Names are imported when they are first used, so that `import forgetbench` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forgetbench.api.comparisons import ComparedRuns, compare
    from forgetbench.api.runs import Run, joint_report, load, merge, plan, rejudge, resume, run, unlearn
    from forgetbench.benchmarks import BENCHMARK_NAMES
    from forgetbench.benchmarks.base import Plan
    from forgetbench.errors import ForgetbenchError, UserError
    from forgetbench.figures import Figure, Finding, Results
    from forgetbench.outcomes import Account, FinishReason, Status
    from forgetbench.running.manifest import Limits, ModelSpec

__version__ = "0.1.0"

_HOMES = {
    "Account": "forgetbench.outcomes",
    "BENCHMARK_NAMES": "forgetbench.benchmarks",
    "ComparedRuns": "forgetbench.api.comparisons",
    "Figure": "forgetbench.figures",
    "Finding": "forgetbench.figures",
    "FinishReason": "forgetbench.outcomes",
    "ForgetbenchError": "forgetbench.errors",
    "Limits": "forgetbench.running.manifest",
    "ModelSpec": "forgetbench.running.manifest",
    "Plan": "forgetbench.benchmarks.base",
    "Results": "forgetbench.figures",
    "Run": "forgetbench.api.runs",
    "Status": "forgetbench.outcomes",
    "UserError": "forgetbench.errors",
    "compare": "forgetbench.api.comparisons",
    "joint_report": "forgetbench.api.runs",
    "load": "forgetbench.api.runs",
    "merge": "forgetbench.api.runs",
    "plan": "forgetbench.api.runs",
    "rejudge": "forgetbench.api.runs",
    "resume": "forgetbench.api.runs",
    "run": "forgetbench.api.runs",
    "unlearn": "forgetbench.api.runs",
}
"""Where each public name comes from, imported at its first use (PEP 562)."""

__all__ = [
    "BENCHMARK_NAMES",
    "Account",
    "ComparedRuns",
    "Figure",
    "Finding",
    "FinishReason",
    "ForgetbenchError",
    "Limits",
    "ModelSpec",
    "Plan",
    "Results",
    "Run",
    "Status",
    "UserError",
    "__version__",
    "compare",
    "joint_report",
    "load",
    "merge",
    "plan",
    "rejudge",
    "resume",
    "run",
    "unlearn",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'forgetbench' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
