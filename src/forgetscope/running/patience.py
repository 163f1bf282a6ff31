"""How a run bears with a provider: what is tried again, after which wait, and when the run stops sending.

Inspect repeats what the provider's package calls transient (429, 5xx, lost connections, its own attempt timeout)
and takes a reply that cannot be read (broken JSON, no choices, wrong UTF-8) for a bug of the sample; its first wait
is three seconds and grows to half an hour; nothing ends a run whose server is gone before every sample has used up
its retries. It has no setting for these three, but asks the model for them: `patient` answers. Below it the packages of
some providers repeat requests by themselves, each attempt once or twice more: they are told not to.
"""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelAPI, ModelCall, ModelOutput
from inspect_ai.model._model import RetryDecision
from inspect_ai.tool import ToolChoice, ToolInfo
from tenacity import RetryCallState
from tenacity.wait import wait_base

from forgetscope.core.errors import ForgetscopeError
from forgetscope.models.probe import PASSING
from forgetscope.models.received import RedirectedError, UnreadableResponseError, guard
from forgetscope.running.manifest import Limits

LONGEST_WAIT = 60.0
"""Seconds between two attempts, at most; a Retry-After of the server counts up to this as well."""

REFUSED_OUTRIGHT = frozenset({401, 404})
"""No key or no model of this name: every other request will meet the same."""


class ProviderDown(ForgetscopeError):  # noqa: N818 - a state of affairs
    """The provider failed so many calls in a row that the rest of the run is not sent."""


def patient(model: Model, limits: Limits, *, in_process: bool) -> Model:
    """The model, told to be patient as `limits` says; a model in this process has no bad days, only bugs.

    Changes the model it is given.
    """
    guard(model.api)
    _ask_once(model.api)
    patience = _Patience(model.api, limits)
    methods: dict[str, Callable[..., object]] = {"retry_wait": patience.retry_wait, "generate": patience.generate}
    if not in_process:
        methods["should_retry"] = patience.should_retry
    for name, method in methods.items():
        setattr(model.api, name, method)
    return model


def _ask_once(api: ModelAPI) -> None:
    """See that an attempt is one request: what the packages of OpenAI, Anthropic, Groq and Amazon repeat by
    themselves, twice by default, would be sent beyond what a plan says.
    """
    client, arguments, session = (getattr(api, name, None) for name in ("client", "model_args", "session"))
    if hasattr(client, "max_retries"):
        setattr(client, "max_retries", 0)  # noqa: B010 - of a package that need not be installed
        if isinstance(arguments, dict):
            arguments["max_retries"] = 0  # of a client that is made anew when credentials change
    if session is not None and hasattr(session, "set_config_variable"):
        session.set_config_variable("max_attempts", 1)


def total_timeout(limits: Limits) -> int:
    """Seconds after which a call is not tried again: two attempts that hang, or five minutes of shorter failures."""
    return max(300, 2 * limits.attempt_timeout)


class _Patience:
    """Stands before a provider's three methods and remembers how the last calls ended."""

    def __init__(self, api: ModelAPI, limits: Limits) -> None:
        self._generate = api.generate
        self._should_retry = api.should_retry
        self._limits = limits
        self._failed_in_a_row = 0
        self._last_failure = ""

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        """One attempt, unless the provider is down."""
        if self._failed_in_a_row >= self._limits.give_up_after:
            raise ProviderDown(
                f"not sent: {self._failed_in_a_row} calls in a row had failed ({self._last_failure}); "
                "when the provider is back, continue with 'forgetscope resume DIR'"
            )
        try:
            result = await self._generate(input=input, tools=tools, tool_choice=tool_choice, config=config)
        except Exception as error:
            if isinstance(error, RedirectedError) or getattr(error, "status_code", None) in REFUSED_OUTRIGHT:
                self._note_failure(error)
            raise
        self._failed_in_a_row = 0  # also after a 400: somebody is there
        if isinstance(result, tuple) and isinstance(result[0], Exception):
            raise result[0]  # to which Inspect would add the whole request, before what the server says
        return result

    def should_retry(self, error: Exception) -> bool | RetryDecision:
        """Whatever Inspect retries, and every reply that could not be read; never what the request itself caused."""
        decision = self._should_retry(error)
        if decision or isinstance(error, ForgetscopeError):
            return decision or isinstance(error, UnreadableResponseError)
        status = getattr(error, "status_code", None)
        return status in PASSING or not isinstance(status, int)

    def retry_wait(self) -> wait_base:
        """Doubling waits with jitter, or what the server asks for; counts the calls that end in failure."""

        def wait(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            spent = state.seconds_since_start or 0.0
            if state.attempt_number > self._limits.max_retries or spent >= total_timeout(self._limits):
                self._note_failure(error)
            backoff: float = self._limits.first_wait * 2 ** (state.attempt_number - 1) * (1 + random.random())
            return min(max(backoff, _asked_wait(error)), LONGEST_WAIT)

        return wait  # type: ignore[return-value]  # tenacity takes any function of the state

    def _note_failure(self, error: BaseException | None) -> None:
        self._failed_in_a_row += 1
        self._last_failure = f"{type(error).__name__}: {error}"


def _asked_wait(error: BaseException | None) -> float:
    """Seconds that the server asks for, whether it says seconds, milliseconds or a date; zero where it says nothing."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = str(headers.get(name, ""))
        try:
            asked = float(said) * unit
        except ValueError:
            asked = _seconds_until(said)
        if asked > 0:
            return asked
    return 0.0


def _seconds_until(date: str) -> float:
    try:
        when = parsedate_to_datetime(date)
    except (ValueError, TypeError):
        return 0.0
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - datetime.now(UTC).timestamp()
