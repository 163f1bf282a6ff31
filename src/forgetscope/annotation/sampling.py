"""Which replies people see: units drawn at random within strata, under names that tell nothing."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from forgetscope.annotation.design import AnnotationDesign, PairedDesign
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.stats import named_stream

SCORED = ("correct", "incorrect")
HASH_LENGTH = 11
"""Of names; they begin with a letter, for a spreadsheet takes 12e3 for a number."""


@dataclass(frozen=True)
class Stratum:
    """Units (items, or replies alone) of one stratum of a cell: how many there are, how many were drawn."""

    cell: str
    name: str
    items: int
    drawn: int


@dataclass(frozen=True)
class Drawn:
    """A drawn sample of replies.

    Attributes:
        rows: The drawn rows of the table, one a reply, with the column `key`, sorted by it.
        strata: What was drawn from what.
        left_out: Items that could not be drawn because a form of theirs was not scored; none where replies are drawn.
    """

    rows: pl.DataFrame
    strata: tuple[Stratum, ...]
    left_out: int
    seed: int

    @property
    def study(self) -> str:
        """The sample's name: a hash of its seed and its keys."""
        return study_name(self.seed, self.rows["key"].to_list())


def reply_key(seed: int, sample_id: str) -> str:
    """The name of a reply on an annotator's sheet: it tells nothing, and who has the run can find the sample."""
    return "r" + hashlib.sha256(f"{seed}/{sample_id}".encode()).hexdigest()[:HASH_LENGTH]


def study_name(seed: int, keys: Iterable[str]) -> str:
    """The name of a drawn sample."""
    return "s" + hashlib.sha256("/".join([str(seed), *sorted(keys)]).encode()).hexdigest()[:HASH_LENGTH]


def paired_population(table: pl.DataFrame, design: PairedDesign) -> tuple[pl.DataFrame, int]:
    """The samples of items with both forms scored, and how many items had a form that was not.

    Raises:
        ValueError: an item has several samples in a form.
    """
    frame = design.population(table)
    if frame.select("item", "form").is_duplicated().any():
        raise ValueError("an item occurs twice in one form of the population")
    scored = frame.filter(pl.col("status").is_in(SCORED) & pl.col("form").is_in(design.forms))
    both = scored.group_by("item").len().filter(pl.col("len") == 2)["item"]
    kept = scored.filter(pl.col("item").is_in(both.to_list())).sort("sample_id")
    return kept, frame["item"].n_unique() - len(both)


def draw_sample(table: pl.DataFrame, design: AnnotationDesign, *, per_cell: int, seed: int) -> Drawn:
    """Draw `per_cell` units of each cell, in proportion to its strata, with all samples of each.

    Cells with fewer give all they have. The same table and seed give the same sample.

    Raises:
        SettingError: fewer than one reply is asked for.
        RunFolderError: the table holds nothing to draw.
    """
    if per_cell < 1:
        raise SettingError("nothing to annotate", where="--per-cell", found=per_cell, allowed="1 or more")
    pairs = paired_population(table, design) if isinstance(design, PairedDesign) else None
    population, left_out = pairs or (design.population(table), 0)
    if population.is_empty():
        raise RunFolderError(
            f"there is nothing to annotate: {design.asked}, and the run has none",
            next_step="see the outcomes in its report",
        )
    units = population.unique(design.unit, keep="first", maintain_order=True).select(
        pl.col(design.unit).alias("unit"), design.cell, design.stratum
    )
    chosen: list[str] = []
    strata: list[Stratum] = []
    for (cell,), part in sorted(units.partition_by(design.cell, as_dict=True).items(), key=str):
        groups = {
            str(name): sorted(group["unit"].to_list())
            for (name,), group in sorted(part.partition_by(design.stratum, as_dict=True).items(), key=str)
        }
        shares = allocate({name: len(members) for name, members in groups.items()}, per_cell)
        for name, members in groups.items():
            draw = named_stream(seed, f"annotation/draw/{cell}/{name}").permutation(len(members))[: shares[name]]
            chosen.extend(members[place] for place in draw)
            strata.append(Stratum(str(cell), name, len(members), shares[name]))
    rows = population.filter(pl.col(design.unit).is_in(chosen))
    keys = [reply_key(seed, sample_id) for sample_id in rows["sample_id"]]
    return Drawn(rows.with_columns(key=pl.Series(keys, dtype=pl.String)).sort("key"), tuple(strata), left_out, seed)


def allocate(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """How many of each stratum: in proportion to the sizes by largest remainders, one of each where that is possible.

    Never more than there are. Example: 10 of strata with 30, 20 and 10: 5, 3 and 2; 4 of 90, 5 and 5: 2, 1 and 1.
    """
    total = min(total, sum(sizes.values()))
    quotas = {name: total * size / sum(sizes.values()) for name, size in sizes.items()}
    shares = {name: int(quota) for name, quota in quotas.items()}
    by_remainder = sorted(sizes, key=lambda name: (shares[name] - quotas[name], name))
    for name in by_remainder[: total - sum(shares.values())]:
        shares[name] += 1
    for name in [name for name, share in shares.items() if share == 0]:
        largest = max(shares, key=lambda other: (shares[other], other))
        if shares[largest] > 1:
            shares[largest] -= 1
            shares[name] += 1
    return shares


def order_for(keys: Sequence[str], seed: int, annotator: int) -> list[str]:
    """The order in which one annotator sees the replies: another one for each, the same when drawn again."""
    places: np.ndarray = named_stream(seed, f"annotation/order/{annotator}").permutation(len(keys))
    return [sorted(keys)[place] for place in places]
