"""The mentions of options in a reply, each with the cues that speak for and against its being the choice."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from forgetscope.mentions import option_cues
from forgetscope.mentions.marks import IN_MARK, MARK, TEXT, kind_of, option_of, options_of, several
from forgetscope.mentions.option_cues import ANNOUNCED, DENIED, SAYS_NOTHING_MORE, is_past


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention in a marked text.

    Attributes:
        cues: By name, see `option_cues`.
    """

    mark: str
    cues: set[str] = field(default_factory=set)

    @property
    def kind(self) -> str:
        """What it is made of: an option's `label`, its `words`, `both`, a `hint`; or `no option`, `several`."""
        return kind_of(self.mark)

    @property
    def is_denied(self) -> bool:
        """Whether it is said not to be the answer."""
        return bool(self.cues & DENIED)

    @property
    def is_live(self) -> bool:
        """Whether it is neither denied nor told of the past."""
        return not self.is_denied and "past" not in self.cues

    @property
    def is_announced(self) -> bool:
        """Whether it announces the option."""
        return self.is_live and "aside" not in self.cues and bool(self.cues & ANNOUNCED)

    @property
    def is_shown(self) -> bool:
        """Whether it announces the option, or says that it is what there is."""
        return self.is_live and bool(self.cues & ANNOUNCED or ("shown" in self.cues and "like" not in self.cues))


def _compiled(patterns: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern) for name, pattern in patterns.items()}


_UPTO_IN_CLAUSE, _UPTO, _ON = (
    _compiled(part) for part in (option_cues.UPTO_IN_CLAUSE, option_cues.UPTO, option_cues.ON)
)
_CLAUSE, _SENTENCE, _LINE, _SINCE = (
    _compiled(part) for part in (option_cues.CLAUSE, option_cues.SENTENCE, option_cues.LINE, option_cues.SINCE)
)
_STOP = re.compile(r"(?<=[.!?])(?=\s|$)|(?<=[。！？])")
_ALL_DENIED = re.compile(
    rf"\W*(?:all|both|none|neither|these|those|they|the others?|the rest)\b[^{IN_MARK}]{{0,30}}\b(?:wrong|incorrect"
    rf"|false|out|right|correct)\W*$"
)
_SAYS_NO = re.compile(r"\W*(?:no|nope|wrong|(?:i'm afraid )?(?:that's|that is|it's|it is) (?:a mistake|wrong|not))\b")
_CLAUSE_END = re.compile(
    r"[,;:()\[\]\"—–→!?]+|\.(?=\s|$)|\s-\s|[=-]>|⇒"
    rf"|\bas\b(?!\s+(?:(?:an?|the)\s+)?{MARK})"
    r"|\b(?:but|so|because|since|however|therefore|thus|hence|although|though|while|whereas|which|then)\b"
)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_GOES_ON = re.compile(
    r"[\s,]*(?:and\s|(?:is|was|are|were|has|had|have|does|did|do|can|will|would|means|makes|follow(?:s|ed)|came|comes)\b)"
)
_MOST = 60
"""Mentions at each end of a reply that are read."""


def mentions(marked: str) -> list[Mention]:
    """Every mention of a marked text in lower case, in order."""
    places = [match.start() for match in re.finditer(MARK, marked)]
    if len(places) > 2 * _MOST:
        marked = f"{marked[: places[_MOST]]}\n{marked[places[-_MOST] :]}"
    found: list[Mention] = []
    lines = [line for line in marked.split("\n") if line.strip()]
    since, sentences = "", list[list[Mention]]()
    for number, line in enumerate(lines):
        of_head = {name for name, pattern in _LINE.items() if pattern.match(line)}
        of_line = {name for name, at in (("first line", 0), ("last line", len(lines) - 1)) if number == at}
        tied = re.sub(rf"(^[\W_]*|[.!?]\s+)({MARK})\.(?=\s+\S)", r"\1\2:", line)
        asked: list[Mention] = []
        for sentence in (sentence for sentence in _STOP.split(tied) if sentence.strip()):
            if _SAYS_NO.match(sentence):
                for mention in asked:
                    mention.cues.add("all denied")
            if _ALL_DENIED.match(sentence):
                for mention in found:
                    mention.cues.add("all denied")
            inside = list(_in_sentence(sentence, found, since))
            sentences.append(inside)
            for mention in inside:
                mention.cues.update(of_line | of_head)
                of_head = set()
            asked = inside if "?" in sentence[-3:] or re.fullmatch(rf"\W*{MARK}\W*", sentence) else []
            since = re.split(MARK, sentence)[-1] if inside else f"{since} {sentence}"[-300:]
    _withdraw(found)
    said = [inside for inside in sentences if any(mention.is_live for mention in inside)]
    for cue, inside in zip(
        ("alone in the first sentence", "alone in the last sentence"), said[:: max(1, len(said) - 1)], strict=False
    ):
        live = [mention for mention in inside if mention.is_live] if len(said) > 1 else []
        if len({mention.mark for mention in live}) == 1:
            for mention in live:
                mention.cues.add(cue)
    return found


