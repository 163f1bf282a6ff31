"""Visual concept suppression: told to forget a concept, does a vision-language model forget it or only obey?"""

__all__ = ["visual"]


def __getattr__(name: str) -> object:
    """The Inspect task, imported where it is asked for: it brings what scores it."""
    if name == "visual":
        from forgetscope.benchmarks.visual.task import visual

        return visual
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
