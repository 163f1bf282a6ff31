"""What may be asked of models of ours: arguments they know, and of Inspect's options those they offer."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from inspect_ai.model import GenerateConfig
from inspect_ai.tool import ToolInfo
from pydantic import BaseModel, ValidationError

from forgetbench.errors import SettingError

Args = TypeVar("Args", bound=BaseModel)


def refuse_unoffered(
    model: str, tools: Sequence[ToolInfo], config: GenerateConfig, further: Mapping[str, bool] | None = None
) -> None:
    """Raise where a request asks for what none of our models offers, or for one of `further` that this one lacks.

    Args:
        model: As the user named it.
        tools: Offered to the model.
        config: Of the request.
        further: By the name of an option, whether it is asked for.

    Raises:
        SettingError: an option is asked for that would be ignored.
    """
    asked = {"tools": bool(tools), "num_choices": config.num_choices not in (None, 1), **(further or {})}
    for name, is_asked in asked.items():
        if is_asked:
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
            where=f"-M of forgetbench/{model}",
            found=first["input"],
            allowed=sorted(kind.model_fields),
            next_step=next_step or None,
        ) from None
