"""Which runs can be compared, which of their samples match, and what else keeps them apart.

Refused: another benchmark, other data, other prompt texts, no sample in common. Named: everything else that differs
(seeds, limits, decoding, judges, versions). A sample enters where all runs hold it and were sent the same; what the
model under test said itself in a dialogue (live answers) may differ.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl
from pydantic import JsonValue

from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.core.json_values import json_value

LONGEST_FOLDER = 24
"""Characters up to which a folder's name makes a good label: somebody chose it."""


@dataclass(frozen=True)
class ComparedRun:
    """A run as a comparison sees it: what it was, and its sample table.

    Attributes:
        label: What it is called in the comparison; unique.
        folder: Name of its folder.
        judge: In words; empty without one.
        planned: Samples planned.
    """

    label: str
    folder: str
    benchmark: str
    model: str
    decoding: str
    judge: str
    data: str
    data_sha256: str
    prompts_version: str
    plan_sha256: str
    settings: Mapping[str, JsonValue]
    forgetscope: str
    completeness: float | None
    planned: int
    table: pl.DataFrame


@dataclass(frozen=True)
class Mismatch:
    """Something that is not the same in all runs: what, and its value in each, in their order."""

    what: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Matching:
    """The samples that a comparison is over.

    Attributes:
        tables: Of each run, the samples that all runs hold and were sent alike, in the order of their ids.
        only_in_some: Samples that some run lacks.
        asked_differently: Samples that all runs hold and were not sent alike.
    """

    tables: tuple[pl.DataFrame, ...]
    only_in_some: int
    asked_differently: int

    @property
    def samples(self) -> int:
        """How many samples of each run enter."""
        return self.tables[0].height


def labelled(runs: Sequence[ComparedRun]) -> tuple[ComparedRun, ...]:
    """The runs with the shortest labels that tell them apart: the model, a short folder name, the decoding, ...

    Where nothing tells them apart (a folder given twice) they are numbered.
    """

    def model(run: ComparedRun) -> str:
        return run.model.rpartition("/")[2]

    def folder(run: ComparedRun) -> str:
        return run.folder

    is_short = all(len(run.folder) <= LONGEST_FOLDER for run in runs)
    ways: tuple[Callable[[ComparedRun], str], ...] = (
        model,
        lambda run: run.model,
        *((folder,) if is_short else ()),
        lambda run: f"{model(run)}, {run.decoding}",
        folder,
        lambda run: f"{model(run)} ({run.folder})",
    )
    for way in ways:
        names = [way(run) for run in runs]
        if len(set(names)) == len(runs):
            return tuple(replace(run, label=name) for run, name in zip(runs, names, strict=True))
    return tuple(replace(run, label=f"{run.folder} ({number})") for number, run in enumerate(runs, start=1))


def match(runs: Sequence[ComparedRun]) -> Matching:
    """The samples the runs can be compared by.

    Raises:
        SettingError: fewer than two runs, of several benchmarks, or over other data or prompt texts.
        RunFolderError: no sample in common, or one was sent alike.
    """
    if len(runs) < 2:
        raise SettingError("a comparison takes two runs or more", found=len(runs))
    for what, values, mend in (
        ("benchmarks", [run.benchmark for run in runs], "compare runs of one benchmark"),
        ("data", [run.data_sha256[:12] for run in runs], "run both on the same data (--data, and the same version)"),
        ("prompt texts", [run.prompts_version for run in runs], "run both with the same version of forgetscope"),
    ):
        if len(set(values)) > 1:
            raise SettingError(
                f"runs with different {what} cannot be paired",
                where="compare",
                found=", ".join(f"{run.folder}: {value}" for run, value in zip(runs, values, strict=True)),
                next_step=mend,
            )
    shared = set.intersection(*(set(run.table["sample_id"]) for run in runs))
    every = set.union(*(set(run.table["sample_id"]) for run in runs))
    tables = [run.table.filter(pl.col("sample_id").is_in(list(shared))).sort("sample_id") for run in runs]
    sent = [[_as_sent(text) for text in table["messages"]] for table in tables]
    alike = [len(set(of_sample)) == 1 for of_sample in zip(*sent, strict=True)]
    if not any(alike):
        raise RunFolderError(
            "no sample was sent alike in these runs" if shared else "these runs have no sample in common",
            where=", ".join(run.folder for run in runs),
            next_step="run them with the same settings: seeds, limit, conditions",
        )
    kept = tuple(table.filter(pl.Series(alike)) for table in tables)
    return Matching(kept, len(every) - len(shared), len(alike) - sum(alike))


def _as_sent(messages: str | None) -> str:
    """What was sent, without what the model under test had said itself."""
    try:
        turns = json_value(messages or "[]")
    except ValueError:
        return messages or ""
    if not isinstance(turns, list):
        return messages or ""
    return json.dumps([turn for turn in turns if not (isinstance(turn, dict) and turn.get("live") is True)])


def mismatches(runs: Sequence[ComparedRun]) -> tuple[Mismatch, ...]:
    """What is not the same in all runs, models aside: decoding, judges, settings, versions."""
    named: dict[str, list[str]] = {
        "decoding": [run.decoding for run in runs],
        "judge": [run.judge or "none" for run in runs],
        "forgetscope": [run.forgetscope for run in runs],
    }
    for key in dict.fromkeys(key for run in runs for key in run.settings):
        if key != "data":
            named[key.replace("_", " ")] = [_words(run.settings.get(key)) for run in runs]
    return tuple(Mismatch(what, tuple(values)) for what, values in named.items() if len(set(values)) > 1)


def _words(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    return "none" if value is None else str(value)
