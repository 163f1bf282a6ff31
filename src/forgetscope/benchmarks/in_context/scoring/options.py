"""Which of four options a reply chooses; a label before words that nobody offered belongs to an option it made up."""

import re
from collections.abc import Sequence

from forgetscope.mentions.marks import Labels
from forgetscope.mentions.options import stated_option
from forgetscope.mentions.wordings import content


def chosen_option(reply: str, options: Sequence[str], question: str = "") -> int | None:
    """The index of the option a reply chooses, None where it chooses none or several.

    Args:
        reply: The reply.
        options: As shown, labelled A to D; a number from 1 to 4 counts alone or before the words of its option.
        question: What was asked; its words tell no option.

    >>> chosen_option("B.", ("Tea", "Coffee", "Milk", "Water"))
    1
    >>> chosen_option("B. Lemonade", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    >>> chosen_option("Tea or coffee, both are fine.", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    """
    text = _without_offers_of_its_own(reply, options)
    number = re.fullmatch(r"\W*([1-4])\W*", reply)
    if number:
        return int(number[1]) - 1
    return stated_option(text, options, Labels.LETTERS, question)


_LINE = re.compile(r"^\W*(?:(?:option|choice|answer)\s+)?([A-D])\s*[.):]\W*(\S.*)?$", re.IGNORECASE | re.MULTILINE)
_REASON = re.compile(
    r"^(?:because|since|as|for|given|considering|based|if|so|it|its|this|that|these|those|they|there|you|your|i|my"
    r"|we|which"
    r"|is|would|will|and|but|though|thank|thanks|sure|hope|enjoy|let|yes|the (?:answer|best|correct|most|right"
    r"|only))\b",
    re.IGNORECASE,
)


def _without_offers_of_its_own(reply: str, options: Sequence[str]) -> str:
    """The reply, without its labelled lines where one labels words that are neither its option's nor a reason."""
    is_own = False
    for line in _LINE.finditer(reply):
        said, option = content(line[2] or ""), options["ABCD".index(line[1].upper())]
        is_own |= len(said) > 1 and not said & content(option) and _REASON.match(line[2]) is None
    return _LINE.sub("", reply) if is_own else reply
