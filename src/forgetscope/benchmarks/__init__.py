"""The benchmarks, one folder each, alike inside. A benchmark never imports another.

To add one: a folder here with a `Benchmark` in its `benchmark.py` and a line below, or, from outside, a package with an
entry point in the group `forgetscope.benchmarks` (`examples/plugins/benchmark/` is a whole one).
"""

from typing import TYPE_CHECKING

from forgetscope.benchmarks.base import Benchmark
from forgetscope.core.registry import Registry

if TYPE_CHECKING:
    BENCHMARK_NAMES: tuple[str, ...]

_ROOM = "forgetscope.benchmarks"

BENCHMARKS: Registry[Benchmark] = Registry(
    "benchmark",
    "forgetscope.benchmarks",
    {
        "in-context": f"{_ROOM}.in_context.benchmark:BENCHMARK",
        "prospective": f"{_ROOM}.prospective.benchmark:BENCHMARK",
        "visual": f"{_ROOM}.visual.benchmark:BENCHMARK",
    },
    Benchmark,
)
"""Those that Inspect runs, by the name on the command line; a module is imported when its benchmark is asked for."""


def get_benchmark(name: str) -> Benchmark:
    """The benchmark of this name.

    Raises:
        UnknownNameError: there is none of this name.
        PlugInError: a plug-in that cannot be imported, or is no benchmark.
    """
    return BENCHMARKS[name]


def package_of(name: str) -> str:
    """The package of a benchmark, with its README, certificate and audit; empty where there is none."""
    if name == "unlearning":  # no Inspect run, so not in the registry
        return f"{_ROOM}.unlearning"
    return BENCHMARKS[name].package if name in BENCHMARKS else ""


def __getattr__(name: str) -> object:
    if name == "BENCHMARK_NAMES":  # late, because plug-ins are looked for
        return tuple(BENCHMARKS)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
