"""Data described in Croissant 1.0 with its responsible-AI extension (RAI 1.0): a run's sample table, and sets of items.

The files are copied beside `croissant.json`, so that the description stands with what it describes; fields are read off
the files themselves. Embedded data are described where the run was made on them. Licences are those of the catalogue
and of the run's data; a folder of the user's, and a model's replies, are under none that we could state.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import polars as pl

from forgetscope.benchmarks import known_benchmark, package_of
from forgetscope.benchmarks.base import RunData
from forgetscope.benchmarks.build_manifest import BOOKS, read_manifest
from forgetscope.core.errors import RunFolderError
from forgetscope.core.json_values import json_value
from forgetscope.core.version import VERSION
from forgetscope.io.files import real_path, write_bytes, write_text
from forgetscope.io.received import LARGEST_FORM, text_of
from forgetscope.io.tables import write_table
from forgetscope.report.chapters import Chapter
from forgetscope.report.summary import OWN_DATA

NAME = "croissant.json"
CONFORMS_TO = ("http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0")
NOT_STATED = "not stated"
_REPLIES = f"Replies: {NOT_STATED}; see the terms of the model and of who serves it"
_READ_ROWS = 500
"""Rows that fields are read off."""
_FORMATS = {".jsonl": "application/jsonlines", ".parquet": "application/x-parquet"}

_ALIKE = {
    "rai:dataUseCases": "Measuring what models forget; a model trained on the items is not measured by them.",
    "rai:dataReleaseMaintenancePlan": "Changes with versions of forgetscope; the hash tells which a run was on.",
}
_EMBEDDED = {
    **_ALIKE,
    "rai:dataCollectionType": "Others",
    "rai:dataAnnotationProtocol": "Answers and checks stand with each item; the package's README of the data has more.",
    "rai:dataLimitations": "English, general knowledge, small: intervals are wide. Not the items of the papers.",
    "rai:dataBiases": "Topics and wordings are those of few writers, in English.",
    "rai:personalSensitiveInformation": "None: persons are invented, or public figures.",
    "rai:dataSocialImpact": "A good figure on these items promises nothing about other data.",
}
_BUILT = {
    **_ALIKE,
    "rai:dataCollection": "Built by a language model from the source that the build's books name.",
    "rai:dataCollectionType": "Others",
    "rai:machineAnnotationTools": "forgetscope build; model and prompts are in the build's books.",
    "rai:dataLimitations": "What the builder got wrong and the gates did not see is in it.",
    "rai:dataBiases": "Those of its source and of the building model.",
    "rai:personalSensitiveInformation": "Whatever its source holds: read the source's terms before handing it on.",
}
_SAMPLES = {
    **_ALIKE,
    "rai:dataCollection": "Prompts sent to one model and what it replied, with the outcome of each.",
    "rai:dataCollectionType": "Software Collection",
    "rai:machineAnnotationTools": "forgetscope's scorers; judges, where there were any, are named in the columns.",
    "rai:dataLimitations": "Of one model, one decoding, one day. Replies are shown as they came.",
    "rai:dataBiases": "Those of the items and of the model.",
    "rai:personalSensitiveInformation": "Replies are a model's: names in them may be real ones.",
}


@dataclass(frozen=True)
class Described:
    """A set of files with what is said of them."""

    name: str
    description: str
    licences: tuple[str, ...]
    data: tuple[Path, ...]
    said: Mapping[str, str]
    date: str
    creator: str = NOT_STATED
    language: str = ""


def write_run(chapter: Chapter, folder: Path) -> tuple[Path, ...]:
    """The sample table of a run; in `data/` the embedded items, where it was made on these."""
    facts, data = chapter.summary.run, chapter.data
    table = folder / "samples.parquet"
    write_table(chapter.table, table)
    samples = Described(
        name=f"forgetscope-{facts.benchmark}-samples",
        description=f"{facts.title}: {facts.samples} samples of {facts.model} on {facts.data} data, {facts.started}.",
        licences=(_REPLIES, *(f"Prompts, {one}" for one in data.licences or (NOT_STATED,))),
        data=(table,),
        said=_SAMPLES,
        date=facts.started[:10],
    )
    written = (table, _write(samples, folder))
    if data.source not in OWN_DATA:
        return written
    benchmark = known_benchmark(facts.benchmark)
    inner = folder / "data"
    inner.mkdir(exist_ok=True)
    items = tuple(_embedded(facts.benchmark, data, inner))
    about = next(one.role for one in benchmark.sources if one.name == data.source)
    pictures = " Pictures are not in it: forgetscope paints them from their names." if "pictures" in about else ""
    embedded = Described(
        name=f"forgetscope-{facts.benchmark}-{data.source}",
        description=f"Items of {facts.benchmark} that come with forgetscope {VERSION}.{pictures}",
        licences=(benchmark.licence_of(data.source),),
        data=items,
        said=_EMBEDDED | {"rai:dataCollection": f"{about[0].upper()}{about[1:]}."},
        date=facts.started[:10],
        creator="The forgetscope authors",
        language="en",
    )
    return (*written, *items, _write(embedded, inner))


def write_build(build: Path, folder: Path) -> tuple[Path, ...]:
    """A folder of items that `forgetscope build` made: its JSON Lines files, copied beside the description.

    Raises:
        RunFolderError: it has none.
    """
    found = sorted(path for path in build.glob("*.jsonl") if path.is_file())
    if not found:
        raise RunFolderError(
            "no items here", where=str(build), allowed="JSON Lines files, as forgetscope build leaves them"
        )
    for path in found:
        write_text(folder / path.name, text_of(path, at_most=LARGEST_FORM, kind=RunFolderError))
    described = Described(
        name=f"forgetscope-built-{real_path(build).name}",
        description="Items built by forgetscope build.",
        licences=_built_licences(build),
        data=tuple(folder / path.name for path in found),
        said=_BUILT,
        date="",
    )
    return (*described.data, _write(described, folder))


def _built_licences(build: Path) -> tuple[str, ...]:
    """Of what a build took its items from, by its books."""
    books = (build, *sorted((build / BOOKS).glob("*")))
    found = [entry for place in books if (made := read_manifest(place)) is not None for entry in made.data]
    stated = sorted({f"Source, {entry['role']}: {entry.get('licence') or NOT_STATED}" for entry in found})
    return (*stated, f"Written by the building model: {NOT_STATED}") if stated else (NOT_STATED,)


def _embedded(benchmark: str, data: RunData, folder: Path) -> Iterator[Path]:
    """The embedded items, written into a folder: the package's files as they are, or what its program makes."""
    if data.made is not None:
        for name, rows in data.made().items():
            write_text(folder / name, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
            yield folder / name
        return
    place = Path(str(files(package_of(benchmark)))) / "data" / data.source.replace("-", "_")
    for path in sorted(place.glob("*.jsonl")):
        write_bytes(folder / path.name, path.read_bytes())
        yield folder / path.name


def _write(described: Described, folder: Path) -> Path:
    path = folder / NAME
    write_text(path, json.dumps(_metadata(described), ensure_ascii=False, indent=2) + "\n")
    return path


def _metadata(described: Described) -> dict[str, object]:
    distribution, records = [], []
    for path in described.data:
        content = path.read_bytes()
        distribution.append(
            {
                "@type": "cr:FileObject",
                "@id": path.name,
                "name": path.name,
                "contentUrl": path.name,
                "contentSize": f"{len(content)} B",
                "encodingFormat": _FORMATS[path.suffix],
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        )
        records.append(_record_set(path))
    dated = {"datePublished": described.date} if described.date else {}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": described.name,
        "description": described.description,
        "conformsTo": list(CONFORMS_TO),
        "license": list(described.licences) if len(described.licences) > 1 else described.licences[0],
        "creator": {"@type": "sc:Organization", "name": described.creator},
        "version": VERSION,
        "citeAs": "forgetscope (CITATION.cff), and the paper of the benchmark",
        **dated,
        **({"inLanguage": described.language} if described.language else {}),
        **described.said,
        "distribution": distribution,
        "recordSet": records,
    }


def _record_set(path: Path) -> dict[str, object]:
    name = path.stem
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": _fields(path),
    }


