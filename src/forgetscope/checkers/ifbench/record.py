"""The record of one of IFBench's constraints: the published check, where ours differs, and a reply that follows."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from forgetscope.checkers.base import FOLLOWED, Behaviour, Verdict, broken
from forgetscope.checkers.filler import with_line
from forgetscope.checkers.record import Constraint, Parameters
from forgetscope.checkers.wishes import Wishes

FAMILY = "ifbench"

P = TypeVar("P", bound=Parameters)
Reading = Callable[[P, str], str]
"""Why a reply does not follow; empty when it does."""


def ifbench(
    instruction_id: str,
    parameters: type[P],
    published: Reading[P],
    wording: str,
    *,
    follow: Callable[[P, str], Sequence[str]],
    spoil: Callable[[P], str] | None = None,
    repaired: Reading[P] | None = None,
    counts: bool = False,
) -> Constraint[P]:
    """One row of the table.

    Args:
        instruction_id: IFBench's id, which is its name with us too.
        parameters: The model of its `kwargs`.
        published: The check of IFBench's first release.
        wording: Its words in a prompt of ours.
        follow: Texts made of a body that follow in both readings, the one that keeps most of it first.
        spoil: A line that breaks it wherever it stands.
        repaired: Ours, where the published one disagrees with its own instruction.
        counts: Whether obeying needs counting.
    """

    def judge(asked: P, reply: str, behaviour: Behaviour) -> Verdict:
        reading = repaired if repaired is not None and behaviour is Behaviour.REPAIRED else published
        reason = reading(asked, reply)
        return broken(reason) if reason else FOLLOWED

    def wish(asked: P, wishes: Wishes) -> None:
        def finish(text: str) -> str:
            texts = list(follow(asked, text))
            return next((one for one in texts if _holds(judge, asked, one)), texts[-1])

        wishes.finish.append(finish)

    def breaches(asked: P, body: str) -> Iterable[str]:
        return (with_line(body, spoil(asked)),) if spoil is not None else ()

    return Constraint(
        instruction_id,
        parameters,
        judge,
        wording=wording,
        wish=wish,
        breaches=breaches,
        paper_name=instruction_id,
        counts=counts,
        place=2000,
        family=FAMILY,
    )


def _holds(judge: Callable[[P, str, Behaviour], Verdict], asked: P, text: str) -> bool:
    return bool(text.strip()) and all(judge(asked, text, behaviour).followed for behaviour in Behaviour)


def unless(holds: bool, reason: str) -> str:
    """The reason where it does not hold."""
    return "" if holds else reason
