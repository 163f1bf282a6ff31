"""The picture sets of this benchmark, one record each: none is fetched, each has terms of its own."""

from functools import partial
from pathlib import Path

from forgetscope.benchmarks.visual.data.loading import load_data
from forgetscope.benchmarks.visual.sources import SOURCES as PICTURES
from forgetscope.benchmarks.visual.sources import ReadOptions
from forgetscope.benchmarks.visual.sources.listing import PictureSource, QuestionListing
from forgetscope.io.records import Provenance, rows_sha256
from forgetscope.io.sources import DataSource, Inventory


def _splits(source: str) -> Inventory:
    return Inventory(load_data(source).provenance)


def _listed(source: PictureSource, root: Path) -> Inventory:
    """What a source lists for each of its axes. No picture is opened, so its terms are named and nothing more."""
    entries, notes = [], [f"terms: {source.terms}"] if source.terms else []
    for axis in source.axes:
        listing = source.listing(root, axis.name, ReadOptions(frozenset({source.name})))
        found = listing.questions if isinstance(listing, QuestionListing) else listing.pictures
        digest = rows_sha256(row.model_dump(mode="json") for row in found)
        entries.append(Provenance(axis.name, source.title, "", digest, len(found), source.licence))
        notes += [f"{axis.name}: passed over {count:,}: {reason}" for reason, count in listing.skipped.items() if count]
    return Inventory(tuple(entries), tuple(notes))


SOURCES = (
    DataSource(
        "embedded",
        "pictures painted by the package",
        "Apache-2.0; drawings as NOTICE says",
        embedded=partial(_splits, "embedded"),
    ),
    *(
        DataSource(
            source.name,
            ", ".join(axis.name for axis in source.axes),
            source.licence,
            source.where,
            local=partial(_listed, source),
        )
        for source in PICTURES.values()
    ),
    DataSource(
        "folder",
        "your own splits: --data PATH",
        "",
        "what 'forgetscope visual' writes",
        local=lambda path: _splits(str(path)),
    ),
)
