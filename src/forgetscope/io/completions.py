"""From Inspect's account of a call to ours: the answer without its reasoning, and how the call ended."""

from inspect_ai._util.error import EvalError
from inspect_ai.log import EvalSample
from inspect_ai.model import ContentReasoning, ModelOutput

from forgetscope.core.bounds import LARGEST_COUNT
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.reasoning import split_reasoning
from forgetscope.core.results import Completion

_FINISH = {
    "stop": FinishReason.STOP,
    "tool_calls": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_length": FinishReason.CONTEXT,
    "content_filter": FinishReason.CONTENT_FILTER,
    "unknown": FinishReason.UNKNOWN,
}

SECONDS_KEY = "forgetscope_seconds"
"""In an output's metadata, where a resumed run got the reply back from its journal: seconds the call took."""


def completion_of(output: ModelOutput, *, error: str = "") -> Completion:
    """The completion of a model call.

    A provider that refuses a request outright (too long, filtered) puts its complaint where the reply would be and
    counts no output tokens: that text is the error, not a reply.
    """
    if not output.choices:
        return Completion("", FinishReason.ERROR, error=error or output.error or "the provider returned no choice")
    finish = _FINISH[output.choices[0].stop_reason]
    usage = output.usage
    text = output.completion
    if finish in (FinishReason.CONTEXT, FinishReason.CONTENT_FILTER) and not (usage and usage.output_tokens):
        return Completion("", finish, error=text, seconds=output.time)
    content = output.choices[0].message.content
    split_off = (
        [part.reasoning for part in content if isinstance(part, ContentReasoning)] if isinstance(content, list) else []
    )
    leaked, answer = split_reasoning(text)
    return Completion(
        reply=answer,
        finish_reason=finish,
        reasoning="\n".join([*split_off, leaked] if leaked else split_off),
        input_tokens=_count(usage.input_tokens, usage.input_tokens_cache_read) if usage else None,
        output_tokens=_count(usage.output_tokens) if usage else None,
        seconds=(output.metadata or {}).get(SECONDS_KEY, output.time),
        error=error,
    )


def _count(*parts: int | None) -> int | None:
    """Tokens together; None for a number that counts nothing."""
    counted = sum(part or 0 for part in parts)
    return counted if 0 <= counted <= LARGEST_COUNT else None


def completion_of_sample(sample: EvalSample) -> Completion:
    """The completion of a logged sample, also of one that ended in an error."""
    if sample.error is not None:
        return Completion("", FinishReason.ERROR, error=error_text(sample.error))
    if sample.limit is not None and not sample.output.choices:
        return Completion("", FinishReason.ERROR, error=f"stopped by the {sample.limit.type} limit")
    return completion_of(sample.output)


_CAUSED = "The above exception was the direct cause of the following exception:"


def error_text(error: EvalError) -> str:
    """What went wrong, in one line. After used-up retries Inspect names only the retrying; the cause is what counts."""
    if error.message.startswith("RetryError(") and _CAUSED in error.traceback:
        return f"after all retries: {_last_words(error.traceback.split(_CAUSED)[-2])}"
    return error.message


def _last_words(traceback: str) -> str:
    """The error at the end of a traceback, in one line: what a server says may be several."""
    after_places = traceback.rpartition('\n  File "')[2]
    lines = after_places.strip().splitlines()
    first = next((number for number, line in enumerate(lines[1:], start=1) if not line.startswith(" ")), 0)
    return " ".join(" ".join(lines[first:]).split())


def error_in_words(error: BaseException) -> str:
    """An error in one line; after used-up retries the last attempt's, which is the one that says something."""
    from tenacity import RetryError

    if isinstance(error, RetryError):
        last = error.last_attempt.exception()
        return f"after all retries: {error_in_words(last)}" if last is not None else str(error)
    return f"{type(error).__name__}: {error}"
