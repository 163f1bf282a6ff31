"""Dynamic preference by rule: whether a reply brings up the preference that no longer holds, and what it chooses."""

import re
from collections.abc import Sequence

from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample
from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, Preference
from forgetscope.benchmarks.in_context.scoring import RuleVerdict
from forgetscope.core.results import Value
from forgetscope.mentions.marks import Labels
from forgetscope.mentions.options import stated_option
from forgetscope.mentions.same_wording import mentions
from forgetscope.mentions.wordings import content

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
    choice = chosen_option(reply, shown, item.question, wishes_behind(item, shown))
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


_WHAT_IS_NOT = re.compile(r"\W*\b(?:no|not|nothing|nobody|never|without|nor|almost no)\b.*", re.IGNORECASE)


def wishes_behind(item: DynamicPreferenceItem, options: Sequence[str]) -> tuple[str, ...]:
    """Of each option the preference it follows, without what that rules out; nothing for the others."""
    wishes = {preference.option: _WHAT_IS_NOT.sub("", preference.text) for preference in (item.old, item.new)}
    return tuple(wishes.get(option, "") for option in options)


def chosen_option(reply: str, options: Sequence[str], question: str = "", wishes: Sequence[str] = ()) -> int | None:
    """The index of the option a reply chooses, None where it chooses none or several.

    Args:
        reply: The reply.
        options: As shown, labelled A to D; a number from 1 to 4 counts alone or before the words of its option.
        question: What was asked; its words tell no option.
        wishes: Of each option the preference it follows; its words hint at the option.

    >>> chosen_option("B.", ("Tea", "Coffee", "Milk", "Water"))
    1
    >>> chosen_option("B. Lemonade", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    >>> chosen_option("Tea or coffee, both are fine.", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    """
    told = [f"{option} {wish}" for option, wish in zip(options, wishes, strict=True)] if wishes else options
    text = without_offers_of_its_own(reply, told)
    number = re.fullmatch(r"\W*(?:(?:option|choice|answer|number)\W+)?([1-4])\W*", reply, re.IGNORECASE)
    if number:
        return int(number[1]) - 1
    return stated_option(text, options, Labels.LETTERS, question, wishes)


_LINE = re.compile(r"^\W*(?:(?:option|choice|answer)\s+)?([A-H])\s*[.):]\W*(\S.*)?$", re.IGNORECASE | re.MULTILINE)
_REASON = re.compile(
    r"^(?:not|because|since|as|for|given|considering|based|if|so|it|its|this|that|these|those|they|there|you|your|i|my"
    r"|we|which"
    r"|is|would|will|and|but|though|thank|thanks|sure|hope|enjoy|let|yes|the (?:answer|best|correct|most|right"
    r"|only))\b",
    re.IGNORECASE,
)


def without_offers_of_its_own(reply: str, options: Sequence[str]) -> str:
    """The reply, without its labelled lines where one labels words that are neither its option's nor a reason."""
    is_own = False
    for line in _LINE.finditer(reply):
        said, option = content(line[2] or ""), dict(zip("ABCD", options, strict=False)).get(line[1].upper(), "")
        is_own |= (
            len(said) > (not re.match(r"(?:an?|the|some)\s", line[2] or "", re.IGNORECASE))
            and not said & content(option)
            and _REASON.match(line[2]) is None
        )
    return _LINE.sub("", reply) if is_own else reply
