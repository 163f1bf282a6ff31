"""FollowBench (Jiang et al., 2023): instructions of one to five constraints, the source of subtask revision.

Rows come in groups of one seed instruction and five levels, each with one constraint more. Level 0 has none, and in
17 groups it is empty (SOURCE: COGNAC, E2E, WIKIEVENTS, CONLL2003): it is left out. The English half alone is read.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.in_context.data.sources.records import SourceInstruction, SourceRows
from forgetscope.core.errors import DataError
from forgetscope.io.hub import PinnedFiles
from forgetscope.io.records import file_provenance, read_objects, validate_record

LICENCE = "Apache-2.0"
KINDS = ("content", "situation", "style", "format", "mixed", "example")

FILES = PinnedFiles(
    "YJiangcm/FollowBench",
    "6278f4c1377b4eafab737267b8b21acd52ea0e52",
    "data",
    {
        "content_constraints.json": "dedf04579bf205c1422e18ee1033d0372b02196ca4b5e921a3a65dca714e226b",
        "situation_constraints.json": "cab0e31e3f8dd69ba71018dde3eb63f3336b8aea6df82c7997da6abcbc159fb4",
        "style_constraints.json": "5a9a049a24a9a53e67b4ad97f1fb7633b4629f6ce461662888804313cc90c27a",
        "format_constraints.json": "3b93ee931186edcb4e0a5f260de18cd550586c985192da39262fd023e90d8a76",
        "mixed_constraints.json": "eae529546e0ef6a4a4936b6221cd25da9debaf261272409ed1fd57e8260bf820",
        "example_constraints.json": "205d10ecde31b974f0c1537be4952b5e075ae5ca58008dc08aef1c442c32bada",
    },
)


class _FollowBenchRow(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    example_id: int
    level: int
    instruction: str


def read_local(place: Path) -> SourceRows:
    """A folder with FollowBench's files, all six or any of them, or one of them.

    Raises:
        DataError: none is there, or a row does not fit.
    """
    folder = place.parent if place.is_file() else place
    names = [place.name] if place.is_file() else list(FILES.sha256)
    paths = {name: folder / name for name in names if name in FILES.sha256 and (folder / name).is_file()}
    if not paths:
        raise DataError("no file of FollowBench here", where=str(place), allowed=FILES.sha256)
    return _read(paths, {name: FILES.revision_of(name, path) for name, path in paths.items()}, published=False)


def read_official(revision: str | None) -> SourceRows:
    """The six files at the pinned commit, or another.

    Raises:
        UserError: they cannot be had.
    """
    paths = FILES.fetch(revision)
    return _read(paths, dict.fromkeys(paths, revision or FILES.commit), published=True)


def _read(paths: Mapping[str, Path], revisions: Mapping[str, str], *, published: bool) -> SourceRows:
    left_out: Counter[str] = Counter()
    instructions: list[SourceInstruction] = []
    entries = []
    for name, path in paths.items():
        kind = name.removesuffix("_constraints.json")
        rows = [validate_record(row, _FollowBenchRow, where=where) for where, row in read_objects(path)]
        shown = f"{FILES.repository} {FILES.root}/{name}" if published else ""
        entries.append(file_provenance("followbench", path, len(rows), LICENCE, name=shown, revision=revisions[name]))
        for row in rows:
            if not row.instruction.strip():
                left_out["empty instruction"] += 1
            elif row.level == 0:
                left_out["level 0: no constraint yet"] += 1
            else:
                group = f"followbench-{kind}-{row.example_id}"
                instructions.append(
                    SourceInstruction(id=f"{group}-{row.level}", domain=kind, group=group, instruction=row.instruction)
                )
    return SourceRows("followbench", tuple(entries), instructions=tuple(instructions), left_out=left_out)
