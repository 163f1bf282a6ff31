"""Figures of the models themselves, and the sections made of them."""

import math
from collections.abc import Mapping

import pytest

from forgetscope.benchmarks.unlearning.grid.cells import CellConfig, CellResult, TrainingSummary
from forgetscope.benchmarks.unlearning.metrics.models import model_figures
from forgetscope.benchmarks.unlearning.metrics.study import CellKey
from forgetscope.findings.figures import Figure
from tests.benchmarks.unlearning.grid_folders import cells

KEY = CellKey("embedded", "proper", "raw", "low", "simnpo", 1e-3, 1.0, 5.0)

TRAINING = TrainingSummary(
    ended="complete",
    steps=20,
    effective_batch=4,
    forget_tokens=100,
    retain_tokens=100,
    unique_retain_tokens=50,
    forget_nll_first=0.1,
    forget_nll_last=2.0,
    saturated_first=0.75,
    saturated_last=1.0,
    gradient_ratio=30.0,
    shortened=0.0,
    padding=0.1,
    resumed_at=None,
    seconds=1.0,
)


def result(
    config: CellConfig,
    figures: Mapping[str, float | None],
    training: TrainingSummary | None = None,
    ratios: Mapping[str, float] | None = None,
) -> CellResult:
    return CellResult(
        id=config.id,
        config=config,
        status="complete",
        figures=dict(figures),
        by_question={} if ratios is None else {"truth_ratio.forget": dict(ratios)},
        training=training,
        weights_sha256="w" * 64,
        attempts=1,
        seconds={},
        environment={},
        started="2026-01-01T00:00:00+00:00",
        finished="2026-01-01T00:01:00+00:00",
    )


def named(figures: list[Figure]) -> dict[str, Figure]:
    return {entry.name: entry for entry in figures}


def unlearned(seed: int) -> CellConfig:
    return cells()[1].model_copy(update={"seed": seed})


def test_a_cell_is_the_mean_of_its_seeds() -> None:
    runs = [result(unlearned(seed), {"nll.forget": 1.0 + seed}, TRAINING) for seed in (0, 1)]
    found = named(list(model_figures(runs, {run.id: KEY for run in runs})))
    assert found["model.nll.forget"].value == 1.5
    assert found["model.nll.forget"].n == 2
    assert found["model.nll.forget"].factors == KEY.factors
    assert found["training.saturated_first"].value == 0.75
    assert found["training.steps"].value == 20


def test_a_mean_with_an_undefined_member_is_undefined_and_says_so() -> None:
    runs = [result(unlearned(seed), {"nll.forget": value}) for seed, value in ((0, 1.0), (1, None))]
    (entry,) = model_figures(runs, {run.id: KEY for run in runs})
    assert entry.value is None
    assert (entry.n, entry.excluded) == (1, 1)
    assert entry.note == "undefined for 1 of 2 models"


def test_leakage_is_against_the_model_that_never_knew() -> None:
    """(0.1 - 0.4) / 0.4 = -0.75."""
    target = cells()[0]
    never = target.model_copy(update={"role": "retain_only", "target": "r" * 16})
    runs = [
        result(target, {"auc.min_k": 0.0}),
        result(never, {"auc.min_k": 0.4}),
        result(unlearned(0), {"auc.min_k": 0.1}),
    ]
    keys: dict[str, CellKey | str] = {runs[0].id: "embedded", runs[1].id: "embedded", runs[2].id: KEY}
    found = named(list(model_figures(runs, keys)))
    assert found["model.privacy_leakage"].value == pytest.approx(-0.75)
    assert found["model.as_is.privacy_leakage"].value == pytest.approx(-1)
    alone = named(list(model_figures(runs[2:], keys)))
    assert "model.privacy_leakage" not in alone


QUESTIONS = [f"q{number}" for number in range(12)]
KNOWN = {"truth_ratio.forget": 0.5}


def ratios(start: float) -> dict[str, float]:
    return {question: start + number / 100 for number, question in enumerate(QUESTIONS)}


def test_forget_quality_is_the_test_against_the_model_that_never_knew() -> None:
    """Ratios far from the retain-only model's: 2 of the C(24, 12) ways to share out the pooled ratios part as far."""
    target = cells()[0]
    never = target.model_copy(update={"role": "retain_only", "target": "r" * 16})
    runs = [
        result(target, KNOWN, ratios=ratios(0.1)),
        result(never, KNOWN, ratios=ratios(1.1)),
        result(unlearned(0), KNOWN, ratios=ratios(1.1)),
    ]
    keys: dict[str, CellKey | str] = {runs[0].id: "embedded", runs[1].id: "embedded", runs[2].id: KEY}
    found = named(list(model_figures(runs, keys)))
    assert found["model.forget_quality"].value == 1.0
    assert found["model.as_is.forget_quality"].value == pytest.approx(2 / math.comb(24, 12))
    assert "model.ks_target" not in found, "said only where there is no better reference"


def test_without_a_model_that_never_knew_the_test_is_against_the_target_and_has_another_name() -> None:
    runs = [result(cells()[0], KNOWN, ratios=ratios(0.1)), result(unlearned(0), KNOWN, ratios=ratios(0.1))]
    found = named(list(model_figures(runs, {runs[0].id: "embedded", runs[1].id: KEY})))
    assert found["model.ks_target"].value == 1.0
    assert not any("forget_quality" in name for name in found)


@pytest.mark.parametrize(
    ("own", "why"), [(None, "were not kept when these cells were run"), ({"q0": 0.5}, "not every forget question")]
)
def test_cells_without_the_ratios_of_single_questions_say_why_the_test_is_missing(
    own: dict[str, float] | None, why: str
) -> None:
    runs = [result(cells()[0], KNOWN, ratios=ratios(0.1)), result(unlearned(0), KNOWN, ratios=own)]
    entry = named(list(model_figures(runs, {runs[0].id: "embedded", runs[1].id: KEY})))["model.ks_target"]
    assert entry.value is None
    assert why in entry.note


def test_a_cell_that_was_stored_before_single_questions_were_kept_still_opens() -> None:
    stored = result(unlearned(0), KNOWN).model_dump(mode="json")
    del stored["by_question"]
    assert CellResult.model_validate(stored).by_question == {}
