"""The Inspect task: `inspect eval forgetscope/visual --model ...`.

A sample's log holds its text and the path of its picture; the picture itself is opened when the sample is sent, as a
data URI, and is gone afterwards. One that cannot be opened is not sent: the sample ends as `input_error`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText, GenerateConfig, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from forgetscope.benchmarks.base import INPUT_ERROR_KEY, reading_log
from forgetscope.benchmarks.tasks import settings_as_arguments
from forgetscope.benchmarks.visual.data.conditions import Mode
from forgetscope.benchmarks.visual.data.loading import VisualData
from forgetscope.benchmarks.visual.data.pictures import PictureError
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.interventions import parse_intervention
from forgetscope.benchmarks.visual.interventions.applying import CANDIDATES, intervened, unsupported
from forgetscope.benchmarks.visual.plan import build_samples, settings_data
from forgetscope.benchmarks.visual.prompts import PROMPTS_VERSION
from forgetscope.benchmarks.visual.scoring.parsing import digit_logprobs, read_answer
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.benchmarks.visual.validation.reference import publish_forget_lists, publish_sample
from forgetscope.core.errors import DataError, SettingError
from forgetscope.core.outcomes import Status
from forgetscope.io.completions import completion_of

SAMPLE_KEY = "sample"
"""Where a logged sample's metadata holds the `VisualSample` it was made from."""
LOGPROBS_KEY = "digit_logprobs"
"""Where it holds the log-probability of each digit at the first token."""
UNSUPPORTED_KEY = "unsupported"
"""Where it says why the intervention could not be laid over the model."""


@task
@settings_as_arguments(VisualSettings, lambda settings: settings_data(settings).sha256)
def visual(settings: VisualSettings) -> Task:
    """Told to forget a concept, does a vision-language model forget it or only obey?"""
    data = settings_data(settings)
    publish_forget_lists(loaded.split.record for loaded in data.splits)
    return Task(
        dataset=MemoryDataset(
            [inspect_sample(sample) for sample in build_samples(settings, data)],
            name=f"visual-{Path(settings.data).name}",
        ),
        solver=ask(data, settings.intervention),
        scorer=accuracy(),
        config=GenerateConfig(temperature=0.0, max_tokens=settings.max_tokens),
        name="visual",
        version=PROMPTS_VERSION,
        metadata={"data_sha256": data.sha256, "prompts_version": PROMPTS_VERSION},
    )


def inspect_sample(sample: VisualSample) -> Sample:
    """A sample for Inspect: its text, factors as scalar metadata for the viewer, the whole for scoring again."""
    return Sample(
        id=sample.sample_id,
        input=[ChatMessageUser(content=sample.prompt)],
        metadata={
            "item": sample.item,
            "split": sample.split,
            "side": sample.side,
            "role": sample.role,
            "condition": sample.condition.value,
            "control": sample.control.value,
            "probe": sample.probe.value,
            "mode": sample.mode.value,
            "concept": sample.forget_concept,
            "image": sample.image,
            SAMPLE_KEY: sample.model_dump(mode="json", exclude_defaults=True),
        },
    )


@reading_log()
def logged_sample(metadata: object) -> VisualSample:
    """The sample a log entry was made from, with what became of its picture.

    Raises:
        ValueError: the metadata are not this benchmark's.
    """
    if not isinstance(metadata, dict) or SAMPLE_KEY not in metadata:
        raise ValueError("not a sample of the visual benchmark")
    sample = VisualSample.model_validate(metadata[SAMPLE_KEY])
    told = {key: str(metadata[key]) for key in (INPUT_ERROR_KEY, UNSUPPORTED_KEY) if metadata.get(key)}
    return sample.model_copy(update=told) if told else sample


@reading_log()
def logged_logprobs(metadata: object) -> dict[str, float] | None:
    """The digits' log-probabilities of a log entry; None where none were asked for."""
    found = metadata.get(LOGPROBS_KEY) if isinstance(metadata, dict) else None
    return {str(digit): float(value) for digit, value in found.items()} if isinstance(found, dict) else None


