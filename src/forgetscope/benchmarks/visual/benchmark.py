"""The visual benchmark as the rest of the system sees it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from forgetscope.benchmarks.base import Benchmark, ItemFiles, LoggedSample, Plan
from forgetscope.benchmarks.papers import read_paper
from forgetscope.benchmarks.visual.data.catalogue import SOURCES
from forgetscope.benchmarks.visual.data.loading import EMBEDDED, load_data
from forgetscope.benchmarks.visual.listed import REFERENCE_MODELS, TITLE
from forgetscope.benchmarks.visual.plan import as_planned, cell_label, make_plan
from forgetscope.benchmarks.visual.prompts import PROMPTS_VERSION
from forgetscope.benchmarks.visual.report.comparison import COMPARISON
from forgetscope.benchmarks.visual.report.profile import AIMS
from forgetscope.benchmarks.visual.report.results import results
from forgetscope.benchmarks.visual.scoring.row import COLUMNS, score_sample
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.benchmarks.visual.validation import reference  # noqa: F401 - registers its responders
from forgetscope.benchmarks.visual.validation.expectations import VALIDATION_SETTINGS, check_reference
from forgetscope.core.results import Value
from forgetscope.core.settings import Settings, narrowed

if TYPE_CHECKING:
    from inspect_ai import Task


def _plan(settings: Settings) -> Plan:
    return make_plan(narrowed(settings, VisualSettings))


def _task_function() -> "Callable[..., Task]":
    from forgetscope.benchmarks.visual.task import visual

    return visual


def _row(logged: LoggedSample) -> dict[str, Value]:
    from forgetscope.benchmarks.visual.task import logged_logprobs, logged_sample

    sample, logprobs = logged_sample(logged.metadata), logged_logprobs(logged.metadata)
    return score_sample(sample, logged.completion, logprobs, model=logged.model)


def _exported(settings: Settings) -> Callable[[Mapping[str, object]], Mapping[str, object]]:
    from forgetscope.benchmarks.visual.task import exported

    return exported(narrowed(settings, VisualSettings))


def _answered(metadata: Mapping[str, object], row: Mapping[str, object]) -> dict[str, object]:
    from forgetscope.benchmarks.visual.task import answered

    return answered(metadata, row)


def _cell(metadata: Mapping[str, object]) -> str:
    from forgetscope.benchmarks.visual.task import logged_sample

    return cell_label(logged_sample(metadata))


def _made_items(settings: Settings) -> ItemFiles:
    """The items of the run's splits; their pictures are painted from the names."""
    splits = load_data(EMBEDDED, narrowed(settings, VisualSettings).splits).splits
    return {
        f"{one.split.record.name}.jsonl": [item.model_dump(mode="json") for item in one.split.items] for one in splits
    }


BENCHMARK = Benchmark(
    name="visual",
    title=TITLE,
    settings=VisualSettings,
    prompts_version=PROMPTS_VERSION,
    plan=_plan,
    task_function=_task_function,
    shows_pictures=True,
    row=_row,
    columns=COLUMNS,
    results=results,
    reference_models=REFERENCE_MODELS,
    validation_settings=VALIDATION_SETTINGS,
    check_reference=check_reference,
    comparison=COMPARISON,
    paper=read_paper("forgetscope.benchmarks.visual"),
    sources=SOURCES,
    aims=AIMS,
    made_items=_made_items,
    exported=_exported,
    answered=_answered,
    cell_of=_cell,
    as_planned=as_planned,
)
