"""Where construction takes its material from: the published sets of the paper, stand-ins, and folders of one's own.

A new source is one module that gives `SourceRows` from a local copy and from where it is published, and one entry in
`SOURCES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from forgetscope.benchmarks.in_context.data.sources import chatalpaca, followbench, lmsys, mt_bench_101, own, prefeval
from forgetscope.benchmarks.in_context.data.sources.records import SourceRows
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from forgetscope.io.hub import HubSet, PinnedFiles

__all__ = ["SOURCES", "PublishedSource", "SourceRows", "load_source"]


@dataclass(frozen=True)
class PublishedSource:
    """A published set.

    Attributes:
        gives: `dialogues`, `instructions` or `preferences`.
        published: Where.
        local: Reads a local copy, a file or a folder.
        official: Reads it from where it is published, at the commit given or else the pinned one.
    """

    title: str
    gives: str
    licence: str
    published: HubSet | PinnedFiles
    local: Callable[[Path], SourceRows]
    official: Callable[[str | None], SourceRows]


SOURCES: dict[str, PublishedSource] = {
    "chatalpaca": PublishedSource(
        "ChatAlpaca",
        "dialogues",
        chatalpaca.LICENCE,
        chatalpaca.FILES,
        chatalpaca.read_local,
        chatalpaca.read_official,
    ),
    "followbench": PublishedSource(
        "FollowBench",
        "instructions",
        followbench.LICENCE,
        followbench.FILES,
        followbench.read_local,
        followbench.read_official,
    ),
    "prefeval": PublishedSource(
        "PrefEval",
        "preferences",
        prefeval.LICENCE,
        prefeval.FILES,
        prefeval.read_local,
        prefeval.read_official,
    ),
    "mt_bench_101": PublishedSource(
        "MT-Bench-101",
        "dialogues",
        mt_bench_101.LICENCE,
        mt_bench_101.FILES,
        mt_bench_101.read_local,
        mt_bench_101.read_official,
    ),
    "lmsys": PublishedSource(
        "LMSYS-Chat-1M",
        "dialogues",
        lmsys.LICENCE,
        lmsys.HUB,
        lmsys.read_local,
        lmsys.read_official,
    ),
}


def load_source(name: str, data: Path | None = None, revision: str | None = None) -> SourceRows:
    """The rows of a source.

    Args:
        name: One of `SOURCES`, or a folder of one's own.
        data: A local copy of a published set; None takes it from where it is published.
        revision: A commit other than the pinned one.

    Raises:
        UnknownNameError: neither a source nor a folder.
        SettingError: a local copy or a commit was given where there is none.
        DataError: the rows do not fit, or an id occurs twice.
        UserError: the set cannot be reached.
    """
    rows = _load(name, data, revision)
    _require_usable_ids(rows)
    return rows


def _load(name: str, data: Path | None, revision: str | None) -> SourceRows:
    if name in SOURCES:
        if data is not None and revision is not None:
            raise SettingError("a local copy has no commit to choose", where="--revision", found=revision)
        source = SOURCES[name]
        return source.official(revision) if data is None else source.local(data)
    if not Path(name).is_dir():
        raise UnknownNameError(
            "no such source", where="--source", found=name, allowed=[*SOURCES, "a folder of your own records"]
        )
    if data is not None or revision is not None:
        raise SettingError("a folder of one's own is its own data", where="--data" if data else "--revision")
    return own.read_folder(Path(name))


LONGEST_ID = 76
"""Characters: an item's id is its row's with two letters and a dash before it, 80 at most."""


def _require_usable_ids(rows: SourceRows) -> None:
    seen: set[str] = set()
    for name in rows.ids:
        if len(name) > LONGEST_ID:
            raise DataError("an id is too long", where=rows.name, found=name, allowed=f"{LONGEST_ID} characters")
        if name in seen:
            raise DataError(
                "an id occurs twice",
                where=rows.name,
                found=name,
                next_step="give one file, where several hold the same rows",
            )
        seen.add(name)
