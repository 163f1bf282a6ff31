"""The Inspect task: `inspect eval forgetscope/in_context --model ...`."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from forgetscope.benchmarks.in_context.data.context import FillerDialogues
from forgetscope.benchmarks.in_context.data.forms import (
    FIRST_KEY,
    NO_FILLER,
    REASK_KEY,
    SAMPLE_KEY,
    SYSTEM_KEY,
    InContextSample,
    logged_replies,
    logged_sample,
    logged_system,
)
from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, InstructionalForgettingItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.plan import chosen_items, iter_samples
from forgetscope.benchmarks.in_context.prompts import PROMPTS_VERSION, system_message
from forgetscope.benchmarks.in_context.scoring.judges.rubrics import questions
from forgetscope.benchmarks.in_context.scoring.row import score_sample
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.benchmarks.in_context.validation.reference import publish_answer_key
from forgetscope.benchmarks.tasks import settings_as_arguments
from forgetscope.core.errors import DataError, UserError
from forgetscope.core.json_values import encodable
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Completion
from forgetscope.io.completions import completion_of
from forgetscope.judging.panel import bound_judges, judge_all
from forgetscope.judging.records import JUDGEMENTS_KEY, Judgement


@task
@settings_as_arguments(InContextSettings, lambda settings: load_data(settings.data).sha256)
def in_context(settings: InContextSettings) -> Task:
    """Can a model forget on request in a dialogue, and still know the rest?"""
    data = load_data(settings.data)
    samples = list(inspect_samples(sample for sample, _ in iter_samples(settings, data)))
    publish_answer_key(chosen_items(settings, data))
    return Task(
        dataset=MemoryDataset(samples, name=f"in_context-{Path(settings.data).name}"),
        solver=converse(settings.data, settings.seed, settings.judged, settings.allow_self_judge),
        scorer=[forgetting(settings.judged, settings.judge_max_tokens, settings.allow_self_judge)],
        config=GenerateConfig(temperature=0.0, max_tokens=settings.max_tokens),
        name="in_context",
        version=PROMPTS_VERSION,
        metadata={"data_sha256": data.sha256, "prompts_version": PROMPTS_VERSION},
    )


def inspect_samples(samples: Iterable[InContextSample]) -> Iterator[Sample]:
    """Samples for Inspect: factors as scalar metadata for its viewer, the whole for scoring again.

    Samples of one item that follow each other share its record, which is most of what they hold.
    """
    for item_id, group in groupby(samples, key=lambda sample: sample.item.id):
        record: dict[str, object] | None = None
        for sample in group:
            record = record or sample.item.model_dump(mode="json")
            whole = sample.model_dump(mode="json", exclude={"item"}) | {"item": record}
            factors = {
                "item": item_id,
                "scenario": sample.item.scenario.value,
                "form": sample.form.value,
                "length": sample.context.length or "native",
                "strategy": sample.strategy,
                "probe": sample.probe.value,
                "arm": sample.arm.value,
            }
            system = system_message(sample.item.scenario, sample.strategy)
            said = {SYSTEM_KEY: system, SAMPLE_KEY: whole}
            yield Sample(id=sample.sample_id, input=sample.query, metadata={**factors, **said})


@functools.cache
def _stock(source: str, seed: int) -> FillerDialogues:
    return FillerDialogues(load_data(source).fillers, seed)


@solver
def converse(source: str, seed: int, judged: str = "none", allow_self_judge: bool = False) -> Solver:
    """Hold the dialogue: turns as written, live answers where the protocol wants them, the query, and the re-ask.

    Judges are looked at before the first call, so that a run that nobody may judge costs nothing.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if judged != "none":
            bound_judges(under_test=str(get_model()), allow_self=allow_self_judge)
        sample = logged_sample(state.metadata)
        filler = _stock(source, seed).filler(sample.item, sample.context.length)
        state.messages = [ChatMessageSystem(content=logged_system(state.metadata))]
        for turn in sample.turns(filler):
            if turn.live:
                state = await generate(state, tool_calls="none")
                state.metadata[FIRST_KEY] = asdict(completion_of(state.output))
            else:
                state.messages.append(_message(turn.role, turn.content))
        state = await generate(state, tool_calls="none")
        if sample.reask and isinstance(sample.item, InstructionalForgettingItem) and sample.item.reask is not None:
            state.metadata[REASK_KEY] = asdict(await _ask_again(state.messages, sample.item.reask))
        return state

    return solve


