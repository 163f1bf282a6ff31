"""Dynamic preference by rule: whether a reply brings up the preference that no longer holds, and what it chooses."""

import re

from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample
from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, Preference
from forgetscope.benchmarks.in_context.data.wordings import mentions
from forgetscope.benchmarks.in_context.scoring import RuleVerdict
from forgetscope.benchmarks.in_context.scoring.options import chosen_option
from forgetscope.core.results import Value

_EARLIER_PREFERENCE = re.compile(
    r"\b(?:you|your)\b[^.\n]{0,30}\b(?:previous(?:ly)?|earlier|used to|original(?:ly)?|initial(?:ly)?|former(?:ly)?)\b",
    re.IGNORECASE,
)


def preference_verdict(sample: InContextSample, item: DynamicPreferenceItem, reply: str) -> RuleVerdict:
    """The verdict on the choice among the options shown; none where none are."""
    if not sample.options:
        return RuleVerdict()
    shown = sample.options
    old, new = shown.index(item.old.option), shown.index(item.new.option)
    choice = chosen_option(reply, shown, item.question)
    right = old if sample.form is Form.NOFORGET else new
    columns: dict[str, Value] = {
        "chosen": "" if choice is None else "old" if choice == old else "new" if choice == new else "other",
        "shown_position": choice,
        "old_position": old,
        "new_position": new,
        "mentions_other": sample.form is Form.FORGET and choice == right and _brings_up(reply, item.old),
    }
    passed = None if choice is None else choice == right
    return RuleVerdict(passed, is_shown=choice is not None, columns=columns)


def _brings_up(reply: str, preference: Preference) -> bool:
    """Whether a reply speaks of the preference that should not count any more."""
    return mentions(reply, preference.text) or speaks_of_earlier_preference(reply)


def speaks_of_earlier_preference(text: str) -> bool:
    """Whether a reply brings up what the user said before: "you used to prefer", "your earlier preference"."""
    return bool(_EARLIER_PREFERENCE.search(text))
