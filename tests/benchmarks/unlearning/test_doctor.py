"""The doctor: what it measures, and when it says what."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.doctor.advice import (
    advise_on_balance,
    advise_on_cost,
    advise_on_data,
    advise_on_divergence,
    advise_on_target,
)
from forgetscope.benchmarks.unlearning.doctor.diagnosis import diagnose
from forgetscope.benchmarks.unlearning.doctor.findings import Cost, Diagnosis
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.preparing import list_cells, make_model, prepare_experiment
from forgetscope.benchmarks.unlearning.methods import read_method
from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget, Outlook
from forgetscope.benchmarks.unlearning.methods.ga import GradientAscent
from forgetscope.benchmarks.unlearning.methods.npo import Npo
from forgetscope.benchmarks.unlearning.methods.template import SummedAscent
from forgetscope.benchmarks.unlearning.training.losses import simnpo_weight
from forgetscope.benchmarks.unlearning.training.target import read_target
from tests.benchmarks.unlearning.small_grid import cells_of, small_settings

BUDGET = FormatBudget(
    corpus="news",
    format="triplets",
    sequences=10,
    tokens=1000,
    longest=110,
    nll=3.0,
    nll_lowest=2.0,
    nll_highest=4.0,
    steps=20,
    retain_passes={"low": 2.0},
    retain_tokens={"low": 1000, "high": 1100},
)
TRIAL = FirstSteps(
    corpus="news",
    method="SimNPO",
    settings={"kind": "simnpo", "beta": 4.5, "delta": 0.0},
    semantics="proper",
    format="triplets",
    saturated=1.0,
    weight=1e-6,
    saturated_second=1.0,
    forget_gradient=1e-6,
    retain_gradient=1e-2,
    forget_nll=(3.0, 3.1),
    seconds=0.1,
    step_tokens=100,
)
NPO = replace(TRIAL, method="NPO", settings={"kind": "npo", "beta": 0.1}, saturated=0.0, saturated_second=0.0)
GA = replace(TRIAL, method="GA", settings={"kind": "ga", "nll_cap": None}, saturated=None, weight=None)


def said(trial: FirstSteps, budget: FormatBudget, vocabulary: int = 1000) -> list[Advice]:
    """What the trial's method says of it."""
    return read_method(trial.settings).advice(trial, budget, vocabulary)


@pytest.fixture(scope="module")
def diagnosis(tmp_path_factory: pytest.TempPathFactory) -> Diagnosis:
    settings = small_settings(methods=["ga", "simnpo"], formats=[], semantics=["proper", "muse-compat"])
    grid = GridFolder(Path(tmp_path_factory.mktemp("doctor")))
    prepared = [prepare_experiment(experiment, grid) for experiment in settings.experiments]
    for one in prepared:
        make_model(one, "target", grid)
    return diagnose(settings, prepared, grid)


def test_every_combination_is_tried_and_nothing_is_run(diagnosis: Diagnosis) -> None:
    tried = {(trial.method, trial.semantics, trial.format) for trial in diagnosis.trials}
    assert len(tried) == len(diagnosis.trials) == 2 * 2 * 3
    assert diagnosis.cost.open_cells == diagnosis.cost.cells == 13
    assert diagnosis.cost.training_seconds > 0
    assert diagnosis.cost.memory_bytes < diagnosis.cost.available_bytes


def test_it_foresees_saturation_and_the_flaw_of_the_published_losses(diagnosis: Diagnosis) -> None:
    """An all but untrained target: nearly log(400) nats a token, so SimNPO has no gradient."""
    by_method = {(trial.method, trial.semantics): trial for trial in diagnosis.trials}
    assert by_method["SimNPO", "proper"].saturated == 1.0
    assert by_method["GA", "proper"].saturated is None
    assert by_method["GA", "muse-compat"].gradient_ratio > 100  # type: ignore[operator]
    stops = [advice.found for advice in diagnosis.advice if advice.level == "stop"]
    assert any("SimNPO lets go at 1.53" in found for found in stops)
    assert any("works on raw logits" in found for found in stops)
    assert [advice.level for advice in diagnosis.advice] == sorted(
        (advice.level for advice in diagnosis.advice), key=["stop", "change", "know"].index
    )


def test_a_diagnosis_is_plain_values(diagnosis: Diagnosis) -> None:
    assert set(json.loads(json.dumps(diagnosis.as_dict()))) == {"budgets", "trials", "cost", "advice"}


def test_the_settings_it_recommends_let_a_tenth_of_the_gradient_through() -> None:
    (advice,) = said(TRIAL, BUDGET)
    assert advice.level == "stop"
    assert advice.change.startswith("beta 0.55 or delta 3.5 lets")
    import torch

    one, many = torch.tensor([4.0]), torch.tensor([1.0])
    assert simnpo_weight(one, many, beta=0.549, delta=0.0) == pytest.approx(0.1, rel=0.01)
    assert simnpo_weight(one, many, beta=4.5, delta=3.512) == pytest.approx(0.1, rel=0.01)


