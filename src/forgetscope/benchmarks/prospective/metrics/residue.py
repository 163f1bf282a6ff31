"""How much of what a constraint adds is kept under load: against how often the format comes out by chance.

Protocols, section 5: told is the unloaded condition, deleted the loaded one. Never told costs no call: the item's own
checkers are run on replies to other items, of other types, in the same condition. Here 1 is good: everything kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CELLS, CONSTRAINT_ONLY, NO_LOAD, unloaded_name
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.checkers import Behaviour, PromptSpec
from forgetscope.core.json_values import json_value
from forgetscope.findings.figures import Figure
from forgetscope.findings.residue import Circumstances, Unscored, read_residue, residue_figures, unscored_shares
from forgetscope.stats.residue import Arms
from forgetscope.stats.streams import named_stream

DONORS = 6
"""Replies to other items that an item's checkers are run on, drawn by its id: chance is known well enough by as few,
for the items average it, and every one costs a third of a millisecond."""

_SCORED = pl.col("status").is_in(["correct", "incorrect"])


@dataclass(frozen=True)
class _Cell:
    """One condition and load: by item compliance and chance, and the share of replies without a score."""

    kept: Mapping[str, float]
    chance: Mapping[str, float]
    unscored: Mapping[Unscored, float]
    items: int


def prospective_residues(study: ProspectiveStudy) -> Iterator[Figure]:
    """The retained share of every condition under load, by load and over all of them."""
    cells = {key: _cell_of(study, *key) for key in study.cells}
    for condition in study.loaded_conditions:
        cell = CELLS[condition]
        unloaded = BASELINE if cell.original_task else unloaded_name(cell) if cell.topic else CONSTRAINT_ONLY
        told = cells.get((unloaded, NO_LOAD))
        if told is None:
            continue
        loads = {load: cells[condition, load] for load in study.loads if (condition, load) in cells}
        pooled = {ALL: _pooled(loads)} if len(loads) > 1 else {}
        for load, deleted in {**pooled, **loads}.items():
            yield from _residue(condition, load, told, deleted)


def _residue(condition: str, load: str, told: _Cell, deleted: _Cell) -> Iterator[Figure]:
    items = sorted(set(told.kept) & set(told.chance) & set(deleted.kept) & set(deleted.chance))
    columns = (told.kept, deleted.kept, told.chance, deleted.chance)
    arms = Arms(*(np.array([column[item] for item in items]) for column in columns))
    around = Circumstances({"told": told.unscored, "deleted": deleted.unscored})
    factors = {"part": "prospective", "probe": "checkers", "condition": condition, "load": load}
    reading = read_residue(arms, around, is_to_be_kept=True)
    yield from residue_figures(factors, arms, reading, excluded=max(told.items, deleted.items) - len(items))


def _cell_of(study: ProspectiveStudy, condition: str, load: str) -> _Cell:
    frame = study.cell(condition, load).filter(pl.col("instruction_types").list.len() > 0)
    scored = frame.filter(_SCORED)
    kept = scored.group_by("item").agg((pl.col("status") == "correct").cast(pl.Float64).mean())
    return _Cell(
        dict(kept.iter_rows()),
        chance_compliance(scored),
        unscored_shares(frame["status"].to_list()),
        frame["item"].n_unique(),
    )


def _pooled(cells: Mapping[str, _Cell]) -> _Cell:
    """All loads as one: an item's mean over those it was asked under."""

    def over(columns: "list[Mapping[str, float]]") -> dict[str, float]:
        found = {item for column in columns for item in column}
        return {item: float(np.mean([column[item] for column in columns if item in column])) for item in found}

    parts = list(cells.values())
    reasons = {reason for part in parts for reason in part.unscored}
    unscored = {reason: float(np.mean([part.unscored.get(reason, 0.0) for part in parts])) for reason in reasons}
    return _Cell(
        over([part.kept for part in parts]),
        over([part.chance for part in parts]),
        unscored,
        max(part.items for part in parts),
    )


def chance_compliance(scored: pl.DataFrame) -> dict[str, float]:
    """For each item the share of replies to other items that satisfy its constraints, which they were never told.

    Args:
        scored: Samples of one condition: `item`, `instruction_types`, `kwargs`, `reply`.

    Items without a reply of another type have none.
    """
    rows = scored.select("item", "instruction_types", "kwargs", "reply").unique(
        "item", keep="first", maintain_order=True
    )
    asked = [
        (str(item), frozenset(types), tuple(types), str(kwargs), str(reply))
        for item, types, kwargs, reply in rows.iter_rows()
    ]
    found: dict[str, float] = {}
    for item, types, listed, kwargs, _ in asked:
        others = [reply for _, other, _, _, reply in asked if not types & other]
        if not others:
            continue
        stream = named_stream(0, f"prospective chance {item}")
        spec = PromptSpec.model_validate(
            {"key": item, "prompt": item, "instruction_id_list": listed, "kwargs": json_value(kwargs)}
        )
        checkers = spec.checkers()
        drawn = [others[place] for place in stream.permutation(len(others))[:DONORS]]
        found[item] = float(
            np.mean([all(check(reply, Behaviour.REFERENCE).followed for check in checkers) for reply in drawn])
        )
    return found
