"""The benchmarks, one folder each, alike inside. A benchmark never imports another.

To add one: a folder here with a `Benchmark` in its `benchmark.py` and a line below, or, from outside, a package with an
entry point in the group `forgetscope.benchmarks` (`examples/plugins/benchmark/` is a whole one).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from forgetscope.core.registry import Registry

if TYPE_CHECKING:
    from forgetscope.benchmarks.base import Benchmark, KnownBenchmark
    from forgetscope.benchmarks.grids import GridBenchmark
    from forgetscope.core.settings import Settings

    BENCHMARK_NAMES: tuple[str, ...]

BENCHMARKS: "Registry[Benchmark]" = Registry(
    "benchmark",
    "forgetscope.benchmarks",
    {
        "in-context": "forgetscope.benchmarks.in_context.benchmark:BENCHMARK",
        "prospective": "forgetscope.benchmarks.prospective.benchmark:BENCHMARK",
        "visual": "forgetscope.benchmarks.visual.benchmark:BENCHMARK",
    },
    "forgetscope.benchmarks.base:Benchmark",
)
"""Those that Inspect runs, by the name on the command line; a module is imported when its benchmark is asked for."""


GRIDS: "Registry[GridBenchmark[Any]]" = Registry(
    "benchmark with grids",
    "forgetscope.grid_benchmarks",
    {"unlearning": "forgetscope.benchmarks.unlearning.benchmark:BENCHMARK"},
    "forgetscope.benchmarks.grids:GridBenchmark",
)
"""Those that train models themselves, in grids of cells, each with a command group of its own."""


def every_benchmark() -> "dict[str, KnownBenchmark]":
    """All that can be imported, by name, however they are run."""
    return {**dict(BENCHMARKS.items()), **dict(GRIDS.items())}


@dataclass(frozen=True)
class Listed:
    """What a list says of a benchmark: its title, and its models and judges of known behaviour with what each does.

    Attributes:
        command: Its own command group; empty where `run` runs it.
    """

    title: str
    command: str
    models: Mapping[str, str]
    judges: Mapping[str, str]


def listed() -> dict[str, Listed]:
    """All that can be imported, by name; one that is written down in a `listed.py` is not imported for it."""
    found: dict[str, Listed] = {}
    for registry in (BENCHMARKS, GRIDS):
        for name in registry:
            room = registry.module(name).rpartition(".")[0]
            if registry.origin(name) == "forgetscope" and find_spec(f"{room}.listed"):
                said = vars(import_module(f"{room}.listed"))
                models, judges = said.get("REFERENCE_MODELS", {}), said.get("REFERENCE_JUDGES", {})
                found[name] = Listed(said["TITLE"], said.get("COMMAND", ""), models, judges)
                continue
            for _, chosen in registry.items(name):
                judges = getattr(chosen, "reference_judges", {})
                found[name] = Listed(chosen.title, getattr(chosen, "command", ""), chosen.reference_models, judges)
    return found


def get_benchmark(name: str) -> "Benchmark":
    """The benchmark of this name.

    Raises:
        UnknownNameError: there is none of this name.
        PlugInError: a plug-in that cannot be imported, or is no benchmark.
    """
    return BENCHMARKS[name]


def known_benchmark(name: str) -> "KnownBenchmark":
    """The benchmark of this name, however it is run.

    Raises:
        UnknownNameError: there is none of this name.
        PlugInError: a plug-in that cannot be imported, or is no benchmark.
    """
    return GRIDS[name] if name in GRIDS else BENCHMARKS[name]


def settings_class(name: str) -> "type[Settings]":
    """The settings of a benchmark, from its `settings.py` alone where there is one: the rest takes long to import.

    Raises:
        UnknownNameError: there is no benchmark of this name.
        PlugInError: a plug-in that cannot be imported, or is no benchmark.
    """
    from forgetscope.core.settings import Settings

    room = BENCHMARKS.module(name).rpartition(".")[0]
    if room and find_spec(f"{room}.settings"):
        module = import_module(f"{room}.settings")
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, Settings) and found.__module__ == module.__name__:
                return found
    return BENCHMARKS[name].settings


def summary_of(name: str) -> str:
    """What a benchmark asks, in the first line of its package; where a plug-in has no package, who brings it."""
    registry: Registry[Any] = GRIDS if name in GRIDS else BENCHMARKS
    room = registry.module(name).rpartition(".")[0]
    documented = (import_module(room).__doc__ or "") if room else ""
    return documented.partition("\n")[0] or f"plug-in of {registry.origin(name)}"


def package_of(name: str) -> str:
    """The package of a benchmark, with its README, certificate and audit; empty where there is none."""
    return BENCHMARKS[name].package if name in BENCHMARKS else GRIDS[name].package if name in GRIDS else ""


def __getattr__(name: str) -> object:
    if name == "BENCHMARK_NAMES":  # late, because plug-ins are looked for
        return tuple(BENCHMARKS)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
