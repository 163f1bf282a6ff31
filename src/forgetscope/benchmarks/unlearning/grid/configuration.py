"""The configuration of a grid: which cells there are, and how each is trained, evaluated and run.

A file is YAML or TOML; every key is checked, an unknown one is named. Settings a file leaves out come from its preset,
which fixes what the paper fixes for a corpus (section 4.2, protocols.md section 4).
"""

from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from forgetscope.benchmarks.unlearning.data.corpora import SOURCES
from forgetscope.benchmarks.unlearning.formats import FORMATS
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.core.errors import SettingError, refused_value
from forgetscope.io.received import read_settings_file

TAGS = frozenset({"source", "format"})
"""Fields that tell the models of one place apart."""

_TAG_VALUES = frozenset({*SOURCES, *FORMATS})
"""What pydantic puts into a place beside the keys that a user wrote."""


def read_settings(path: Path) -> GridSettings:
    """The settings of a configuration file, `.yaml`, `.yml`, `.toml` or `.json`.

    Raises:
        DataError: missing, unreadable, or none of these.
        SettingError: an unknown key, or a value that cannot be meant; names the key.
    """
    row = read_settings_file(path)
    return settings_of(row if row is not None else {}, where=str(path))


def settings_of(row: object, *, where: str = "configuration") -> GridSettings:
    """Settings from plain values.

    Raises:
        SettingError: an unknown key, or a value that cannot be meant; names the key.
    """
    try:
        return GridSettings.model_validate(row)
    except ValidationError as error:
        errors = error.errors()
        first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
        location = first["loc"]
        name = ".".join(str(part) for part in location if part not in _TAG_VALUES)
        where = f"{where}: {name}" if name else where
        what: str
        found: object
        match first["type"]:
            case "extra_forbidden":
                what, found = "unknown key", location[-1]
            case "value_error":
                what, found = str(first["ctx"]["error"]), None
            case "union_tag_invalid":
                context = first["ctx"]
                what, found = f"unknown {context['discriminator'].strip(chr(39))}", context["tag"]
            case _:
                what, found = f"{first['msg'][0].lower()}{first['msg'][1:]}", refused_value(first)
        allowed: str | tuple[str, ...] | None = None
        if first["type"] == "extra_forbidden":
            allowed = _fields_at(location[:-1])
        elif first["type"] == "union_tag_invalid":
            allowed = str(first["ctx"]["expected_tags"])
        raise SettingError(what, where=where, found=found, allowed=allowed or None) from None


def _fields_at(location: tuple[int | str, ...]) -> tuple[str, ...]:
    """The keys allowed where an unknown one was found."""
    models: list[type[BaseModel]] = [GridSettings]
    for part in location:
        if isinstance(part, int):
            continue
        below = [one for model in models if part in model.model_fields for one in _models_in(model, part)]
        told_apart = [
            model
            for model in models
            if part in [model.model_fields[name].default for name in TAGS & model.model_fields.keys()]
        ]
        models = below or told_apart or models
    return tuple(dict.fromkeys(name for model in models for name in model.model_fields))


def _models_in(model: type[BaseModel], field: str) -> list[type[BaseModel]]:
    """The models a field may hold."""
    found: list[type[BaseModel]] = []
    waiting: list[Any] = [model.model_fields[field].annotation]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, type) and issubclass(one, BaseModel):
            found.append(one)
        waiting.extend(get_args(one))
    return found
