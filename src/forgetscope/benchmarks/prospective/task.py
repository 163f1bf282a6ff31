"""The Inspect task: `inspect eval forgetscope/prospective --model ...`."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState, generate

from forgetscope.benchmarks.base import checked
from forgetscope.benchmarks.prospective.data.items import ProspectiveSample
from forgetscope.benchmarks.prospective.plan import SEEDS, ProspectiveSettings, build_samples, data_of
from forgetscope.benchmarks.prospective.prompts import PROMPTS_VERSION, SYSTEM_MESSAGE
from forgetscope.benchmarks.prospective.scoring.row import score_compliance, score_work
from forgetscope.benchmarks.prospective.validation.reference import publish_answer_key
from forgetscope.benchmarks.task_arguments import joined, require_planned
from forgetscope.io.completions import completion_of

_ALL_SEEDS = ",".join(map(str, SEEDS))

SAMPLE_KEY = "sample"
"""Where a logged sample's metadata holds the `ProspectiveSample` it was made from."""


def build_task(settings: ProspectiveSettings) -> Task:
    """The task of a run: one Inspect sample a form, seeds included; greedy decoding."""
    data = data_of(settings)
    samples = build_samples(settings, data)
    publish_answer_key(samples)
    return Task(
        dataset=MemoryDataset(
            [inspect_sample(sample) for sample in samples], name=f"prospective-{Path(settings.data).name}"
        ),
        solver=generate(),
        scorer=[compliance(), task_accuracy()],
        config=GenerateConfig(temperature=0.0, max_tokens=settings.max_tokens),
        name="prospective",
        version=PROMPTS_VERSION,
        metadata={"data_sha256": data.sha256, "prompts_version": PROMPTS_VERSION},
    )


@task
def prospective(
    data: str = "embedded",
    experiments: str | list[str] = "load,stacking,tension",
    conditions: str | list[str] = "paper",
    loads: str | list[str] = "all",
    seeds: int | str | list[str] = _ALL_SEEDS,
    limit: int | None = None,
    prompts: str = "paper",
    max_tokens: int = 2048,
    data_sha256: str = "",
) -> Task:
    """Which formatting instructions get lost when the model also has work to do?

    Args:
        data: `embedded`, `official`, or a folder (see the benchmark's README).
        experiments: Any of load, stacking, tension.
        conditions: `paper`, `salience`, `all`, or condition names.
        loads: `all`, or load names.
        seeds: Run seeds, separated by commas. (Inspect's `-T` makes a list of whatever holds a comma.)
        limit: The first so many items of each experiment, with all their forms.
        prompts: `paper` (six of each type) or `all`.
        max_tokens: Of a reply.
        data_sha256: The hash the data must have; part of the task's identity, so that a changed data set is
            another task. Filled in by `forgetscope run`.
    """
    values = {
        "data": data,
        "experiments": joined(experiments),
        "conditions": joined(conditions),
        "loads": joined(loads),
        "seeds": tuple(int(seed) for seed in joined(seeds).split(",")),
        "limit": limit,
        "prompts": prompts,
        "max_tokens": max_tokens,
    }
    settings = checked(ProspectiveSettings, values)
    require_planned(data_of(settings).sha256, data_sha256, data)
    return build_task(settings)


def inspect_sample(sample: ProspectiveSample) -> Sample:
    """A sample for Inspect: factors as scalar metadata for its viewer, the whole for scoring again."""
    return Sample(
        id=sample.sample_id,
        input=[ChatMessageSystem(content=SYSTEM_MESSAGE), ChatMessageUser(content=sample.prompt)],
        metadata={
            "item": sample.item,
            "experiment": sample.experiment,
            "condition": sample.condition,
            "load": sample.load,
            "seed": sample.seed,
            "type": sample.type_name,
            SAMPLE_KEY: sample.model_dump(mode="json"),
        },
    )


def logged_sample(metadata: object) -> ProspectiveSample:
    """The sample a log entry was made from.

    Raises:
        ValueError: the metadata are not this benchmark's.
    """
    if not isinstance(metadata, dict) or SAMPLE_KEY not in metadata:
        raise ValueError("not a sample of the prospective benchmark")
    return ProspectiveSample.model_validate(metadata[SAMPLE_KEY])


@scorer(metrics=[mean()])
def compliance() -> Scorer:
    """Strict compliance as the paper's scorer reads the reply; the status and the reason stand beside it."""

    async def score(state: TaskState, target: Target) -> Score | None:  # noqa: ARG001 - Inspect's signature
        scored = score_compliance(logged_sample(state.metadata), completion_of(state.output))
        if scored is None:
            return None
        verdicts = scored.verdict.strict if scored.verdict else ()
        return Score(
            value=float(scored.verdict is not None and scored.verdict.followed_strict),
            answer=state.output.completion,
            explanation="; ".join(verdict.reason for verdict in verdicts if not verdict.followed) or "followed",
            metadata={"status": scored.status.value},
        )

    return score


@scorer(metrics=[mean()])
def task_accuracy() -> Scorer:
    """The load done right as the paper's scorer reads the reply; the repaired verdict stands beside it."""

    async def score(state: TaskState, target: Target) -> Score | None:  # noqa: ARG001 - Inspect's signature
        scored = score_work(logged_sample(state.metadata), completion_of(state.output))
        if scored is None:
            return None
        verdict = scored.verdict
        return Score(
            value=float(verdict is not None and verdict.paper),
            answer=", ".join(verdict.found) if verdict else "",
            explanation=f"repaired scorer: {verdict.repaired if verdict else 'no text'}",
            metadata={"status": scored.status.value},
        )

    return score
