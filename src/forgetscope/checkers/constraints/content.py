"""Constraints on what the reply holds or avoids: placeholders, commas."""

import re

from forgetscope.checkers.base import FOLLOWED, Behaviour, Count, Relation, Verdict, broken, counted, judge_count
from forgetscope.checkers.filler import with_line
from forgetscope.checkers.record import Category, Constraint, NoParameters, Parameters
from forgetscope.checkers.wishes import Wishes

_FOREIGN_COMMAS = "،，、"
_NAMED_PLACEHOLDER = re.compile(r"\[([^\[\]\n]*)\](?!\()")


class PlaceholderParameters(Parameters):
    """`num_placeholders`: at least so many; 0 always holds."""

    num_placeholders: Count


def judge_number_placeholders(parameters: PlaceholderParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """At least so many placeholders in square brackets, each on one line.

    Reference: anything in brackets counts, also `[]`, `[1]` and the `[text](link)` of markdown.
    Repaired: only brackets with a letter inside and no link after them.
    """
    if behaviour is Behaviour.REFERENCE:
        count = sum(_bracketed(line) for line in reply.split("\n"))
    else:
        count = sum(any(map(str.isalpha, match[1])) for match in _NAMED_PLACEHOLDER.finditer(reply))
    return judge_count(count, Relation.AT_LEAST, parameters.num_placeholders, "placeholder")


def _bracketed(line: str) -> int:
    """How often `[` is followed by a `]`, from left to right; linear also on a line of a million `[`."""
    count, end = 0, 0
    while (start := line.find("[", end)) >= 0 and (close := line.find("]", start)) >= 0:
        count, end = count + 1, close + 1
    return count


def judge_no_comma(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """No comma in the reply.

    Reference: the ASCII comma. Repaired: also the Arabic, the full-width and the ideographic comma.
    """
    commas = "," if behaviour is Behaviour.REFERENCE else "," + _FOREIGN_COMMAS
    count = sum(reply.count(comma) for comma in commas)
    if count == 0:
        return FOLLOWED
    first = min(where for comma in commas if (where := reply.find(comma)) >= 0)
    return broken(counted(count, "comma"), (first, first + 1))


def _wish_placeholders(parameters: PlaceholderParameters, wishes: Wishes) -> None:
    wishes.placeholders = max(wishes.placeholders, parameters.num_placeholders)


def _wish_no_comma(_: NoParameters, wishes: Wishes) -> None:
    wishes.unwanted += "," + _FOREIGN_COMMAS


NUMBER_PLACEHOLDERS = Constraint(
    "detectable_content:number_placeholders",
    PlaceholderParameters,
    judge_number_placeholders,
    wording="Include at least {num_placeholders} placeholders in square brackets in your response, such as [name].",
    wish=_wish_placeholders,
    paper_name="num_placeholders",
    category=Category.COUNTING,
    in_paper=True,
    counts=True,
    place=11,
    stacked=7,
)
NO_COMMA = Constraint(
    "punctuation:no_comma",
    NoParameters,
    judge_no_comma,
    wording="Do not use any commas anywhere in your response.",
    wish=_wish_no_comma,
    breaches=lambda _, body: [with_line(body, "One, two, three.")],
    category=Category.AVOIDANCE,
    in_paper=True,
    place=10,
    stacked=6,
    clashes=frozenset({"detectable_format:number_bullet_lists"}),
)
