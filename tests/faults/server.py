"""A chat-completions server on loopback that fails as it is told to.

Every distinct prompt gets one `Script` (in the order given, shuffled by the seed): a fault, and how many requests it
meets before the server answers properly; None means always. The server counts the requests of each prompt.
"""

import hashlib
import json
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

from forgetscope.models.probe import ASKED, ASKED_OF_PICTURE, COLOUR

ANSWER = "The answer is B."
REASONING = "<<title>> first I think, then I answer"


class Fault(StrEnum):
    """What can go wrong with a request."""

    NONE = "none"
    RATE_LIMIT = "429 with Retry-After"
    SERVER_ERROR = "500"
    UNAVAILABLE = "503"
    HANG = "hang"
    CUT = "connection cut mid-body"
    INVALID_JSON = "invalid JSON"
    NOT_AN_OBJECT = "JSON, not an object"
    NO_CHOICES = "no choices field"
    EMPTY_CHOICES = "empty list of choices"
    WRONG_UTF8 = "wrong UTF-8"
    EMPTY = "empty content"
    NULL = "null content"
    LENGTH = "cut at the token limit"
    FILTER_WITH_TEXT = "content filter, some text"
    FILTER_WITHOUT_TEXT = "content filter, no text"
    CONTEXT_400 = "400 context length"
    POLICY_400 = "400 content policy"
    UNAUTHORIZED = "401"
    UNPAID = "402"
    REFUSED_400 = "400 of another kind"
    NOT_FOUND = "404"
    NO_PICTURES = "400 to a picture"
    LLAMA_CPP_NO_PICTURES = "llama.cpp: 500 to a picture"
    THINK_BLOCK = "think block in the text"
    REASONING_FIELD = "reasoning_content"
    MEGABYTE = "1 MB reply"
    TOOL_CALL = "call of a tool nobody offered"
    TOOL_CALL_AND_TEXT = "the same beside the answer"
    NULL_USAGE = "usage of nulls"
    NO_USAGE = "no usage"
    HUGE_USAGE = "token counts beyond any integer column"
    NEGATIVE_USAGE = "negative token counts"
    PARTS = "content as a list of parts"
    THINKING_PARTS = "content with a thinking part"
    REASONING_NAME = "reasoning under another name"
    OWN_FINISH = "a finish reason of its own"
    NULL_FINISH = "finish reason null, index null, model null"
    ODD_LOGPROBS = "log-probabilities of another shape"
    INVISIBLE = "zero-width characters alone"
    ERROR_OBJECT = "200 with an error object"
    HTML = "200 with a page of HTML"
    BAD_GATEWAY = "502 with a page of HTML"
    REDIRECT = "307 to another host"
    REDIRECT_HERE = "307 to itself"
    TEN_MEGABYTES = "10 MB reply"
    DRIP = "a byte now and then"
    CHUNKED_CUT = "chunked body cut in the middle"
    GZIP_LIE = "said to be gzip, and is not"
    UNASKED_STREAM = "a stream nobody asked for"
    OLLAMA = "Ollama: reasoning field, no choice index, odd times"
    OLLAMA_LOADED = "Ollama: the model was only loaded"
    LLAMA_CPP = "llama.cpp: timings, __verbose, no usage"
    LLAMA_CPP_CUT = "llama.cpp: reasoning alone, cut at the limit"
    VLLM = "vLLM: reasoning, stop_reason a number, null details"
    VLLM_ABORT = "vLLM: aborted"
    LM_STUDIO = "LM Studio: stats, model_info, empty usage"
    LM_STUDIO_CUT = "LM Studio: maxPredictedTokensReached"
    SAFETY = "a filter under its own name"


@dataclass(frozen=True)
class Script:
    """What a prompt meets: `fault` for its first `times` requests, the proper answer afterwards."""

    fault: Fault
    times: int | None = None

    @property
    def label(self) -> str:
        """In words, for tables."""
        if self.fault is Fault.NONE:
            return "none"
        return f"{self.fault}, always" if self.times is None else f"{self.fault}, {self.times} times"


