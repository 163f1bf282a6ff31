"""What Inspect AI finds when it loads forgetscope's entry point: the model provider and the tasks.

Models load their engines at first use; a task brings what scores it, about a second of imports.
"""

import sys
from types import TracebackType
from typing import cast

from inspect_ai.model import ModelAPI, modelapi

from forgetscope.benchmarks.in_context.task import in_context
from forgetscope.benchmarks.prospective.task import prospective
from forgetscope.benchmarks.visual.task import visual
from forgetscope.core.errors import UserError

__all__ = ["forgetscope", "in_context", "prospective", "visual"]


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
