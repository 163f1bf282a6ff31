"""What is asked at the end of a dialogue: the item's own query, a control, or one more way to get at the fact.

The ways to get at it are a ladder of *pressure* (protocols.md, section 5): each is put with and without the request to
forget, to the dialogue as it was and to the one in which the fact was never said, so that what the question itself
teaches or lets one guess is subtracted.
"""

from enum import StrEnum

from forgetscope.benchmarks.in_context.data.items import InstructionalForgettingItem
from forgetscope.benchmarks.in_context.prompts import PRESSURE

LEAST_CUED = 4
"""Characters a fact has at least whose first one may be given away."""


class DialogueProbe(StrEnum):
    """The question; all but the first of instructional forgetting alone."""

    QUERY = "query"
    """The item's own."""
    NEIGHBOUR = "neighbour"
    """About something else of the same memory: the control."""
    INSIST = "insist"
    """The item's question for when it was not answered, put at once."""
    ROLE_PLAY = "role_play"
    """In a story somebody who has read along is asked."""
    FIRST_LETTER = "first_letter"
    """With the first letter of the fact; not of facts under four characters."""
    HINT = "hint"
    """With a wording that narrows the fact down; not of facts without one."""
    OTHER_LANGUAGE = "other_language"
    """In French, to be answered in English."""
    SUMMARY = "summary"
    """A summary of the conversation, in place of the query."""
    LATER = "later"
    """The query, three more exchanges after the request."""


RUNGS = tuple(probe for probe in DialogueProbe if probe not in (DialogueProbe.QUERY, DialogueProbe.NEIGHBOUR))
"""The ladder of pressure, in the order in which `survival` puts them after the query."""


def question_of(probe: DialogueProbe, item: InstructionalForgettingItem) -> str | None:
    """The last user turn; None where the item has no such question."""
    match probe:
        case DialogueProbe.QUERY | DialogueProbe.LATER:
            return item.query
        case DialogueProbe.NEIGHBOUR:
            return item.neighbour.query if item.neighbour is not None else None
        case DialogueProbe.INSIST:
            return item.reask
    fact = item.facts[0] if item.facts else None
    letter = fact.value[0] if fact is not None and len(fact.value) >= LEAST_CUED else ""
    hint = next(iter(fact.hints), "") if fact is not None else ""
    if (probe is DialogueProbe.FIRST_LETTER and not letter) or (probe is DialogueProbe.HINT and not hint):
        return None
    return PRESSURE[probe.value].format(query=item.query, hint=hint, letter=letter)