def _fields(path: Path) -> list[dict[str, object]]:
    """The fields of a file, those of objects and of lists of objects as sub-fields of theirs."""
    if path.suffix == ".parquet":
        kinds = {name: _POLARS.get(kind.base_type(), "sc:Text") for name, kind in pl.read_parquet_schema(path).items()}
        return [_leaf(path, (name,), kind) for name, kind in kinds.items()]
    text = text_of(path, at_most=LARGEST_FORM, kind=RunFolderError)
    rows = [json_value(line) for line in text.splitlines()[:_READ_ROWS] if line.strip()]
    objects = [row for row in rows if isinstance(row, dict)]
    return [_field(path, (key,), _under(key, objects)) for key in _keys(objects)]


def _field(path: Path, steps: tuple[str, ...], values: Sequence[object], *, in_list: bool = False) -> dict[str, object]:
    """A field by all its values. What holds several kinds of things, or lists within lists, is text as JSON has it."""
    is_list = bool(values) and all(isinstance(value, list) for value in values)
    ones = [one for value in values for one in value] if is_list else list(values)  # type: ignore[attr-defined]
    objects = [one for one in ones if isinstance(one, dict)]
    keys = _keys(objects)
    if keys and len(objects) == len(ones) and all(map(str.isidentifier, keys)) and not (is_list and in_list):
        below = in_list or is_list
        inner = [_field(path, (*steps, key), _under(key, objects), in_list=below) for key in keys]
        return {**_named(path, steps), **({"repeated": True} if is_list else {}), "subField": inner}
    kinds = {_KINDS.get(type(one), "sc:Text") for one in ones}
    leaf = _leaf(path, steps, kinds.pop() if len(kinds) == 1 else "sc:Text")
    return {**leaf, "repeated": True} if is_list and not in_list else leaf


def _keys(objects: Iterable[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(key for row in objects for key in row))


def _under(key: str, objects: Iterable[Mapping[str, object]]) -> list[object]:
    """What stands there, where anything does."""
    return [row[key] for row in objects if row.get(key) is not None]


def _named(path: Path, steps: tuple[str, ...]) -> dict[str, object]:
    return {"@type": "cr:Field", "@id": "/".join((path.stem, *steps)), "name": steps[-1]}


def _leaf(path: Path, steps: tuple[str, ...], kind: str) -> dict[str, object]:
    column, *inner = steps
    ways = {"transform": [{"jsonPath": f"$.{step}"} for step in inner]} if inner else {}
    source = {"fileObject": {"@id": path.name}, "extract": {"column": column}, **ways}
    return {**_named(path, steps), "dataType": kind, "source": source}


_KINDS = {bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}
_POLARS: Mapping[type[pl.DataType], str] = {pl.Boolean: "sc:Boolean", pl.Int64: "sc:Integer", pl.Float64: "sc:Float"}

_CONTEXT: Mapping[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
