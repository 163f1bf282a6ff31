"""One short request before a run: whether somebody is there, knows the model, and takes pictures where there are some.

Without it a run would meet a server that is gone, a model that nobody has, or one without eyes sample by sample. What
passes by itself (too many requests, a server that is still loading) ends no run here: the run has its own patience.
"""

import asyncio
import base64
import os
import socket
import struct
import warnings
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING

from forgetscope.core.errors import ForgetscopeWarning, MissingPartError, SettingError
from forgetscope.core.refusals import is_refusal
from forgetscope.models.received import RedirectedError

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, Model, ModelOutput

ASKED = "Reply with the word yes."
ASKED_OF_PICTURE = "Which colour is this picture? Reply with one word."
COLOUR = "red"
SECONDS = 60
"""After which the run begins all the same: a server may take minutes to load a model."""

STARTED_HERE = frozenset({"forgetscope", "hf", "vllm", "sglang", "transformer_lens", "nnterp", "mockllm"})
"""Providers whose models run on this machine where no address is given: nobody to find, and slow to start twice."""

PASSING = frozenset({408, 409, 425, 429})
"""Refusals that say nothing of the next request."""


STARTS_A_SERVER = frozenset({"vllm", "sglang"})
"""Providers that start a server of the package of their name where neither option nor variable gives an address."""


def is_asked(name: str, base_url: str | None = None) -> bool:
    """Whether a model is asked before a run: not one that runs here."""
    provider = name.partition("/")[0]
    return bool(base_url or _address_in_environment(provider)) or provider not in STARTED_HERE


def _address_in_environment(provider: str) -> str:
    return os.environ.get(f"{provider.upper()}_BASE_URL", "") if provider in STARTS_A_SERVER else ""


def require_startable(name: str, base_url: str | None, option: str) -> None:
    """See that a model's server can be started here, where nobody says that it runs elsewhere.

    Raises:
        MissingPartError: its package is not installed: Inspect would notice at every sample.
    """
    provider = name.partition("/")[0]
    if provider in STARTS_A_SERVER and not (base_url or _address_in_environment(provider) or find_spec(provider)):
        raise MissingPartError(
            f"{provider} is not installed, so no server of its own can be started",
            where=f"{option} {name}",
            next_step=f"pip install {provider}, or name a server: --model-base-url or {provider.upper()}_BASE_URL",
        )


def require_answer(model: "Model", config: "GenerateConfig", option: str, *, shows_picture: bool) -> None:
    """Ask a model one thing, as the run would; warns where it names another colour than the picture has.

    Args:
        model: Built for this alone: what it opens belongs to an event loop that ends here.
        config: Of the run's requests.
        option: What named it, for messages.
        shows_picture: Whether the request holds a picture.

    Raises:
        SettingError: nobody answers at its address, it says that it sees no picture, or it refuses the request as it
            would refuse all of the run's.
    """
    with ThreadPoolExecutor(1) as elsewhere:  # a notebook has a loop of its own that runs
        answer = elsewhere.submit(lambda: asyncio.run(_ask(model, config, shows_picture=shows_picture))).result()
    where = f"{option} {model}"
    if not isinstance(answer, Exception):
        if shows_picture and answer.completion.strip() and COLOUR not in answer.completion.casefold():
            replied = f"asked for the colour of a {COLOUR} picture, it said {answer.completion.strip()[:60]!r}"
            if is_refusal(answer.completion):  # a server that takes pictures and leaves them out
                raise SettingError(
                    f"{replied}, so nothing else was sent", where=where, next_step="a model that sees pictures"
                )
            warnings.warn(f"{where}: {replied}; does it see pictures?", ForgetscopeWarning, stacklevel=3)
        return
    said = " ".join(str(answer).split())[:300]
    status = _status(answer)
    if any(isinstance(cause, _nobody()) for cause in _causes(answer)):
        address = str(getattr(model.api, "base_url", None) or "its provider's address")
        raise SettingError(
            "nobody answers", where=where, found=address, next_step="start the server, or mend the address"
        )
    if isinstance(answer, RedirectedError):
        raise SettingError(said, where=where)
    if shows_picture and (_is_lasting(status) or any(word in said.casefold() for word in _OF_PICTURES)):
        raise SettingError(
            "it refused one short request with a picture, so nothing else was sent",
            where=where,
            found=said,
            next_step="a model that sees pictures, under a name that its server knows",
        )
    if _is_lasting(status):
        raise SettingError("it refused one short request, so nothing else was sent", where=where, found=said)


_OF_PICTURES = ("image", "vision", "multimodal", "mmproj")


def _is_lasting(status: int | None) -> bool:
    """Whether a refusal would meet every other request too."""
    return status is not None and 400 <= status < 500 and status not in PASSING


async def _ask(model: "Model", config: "GenerateConfig", *, shows_picture: bool) -> "ModelOutput | Exception":
    from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText

    asked: list[Content] = [ContentImage(image=_picture()), ContentText(text=ASKED_OF_PICTURE)]
    try:
        async with asyncio.timeout(SECONDS):
            result = await model.api.generate(
                input=[ChatMessageUser(content=asked if shows_picture else ASKED)],
                tools=[],
                tool_choice="none",
                config=model.config.merge(config),
            )
    except Exception as error:  # of a provider's own kind; what is not known to last is the run's to meet
        return error
    finally:
        await model.api.aclose()
    return result[0] if isinstance(result, tuple) else result


def _status(error: Exception) -> int | None:
    """The status of the answer that an error stands for, under the name its provider's package gives it."""
    found = (getattr(error, name, None) for name in ("status_code", "code", "status"))
    return next((status for status in found if isinstance(status, int)), None)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _nobody() -> tuple[type[BaseException], ...]:
    """What connecting raises where nobody listens, or no such place is known."""
    import httpx

    return httpx.ConnectError, httpx.ConnectTimeout, ConnectionRefusedError, socket.gaierror


def _picture(side: int = 128) -> str:
    """A square of one colour, as a data URI."""
    rows = (b"\0" + b"\xe0\x10\x10" * side) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    )
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)).decode()
