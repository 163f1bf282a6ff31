"""The data sets of this benchmark, one record each: items, and what items are built from."""

from functools import partial
from pathlib import Path

from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.data.sources import SOURCES as PUBLISHED
from forgetscope.benchmarks.in_context.data.sources import SourceRows, load_source
from forgetscope.io.sources import DataSource, Inventory


def _items(source: str) -> Inventory:
    return Inventory(load_data(source).provenance)


def _rows(found: SourceRows) -> Inventory:
    given = {"dialogues": found.dialogues, "instructions": found.instructions, "preferences": found.preferences}
    notes = [f"gives {len(records):,} {kind}" for kind, records in given.items() if records]
    notes += [f"left out: {count:,} of {reason!r}" for reason, count in found.left_out.items()]
    return Inventory(found.provenance, (*notes, *([found.terms] if found.terms else [])))


def _local(name: str, place: Path) -> Inventory:
    return _rows(load_source(name, place))


SOURCES = (
    DataSource(
        "embedded", "items and filler, written for this project", "Apache-2.0", embedded=partial(_items, "embedded")
    ),
    DataSource(
        "embedded-small",
        "plain questions in short dialogues, written for this project and for models of few weights",
        "Apache-2.0",
        embedded=partial(_items, "embedded-small"),
    ),
    *(
        DataSource(
            name,
            f"{source.gives} to build items from",
            source.licence,
            source.published,
            local=partial(_local, name),
            official=lambda name=name: _rows(load_source(name)),  # type: ignore[misc]  # bound early
        )
        for name, source in PUBLISHED.items()
    ),
    DataSource(
        "icf_bench_examples",
        "items as the authors publish them",
        "unknown",
        "the authors' repository, which could not be reached when this was written",
        local=lambda path: _items(str(path)),
    ),
    DataSource(
        "folder",
        "your own items: --data PATH",
        "",
        "what 'forgetscope build' writes",
        local=lambda path: _items(str(path)),
    ),
)
