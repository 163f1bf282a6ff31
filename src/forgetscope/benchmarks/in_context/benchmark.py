"""The in-context benchmark as the rest of the system sees it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from forgetscope.benchmarks.base import Benchmark, LoggedSample, Plan
from forgetscope.benchmarks.in_context.data.catalogue import SOURCES
from forgetscope.benchmarks.in_context.data.forms import Arm, logged_replies, logged_sample
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.listed import REFERENCE_JUDGES, REFERENCE_MODELS, TITLE
from forgetscope.benchmarks.in_context.plan import cell_label, make_plan
from forgetscope.benchmarks.in_context.prompts import PROMPTS_VERSION
from forgetscope.benchmarks.in_context.report.comparison import COMPARISON
from forgetscope.benchmarks.in_context.report.profile import AIMS
from forgetscope.benchmarks.in_context.report.results import results
from forgetscope.benchmarks.in_context.scoring.columns import COLUMNS
from forgetscope.benchmarks.in_context.scoring.judges.annotation import DESIGN
from forgetscope.benchmarks.in_context.scoring.judges.rubrics import questions
from forgetscope.benchmarks.in_context.scoring.judges.trials import judge_trials
from forgetscope.benchmarks.in_context.scoring.row import score_logged
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.benchmarks.in_context.validation import reference_judges  # noqa: F401 - registers its responders
from forgetscope.benchmarks.in_context.validation.expectations import (
    JUDGED_REFERENCES,
    TRAINED_REFERENCES,
    VALIDATION_SETTINGS,
    check_reference,
)
from forgetscope.benchmarks.in_context.validation.reference import publish_answer_key, right_reply
from forgetscope.benchmarks.papers import read_paper
from forgetscope.core.settings import Settings, narrowed
from forgetscope.judging.ask import JudgeQuestion
from forgetscope.judging.attacks import JudgeTrial

if TYPE_CHECKING:
    from inspect_ai import Task


def _plan(settings: Settings) -> Plan:
    return make_plan(narrowed(settings, InContextSettings))


def _task_function() -> "Callable[..., Task]":
    from forgetscope.benchmarks.in_context.task import in_context

    return in_context


def _judge_questions(logged: LoggedSample) -> tuple[JudgeQuestion, ...]:
    sample = logged_sample(logged.metadata)
    publish_answer_key([sample.item])  # a process that only judges has built no task, and reference judges know no item
    return questions(sample, logged_replies(logged.metadata, logged.completion))


def _judge_trials(source: str) -> tuple[JudgeTrial, ...]:
    items = load_data(source).items
    publish_answer_key(items)
    return judge_trials(items, right_reply)


def _exported(settings: Settings) -> Callable[[Mapping[str, object]], Mapping[str, object]]:
    from forgetscope.benchmarks.in_context.task import exported

    return exported(narrowed(settings, InContextSettings))


def _answered(metadata: Mapping[str, object], row: Mapping[str, object]) -> dict[str, object]:
    from forgetscope.benchmarks.in_context.task import answered

    return answered(metadata, row)


def _cell(metadata: Mapping[str, object]) -> str:
    return cell_label(logged_sample(metadata))


BENCHMARK = Benchmark(
    name="in-context",
    title=TITLE,
    settings=InContextSettings,
    prompts_version=PROMPTS_VERSION,
    plan=_plan,
    task_function=_task_function,
    row=score_logged,
    columns=COLUMNS,
    results=results,
    judge_questions=_judge_questions,
    judge_trials=_judge_trials,
    reference_models=REFERENCE_MODELS,
    reference_judges=REFERENCE_JUDGES,
    validation_settings=VALIDATION_SETTINGS,
    check_reference=check_reference,
    judged_references=JUDGED_REFERENCES,
    trained_references=TRAINED_REFERENCES,
    annotation=DESIGN,
    comparison=COMPARISON,
    paper=read_paper("forgetscope.benchmarks.in_context"),
    sources=SOURCES,
    aims=AIMS,
    exported=_exported,
    answered=_answered,
    meant={"probe": DialogueProbe.QUERY.value, "arm": Arm.PAPER.value},
    cell_of=_cell,
)
