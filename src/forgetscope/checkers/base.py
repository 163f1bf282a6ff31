"""What every checker shares: verdicts, the two behaviours, categories, and the description of one instruction type."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeVar, assert_never

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from forgetscope.core.errors import DataError, UnknownNameError


class Behaviour(StrEnum):
    """Which reading of a constraint is applied.

    `REFERENCE` gives the verdicts of the public IFEval implementation, oddities included. `REPAIRED` differs only
    where that implementation is unstable or wrong; each checker's docstring says where, how and why.
    """

    REFERENCE = "reference"
    REPAIRED = "repaired"


class Category(StrEnum):
    """The eight categories of the paper's fifteen instruction types (prospective memory, Table 5)."""

    CASE = "case"
    KEYWORD = "keyword"
    TERMINAL = "terminal"
    STRUCTURAL = "structural"
    AVOIDANCE = "avoidance"
    COUNTING = "counting"
    LENGTH = "length"
    SEQUENTIAL = "sequential"


class Relation(StrEnum):
    """How a count is compared; IFEval knows these two and no other."""

    LESS_THAN = "less than"
    AT_LEAST = "at least"

    def holds(self, count: int, asked: int) -> bool:
        """Whether `count` stands in this relation to `asked`."""
        match self:
            case Relation.LESS_THAN:
                return count < asked
            case Relation.AT_LEAST:
                return count >= asked
        assert_never(self)


def _known_relation(value: object) -> Relation:
    try:
        return Relation(value)  # type: ignore[arg-type]
    except ValueError:
        raise UnknownNameError("unknown relation", found=value, allowed=[*Relation]) from None


RelationField = Annotated[Relation, BeforeValidator(_known_relation)]
Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether one reply follows one instruction, and if not, why and where.

    Attributes:
        followed: The instruction holds in the reply.
        reason: A phrase for a person ("7 bullets, 3 asked"); empty exactly when followed.
        span: Half-open character offsets into the reply where it broke; `None` when there is no one place.
    """

    followed: bool
    reason: str
    span: tuple[int, int] | None = None


FOLLOWED = Verdict(True, "")


def broken(reason: str, span: tuple[int, int] | None = None) -> Verdict:
    """A verdict that the instruction does not hold, with its reason."""
    return Verdict(False, reason, span)


def counted(number: int, noun: str) -> str:
    """`1 comma`, `3 commas`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def judge_count(
    count: int,
    relation: Relation,
    asked: int,
    noun: str,
    past_limit: tuple[int, int] | None = None,
    suffix: str = "",
) -> Verdict:
    """The verdict on a count: `3 words in capitals, fewer than 2 asked`.

    `past_limit` is where a `less than` was broken: the first occurrence that was one too many.
    """
    if relation.holds(count, asked):
        return FOLLOWED
    found = f"{counted(count, noun)} {suffix}".rstrip()
    match relation:
        case Relation.LESS_THAN:
            return broken(f"{found}, fewer than {asked} asked", past_limit)
        case Relation.AT_LEAST:
            return broken(f"{found}, at least {asked} asked")
    assert_never(relation)


class Parameters(BaseModel):
    """The `kwargs` of one instruction; every type has its own subclass. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoParameters(Parameters):
    """For instruction types that take no `kwargs`."""


P = TypeVar("P", bound=Parameters)
Checker = Callable[[str, Behaviour], Verdict]


@dataclass(frozen=True, slots=True)
class InstructionType:
    """One registered instruction type; made by `instruction_type`.

    Attributes:
        instruction_id: IFEval's id, such as `detectable_format:number_bullet_lists`.
        name: The paper's short name (Table 5), such as `num_bullet_lists`; the end of the id for the other ten.
        category: Category of Table 5; `None` for the ten types the paper leaves out.
        counts: Whether obeying needs counting (Table 5, last column; ours for the other ten).
        kwargs_model: The pydantic model of its `kwargs`.
        bind: Reads `kwargs` once and gives the checker of a reply.
    """

    instruction_id: str
    name: str
    category: Category | None
    counts: bool
    kwargs_model: type[Parameters]
    bind: Callable[[Mapping[str, object]], Checker]

    @property
    def in_paper(self) -> bool:
        """Whether it is one of the paper's fifteen."""
        return self.category is not None


def read_parameters(instruction_id: str, model: type[P], kwargs: Mapping[str, object]) -> P:
    """Validate the `kwargs` of one instruction; nulls are dropped, as the Hugging Face form pads with them.

    Raises:
        DataError: A field is missing, unknown or of the wrong kind.
        UnknownNameError: A relation or language nobody knows.
    """
    try:
        return model.model_validate({name: value for name, value in kwargs.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise DataError(
            f"kwargs of {instruction_id}, field {field!r}: {first['msg'][0].lower()}{first['msg'][1:]}",
            found=dict(kwargs),
            allowed=", ".join(model.model_fields) or "no fields",
        ) from None


def instruction_type(
    instruction_id: str,
    kwargs_model: type[P],
    judge: Callable[[P, str, Behaviour], Verdict],
    *,
    name: str | None = None,
    category: Category | None = None,
    counts: bool = False,
) -> InstructionType:
    """Describe an instruction type from the model of its `kwargs` and the function that judges a reply.

    An empty or blank reply never follows, whatever the instruction: that rule is applied here, once.
    """

    def bind(kwargs: Mapping[str, object]) -> Checker:
        parameters = read_parameters(instruction_id, kwargs_model, kwargs)

        def check(reply: str, behaviour: Behaviour) -> Verdict:
            if not reply.strip():
                return broken("the reply is empty")
            return judge(parameters, reply, behaviour)

        return check

    short = name if name is not None else instruction_id.partition(":")[2]
    return InstructionType(instruction_id, short, category, counts, kwargs_model, bind)
