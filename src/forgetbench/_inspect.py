"""What Inspect AI finds when it loads forgetbench's entry point: the model provider (and the tasks).

Inspect imports this module whenever it looks for anything registered, so nothing heavy may load here.
"""

from typing import cast

from inspect_ai.model import ModelAPI, modelapi

from forgetbench.benchmarks.prospective.task import prospective

__all__ = ["forgetbench", "prospective"]


@modelapi(name="forgetbench")
def forgetbench() -> type[ModelAPI]:
    """``forgetbench/smollm2``, ``forgetbench/gguf``, ...: who answers to which name stands in `models.provider`."""
    from forgetbench.models.provider import create_model

    # Inspect calls what it gets here like a class; a function that picks the class does as well.
    return cast(type[ModelAPI], create_model)
