"""The names of a reply, accepted ones and others, with the cues that speak for and against each as its answer."""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, product

from forgetscope.benchmarks.prospective.loads.reading.name_cues import (
    AFFIRMED,
    AFTER,
    ANSWER_IS,
    BEFORE,
    DENIED,
    NO_ANSWER,
    SENTENCE,
    TOGETHER,
)
from forgetscope.benchmarks.prospective.loads.reading.names import (
    FILLER,
    ORDINARY,
    asks_for_a_person,
    first_word,
    is_a_namesake,
    is_adjective_of_place,
    is_capital_name,
    is_one_case,
    is_other_kind,
    is_part_of_a_name,
    mentions_of,
    short_names,
    stems_of,
    words_of,
)
from forgetscope.benchmarks.prospective.loads.reading.number_cues import MONTH
from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.mentions.nearness import CLAUSE_END, shares
from forgetscope.mentions.quantities import quantity_told

_ABBREVIATION = "".join(
    rf"(?<!\b{word}\.)" for word in ("[A-Z]", "[Ss]t", "Mr", "Dr", "Mt", "Mrs", "Jr", "No", "i\\.e", "e\\.g")
)
_SENTENCE_END = re.compile(rf"(?<=[.!?;]){_ABBREVIATION}[\"'”’)\]]*\s+|\n")
ANNOUNCED = re.compile(ANSWER_IS, re.IGNORECASE | re.MULTILINE)
_BEFORE, _AFTER, _SENTENCE, _NONE = (
    {
        name: re.compile(pattern, 0 if "capital" in name or "lower" in name else re.IGNORECASE)
        for name, pattern in table.items()
    }
    for table in (BEFORE, AFTER, SENTENCE, NO_ANSWER)
)
_SAYS_NOTHING = re.compile(
    r"^\W*(?:(?:quite|very|pretty)\s+)?(?:simple|easy|clear|as\s+follows|below|here|straightforward|this|short)?\W*$",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[A-Z][\w-]*(?:(?: (?:of|the|de|van|von|da|di|and the))? (?:[A-Z]\.? )?[A-Z][\w-]+)*")
_YEAR = re.compile(r"(?<![\d.,])(?:\d{4}\s?[-–]\s?)?(?:1\d{3}|20\d\d)(?!\d|,\d)")
_COUNT = re.compile(
    r"(?<![\w.,])\d[\d.,]*\d|\b(?:\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?![.,]?\d)",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"(?:^[^\w\n]{0,9}(?:(?:in|at|on|from|by)\s)?(?:(?:an?|the)\s)?|\b(?:it|that|this|he|she)(?:['’]s|\s(?:is|was))\s(?:in\s|an?\s"
    r"|the\s)*(?:(?:kind|type|sort|breed)\sof\s|[a-z]+(?:ed|de|wn|nt)\s(?:in|by|from|at)\s(?:the\s)?)?"
    r"|\b(?:say|said|answer|write|pick|choose|called|named|not|but|than|actually|exclude\w*|out)\s(?:an?\s|the\s)?"
    r"|\b(?:is|are|was|were|be|['’]d)\s|[,;.]\s(?:an?|the)\s)"
    r"([a-z][a-z-]+(?:\s[a-z][a-z-]+)?)(?=\s*(?:[,.;:(!?\"”]|and\b|or\b|$)|\s(?:is|was)\s(?:an?|the)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_ADVERB = re.compile(r"(?:al|te|nt|us|in|ar|ed|ct|ab|ib|ur|ne)ly$")
_DATE = re.compile(rf"\b\d{{1,2}} {MONTH}\b(?: \d{{4}}\b)?", re.IGNORECASE)
_TWO_NOUNS = re.compile(r"\W*(?:(?:it['’]s|it\s(?:is|was))\s+)?(?:an?\s|the\s)?([a-z-]{3,})\s", re.IGNORECASE)
_IN_LABEL = re.compile(r"([^:]{1,60}):[^:]*$")
_RELATIONS = ("compared", "beside", "in order", "relation", "others say")
"""Cues that say nothing where the question has the same words: "often mistaken for"."""
_PAST_THE_END = ("took back", "ticked", "crossed")
"""Cues that are looked for beyond the end of the sentence as well."""
_NEAR, _MOST, _LONGEST_REGION = 200, 60, 400
"""Characters round a name that are read; names of a kind; characters after the announcement of an answer."""
_SERIES = re.compile(r"[^\w.!]*(?:\s(?:and|or|&|>)\s)?[^\w.!]*")
_BOTH = re.compile(r"\b(\w+) and (\w+)\b")
_ORDINALS = stems_of("second third next last after")
_SURNAMES = stems_of("surname lastname")
_LISTED = re.compile(r"^[^\S\n]*(?:[-*•]|\d{1,2}[.)])[^\S\n]+([^\n]{1,60})$", re.MULTILINE)
_NAMES_ASKED = re.compile(
    r"^\W*(?:\w+\s+){0,2}(?:who|whose|whom)\b|\b(?:which|what)\s+(?:(?!did|does|do|is|was|has)[\w'’-]+\s+){0,4}?"
    r"(?:author|actor|actress|composer|singer|band|film|movie|song|album|novel|book|play|character)\b",
    re.IGNORECASE,
)

_COUNTS = re.compile(
    r"\d|\b(?:how|when|number|numeral|year|date|day|age|percentage|score|decade|century)\b", re.IGNORECASE
)
_NAMED_IN = re.compile(r"(?<=\s)\W?([A-Z][\w'’-]+)|(?<!\w)['\"“‘](\w[^\"”]*?)['\"”’](?!\w)")
"""What a question names: with a capital, or in quotes."""
_TURN = re.compile(
    r"\b(?:wait|hang\s+on|hold\s+on|scratch\s+that|strike\s+that|correction|sorry|oops|actually|i\s+mean|i\s+meant|make\s+that"
    r"|second\s+thou?ghts?|(?:edit|update|correction)(?=:)|mixed\s+up|take\s+(?:that|it)\s+back|let\s+me\s+(?:correct|rephrase)|my\s+(?:mistake|bad)|hmm+|no(?=[,.:!…—]|\s+(?:wait|it)\b))\b",
    re.IGNORECASE,
)
"""Where a writer takes back what he said."""
_OTHER_ANSWER = re.compile(
    r"\b(?:wrong|incorrect|possible|candidate|likely|plausible|common|obvious|popular|people['’]s|first|previous|old|second|(?:not|isn['’]t)\s+the)\W+(?:\w+\W+)?$",
    re.IGNORECASE,
)
"""Before the announcement of an answer that is not the writer's."""


@dataclass(slots=True)
class NamedCandidate:
    """A name of a reply.

    Attributes:
        alias: The accepted name it is; None for another one.
        cues: What speaks for and against it as the answer.
    """

    start: int
    end: int
    alias: str | None
    cues: set[str] = field(default_factory=set)


def candidates(
    text: str, names: dict[tuple[str, ...], str], question: str, bold: Sequence[str] = ()
) -> tuple[list[NamedCandidate], set[str]]:
    """The names of a text with their cues, and the cues that it gives no answer.

    Args:
        text: The plain reply.
        names: The accepted names by their words; at least one.
        question: What was asked.
        bold: What the reply had in bold or italics.
    """
    asked, full = stems_of(question), {word for name in names for word in name}
    names_asked = stems_of(" ".join(one or other for one, other in _NAMED_IN.findall(question)))
    known = " ".join((question, *names.values()))
    own = []
    for named in mentions_of(text, names) or mentions_of(text, short_names(names, question)):
        start = first_word(text, named, full)
        if not is_a_namesake(text, named, names, start) and not is_part_of_a_name(
            text, start, named.end, full, known=known, asks_surname=bool(asked & _SURNAMES)
        ):
            own.append(NamedCandidate(start, named.end, named.alias))
    own = own or list(_quantities(text, names))
    others = [NamedCandidate(*span, None) for span in islice(_others(text, own, names, question), _MOST)]
    found = sorted([*own[:_MOST], *others], key=lambda one: one.start)
    sentences, regions = list(_sentences(text)) or [(0, len(text))], list(_regions(text))
    needs_capital = _NAMES_ASKED.search(question) is not None and not is_one_case(text)
    asks_who = asks_for_a_person(question)
    starts, words = [start for start, _ in sentences], len(words_of(text[:400]))
    for one in found:
        place = max(0, bisect_right(starts, one.start) - 1)
        start, end = sentences[place]
        one.cues |= _cues_of_words(
            text, one, max(start, one.start - _NEAR), min(end, one.end + _NEAR), asked, names_asked
        )
        if one.alias is not None:
            one.cues.add("own")
        elif is_other_kind(text[one.start : one.end], [one.alias for one in own if one.alias], question):
            one.cues.add("other kind")
        if (
            needs_capital
            and one.alias
            and " " not in text[one.start : one.end]
            and is_capital_name(one.alias, text[one.start : one.end])
        ):
            one.cues.add("in small letters")
        if asks_who:
            one.cues.add("asked who")
        if text[one.start].islower():
            one.cues.discard("in a capital place")
        if words < 6:
            one.cues.add("short reply")
        if place == 0:
            one.cues.add("first sentence")
        if place == len(sentences) - 1:
            one.cues.add("last sentence")
        inside = [at for at, (first, last) in enumerate(regions) if first <= one.start < last]
        if inside:
            one.cues |= {"in answer", "last announced" if inside[-1] == len(regions) - 1 else "announced before"}
        elif regions:
            one.cues.add("not in answer")
    for start, end in sentences:
        _share_out(text, [one for one in found if start <= one.start < end], start, end, asked)
    in_bold = [one for one in found if text[one.start : one.end].strip(" .:") in bold]
    for one in in_bold:
        one.cues |= {"in bold"} if {each.alias is None for each in in_bold} == {True, False} else {"alone in bold"}
    _compare(found, text, question)
    for one in found:
        one.cues |= {f"{first} + {second}" for first, second in TOGETHER if {first, second} <= one.cues}
    none = {"gives no answer"} | {name for name, pattern in _NONE.items() if pattern.search(text[:4000])}
    return found, none


def _cues_of_words(
    text: str, one: NamedCandidate, start: int, end: int, asked: set[str], names_asked: set[str]
) -> set[str]:
    """The cues of the words round a name, from a place in its sentence to another."""
    before, after, on = text[start : one.start], text[one.end : end] or " ", text[one.end : one.end + _NEAR]
    cues = {
        name
        for name, pattern in _BEFORE.items()
        if (hit := pattern.search(before)) and not (name in _RELATIONS and stems_of(hit[0]) & asked)
    }
    cues |= {name for name, pattern in _AFTER.items() if pattern.search(on if name in _PAST_THE_END else after)}
    cues |= {name for name, pattern in _SENTENCE.items() if pattern.search(text[start:end])}
    if asked & _ORDINALS:
        cues -= {"came later", "role follows", "in order"}
    if not re.search(r"\w", before + after):
        cues.add("bare line")
    clause = _clause(text, start, end, one)
    if not stems_of(clause.replace(text[one.start : one.end], " ", 1)):
        cues.add("alone in its clause")
        if one.start < _NEAR and not stems_of(text[: one.start]):
            cues.add("opens the reply")
    if stems_of(" ".join(after.split()[:2])) & asked:
        cues.add("asked thing is its own" if "possessive" in cues else "asked word follows")
    if (one.alias or "A")[:1].islower() and _TWO_NOUNS.fullmatch(before):
        cues.add("second of two nouns")
    label = _IN_LABEL.match(before)
    if label and (label_says := stems_of(label[1])):
        cues.add("asked label" if label_says & asked else "other label")
    if not asked:
        return cues | {"nothing asked"} if one.alias else cues
    words = stems_of(clause)
    said = len(words & asked)
    if words & names_asked:
        cues.add("names what is asked")
    if said >= 0.6 * len(asked) > 0:
        cues.add("says the question")
    return cues | {f"says {min(3, said)} of the question"}


def _share_out(text: str, found: Sequence[NamedCandidate], start: int, end: int, asked: set[str]) -> None:
    """The cues of how much of the question stands nearer to a name than to any other of its sentence."""
    if len({one.alias is None for one in found}) < 2:
        return
    drawn = shares([(one.start, one.end) for one in found], text, start, end, lambda word: bool(stems_of(word) & asked))
    for one, own in zip(found, drawn, strict=True):
        most = max(
            share for other, share in zip(found, drawn, strict=True) if (other.alias is None) != (one.alias is None)
        )
        if own != most:
            one.cues.add("nearest what is asked" if own > most else "further from what is asked")


def _quantities(text: str, names: dict[tuple[str, ...], str]) -> Iterator[NamedCandidate]:
    """An accepted number or date as it is told in other words: "nineteen-twelve", "the seventeenth of March"."""
    for alias in names.values():
        told = quantity_told(text, alias)
        if told is not None and told.is_whole:
            found = [re.search(rf"(?<!\w){re.escape(word)}\b", text, re.IGNORECASE) for word in told.wording.split()]
            places = [match.span() for match in found if match]
            if places:
                yield NamedCandidate(min(places)[0], max(end for _, end in places), alias)
                return


def _clause(text: str, start: int, end: int, one: NamedCandidate) -> str:
    ends = [match.span() for match in CLAUSE_END.finditer(text, start, end)]
    first = max((stop for begin, stop in ends if stop <= one.start), default=start)
    last = min((begin for begin, stop in ends if begin >= one.end), default=end)
    return text[first:last]


def _compare(found: list[NamedCandidate], text: str, question: str) -> None:
    """The cues that rest on the other names."""
    kinds = {one.alias is not None for one in found}
    says = [max((k for k in range(4) if f"says {k} of the question" in one.cues), default=0) for one in found]
    for at, one in enumerate(found):
        own = one.alias is not None
        rivals = [k for k, other in enumerate(found) if (other.alias is not None) != own]
        if len(kinds) == 1:
            one.cues.add("only of its kind")
        if rivals:
            most = max(says[k] for k in rivals)
            if says[at] > most:
                one.cues.add("most asked words")
            if says[at] < most:
                one.cues.add("fewer asked words")
            if "names what is asked" in one.cues and not any("names what is asked" in found[k].cues for k in rivals):
                one.cues.add("alone names what is asked")
            if any(k < at for k in rivals):
                one.cues.add("others before")
            if any(k > at for k in rivals):
                one.cues.add("others after")
            if all(found[k].cues & DENIED for k in rivals):
                one.cues.add("others denied")
            if any(found[k].cues & AFFIRMED for k in rivals):
                one.cues.add("another affirmed")
        if at == 0:
            one.cues.add("first")
        if at == len(found) - 1:
            one.cues.add("last")
        if sum((other.alias is not None) == own for other in found) > 1 and own:
            one.cues.add("said again")
    turns = [turn.start() for turn in _TURN.finditer(text)]
    for one in found:
        others = [other for other in found if (other.alias is None) != (one.alias is None)]
        if any(other.end <= turn <= one.start for other in others for turn in turns):
            one.cues.add("since a turn")
        if any(one.end <= turn <= other.start for other in others for turn in turns):
            one.cues.add("before a turn")
    series = [at for at, (one, two) in enumerate(pairwise(found)) if _SERIES.fullmatch(text[one.end : two.start])]
    for at in series:
        if at + 1 in series:
            for one in found[at : at + 3]:
                one.cues.add("in a series")
    listed = [entry.span() for entry in _LISTED.finditer(text)]
    if len(listed) > 2:
        for one in found:
            places = [at for at, (start, end) in enumerate(listed) if start <= one.start and one.end <= end]
            one.cues |= {"first of a list" if places[0] == 0 else "later in a list"} if places else set()
    if found and "opens the reply" in found[0].cues:
        for one in found[1:]:
            one.cues |= {"another opens the reply"} if (one.alias is None) != (found[0].alias is None) else set()
    own_last = [one for one in found if one.alias][-1:]
    for last, (half, two) in product(own_last, _BOTH.findall(question)):
        rest = rf"[^.;]{{0,80}}\b(?:while|whereas|but|and)\b[^.;]{{0,80}}\b{two}\b"
        if re.match(rest, text[last.end :], re.IGNORECASE) and re.search(
            rf"\b{half}\b", text[: last.start], re.IGNORECASE
        ):
            last.cues.add("half of what is asked")
    for first, second in pairwise(found):
        between = text[first.end : second.start]
        if (first.alias is None) != (second.alias is None):
            if (
                between == ", "
                and "in a capital place" in first.cues
                and re.match(r"\W*(?:[,.;)]|$)", text[second.end :])
            ):
                first.cues.add("place goes on")
                second.cues.add("goes on a place")
            elif re.fullmatch(r"\W*(?:and|&|,|/|\+)\W*(?:the\s+)?", between):
                beside = re.search(r"\w", text[: first.start] + text[second.end :]) or not re.search(r"\w|&", between)
                for one in (first, second):
                    one.cues |= {"side by side"} if beside else {"side by side", "two names alone"}
            elif re.fullmatch(r"\W*\bor\s+(?:maybe\s+|perhaps\s+|the\s+|an?\s+)*\W*", between):
                more = stems_of(text[: first.start] + " " + text[second.end :])
                for one in (first, second):
                    one.cues |= {"one or the other"} if more else {"one or the other", "two names alone"}
            elif re.fullmatch(r"(?: [a-z-]+){0,3} [\"'“(*]*", between) and not re.search(
                r"\b(?:of|in|by|to|from|and|or|for|with|than|not|at|on|was|is|who|after|before|like)\b", between
            ):
                first.cues.add("leads to the next")
                second.cues.add("led to")


def _others(
    text: str, own: Sequence[NamedCandidate], names: dict[tuple[str, ...], str], question: str
) -> Iterator[tuple[int, int]]:
    """Where other answers may stand."""
    asked, asked_stems = {word for word, _, _ in words_of(question)} - FILLER, stems_of(question)
    own_words, last_words = {word for name in names for word in name}, {name[-1] for name in names}
    aliases = list(names.values())
    is_year = all(re.search(r"\b\d{4}s?$", alias) for alias in aliases[:1])
    is_date = _DATE.search(aliases[0]) is not None
    is_count = _COUNTS.search(question or aliases[0]) is not None and bool(numerals(aliases[0]))
    least = 1 if any(len(alias) < 4 and alias[0].isupper() for alias in aliases) else 2
    kinds: tuple[re.Pattern[str], ...]
    if is_year or is_date or is_count:
        kinds = (_DATE,) if is_date else (_YEAR,) if is_year else (_COUNT,)
    else:
        kinds = (_NOUN,) if is_one_case(text) else (_NAME,) if _NAMES_ASKED.search(question) else (_NOUN, _NAME)
    labels = [match.start() for match in re.finditer(r"^[A-Z]\w+(?=:\s?\S)", text, re.MULTILINE)]
    labels = labels if len(labels) > 1 else []
    taken: list[tuple[int, int]] = [(one.start, one.end) for one in own]
    for pattern in kinds:
        for match in pattern.finditer(text):
            start, stop = match.span(match.re.groups)
            ahead = next((first for first, last in taken if start < first < stop), stop)
            if re.search(r"\w[.,;:] $", text[start:ahead]):  # "Charles I. Henry VIII had two."
                stop = ahead - 2
            if any(start < last and first < stop for first, last in taken):
                continue
            said = text[start:stop]
            words = [word for word, _, _ in words_of(said)]
            while words and words[0] in ORDINARY and " " in said:
                start += said.index(" ") + 1
                said = text[start:stop]
                words = words[1:]
            if (
                len(said) < (1 if pattern is _COUNT else least)
                or not words
                or words[0] in ORDINARY
                or _ADVERB.search(words[0])
            ):
                continue
            is_part = pattern is not _DATE and set(words) <= (last_words if said.islower() else own_words)
            is_asked = set(words) <= asked | FILLER or (len(said) > 6 and stems_of(said) <= asked_stems)
            is_adjective = re.match(r"\s[a-z]", text[stop:]) and is_adjective_of_place(said, aliases)
            if is_adjective or is_part or (is_asked and not re.search(r"\w [A-Z]$", said)):  # but "vitamin A"
                continue
            if (pattern is _NOUN and words[0] in asked) or start in labels:
                continue
            taken.append((start, stop))
            yield start, stop


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in (*_SENTENCE_END.finditer(text), None):
        end = match.start() if match else len(text)
        if re.search(r"\w", text[start:end]):
            yield start, end
        start = match.end() if match else len(text)


def announced(text: str) -> list[str]:
    """What stands after each announcement of an answer, to the end of its sentence; not that it is simple."""
    regions = (text[start:end] for start, end in _regions(text))
    return [region for region in regions if re.search(r"\w", region)]


def _regions(text: str) -> Iterator[tuple[int, int]]:
    for match in deque(ANNOUNCED.finditer(text), _MOST):
        start = match.end()
        if _OTHER_ANSWER.search(text[max(0, match.start() - 30) : match.start()]):
            continue
        while start < len(text):
            start += len(text[start : start + 50]) - len(text[start : start + 50].lstrip(" \n\t\"'“*("))
            ends = _SENTENCE_END.search(text, start, start + _LONGEST_REGION)
            end = ends.start() if ends else min(len(text), start + _LONGEST_REGION)
            if not _SAYS_NOTHING.match(text[start:end]):
                if not _TURN.match(text[end : end + 40].lstrip(" \n\t.!?\"'”—–-")):
                    yield start, end
                break
            start = ends.end() if ends else len(text)