class FaultServer:
    """The server, as a context manager; `url` is its base URL.

    Args:
        scripts: What each new prompt meets, cyclically.
        seed: Of the order of the scripts.
        delay: Seconds before a proper answer.
        refuse_seconds: How long connections are refused after the start; forever if infinite.
        retry_after: Seconds a 429 asks for.
        answer: From a prompt to the proper answer.
        echo: After the message of every error: what some providers repeat.
        elsewhere: Where a redirect to another host leads.
    """

    def __init__(
        self,
        scripts: Sequence[Script] = (Script(Fault.NONE),),
        *,
        seed: int = 0,
        delay: float = 0.0,
        refuse_seconds: float = 0.0,
        retry_after: float = 0.05,
        answer: Callable[[str], str] | None = None,
        echo: str = "",
        elsewhere: str = "http://127.0.0.1:9/v1",
        knows_probes: bool = True,
    ) -> None:
        self._scripts = list(scripts)
        random.Random(seed).shuffle(self._scripts)
        self._delay = delay
        self._refuse_seconds = refuse_seconds
        self.retry_after = retry_after
        self.echo = echo
        self.elsewhere = elsewhere
        self.knows_probes = knows_probes
        """Whether what a run asks first is answered well and counted apart, whatever the scripts."""
        self.probes = 0
        self.answer = answer or _same_answer
        self._lock = threading.Lock()
        self._assigned: dict[str, Script] = {}
        self.requests: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.released = threading.Event()
        """Set when the server goes: hanging requests end."""
        outer = self

        class Handler(_Handler):
            server_of = outer

        self._http = _Server(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self._http.server_bind()
        self._threads: list[threading.Thread] = []

    @property
    def url(self) -> str:
        """For `--model-base-url` or `FAULTY_BASE_URL`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script_of(self, prompt: str) -> Script:
        """What this prompt was dealt; dealt now if it is new."""
        with self._lock:
            if prompt not in self._assigned:
                self._assigned[prompt] = self._scripts[len(self._assigned) % len(self._scripts)]
            return self._assigned[prompt]

    def next_fault(self, prompt: str) -> Fault:
        """Count a request and say what it meets."""
        script = self.script_of(prompt)
        with self._lock:
            self.requests[prompt] += 1
            spent = script.times is not None and self.requests[prompt] > script.times
        return Fault.NONE if spent else script.fault

    def note_answer(self, prompt: str) -> None:
        """Count a reply that was sent whole."""
        with self._lock:
            self.answered[prompt] += 1

    def pause(self) -> None:
        """The time a proper answer takes."""
        if self._delay:
            self.released.wait(self._delay)

    def __enter__(self) -> "FaultServer":
        thread = threading.Thread(target=self._serve, daemon=True)
        thread.start()
        self._threads.append(thread)
        if not self._refuse_seconds:
            _wait_for(self._http.server_address[1])
        return self

    def _serve(self) -> None:
        if self._refuse_seconds and self.released.wait(
            self._refuse_seconds if self._refuse_seconds != float("inf") else None
        ):
            return
        self._http.server_activate()
        self._http.serve_forever(poll_interval=0.02)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        serving = not (self._refuse_seconds and not self.requests)
        self.released.set()
        if serving:
            self._http.shutdown()
        for thread in self._threads:
            thread.join(timeout=5)
        self._http.server_close()


def _same_answer(_prompt: str) -> str:
    return ANSWER


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    raise TimeoutError("the fault server did not start")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that go away are part of the game."""


class _Handler(BaseHTTPRequestHandler):
    server_of: FaultServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer a chat completion, or fail as scripted."""
        server = self.server_of
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if server.knows_probes and _is_probe(body["messages"]):
            server.probes += 1
            self._send(200, _completion(f"Yes, {COLOUR}."))
            return
        prompt = _known_by(body["messages"])
        fault = server.next_fault(prompt)
        answer = server.answer(prompt)
        match fault:
            case Fault.RATE_LIMIT:
                self._error(429, "slow down", "rate_limit_exceeded", retry_after=str(server.retry_after))
            case Fault.SERVER_ERROR:
                self._error(500, "internal error", "server_error")
            case Fault.UNAVAILABLE:
                self._error(503, "overloaded", "server_error")
            case Fault.HANG:
                server.released.wait(60)
                self.close_connection = True
            case Fault.CUT:
                whole = _completion(answer)
                self._send(200, whole[: len(whole) // 2], length=len(whole))
                self.close_connection = True
            case Fault.INVALID_JSON:
                self._send(200, b'{"choices": [{"message": {"content": "oh')
            case Fault.NOT_AN_OBJECT:
                self._send(200, b'"all is well"')
            case Fault.NO_CHOICES:
                self._send(200, b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m"}')
            case Fault.EMPTY_CHOICES:
                self._send(200, b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}')
            case Fault.WRONG_UTF8:
                self._send(200, _completion(answer).replace(b"answer", b"\xff\xfe\xc3"))
            case Fault.EMPTY:
                self._send(200, _completion("", tokens=0))
            case Fault.NULL:
                self._send(200, _completion(None, tokens=0))
            case Fault.LENGTH:
                self._send(200, _completion(answer, finish="length"))
            case Fault.FILTER_WITH_TEXT:
                self._send(200, _completion(answer, finish="content_filter"))
            case Fault.FILTER_WITHOUT_TEXT:
                self._send(200, _completion(None, finish="content_filter", tokens=0))
            case Fault.CONTEXT_400:
                self._error(
                    400,
                    "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000.",
                    "context_length_exceeded",
                )
            case Fault.POLICY_400:
                self._error(400, "The response was filtered due to the content policy.", "content_filter")
            case Fault.UNAUTHORIZED:
                self._error(401, "Incorrect API key provided", "invalid_api_key")
            case Fault.UNPAID:
                self._error(402, "Insufficient balance", "payment_required")
            case Fault.REFUSED_400:
                self._error(400, "temperature must be 1 for this model", "invalid_value")
            case Fault.NOT_FOUND:
                self._error(404, "The model does not exist", "model_not_found")
            case Fault.NO_PICTURES:
                self._error(400, "some-model is not a multimodal model", "BadRequestError")
            case Fault.LLAMA_CPP_NO_PICTURES:
                self._error(500, "image input is not supported - hint: provide the mmproj", "server_error")
            case Fault.THINK_BLOCK:
                self._send(200, _completion(f"<think>{REASONING}</think>\n\n{answer}"))
            case Fault.REASONING_FIELD:
                self._send(200, _completion(answer, reasoning=REASONING))
            case Fault.MEGABYTE:
                self._send(200, _completion(answer + " and so on" * 100_000))
            case Fault.TEN_MEGABYTES:
                self._send(200, _completion(answer + " and so on" * 1_000_000))
            case Fault.HTML:
                self._send(200, _PAGE, kind="text/html")
            case Fault.BAD_GATEWAY:
                self._send(502, _PAGE, kind="text/html")
            case Fault.ERROR_OBJECT:
                self._send(200, json.dumps({"error": {"message": "overloaded" + server.echo, "code": 502}}).encode())
            case Fault.REDIRECT:
                self._send(307, b"", more={"Location": f"{server.elsewhere}/chat/completions"})
            case Fault.REDIRECT_HERE:
                self._send(307, b"", more={"Location": f"{server.url}/chat/completions"})
            case Fault.DRIP:
                self._drip(_completion(answer))
            case Fault.CHUNKED_CUT:
                self._send_chunks(_completion(answer)[:40])
            case Fault.GZIP_LIE:
                self._send(200, _completion(answer), more={"Content-Encoding": "gzip"})
            case Fault.UNASKED_STREAM:
                self._send(200, _stream(answer), kind="text/event-stream")
            case _ if fault in DIALECTS:
                self._send(200, DIALECTS[fault](answer))
            case Fault.NONE:
                server.pause()
                self._send(200, _completion(answer))
                server.note_answer(prompt)

    def _error(self, code: int, message: str, kind: str, *, retry_after: str | None = None) -> None:
        message += self.server_of.echo
        body = json.dumps({"error": {"message": message, "type": "invalid_request_error", "code": kind}}).encode()
        self._send(code, body, retry_after=retry_after)

    def _send(
        self,
        code: int,
        body: bytes,
        *,
        length: int | None = None,
        retry_after: str | None = None,
        kind: str = "application/json",
        more: Mapping[str, str] | None = None,
    ) -> None:
        self._head(code, kind, {"Content-Length": str(len(body) if length is None else length), **(more or {})})
        if retry_after is not None:
            self.send_header("Retry-After", retry_after)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def _head(self, code: int, kind: str, more: Mapping[str, str]) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        if self.server_of.echo and self.server_of.echo.isprintable():
            self.send_header("X-Request-Id", self.server_of.echo.strip())
        for name, value in more.items():
            self.send_header(name, value)

    def _drip(self, body: bytes) -> None:
        """A byte every half second: never done before anybody's patience is."""
        self._head(200, "application/json", {"Content-Length": str(len(body))})
        self.end_headers()
        for place in range(len(body)):
            self.wfile.write(body[place : place + 1])
            self.wfile.flush()
            if self.server_of.released.wait(0.5):
                break
        self.close_connection = True

    def _send_chunks(self, body: bytes) -> None:
        """One chunk of a body in chunks, and then nothing."""
        self._head(200, "application/json", {"Transfer-Encoding": "chunked"})
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(body), body))
        self.wfile.flush()
        self.close_connection = True


