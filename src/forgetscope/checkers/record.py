"""The record of one constraint: everything the package knows of it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from forgetscope.checkers.base import Behaviour, Verdict, broken, known_relation
from forgetscope.checkers.wishes import Wishes
from forgetscope.core.errors import DataError


class Category(StrEnum):
    """The eight categories of the paper's fifteen constraint types (prospective memory, Table 5)."""

    CASE = "case"
    KEYWORD = "keyword"
    TERMINAL = "terminal"
    STRUCTURAL = "structural"
    AVOIDANCE = "avoidance"
    COUNTING = "counting"
    LENGTH = "length"
    SEQUENTIAL = "sequential"


class Parameters(BaseModel):
    """The `kwargs` of one constraint; every type has its own subclass. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoParameters(Parameters):
    """For constraints that take no `kwargs`."""


P = TypeVar("P", bound=Parameters)
Checker = Callable[[str, Behaviour], Verdict]


def no_breach_of_its_own(_: object, __: str) -> Iterable[str]:
    """For constraints that an ordinary text breaks."""
    return ()


@dataclass(frozen=True)
class Constraint(Generic[P]):
    """One type of constraint.

    Attributes:
        instruction_id: IFEval's or IFBench's id, such as `detectable_format:number_bullet_lists`; a plug-in's name.
        parameters: The pydantic model of its `kwargs`.
        judge: Whether a reply that is not blank follows, in the two behaviours.
        wording: How a prompt asks for it, in our words, with fields of `kwargs` in braces. A list stands there with
            commas, a relation (a field whose name ends so) in words.
        wish: Adds what a reply needs to follow it to what other constraints of the prompt ask for.
        breaches: Replies that hold a body and break it, the plainest first; tried after the body between two plain
            sentences, before general ones, and taken where the checker agrees.
        paper_name: The paper's short name (Table 5) where it is not the end of the id.
        category: Category of Table 5; `None` for those that fit none.
        in_paper: Whether it is one of the paper's fifteen.
        counts: Whether obeying needs counting (Table 5, last column; ours for those it leaves out).
        place: In the order of all types, which draws depend on: Table 5, then IFEval's others, then what came later.
        stacked: Its place in the safe pool of stacks (Table 11); `None` where it is never stacked.
        clashes: Types it never shares a safe stack with (appendix G.1).
        family: The public set it is of where that is not IFEval: `ifbench`.
    """

    instruction_id: str
    parameters: type[P]
    judge: Callable[[P, str, Behaviour], Verdict]
    wording: str
    wish: Callable[[P, Wishes], object]
    breaches: Callable[[P, str], Iterable[str]] = no_breach_of_its_own
    paper_name: str = ""
    category: Category | None = None
    in_paper: bool = False
    counts: bool = False
    place: int = 1000
    stacked: int | None = None
    clashes: frozenset[str] = frozenset()
    family: str = ""

    @property
    def name(self) -> str:
        """The short name: the paper's, or the end of the id."""
        return self.paper_name or self.instruction_id.partition(":")[2]

    def read(self, kwargs: Mapping[str, object]) -> P:
        """The `kwargs`, checked; nulls are dropped, as the Hugging Face form pads with them.

        Raises:
            DataError: A field is missing, unknown or of the wrong kind.
            UnknownNameError: A relation or language nobody knows.
        """
        try:
            return self.parameters.model_validate({name: value for name, value in kwargs.items() if value is not None})
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise DataError(
                f"kwargs of {self.instruction_id}, field {field!r}: {first['msg'][0].lower()}{first['msg'][1:]}",
                found=dict(kwargs),
                allowed=", ".join(self.parameters.model_fields) or "no fields",
            ) from None

    def bind(self, kwargs: Mapping[str, object]) -> Checker:
        """Reads `kwargs` once and gives the checker of a reply.

        An empty or blank reply never follows, whatever the constraint: that rule is applied here, once.
        """
        parameters = self.read(kwargs)

        def check(reply: str, behaviour: Behaviour) -> Verdict:
            if not reply.strip():
                return broken("the reply is empty")
            return self.judge(parameters, reply, behaviour)

        return check

    def text(self, kwargs: Mapping[str, object]) -> str:
        """The constraint in our own words.

        Raises:
            KeyError: a parameter the wording needs is missing.
            UnknownNameError: a relation nobody knows.
        """
        return self.wording.format_map({name: _in_words(name, value) for name, value in kwargs.items()})


def _in_words(name: str, value: object) -> str:
    if name.endswith("relation"):
        return known_relation(value).in_words
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
