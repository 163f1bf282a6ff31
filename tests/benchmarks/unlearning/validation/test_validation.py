"""The calibration of unlearning: scripted outcomes hold, and a benchmark that is wrong is found out."""

from collections.abc import Callable, Mapping

import polars as pl
import pytest

from forgetscope.benchmarks.base import Check
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig
from forgetscope.benchmarks.unlearning.metrics.study import MEASURES
from forgetscope.benchmarks.unlearning.validation.expectations import (
    scripted_checks,
    trained_checks,
    validate_unlearning,
)
from forgetscope.benchmarks.unlearning.validation.reference import REFERENCES, reference_table
from tests.benchmarks.unlearning.grid_folders import cells, samples

SCORES: Mapping[str, float] = {"target": 0.95, "ga": 0.2, "npo": 0.6, "simnpo": 0.7}


def _many(table: pl.DataFrame) -> pl.DataFrame:
    """The same samples eight times, as items of their own: an interval needs six."""
    return pl.concat(
        [
            table.with_columns(item=pl.col("item") + f"-{number}", sample_id=pl.col("sample_id") + f"-{number}")
            for number in range(8)
        ]
    )


def _target() -> pl.DataFrame:
    text = pl.concat_str(pl.lit("the answer to "), pl.col("item"))
    return _many(samples(cells()[0], 1.0)).with_columns(
        reply=text, reference=text, score=pl.lit(1.0), rouge_l_recall=pl.lit(1.0), rouge_1_recall=pl.lit(1.0)
    )


def _never() -> pl.DataFrame:
    """A retain-only model that scores 0.1 everywhere."""
    config = cells()[0].model_copy(update={"role": "retain_only", "target": "r" * 16})
    return _many(samples(config, 0.1)).with_columns(
        reply=pl.lit("a guess"), reference=pl.lit("the answer"), score=pl.lit(0.1)
    )


def _evaluated(score: Callable[[str], float]) -> pl.DataFrame:
    def of(config: CellConfig) -> float:
        return score(config.unlearning.method.kind if config.unlearning else "target")

    configs = cells()
    compat = [
        config.model_copy(update={"unlearning": config.unlearning.model_copy(update={"semantics": "muse-compat"})})
        for config in configs
        if config.unlearning is not None
    ]
    tables = [*(_many(samples(config, of(config))) for config in (*configs, *compat)), _never()]
    return pl.concat(tables).with_columns(pl.col("score").clip(upper_bound=1.0))


def _checked(trained: pl.DataFrame) -> list[str]:
    """Checks that fail; the grid with steps of no size is one in which they have none."""
    target = trained.filter(pl.col("method") == "target")
    ga = trained.filter((pl.col("method") == "ga") & (pl.col("semantics") == "proper")).drop("score")
    still = ga.join(target.select("measure", "item", "score"), on=["measure", "item"])
    never = trained.filter(pl.col("method") == "retain_only")
    return _failed(trained_checks(trained, pl.concat([target, never, still.select(target.columns)])))


def _failed(checks: list[Check]) -> list[str]:
    return [check.figure for check in checks if not check.holds]


def test_every_scripted_outcome_has_the_figures_that_follow_from_how_it_is_made() -> None:
    checked = list(scripted_checks(_target(), _never()))
    assert [part[0].model for part in checked] == list(REFERENCES)
    assert [name for part in checked for name in _failed(part)] == []


def test_a_scripted_outcome_replies_to_every_sample_of_the_target() -> None:
    target = _target()
    for name in REFERENCES:
        assert sorted(reference_table(name, target)["item"]) == sorted(target["item"])


def test_real_unlearning_in_the_known_order_passes() -> None:
    table = _evaluated(SCORES.__getitem__)
    assert _checked(table) == []


@pytest.mark.parametrize(
    ("changed", "failed"),
    [
        ({"ga": 0.6}, "ga less npo: lost of the forget side"),
        ({"npo": 0.97}, "npo: lost of the forget side"),
        ({"target": 0.85}, "target: ROUGE-L on the forget side"),
    ],
)
def test_what_does_not_hold_fails(changed: dict[str, float], failed: str) -> None:
    table = _evaluated({**SCORES, **changed}.__getitem__)
    assert failed in _checked(table)


def test_methods_that_differ_under_the_reference_implementations_losses_fail() -> None:
    table = _evaluated(SCORES.__getitem__)
    is_one = (pl.col("semantics") == "muse-compat") & (pl.col("method") == "npo") & (pl.col("measure") == MEASURES[0])
    differing = table.with_columns(reply=pl.when(is_one).then(pl.lit("another")).otherwise(pl.col("reply")))
    assert _checked(differing) == ["muse-compat: replies alike whatever the method"]


def test_the_shipped_target_passes() -> None:
    assert [name for part in validate_unlearning() for name in _failed(part)] == []
