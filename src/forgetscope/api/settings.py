"""From the name of a benchmark and values by name to its settings, each checked."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from forgetscope.benchmarks import settings_class
from forgetscope.core.errors import SettingError
from forgetscope.core.settings import Settings, checked
from forgetscope.io.files import real_path

SOURCES = ("embedded", "embedded-small", "official")


def settings_of(
    benchmark: str,
    values: Mapping[str, object],
    *,
    data: str | Path = "embedded",
    seed: int | Sequence[int] | None = None,
    called: Callable[[str], str] = str,
) -> Settings:
    """The settings of a run.

    Args:
        benchmark: Its name.
        values: Settings by name; None leaves the benchmark's own default. A list of names is as good as a text.
        data: `embedded`, `official`, or a folder.
        seed: One or, for benchmarks that run several, a sequence; None leaves the default.
        called: What a setting is called where the user stands: an option of the command line, a keyword.

    Raises:
        UnknownNameError: there is no such benchmark.
        SettingError: it has no such setting, or a value is not allowed.
    """
    kind = settings_class(benchmark)
    fields = kind.model_fields
    given: dict[str, object] = {"data": data if data in SOURCES else str(real_path(Path(data)))}
    given |= {name: value for name, value in values.items() if value is not None}
    if seed is not None:
        given["seeds" if "seeds" in fields else "seed"] = seed
    for name in sorted(given.keys() - fields.keys()):
        allowed = tuple(called(known) for known in sorted(fields))
        raise SettingError(f"{benchmark} has no such option", found=called(name), allowed=allowed)
    return checked(kind, given, called)
