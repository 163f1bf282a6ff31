"""What stands on each page of the reference that is written from the program."""

from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

import forgetscope
from forgetscope import stats
from forgetscope.benchmarks import BENCHMARK_NAMES, every_benchmark
from forgetscope.core.results import CORE_COLUMNS, SampleColumn
from tools.reference import commands
from tools.reference.members import member

DOCS = Path(__file__).parents[2] / "docs" / "reference"
WRITTEN = "<!-- written by `python -m tools.reference`: change the program, not this page -->\n"

_RUNNING = ("plan", "run", "unlearn", "resume", "merge", "reproduce", "rejudge", "load", "run_replies", "write_prompts")
_RESULTS = ("Run", "joint_report", "compare", "ComparedRuns", "score", "ScoredFile", "export", "verify", "Verification")
_TAKEN = ("ModelSpec", "Limits", "Plan", "Figure", "Finding", "Results", "Status", "FinishReason", "Account")
_ERRORS = ("DataError", "UnknownNameError", "SettingError", "MissingPartError", "RunFolderError")
_BENCHMARK = (
    "benchmarks.base.Benchmark",
    "core.results.SampleColumn",
    "core.settings.Settings",
    "core.settings.Setting",
    "benchmarks.asking.Asking",
    "benchmarks.base.LoggedSample",
    "benchmarks.base.FigureFacts",
)
_KINDS = {
    pl.String: "text",
    pl.Int64: "integer",
    pl.Float64: "number",
    pl.Boolean: "yes or no",
    pl.List(pl.String): "list of texts",
    pl.List(pl.Boolean): "list of yes or no",
}


def python() -> str:
    """Every public name of `import forgetscope`, and what a benchmark of one's own is made of."""
    parts = {
        "Running": _public(*_RUNNING),
        "Results": _public(*_RESULTS),
        "What they take and give": _public(*_TAKEN),
        "Errors": [
            *_public("ForgetscopeError", "UserError"),
            *(f"forgetscope.core.errors.{name}" for name in _ERRORS),
        ],
        "A benchmark of your own": [f"forgetscope.{path}" for path in _BENCHMARK],
    }
    said = [f"## {title}\n\n{_members(paths)}" for title, paths in parts.items()]
    names = ", ".join(f"`{name}`" for name in BENCHMARK_NAMES)
    head = f"`import forgetscope as fs`. `fs.BENCHMARK_NAMES` is {names}; `fs.__version__` is a string.\n"
    return "\n".join(["# Python\n", WRITTEN, head, *said])


def _public(*names: str) -> list[str]:
    return [f"{forgetscope._HOMES[name]}.{name}" for name in names]


def _members(paths: list[str]) -> str:
    return "\n".join(member(path) for path in paths)


def statistics() -> str:
    """Every name of `forgetscope.stats`."""
    names = sorted(stats.__all__, key=lambda name: (getattr(stats, name).__module__, name))
    paths = [f"{getattr(stats, name).__module__}.{name}" for name in names]
    head = "All from `forgetscope.stats`. What they are for and how well they hold: [statistics](../statistics.md).\n"
    return "\n".join(["# Statistics", "", WRITTEN, head, _members(paths)])


def sample_table() -> str:
    """Every column of every benchmark's sample table, as it is declared."""
    head = (
        "`run.table`, and `samples.parquet` in a run's folder: a row a sample. The columns of every benchmark come\n"
        "first, then its own: the factors of a sample, then what was found.\n"
    )
    known = every_benchmark()
    parts = [f"## {name}\n\n{_columns(known[name].columns)}" for name in sorted(known)]
    return "\n".join(["# The sample table\n", WRITTEN, head, "## Every benchmark\n", _columns(CORE_COLUMNS), *parts])


def _columns(columns: Mapping[str, SampleColumn]) -> str:
    rows = [f"| `{name}` | {_KINDS[column.kind]} | {column.means} |" for name, column in columns.items()]
    return "\n".join(["| column | type | |", "|---|---|---|", *rows, ""])


PAGES: Mapping[str, Callable[[], str]] = {
    "command-line.md": commands.page,
    "python.md": python,
    "statistics.md": statistics,
    "sample-table.md": sample_table,
}
"""The pages by their names in `docs/reference/`."""
