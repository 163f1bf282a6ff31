"""Loaders of the data sets: constraint prompts, and the items of the loads.

Each set is read from one of three places: `embedded` (ours, in the wheel), `official` (the hub's data sets at
pinned revisions), or a folder with one sub-folder a set (`ifeval/ triviaqa/ mmlu/ gsm8k/ cnn_dailymail/`), each
holding a JSON Lines file in the set's published format. The constraints are IFEval's, or IFBench's in `ifbench/`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgetscope.benchmarks.prospective.loads.load import EMBEDDED, LoadItem, Pool
from forgetscope.benchmarks.prospective.loads.registry import PAPER_LOADS, pools
from forgetscope.checkers import PromptSpec, read_prompts
from forgetscope.checkers.ifbench import FAMILY
from forgetscope.core.errors import DataError
from forgetscope.io.hub import HubSet, RowLoader, load_hub_rows, read_hub_rows
from forgetscope.io.records import (
    Provenance,
    RecordT,
    file_provenance,
    read_records,
    rows_sha256,
    validate_record,
)

IFEVAL = "ifeval"
IFEVAL_HUB = HubSet("google/IFEval", None, "train", "966cd89545d6b6acfd7638bc708b98261ca58e84", "Apache-2.0")
IFBENCH = FAMILY
IFBENCH_HUB = HubSet("allenai/IFBench_test", None, "train", "2e8a48de45ff3bf41242f927254ca81b59ca3ae2", "ODC-BY-1.0")
PROMPT_SETS = {IFEVAL: IFEVAL_HUB, IFBENCH: IFBENCH_HUB}
"""The families of constraints, each with its prompts."""
HUB_SETS = PROMPT_SETS | {name: pool.hub for name, pool in pools().items() if pool.hub}


@dataclass(frozen=True)
class ProspectiveData:
    """The sets a run draws from: constraint prompts and, by name, the pools of its loads; with their provenance.

    `left_out`: a sentence for each pool with items outside the sizes it uses. `constraints`: the family of the prompts.
    """

    source: str
    prompts: tuple[PromptSpec, ...]
    pools: Mapping[str, tuple[LoadItem, ...]]
    provenance: tuple[Provenance, ...]
    left_out: tuple[str, ...] = ()
    constraints: str = IFEVAL

    @property
    def sha256(self) -> str:
        """One hash over all sets: part of the run's identity."""
        return rows_sha256([entry.as_dict() for entry in self.provenance])


def load_data(source: str, loads: tuple[str, ...] = PAPER_LOADS, constraints: str = IFEVAL) -> ProspectiveData:
    """A family's prompts and the sets of these loads from `embedded`, `official` or a folder; no others are read.

    Raises:
        DataError: a file is missing, ambiguous, or a line does not fit; or no article has 600 to 1000 tokens.
        UserError: the hub cannot be reached, for `official`.
    """
    if source == "official":
        return _from_hub(loads=loads, constraints=constraints)
    return _from_folder(EMBEDDED if source == "embedded" else Path(source), source, pools(loads), constraints)


def load_items(source: str, pool: str) -> tuple[LoadItem, ...]:
    """The items of one pool alone, from `embedded`, `official` or a folder.

    Raises:
        DataError: a file is missing, ambiguous, or a line does not fit.
        UserError: the hub cannot be reached, for `official`.
    """
    chosen = pools()[pool]
    if source == "official" and chosen.hub is not None:
        return tuple(read_official(pool, chosen.hub, chosen.item)[0])
    path = chosen.embedded if source == "embedded" else _own_file(Path(source), pool, chosen)
    return tuple(read_records(path, chosen.item))


def _from_folder(root: Path, source: str, chosen: Mapping[str, Pool[Any]], constraints: str) -> ProspectiveData:
    if not root.is_dir():
        raise DataError(
            "no such folder",
            where="--data",
            found=source,
            allowed=f"embedded, official, or a folder with {', '.join((constraints, *chosen))}",
        )
    if source == "embedded":
        paths = {constraints: root / f"{constraints}.jsonl"} | {name: pool.embedded for name, pool in chosen.items()}
    else:
        paths = {name: _own_file(root, name, chosen.get(name)) for name in (constraints, *chosen)}
    prompts = read_prompts(paths[constraints])
    items = {name: read_records(paths[name], pool.item) for name, pool in chosen.items()}
    provenance = [_file_provenance(name, path, len(items.get(name, prompts))) for name, path in paths.items()]
    return _assemble(source, constraints, prompts, items, chosen, provenance)


