"""forgetscope measures what language and vision-language models forget: when they should not, and when they should.

From Python:

    import forgetscope as fs

    fs.plan("in-context", limit=2).samples                      # what would be sent; calls no model
    run = fs.run("in-context", "forgetscope/smollm2", limit=2, max_tokens=64, out="runs/a")
    run.table                                                   # a row a sample, a Polars data frame
    run.figures                                                 # a row a figure: value, interval, denominators
    run.report()                                                # the page, as `forgetscope report` writes it
    fs.compare("runs/a", "runs/b").headlines                    # paired by sample

Names are imported when they are first used, so that `import forgetscope` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from forgetscope.core.version import VERSION

if TYPE_CHECKING:
    from forgetscope.api.comparisons import ComparedRuns, compare
    from forgetscope.api.exports import export
    from forgetscope.api.replies import run_replies, write_prompts
    from forgetscope.api.reproduction import reproduce
    from forgetscope.api.runs import Run, joint_report, load, merge, plan, rejudge, resume, run, unlearn
    from forgetscope.api.scoring import ScoredFile, score
    from forgetscope.api.verification import Verification, verify
    from forgetscope.benchmarks import BENCHMARK_NAMES
    from forgetscope.benchmarks.base import Plan
    from forgetscope.core.errors import ForgetscopeError, UserError
    from forgetscope.core.outcomes import Account, FinishReason, Status
    from forgetscope.findings.figures import Figure, Finding, Results
    from forgetscope.running.manifest import Limits, ModelSpec

__version__ = VERSION

_HOMES = {
    "Account": "forgetscope.core.outcomes",
    "BENCHMARK_NAMES": "forgetscope.benchmarks",
    "ComparedRuns": "forgetscope.api.comparisons",
    "Figure": "forgetscope.findings.figures",
    "Finding": "forgetscope.findings.figures",
    "FinishReason": "forgetscope.core.outcomes",
    "ForgetscopeError": "forgetscope.core.errors",
    "Limits": "forgetscope.running.manifest",
    "ModelSpec": "forgetscope.running.manifest",
    "Plan": "forgetscope.benchmarks.base",
    "Results": "forgetscope.findings.figures",
    "Run": "forgetscope.api.runs",
    "ScoredFile": "forgetscope.api.scoring",
    "Status": "forgetscope.core.outcomes",
    "UserError": "forgetscope.core.errors",
    "Verification": "forgetscope.api.verification",
    "compare": "forgetscope.api.comparisons",
    "export": "forgetscope.api.exports",
    "joint_report": "forgetscope.api.runs",
    "load": "forgetscope.api.runs",
    "merge": "forgetscope.api.runs",
    "plan": "forgetscope.api.runs",
    "rejudge": "forgetscope.api.runs",
    "reproduce": "forgetscope.api.reproduction",
    "resume": "forgetscope.api.runs",
    "run": "forgetscope.api.runs",
    "run_replies": "forgetscope.api.replies",
    "score": "forgetscope.api.scoring",
    "unlearn": "forgetscope.api.runs",
    "verify": "forgetscope.api.verification",
    "write_prompts": "forgetscope.api.replies",
}
"""Where each public name comes from, imported at its first use (PEP 562)."""

__all__ = [
    "BENCHMARK_NAMES",
    "Account",
    "ComparedRuns",
    "Figure",
    "Finding",
    "FinishReason",
    "ForgetscopeError",
    "Limits",
    "ModelSpec",
    "Plan",
    "Results",
    "Run",
    "ScoredFile",
    "Status",
    "UserError",
    "Verification",
    "__version__",
    "compare",
    "export",
    "joint_report",
    "load",
    "merge",
    "plan",
    "rejudge",
    "reproduce",
    "resume",
    "run",
    "run_replies",
    "score",
    "unlearn",
    "verify",
    "write_prompts",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'forgetscope' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
