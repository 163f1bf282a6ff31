"""Data described in Croissant 1.0 with its responsible-AI extension (RAI 1.0): a run's sample table, and sets of items.

The files are copied beside `croissant.json`, so that the description stands with what it describes; fields are read off
the files themselves. Embedded data are described where the run was made on them.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from forgetscope.benchmarks import package_of
from forgetscope.core.errors import RunFolderError
from forgetscope.core.json_values import json_value
from forgetscope.core.version import VERSION
from forgetscope.io.files import real_path, write_bytes, write_text
from forgetscope.io.received import LARGEST_FORM, text_of
from forgetscope.io.tables import write_table
from forgetscope.report.chapters import Chapter

NAME = "croissant.json"
CONFORMS_TO = ("http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0")
LICENCE = "https://www.apache.org/licenses/LICENSE-2.0"
_READ_ROWS = 500
"""Rows that fields are read off."""
_FORMATS = {".jsonl": "application/jsonlines", ".parquet": "application/x-parquet"}

_ALIKE = {
    "rai:dataUseCases": "Measuring what models forget; a model trained on the items is not measured by them.",
    "rai:dataReleaseMaintenancePlan": "Changes with versions of forgetscope; the hash tells which a run was on.",
}
_EMBEDDED = {
    **_ALIKE,
    "rai:dataCollection": "Written for this project, item by item, or made by its programs.",
    "rai:dataCollectionType": "Manual Human Curator",
    "rai:dataAnnotationProtocol": "Answers and checks stand with each item, read by a second reader.",
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
    licence: str
    data: tuple[Path, ...]
    said: Mapping[str, str]
    date: str


def write_run(chapter: Chapter, folder: Path) -> tuple[Path, ...]:
    """The sample table of a run; in `data/` the embedded items, where it was made on these and they are files."""
    facts = chapter.summary.run
    table = folder / "samples.parquet"
    write_table(chapter.table, table)
    samples = Described(
        name=f"forgetscope-{facts.benchmark}-samples",
        description=f"{facts.title}: {facts.samples} samples of {facts.model} on {facts.data} data, {facts.started}.",
        licence=LICENCE,
        data=(table,),
        said=_SAMPLES,
        date=facts.started[:10],
    )
    written = (table, _write(samples, folder))
    items = tuple(_embedded(facts.benchmark)) if facts.data == "embedded" else ()
    if not items:
        return written
    inner = folder / "data"
    inner.mkdir(exist_ok=True)
    for path in items:
        write_bytes(inner / path.name, path.read_bytes())
    embedded = Described(
        name=f"forgetscope-{facts.benchmark}-embedded",
        description=f"Embedded items of {facts.benchmark}, forgetscope {VERSION}; objects in rows are not described.",
        licence=LICENCE,
        data=tuple(inner / path.name for path in items),
        said=_EMBEDDED,
        date=facts.started[:10],
    )
    return (*written, *embedded.data, _write(embedded, inner))


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
        licence="Follows the source's terms; they stand in the build's books.",
        data=tuple(folder / path.name for path in found),
        said=_BUILT,
        date="",
    )
    return (*described.data, _write(described, folder))


def _embedded(benchmark: str) -> Iterator[Path]:
    """The embedded files of a benchmark; none where its embedded data are made by a program."""
    package = package_of(benchmark)
    place = Path(str(files(package))) / "data" / "embedded" if package else None
    if place is not None and place.is_dir():
        yield from sorted(place.glob("*.jsonl"))


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
        "license": described.licence,
        "creator": {"@type": "sc:Organization", "name": "The forgetscope authors"},
        "version": VERSION,
        "citeAs": "forgetscope (CITATION.cff), and the paper of the benchmark",
        **dated,
        "inLanguage": "en",
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
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{key}",
                "name": key,
                "dataType": kind,
                "source": {"fileObject": {"@id": path.name}, "extract": {"column": key}},
            }
            for key, kind in _fields(path).items()
        ],
    }


def _fields(path: Path) -> dict[str, str]:
    """The fields of a file and the type of each; what holds several types is text, what holds objects is left out."""
    if path.suffix == ".parquet":
        return {name: _POLARS.get(kind.base_type(), "sc:Text") for name, kind in pl.read_parquet_schema(path).items()}
    text = text_of(path, at_most=LARGEST_FORM, kind=RunFolderError)
    rows: Sequence[Any] = [json_value(line) for line in islice(text.splitlines(), _READ_ROWS) if line.strip()]
    kinds: dict[str, set[str]] = {}
    for row in rows:
        for key, value in row.items() if isinstance(row, dict) else ():
            kinds.setdefault(key, set()).add(_OBJECTS if _holds_objects(value) else _KINDS.get(type(value), "sc:Text"))
    plain = {key: found for key, found in kinds.items() if _OBJECTS not in found}
    return {key: next(iter(found)) if len(found) == 1 else "sc:Text" for key, found in plain.items()}


def _holds_objects(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_holds_objects, value)))


_OBJECTS = "objects"


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
