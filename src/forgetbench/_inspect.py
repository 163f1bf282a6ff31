"""What Inspect AI finds when it loads forgetbench's entry point: the model provider and the tasks.

Models load their engines at first use; a task brings what scores it, about a second of imports.
"""

import sys
from types import TracebackType
from typing import cast

from inspect_ai.model import ModelAPI, modelapi

from forgetbench.benchmarks.in_context.task import in_context
from forgetbench.benchmarks.prospective.task import prospective
from forgetbench.benchmarks.visual.task import visual
from forgetbench.errors import UserError

__all__ = ["forgetbench", "in_context", "prospective", "visual"]


@modelapi(name="forgetbench")
def forgetbench() -> type[ModelAPI]:
    """``forgetbench/smollm2``, ``forgetbench/gguf``, ...: who answers to which name stands in `models.provider`."""
    from forgetbench.models.provider import create_model

    # Inspect calls what it gets here like a class; a function that picks the class does as well.
    return cast(type[ModelAPI], create_model)


def _say_plainly() -> None:
    """Under `inspect`, what a user can mend ends the program in one line, as under `forgetbench`; exit code 1."""
    shown = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if isinstance(error, UserError):
            print(f"forgetbench: {error}", file=sys.stderr)
        else:
            shown(kind, error, traceback)

    sys.excepthook = hook


_say_plainly()
