"""Who answers for `forgetscope/reference/NAME`: a benchmark registers a responder, which knows the items of its run in
this process and writes each named one's reply. Inspect is not imported for it."""

from collections.abc import Callable, Sequence
from hashlib import sha256

Responder = Callable[[str, Sequence[tuple[str, str]]], str | None]
"""From a reference model's name and the conversation, as roles and texts, to its reply; None for one it does not know.

A picture stands before the text of its turn, as `PICTURE` and its `picture_name`.
"""

PICTURE = "picture"
"""The role a conversation gives to a picture."""

RESPONDERS: dict[str, tuple[frozenset[str], Responder]] = {}
"""The names each benchmark answers for, and who does."""


def picture_name(image: str) -> str:
    """What a picture is known by: the SHA-256 of its data URI."""
    return sha256(image.encode()).hexdigest()


def register_responder(benchmark: str, names: frozenset[str], responder: Responder) -> None:
    """Let a benchmark answer for its reference models' names."""
    RESPONDERS[benchmark] = (names, responder)


def reference_names() -> list[str]:
    """Names of all reference models registered so far."""
    return sorted({name for names, _ in RESPONDERS.values() for name in names})
