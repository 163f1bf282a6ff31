"""Dynamic preference by rule: which of four options a reply chooses, by text, by label, or not at all."""

import re
from collections.abc import Iterator, Sequence

from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample
from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, Preference
from forgetscope.benchmarks.in_context.data.wordings import folded, mentions
from forgetscope.benchmarks.in_context.prompts import OPTION_LABELS
from forgetscope.benchmarks.in_context.scoring import RuleVerdict
from forgetscope.core.results import Value

_LABEL_ALONE = re.compile(
    r"^\W*(?:(?:the\s+|my\s+)?(?:answer|option|choice)(?:\s+is)?\W*(?:option\W*)?)?([A-D1-4])\W*$", re.IGNORECASE
)
_LABELLED_LINE = re.compile(
    r"^\W*(?:option\s+|choice\s+)?([A-D1-4])\s*[.):\-][*_\s]*(\S.*)?$", re.IGNORECASE | re.MULTILINE
)
_CHOOSING = re.compile(
    r"(?P<not>\b(?:not|never|avoid|n't)\s+)?"
    r"\b(?i:answer is|answer|choice is|choice|choose|pick|select|go with|going with|recommend|suggest|prefer)"
    r"[\s:\"'(*]*(?i:option|choice)?[\s:\"'(*]*([A-D])\b(?!')[)*\"']*(?=(.*))"
)
_OPENING_OPTION = re.compile(
    r"^\W*(?:option|choice)\s+\W*([A-D])\b[)*\"']*(?=\W*$|\s*[.,:;\-]|\s+because\b)(.*)", re.IGNORECASE
)
_BEST_OPTION = re.compile(
    r"\b(?i:option|choice)\s+\W*([A-D])\b\W*(?i:is|would be|seems|suits|fits|matches)"
    r"\s+(?i:(?:the|your|a|an|my)\s+)?(?i:best|better|right|ideal|perfect|most|you\b|good|great)"
)
_FURTHER_LABEL = re.compile(r"^\s*(?:,|or\b|and\b|/|&)(?:\s*(?:or|and)\b)?\s*(?:option\s+)?\(?[A-D]\b")
_REASON = re.compile(
    r"^(?:because|since|as|for|given|considering|based|if|so|it|its|this|that|these|those|they|there|you|your|i|my|we|which"
    r"|is|would|will|and|but|though|thank|thanks|sure|hope|enjoy|let|the (?:answer|best|correct|most|right|only))\b"
)
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
    choice = chosen_option(reply, shown)
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


def chosen_option(reply: str, options: Sequence[str]) -> int | None:
    """The index of the option a reply chooses: its exact text, its label, or text that holds exactly one option.

    Several options or none is no choice: None. A label counts where nothing, a reason or the wording of its own
    option follows it; before other words ("B. Something nobody offered") it belongs to an option the reply made up, and
    nothing is chosen. A label that is only spoken of ("describe option D") is no choice either. Labels are A to D; a
    number from 1 to 4 counts where it stands alone or before the wording of its option.

    >>> chosen_option("B.", ("Tea", "Coffee", "Milk", "Water"))
    1
    >>> chosen_option("B. Lemonade", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    >>> chosen_option("Tea or coffee, both are fine.", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    """
    said = folded(reply)
    exact = [index for index, option in enumerate(options) if said == folded(option)]
    if exact:
        return exact[0]
    alone = _LABEL_ALONE.match(reply.strip())
    if alone:
        return _index_of(alone.group(1))
    labelled = set(_labelled(reply, options))
    named = {*_contained(said, options), *labelled}
    return named.pop() if len(named) == 1 and None not in labelled else None


def _contained(said: str, options: Sequence[str]) -> Iterator[int]:
    """The options whose text stands in a folded reply; one within another counts where it stands by itself."""
    rest = f" {said} "
    for index in sorted(range(len(options)), key=lambda place: -len(options[place])):
        wording = f" {folded(options[index])} "
        if wording.strip() and wording in rest:
            yield index
            rest = rest.replace(wording, " | ")


def _labelled(reply: str, options: Sequence[str]) -> Iterator[int | None]:
    """The options a reply names by their labels; None for a label that stands before words of something else."""
    for line in _LABELLED_LINE.finditer(reply):
        index, wording = _index_of(line.group(1)), line.group(2) or ""
        if _words_option(wording, options, index):
            yield index
        elif line.group(1).isupper() and line.group(1).isalpha():
            yield index if _adds_only_a_reason(wording) else None
    for found in _CHOOSING.finditer(reply):
        if not found.group("not"):
            yield _named(found.group(2), found.group(3), options)
    opening = _OPENING_OPTION.match(reply)
    if opening:
        yield _named(opening.group(1), opening.group(2), options)
    yield from (_index_of(found.group(1)) for found in _BEST_OPTION.finditer(reply))


def _named(label: str, rest: str, options: Sequence[str]) -> int | None:
    """The option of a label a sentence chooses, unless further labels or words of another option follow."""
    index = _index_of(label)
    if _FURTHER_LABEL.match(rest):
        return None
    offers = re.match(r"\s*[.):\-]\s*(\S.*)", rest)
    if offers is None or _words_option(offers.group(1), options, index) or _adds_only_a_reason(offers.group(1)):
        return index
    return None


def _adds_only_a_reason(wording: str) -> bool:
    return not folded(wording) or _REASON.match(folded(wording)) is not None


def _words_option(wording: str, options: Sequence[str], index: int) -> bool:
    """Whether words after a label are those of its option: its text, its beginning, or most of its words."""
    said, option = folded(wording), folded(options[index])
    if not said:
        return False
    if option.startswith(said) or f"{said} ".startswith(f"{option} "):
        return True
    words = set(said.split())
    shared = [len(words & (own := set(folded(one).split()))) / len(own) if folded(one) else 0.0 for one in options]
    return shared[index] >= 0.5 and all(share < shared[index] for place, share in enumerate(shared) if place != index)


def _index_of(label: str) -> int:
    return OPTION_LABELS.index(label.upper()) if label.isalpha() else int(label) - 1
