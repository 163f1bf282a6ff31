"""From the name of a benchmark and values by name to its settings, each checked."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import Benchmark, Settings, checked
from forgetscope.core.errors import SettingError

SOURCES = ("embedded", "official")


def settings_of(
    benchmark: str,
    values: Mapping[str, object],
    *,
    data: str | Path = "embedded",
    seed: int | Sequence[int] | None = None,
    called: Callable[[str], str] = str,
    offered: Collection[str] | None = None,
) -> tuple[Benchmark, Settings]:
    """A benchmark and its settings.

    Args:
        benchmark: Its name.
        values: Settings by name; None leaves the benchmark's own default. A list of names is joined by commas.
        data: `embedded`, `official`, or a folder.
        seed: One or, for benchmarks that run several, a sequence; None leaves the default.
        called: What a setting is called where the user stands: an option of the command line, a keyword.
        offered: Settings that can be set from there; None for all.

    Raises:
        UnknownNameError: there is no such benchmark.
        SettingError: it has no such setting, or a value is not allowed.
    """
    chosen = get_benchmark(benchmark)
    fields = chosen.settings.model_fields
    given: dict[str, object] = {"data": data if data in SOURCES else str(Path(data).resolve())}
    given |= {name: _joined(value) for name, value in values.items() if value is not None}
    if seed is not None:
        given |= {"seeds": _several(seed)} if "seeds" in fields else {"seed": _one(seed, called("seed"))}
    for name in sorted(given.keys() - fields.keys()):
        allowed = ", ".join(called(known) for known in sorted(fields if offered is None else fields.keys() & offered))
        raise SettingError(f"{benchmark} has no such option", found=called(name), allowed=allowed)
    return chosen, checked(chosen.settings, given)


def _joined(value: object) -> object:
    """Names in a list as settings hold them."""
    if isinstance(value, list | tuple) and value and all(isinstance(part, str) for part in value):
        return ",".join(value)
    return value


def _several(seed: int | Sequence[int]) -> tuple[int, ...]:
    return (seed,) if isinstance(seed, int) else tuple(seed)


def _one(seed: int | Sequence[int], where: str) -> int:
    seeds = _several(seed)
    if len(seeds) != 1:
        raise SettingError("this benchmark takes one seed", where=where, found=", ".join(map(str, seeds)))
    return seeds[0]
