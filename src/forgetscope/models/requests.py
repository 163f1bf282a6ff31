"""What may be asked of models of ours: arguments they know, and of Inspect's options those they offer."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from inspect_ai.model import GenerateConfig
from inspect_ai.tool import ToolInfo
from pydantic import BaseModel, ValidationError

from forgetscope.core.errors import SettingError, refused_value

Args = TypeVar("Args", bound=BaseModel)


SINGLE = ("num_choices", "best_of")
"""Options of which one is what everybody offers."""

LACKING_TEXT_CONTROLS = ("response_schema", "stop_seqs", "logit_bias", "frequency_penalty", "presence_penalty")
"""What a model without constrained or penalised decoding does not offer."""


def refuse_unoffered(model: str, tools: Sequence[ToolInfo], config: GenerateConfig, lacking: Sequence[str]) -> None:
    """Raise where a request asks for tools, for several choices, or for one of the options that this model lacks.

    Args:
        model: As the user named it.
        tools: Offered to the model.
        config: Of the request.
        lacking: Fields of `config` that would be ignored.

    Raises:
        SettingError: an option is asked for that would be ignored.
    """
    asked: dict[str, object] = {"tools": tools, **{name: getattr(config, name) for name in ("num_choices", *lacking)}}
    for name, value in asked.items():
        if value and not (name in SINGLE and value == 1):
            raise SettingError("this model does not offer this option", where=model, found=name)


def read_args(kind: type[Args], given: Mapping[str, object], model: str, *, next_step: str = "") -> Args:
    """The validated arguments of `-M key=value`.

    Raises:
        SettingError: an unknown argument, or a value that cannot be meant.
    """
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise SettingError(
            f"model argument {'.'.join(str(part) for part in first['loc'])}: {first['msg']}",
            where=f"-M of forgetscope/{model}",
            found=refused_value(first),
            allowed=sorted(kind.model_fields),
            next_step=next_step or None,
        ) from None