@solver
def ask(data: VisualData, intervention: str = "") -> Solver:
    """Send the picture, then the text, in one user turn; nothing where the picture cannot be opened.

    Measured samples go through the intervention where there is one, and are not sent where the model lacks its access.
    """
    chosen = parse_intervention(intervention)
    concepts = {loaded.split.record.name: loaded.split.record.forget_concepts for loaded in data.splits}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample = logged_sample(state.metadata)
        laid_over = chosen if sample.role == "effect" else None
        if laid_over is not None and (why := unsupported(laid_over, get_model().api)):
            return _not_sent(state, UNSUPPORTED_KEY, why)
        try:
            content = message_content(sample, data)
        except PictureError as error:
            return _not_sent(state, INPUT_ERROR_KEY, error.reason)
        publish_sample(sample, next((part.image for part in content if isinstance(part, ContentImage)), None))
        state.messages = [ChatMessageUser(content=content)]
        is_first = sample.mode is Mode.FIRST_TOKEN
        config = GenerateConfig(max_tokens=1, logprobs=True, top_logprobs=CANDIDATES) if is_first else GenerateConfig()
        if laid_over is None:
            state = await generate(state, tool_calls="none", **config.model_dump(exclude_none=True))
        else:
            state = await intervened(state, generate, laid_over, sample, concepts[sample.split], config)
        if is_first:
            state.metadata[LOGPROBS_KEY] = first_token_logprobs(state.output, len(sample.choices))
        return state

    return solve


def exported(settings: VisualSettings) -> Callable[[Mapping[str, object]], dict[str, object]]:
    """What an exported prompt says besides its text: the picture, which comes before it, and the choices.

    Raises:
        SettingError: the run has an intervention, which acts on the model.
    """
    if settings.intervention:
        why = "an intervention acts on the model, not on a prompt"
        raise SettingError(why, where="--intervention", found=settings.intervention)
    data = settings_data(settings)

    def prompt(metadata: Mapping[str, object]) -> dict[str, object]:
        sample = logged_sample(metadata)
        said: dict[str, object] = {"choices": list(sample.choices)}
        if not sample.image:
            return said
        try:
            opened = data.open(sample.split, sample.image)
        except PictureError as error:
            return {**said, INPUT_ERROR_KEY: error.reason}
        name = f"{sample.split}/{sample.image}"
        return {
            **said,
            "picture": (name if PurePosixPath(name).suffix else f"{name}.{opened.format.lower()}", opened.data),
        }

    return prompt


def answered(metadata: Mapping[str, object], row: Mapping[str, object]) -> dict[str, object]:
    """A sample's metadata with what a row of replies has besides the answer: `digit_logprobs` where these are scored.

    Raises:
        DataError: choices that are not the sample's in their order, or no log-probabilities where these are scored.
    """
    sample = logged_sample(metadata)
    choices, logprobs = row.get("choices"), row.get(LOGPROBS_KEY)
    if choices is not None and choices != list(sample.choices):
        raise DataError("not the planned sample's choices, in their order", found=choices, allowed=list(sample.choices))
    if sample.mode is not Mode.FIRST_TOKEN:
        return dict(metadata)
    if not isinstance(logprobs, dict) or not all(isinstance(value, int | float) for value in logprobs.values()):
        allowed = '{"0": -0.1, "1": -2.3, ...}'
        raise DataError(f"this sample is scored by {LOGPROBS_KEY}", found=logprobs, allowed=allowed)
    return {**metadata, LOGPROBS_KEY: logprobs}


def _not_sent(state: TaskState, key: str, why: str) -> TaskState:
    state.metadata[key] = why
    state.completed = True
    return state


def message_content(sample: VisualSample, data: VisualData) -> list[Content]:
    """The picture as a data URI where one is shown, then the text.

    Raises:
        PictureError: the picture cannot be opened.
    """
    text = ContentText(text=sample.prompt)
    if not sample.image:
        return [text]
    return [ContentImage(image=data.open(sample.split, sample.image).data_uri()), text]


def first_token_logprobs(output: ModelOutput, choices: int) -> dict[str, float]:
    """The digits among the candidates for the first token; empty where the provider gave none."""
    found = output.choices[0].logprobs if output.choices else None
    if found is None or not found.content:
        return {}
    first = found.content[0]
    candidates = {candidate.token: candidate.logprob for candidate in first.top_logprobs or ()}
    candidates.setdefault(first.token, first.logprob)
    return digit_logprobs(candidates.items(), choices)


@scorer(metrics=[mean()])
def accuracy() -> Scorer:
    """Whether the right option was chosen; the status stands beside it."""

    async def score(state: TaskState, target: Target) -> Score | None:  # noqa: ARG001 - Inspect's signature
        sample = logged_sample(state.metadata)
        answer = read_answer(sample, completion_of(state.output), logged_logprobs(state.metadata))
        return Score(
            value=float(answer.status is Status.CORRECT),
            answer="" if answer.index is None else f"{answer.index}) {sample.labels[answer.index]}",
            explanation=f"right: {sample.answer}) {sample.labels[sample.answer]}",
            metadata={"status": answer.status.value},
        )

    return score
