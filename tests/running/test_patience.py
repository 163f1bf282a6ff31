"""What is tried again, how long is waited, and when a run stops sending."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import openai
import pytest
from inspect_ai.model import GenerateConfig, Model, get_model
from tenacity import Future, RetryCallState

from forgetscope.core.errors import SettingError
from forgetscope.models.received import UnreadableResponseError
from forgetscope.running.building import build_model
from forgetscope.running.manifest import Limits, ModelSpec
from forgetscope.running.patience import LONGEST_WAIT, ProviderDown, patient, total_timeout


def _model(limits: Limits) -> Model:
    made = get_model("openai-api/faulty/m", base_url="http://127.0.0.1:9", api_key="x", memoize=False)
    return patient(made, limits, in_process=False)


def _failed(attempt: int, error: Exception) -> RetryCallState:
    state = RetryCallState(retry_object=None, fn=None, args=(), kwargs={})  # type: ignore[arg-type]
    state.attempt_number = attempt
    state.outcome = Future(attempt)
    state.outcome.set_exception(error)
    state.outcome_timestamp = state.start_time
    return state


def _status(code: int, **headers: str) -> openai.APIStatusError:
    request = httpx2.Request("POST", "http://127.0.0.1:9")
    response = httpx2.Response(code, headers=headers, request=request)
    return openai.APIStatusError(f"Error code: {code}", response=response, body=None)


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (_status(429), True),
        (_status(500), True),
        (_status(503), True),
        (_status(400), False),
        (_status(401), False),
        (_status(404), False),
        (openai.APIConnectionError(request=httpx2.Request("POST", "http://127.0.0.1:9")), True),
        (ValueError("broken JSON"), True),
        (UnreadableResponseError("no choice"), True),
        (ProviderDown("not sent"), False),
    ],
    ids=str,
)
def test_what_a_second_request_could_mend_is_tried_again(error: Exception, again: bool) -> None:
    assert bool(_model(Limits()).api.should_retry(error)) is again


def test_waits_double_with_jitter_up_to_a_minute() -> None:
    wait = _model(Limits(first_wait=2.0)).api.retry_wait()
    assert wait is not None
    for attempt in range(1, 6):
        assert 2.0**attempt <= wait(_failed(attempt, _status(500))) <= 2.0 ** (attempt + 1)
    assert wait(_failed(12, _status(500))) == LONGEST_WAIT


def test_a_providers_package_repeats_nothing_by_itself() -> None:
    assert _model(Limits()).api.client.max_retries == 0  # type: ignore[attr-defined]


def test_the_repeats_of_a_providers_package_are_no_argument() -> None:
    with pytest.raises(SettingError, match="repeated by the run itself; next: --max-retries"):
        build_model(ModelSpec(name="openai-api/faulty/m", args={"max_retries": 7}), Limits())


def test_amazons_package_repeats_nothing_by_itself() -> None:
    aiobotocore = pytest.importorskip("aiobotocore.session", reason="the provider's package is not installed")
    api = _model(Limits()).api
    setattr(api, "session", aiobotocore.get_session())  # noqa: B010 - of another provider
    patient(Model(api, GenerateConfig()), Limits(), in_process=False)
    assert api.session.get_config_variable("max_attempts") == 1  # type: ignore[attr-defined]


def test_a_conflict_that_passes_is_tried_again() -> None:
    assert _model(Limits()).api.should_retry(_status(409))


def test_a_retry_after_may_be_in_milliseconds_or_a_date() -> None:
    wait = _model(Limits(first_wait=0.01)).api.retry_wait()
    assert wait is not None
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=40))
    assert wait(_failed(1, _status(429, **{"retry-after-ms": "31000"}))) == 31
    assert 35 < wait(_failed(1, _status(429, **{"retry-after": soon}))) <= 40


@pytest.mark.parametrize(
    ("asked", "least", "most"), [("30", 30, 30), ("0", 2, 4), ("7200", 60, 60), ("Wed, 21 Oct 2026 07:28:00 GMT", 2, 4)]
)
def test_a_retry_after_counts_where_it_is_longer(asked: str, least: float, most: float) -> None:
    wait = _model(Limits(first_wait=2.0)).api.retry_wait()
    assert wait is not None
    assert least <= wait(_failed(1, _status(429, **{"retry-after": asked}))) <= most


def test_a_call_ends_after_two_hanging_attempts() -> None:
    assert (total_timeout(Limits(attempt_timeout=600)), total_timeout(Limits(attempt_timeout=10))) == (1200, 300)


def test_a_model_in_this_process_is_not_tried_again_for_a_bug() -> None:
    made = patient(get_model("mockllm/model", memoize=False), Limits(), in_process=True)
    assert not made.api.should_retry(ValueError("a bug"))
    assert made.api.retry_wait() is not None