def _withdraw(found: Sequence[Mention]) -> None:
    """Marks what stands before the last correction after which an option is announced: it no longer counts.

    Where something is plainly taken back, the last option named after that is what is said instead.
    """
    announced = [place for place, mention in enumerate(found) if mention.is_announced]
    corrected = [place for place, mention in enumerate(found) if "after correction" in mention.cues]
    last = announced[-1] if announced else 0
    before = max((place for place in corrected if place <= last), default=0)
    for mention in found[:before]:
        if option_of(mention.mark) != option_of(found[last].mark):
            mention.cues.add("withdrawn")
    back = max((place for place, mention in enumerate(found) if "after taking back" in mention.cues), default=0)
    instead = [option_of(one.mark) for one in found[back:] if one.is_live and not one.cues & {"maybe", "aside", "asks"}]
    taken = {option_of(found[place].mark) for place in announced if place < back} - {None}
    if back and instead and instead[-1] is not None and not any(place >= back for place in announced):
        for mention in found:
            if option_of(mention.mark) in taken - {instead[-1]}:
                mention.cues.add("withdrawn")


def _in_sentence(sentence: str, found: list[Mention], since: str) -> Iterator[Mention]:
    """Every mention in a sentence; adds them to those found, and to these what the new ones say of them."""
    sentence = _plain(sentence)
    of_sentence = {name for name, pattern in _SENTENCE.items() if pattern.search(sentence)}
    start, last = 0, 0
    for end, following in [*(match.span() for match in _CLAUSE_END.finditer(sentence)), (len(sentence), len(sentence))]:
        clause = sentence[start:end]
        of_clause = of_sentence | {name for name, pattern in _CLAUSE.items() if pattern.search(clause)}
        words = re.findall(r"[^\W_][\w']*", re.sub(MARK, " ", clause))
        if "one of several" not in of_clause and all(word in SAYS_NOTHING_MORE for word in words):
            is_subject = _GOES_ON.match(_IN_BRACKETS.sub("", sentence[end : end + 80])) is not None
            of_clause.update(() if is_subject else ("says nothing more",))
        for match in re.finditer(MARK, clause):
            place = start + match.start()
            before, upto = sentence[max(0, place - 120) : place + 1], sentence[start : place + 1]
            mention = Mention(match[0], {kind_of(match[0]), *of_clause})
            mention.cues.update(name for name, pattern in _UPTO.items() if pattern.search(before))
            mention.cues.update(name for name, pattern in _UPTO_IN_CLAUSE.items() if pattern.search(upto))
            mention.cues.update(name for name, pattern in _ON.items() if pattern.match(sentence, place))
            if not re.search(r"\w", sentence[place + 1 : end]):
                mention.cues.add("ends clause")
            mention.cues.difference_update({"denied after"} if "right" in mention.cues else ())
            mention.cues.difference_update({"says nothing more"} if mention.cues & {"glosses", "spoken about"} else ())
            if is_past(sentence, place):
                mention.cues.add("past")
            since = f"{since} {sentence[last:place]}"
            for name in (name for name, pattern in _SINCE.items() if pattern.search(since)):
                mention.cues.update({f"after {name}"} if found else set())
                for other in found:
                    if option_of(other.mark) != option_of(match[0]):
                        other.cues.add(f"{name} later")
            since, last = "", place + 1
            found.append(mention)
            yield mention
        start = following


