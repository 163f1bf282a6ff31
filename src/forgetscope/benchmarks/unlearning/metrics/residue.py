"""How much of what the target knew is still there, for every measure and attack: against a model that never knew it.

Protocols, section 5: told is the target, deleted the unlearned model, never told the retain-only model, each put to the
same probe. What a model from the retain side guesses, or an attack teaches it, is so taken off.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import polars as pl

from forgetscope.benchmarks.unlearning.metrics.study import RETAIN_MEASURES, RETAIN_ONLY, TARGET, CellKey, cell_order
from forgetscope.benchmarks.unlearning.scoring.scores import NO_OVERLAP, is_gibberish, status_of
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.residue import Circumstances, read_residue, residue_figures, unscored_shares
from forgetscope.stats.residue import Arms

VERBATIM = "verbatim"
PROBED = (VERBATIM, "knowledge_forget", "paraphrased_forget")
"""Measures of the forget side. After an attack a measure is called `ATTACK.MEASURE`."""

EXTRACTION = "extraction_strength"
"""The probe that needs no reply: the share of a forget chunk that greedy decoding completes."""

_KEY = tuple(entry.name for entry in fields(CellKey))
_COLUMNS = (*_KEY, "seed", "probe", "item", "score", "status")
_SCORED = (Status.CORRECT.value, Status.INCORRECT.value)


def probe_scores(samples: pl.DataFrame, likelihoods: pl.DataFrame | None = None) -> pl.DataFrame:
    """Every score of a probe of the forget side, and of the retain questions that say whether a model is broken.

    A reply is unreadable here where there is none, or it is no language whatever the corpus: names that a small model
    makes up are how it guesses. A continuation is only unreadable where there is none, as greedy decoding of a model
    that was never told may run in circles there.

    Args:
        samples: Rows of `SAMPLE_SCHEMA`.
        likelihoods: Rows of `LIKELIHOOD_SCHEMA`; None: without extraction strength.

    Returns:
        The columns of a cell's key, `seed`, `probe`, `item`, `score` (0-1) and `status`.
    """
    is_probe = pl.col("measure").str.split(".").list.last().is_in([*PROBED, *RETAIN_MEASURES])
    rows = samples.filter(is_probe).rename({"measure": "probe"})
    statuses = [_status(row) for row in rows.iter_rows(named=True)]
    found = rows.with_columns(status=pl.Series(statuses, dtype=pl.String)).select(_COLUMNS)
    if likelihoods is None or likelihoods.is_empty():
        return found
    texts = likelihoods.filter(pl.col("kind") == "forget").with_columns(
        probe=pl.lit(EXTRACTION), item="text", score="extraction_strength", status=pl.lit(Status.CORRECT.value)
    )
    return pl.concat([found, texts.select(_COLUMNS)], how="vertical_relaxed")


def _status(row: Mapping[str, Cell]) -> str:
    if row["score"] is None:
        return str(row["status"])
    reply, is_continuation = str(row["reply"]), str(row["probe"]).endswith(VERBATIM)
    return status_of(
        reply,
        replace(NO_OVERLAP, rouge_l_f1=float(row["score"])),
        FinishReason(str(row["finish_reason"])),
        gibberish=not is_continuation and is_gibberish(reply),
        is_cut_by_design=is_continuation,
    ).value


@dataclass(frozen=True)
class _Arm:
    """One model put to one probe: scores by item, of each seed; whether a seed has no model."""

    by_seed: Mapping[int, Mapping[str, float]]
    statuses: tuple[str, ...]
    items: frozenset[str]

    @classmethod
    def of(cls, rows: pl.DataFrame) -> "_Arm":
        seeds: dict[int, dict[str, float]] = {}
        for seed, item, score, status in rows.select("seed", "item", "score", "status").iter_rows():
            of_seed = seeds.setdefault(seed, {})
            if status in _SCORED:
                of_seed[item] = score
        return cls(seeds, tuple(rows["status"]), frozenset(rows["item"]))

    @property
    def is_whole(self) -> bool:
        """Whether every seed was scored at all: the mean of those that went well would flatter a method."""
        return bool(self.by_seed) and all(self.by_seed.values())

    def mean(self, item: str) -> float | None:
        """Over the seeds in which the item was scored."""
        found = [scores[item] for scores in self.by_seed.values() if item in scores]
        return float(np.mean(found)) if found else None

    def seed_means(self, items: Sequence[str]) -> list[float]:
        """Mean score of each seed over these items."""
        return [
            float(np.mean([scores[item] for item in items if item in scores]))
            for scores in self.by_seed.values()
            if any(item in scores for item in items)
        ]


def unlearning_residues(scores: pl.DataFrame) -> Iterator[Figure]:
    """The residue of every unlearned cell by every probe that all three models were put to.

    Args:
        scores: As `probe_scores` gives them.
    """
    names = list(_KEY)
    is_as_it_is = pl.col("method").is_in([TARGET, RETAIN_ONLY])
    as_is = scores.filter(is_as_it_is).partition_by("corpus", "method", "probe", as_dict=True)
    cells = scores.filter(~is_as_it_is).partition_by(names, as_dict=True)
    for values, rows in sorted(cells.items(), key=lambda cell: cell_order(CellKey(*cell[0]))):
        key = CellKey(*values)
        target = {
            probe: part for (corpus, role, probe), part in as_is.items() if (corpus, role) == (key.corpus, TARGET)
        }
        control = _control(pl.concat(target.values())) if target else None
        for probe in rows["probe"].unique(maintain_order=True):
            never = as_is.get((key.corpus, RETAIN_ONLY, probe))
            if probe in RETAIN_MEASURES or probe not in target or never is None:
                continue
            asked = rows.filter(pl.col("probe") == probe)
            arms = _Arm.of(target[probe]), _Arm.of(asked), _Arm.of(never)
            yield from _residue(key, probe, arms, (control, _control(rows)))


def _control(rows: pl.DataFrame) -> float | None:
    """Mean score over the questions about what should be kept, each measure counting alike; None where not asked."""
    kept = rows.filter(pl.col("probe").is_in(RETAIN_MEASURES)).group_by("probe").agg(pl.col("score").mean())
    found = kept["score"].mean()
    return float(found) if isinstance(found, float) else None


def _residue(
    key: CellKey, probe: str, models: tuple[_Arm, _Arm, _Arm], controls: tuple[float | None, float | None]
) -> Iterator[Figure]:
    told, deleted, never = models
    asked = told.items | deleted.items | never.items
    found = {item: tuple(arm.mean(item) for arm in (told, deleted, never)) for item in sorted(asked)}
    whole = deleted.is_whole
    items = [item for item, scores in found.items() if whole and all(score is not None for score in scores)]
    arms = Arms.of(*(np.array([found[item][place] for item in items], dtype=float) for place in range(3)))
    around = Circumstances(
        {name: unscored_shares(arm.statuses) for name, arm in (("told", told), ("deleted", deleted), ("never", never))},
        *controls,
        by_seed=deleted.seed_means(items) if whole else (),
    )
    factors: dict[str, Cell] = {
        **key.factors,
        "part": "unlearning",
        "condition": f"{key.method} on {key.forget_format}, {key.retain_subset}",
        "probe": probe,
    }
    yield from residue_figures(factors, arms, read_residue(arms, around), excluded=len(asked) - len(items))
