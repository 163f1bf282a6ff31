"""The engine's rules, on a stand-in for the pipeline."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path

import pytest

from forgetscope.core.errors import DataError
from forgetscope.models.backend import ContextOverflowError, EngineError, GenerationFinish
from forgetscope.models.decoding import Decoding
from forgetscope.models.engine import Engine, EngineReply
from tests.models.fake_backend import FakeBackend, FakeTicket

GREEDY = Decoding()
SECONDS = 10.0


@pytest.fixture
def start() -> Iterator[Callable[[FakeBackend], Engine]]:
    engines: list[Engine] = []

    def build(backend: FakeBackend) -> Engine:
        engines.append(Engine(lambda: backend, "fake"))
        return engines[-1]

    yield build
    for engine in engines:
        engine.close()


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.001)


def opens(gate: threading.Event) -> None:
    assert gate.wait(SECONDS)


def poison(*words: str) -> Callable[[list[FakeTicket]], None]:
    """A pipeline that raises as long as a prompt with one of the words is in it."""

    def before_step(tickets: list[FakeTicket]) -> None:
        for ticket in tickets:
            if any(word in ticket.text for word in words):
                raise RuntimeError(f"cannot sample {ticket.text}")

    return before_step


def test_a_reply_says_what_came_of_its_request(start: Callable[[FakeBackend], Engine]) -> None:
    reply = start(FakeBackend()).submit("one two three", GREEDY).result(SECONDS)
    assert (reply.text, reply.input_tokens, reply.output_tokens) == ("one two three", 3, 3)
    assert reply.finish_reason is GenerationFinish.STOP
    assert not reply.window_reached
    assert reply.logprobs is None
    assert reply.seconds > 0


def test_a_reply_at_the_token_limit_ends_for_its_length(start: Callable[[FakeBackend], Engine]) -> None:
    reply = start(FakeBackend()).submit("one two three", Decoding(max_new_tokens=2)).result(SECONDS)
    assert (reply.text, reply.finish_reason, reply.window_reached) == ("one two", GenerationFinish.LENGTH, False)


def test_a_reply_the_window_cuts_says_so(start: Callable[[FakeBackend], Engine]) -> None:
    reply = start(FakeBackend(window=5)).submit("one two three", GREEDY).result(SECONDS)
    assert (reply.text, reply.finish_reason, reply.window_reached) == ("one two", GenerationFinish.LENGTH, True)


def test_a_prompt_that_fills_the_window_is_refused_with_both_numbers(start: Callable[[FakeBackend], Engine]) -> None:
    with pytest.raises(ContextOverflowError, match="3 tokens or more, the model's window is 3") as caught:
        start(FakeBackend(window=3)).submit("one two three", GREEDY)
    assert (caught.value.prompt_tokens, caught.value.window) == (3, 3)


def test_logprobs_come_token_by_token(start: Callable[[FakeBackend], Engine]) -> None:
    reply = start(FakeBackend()).submit("one two", Decoding(logprobs=True)).result(SECONDS)
    assert reply.logprobs is not None
    assert [(item.token, item.logprob) for item in reply.logprobs] == [("one", -1.0), ("two", -1.0)]


def test_one_thread_alone_touches_the_pipeline(start: Callable[[FakeBackend], Engine]) -> None:
    backend = FakeBackend()
    engine = start(backend)
    futures: list[Future[EngineReply]] = []
    callers = [threading.Thread(target=lambda: futures.append(engine.submit("a b c d", GREEDY))) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert [future.result(SECONDS).text for future in futures] == ["a b c d"] * 8
    assert len(backend.threads) == 1
    assert sorted(backend.numbers) == list(range(8))
    assert threading.get_ident() not in backend.threads


def test_a_request_joins_while_another_is_running(start: Callable[[FakeBackend], Engine]) -> None:
    gate = threading.Event()
    backend = FakeBackend(lambda _: opens(gate))
    engine = start(backend)
    first = engine.submit("a b c d e f", GREEDY)
    wait_until(lambda: bool(backend.tickets))
    second = engine.submit("x y", GREEDY)
    gate.set()
    assert (first.result(SECONDS).text, second.result(SECONDS).text) == ("a b c d e f", "x y")
    assert backend.largest_batch == 2


def test_cancelling_the_future_stops_the_generation_and_frees_its_place(
    start: Callable[[FakeBackend], Engine],
) -> None:
    backend = FakeBackend(lambda _: time.sleep(0.005))
    engine = start(backend)
    future = engine.submit("word " * 900, GREEDY)
    wait_until(lambda: engine.counts().steps > 2)
    assert future.cancel()
    wait_until(lambda: not backend.tickets)
    time.sleep(0.02)
    steps = engine.counts().steps
    assert steps < 800
    assert engine.counts().live == 0
    assert engine.counts().cancelled == 1
    with pytest.raises(CancelledError):
        future.result()
    time.sleep(0.03)
    assert engine.counts().steps == steps, "an engine without requests must rest"


def test_a_timeout_of_the_awaiting_task_reaches_the_pipeline(start: Callable[[FakeBackend], Engine]) -> None:
    backend = FakeBackend(lambda _: time.sleep(0.005))
    engine = start(backend)

    async def ask() -> None:
        async with asyncio.timeout(0.05):
            await asyncio.wrap_future(engine.submit("word " * 900, GREEDY))

    with pytest.raises(TimeoutError):
        asyncio.run(ask())
    wait_until(lambda: not backend.tickets)
    assert engine.submit("still here", GREEDY).result(SECONDS).text == "still here"


def test_a_request_the_pipeline_refuses_fails_alone(start: Callable[[FakeBackend], Engine]) -> None:
    engine = start(FakeBackend(lambda _: time.sleep(0.001)))
    futures = [engine.submit(text, GREEDY) for text in ("a b c", "refused", "d e f")]
    assert futures[0].result(SECONDS).text == "a b c"
    assert futures[2].result(SECONDS).text == "d e f"
    with pytest.raises(RuntimeError, match="does not like"):
        futures[1].result(SECONDS)


def test_a_request_that_makes_the_step_raise_fails_alone_and_the_others_start_again(
    start: Callable[[FakeBackend], Engine],
) -> None:
    backend = FakeBackend(poison("arsenic", "cyanide"))
    engine = start(backend)
    texts = ["a b c", "arsenic tea", "d e f", "cyanide cake", "g h i"]
    gate = threading.Event()
    inner = backend.before_step

    def before_step(tickets: list[FakeTicket]) -> None:
        opens(gate)
        inner(tickets)

    backend.before_step = before_step
    futures = {text: engine.submit(text, GREEDY) for text in texts}
    gate.set()
    for text, future in futures.items():
        if text.startswith(("arsenic", "cyanide")):
            with pytest.raises(EngineError, match=f"failed at this request: cannot sample {text}"):
                future.result(SECONDS)
        else:
            assert future.result(SECONDS).text == text
    assert engine.counts().failed == 2
    assert engine.counts().finished == 3


def test_a_failure_no_one_can_be_blamed_for_is_tried_three_times(start: Callable[[FakeBackend], Engine]) -> None:
    def before_step(tickets: list[FakeTicket]) -> None:
        if any(ticket.produced for ticket in tickets):
            raise RuntimeError("memory is full")

    engine = start(FakeBackend(before_step))
    futures = [engine.submit("a b", GREEDY), engine.submit("c d", GREEDY)]
    for future in futures:
        with pytest.raises(EngineError, match="memory is full"):
            future.result(SECONDS)
    assert engine.submit("short", GREEDY).result(SECONDS).text == "short"


def test_a_pipeline_that_does_not_come_clean_is_loaded_anew() -> None:
    broken, whole = FakeBackend(), FakeBackend()

    def always(_: list[FakeTicket]) -> None:
        raise RuntimeError("broken for good")

    broken.before_step = always
    backends = [broken, whole]
    for backend in backends:
        backend.encode("a b c d")  # the same vocabulary, as two loads of one model have
    engine = Engine(lambda: backends.pop(0), "fake")
    first = engine.submit("a b", GREEDY)
    with pytest.raises(EngineError, match="broken for good"):
        first.result(SECONDS)
    assert engine.submit("c d", GREEDY).result(SECONDS).text == "c d"
    engine.close()


def test_a_pipeline_that_cannot_be_loaded_again_fails_everyone_with_the_reason() -> None:
    def always(_: list[FakeTicket]) -> None:
        raise RuntimeError("broken for good")

    loads: list[int] = []

    def load() -> FakeBackend:
        loads.append(1)
        if len(loads) > 1:
            raise RuntimeError("no memory")
        return FakeBackend(always)

    engine = Engine(load, "fake")
    futures = [engine.submit("a b", GREEDY), engine.submit("c d", GREEDY)]
    for future in futures:
        with pytest.raises(EngineError, match=r"broken for good|no memory"):
            future.result(SECONDS)
    wait_until(lambda: not any(thread.name == "forgetscope fake" for thread in threading.enumerate()))
    with pytest.raises(EngineError, match="closed"):
        engine.submit("e f", GREEDY)


def test_a_model_that_cannot_be_loaded_tells_every_request_why() -> None:
    def load() -> FakeBackend:
        raise DataError("not a model", where="x.gguf")

    engine = Engine(load, "fake")
    for _ in range(2):
        with pytest.raises(DataError, match=r"x\.gguf: not a model"):
            engine.submit("a", GREEDY)


def test_closing_fails_what_is_unfinished_and_does_not_hang() -> None:
    engine = Engine(lambda: FakeBackend(lambda _: time.sleep(0.005)), "fake")
    future = engine.submit("word " * 900, GREEDY)
    begin = time.monotonic()
    engine.close()
    assert time.monotonic() - begin < 2
    with pytest.raises(EngineError, match="closed before the reply was complete"):
        future.result(SECONDS)
    with pytest.raises(EngineError, match="closed"):
        engine.submit("more", GREEDY)
    engine.close()


def test_an_interpreter_with_a_busy_engine_ends_at_once() -> None:
    script = (
        "import time\n"
        "from forgetscope.models.decoding import Decoding\n"
        "from forgetscope.models.engine import Engine\n"
        "from tests.models.fake_backend import FakeBackend\n"
        "engine = Engine(lambda: FakeBackend(lambda _: time.sleep(0.01)), 'fake')\n"
        "engine.submit('word ' * 900, Decoding())\n"
        "print('leaving')\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=20, cwd=root, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "leaving\n", "")
