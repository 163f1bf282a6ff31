"""TOFU's measures against the authors' recorded logs (locuslab/tofu, 817 items; see SOURCE.md of the data)."""

import json
import math
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.evaluation.truth_ratio import (
    answer_probability,
    forget_truth,
    retain_truth,
    truth_ratio_of,
)
from forgetscope.benchmarks.unlearning.scoring.scores import overlap

LOGS = {
    "eval_log.json": 300,
    "eval_log_forget.json": 300,
    "eval_real_author_wo_options.json": 100,
    "eval_real_world_wo_options.json": 117,
}


@pytest.fixture(scope="module")
def logs(real_data: Path) -> dict[str, dict[str, dict[str, object]]]:
    folder = real_data / "tofu" / "recorded_eval_logs" / "ft_epoch5_lr1e-05_llama2-7b_full_wd0.01"
    if not folder.is_dir():
        pytest.skip("no recorded logs of TOFU here")
    return {name: json.loads((folder / name).read_text()) for name in LOGS}


@pytest.mark.parametrize("name", LOGS)
def test_rouge_recall_is_the_recorded_one_item_by_item(
    logs: dict[str, dict[str, dict[str, object]]], name: str
) -> None:
    log = logs[name]
    assert len(log["generated_text"]) == LOGS[name]
    for item, entry in log["generated_text"].items():
        assert isinstance(entry, list)
        _, written, gold = entry
        found = overlap(written, (gold,)).rouge_l_recall_stemmed if written else 0.0
        assert found == pytest.approx(log["rougeL_recall"][item], abs=1e-9), item


@pytest.mark.parametrize("name", LOGS)
def test_the_truth_ratio_is_the_recorded_one_item_by_item(
    logs: dict[str, dict[str, dict[str, object]]], name: str
) -> None:
    log = logs[name]
    for item, recorded in log["truth_ratio"].items():
        right, wrong = log["avg_paraphrased_loss"][item], log["average_perturb_loss"][item]
        assert truth_ratio_of(right, wrong) == pytest.approx(recorded, rel=1e-4), item  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["eval_real_author_wo_options.json", "eval_real_world_wo_options.json"])
def test_the_normalised_probability_is_the_recorded_one(
    logs: dict[str, dict[str, dict[str, object]]], name: str
) -> None:
    log = logs[name]
    for item, recorded in log["normalized_gt_loss"].items():
        found = answer_probability(log["avg_gt_loss"][item], log["average_perturb_loss"][item])  # type: ignore[arg-type]
        assert -math.log(found) == pytest.approx(recorded, rel=1e-6), item


def test_the_aggregates_lie_where_a_model_that_knows_puts_them() -> None:
    """A hand-computed pair: R of 1/2 and 2."""
    assert forget_truth([0.5, 2.0]) == 0.5
    assert retain_truth([0.5, 2.0]) == 0.25
