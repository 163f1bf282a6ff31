"""IFEval's own schema of prompts, read as it is."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from forgetscope.checkers.record import Checker
from forgetscope.checkers.registry import CONSTRAINTS
from forgetscope.core.errors import DataError, UserError
from forgetscope.io.records import read_objects


class PromptSpec(BaseModel):
    """One prompt with its instructions.

    `kwargs[i]` belongs to `instruction_id_list[i]`; the same type may occur twice. Nulls, with which the Hugging Face
    form pads every entry, are dropped. Further fields of a row are ignored, as the reference does.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    key: int | str
    prompt: str = Field(min_length=1)
    instruction_id_list: tuple[str, ...] = Field(min_length=1)
    kwargs: tuple[Mapping[str, object], ...]

    @field_validator("kwargs", mode="after")
    @classmethod
    def _drop_nulls(cls, value: tuple[Mapping[str, object], ...]) -> tuple[Mapping[str, object], ...]:
        return tuple({name: entry for name, entry in kwargs.items() if entry is not None} for kwargs in value)

    @model_validator(mode="after")
    def _instructions_can_be_checked(self) -> "PromptSpec":
        if len(self.kwargs) != len(self.instruction_id_list):
            raise ValueError(f"{len(self.instruction_id_list)} instructions but {len(self.kwargs)} kwargs")
        self.checkers()
        return self

    def checkers(self) -> tuple[Checker, ...]:
        """One checker per instruction, in order."""
        return tuple(
            CONSTRAINTS[instruction_id].bind(kwargs)
            for instruction_id, kwargs in zip(self.instruction_id_list, self.kwargs, strict=True)
        )


def read_prompts(path: Path) -> list[PromptSpec]:
    """The prompts of an IFEval file (JSONL), in order.

    Raises:
        DataError: With file and line: a malformed line, an unknown constraint, `kwargs` that do not fit, a key
            used twice; or an empty file.
    """
    prompts: list[PromptSpec] = []
    seen: dict[int | str, str] = {}
    for where, row in read_objects(path):
        try:
            spec = PromptSpec.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            message = first["msg"].removeprefix("Value error, ")
            raise DataError(f"{field}: {message}" if field else message, where=where) from None
        except UserError as error:
            raise DataError(str(error), where=where) from None
        if spec.key in seen:
            raise DataError(f"key used before, at {seen[spec.key]}", where=where, found=spec.key)
        seen[spec.key] = where
        prompts.append(spec)
    return prompts
