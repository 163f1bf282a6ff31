"""The visual benchmark as the rest of the system sees it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from forgetbench.benchmarks.base import Benchmark, LoggedSample, Plan, RunFacts, Settings, narrowed
from forgetbench.benchmarks.visual.comparison import COMPARISON
from forgetbench.benchmarks.visual.plan import VisualSettings, cell_label, make_plan, settings_data
from forgetbench.benchmarks.visual.prompts import PROMPTS_VERSION
from forgetbench.benchmarks.visual.reference import REFERENCE_MODELS
from forgetbench.benchmarks.visual.scoring import SCHEMA, score_sample
from forgetbench.benchmarks.visual.validation import VALIDATION_SETTINGS, check_reference
from forgetbench.figures import Results
from forgetbench.results import Value

if TYPE_CHECKING:
    from inspect_ai import Task


def _plan(settings: Settings) -> Plan:
    return make_plan(narrowed(settings, VisualSettings))


def _task(settings: Settings) -> "Task":
    from forgetbench.benchmarks.visual.task import visual

    chosen = narrowed(settings, VisualSettings)
    return visual(**chosen.model_dump(), data_sha256=settings_data(chosen).sha256)


def _row(logged: LoggedSample) -> dict[str, Value]:
    from forgetbench.benchmarks.visual.task import logged_logprobs, logged_sample

    sample, logprobs = logged_sample(logged.metadata), logged_logprobs(logged.metadata)
    return score_sample(sample, logged.completion, logprobs, model=logged.model)


def _cell(metadata: Mapping[str, object]) -> str:
    from forgetbench.benchmarks.visual.task import logged_sample

    return cell_label(logged_sample(metadata))


def _results(table: pl.DataFrame, facts: RunFacts) -> Results:
    from forgetbench.benchmarks.visual.tables import visual_results

    return visual_results(table, facts, narrowed(facts.settings, VisualSettings).seed)


BENCHMARK = Benchmark(
    name="visual",
    title="Visual concept suppression",
    settings=VisualSettings,
    prompts_version=PROMPTS_VERSION,
    plan=_plan,
    task=_task,
    row=_row,
    schema=SCHEMA,
    results=_results,
    reference_models=REFERENCE_MODELS,
    validation_settings=VALIDATION_SETTINGS,
    check_reference=check_reference,
    comparison=COMPARISON,
    cell_of=_cell,
)
