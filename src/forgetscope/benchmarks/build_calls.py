"""Every reply of the builder as it arrives, on disk before anything is done with it: what was paid for is kept.

One line a call: what was asked of whom for which row at which attempt, and the reply. A build that was killed gives
the kept replies back instead of asking again; a finished one leaves the journal as the record of how its items came
about.
"""

import hashlib
import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from forgetscope.core.outcomes import FinishReason
from forgetscope.io.journal import Journal

CALLS_NAME = "calls.jsonl"


class Call(BaseModel):
    """One call of the builder, or of the model that answers for gates.

    Attributes:
        key: Hash of all that makes the call what it is: model, decoding, messages.
        attempt: 1, or 2 after a reply that could not be read.
        reply: Without the model's reasoning, which stands beside it.
        seconds: The model's own, not the waiting for a place.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    row: str
    step: str
    attempt: int
    model: str
    prompts: str
    reply: str
    reasoning: str = ""
    finish: FinishReason
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class CallJournal:
    """The calls of a build folder.

    Args:
        folder: Where the journal lies; must exist.

    Raises:
        RunFolderError: the file cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self._journal: Journal[Call] = Journal(folder / CALLS_NAME, Call, "replies")
        self._journal.require_writable()
        self._calls = {_place(call): call for _, call in self._journal.earlier()}

    def take(self, row: str, step: str, attempt: int, key: str) -> Call | None:
        """The reply an earlier process got for this call."""
        return self._calls.get((row, step, attempt, key))

    def keep(self, call: Call) -> None:
        """Append a call; it outlives the process from here on.

        Raises:
            RunFolderError: the disk is full, or the folder gone.
        """
        self._journal.append(call)
        self._calls[_place(call)] = call

    def __len__(self) -> int:
        return len(self._calls)


def _place(call: Call) -> tuple[str, str, int, str]:
    return call.row, call.step, call.attempt, call.key


def call_key(*parts: object) -> str:
    """A hash over parts that JSON can carry."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
