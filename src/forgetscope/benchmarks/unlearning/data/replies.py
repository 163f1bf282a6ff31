"""Asking a language model about a corpus: any of Inspect's models, or a function of a prompt."""

from collections.abc import Awaitable, Callable, Sequence

from forgetscope.benchmarks.unlearning.data.construction_prompts import again_prompt
from forgetscope.io.asking import AskedFor, FormT, Heard, Said, ask_for, read_json

Ask = Callable[[str], Awaitable[str]]
"""A language model: from a prompt to its reply."""


def inspect_model(name: str, *, max_tokens: int = 2048) -> Ask:
    """Any of Inspect's models as an `Ask`: greedy, and cached, so that a stopped extraction goes on where it was.

    Args:
        name: As Inspect names models: `openai/gpt-5`, `vllm/...`, `forgetscope/smollm2`.
        max_tokens: Of a reply.
    """
    from inspect_ai.model import CachePolicy, GenerateConfig, get_model

    from forgetscope.models.received import guard

    model = get_model(name, config=GenerateConfig(temperature=0.0, max_tokens=max_tokens), memoize=False)
    guard(model.api)

    async def ask(prompt: str) -> str:
        output = await model.generate(prompt, cache=CachePolicy(expiry=None))
        return output.completion

    return ask


async def ask_in_form(prompt: str, form: type[FormT], ask: Ask) -> AskedFor[FormT]:
    """The reply to a prompt in a form, repaired where it was cut short; asked for once more where it is unreadable."""

    async def send(said: Sequence[Said], _: int) -> Heard:
        reply = await ask(said[0][1])
        return Heard(reply, reply)

    return await ask_for(
        [("user", prompt)],
        send,
        lambda reply: read_json(reply, form, repair=True),
        lambda _, reply, problem: [("user", again_prompt(prompt, problem, reply))],
    )
