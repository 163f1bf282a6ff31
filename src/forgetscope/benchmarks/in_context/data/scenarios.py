"""What an in-context run can be made of: scenarios, questions, lengths."""

from enum import StrEnum


class Scenario(StrEnum):
    """The three scenarios (ICF-Bench, section 3.1)."""

    INSTRUCTIONAL_FORGETTING = "instructional_forgetting"
    SUBTASK_REVISION = "subtask_revision"
    DYNAMIC_PREFERENCE = "dynamic_preference"


class PreferenceQuestion(StrEnum):
    """The two kinds of preference question."""

    OPTIONS = "options"
    OPEN = "open"


LENGTHS = (500, 1000, 3000, 6000, 10000, 15000, 30000)
"""The paper's lengths, in tokens."""
