"""A constraint of our own: the reply ends with a question mark."""

from forgetscope.checkers import FOLLOWED, Behaviour, Constraint, NoParameters, Verdict, broken


def judge(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The last character that is not blank is a question mark; both behaviours alike."""
    del behaviour
    return FOLLOWED if reply.rstrip().endswith("?") else broken(f"ends with '{reply.rstrip()[-1]}'")


QUESTION = Constraint(
    "ours:question",
    NoParameters,
    judge,
    wording="End your response with a question mark.",
    wish=lambda _, wishes: wishes.finish.append(lambda text: text.rstrip(" .!?") + "?"),
    stacked=12,
    clashes=frozenset({"startend:quotation"}),
)
