"""Whether a reply gives another answer more firmly than the accepted name: "Many guess Portuguese, but it's Spanish".

Another answer is a name, a year or number where one is asked for, or the noun a short answer begins with, that does not
stand in the question. Both are read by `forgetscope.mentions`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from forgetscope.benchmarks.prospective.loads.reading.names import FILLER, NamedPlace, is_one_case, words_of
from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.mentions.marks import MARK, SEVERAL, TEXT, option_of
from forgetscope.mentions.standing import Mention, Standing, mentions

_NAME = re.compile(r"\b[A-Z][\w-]*(?:(?: (?:of|the|de|van|von|da|di|and the))? (?:[A-Z]\.? )?[A-Z][\w-]+)*")
_YEAR = re.compile(r"(?<![\d.,])(?:\d{4}\s?[-–]\s?)?(?:1\d{3}|20\d\d)(?!\d|,\d)")
_COUNT = re.compile(
    r"\b(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?![.,]?\d)(?! (?:more|less|fewer)\b)",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"(?:^\W*(?:in|at|on|from|by)?\s*(?:an?|the)?\s*|\b(?:it|that|this|he|she)(?:['’]s|\s(?:is|was))\s(?:in\s|an?\s"
    r"|the\s)*(?:(?:kind|type|sort|breed)\sof\s|[a-z]+(?:ed|de|wn|nt)\s(?:in|by|from|at)\s(?:the\s)?)?)"
    r"([a-z][a-z-]+(?:\s[a-z][a-z-]+)?)(?=\s*(?:[,.;(!]|and\b|$))",
    re.IGNORECASE,
)
_ORDINARY_WORDS = """
i it he she they we you this that there here these those my your his her its our their one who what which when where
why how in on at by during while although though since because after before according from for with as and but or so if
then also another other some many most all both no not yes sure okay ok well hello hi dear great good thank thanks
please hmm oh ah however first second today question answer let unfortunately of to response section title note without
botanically technically actually none mr mrs ms dr prof sir st
"""
_ORDINARY = frozenset(_ORDINARY_WORDS.split())
_BESIDE = re.compile(
    r"(?:,\s+with\s+|\b(?:of|by|from|than|in|at|on|to|for|after|before|like|as|near|under|over|against"
    r"|see)\s+(?:the\s+)?|,\s+(?:an?|the)\s+)[\"'“(*]*$",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"(?:^|[.!?\n])\W*(?:(?:it|that|this|he|she)\s(?:was|is)\s(?:\w+\s)?)?(?:in|at|on|by"
    r"|from)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_ADVERB = re.compile(r"(?:al|te|nt|us|in|ar|ed|ct|ab|ib|ur|ne)ly$")
_RANKED_LOWER = re.compile(
    rf"({MARK})\s+(?:(?:is|was|comes?|came|be)\s+)?(?:only\s+)?(?:the\s+)?(?:second|third|next)\b(?!\s(?:to|\w+st"
    rf"|of)\b)"
)
_TAKES_BACK = re.compile(
    r"\b(?:but|actually|no|wait|so|hence|therefore|today|now|i\.e|also|called|known as|namely|that is)\b"
)
_TITLED = re.compile(r"(?: [a-z-]+){0,3} [\"'“(*]*")
_LINKS = re.compile(r"\b(?:of|in|by|to|from|and|or|for|with|than|not|at|on|was|is|who|after|before|like)\b")


def is_outdone(text: str, places: Sequence[NamedPlace], names: Iterable[tuple[str, ...]], question: str) -> bool:
    """Whether something else is the answer of a text in which accepted names stand at some places.

    Args:
        text: A reply, or what stands after the announcement of an answer.
        places: Where accepted names stand.
        names: The words of every accepted name.
        question: What was asked; a name of its is no other answer.
    """
    asked = {word for word, _, _ in words_of(question)} - FILLER
    own_words = {word for name in names for word in name}
    text, marked, end = re.sub(MARK, " ", text), "", 0
    spans = [(place.start, place.end, chr(TEXT)) for place in places]
    spans += [(start, stop, chr(TEXT + 1)) for start, stop in _others(text, places, own_words, asked)]
    for start, stop, mark in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= end:
            marked, end = f"{marked}{text[end:start]} {mark} ", stop
    marked = f"{marked}{text[end:]}".lower()
    if not asked & {"second", "third", "next"}:
        marked = _RANKED_LOWER.sub(r"not \1 ", marked)
    found = mentions(marked, 2)
    kept = [entry for entry in found if entry.standing > Standing.DENIED]
    kept = [entry for entry in kept if not entry.is_past] or kept
    if not re.sub(rf"{MARK}|[\W_]|\band\b", "", marked) and SEVERAL in {entry.mark for entry in kept}:
        return True  # "Fleming and Pasteur"
    own = max((entry.standing for entry in kept if option_of(entry.mark) == 0), default=Standing.DENIED)
    other = max((entry.standing for entry in kept if option_of(entry.mark) == 1), default=Standing.DENIED)
    if own is Standing.DENIED:
        return other >= Standing.SHOWN or SEVERAL not in {entry.mark for entry in kept}
    if other >= Standing.SHOWN and (other > own or (other == own and _comes_out_first(marked))):
        return True
    stems = {word[:5] for word in asked}
    says = [_says([entry for entry in kept if option_of(entry.mark) == at], stems) for at in (0, 1)]
    is_contrasted = re.search(rf"{chr(TEXT)}[^.]*\bbut\b[^.]*{chr(TEXT + 1)}", marked) is not None
    is_first = marked.find(chr(TEXT + 1)) < marked.find(chr(TEXT))
    return own < Standing.CHOSEN and says[1] > (says[0] if is_contrasted or is_first else max(says[0], 1))


def _comes_out_first(marked: str) -> bool:
    """Whether of two answers given alike the other one holds: the first, unless it is taken back."""
    places = [(match.start(), match[0]) for match in re.finditer(MARK, marked)]
    own, other = (next((at for at, mark in places if option_of(mark) == option), 0) for option in (0, 1))
    takes_back = _TAKES_BACK.search(marked, min(own, other), max(own, other)) is not None
    return (other < own) != takes_back


def _says(found: Sequence[Mention], asked: set[str]) -> int:
    """How many words of the question stand beside a name, "it" as one of them."""
    return max(
        (len({word[:5] for word, _, _ in words_of(entry.clause)} & (asked | {"it", "them"})) for entry in found),
        default=0,
    )


def _others(text: str, places: Sequence[NamedPlace], own_words: set[str], asked: set[str]) -> Iterator[tuple[int, int]]:
    """Where other answers may stand."""
    is_year = all(re.search(r"\b\d{4}$", place.alias) for place in places)
    is_count = all(numerals(place.alias) for place in places)
    names = () if is_year or is_one_case(text) else (_NAME,)
    for pattern in (*(_YEAR,) * is_year, *names, _NOUN, *(_COUNT,) * is_count):
        for match in pattern.finditer(text):
            start, stop = match.span(match.re.groups)
            is_apart = not any(start < place.end and place.start < stop for place in places)
            if (
                is_apart
                and _says_something_new(text[start:stop], own_words, asked)
                and _is_given(pattern, text[:start], text[stop:])
                and not any(place.start >= stop and _leads_to(text[stop : place.start]) for place in places)
            ):
                owns = re.match(r"['’]s(?=\W*(?:$|[.!,]))", text[stop:])
                yield start, stop + (owns.end() if owns else 0)


def _says_something_new(name: str, own_words: set[str], asked: set[str]) -> bool:
    words = [word for word, _, _ in words_of(name)]
    if len(name) < 2 or not words or words[0] in _ORDINARY or _ADVERB.search(words[0]):
        return False
    return not (set(words) <= own_words or set(words) <= asked | FILLER)


def _is_given(pattern: re.Pattern[str], before: str, after: str) -> bool:
    """Whether a name can be an answer where it stands: not whose something is, nor by the way ("in Rome")."""
    if re.match(r"['’]s\s+\w", after):
        return False
    if pattern is _YEAR:
        return re.fullmatch(r"\W*(?:(?:it|that) (?:was|is) )?(?:in\s)?", before, re.IGNORECASE) is not None
    return pattern is _NOUN or _BESIDE.search(before) is None or _GIVEN.search(before) is not None


def _leads_to(between: str) -> bool:
    """Whether a name goes on to the accepted one as its title: "Scottish bacteriologist Alexander Fleming"."""
    return _TITLED.fullmatch(between) is not None and _LINKS.search(between) is None
