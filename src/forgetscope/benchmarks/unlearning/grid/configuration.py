"""The configuration of a grid: which cells there are, and how each is trained, evaluated and run.

A file is YAML or TOML; every key is checked, an unknown one is named. Settings a file leaves out come from its preset,
which fixes what the paper fixes for a corpus (section 4.2, protocols.md section 4).
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias, get_args

import yaml  # type: ignore[import-untyped]
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from forgetscope.benchmarks.unlearning.data.preparation import DataSettings
from forgetscope.benchmarks.unlearning.data.records import RetainSubset
from forgetscope.benchmarks.unlearning.evaluation.base import EvaluationSettings
from forgetscope.benchmarks.unlearning.grid.cells import AnyMethod
from forgetscope.benchmarks.unlearning.methods import OF_THE_PAPER, read_method
from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.training.loop import ExecutionSettings, Semantics, TrainingSettings
from forgetscope.benchmarks.unlearning.training.target import TargetSettings
from forgetscope.core.errors import DataError, SettingError

Preset: TypeAlias = Literal["embedded", "news", "books"]

PRESETS: Mapping[Preset, Mapping[str, Mapping[str, object]]] = {
    "embedded": {
        "training": {"epochs": 5, "learning_rate": 7e-4, "batch_size": 4, "precision": "float32"},
        "data": {"chunk_tokens": 176},
        "target": {"precision": "float32", "teaches_triplets": True},
        "evaluation": {"relearning": {"learning_rate": 7e-4}},
    },
    "news": {
        "training": {"epochs": 5, "learning_rate": 2e-5, "batch_size": 4},
        "data": {"chunk_tokens": 2048},
        "target": {},
        "evaluation": {"prompt": "few_shot", "answer_cue": "Answer: "},
    },
    "books": {
        "training": {"epochs": 2, "learning_rate": 2e-5, "batch_size": 4},
        "data": {"chunk_tokens": 2048},
        "target": {},
        "evaluation": {"prompt": "few_shot", "answer_cue": "Answer: "},
    },
}
"""`news` and `books` are the paper's. `embedded` has a learning rate that suits a model of a million weights, and
chunks that hold one article in every format, so that an epoch is about as many steps in each; it is the same in all
processors' precision."""

EPOCHS_FACTOR: Mapping[str, int] = {"triplets": 2}
"""Triplets are trained on for twice the epochs, as they hold far fewer tokens (paper, section 4.2)."""

TAGS = frozenset({"source", "format"})
"""Fields that tell the models of one place apart."""


class Experiment(BaseModel):
    """A corpus with the model that knows it.

    Attributes:
        data: Corpus, chunks, formats, entanglement.
        target: The model to be unlearned.
        retain_only: A model that never knew the forget side, to judge privacy leakage against; None for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: DataSettings = DataSettings()
    target: TargetSettings = TargetSettings()
    retain_only: TargetSettings | None = None

    @field_validator("retain_only")
    @classmethod
    def _knows_retain_only(cls, value: TargetSettings | None) -> TargetSettings | None:
        if value is not None and value.fit is not None and value.sides != "retain":
            raise ValueError("a model that is fitted here as retain_only needs sides: retain")
        return value


def _methods_of_the_paper() -> tuple[Method, ...]:
    return tuple(read_method(name) for name in OF_THE_PAPER)


class GridSettings(BaseModel):
    """A grid: every combination of the first group of settings is a cell.

    Attributes:
        preset: Where settings that are left out come from.
        experiments: Corpora with their targets.
        methods, semantics, retain_subsets, seeds: To be combined.
        formats: Of the forget side; empty: all that the data has.
        learning_rates, lambdas, epochs: Where there are several; empty: the one of `training`.
        epochs_factor: By format; epochs are multiplied by it.
        training, evaluation: The same for all cells.
        execution: How this machine does it; no part of a cell's configuration.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: Preset = "embedded"
    experiments: tuple[Experiment, ...] = Field(default=(Experiment(),), min_length=1)
    methods: tuple[AnyMethod, ...] = Field(default_factory=_methods_of_the_paper, min_length=1)
    formats: tuple[str, ...] = ()
    retain_subsets: tuple[RetainSubset, ...] = Field(default=tuple(RetainSubset), min_length=1)
    semantics: tuple[Semantics, ...] = Field(default=("proper",), min_length=1)
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    learning_rates: tuple[float, ...] = ()
    lambdas: tuple[float, ...] = ()
    epochs: tuple[int, ...] = ()
    epochs_factor: dict[str, int] = dict(EPOCHS_FACTOR)
    training: TrainingSettings = TrainingSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
    execution: ExecutionSettings = ExecutionSettings()

    @model_validator(mode="before")
    @classmethod
    def _fill_from_preset(cls, row: Any) -> Any:
        if not isinstance(row, Mapping):
            return row
        filled = dict(row)
        preset = PRESETS.get(filled.get("preset", "embedded"))
        if preset is None:
            return row
        for part in ("training", "evaluation"):
            filled[part] = _under(filled.get(part, {}), preset[part])
        experiments = filled.get("experiments", [{}])
        if isinstance(experiments, list | tuple):
            filled["experiments"] = [
                {**one, **{part: _under(one.get(part, {}), preset[part]) for part in ("data", "target")}}
                if isinstance(one, Mapping)
                else one
                for one in experiments
            ]
        return filled

    @model_validator(mode="after")
    def _formats_exist(self) -> Self:
        for experiment in self.experiments:
            made = [form.format for form in experiment.data.formats]
            missing = sorted(set(self.formats) - set(made))
            if missing:
                raise ValueError(f"formats {', '.join(missing)} are not among those of the data: {', '.join(made)}")
        return self


def _under(given: Any, preset: Mapping[str, object]) -> Any:
    """Settings of a preset with what was given on top, level by level."""
    if not isinstance(given, Mapping):
        return given
    merged: dict[str, object] = dict(preset)
    for name, value in given.items():
        below = preset.get(name)
        merged[name] = _under(value, below) if isinstance(below, Mapping) else value
    return merged


def read_settings(path: Path) -> GridSettings:
    """The settings of a configuration file, `.yaml`, `.yml` or `.toml`.

    Raises:
        DataError: missing, unreadable, or neither YAML nor TOML.
        SettingError: an unknown key, or a value that cannot be meant; names the key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataError("no such configuration", where=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError("the configuration cannot be read", where=str(path), found=str(error)) from None
    try:
        match path.suffix:
            case ".toml":
                row: object = tomllib.loads(text)
            case ".yaml" | ".yml":
                row = yaml.safe_load(text)
            case suffix:
                raise DataError(
                    "unknown kind of configuration", where=str(path), found=suffix, allowed=".yaml, .yml or .toml"
                )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f":{mark.line + 1}" if mark is not None else ""
        raise DataError("the configuration cannot be parsed", where=f"{path}{line}", found=error.problem) from None
    except (tomllib.TOMLDecodeError, yaml.YAMLError) as error:
        raise DataError("the configuration cannot be parsed", where=str(path), found=str(error)) from None
    return settings_of(row if row is not None else {}, where=str(path))


def settings_of(row: object, *, where: str = "configuration") -> GridSettings:
    """Settings from plain values.

    Raises:
        SettingError: an unknown key, or a value that cannot be meant; names the key.
    """
    try:
        return GridSettings.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        location = first["loc"]
        name = ".".join(str(part) for part in location)
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
                what, found = f"{first['msg'][0].lower()}{first['msg'][1:]}", first["input"]
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
