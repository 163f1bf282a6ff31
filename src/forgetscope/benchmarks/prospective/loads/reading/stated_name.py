"""The repaired reading of factual questions: whether a reply gives one of the accepted names as its answer.

A reply that is an accepted name and no more gives it. Otherwise every name of the reply, accepted or not, has points
for what speaks for and against it as the answer (`name_mentions`, `name_cues`), and so has that the reply gives none;
the most points win. A name whose words stand in the question is no answer by being repeated. Case, accents, hyphens,
articles, a plural s, a slip of one letter and letters spelled out make no difference.
"""

import re
from collections.abc import Sequence, Set

from forgetscope.benchmarks.prospective.loads.reading.name_cues import POINTS
from forgetscope.benchmarks.prospective.loads.reading.name_mentions import ANNOUNCED, announced, candidates
from forgetscope.benchmarks.prospective.loads.reading.names import mentions_of, names_of, stands_in, whole_name
from forgetscope.benchmarks.prospective.loads.reading.passages import plain, said_aloud
from forgetscope.benchmarks.prospective.loads.reading.replies import (
    before_next_question,
    fenced_json,
    json_leaves,
    without_postscript,
)
from forgetscope.mentions.marks import Labels
from forgetscope.mentions.one_writing import in_one_writing
from forgetscope.mentions.options import stated_option
from forgetscope.mentions.spelled import joined

_SALUTATION = re.compile(r"^[^\w\n]{0,20}(?:my\s+)?dear\s[\w ]{1,30},[^\S\n]*", re.IGNORECASE | re.MULTILINE)
_REJECTED = re.compile(r"(?<![^\s(])[^\s.!?;:,][^.!?;:\n]{0,60}\?\s+(?:No|Nope|Not? quite|Wrong)\b", re.IGNORECASE)
"""A question that is answered with no."""
_LEAD = re.compile(
    r"^\W*(?:(?:i\s+(?:think|believe|guess|would\s+say)|it|that|this|is|was|are|were|were|there)(?:['’]s)?\s+)*",
    re.IGNORECASE,
)
_IT = re.compile(r"['’](?=t(?:was|is|were|would|will)\b)t", re.IGNORECASE)
_BRACKETS = re.compile(r"\(([^()]*)\)")
_ALSO = re.compile(
    r"^\s*(?:also|aka|or|i\.e\.|known\s+as|better\s+known\s+as|real\s+name|born)\b[:,]?\s*", re.IGNORECASE
)
_TAG = re.compile(r"<(/)?(?:final_?)?answer>", re.IGNORECASE)
_EMPHASISED = re.compile(r"\*\*([^*\n]{1,80})\*\*|__([^_\n]{1,80})__|(?<![\w*])\*([^*\s][^*\n]{0,60})\*(?![\w*])")
_EITHER = re.compile(r"([\w-]+)\s+or\s+(?:an?\s+|the\s+)?([\w-]+)\W*$", re.IGNORECASE)


def stated_name(reply: str, aliases: Sequence[str], question: str = "") -> str | None:
    """The accepted name a reply gives as its answer; None where it gives none of them.

    >>> stated_name("It was not Leibniz but Newton.", ("Isaac Newton", "Newton"), "Who wrote the Principia?")
    'Newton'
    >>> stated_name("Newton's law", ("Isaac Newton", "Newton"), "Who wrote the Principia?")
    """
    names = names_of(aliases)
    fresh = {tokens: alias for tokens, alias in names.items() if not stands_in(tokens, question)}
    own = before_next_question(reply, question)
    text = text_of(own, names)
    given = (announced(text) or [text])[-1]
    first = dict(list(names_of(aliases[:1]).items())[:1])
    if not (first.keys() & fresh.keys()) and (alias := whole_name(_LEAD.sub("", given), first)):
        return alias  # the answer itself stands in the question: "a fruit or a vegetable", "its first 5 years"
    if not fresh:  # every name stands in the question: only what is given as the answer counts
        whole = whole_name(given, names) or _alternative(given, names, question)
        return whole or _best(text, names, question, emphasised(own), {"in quotes"})
    whole = whole_name(text, fresh) or _all_parts(re.split(r"(?<=\w\w)[.;!?]\s|\n", given)[0], aliases)
    if whole is not None:
        return whole
    return _best(text, fresh, question, emphasised(own))


