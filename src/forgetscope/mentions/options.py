"""Which option a reply chooses, as a careful reader would say.

How an option is mentioned decides: as the final answer, before chosen ("the answer is B", a clause that says nothing
else), before shown ("it is a dog"), before possible, before merely mentioned. What is denied is not chosen, what is
told of the past only where nothing else is said. Two options of one standing are no choice, unless the reply takes
the first one back ("no wait"), or says of one alone what was asked; neither is a label that contradicts the words
beside it.
"""

import re
from collections.abc import Sequence

from forgetscope.core.refusals import is_refusal
from forgetscope.mentions.labels import merged, with_labels
from forgetscope.mentions.marks import BOTH, MARK, SEVERAL, TEXT, WORDS, Labels, is_worded, option_of
from forgetscope.mentions.plain import plain_reply
from forgetscope.mentions.standing import Mention, Standing, mentions
from forgetscope.mentions.wordings import is_quantity, with_formulas, with_own_words, with_wordings


def stated_option(reply: str, options: Sequence[str], labels: Labels, question: str = "") -> int | None:
    """The index from 0 of the option that a reply chooses; None where it chooses none, or several.

    Args:
        reply: The reply.
        options: As shown, without labels.
        labels: What they were labelled with.
        question: What was asked; of several options in one reply the one of which it says that counts.

    >>> stated_option("I see 2 animals. 1", ("horse", "dog", "cat"), Labels.DIGITS)
    1
    >>> stated_option("Not a horse: it's a dog!", ("horse", "dog", "cat"), Labels.DIGITS)
    1
    >>> stated_option("It is not A. I'd go with (c).", ("Lima", "Quito", "La Paz"), Labels.LETTERS)
    2
    >>> stated_option("0 or 1", ("horse", "dog", "cat"), Labels.DIGITS)
    """
    alone = reply.strip()
    if len(alone) == 1 and alone.isdecimal() and labels is Labels.DIGITS and int(alone) < len(options):
        return int(alone)  # as it was asked for: most replies
    text = plain_reply(reply)
    if labels is Labels.LETTERS:
        text = re.sub(r"^\s*\d{1,2}[.)]\s+|^\s*A\s*:(?=\W*[A-D]\W*$)", "", text, flags=re.MULTILINE)
        text = with_formulas(text, options)
    marked = merged(with_labels(with_wordings(text, options, labels), options, labels)).lower()
    if _ASKS_WHAT_IS_NOT.search(question):
        marked = _IS_NOT.sub(lambda match: f"{match[1] or match[2]} is the answer", marked)
    found = mentions(marked, len(options))
    if (
        labels is Labels.LETTERS
        and not any(entry.standing > Standing.DENIED for entry in found)
        and not is_refusal(text)
    ):
        beginning = re.match(rf"(?:\s*\S+){{0,{MOST_WORDS_AROUND_A_MENTION}}}", text)
        marked = with_own_words(beginning[0] if beginning else "", options, question).lower()
        found = mentions(marked, len(options))
    if labels is Labels.LETTERS and (result := _result(found, marked, options)) is not None:
        return result
    return _decided(found, marked, labels, question)


_CALCULATES = re.compile(r"[=+×*/%]|\b(?:together|total)\b")


def _result(found: Sequence[Mention], marked: str, options: Sequence[str]) -> int | None:
    """Of a calculation the option it ends in: "80 / 10 = 8, 8 + 4 = 12"."""
    last = re.search(rf"({WORDS})\W*$", marked)
    is_calculation = (
        last
        and _CALCULATES.search(marked)
        and all(map(is_quantity, options))
        and all(TEXT <= ord(entry.mark) < BOTH for entry in found)
    )
    return option_of(last[1]) if last and is_calculation and found[-1].standing > Standing.DENIED else None


def _counts(entry: Mention) -> bool:
    """Whether a mention is enough to tell what is chosen, or that nothing is."""
    return entry.standing > Standing.MENTIONED or (entry.standing > Standing.DENIED and is_worded(entry.mark))


