"""The Inspect task: `inspect eval forgetscope/prospective --model ...`."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState, generate

from forgetscope.benchmarks.base import reading_log
from forgetscope.benchmarks.prospective.data.items import ProspectiveSample
from forgetscope.benchmarks.prospective.plan import build_samples, data_of
from forgetscope.benchmarks.prospective.prompts import PROMPTS_VERSION, SYSTEM_MESSAGES
from forgetscope.benchmarks.prospective.scoring.row import score_compliance, score_work
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.benchmarks.prospective.validation.reference import publish_answer_key
from forgetscope.benchmarks.tasks import settings_as_arguments
from forgetscope.io.completions import completion_of

SAMPLE_KEY = "sample"
"""Where a logged sample's metadata holds the `ProspectiveSample` it was made from."""


@task
@settings_as_arguments(ProspectiveSettings, lambda settings: data_of(settings).sha256)
def prospective(settings: ProspectiveSettings) -> Task:
    """Which formatting instructions get lost when the model also has work to do?"""
    data = data_of(settings)
    samples = build_samples(settings, data)
    publish_answer_key(samples)
    return Task(
        dataset=MemoryDataset(
            [inspect_sample(sample) for sample in samples], name=f"prospective-{Path(settings.data).name}"
        ),
        solver=generate(tool_calls="none"),
        scorer=[compliance(), task_accuracy()],
        config=GenerateConfig(temperature=settings.temperature, max_tokens=settings.max_tokens),
        name="prospective",
        version=PROMPTS_VERSION,
        metadata={"data_sha256": data.sha256, "prompts_version": PROMPTS_VERSION},
    )


def inspect_sample(sample: ProspectiveSample) -> Sample:
    """A sample for Inspect: factors as scalar metadata for its viewer, the whole for scoring again."""
    return Sample(
        id=sample.sample_id,
        input=[
            ChatMessageSystem(content=SYSTEM_MESSAGES[sample.system_message]),
            ChatMessageUser(content=sample.prompt),
        ],
        metadata={
            "item": sample.item,
            "experiment": sample.experiment,
            "condition": sample.condition,
            "load": sample.load,
            "seed": sample.seed,
            "repeat": sample.repeat,
            "wording": sample.wording,
            "type": sample.type_name,
            SAMPLE_KEY: sample.model_dump(mode="json"),
        },
    )


@reading_log()
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
