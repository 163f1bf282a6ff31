"""An intervention laid over a call to a model: before it, in place of it, after it."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessageSystem, GenerateConfig, Model, ModelAPI, ModelOutput, get_model
from inspect_ai.solver import Generate, TaskState

from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.interventions.intervention import Access, Intervention
from forgetscope.benchmarks.visual.scoring.parsing import digit_logprobs

CANDIDATES = 20
"""Likeliest first tokens asked for: the most that is common among providers."""


def access_of(api: ModelAPI) -> frozenset[Access]:
    """What of a model can be reached: prompt and output of any; of those in this process that offer it, more."""
    from forgetscope.models.glimpse.provider import GlimpseModel
    from forgetscope.models.seeing import SeeingModel

    reached = {Access.PROMPT, Access.OUTPUT}
    if isinstance(api, GlimpseModel | SeeingModel):
        reached |= {Access.LOGITS, Access.WEIGHTS}
    return frozenset(reached)


def unsupported(intervention: Intervention, api: ModelAPI) -> str:
    """Why an intervention cannot be laid over a model; empty where it can."""
    reached = access_of(api)
    if intervention.access in reached:
        return ""
    return f"unsupported: needs access to {intervention.access.value}, this model gives {', '.join(sorted(reached))}"


def with_weights(model: Model, intervention: Intervention) -> Model:
    """The same model with the intervention's weights: whole, or an adapter of PEFT laid over the model's own.

    Raises:
        SettingError: The folder holds neither.
    """
    from forgetscope.models.seeing import ADAPTER_FILES, SeeingModel

    folder = intervention.weights()
    if not isinstance(model.api, SeeingModel):
        return get_model(str(model), config=model.config, weights=str(folder))
    is_adapter = folder is not None and (folder / ADAPTER_FILES[0]).is_file()
    changed = {"adapter" if is_adapter else "model_path": folder}
    args = model.api.args.model_copy(update=changed).model_dump(mode="json", exclude_none=True)
    return get_model(str(model), config=model.config, **args)


async def intervened(
    state: TaskState,
    generate: Generate,
    intervention: Intervention,
    sample: VisualSample,
    concepts: Sequence[str],
    config: GenerateConfig,
) -> TaskState:
    """The state after a call with the intervention; the output is what is left of the reply.

    Args:
        state: With the picture and the prompt as its messages.
        generate: Inspect's.
        intervention: What to lay over the call.
        sample: What is asked.
        concepts: To be forgotten.
        config: Beyond the task's: log-probabilities for first-token scoring.
    """
    if system := intervention.system_text(concepts):
        state.messages = [ChatMessageSystem(content=system), *state.messages]
    masked = intervention.masked(sample, concepts)
    if masked:
        config = config.merge(GenerateConfig(max_tokens=1, logprobs=True, top_logprobs=CANDIDATES))
    if intervention.weights() is not None:
        model = with_weights(get_model(), intervention)
        state.output = await model.generate(state.messages, config=config)
    else:
        state = await generate(state, tool_calls="none", **config.model_dump(exclude_none=True))
    if masked:
        mask(state.output, masked, len(sample.choices))
    reply = state.output.completion
    if (left := intervention.filtered(reply, sample, concepts)) != reply:
        state.output.completion = left
    return state


def mask(output: ModelOutput, masked: frozenset[int], choices: int) -> None:
    """Take the masked digits from the first token's candidates; the likeliest digit left becomes the reply."""
    found = output.choices[0].logprobs if output.choices else None
    if found is None or not found.content:
        return
    first = found.content[0]
    struck = {str(index) for index in masked}
    left = [
        candidate
        for candidate in first.top_logprobs or ()
        if not digit_logprobs([(candidate.token, candidate.logprob)], choices).keys() & struck
    ]
    digits = digit_logprobs([(candidate.token, candidate.logprob) for candidate in left], choices)
    first.top_logprobs = left
    if digits:
        best = max(digits, key=lambda digit: digits[digit])
        first.token, first.logprob = best, digits[best]
    output.completion = first.token if digits else ""
    output.choices[0].stop_reason = "stop"
