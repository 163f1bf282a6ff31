"""Runs and repeats: rates per seed, how far replies lie apart within and between items, pairs of the same sending."""

import math

import pytest

from forgetscope.benchmarks.prospective.metrics.study import ALL
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from tests.benchmarks.prospective.metrics.small_tables import Row, figures_of, row

SEEDS = ProspectiveSettings(seeds=(1, 2))


def natural(item: str, seed: int, kept: bool, repeat: int = 1) -> Row:
    name = f"prospective/{item}/natural/load=mmlu/seed={seed}/repeat={repeat}"
    return row(item, "natural", "mmlu", kept, seed=seed, repeat=repeat, sample_id=name)


def baseline(item: str, kept: bool, seed: int | None = None, repeat: int = 1) -> Row:
    name = f"prospective/{item}/baseline/seed={seed}/repeat={repeat}"
    return row(item, "baseline", "none", kept, seed=seed, repeat=repeat, sample_id=name)


def test_each_run_has_its_rate_and_the_runs_a_spread() -> None:
    rows = [natural(item, seed, seed == 1 or item == "a") for item in "abcd" for seed in (1, 2)]
    index = figures_of([baseline("a", True), *rows], SEEDS)
    assert index.value("compliance.strict.run", condition="natural", load="mmlu", seed=1) == 1.0
    assert index.value("compliance.strict.run", condition="natural", load="mmlu", seed=2) == 0.25
    assert index.value("spread.runs", condition="natural", load="mmlu") == pytest.approx(0.75 / math.sqrt(2))
    assert index.value("spread.runs.range", condition="natural", load="mmlu") == 0.75
    assert index.get("spread.runs", condition="baseline", load="none") is None, "sent once"


def test_what_varies_within_items_is_told_from_what_varies_between_them() -> None:
    steady = [natural(item, seed, item in "ab") for item in "abcd" for seed in (1, 2)]
    index = figures_of(steady, SEEDS)
    assert index.value("spread.within", condition="natural", load="mmlu") == 0.0
    assert index.value("spread.between", condition="natural", load="mmlu") == pytest.approx(math.sqrt(1 / 3))
    shaky = figures_of([natural(item, seed, seed == 1) for item in "abcd" for seed in (1, 2)], SEEDS)
    assert shaky.value("spread.within", condition="natural", load="mmlu") == pytest.approx(math.sqrt(0.5))
    assert shaky.value("spread.between", condition="natural", load="mmlu") == 0.0


def test_repeats_of_one_prompt_have_a_spread_of_their_own() -> None:
    settings = ProspectiveSettings(seeds=(1, 2), repeats=2)
    rows = [natural(item, seed, seed == 1, repeat) for item in "ab" for seed in (1, 2) for repeat in (1, 2)]
    index = figures_of(rows, settings)
    assert index.value("spread.repeats", condition="natural", load="mmlu") == 0.0
    assert index.value("spread.within", condition="natural", load="mmlu") == pytest.approx(math.sqrt(1 / 3))
    assert figures_of([natural("a", 1, True)], SEEDS).get("spread.repeats", condition="natural", load="mmlu") is None


def test_a_baseline_of_each_run_is_paired_run_by_run() -> None:
    rows = [baseline(item, True, seed) for item in "abc" for seed in (1, 2)]
    rows += [natural(item, seed, seed == 1) for item in "abc" for seed in (1, 2)]
    index = figures_of(rows, SEEDS)
    name = "delta.mcnemar.pooled.exact"
    entry = index.get(name, condition="natural", load="mmlu")
    assert entry is not None
    assert "3 kept in the baseline only, 0 under the condition only" in entry.method
    assert entry.n == 6
    pooled = index.get("compliance.strict.pooled", condition="baseline", load="none")
    assert pooled is not None
    assert pooled.n == 6, "counted as often as it was sent"


def test_repeats_are_paired_turn_by_turn_and_not_each_with_each() -> None:
    settings = ProspectiveSettings(seeds=(1,), repeats=2)
    rows = [natural(item, 1, repeat == 1, repeat) for item in "ab" for repeat in (1, 2)]
    rows += [
        row(item, "reminder", "mmlu", True, seed=1, repeat=repeat, sample_id=f"{item}/reminder/{repeat}")
        for item in "ab"
        for repeat in (1, 2)
    ]
    gain = figures_of(rows, settings).get("gain.paired", load=ALL)
    assert gain is not None
    assert (gain.value, gain.excluded) == (0.5, 0)


def test_loose_deltas_stand_beside_the_strict_ones() -> None:
    rows = [baseline(item, True) for item in "abc"]
    rows += [natural(item, 1, False) | {"loose": item == "a"} for item in "abc"]
    index = figures_of(rows, ProspectiveSettings(seeds=(1,)))
    for name in ("delta.loose.paired", "delta.loose.paper"):
        assert index.value(name, condition="natural", load="mmlu") == pytest.approx(2 / 3)
    assert index.value("delta.paper", condition="natural", load="mmlu") == 1.0