def _is_probe(messages: list[dict[str, object]]) -> bool:
    """Whether this is what a run asks before its own prompts."""
    asked = messages[-1]["content"]
    texts = [asked] if isinstance(asked, str) else [part.get("text") for part in asked if isinstance(part, dict)]  # type: ignore[attr-defined]
    return bool({ASKED, ASKED_OF_PICTURE} & set(texts))


def _known_by(messages: list[dict[str, object]]) -> str:
    """What tells prompts apart: the question where it is a text and stands alone, else a digest of all that is said."""
    asked = messages[-1]["content"]
    if isinstance(asked, str) and len(messages) <= 2:
        return asked
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()


_PAGE = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


def _stream(answer: str) -> bytes:
    """The answer as a stream of events."""
    part = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    parts = [{"index": 0, "delta": {"role": "assistant", "content": answer}}]
    parts += [{"index": 0, "delta": {}, "finish_reason": "stop"}]
    lines = [f"data: {json.dumps({**part, 'choices': [choice]})}" for choice in parts]
    return "\n\n".join([*lines, "data: [DONE]", ""]).encode()


def _completion(content: str | None, *, finish: str = "stop", tokens: int = 7, reasoning: str | None = None) -> bytes:
    message: dict[str, object] = {"role": "assistant", "content": content}
    if reasoning is not None:
        message["reasoning_content"] = reasoning
    return _shaped(message, finish=finish, usage=_usage(20, tokens))


