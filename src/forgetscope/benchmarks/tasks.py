"""The Inspect task of a benchmark, its arguments made from the benchmark's settings."""

import inspect
from collections.abc import Callable
from typing import TypeVar

from inspect_ai import Task, task

from forgetscope.core.settings import Settings, checked, declarations, plain

SettingsT = TypeVar("SettingsT", bound=Settings)

DATA_SHA256 = "data_sha256"
"""The argument that `forgetscope run` fills in: part of the task's identity, so that changed data are another task."""


def task_from_settings(
    name: str,
    about: str,
    kind: type[SettingsT],
    build: Callable[[SettingsT], Task],
    data_sha256: Callable[[SettingsT], str],
) -> Callable[..., Task]:
    """A function as Inspect wants it: an argument a setting, registered as `forgetscope/NAME`.

    Args:
        name: The task's, an identifier.
        about: What it asks, a sentence.
        kind: The settings.
        build: The task of settings; the registered function belongs to its module.
        data_sha256: The hash of the data of settings.
    """

    def made(**given: object) -> Task:
        planned = given.pop(DATA_SHA256, "")
        settings = checked(kind, given)
        if planned and data_sha256(settings) != planned:
            raise ValueError(f"the data of {settings.data} are not what the run was planned with")
        return build(settings)

    made.__name__ = made.__qualname__ = name
    made.__module__ = build.__module__
    helps = [f"{field}: {declared.full_help}" for field, declared in declarations(kind).items()]
    made.__doc__ = "\n    ".join([about, "", "Args:", *(f"    {line}" for line in helps)])
    made.__signature__ = _signature(kind)  # type: ignore[attr-defined]  # what Inspect reads
    registered = task(made)
    setattr(registered, DATA_SHA256, data_sha256)
    return registered


def task_of(registered: Callable[..., Task], settings: Settings) -> Task:
    """The task of these settings, with the hash of its data among its arguments.

    Args:
        registered: What `task_from_settings` made.
        settings: Of the kind it was made for.
    """
    data_sha256: Callable[[Settings], str] = getattr(registered, DATA_SHA256)
    values = {name: plain(value) for name, value in settings.model_dump().items()}
    return registered(**values, data_sha256=data_sha256(settings))


def _signature(kind: type[Settings]) -> inspect.Signature:
    fields = {name: plain(kind.model_fields[name].default) for name in declarations(kind)} | {DATA_SHA256: ""}
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [inspect.Parameter(name, keyword, default=default) for name, default in fields.items()],
        return_annotation=Task,
    )
