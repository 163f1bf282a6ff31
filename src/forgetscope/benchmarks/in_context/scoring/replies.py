"""What a sample brought back: the scored answer, and where there are any, the calls before and after it."""

from dataclasses import dataclass

from forgetscope.core.results import Completion


@dataclass(frozen=True)
class Replies:
    """What a sample brought back: the scored answer, and where there are any, the calls before and after it.

    Attributes:
        first: The live answer to the original instruction.
        reask: The answer when asked once more.
    """

    answer: Completion
    first: Completion | None = None
    reask: Completion | None = None
