"""The numbers of a reply with what speaks for each being its answer: the words round it, its place, its arithmetic.

What is found out is a set of names, the cues; `number_cues` says what each is worth.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from forgetscope.benchmarks.prospective.loads.reading.asked import AskedProblem, fit, fit_together
from forgetscope.benchmarks.prospective.loads.reading.made_of import factors_in, is_all_of, made_of, recent
from forgetscope.benchmarks.prospective.loads.reading.number_cues import (
    AFTER,
    BEFORE,
    SENTENCE,
    TOGETHER,
    WITHOUT,
)
from forgetscope.benchmarks.prospective.loads.reading.numbers import Numeral, amounts
from forgetscope.benchmarks.prospective.loads.reading.passages import Sentence, Topic, is_cut_off

_BEFORE = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in BEFORE.items()}
_AFTER = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in AFTER.items()}
_SENTENCE = {name: re.compile(pattern, re.IGNORECASE | re.DOTALL) for name, pattern in SENTENCE.items()}
_SIGNS_BEFORE = re.compile(r"[\s$€£\"“'‘`\\\[]+$")
CORRECTS = re.compile(
    r"\b(?:wait|correction|oops|hold\s+on|scratch\s+that|on\s+second\s+thought|kidding|actually\s+no|make\s+that|or\s+rather|i\s+mean"
    r"|more\s+precisely|on\s+reflection|hmm+|(?:should|must|have\s+to)\s+re-?(?:check|calculate|consider|do)|correct(?:ed|ing)\b"
    r"|i\s+made\s+an?\s+(?:mistake|error|slip)|let\s+me\s+(?:redo|re-?check|re-?calculate|correct|fix))\b"
    r"|(?:[,;–—?]|\.\.\.|-\s)\s*(?:no|sorry)\b\s*[,:]|^\W*(?:no|actually)\b\W|\bthe\s+correct\s+(?:answer|one|number)\b",
    re.IGNORECASE,
)
_CONTRASTS = re.compile(r"\b(?:but|however|though|actually|yet)\b", re.IGNORECASE)
_ANOTHER_QUESTION = re.compile(
    r"^\W*(?:question|q|problem|exercise|task|prompt|user|human|instruction)\s*\d*\s*:"
    r"|\b(?:another|similar|related|next|bonus|harder|following)\s+(?:\w+\s+)?(?:one|problem|question|exercise|example|puzzle)\b"
    r"|\bhow\s+(?:many|much|long|far|old)\b[^.!?]*\?",
    re.IGNORECASE,
)
_NEXT_PROBLEM = re.compile(
    r"^\W*(?:question|q|problem|exercise)\s*\d*\s*:(?P<told>[^\n]*(?:\n[^\n]+)?)", re.IGNORECASE | re.MULTILINE
)
_LABEL_LINE = re.compile(r"^\W*[^\W\d][^:=\n]{0,40}[:=]\s*[^:\n]{1,40}$")
_FILLER = frozenset(
    re.findall(
        r"\w+",
        "this that these those with from have will would there their they them then than what when where "
        "which while your each every total answe there math probl here also more most some many only just "
        "about after befor into over were been being does done make makes made take takes becau since both "
        "other anoth much very well even still",
    )
)
"""Beginnings of words, five letters at most, that sentences about anything share."""
_SAID_AGAIN = re.compile(
    r"\s?(?P<unit>(?!each\b|apiece\b)[^\W\d]+)\s*[,(]?\s*(?:that\s+is|that['’]s|i\.e\.|or|=|≈|which\s+(?:is|equals)|equal\s+to|in\s+other\s+words)[,:]?"
    r"\s*(?:about\s+|roughly\s+)?[$€£]?",
    re.IGNORECASE,
)
MOST_MADE_OF = 20
"""In a sentence of more numbers than these it is not looked whether one is made of all others."""
_CLAIMS = frozenset({"acts", "is", "announced", "gives", "total of", "equals", "arrow"})
_BESIDE_THE_WAY = frozenset(
    {"checked", "explaining", "hypothetical", "aside", "tells a difference", "remark", "doubted"}
)
"""What is made of the answer by the way does not go on from it."""
_AFTERWARDS = frozenset({"checked", "explaining"})
MOST = 600
"""Numbers of a reply that are looked at, half from its beginning and half from its end."""


@dataclass(slots=True)
class NumberMention:
    """A number of a reply.

    Attributes:
        place: The place of its sentence in the reply.
        cues: The names of what holds for it.
    """

    amount: Numeral
    sentence: Sentence
    place: int
    cues: set[str]

    @property
    def value(self) -> float:
        """The number."""
        return self.amount.value


def mentions(reply: Sequence[Sentence], asked: AskedProblem | None = None) -> list[NumberMention]:
    """The numbers of a reply's sentences that can be amounts, in order, with what holds for each."""
    found = [
        NumberMention(amount, said, place, set()) for place, said in enumerate(reply) for amount in amounts(said.text)
    ]
    found = found if len(found) <= MOST else [*found[: MOST // 2], *found[-MOST // 2 :]]
    groups: dict[int, list[NumberMention]] = {}
    for mention in found:
        groups.setdefault(mention.place, []).append(mention)
    sentences = list(groups.values())
    _add_places(reply, sentences, asked)
    _add_corrections(reply, sentences)
    _add_brackets(reply, found)
    for group in sentences:
        text = group[0].sentence.text
        of_sentence = {name for name, pattern in _SENTENCE.items() if pattern.search(text[:400])}
        for mention in group:
            mention.cues |= of_sentence
            if not mention.value.is_integer() and (asked is None or asked.counts_things):
                mention.cues.add("not whole")
            mention.cues |= set(_around(text, mention.amount))
            mention.cues |= set(_in_sentence(text, mention.amount, [other.amount for other in group]))
            if asked:
                mention.cues |= set(fit(asked, text, mention.amount))
                if "unit asked" in mention.cues:
                    mention.cues -= {"text part after", "numbered thing"}
        _add_claims_beside(group)
    if asked:
        fit_together(asked, [(mention.sentence.text, mention.amount, mention.cues) for mention in found])
    _add_what_it_is_made_of(found, may_be_rounded=asked is None or asked.counts_things)
    _add_what_comes_later(found)
    told = {mention.value for mention in found if not mention.cues & _AFTERWARDS}
    is_sole = len({mention.value for mention in found}) == 1
    for mention in found:
        cues = mention.cues
        cues |= {"no other value"} if is_sole else set()
        if mention.value not in told:
            cues |= {f"{name} alone" for name in cues & _AFTERWARDS}
        joint = {f"{one} + {other}" for one, other in TOGETHER if one in cues and other in cues}
        cues |= joint | {f"{one} - {other}" for one, other in WITHOUT if one in cues and other not in cues}
    return found


def before_next_problem(text: str, asked: AskedProblem | None) -> str:
    """The text up to a line that tells another problem, after which its answer stands."""
    for found in _NEXT_PROBLEM.finditer(text):
        if found.start() and not (asked and asked.is_told_in(found["told"])):
            return text[: found.start()]
    return text


def _around(text: str, amount: Numeral) -> Iterator[str]:
    before = _SIGNS_BEFORE.sub(" ", text[max(0, amount.start - 90) : amount.start])
    after = text[amount.end : amount.end + 60]
    yield from (name for name, pattern in _BEFORE.items() if pattern.search(before))
    yield from (name for name, pattern in _AFTER.items() if pattern.search(after))


def _in_sentence(text: str, amount: Numeral, amounts: Sequence[Numeral]) -> Iterator[str]:
    if len(amounts) == 1:
        yield "only"
        if len(re.findall(r"[^\W\d]+", text[: amount.start] + " " + text[amount.end :])) <= 1:
            yield "bare"
    if amount == amounts[0]:
        yield "first in sentence"
    if amount == amounts[-1]:
        yield "last in sentence"
    if amount.value in (0, 1):
        yield "zero or one"
    if amount.value == 0 and text[amount.start] in "nN":
        yield "nothing"
    others = [other.value for other in amounts if other is not amount] if len(amounts) <= MOST_MADE_OF else []
    if is_all_of(amount.value, others):
        yield "made of all others"


def _add_places(
    reply: Sequence[Sentence], sentences: Sequence[list[NumberMention]], asked: AskedProblem | None
) -> None:
    """Adds where a sentence stands, what its passage is about, and whether it shares a word with an earlier one."""
    worked = [group[0].sentence.passage for group in sentences if "=" in group[0].sentence.text and _is_open(group[0])]
    labels = [
        group
        for group in sentences
        if len(group) == 1 and _is_open(group[0]) and _LABEL_LINE.match(group[0].sentence.text)
    ]
    words_before: set[str] = set()
    ending = is_cut_off(reply)
    first = next((group[0].place for group in sentences if not group[0].sentence.retells), len(reply))
    anew = (
        place
        for place, said in enumerate(reply)
        if place > first and _ANOTHER_QUESTION.search(said.text) and not (asked and asked.is_told_in(said.text))
    )
    asks_anew = next(anew, len(reply))
    for position, group in enumerate(sentences):
        said, cues = group[0].sentence, set()
        if said.opens:
            cues.add("opens")
        if group[0].place >= asks_anew:
            cues.add("after another question")
        if not position:
            cues.add("first with numbers")
        if position == len(sentences) - 1:
            cues.add("last with numbers")
        if not position or sentences[position - 1][0].sentence.passage != said.passage:
            cues.add("first in passage")
        if position == len(sentences) - 1 or sentences[position + 1][0].sentence.passage != said.passage:
            cues.add("last in passage")
        if said.topic is not Topic.OPEN:
            cues.add("of the load" if said.topic is Topic.LOAD else "of something else")
        if said.topic is not Topic.LOAD and any(other[0].sentence.topic is Topic.LOAD for other in sentences):
            cues.add("beside the load" if said.topic is Topic.OPEN else "something else beside the load")
        if said.retells:
            cues.add("retells")
        if said.explains or said.checks:
            cues.add("checked" if said.checks else "explaining")
        elif any(other.explains or other.checks for other in reply[group[0].place + 1 : group[0].place + 3]):
            cues.add("before an explanation")
        if ending and group[0].place == len(reply) - 1:
            cues.add("in what is cut off")
        elif ending and said.passage == reply[-1].passage:
            cues.add("in the passage cut off")
        if said.passage > sentences[0][0].sentence.passage:
            cues.add("later passage")
        if worked and said.passage > worked[-1]:
            cues.add("after the working")
        if len(labels) >= 3 and group in labels:
            cues.add("last of a list of labels" if group is labels[-1] else "in a list of labels")
        words = {word[:5].lower() for word in re.findall(r"[^\W\d_]{4,}", said.text)} - _FILLER
        if position and not words & words_before and not cues & {"in a list of labels", "last of a list of labels"}:
            cues.add("shares no word")
        words_before |= words
        for mention in group:
            mention.cues |= cues


def _is_open(mention: NumberMention) -> bool:
    return mention.sentence.topic >= Topic.OPEN


def _add_corrections(reply: Sequence[Sentence], sentences: Sequence[list[NumberMention]]) -> None:
    """Adds which numbers stand before the last correction that a number follows, and which after it."""
    last = sentences[-1][0].place if sentences else -1
    corrected = [
        place
        for place, said in enumerate(reply[: last + 1])
        if said.topic is not Topic.OTHER and CORRECTS.search(said.text)
    ]
    corrects = False
    for group in sentences:
        text = group[0].sentence.text
        ends = [match.end() for match in CORRECTS.finditer(text)] if corrected[-1:] == [group[0].place] else []
        contrast = None if corrected else _CONTRASTS.search(text)
        for mention in group:
            if corrected:
                is_after = mention.place > corrected[-1] or (ends and mention.amount.start >= ends[-1])
                mention.cues.add("after correction" if is_after else "before correction")
                if is_after and not corrects:
                    mention.cues.add("first after correction")
                corrects = corrects or bool(is_after)
            elif contrast and mention.amount.start < contrast.end():
                mention.cues.add("before but")


def _add_brackets(reply: Sequence[Sentence], found: Sequence[NumberMention]) -> None:
    """Adds which numbers stand in brackets, which may hold several sentences of a passage."""
    opened, depth, passage = [], 0, -1
    for said in reply:
        depth = depth if said.passage == passage else 0
        opened.append(depth)
        depth, passage = max(0, depth + said.text.count("(") - said.text.count(")")), said.passage
    for mention in found:
        before = mention.sentence.text[: mention.amount.start]
        if opened[mention.place] + before.count("(") > before.count(")"):
            mention.cues.add("in brackets")
            if opened[mention.place] or before.lstrip().startswith("("):
                mention.cues.add("sentence in brackets")


def _add_claims_beside(group: Sequence[NumberMention]) -> None:
    """Adds which numbers stand before or after one that their sentence claims, or say it again in another unit."""
    for first, second in pairwise(group):
        text = first.sentence.text
        again = _SAID_AGAIN.fullmatch(text, first.amount.end, second.amount.start)
        unit = re.match(r"\s?([^\W\d]+)", text[second.amount.end :])
        if again and unit and unit[1].lower() != again["unit"].lower() and "calculates" not in first.cues:
            is_asked_for = "unit asked" in second.cues - first.cues
            (first if is_asked_for else second).cues.add("in another unit")
            first.cues -= {"or follows", "left of equals"}
    for position, mention in enumerate(group):
        if "equals" not in mention.cues and any(
            other.cues & _CLAIMS for other in group[max(0, position - 4) : position]
        ):
            mention.cues.add("after a claim")
        if any(other.cues & _CLAIMS for other in group[position + 1 : position + 5]):
            mention.cues.add("before a claim")


def _add_what_it_is_made_of(found: Sequence[NumberMention], *, may_be_rounded: bool) -> None:
    """Adds which numbers others make by one operation, or are said before."""
    known: list[float] = []
    results: set[float] = set()
    said: Sentence | None = None
    factors: list[float] = []
    announced: float | None = None
    used: list[tuple[int, set[float]]] = []
    for position, mention in enumerate(found):
        value, cues, text = mention.value, mention.cues, mention.sentence.text
        if mention.sentence is not said:
            said = mention.sentence
            factors = [*factors[-2:], *factors_in(text[:400])]
        is_new = value >= 2 and value not in known
        if is_new and (makers := made_of(value, [*factors, *recent(known, value)], known[::-1])):
            cues.add("made")
            used += [] if cues & _BESIDE_THE_WAY else [(position, {*makers})]
            if value >= 30:
                cues.add("made and large")
            results.add(value)
        else:
            following = [after.value for after in found[position + 1 : position + 5]]
            if is_new and made_of(value, [*factors, *following], following):
                cues.add("explained after")
        if may_be_rounded and any(
            not one.is_integer() and value in (math.floor(one), math.ceil(one)) for one in results
        ):
            cues.add("a result in whole")
        if value in known:
            cues.add("seen")
        if value in results and "made" not in cues:
            cues.add("says a result again")
        elif "equals" in cues and value in known[:-1]:
            cues.add("equals a given number")
        if "equals" in cues:
            results.add(value)
        if position and found[position - 1].sentence is said:
            between = text[found[position - 1].amount.end : mention.amount.start]
            if re.fullmatch(r"\s*(?!but\b)[^\W\d]*,?\s*", between) and not cues & _CLAIMS:
                cues.add("beside another")
        if "announced" in cues:
            announced = announced if "after another question" in cues else value
        elif announced is not None and announced != value:
            cues.add("after the announced")
        known.append(value)
        if text[mention.amount.end : mention.amount.end + 1] == "%":
            factors.extend((value / 100, 1 - value / 100))
    for position, mention in enumerate(found):
        if any(later > position and mention.value in values for later, values in used):
            mention.cues.add("goes into a later one")


def _add_what_comes_later(found: Sequence[NumberMention]) -> None:
    """Adds which numbers are said again or calculated with afterwards, and what is calculated or announced later."""
    later: set[float] = set()
    used: set[float] = set()
    calculated: set[float] = set()
    announced: set[float] = set()
    made_later = False
    for mention in reversed(found):
        value, cues = mention.value, mention.cues
        if value in later:
            cues.add("again later")
        if value in used and "announced" not in cues:
            cues.add("used later")
        if calculated - {value} and "announced" not in cues:
            cues.add("equation later")
        if announced - {value}:
            cues.add("announced later")
        if "after another question" in cues:
            continue
        if "made" in cues and not made_later:
            cues.add("last made")
        if _is_open(mention):
            made_later |= "made" in cues
            if "equals" in cues and not cues & {"in brackets", "with unknown", "checks"}:
                calculated.add(value)
        if "announced" in cues:
            cues |= set() if announced else {"last announced"}
            announced.add(value)
            cues.discard("announced far")
        if cues & {"operand before", "operand after"} and not cues & {"equals", "in brackets"}:
            used.add(value)
        later.add(value)
