"""Data sets of all benchmarks: which there are, whether they are here, and what is in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from forgetscope.benchmarks import every_benchmark
from forgetscope.core.errors import SettingError, UnknownNameError
from forgetscope.io.sources import DataSource, Inventory


@dataclass(frozen=True)
class VerifiedSource:
    """What a source of a benchmark was found to hold."""

    benchmark: str
    source: DataSource
    found: Inventory


def data_sources() -> dict[str, tuple[DataSource, ...]]:
    """The sources of each benchmark, by its name."""
    return {name: benchmark.sources for name, benchmark in every_benchmark().items() if benchmark.sources}


def chosen_sources(benchmark: str = "", name: str = "") -> list[tuple[str, DataSource]]:
    """Sources with their benchmark: all, those of a benchmark, or the one of a name.

    Raises:
        UnknownNameError: no such benchmark, or no such source of it.
    """
    sources = data_sources()
    if benchmark and benchmark not in sources:
        raise UnknownNameError("no such benchmark", found=benchmark, allowed=sources)
    found = [(key, source) for key, of in sources.items() for source in of if benchmark in ("", key)]
    named = [(key, source) for key, source in found if name in ("", source.name)]
    if not named:
        allowed = dict.fromkeys(source.name for _, source in found)
        raise UnknownNameError("no such source", where=benchmark or None, found=name, allowed=allowed)
    return named


def verified(words: Sequence[str]) -> Iterator[VerifiedSource]:
    """Read sources to their last line.

    Args:
        words: Nothing for everything that is here; `embedded` for what is in the package; a benchmark; a benchmark and
            one of its sources or a folder; the same with a local copy. `official` or a folder alone is prospective's.

    Raises:
        UnknownNameError: no such benchmark or source.
        SettingError: more words than that.
        DataError: a line does not fit, or a source is not here.
        UserError: it cannot be fetched.
    """
    sources = data_sources()
    place: Path | None = None
    match list(words):
        case []:
            chosen = [(key, source) for key, source in chosen_sources() if source.is_here]
        case ["embedded"]:
            chosen = chosen_sources(name="embedded")
        case ["official"]:
            chosen = [(key, source) for key, source in chosen_sources("prospective") if source.official]
        case [benchmark] if benchmark in sources:
            chosen = [(key, source) for key, source in chosen_sources(benchmark) if source.is_here]
        case [word] if not Path(word).exists():
            allowed = ("embedded", "official", *sources, "a folder")
            raise UnknownNameError("no such folder or benchmark", found=word, allowed=allowed)
        case [folder]:
            chosen, place = chosen_sources("prospective", "folder"), Path(folder)
        case [benchmark, name] if Path(name).exists() and name not in {of.name for of in sources.get(benchmark, ())}:
            chosen, place = chosen_sources(benchmark, "folder"), Path(name)
        case [benchmark, name]:
            chosen = chosen_sources(benchmark, name)
        case [benchmark, name, copy]:
            chosen, place = chosen_sources(benchmark, name), Path(copy)
        case _:
            raise SettingError("too many words", where="verify", found=" ".join(words), allowed="three at most")
    for key, source in chosen:
        yield VerifiedSource(key, source, source.read(place))


def fetched(benchmark: str = "", name: str = "") -> Iterator[VerifiedSource]:
    """Download sources into the cache of the `datasets` library and read them; without a name, all that can be had.

    Raises:
        UnknownNameError: no such benchmark or source.
        SettingError: this source has to be had by hand.
        UserError: it cannot be had.
    """
    chosen = chosen_sources(benchmark, name)
    for key, source in chosen:
        if source.official is not None:
            yield VerifiedSource(key, source, source.official())
        elif name:
            raise SettingError(
                "this source is in the package" if source.embedded else "this source has to be had by hand",
                where=f"{key} {name}",
                found=source.where or None,
                next_step=f"forgetscope data verify {key} {name}" + ("" if source.embedded else " PATH"),
            )
