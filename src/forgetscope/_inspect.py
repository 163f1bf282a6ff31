"""What Inspect AI finds when it loads forgetscope's entry point: the model provider and the tasks.

Models load their engines at first use; a task brings what scores it, about a second of imports.
"""

import sys
from collections.abc import Callable
from types import TracebackType
from typing import cast

from inspect_ai import Task
from inspect_ai.model import ModelAPI, modelapi

from forgetscope.benchmarks import BENCHMARKS
from forgetscope.benchmarks.unlearning.task import unlearning
from forgetscope.core.errors import UserError

TASKS: dict[str, Callable[..., Task]] = {
    **{benchmark.task_name: benchmark.task_function() for benchmark in BENCHMARKS.values()},
    "unlearning": unlearning,
}
"""Those of every benchmark, plug-ins too, by name; importing them registers them."""


@modelapi(name="forgetscope")
def forgetscope() -> type[ModelAPI]:
    """``forgetscope/smollm2``, ``forgetscope/gguf``, ...: who answers to which name stands in `models.provider`."""
    from forgetscope.models.provider import create_model

    # Inspect calls what it gets here like a class; a function that picks the class does as well.
    return cast(type[ModelAPI], create_model)


def _say_plainly() -> None:
    """Under `inspect`, what a user can mend ends the program in one line, as under `forgetscope`; exit code 1."""
    shown = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if isinstance(error, UserError):
            print(f"forgetscope: {error}", file=sys.stderr)
        else:
            shown(kind, error, traceback)

    sys.excepthook = hook


_say_plainly()
