"""The engine: one thread owns the pipeline, and everybody's requests join its running batch.

Callers hand in a request and get a future. The thread takes new requests between two steps, so that a batch never
waits for its slowest member to end before others may join. Rules it keeps:

- Only the engine's thread touches the pipeline (it loads it, too); no locks are needed around it.
- A future that is cancelled (a timeout, a sample limit, Ctrl-C) stops its generation before the next step.
- A step that raises takes nobody down but the request at fault. The pipeline does not say which one that was, so all
  start again from their prompts, those that had no token yet one at a time; who is alone with the failure, or was
  there three times, gets the error.
- If the pipeline keeps failing when nothing is left in it, it is loaded anew; if that fails, every further
  request is told so.
- `close` ends the thread after the current step (well under a second), also at the interpreter's exit.
"""

import atexit
import itertools
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field, replace

from forgetscope.core.errors import UserError
from forgetscope.models.backend import Backend, ContextOverflowError, EngineError, GenerationFinish, Ticket, first_line
from forgetscope.models.decoding import Decoding

_ATTEMPTS = 3
# What the bindings of a C++ pipeline raise: the C++ exceptions' counterparts.
_PIPELINE_ERRORS = (RuntimeError, ValueError, TypeError, IndexError, MemoryError, OSError)
_CLOSE_SECONDS = 10.0


@dataclass(frozen=True)
class TokenLogprob:
    """One token of a reply: its text and its log-probability under the model (natural logarithm, at most 0)."""

    token: str
    logprob: float


@dataclass(frozen=True)
class EngineReply:
    """What came of one request.

    Attributes:
        text: The reply, without special tokens.
        input_tokens: Tokens of the rendered prompt.
        output_tokens: Tokens generated, the end token included.
        finish_reason: Whether the model ended it, or a limit.
        window_reached: The limit that ended it was the model's window, not the caller's `max_new_tokens`.
        seconds: From handing in to the last token, waiting included.
        logprobs: One entry a token if asked for, else None.
    """

    text: str
    input_tokens: int
    output_tokens: int
    finish_reason: GenerationFinish
    window_reached: bool
    seconds: float
    logprobs: tuple[TokenLogprob, ...] | None = None


@dataclass(frozen=True)
class EngineCounts:
    """Requests so far, by how they ended, and what is in the pipeline now."""

    live: int
    peak_live: int
    steps: int
    finished: int
    cancelled: int
    failed: int
    restarts: int


@dataclass(eq=False)
class _Request:
    token_ids: Sequence[int]
    decoding: Decoding
    window_limited: bool
    future: "Future[EngineReply]" = field(default_factory=Future)
    submitted: float = field(default_factory=time.monotonic)
    attempts: int = 0
    is_suspect: bool = False


