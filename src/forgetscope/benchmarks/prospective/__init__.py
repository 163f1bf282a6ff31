"""Prospective memory under load: is a format kept when there is also work to do?

`README.md` says what is measured. `settings` to `plan` to `task` is a run; `data` and `loads` make what is asked,
`scoring` reads a reply, `metrics` goes from the table to figures, `report` to words, tables and charts, `validation`
calibrates. A constraint is a record in `forgetscope.checkers.constraints`, a load one in `loads`.
"""

__all__ = ["prospective"]


def __getattr__(name: str) -> object:
    """The Inspect task, imported where it is asked for: it brings what scores it."""
    if name == "prospective":
        from forgetscope.benchmarks.prospective.task import prospective

        return prospective
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
