"""Every text a model is shown, versioned: system message, connector, reminder.

How a constraint is put stands in its record (`forgetscope.checkers.constraints`), how a load is in its own (`loads`).

Paper: sections 3.3 and 3.4, appendix D. The paper's templates are lost in the text we have; the treatment strings
(heading, trailing sentences, system message, `Constraint 1:`) are its own, the connector and the wording of
constraints and load are ours, fixed in protocols.md, section 3.
"""

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


def join_parts(*parts: str) -> str:
    """Parts of a prompt separated by a blank line; empty parts leave no trace."""
    return "\n\n".join(part for part in parts if part)
