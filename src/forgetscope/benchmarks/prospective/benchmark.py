"""The prospective benchmark as the rest of the system sees it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from forgetscope.benchmarks.base import Benchmark, LoggedSample, Plan
from forgetscope.benchmarks.papers import read_paper
from forgetscope.benchmarks.prospective.data.catalogue import SOURCES
from forgetscope.benchmarks.prospective.listed import REFERENCE_MODELS, TITLE
from forgetscope.benchmarks.prospective.plan import cell_label, make_plan
from forgetscope.benchmarks.prospective.prompts import PROMPTS_VERSION
from forgetscope.benchmarks.prospective.report.comparison import COMPARISON
from forgetscope.benchmarks.prospective.report.profile import AIMS
from forgetscope.benchmarks.prospective.report.results import results
from forgetscope.benchmarks.prospective.scoring.annotation import ANNOTATION
from forgetscope.benchmarks.prospective.scoring.row import COLUMNS, score_sample
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.benchmarks.prospective.validation import reference  # noqa: F401 - registers its responders
from forgetscope.benchmarks.prospective.validation.expectations import check_reference
from forgetscope.core.results import Value
from forgetscope.core.settings import Settings, narrowed

if TYPE_CHECKING:
    from inspect_ai import Task


def _plan(settings: Settings) -> Plan:
    return make_plan(narrowed(settings, ProspectiveSettings))


def _task_function() -> "Callable[..., Task]":
    from forgetscope.benchmarks.prospective.task import prospective

    return prospective


def _row(logged: LoggedSample) -> dict[str, Value]:
    from forgetscope.benchmarks.prospective.task import logged_sample

    return score_sample(logged_sample(logged.metadata), logged.completion, model=logged.model)


def _cell(metadata: Mapping[str, object]) -> str:
    from forgetscope.benchmarks.prospective.task import logged_sample

    return cell_label(logged_sample(metadata))


BENCHMARK = Benchmark(
    name="prospective",
    title=TITLE,
    settings=ProspectiveSettings,
    prompts_version=PROMPTS_VERSION,
    plan=_plan,
    task_function=_task_function,
    row=_row,
    columns=COLUMNS,
    results=results,
    reference_models=REFERENCE_MODELS,
    validation_settings={"seeds": (42,), "limit": 15},
    check_reference=check_reference,
    comparison=COMPARISON,
    paper=read_paper("forgetscope.benchmarks.prospective"),
    annotation=ANNOTATION,
    sources=SOURCES,
    aims=AIMS,
    cell_of=_cell,
)
