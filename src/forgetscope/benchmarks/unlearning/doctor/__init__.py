"""The doctor: before any training, will these settings unlearn at all, what will it cost, what should be changed?

Every combination of format, method and semantics takes its first two steps on a copy of the target. They show what a
grid would otherwise show at its end: sequences without gradient, one loss term swamping the other, a model that breaks.
"""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.doctor import advice
from forgetscope.benchmarks.unlearning.doctor.examination import Patient, admit, budgets, cost, trials
from forgetscope.benchmarks.unlearning.doctor.findings import Advice, Cost, Diagnosis, FirstSteps, FormatBudget
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.configuration import GridSettings
from forgetscope.benchmarks.unlearning.grid.planning import plan_cells
from forgetscope.benchmarks.unlearning.grid.preparing import (
    PreparedExperiment,
    list_cells,
    make_targets,
    prepare_experiment,
)
from forgetscope.benchmarks.unlearning.training.processes import current_processes
from forgetscope.benchmarks.unlearning.training.target import TARGET_NAME
from forgetscope.core.errors import SettingError

__all__ = ["Advice", "Cost", "Diagnosis", "FirstSteps", "FormatBudget", "diagnose", "prepare_patients"]


def prepare_patients(settings: GridSettings, grid: GridFolder) -> list[PreparedExperiment]:
    """Data and targets of a grid, made where they are not there yet; a target below its gate is examined all the same.

    Raises:
        UserError: a corpus or model cannot be read, or settings cannot be meant.
    """
    prepared = [prepare_experiment(experiment, grid) for experiment in settings.experiments]
    for one in prepared:
        try:
            make_targets(one, grid)
        except SettingError:
            if not (grid.target(one.target) / TARGET_NAME).exists():
                raise
    return prepared


def diagnose(settings: GridSettings, prepared: Sequence[PreparedExperiment], grid: GridFolder) -> Diagnosis:
    """Examine a grid whose data and targets are made; nothing of it is changed.

    Raises:
        UserError: a target is missing, or settings cannot be meant.
    """
    cells = list_cells(settings, prepared)
    processes = current_processes(settings.training.precision)
    patients = [admit(one, cells, grid, processes) for one in prepared]
    budgeted = {(one.corpus, one.format): one for patient in patients for one in budgets(patient)}
    tried = [one for patient in patients for one in trials(patient, settings, grid, processes)]
    price = cost(plan_cells(cells, prepared, grid), tried, patients, settings, processes)
    found = [line for patient in patients for line in _of_patient(patient, budgeted, tried, settings)]
    found += advice.advise_on_cost(price, settings, cells)
    gravest_first = {"stop": 0, "change": 1, "know": 2}
    found.sort(key=lambda one: gravest_first[one.level])
    return Diagnosis(tuple(budgeted.values()), tuple(tried), price, tuple(found))


def _of_patient(
    patient: Patient,
    budgeted: dict[tuple[str, str], FormatBudget],
    tried: Sequence[FirstSteps],
    settings: GridSettings,
) -> list[Advice]:
    corpus = patient.prepared.data.corpus
    own_budgets = [budget for (name, _), budget in budgeted.items() if name == corpus]
    own_trials = [trial for trial in tried if trial.corpus == corpus]
    found = advice.advise_on_target(patient.record)
    found += advice.advise_on_data(own_budgets, patient.model.context)
    for trial in own_trials:
        found += advice.advise_on_divergence(trial)
        if trial.semantics == "proper":
            budget = budgeted[corpus, trial.format]
            found += advice.advise_on_saturation(trial, budget)
            found += advice.advise_on_ascent(trial, budget, patient.model.vocabulary)
    found += advice.advise_on_endless_ascent(own_trials, settings, patient.model.vocabulary)
    return found + advice.advise_on_npo(own_budgets, own_trials) + advice.advise_on_balance(own_trials)
