"""The prospective benchmark as the rest of the system sees it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from forgetbench.benchmarks.base import Benchmark, LoggedSample, Plan, RunFacts, Settings, narrowed
from forgetbench.benchmarks.prospective.comparison import COMPARISON
from forgetbench.benchmarks.prospective.plan import ProspectiveSettings, cached_data, cell_label, make_plan
from forgetbench.benchmarks.prospective.prompts import PROMPTS_VERSION
from forgetbench.benchmarks.prospective.reference import REFERENCE_MODELS
from forgetbench.benchmarks.prospective.scoring import SCHEMA, score_sample
from forgetbench.benchmarks.prospective.validation import check_reference
from forgetbench.figures import Results
from forgetbench.results import Value

if TYPE_CHECKING:
    from inspect_ai import Task


def _plan(settings: Settings) -> Plan:
    return make_plan(narrowed(settings, ProspectiveSettings))


def _task(settings: Settings) -> "Task":
    from forgetbench.benchmarks.prospective.task import prospective

    chosen = narrowed(settings, ProspectiveSettings)
    return prospective(
        data=chosen.data,
        experiments=chosen.experiments,
        conditions=chosen.conditions,
        loads=chosen.loads,
        seeds=",".join(map(str, chosen.seeds)),
        limit=chosen.limit,
        prompts=chosen.prompts,
        max_tokens=chosen.max_tokens,
        data_sha256=cached_data(chosen.data).sha256,
    )


def _row(logged: LoggedSample) -> dict[str, Value]:
    from forgetbench.benchmarks.prospective.task import logged_sample

    return score_sample(logged_sample(logged.metadata), logged.completion, model=logged.model)


def _cell(metadata: Mapping[str, object]) -> str:
    from forgetbench.benchmarks.prospective.task import logged_sample

    return cell_label(logged_sample(metadata))


def _results(table: pl.DataFrame, facts: RunFacts) -> Results:
    from forgetbench.benchmarks.prospective.tables import prospective_results

    return prospective_results(table, narrowed(facts.settings, ProspectiveSettings), facts)


BENCHMARK = Benchmark(
    name="prospective",
    title="Prospective memory under load",
    settings=ProspectiveSettings,
    prompts_version=PROMPTS_VERSION,
    plan=_plan,
    task=_task,
    row=_row,
    schema=SCHEMA,
    results=_results,
    reference_models=REFERENCE_MODELS,
    validation_settings={"seeds": (42,), "limit": 15},
    check_reference=check_reference,
    comparison=COMPARISON,
    cell_of=_cell,
)
