"""In-context forgetting: does a model forget on request in a dialogue, and still know the rest?

`benchmark` is the one value the rest of the package knows it by. Rooms as in every benchmark: `settings`, `prompts`,
`plan`, `task`, `data`, `scoring`, `metrics`, `report`, `validation`; its own: `construction`, which makes items with a
language model. The README says how to add a scenario or a metric.
"""

__all__ = ["in_context"]


def __getattr__(name: str) -> object:
    """The Inspect task, imported where it is asked for: it brings what scores it."""
    if name == "in_context":
        from forgetscope.benchmarks.in_context.task import in_context

        return in_context
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
