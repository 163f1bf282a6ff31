"""What every checker shares: verdicts, the two behaviours, relations."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, assert_never

from pydantic import BeforeValidator, Field

from forgetscope.core.errors import UnknownNameError


class Behaviour(StrEnum):
    """Which reading of a constraint is applied.

    `REFERENCE` gives the verdicts of the public IFEval implementation, oddities included. `REPAIRED` differs only
    where that implementation is unstable or wrong; each checker's docstring says where, how and why.
    """

    REFERENCE = "reference"
    REPAIRED = "repaired"


class Relation(StrEnum):
    """How a count is compared; IFEval knows these two and no other."""

    LESS_THAN = "less than"
    AT_LEAST = "at least"

    @property
    def in_words(self) -> str:
        """As a prompt puts it: `fewer than`."""
        return "fewer than" if self is Relation.LESS_THAN else self.value

    def holds(self, count: int, asked: int) -> bool:
        """Whether `count` stands in this relation to `asked`."""
        match self:
            case Relation.LESS_THAN:
                return count < asked
            case Relation.AT_LEAST:
                return count >= asked
        assert_never(self)


def known_relation(value: object) -> Relation:
    """The relation of this name.

    Raises:
        UnknownNameError: IFEval has no such relation.
    """
    try:
        return Relation(value)  # type: ignore[arg-type]
    except ValueError:
        raise UnknownNameError("unknown relation", found=value, allowed=[*Relation]) from None


RelationField = Annotated[Relation, BeforeValidator(known_relation)]
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


_STRAIGHT = str.maketrans("“”„‘’", '"""\'\'')


def straight_quotes(text: str) -> str:
    """The text with straight quotation marks and apostrophes in place of curly ones; as long as it was."""
    return text.translate(_STRAIGHT)