_ASKS_WHAT_IS_NOT = re.compile(r"\b(?:NOT|EXCEPT|except|is not|are not|isn't)\b")
_IS_NOT = re.compile(rf"({MARK})\s+(?:is|are|was|were)(?:n't| not)\b|\b(?:all|everything) (?:but|except)\s+({MARK})")
_CORRECTS = re.compile(
    r"\b(?:no|wait|actually|i mean|correction|corrected|correct that|second thoughts?|closer|sorry|but|however"
    r"|instead|rather"
    r"|final(?:ly)?|(?:correct|right|best) (?:answer|choice|option)|so|therefore|thus|hence|since|because)\b"
)
_ANNOUNCED = re.compile(rf"^\W*(?:the|my) (?:\w+ )?answer(?: is)?\b\W*({MARK})", re.MULTILINE)
"""After which an option that stands on a line before it is no second choice: "A. Lima", "The answer is: B. Quito"."""
_CORRECTS_WHAT_WAS_SHOWN = re.compile(
    r"\b(?:no|wait|actually|i mean|correction|second thoughts?|closer|now|glance|at first|initially|thought)\b"
)
_AVOIDS = re.compile(
    r"\b(?:but|however|instead|since|although|though|despite|different|another|other|unlearned|forbidden|restrict\w*"
    r"|cannot|not|must|should|avoid\w*|asked|told|instruct\w*|following)\b|n't\b"
)


MOST_WORDS_AROUND_A_MENTION = 40
"""In a longer reply an option that is merely mentioned is not taken for its choice."""


def _decided(found: Sequence[Mention], marked: str, labels: Labels, question: str) -> int | None:
    """The option of the highest standing, unless the reply says two things of equal weight."""
    denied = {option_of(entry.mark) for entry in found if entry.standing == Standing.DENIED}
    kept = [entry for entry in found if entry.standing > Standing.DENIED]
    kept = [entry for entry in kept if not entry.is_past] or kept
    kept = [entry for entry in kept if is_worded(entry.mark) or entry.standing > Standing.MENTIONED] or kept
    ranked = [(Standing.MENTIONED if entry.mark == SEVERAL else entry.standing, entry.mark) for entry in kept]
    top = max((standing for standing, _ in ranked), default=Standing.MENTIONED)
    best = [mark for standing, mark in ranked if standing == top]
    if not best:
        return None
    if len({option_of(mark) for mark in best}) > 1 and not _is_taken_back(best, top, marked):
        return _asked_for(marked, question) if question and top < Standing.HEADING else None
    choice, is_label = option_of(best[-1]), ord(best[-1]) < TEXT
    worded = [(standing, option_of(mark)) for standing, mark in ranked if is_worded(mark)]
    others = {option for _, option in worded} - {choice}
    if top == Standing.MENTIONED and (
        is_label or choice in denied or len(marked.split()) > MOST_WORDS_AROUND_A_MENTION
    ):
        return None
    if (
        labels is Labels.DIGITS
        and top == Standing.SHOWN
        and others
        and TEXT <= ord(best[-1]) < BOTH
        and len(set(best)) == 1
    ):
        return None
    if is_label and labels is Labels.DIGITS and choice not in {option for _, option in worded}:
        is_contradicted = any(standing >= Standing.SHOWN and TEXT <= ord(mark) < BOTH for standing, mark in ranked)
        return None if is_contradicted and not _AVOIDS.search(marked) else choice
    return choice


def _is_taken_back(best: Sequence[str], top: Standing, marked: str) -> bool:
    """Whether words between the first and the last of several options take the first one back."""
    said = _CORRECTS if top >= Standing.CHOSEN else _CORRECTS_WHAT_WAS_SHOWN
    if {option_of(mark) for mark in _ANNOUNCED.findall(marked)} == {option_of(best[-1])}:
        return True
    return (
        said.search(marked, marked.find(best[0]) if top >= Standing.CHOSEN else 0, marked.rfind(best[-1])) is not None
    )


def _asked_for(marked: str, question: str) -> int | None:
    """The option whose clause has most of the question's words: "Plants release oxygen and absorb carbon dioxide"."""
    asked = {word[:5].lower() for word in re.findall(r"[^\W\d_]{4,}|\d+|\b[A-Z]{2,3}\b", question)}
    shared: dict[int | None, float] = {}
    before: set[str] = set()
    for clause in re.split(r"[.,;:!?\n]|\b(?:but|while|whereas)\b|(?=\band\b)", marked):
        words = asked & {word[:5] for word in re.findall(r"[^\W_]+", re.sub(MARK, " ", clause))}
        inherited = before - words if clause.startswith("and") else set()  # its subject stands in the clause before
        for mark in re.findall(MARK, clause):
            shared[option_of(mark)] = max(shared.get(option_of(mark), 0), len(words) + 0.9 * len(inherited))
        before = words
    best = [option for option, count in shared.items() if count == max(shared.values()) > 0]
    return best[0] if len(best) == 1 else None
