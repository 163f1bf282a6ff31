"""The Inspect task of a benchmark, its arguments made from the benchmark's settings."""

import functools
import inspect
from collections.abc import Callable
from typing import TypeVar

from inspect_ai import Task

from forgetscope.core.settings import Settings, checked, declarations, plain

SettingsT = TypeVar("SettingsT", bound=Settings)

DATA_SHA256 = "data_sha256"
"""The argument that `forgetscope run` fills in: part of the task's identity, so that changed data are another task."""


def settings_as_arguments(
    kind: type[SettingsT], data_sha256: Callable[[SettingsT], str]
) -> Callable[[Callable[[SettingsT], Task]], Callable[..., Task]]:
    """Below Inspect's `@task`: a function of settings becomes one with an argument a setting, as Inspect wants it.

    Args:
        kind: The settings.
        data_sha256: The hash of the data of settings.
    """

    def decorate(build: Callable[[SettingsT], Task]) -> Callable[..., Task]:
        @functools.wraps(build)
        def made(**given: object) -> Task:
            planned = given.pop(DATA_SHA256, "")
            given.pop("model", None)  # which Inspect hands to every task
            settings = checked(kind, given)
            if planned and data_sha256(settings) != planned:
                raise ValueError(f"the data of {settings.data} are not what the run was planned with")
            return build(settings)

        helps = [f"{field}: {declared.full_help}" for field, declared in declarations(kind).items()]
        made.__doc__ = "\n    ".join([build.__doc__ or "", "", "Args:", *(f"    {line}" for line in helps)])
        made.__signature__ = _signature(kind)  # type: ignore[attr-defined]  # what Inspect reads
        setattr(made, DATA_SHA256, data_sha256)
        return made

    return decorate


def task_of(registered: Callable[..., Task], settings: Settings) -> Task:
    """The task of these settings, with the hash of its data among its arguments.

    Args:
        registered: A task whose arguments `settings_as_arguments` made.
        settings: Of the kind it was made for.
    """
    data_sha256: Callable[[Settings], str] = getattr(registered, DATA_SHA256)
    values = {name: plain(value) for name, value in settings.model_dump().items()}
    return registered(**values, data_sha256=data_sha256(settings))


def _signature(kind: type[Settings]) -> inspect.Signature:
    fields = {name: plain(kind.model_fields[name].default) for name in declarations(kind)} | {DATA_SHA256: ""}
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [
            *(inspect.Parameter(name, keyword, default=default) for name, default in fields.items()),
            inspect.Parameter("others", inspect.Parameter.VAR_KEYWORD),  # else Inspect leaves out what is misspelt
        ],
        return_annotation=Task,
    )
