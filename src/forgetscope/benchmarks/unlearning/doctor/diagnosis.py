"""A grid examined: what was measured, and what should be changed, the gravest first.

Every combination of format, method and semantics takes its first two steps on a copy of the target. They show what a
grid would otherwise show at its end: sequences without gradient, one loss term swamping the other, a model that breaks.
"""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.doctor import advice
from forgetscope.benchmarks.unlearning.doctor.examination import Patient, admit, budgets, cost, trials
from forgetscope.benchmarks.unlearning.doctor.findings import Diagnosis
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.preparing import (
    PreparedExperiment,
    list_cells,
    make_model,
    prepare_experiments,
)
from forgetscope.benchmarks.unlearning.methods import METHODS, read_method
from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget, Outlook
from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.plan import plan_cells
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.benchmarks.unlearning.training.processes import current_processes
from forgetscope.benchmarks.unlearning.training.target import TARGET_NAME
from forgetscope.core.errors import SettingError


def prepare_patients(settings: GridSettings, grid: GridFolder) -> list[PreparedExperiment]:
    """Data and targets of a grid, made where they are not there yet; a target below its gate is examined all the same.

    Raises:
        UserError: a corpus or model cannot be read, or settings cannot be meant.
    """
    prepared = prepare_experiments(settings, grid)
    for one in prepared:
        try:
            make_model(one, "target", grid)
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
    vocabulary = patient.model.vocabulary
    outlook = Outlook(tuple(own_budgets), vocabulary, settings.training.stop_at_forget_nll is not None)
    found = advice.advise_on_target(patient.record)
    found += advice.advise_on_data(own_budgets, patient.model.context)
    for trial in own_trials:
        found += advice.advise_on_divergence(trial)
        if trial.semantics == "proper":
            found += read_method(trial.settings).advice(trial, budgeted[corpus, trial.format], vocabulary)
    for method in _methods(own_trials):
        found += method.advice_beforehand(outlook)
    return found + advice.advise_on_balance(own_trials)


def _methods(trials: Sequence[FirstSteps]) -> list[Method]:
    """The methods tried with proper losses, each with each of its settings once, in the order of tables."""
    found = dict.fromkeys(read_method(trial.settings) for trial in trials if trial.semantics == "proper")
    order = list(METHODS)
    return sorted(found, key=lambda one: (order.index(one.kind), _numbers(one)))


def _numbers(method: Method) -> list[float]:
    return [value for value in method.model_dump().values() if isinstance(value, int | float)]