def _file_provenance(name: str, path: Path, rows: int) -> Provenance:
    if path.parent == EMBEDDED:
        return file_provenance(name, path, rows, "Apache-2.0", name="forgetscope embedded, written for this project")
    return file_provenance(name, path, rows, "")


def _own_file(root: Path, name: str, pool: Pool[Any] | None) -> Path:
    """The set's file below the folder; a pool without published set brings its own where the folder has none."""
    if pool is not None and pool.hub is None and not (root / name).is_dir():
        return pool.embedded
    return find_file(root / name, name)


PREFERRED_NAMES = ("test", "validation", "val", "dev", "input")


def find_file(folder: Path, role: str) -> Path:
    """The set's file in a folder: named after its split (test before validation before dev), or the only one.

    Files of recorded model replies and training rows are not benchmark items and are passed over; the one split of
    IFEval and of IFBench is called train.

    Raises:
        DataError: no such folder, or several files that could be meant.
    """
    if not folder.is_dir():
        raise DataError("no such folder", where=str(folder), allowed=f"a folder named {role} with a .jsonl file")
    passed_over = ("recorded", "responses", "solutions", *(() if role in PROMPT_SETS else ("train",)))
    found = sorted(path for path in folder.glob("*.jsonl") if not any(word in path.stem for word in passed_over))
    for word in PREFERRED_NAMES:
        named = [path for path in found if word in path.stem.replace("-", "_").split("_")]
        if len(named) == 1:
            return named[0]
    if len(found) == 1:
        return found[0]
    raise DataError(
        "cannot tell which file holds the items",
        where=str(folder),
        found=[path.name for path in found],
        allowed=f"one .jsonl file, or one with {', '.join(PREFERRED_NAMES)} in its name",
    )


def _from_hub(
    load_rows: RowLoader = load_hub_rows, loads: tuple[str, ...] = PAPER_LOADS, constraints: str = IFEVAL
) -> ProspectiveData:
    chosen = pools(loads)
    prompts, prompts_from = read_official(constraints, PROMPT_SETS[constraints], PromptSpec, load_rows)
    items: dict[str, Sequence[LoadItem]] = {}
    provenance = [prompts_from]
    own = []
    for name, pool in chosen.items():
        if pool.hub is not None:
            items[name], found = read_official(name, pool.hub, pool.item, load_rows)
            provenance.append(found)
        else:
            items[name] = read_records(pool.embedded, pool.item)
            own.append(_file_provenance(name, pool.embedded, len(items[name])))
    return _assemble("official", constraints, prompts, items, chosen, [*provenance, *own])


def read_official(
    name: str, hub: HubSet, record: type[RecordT], load_rows: RowLoader = load_hub_rows
) -> tuple[list[RecordT], Provenance]:
    """The rows of a set on the hub, and where they are from.

    Raises:
        DataError: a row does not fit.
        UserError: the hub cannot be reached.
    """
    rows = read_hub_rows(hub, load_rows)
    provenance = Provenance(name, str(hub), hub.revision, rows_sha256(rows), len(rows), hub.licence)
    return [validate_record(row, record, where=f"{name} row {n}") for n, row in enumerate(rows, start=1)], provenance


def _assemble(
    source: str,
    constraints: str,
    prompts: Sequence[PromptSpec],
    items: Mapping[str, Sequence[LoadItem]],
    chosen: Mapping[str, Pool[Any]],
    provenance: Sequence[Provenance],
) -> ProspectiveData:
    used = {}
    for name, pool in chosen.items():
        _require_unique([item.key(index) for index, item in enumerate(items[name])], f"{name} id")
        used[name] = _of_right_size(items[name], pool)
    left_out = tuple(
        f"{len(items[name]) - len(used[name])} items of {name} outside {pool.sizes[0]}-{pool.sizes[1]} cl100k tokens "
        "were left out"
        for name, pool in chosen.items()
        if len(used[name]) < len(items[name])
    )
    return ProspectiveData(source, tuple(prompts), used, tuple(provenance), left_out, constraints)


def _of_right_size(items: Sequence[LoadItem], pool: Pool[Any]) -> tuple[LoadItem, ...]:
    if pool.tokens is None:
        return tuple(items)
    (low, high), sizes = pool.sizes, [pool.tokens(item) for item in items]
    used = tuple(item for item, size in zip(items, sizes, strict=True) if low <= size <= high)
    if not used:
        raise DataError(
            f"no item has {low} to {high} cl100k tokens",
            where=pool.name,
            found=sizes[:8],
            allowed=f"items of {low} to {high} tokens",
        )
    return used


def _require_unique(ids: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise DataError(f"duplicate {what}", found=name, allowed="each id once")
        seen.add(name)