def _best(
    text: str, names: dict[tuple[str, ...], str], question: str, bold: Sequence[str], needed: Set[str] = frozenset()
) -> str | None:
    """The accepted name with the most points, if no other name nor giving none has more, and with the cues needed."""
    found, none = candidates(text, names, question, bold)
    best = max(found, key=lambda one: points(one.cues), default=None)
    return best.alias if best is not None and points(best.cues) > points(none) and needed <= best.cues else None


def points(cues: set[str]) -> float:
    """What cues add up to."""
    return sum(POINTS.get(cue, 0) for cue in cues)


def emphasised(reply: str) -> list[str]:
    """What a reply has in bold or italics."""
    return ["".join(piece).strip(" .:") for piece in _EMPHASISED.findall(reply)]


def text_of(reply: str, names: dict[tuple[str, ...], str]) -> str:
    """A reply as plain text: of JSON what stands under a key for an answer, no salutation, no asides in brackets."""
    text = _TAG.sub(lambda tag: " " if tag[1] else "Answer: ", joined(said_aloud(reply)))
    found = fenced_json(text)
    if found is not None:
        leaves = [(path, str(leaf)) for path, leaf in json_leaves(found) if path]
        keyed = [leaf for path, leaf in leaves if re.search(r"answer|trivia|response", path[-1], re.IGNORECASE)]
        named = [f"{path[-1].replace('_', ' ')}: {leaf}" for path, leaf in leaves]
        text = "\n".join(keyed or (named if len(named) > 1 else [leaf for _, leaf in leaves])) or text
    text = in_one_writing(_IT.sub("it ", plain(text)), {in_one_writing(alias) for alias in names.values()})
    text = _REJECTED.sub("", _SALUTATION.sub("", text))
    for shortened in (without_postscript, lambda told: _without_asides(told, names)):
        shorter = shortened(text)
        if mentions_of(shorter, names) or (re.search(r"\w", shorter) and not mentions_of(text, names)):
            text = shorter
    return text


def _all_parts(text: str, aliases: Sequence[str]) -> str | None:
    """The answer of several names ("Tarsus, Saul") that a text gives one by one."""
    for alias in aliases[:1]:
        parts = [part for part in re.split(r",\s+|\s+and\s+", alias) if part]
        if len(parts) > 1 and all(mentions_of(text, names_of([part])) for part in parts):
            return alias
    return None


def _without_asides(text: str, names: dict[tuple[str, ...], str]) -> str:
    """The text without what stands in brackets, unless that is a name: "hydrogen (H)"."""

    def kept(match: re.Match[str]) -> str:
        is_name = whole_name(_ALSO.sub("", match[1]), names) is not None
        return match[0] if is_name or _ALSO.match(match[1]) else " "

    return _BRACKETS.sub(kept, text)


def _alternative(text: str, names: dict[tuple[str, ...], str], question: str) -> str | None:
    """The one of two alternatives of a question ("a fruit or a vegetable?") that a text chooses."""
    offered = _EITHER.search(question)
    sides = [offered[1], offered[2]] if offered else []
    chosen = stated_option(text, sides, Labels.LETTERS, question) if offered else None
    return None if chosen is None else whole_name(sides[chosen], names)


def says_something(reply: str) -> bool:
    """Whether a reply holds more than the announcement of an answer."""
    text = plain(said_aloud(reply))
    return re.search(r"\w", ANNOUNCED.sub(" ", text)) is not None and (
        bool(announced(text)) or ANNOUNCED.search(text) is None
    )
