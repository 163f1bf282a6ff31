"""The benchmarks, one folder each, alike inside. A benchmark never imports another."""

from importlib import import_module

from forgetscope.benchmarks.base import Benchmark
from forgetscope.core.errors import UnknownNameError

_MODULES = {
    "in-context": "forgetscope.benchmarks.in_context.benchmark",
    "prospective": "forgetscope.benchmarks.prospective.benchmark",
    "visual": "forgetscope.benchmarks.visual.benchmark",
}
"""Command-line name to module; each module holds a `BENCHMARK`."""

BENCHMARK_NAMES = tuple(_MODULES)


def get_benchmark(name: str) -> Benchmark:
    """The benchmark of this name; its module is imported here, not before.

    Raises:
        UnknownNameError: there is none of this name.
    """
    if name not in _MODULES:
        raise UnknownNameError("no such benchmark", found=name, allowed=BENCHMARK_NAMES)
    benchmark = import_module(_MODULES[name]).BENCHMARK
    if not isinstance(benchmark, Benchmark):
        raise TypeError(f"{_MODULES[name]}.BENCHMARK is not a Benchmark")
    return benchmark
