"""Every text a model is shown, versioned: system message, connector, reminder.

How a constraint is put stands in its record (`forgetscope.checkers.constraints`), how a load is in its own (`loads`).

Paper: sections 3.3 and 3.4, appendix D. The paper's templates are lost in the text we have; the treatment strings
(heading, trailing sentences, system message, `Constraint 1:`) are its own, the connector and the wording of
constraints and load are ours, fixed in protocols.md, section 3.
"""

from dataclasses import dataclass

PROMPTS_VERSION = "1"
"""Raised whenever a text below or the wording of a constraint or load changes; part of the manifest."""

SYSTEM_MESSAGE = "You are a helpful assistant. Follow the user's instructions carefully and completely."
"""Appendix B.4."""
SYSTEM_MESSAGES = {
    "appendix_b": SYSTEM_MESSAGE,
    "appendix_d": "You are a helpful assistant. Follow all user instructions carefully.",
}
"""The two that the paper prints; it does not say which was sent."""

CONNECTOR = "Also, please complete the following task:"
HEADING = "IMPORTANT FORMATTING INSTRUCTION:"
TRAILING = "Remember to follow ALL of my formatting instructions above."
STACKING_TRAILING = "Remember to follow ALL of the formatting instructions listed above."


CONNECTORS = (CONNECTOR, "In addition, please do the following:", "There is a second thing to do:")
HEADINGS = (HEADING, "FORMAT REQUIREMENT:", "Please note this formatting rule:")
TRAILINGS = (
    TRAILING,
    "Do not forget any of the formatting instructions given above.",
    "Please check that your whole response keeps the formatting instructions above.",
)
"""Three phrasings of each part, the first of which is sent everywhere else (heading and trailing: the paper's)."""

NEUTRAL_CONNECTOR = "Also, here is a text that needs no answer:"
COPY_REQUEST = "Copy out the following text word for word:"
"""Of the two controls: load without a task, and a reply made longer without a thought."""

TOPICS = (
    "the history of bridges",
    "how weather forecasting works",
    "why leaves change colour in autumn",
    "how bread is made",
    "the life cycle of a butterfly",
    "how a library is organised",
    "what makes a good public park",
    "how tides work",
    "the invention of the bicycle",
    "how a city collects its rubbish",
    "why people keep gardens",
    "how glass is recycled",
    "the uses of wool",
    "how maps are made",
    "what lighthouses were for",
)
"""Fifteen neutral subjects; the two the paper names, the others ours."""


def topic_request(topic: str) -> str:
    """A task of ours, without a constraint."""
    return f"Write about {topic}."


@dataclass(frozen=True)
class Wording:
    """Which phrasing of each part a prompt has, from 1; 1 is sent everywhere but in the experiment on wordings."""

    connector: int = 1
    heading: int = 1
    trailing: int = 1


FIRST_WORDING = Wording()


def join_parts(*parts: str) -> str:
    """Parts of a prompt separated by a blank line; empty parts leave no trace."""
    return "\n\n".join(part for part in parts if part)