def _shaped(
    message: dict[str, object],
    *,
    model: object = "some-model",
    top: Mapping[str, object] | None = None,
    **other: object,
) -> bytes:
    """A completion with parts of its choice, its usage, or its top level (`top`) other than usual."""
    usage = other.pop("usage", _usage(20, 7))
    choice = {"index": 0, "message": message, "finish_reason": other.pop("finish", "stop"), **other}
    whole = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model, "choices": [choice]}
    whole.update(top or {})
    return json.dumps(whole if usage is _NOT_SENT else {**whole, "usage": usage}).encode()


_NOT_SENT = object()


def _usage(prompt: int | None, completion: int | None) -> dict[str, object]:
    total = None if prompt is None or completion is None else prompt + completion
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total}


def _said(content: object, **fields: object) -> dict[str, object]:
    return {"role": "assistant", "content": content, **fields}


_CALL = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": "{broken"}}

DIALECTS: dict[Fault, Callable[[str], bytes]] = {
    Fault.TOOL_CALL: lambda _: _shaped(_said(None, tool_calls=[_CALL]), finish="tool_calls"),
    Fault.TOOL_CALL_AND_TEXT: lambda answer: _shaped(_said(answer, tool_calls=[_CALL]), finish="tool_calls"),
    Fault.NULL_USAGE: lambda answer: _shaped(_said(answer), usage=_usage(None, None)),
    Fault.NO_USAGE: lambda answer: _shaped(_said(answer), usage=_NOT_SENT),
    Fault.HUGE_USAGE: lambda answer: _shaped(_said(answer), usage=_usage(10**30, 7)),
    Fault.NEGATIVE_USAGE: lambda answer: _shaped(_said(answer), usage=_usage(-20, -7)),
    Fault.PARTS: lambda answer: _shaped(
        _said([{"type": "text", "text": answer[:5]}, {"type": "text", "text": answer[5:]}])
    ),
    Fault.THINKING_PARTS: lambda answer: _shaped(
        _said([{"type": "thinking", "thinking": REASONING}, {"type": "text", "text": answer}])
    ),
    Fault.REASONING_NAME: lambda answer: _shaped(_said(answer, thinking=REASONING)),
    Fault.OWN_FINISH: lambda answer: _shaped(_said(answer), finish="end_of_turn"),
    Fault.NULL_FINISH: lambda answer: _shaped(_said(answer), model=None, finish=None, index=None),
    Fault.ODD_LOGPROBS: lambda answer: _shaped(_said(answer), logprobs={"content": [{"t": 1}]}),
    Fault.INVISIBLE: lambda _: _shaped(_said("\u200b\u200d\ufeff\u2060")),
    # Servers that people run at home, by what their replies hold beside or instead of the protocol's.
    Fault.OLLAMA: lambda answer: _shaped(
        _said(answer, reasoning=REASONING), index=None, top={"created": "2026-01-01T00:00:00Z", "system_fingerprint": 7}
    ),
    Fault.OLLAMA_LOADED: lambda _: _shaped(_said(""), finish="load", usage=_usage(0, 0)),
    Fault.LLAMA_CPP: lambda answer: _shaped(
        _said(answer), usage=_NOT_SENT, top={"timings": {"predicted_ms": 3.5}, "__verbose": {"tokens": []}, "id": 1}
    ),
    Fault.LLAMA_CPP_CUT: lambda _: _shaped(_said(None, reasoning_content=REASONING), finish="length"),
    Fault.VLLM: lambda answer: _shaped(
        _said(answer, reasoning=REASONING, tool_calls=[], refusal=None, audio=None, function_call=None),
        stop_reason=128001,
        token_ids=None,
        usage={**_usage(20, 7), "prompt_tokens_details": None},
        top={"prompt_logprobs": None, "kv_transfer_params": None, "service_tier": None},
    ),
    Fault.VLLM_ABORT: lambda answer: _shaped(_said(answer[:4]), finish="abort"),
    Fault.LM_STUDIO: lambda answer: _shaped(
        _said(answer, tool_calls=[], reasoning_content=""), usage={}, top={"stats": {}, "model_info": {"arch": "m"}}
    ),
    Fault.LM_STUDIO_CUT: lambda answer: _shaped(_said(answer), finish="maxPredictedTokensReached"),
    Fault.SAFETY: lambda answer: _shaped(_said(answer), finish="SAFETY"),
}
"""What servers of the protocol send that its description does not: a reply each, asked for once."""