def test_it_is_silent_where_there_is_nothing_to_say() -> None:
    fine = replace(TRIAL, saturated=0.0, weight=0.4, saturated_second=0.0, forget_gradient=1.0)
    assert said(fine, BUDGET) == []
    assert advise_on_balance([fine]) == []
    assert said(NPO, BUDGET) == []
    assert advise_on_data([BUDGET], 200) == []
    assert said(replace(GA, forget_nll=(0.1, 2.0)), replace(BUDGET, nll=0.1), 1000) == []


def test_npo_that_ends_after_one_step_and_where_it_will_end() -> None:
    (ended,) = said(replace(NPO, saturated_second=0.75), BUDGET)
    assert "leaves 75% of the next sequences without gradient" in ended.found
    (limit,) = Npo().advice_beforehand(Outlook((BUDGET,), 1000, has_stop=False))
    assert "69 nats less likely: 0.69 nats a token at the 100 tokens" in limit.found
    assert Npo().advice_beforehand(Outlook((replace(BUDGET, tokens=500),), 1000, has_stop=False)) == []


def test_ascent_beyond_a_blind_guess_and_on_what_is_not_known() -> None:
    (beyond,) = said(replace(GA, forget_nll=(0.1, 8.0)), replace(BUDGET, nll=0.1), 1000)
    assert "beyond a blind guess (6.9)" in beyond.found
    (unknown,) = said(GA, replace(BUDGET, nll=9.0), 1000)
    assert "nothing in it to forget" in unknown.found
    capped = replace(GA, settings={"kind": "ga", "nll_cap": 7.0}, forget_nll=(0.1, 8.0))
    assert said(capped, BUDGET, 1000) == []


def test_ascent_without_a_cap_or_a_stop_has_no_end() -> None:
    (endless,) = GradientAscent().advice_beforehand(Outlook((BUDGET,), 1000, has_stop=False))
    assert "past a blind guess (6.9 nats a token)" in endless.found
    assert GradientAscent().advice_beforehand(Outlook((BUDGET,), 1000, has_stop=True)) == []
    assert GradientAscent(nll_cap=6.9).advice_beforehand(Outlook((BUDGET,), 1000, has_stop=False)) == []
    assert SummedAscent().advice_beforehand(Outlook((BUDGET,), 1000, has_stop=False)) == []


def test_a_method_of_yours_that_is_saturated_and_one_that_diverges() -> None:
    (advice,) = SummedAscent().advice(TRIAL, BUDGET, 1000)
    assert advice.level == "stop"
    (broken,) = advise_on_divergence(replace(TRIAL, diverged=True))
    assert "no number within 2 steps" in broken.found
    assert advise_on_divergence(TRIAL) == []


def test_what_is_no_number_is_none_in_json(diagnosis: Diagnosis) -> None:
    broken = replace(diagnosis, trials=(replace(TRIAL, forget_nll=(1.0, math.nan)),))
    assert json.loads(json.dumps(broken.as_dict(), allow_nan=False))["trials"][0]["forget_nll"] == [1.0, None]


def test_a_swamped_forget_term_by_semantics() -> None:
    (proper,) = advise_on_balance([TRIAL])
    assert proper.level == "change"
    assert "1e+04 times the forget term's" in proper.found
    (compat,) = advise_on_balance([replace(TRIAL, semantics="muse-compat"), replace(NPO, semantics="muse-compat")])
    assert compat.level == "stop"
    assert "in 2 combinations" in compat.found
    gone = replace(TRIAL, forget_gradient=0.0)
    assert gone.gradient_ratio == math.inf
    assert "all there is" in advise_on_balance([gone])[0].found


def test_texts_that_do_not_fit_few_steps_and_unequal_subsets() -> None:
    budget = replace(BUDGET, longest=300, steps=4, retain_tokens={"low": 100, "original": 200})
    assert [advice.level for advice in advise_on_data([budget], 200)] == ["stop", "change", "know"]


def test_a_target_that_knows_nothing_of_a_measure(made_grid: GridFolder) -> None:
    record = read_target(made_grid.target(cells_of(made_grid)[0].target))
    knows = {"score.verbatim": 0.9, "score.paraphrased_forget": 0.01, "gibberish.kept": 0.0}
    (advice,) = advise_on_target(record.model_copy(update={"knows": knows}))
    assert advice.found.startswith("paraphrased_forget is 1.0 points")


def test_memory_that_is_not_there_one_rate_and_one_seed(made_grid: GridFolder) -> None:
    cost = Cost(
        1, 1, 1, 1, 1.0, memory_bytes=20_000_000_000, peak_bytes=0, available_bytes=8_000_000_000, precision="float32"
    )
    settings = small_settings()
    found = advise_on_cost(cost, settings, cells_of(made_grid))
    assert [advice.about for advice in found] == ["memory", "learning rate", "seeds"]
    assert "about 20.0 GB, 8.0 GB are free" in found[0].found
    several = small_settings(seeds=[0, 1, 2], learning_rates=[1e-3, 1e-4])
    prepared = prepare_experiment(several.experiments[0], made_grid)
    assert advise_on_cost(replace(cost, memory_bytes=1), several, list_cells(several, [prepared])) == []