_NO_DENIAL = re.compile(
    r"\bnone other than\b|\b(?:can't|cannot|couldn't) be (?:any\w*) (?:other than|but)\b|\b(?:no doubt"
    r"|without (?:a )?doubt|not only|not just|nothing but|no question)\b"
    r"|\b(?:i'm |i am )?not (?:(?:entirely|completely|totally|fully|very|really|100%|quite) )?(?:sure|certain)\b"
    r"(?: (?:if|whether|that))?|,?\s*(?:but )?less likely\b,?"
)
_SIDE_BY_SIDE = re.compile(
    rf"(?:\b(?:both|either|neither|between|options?|choices?)\s+)*{MARK}"
    rf"(?:\s*(?:[,/&|]|[-–—](?=\s*{MARK})|,?\s*\b(?:and/or|and|or|nor|to|through|versus|vs\.?)\b)?\s*"
    rf"(?:(?:maybe|perhaps|even|an?|the|options?|choices?)\s+)*{MARK})+"
)
_BETWEEN = re.compile(rf"(\b(?:between|of|among)\s[^;]*?\band\s+(?:option\s+)?{MARK}),(?=\s*{MARK})")
_ALL_BUT = re.compile(
    rf"\b(?:everything|all|any|every \w+|all \w+)(?: \w+)? (?:but|except)(?: for)?\s+(?:option )?({MARK})\s+(?:is"
    rf"|are|can be)\b[^.]{{0,20}}\b(?:wrong|incorrect|false|out)\b"
)
_IN_ORDER = re.compile(
    rf"(?<!\bif)(?<!\bif the)(?<!\bwhen) ?({MARK})((?:[^{IN_MARK}.]{{0,60}}?(?:,|\band)\s+(?:then|followed by"
    rf"|next)\s+(?:the\s+)?{MARK}(?:(?:,|\s(?:and"
    rf"|or))\s{MARK})*)+)"
)
_SET_APART = re.compile(
    rf"(\b(?:unlike|besides|apart from|in contrast to|as opposed to|compared (?:to|with)"
    rf"|not)\s[^,;]*?),(?=\s*{MARK}(?!\s*,?\s*\b(?:n?or)\b)(?:[^,]*$|\s(?!or\b|and\b|nor\b)\w))"
)


_CHANGED = re.compile(rf"\b(?:chang\w*|switch\w*|revis\w*|correct\w*)\b[^.;]{{0,40}}\bfrom\s+({MARK})\s+to\s+({MARK})")


def _plain(sentence: str) -> str:
    """The sentence with turns of phrase put plainly, and options side by side as one mark for several."""
    sentence = _ALL_BUT.sub(r"the answer is \1", _NO_DENIAL.sub(" ", sentence))
    sentence = _CHANGED.sub(
        r"not \1; the answer is \2", re.sub(r"\bany(?:thing|where|one) (?:but|other than)\b", "not", sentence)
    )
    sentence = _BETWEEN.sub(r"\1;", _IN_ORDER.sub(lambda match: match[1] + re.sub(MARK, "", match[2]), sentence))
    sentence = _SIDE_BY_SIDE.sub(_one_or_several, _SET_APART.sub(r"\1;", sentence))
    return re.sub(rf"({MARK})[\s,]{{0,4}}\b(rather than|instead of|over|not)\b", r"\1 , \2", sentence)


def side_by_side(marked: str) -> str:
    """The text with options side by side as one mark for several."""
    return _SIDE_BY_SIDE.sub(_one_or_several, marked)


_A_LOOP = 40
"""Mentions in a row."""


def _one_or_several(match: re.Match[str]) -> str:
    marks = re.findall(MARK, match[0])
    if len({option_of(mark) for mark in marks}) == 1 and len(marks) < _A_LOOP:
        return f" {marks[0]} "
    if re.fullmatch(rf"{MARK}\s*,\s*and\s+{MARK}", match[0]):
        return match[0]
    if re.fullmatch(rf"{MARK},\s+{MARK}", match[0]) and (ord(marks[0]) < TEXT) != (ord(marks[1]) < TEXT):
        return match[0]
    word = next((word for word in ("neither", "between") if word in match[0]), "")
    return f" {word} {several(at for mark in marks for at in options_of(mark))} "
