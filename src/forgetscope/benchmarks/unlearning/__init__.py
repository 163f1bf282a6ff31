"""Controllable unlearning: what the format of the forget set, and its entanglement with what is kept, change."""

__all__ = ["unlearning"]


def __getattr__(name: str) -> object:
    """The Inspect task, imported where it is asked for: it brings what scores it."""
    if name == "unlearning":
        from forgetscope.benchmarks.unlearning.task import unlearning

        return unlearning
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