class Engine:
    """Serves many requests at once from one pipeline.

    Args:
        load: Builds the backend; called in the engine's thread, at the first request or at `load`.
        name: Shown in messages and as the thread's name.
    """

    def __init__(self, load: Callable[[], Backend], name: str = "engine") -> None:
        self.name = name
        self._load = load
        self._backend: Backend | None = None
        self._inbox: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._waiting: deque[_Request] = deque()
        self._live: dict[_Request, Ticket] = {}
        self._numbers = itertools.count()
        self._ready: Future[Backend] = Future()
        self._start_lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._peak = self._steps = self._finished = self._cancelled = self._failed = self._restarts = 0

    # ---- any thread -------------------------------------------------------------------------------------------------

    def load(self) -> Backend:
        """Load the pipeline if it is not, and wait for it. Raises what loading raised."""
        with self._start_lock:
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._run, name=f"forgetscope {self.name}", daemon=True)
                self._thread.start()
                atexit.register(self.close)
        if self._thread is not None:
            backend = self._ready.result()
            if not self._closing:
                return backend
        raise EngineError(f"the engine of {self.name} is closed")

    @property
    def is_loaded(self) -> bool:
        """`load` would return at once."""
        return self._ready.done()

    def submit(self, prompt: str, decoding: Decoding) -> "Future[EngineReply]":
        """Hand in a rendered prompt. Cancelling the future stops the generation.

        Raises:
            ContextOverflowError: The prompt leaves no room for a reply.
            EngineError: The engine is closed, or its pipeline could not be loaded again.
        """
        backend = self.load()
        token_ids = backend.encode(prompt)
        room = backend.window - len(token_ids)
        if room < 1:
            raise ContextOverflowError(len(token_ids), backend.window)
        is_window_limited = decoding.max_new_tokens > room
        request = _Request(
            token_ids,
            replace(decoding, max_new_tokens=room) if is_window_limited else decoding,
            is_window_limited,
        )
        self._inbox.put(request)
        if self._closing:  # closed in between: the thread may have emptied the inbox before
            _fail(request, EngineError(f"the engine of {self.name} is closed"))
        return request.future

    def counts(self) -> EngineCounts:
        """How many requests ended how; `live` and `steps` may be one step old."""
        return EngineCounts(
            live=len(self._live),
            peak_live=self._peak,
            steps=self._steps,
            finished=self._finished,
            cancelled=self._cancelled,
            failed=self._failed,
            restarts=self._restarts,
        )

    def close(self) -> None:
        """End the thread and free the pipeline; what is unfinished fails with `EngineError`. Never hangs."""
        with self._start_lock:
            self._closing = True
            thread = self._thread
        self._inbox.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(_CLOSE_SECONDS)

    # ---- the engine's thread ----------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._backend = self._load()
        except (UserError, EngineError, *_PIPELINE_ERRORS) as error:
            self._closing = True
            self._ready.set_exception(error)
            return
        self._ready.set_result(self._backend)
        try:
            self._serve()
        finally:  # whatever happened, nobody waits for ever
            self._closing = True
            for ticket in self._live.values():
                ticket.cancel()
            self._drop_all(EngineError(f"the engine of {self.name} was closed before the reply was complete"))
            if self._backend is not None and self._backend.has_unfinished():
                _comes_clean(self._backend)  # else the pipeline complains of leaks as it goes
            self._backend = None

    def _serve(self) -> None:
        while (backend := self._backend) is not None:
            self._take_new(block=not (self._live or self._waiting or backend.has_unfinished()))
            if self._closing:
                return
            self._drop_cancelled()
            self._admit(backend)
            if not self._live and not backend.has_unfinished():
                continue
            try:
                backend.step()
            except _PIPELINE_ERRORS as error:
                self._recover(backend, error)
                continue
            self._steps += 1
            self._collect(backend)

    def _take_new(self, *, block: bool) -> None:
        try:
            while True:
                request = self._inbox.get(block=block)
                block = False
                if request is None:
                    self._closing = True
                else:
                    self._waiting.append(request)
        except queue.Empty:
            return

    def _drop_cancelled(self) -> None:
        for request in [request for request in self._live if request.future.cancelled()]:
            self._live.pop(request).cancel()
            self._cancelled += 1

    def _admit(self, backend: Backend) -> None:
        """Let waiting requests join. A suspect joins alone: until it has a token nobody else without one is there."""
        if not self._waiting:
            return
        unproven = [request for request, ticket in self._live.items() if not ticket.has_tokens()]
        for _ in range(len(self._waiting)):
            if any(request.is_suspect for request in unproven):
                return
            request = self._waiting.popleft()
            if request.future.cancelled():
                self._cancelled += 1
            elif request.is_suspect and unproven:
                self._waiting.append(request)
            else:
                try:
                    self._live[request] = backend.add(next(self._numbers), request.token_ids, request.decoding)
                except (EngineError, *_PIPELINE_ERRORS) as error:
                    self._fail_one(request, error)
                else:
                    unproven.append(request)
        self._peak = max(self._peak, len(self._live))

    def _collect(self, backend: Backend) -> None:
        for request in [request for request, ticket in self._live.items() if not ticket.is_running()]:
            ticket = self._live.pop(request)
            try:
                output = ticket.output()
                logprobs = None
                if request.decoding.logprobs:
                    texts = backend.decode_each(output.token_ids)
                    logprobs = tuple(map(TokenLogprob, texts, output.logprobs))
                reply = EngineReply(
                    text=backend.decode(output.token_ids),
                    input_tokens=len(request.token_ids),
                    output_tokens=len(output.token_ids),
                    finish_reason=output.finish_reason,
                    window_reached=request.window_limited and output.finish_reason is GenerationFinish.LENGTH,
                    seconds=time.monotonic() - request.submitted,
                    logprobs=logprobs,
                )
            except (EngineError, *_PIPELINE_ERRORS) as error:
                self._fail_one(request, error)
                continue
            try:
                request.future.set_result(reply)
                self._finished += 1
            except InvalidStateError:  # cancelled while the last step ran
                self._cancelled += 1

    def _recover(self, backend: Backend, error: Exception) -> None:
        """After a failed step: name the request at fault, let the others start again, clean or reload the pipeline."""
        self._restarts += 1
        unproven = [request for request, ticket in self._live.items() if not ticket.has_tokens()]
        for request, ticket in self._live.items():
            ticket.cancel()
            request.attempts += 1
            request.is_suspect = request in unproven
            if unproven == [request] or request.attempts >= _ATTEMPTS:
                self._fail_one(request, EngineError(f"the pipeline failed at this request: {first_line(error)}"))
            else:
                self._waiting.append(request)
        self._live.clear()
        if _comes_clean(backend):
            return
        self._backend = None  # two pipelines would need twice the memory
        try:
            self._backend = self._load()
        except (UserError, EngineError, *_PIPELINE_ERRORS) as reload_error:
            self._drop_all(
                EngineError(
                    f"the engine of {self.name} failed and could not be loaded again: {first_line(reload_error)}"
                )
            )

    def _fail_one(self, request: _Request, error: Exception) -> None:
        self._failed += 1
        _fail(request, error)

    def _drop_all(self, error: EngineError) -> None:
        self._take_new(block=False)
        for request in (*self._live, *self._waiting):
            self._fail_one(request, error)
        self._live.clear()
        self._waiting.clear()


def _comes_clean(backend: Backend) -> bool:
    """Whether the pipeline lets go of its cancelled requests within a few steps."""
    try:
        for _ in range(3):
            backend.step()
            if not backend.has_unfinished():
                return True
    except _PIPELINE_ERRORS:
        return False
    return False


def _fail(request: _Request, error: Exception) -> None:
    try:
        request.future.set_exception(error)
    except InvalidStateError:
        return  # cancelled, or answered, in the meantime
