"""From the name of a benchmark and values by name to its settings, each checked."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from forgetbench.benchmarks import get_benchmark
from forgetbench.benchmarks.base import Benchmark, Settings
from forgetbench.errors import SettingError, UserError

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
    return chosen, validated(chosen, given)


def validated(benchmark: Benchmark, values: Mapping[str, object]) -> Settings:
    """The settings of a benchmark from values of its fields.

    Raises:
        SettingError: a value is not allowed, or of the wrong type.
    """
    try:
        return benchmark.settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raised = first.get("ctx", {}).get("error")
        if isinstance(raised, UserError):
            raise raised from None
        where = ".".join(map(str, first["loc"])) or benchmark.name
        raise SettingError(first["msg"], where=where, found=first["input"]) from None


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