def exported(settings: InContextSettings) -> Callable[[Mapping[str, object]], dict[str, object]]:
    """What an exported prompt says: the whole dialogue, and the question that is put once more.

    A message without content is the model's own answer so far, to be given back as `original_reply`.
    """

    def prompt(metadata: Mapping[str, object]) -> dict[str, object]:
        sample = logged_sample(metadata)
        filler = _stock(settings.data, settings.seed).filler(sample.item, sample.context.length)
        said: list[dict[str, object]] = [{"role": "system", "content": logged_system(metadata)}]
        said += [{"role": turn.role, "content": None if turn.live else turn.content} for turn in sample.turns(filler)]
        again = (
            {"reask": sample.item.reask}
            if sample.reask and isinstance(sample.item, InstructionalForgettingItem)
            else {}
        )
        options = {"options": list(sample.options)} if sample.options else {}
        return {"messages": said, **options, **again}

    return prompt


def answered(metadata: Mapping[str, object], row: Mapping[str, object]) -> dict[str, object]:
    """A sample's metadata with what a row of replies has beside its answer: `original_reply`, `reask_reply`, `options`.

    Options are in the order in which they were shown, which need not be the plan's. Without `reask_reply` the question
    counts as not put once more.

    Raises:
        DataError: options that are not the item's; an answer to a revised instruction without the one to the original.
    """
    sample = logged_sample(metadata)
    left, shown = dict(metadata), row.get("options")
    if isinstance(sample.item, DynamicPreferenceItem) and sample.options and shown not in (None, list(sample.options)):
        if not isinstance(shown, list) or sorted(map(str, shown)) != sorted(sample.options):
            raise DataError("options are not the item's four", found=shown, allowed=" | ".join(sample.options))
        item = sample.item.model_copy(update={"options": tuple(shown)})
        left[SAMPLE_KEY] = sample.model_copy(update={"item": item, "rotation": 0}).model_dump(mode="json")
    needs_first = any(turn.live for turn in sample.turns(NO_FILLER))
    for key, name, is_had, is_needed in (
        (FIRST_KEY, "original_reply", needs_first, needs_first),
        (REASK_KEY, "reask_reply", sample.reask, False),
    ):
        reply = row.get(name)
        if isinstance(reply, str) and is_had:
            left[key] = asdict(Completion(encodable(reply), FinishReason.STOP))
        elif is_needed:
            raise DataError(f"this sample needs {name}", found=reply, allowed="the model's answer to the original")
    return left


async def _ask_again(messages: list[ChatMessage], question: str) -> Completion:
    """The reply when asked once more; an error is its own, and never costs the answer that was given already."""
    try:
        return completion_of(await get_model().generate([*messages, ChatMessageUser(content=question)]))
    except (UserError, LimitExceededError):
        raise
    except Exception as error:  # providers raise what they like
        return Completion("", FinishReason.ERROR, error=f"{type(error).__name__}: {error}")


def _message(role: str, content: str) -> ChatMessage:
    return ChatMessageUser(content=content) if role == "user" else ChatMessageAssistant(content=content)


@scorer(metrics=[mean()])
def forgetting(judged: str = "none", judge_max_tokens: int | None = None, allow_self_judge: bool = False) -> Scorer:
    """Right in the sample's form, by rule where the item is verified, else by the judge; status and reason beside."""

    async def score(state: TaskState, target: Target) -> Score | None:  # noqa: ARG001 - Inspect's signature
        sample = logged_sample(state.metadata)
        replies = logged_replies(state.metadata, completion_of(state.output))
        judgements: list[Judgement] = []
        if judged == "all" or (judged == "needed" and not sample.is_verified):
            judges = bound_judges(under_test=str(get_model()), allow_self=allow_self_judge)
            judgements = await judge_all(judges, questions(sample, replies), max_tokens=judge_max_tokens)
        row = score_sample(sample, replies, judgements, model="")
        return Score(
            value=float(row["raw_pass"] is True),
            answer=state.output.completion,
            explanation=f"{row['status']}; {row['leak'] or row['chosen'] or ''}".rstrip("; "),
            metadata={
                "status": row["status"],
                JUDGEMENTS_KEY: [judgement.model_dump(mode="json") for judgement in judgements],
            },
        )

    return score
