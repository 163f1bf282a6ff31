"""The repaired reading of factual questions: whether a reply gives one of the accepted names as its answer.

Where a reply says "the answer is", or has a JSON key for it, only what stands there counts. Elsewhere a name counts
unless it is denied ("not Paris"), one of several that are offered ("Paris or Lyon"), a part of another name ("Paris
Hilton"), a possessive ("Newton's law"), in a clause about another answer, or under a heading of something else. A name
whose words stand in the question is no answer by being repeated. Case, accents, hyphens, articles and a plural s make
no difference.
"""

import re
from collections.abc import Iterator, Sequence

from forgetscope.benchmarks.prospective.loads.reading.names import (
    FILLER,
    NamedPlace,
    is_capital_name,
    is_one_case,
    mentions_of,
    names_of,
    stands_in,
    whole_name,
    words_of,
)
from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.benchmarks.prospective.loads.reading.passages import OF_ONESELF, plain, said_aloud
from forgetscope.benchmarks.prospective.loads.reading.replies import fenced_json, json_leaves
from forgetscope.benchmarks.prospective.loads.reading.rivals import is_outdone
from forgetscope.mentions.marks import Labels
from forgetscope.mentions.options import stated_option

_ABBREVIATION = r"(?<!\b[A-Z]\.)(?<!\b[Ss]t\.)(?<!\bMr\.)(?<!\bDr\.)(?<!\bMt\.)(?<!\bMrs\.)(?<!\bJr\.)(?<!\bNo\.)"
_SENTENCE = re.compile(rf"(?<=[.!?;]){_ABBREVIATION}[\"'”’)\]]*\s+|\n")
_ANSWER_IS = re.compile(
    r"\b(?:answers?|response|solution|respuesta|réponse|antwort)\b(?:(?:\s+(?:to|for|of|in|here|i|you|we|that"
    r"|therefore|then|\w+ly)\b[^.\n:=?]{0,80}?|\s*)\b(?:is|was|are|would\s+be|must\s+be|should\s+be|est|es|ist)\b\s*:?"
    r"|[^.\n:=?]{0,60}?[:=→—–]|\s+-)\s*|\\boxed\s*\{\s*(?:\\text\s*\{)?|^\s*A\s*:\s*|####\s*",
    re.IGNORECASE | re.MULTILINE,
)
_SAYS_NOTHING = re.compile(
    r"^\W*(?:(?:quite|very|pretty)\s+)?(?:simple|easy|clear|as\s+follows|below|here|straightforward|this|short)\W*$",
    re.IGNORECASE,
)
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|never|nor|neither|no\s+longer|rather\s+than|instead\s+of|unlike|before|follows|following|precedes"
    r"|succeeds|over(?:took|taken)|surpassed|replaced|ahead\s+of|behind|(?<!named\s)(?<!called\s)after|followed"
    r"|preceded|succeeded|opposed\s+to|contrary\s+to"
    r"|confused\s+with|mistaken\s+for|(?:some|many|others|people|most)(?:\s+people)?\s+(?:say|think|believe"
    r"|claim)(?:\s+it\s+(?:was|is))?"
    r"|later\s+than|earlier\s+than|than|(?:son|daughter|friend|wife|husband|brother|sister|father|mother|rival"
    r"|student|teacher|pupil|successor|predecessor|colleague|neighbou?r)\s+(?:of|to)|near|year\s+after|day\s+after"
    r"|years\s+after)|n['’]t(?:\s+be)?)\s+"
    r"(?:(?:the|a|an|in|by|for|at|on|actually|really|sir|president|king|emperor|planet|that\s+of)\s+){0,2}[\"'“‘(*]*$",
    re.IGNORECASE,
)
_OTHER_THAN = re.compile(r"\b(?:other|else)\s+than\s+(?:the\s+)?[\"'“(]*$", re.IGNORECASE)
_OR_BEFORE = re.compile(r"([^\s,;:]+),?\s+or\s+(?:maybe\s+|perhaps\s+)?(?:the\s+|an?\s+)?[\"'“]*$", re.IGNORECASE)
_OR_AFTER = re.compile(
    r"^[\"'”’]*\s+or\s+(?:maybe\s+|perhaps\s+)?(?!(?:as|so|simply|also|rather|just|more)\b)\w", re.IGNORECASE
)
_ALSO_CALLED = re.compile(r"\b(?:also|formerly|known\s+as|called|aka|i\.e\.)\b", re.IGNORECASE)
_OTHER_HEADING = re.compile(
    r"^\W*(?:(?:for|as\s+for|regarding)\s+(?:the|your)\s+)?(?:my\s+|a\s+|your\s+)?(?:\w+\s+){0,3}?"
    r"(?:story|poem|haiku|essay|letter|blog|itinerary|title|resume|résumé|limerick|song|e-?mail|fun\s+fact|tips?"
    r"|list|recipe|riddle"
    r"|joke|speech|sights?|places|things|trip|plan|p\.?\s?(?:p\.?\s?)?s\b\.?|see\s+also|visit)\b[^:\n]{0,40}:",
    re.IGNORECASE,
)
_NOT_A_NAME = frozenset(
    re.findall(
        r"\S+",
        "the a an in on at by of to for and or but so it is was it's that's this that sir president king "
        "queen emperor empress saint st mr mrs ms dr lord lady captain commander general pope planet "
        "astronaut cosmonaut city river lake mount country state republic kingdom professor author writer "
        "poet composer singer band actor yes sure answer simply only not no from with roman french british "
        "american english soviet german italian spanish greek russian us uk usa i we he she they while "
        "because since although both either like as ancient modern old new great capital famous honest "
        "actually definitely probably certainly clearly here when if maybe perhaps island sea ocean province "
        "county region artist painter inventor scientist physicist prime minister director novelist element "
        "metal gas god goddess saint's ",
    )
)
_NOT_A_LAST_NAME = frozenset(
    re.findall(
        r"\S+",
        "the a an in on at by of to for and or but so it is was this that from with as he she they we i not "
        "also later first then who which what where has have had did do does are were be been will would "
        "wrote recorded built played won made directed starred sang became invented discovered painted "
        "founded composed lies stands located born died ii iii iv completes has plays walked took state city "
        "usa uk ",
    )
)
_LEAD = re.compile(
    r"^\W*(?:(?:i\s+(?:think|believe|guess|would\s+say)|it|that|this|is|was|are|were|were|there)(?:['’]s)?\s+)*",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\(([^()]*)\)")
_ALSO = re.compile(
    r"^\s*(?:also|aka|or|i\.e\.|known\s+as|better\s+known\s+as|real\s+name|born)\b[:,]?\s*", re.IGNORECASE
)
_HOW_MANY = re.compile(
    r"\bhow\s+many\s+(?:\w+\s+)*?(\w+?)s?\s+(?:do|does|did|is|are|was|were|has|have|can|make|in|on|of)\b", re.IGNORECASE
)
_NAMES_ASKED = re.compile(
    r"^\W*(?:\w+\s+){0,2}(?:who|whose|whom)\b|\b(?:which|what)\s+(?:[\w'’-]+\s+){0,4}?"
    r"(?:author|actor|actress|composer|singer|band|film|movie|song|album|novel|book|play|character)\b",
    re.IGNORECASE,
)
_EITHER = re.compile(r"([\w-]+)\s+or\s+(?:an?\s+|the\s+)?([\w-]+)\W*$", re.IGNORECASE)
_POSSESSIVE = re.compile(r"^(?:['’]s\b(?!\s+(?:the|a|an|not|my|right|correct|who|what)\b)|['’](?=\s))", re.IGNORECASE)


def stated_name(reply: str, aliases: Sequence[str], question: str = "") -> str | None:
    """The accepted name a reply gives as its answer; None where it gives none of them.

    >>> stated_name("It was not Leibniz but Newton.", ("Isaac Newton", "Newton"), "Who wrote the Principia?")
    'Newton'
    >>> stated_name("Newton's law", ("Isaac Newton", "Newton"), "Who wrote the Principia?")
    """
    names = names_of(aliases)
    fresh = {tokens: alias for tokens, alias in names.items() if not stands_in(tokens, question)}
    text = said_aloud(reply)
    found = fenced_json(text)
    if found is not None:
        leaves = [(path, str(leaf)) for path, leaf in json_leaves(found) if path]
        keyed = [leaf for path, leaf in leaves if re.search(r"answer|trivia|response", path[-1], re.IGNORECASE)]
        text = "\n".join(keyed or [leaf for _, leaf in leaves]) or text
    text = _without_asides(plain(text), names)
    regions = _answer_regions(text)
    given = (regions or [text])[-1]
    first = dict(list(names_of(aliases[:1]).items())[:1])
    if not (first.keys() & fresh.keys()) and (alias := whole_name(_LEAD.sub("", given), first)):
        return alias  # the answer itself stands in the question: "a fruit or a vegetable", "its first 5 years"
    if not fresh:  # every name stands in the question: only what is given as the answer counts
        return whole_name(given, names) or _alternative(given, names, question)
    whole = whole_name(text, fresh) or _all_parts(given, aliases)
    if whole is not None:
        return whole
    said = regions[-1] if regions else "\n".join(_own_sentences(text))
    found_name = _named_in(regions[-1] if regions else text, fresh, question, is_region=bool(regions))
    if found_name and question and is_outdone(said, mentions_of(said, fresh), names, question):
        return None
    return found_name


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

    outside = _BRACKETS.sub(kept, text)
    return outside if re.search(r"\w", outside) else text


def _alternative(text: str, names: dict[tuple[str, ...], str], question: str) -> str | None:
    """The one of two alternatives of a question ("a fruit or a vegetable?") that a text chooses."""
    offered = _EITHER.search(question)
    sides = [offered[1], offered[2]] if offered else []
    chosen = stated_option("\n".join(_own_sentences(text)), sides, Labels.LETTERS, question) if offered else None
    return None if chosen is None else whole_name(sides[chosen], names)


def says_something(reply: str) -> bool:
    """Whether a reply holds more than the announcement of an answer."""
    text = _ANSWER_IS.sub(" ", plain(reply))
    return re.search(r"\w", text) is not None and (
        bool(_answer_regions(plain(reply))) or _ANSWER_IS.search(reply) is None
    )


def _answer_regions(text: str) -> list[str]:
    """What stands after each announcement of an answer, to the end of its sentence or of the next."""
    regions = []
    for match in _ANSWER_IS.finditer(text):
        rest = text[match.end() :].lstrip(" \n\t\"'“*(")
        pieces = [piece for piece in _SENTENCE.split(rest) if piece and piece.strip()]
        region = next((piece for piece in pieces if not _SAYS_NOTHING.match(piece)), "")
        if re.search(r"\w", region):
            regions.append(region)
    return regions


def _named_in(text: str, names: dict[tuple[str, ...], str], question: str, *, is_region: bool) -> str | None:
    asked = {word for word, _, _ in words_of(question)} - FILLER
    titles = set(re.findall(r"(?<!^)\b[A-Z][\w-]+", question)) - {"The"}
    if re.search(r"\bwhose\b", question, re.IGNORECASE):
        titles.add("whose")
    text = re.sub(r"^\s*\d{1,2}[.)]\s+", "", text, flags=re.MULTILINE)
    needs_capital = _NAMES_ASKED.search(question) is not None and not is_one_case(text)
    for sentence in _own_sentences(text):
        found: Sequence[NamedPlace] = mentions_of(sentence, names)
        if needs_capital and not is_region:
            found = [entry for entry in found if not is_capital_name(entry.alias, sentence[entry.start : entry.end])]
        counted = _counted(sentence, question)
        if counted is not None:
            found = [entry for entry in found if counted[0] <= entry.start < counted[1]]
        for entry in _accepted(sentence, found, asked, titles):
            return entry.alias
        if not is_region and counted is not None:
            return None
    return None


def _counted(sentence: str, question: str) -> tuple[int, int] | None:
    """Where a sentence gives the number of what the question counts ("six faces"); None where it does not."""
    asked = _HOW_MANY.search(question)
    counted = asked and re.search(rf"([\w-]+)\s+(?:\w+\s+)?{re.escape(asked[1])}", sentence, re.IGNORECASE)
    return counted.span() if counted and numerals(counted[0]) else None


_SALUTATION = re.compile(r"^\W*(?:my\s+)?dear\s[\w ]{1,30},\s*", re.IGNORECASE)
_FIRST = re.compile(
    r"\b[A-Z][a-z]+ I\b|\bI['’]m (?:not )?(?:\w+ )?(?:sure|certain|confident|positive|afraid)\b|\bmy dear\b"
)
"""A ruler, a war, or how sure one is."""


def _own_sentences(text: str) -> Iterator[str]:
    """The sentences of a reply that are not about something else, nor about its writer, nor denied by the next."""
    is_other = False
    for line in text.split("\n"):
        if not line.strip():
            continue
        if _OTHER_HEADING.match(line):
            is_other = True
        elif not re.match(r"\s*(?:[-*•+]|\d+[.)])\s", line):
            is_other = False
        if is_other:
            continue
        sentences = [sentence for sentence in _SENTENCE.split(_SALUTATION.sub("", line)) if sentence]
        for sentence, following in zip(sentences, [*sentences[1:], ""], strict=False):
            is_denied = sentence.rstrip().endswith("?") and re.match(r"\W*no\b", following, re.IGNORECASE)
            if (
                not is_denied
                and not _OTHER_HEADING.match(sentence)
                and (":" in sentence or not OF_ONESELF.search(_FIRST.sub("", sentence)))
            ):
                yield sentence


def _accepted(sentence: str, mentions: Sequence[NamedPlace], asked: set[str], titles: set[str]) -> Iterator[NamedPlace]:
    for entry in mentions:
        before, after = sentence[: entry.start], sentence[entry.end :]
        if _DENIED_BEFORE.search(before) and not _OTHER_THAN.search(before):
            continue
        if _is_offered(before, after, mentions, entry) or _is_part_of_a_name(sentence, entry):
            continue
        if _is_compound(sentence, entry, asked):
            continue
        if (possessive := _POSSESSIVE.match(after)) and not _is_possessive_answer(
            before, after[possessive.end() :], asked, titles
        ):
            continue
        yield entry


def _is_offered(before: str, after: str, mentions: Sequence[NamedPlace], entry: NamedPlace) -> bool:
    """Whether the name is one of two between which the sentence does not decide."""
    if _ALSO_CALLED.search(before[-30:] + after[:40]):
        return False
    if (match := _OR_BEFORE.search(before)) and not any(
        match.start(1) < other.end <= match.end(1) for other in mentions
    ):
        return True
    if _OR_AFTER.match(after):
        following = entry.end + (_OR_AFTER.match(after) or re.match("", after)).end()  # type: ignore[union-attr]
        return not any(following - 2 <= other.start <= following + 4 for other in mentions)
    return False


_BARE = re.compile(r"\W*(?:(?:it['’]s|it\s(?:is|was))\s+)?(?:an?\s|the\s)?([a-z-]{3,})\s$", re.IGNORECASE)
_DESCRIBES = re.compile(
    r"(?:y|al|ic|ous|ed|ing|ish|ive|an|ful|less|ar|ary|est|some|ible)$|^(?:young|big|great|large|small|little"
    r"|common|pure|liquid|raw|real"
    r"|adult|male|female|old|new|giant|white|black|red|green|blue|brown|pink|grey|gray|wild|domestic|simple|sweet"
    r"|plain|main|true|the|an?)$"
)


def _is_compound(sentence: str, entry: NamedPlace, asked: set[str]) -> bool:
    """Whether an answer of two nouns is another thing than its second noun: "table tennis", "a sea horse"."""
    bare = _BARE.fullmatch(sentence[: entry.start]) if entry.alias[:1].islower() else None
    is_whole = bare is not None and not re.match(r"\s+\w", sentence[entry.end :])
    return is_whole and bare is not None and bare[1].lower() not in asked and not _DESCRIBES.search(bare[1].lower())


def _is_part_of_a_name(sentence: str, entry: NamedPlace) -> bool:
    """Whether capitalised words beside the name make another name of it: "Paris Hilton", "Freddie Mercury"."""
    if re.match(r"-\w", sentence[entry.end :]):
        return True
    if re.search(r"[^\W\d]-$", sentence[: entry.start]):
        return True
    if not sentence[entry.start].isupper() or is_one_case(sentence):
        return False
    after = re.match(r"\s([A-Z][\w'’]*)", sentence[entry.end :])
    if after and after[1].lower().removesuffix("'s") not in _NOT_A_LAST_NAME:
        return True
    before = re.search(r"([\w.'’-]+)\s$", sentence[: entry.start])
    if before is None or " " in sentence[entry.start : entry.end].strip() or not before[1][0].isupper():
        return False
    word = before[1].lower()
    return word not in _NOT_A_NAME and not word.endswith("ly") and not word.endswith((".", "'s", "’s"))


def _is_possessive_answer(before: str, after: str, asked: set[str], titles: set[str]) -> bool:
    """Whether "Newton's" is the answer all the same: nothing follows, or what the question asks for does."""
    if not re.search(r"\w", after) or "whose" in titles:
        return True
    following = re.match(r"\s+(?:The\s+)?([\w-]+)", after)
    if following and following[1] in titles:
        return True
    if not re.search(r"(?:\b(?:is|was|are|were)|['’]s)\s+(?:the\s+|sir\s+)?$", before, re.IGNORECASE):
        return False
    words = {word for word, _, _ in words_of(before)}
    return bool(words & asked) or bool(following and following[1].lower() in asked)
