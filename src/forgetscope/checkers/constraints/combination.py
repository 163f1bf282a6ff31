"""Constraints on the whole exchange: repeat the request first, give two replies."""

from typing import Annotated

from pydantic import Field

from forgetscope.checkers.base import FOLLOWED, Behaviour, Verdict, broken, counted
from forgetscope.checkers.record import Category, Constraint, NoParameters, Parameters
from forgetscope.checkers.wishes import Parts, Wishes

SEPARATOR = "******"


class RepeatParameters(Parameters):
    """`prompt_to_repeat`: the request the reply must begin with."""

    prompt_to_repeat: Annotated[str, Field(min_length=1)]


def judge_repeat_prompt(parameters: RepeatParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The reply begins with the request, letter for letter but for case and outer blanks.

    Reference and repaired alike.
    """
    del behaviour
    asked = parameters.prompt_to_repeat.strip()
    text = reply.strip()
    if text.lower().startswith(asked.lower()):
        return FOLLOWED
    offset = len(reply) - len(reply.lstrip())
    same = next(
        (index for index, (a, b) in enumerate(zip(text, asked, strict=False)) if a.lower() != b.lower()),
        min(len(text), len(asked)),
    )
    if same >= len(text):
        return broken(f"stops after {same} of the request's {counted(len(asked), 'character')}")
    span = (offset + same, offset + min(same + 20, len(text)))
    found = " ".join(text[same : same + 20].split())
    wanted = " ".join(asked[same : same + 20].split())
    if same == 0:
        return broken(f"does not begin with the request but with '{found}'", span)
    return broken(f"leaves the request after {counted(same, 'character')}: '{found}' instead of '{wanted}'", span)


def judge_two_responses(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Two different replies, separated by six asterisks. Reference and repaired alike."""
    del behaviour
    pieces = reply.split(SEPARATOR)
    position = 0
    for index, piece in enumerate(pieces):
        if not piece.strip() and 0 < index < len(pieces) - 1:
            return broken("nothing between two separators ******", (position, position + len(piece)))
        position += len(piece) + len(SEPARATOR)
    filled = [piece.strip() for piece in pieces if piece.strip()]
    if len(filled) != 2:
        return broken(f"{counted(len(filled), 'response')} between separators ******, 2 asked")
    return FOLLOWED if filled[0] != filled[1] else broken("the two responses are the same")


def _wish_repeat(parameters: RepeatParameters, wishes: Wishes) -> None:
    wishes.repeat = parameters.prompt_to_repeat.strip()


def _wish_two_responses(_: NoParameters, wishes: Wishes) -> None:
    wishes.parts = Parts(2, f"\n\n{SEPARATOR}\n\n", opening=(2, "another"))


REPEAT_PROMPT = Constraint(
    "combination:repeat_prompt",
    RepeatParameters,
    judge_repeat_prompt,
    wording=(
        "Before anything else, repeat the following request word for word, without any change, and only then go on:\n"
        "{prompt_to_repeat}"
    ),
    wish=_wish_repeat,
    category=Category.SEQUENTIAL,
    in_paper=True,
    place=15,
)
TWO_RESPONSES = Constraint(
    "combination:two_responses",
    NoParameters,
    judge_two_responses,
    wording="Give two different responses, separated by six asterisks: ******",
    wish=_wish_two_responses,
    place=25,
)
