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
from forgetscope.benchmarks.prospective.loads.reading.other_answers import gives_another
from forgetscope.benchmarks.prospective.loads.reading.passages import OF_ONESELF, plain, said_aloud
from forgetscope.benchmarks.prospective.loads.reading.replies import fenced_json, json_leaves

_ABBREVIATION = r"(?<!\b[A-Z]\.)(?<!\b[Ss]t\.)(?<!\bMr\.)(?<!\bDr\.)(?<!\bMt\.)(?<!\bMrs\.)(?<!\bJr\.)(?<!\bNo\.)"
_SENTENCE = re.compile(rf"(?<=[.!?;]){_ABBREVIATION}[\"'”’)\]]*\s+|\n")
_ANSWER_IS = re.compile(
    r"\b(?:answers?|response|solution|respuesta|réponse|antwort)\b(?:(?:\s+(?:to|for|of|in|here|i|you|we|that|therefore|then|\w+ly)\b[^.\n:=?]{0,80}?|\s*)\b(?:is|was|are|would\s+be|must\s+be|should\s+be|est|es|ist)\b\s*:?"
    r"|[^.\n:=?]{0,60}?[:=→—–]|\s+-)\s*|\\boxed\s*\{\s*(?:\\text\s*\{)?|^\s*A\s*:\s*|####\s*",
    re.IGNORECASE | re.MULTILINE,
)
_SAYS_NOTHING = re.compile(
    r"^\W*(?:(?:quite|very|pretty)\s+)?(?:simple|easy|clear|as\s+follows|below|here|straightforward|this|short)\W*$",
    re.IGNORECASE,
)
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|never|nor|neither|no\s+longer|rather\s+than|instead\s+of|unlike|before|follows|following|precedes|succeeds|over(?:took|taken)|surpassed|replaced|ahead\s+of|behind|(?<!named\s)(?<!called\s)after|followed|preceded|succeeded|opposed\s+to|contrary\s+to"
    r"|confused\s+with|mistaken\s+for|(?:some|many|others|people|most)(?:\s+people)?\s+(?:say|think|believe|claim)(?:\s+it\s+(?:was|is))?"
    r"|later\s+than|earlier\s+than|than|(?:son|daughter|friend|wife|husband|brother|sister|father|mother|rival|student|teacher|pupil|successor|predecessor|colleague|neighbou?r)\s+(?:of|to)|near|year\s+after|day\s+after|years\s+after)|n['’]t(?:\s+be)?)\s+"
    r"(?:(?:the|a|an|in|by|for|at|on|actually|really|sir|president|king|emperor|planet|that\s+of)\s+){0,2}[\"'“‘(*]*$",
    re.IGNORECASE,
)
_OTHER_THAN = re.compile(r"\b(?:other|else)\s+than\s+(?:the\s+)?[\"'“(]*$", re.IGNORECASE)
_DENIED_AFTER = re.compile(
    r"^[\"'”’)]*\s*(?:,\s*)?(?:(?:is|was|are|were|did|does|do|has|had)\s+(?:not|never|no\s+longer|wrong|incorrect|(?:only\s+)?(?:second|third|another|next)(?!\s+(?:to|largest|biggest|highest)))\b|(?:is|was|are|were|did|does|do|has|had)n['’]t\b"
    r"|,?\s*but\s+(?:that|this|it)\s+(?:is|was)\s+(?:wrong|incorrect|not)|\((?:wrong|incorrect)\))",
    re.IGNORECASE,
)
_OR_BEFORE = re.compile(r"([^\s,;:]+)\s+or\s+(?:maybe\s+|perhaps\s+)?(?:the\s+|an?\s+)?[\"'“]*$", re.IGNORECASE)
_OR_AFTER = re.compile(
    r"^[\"'”’]*\s+or\s+(?:maybe\s+|perhaps\s+)?(?!(?:as|so|simply|also|rather|just|more)\b)\w", re.IGNORECASE
)
_ALSO_CALLED = re.compile(r"\b(?:also|formerly|known\s+as|called|aka|i\.e\.)\b", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"\b(?:either|might\s+be|could\s+be|may\s+be|maybe|not\s+sure|unsure|possibly)\b", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"^\W*(?:[\w'’.-]+\s+){0,3}[\w'’.-]+[,;(]\s*(?:who|whom|which|whose|as|unlike|although|though|while|not|rather|one\s+\w+\s+(?:after|before)|after|before|because|since|he|she|they"
    r"|and\s+not|many|some)\b",
    re.IGNORECASE,
)
_CONCEDED = re.compile(r"^\W*(?:although|though|even\s+though|while|whereas|despite)\b[^,]*,(?=\s*\w)", re.IGNORECASE)
_INTRODUCTION = re.compile(
    r"^\W*(?:in|on|at|by|during|while|although|though|well|yes|sure|so|it|the\s+answer|of\s+course|historically)\b",
    re.IGNORECASE,
)
_OTHER_HEADING = re.compile(
    r"^\W*(?:(?:for|as\s+for|regarding)\s+(?:the|your)\s+)?(?:my\s+|a\s+|your\s+)?(?:\w+\s+){0,3}?"
    r"(?:story|poem|haiku|essay|letter|blog|itinerary|title|resume|résumé|limerick|song|e-?mail|fun\s+fact|tips?|list|recipe|riddle"
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
_CALLED = re.compile(
    r"(?:\bcalled|\bnamed|\bknown\s+as|\bnames?\s+(?:is|was|of)|\btitle[ds]?|\baka|\bi\.e\.|:"
    r"|\b(?:is|was|are|were)\s+(?:\w+\s+)?\w+(?:ed|en|n|t)\s+by)\s+(?:the\s+)?(?:[\w-]+\s+){0,3}?[\"'“(*]*$",
    re.IGNORECASE,
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
_CONTRAST = re.compile(r"[^.;]*?,\s*(?:but|yet|whereas|while)\s+(.+)")
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
    whole = whole_name(text, fresh)
    if whole is not None:
        return whole
    if regions:
        return _named_in(regions[-1], fresh, question, is_region=True)
    return _named_in(text, fresh, question, is_region=False)


def _without_asides(text: str, names: dict[tuple[str, ...], str]) -> str:
    """The text without what stands in brackets, unless that is a name: "hydrogen (H)"."""

    def kept(match: re.Match[str]) -> str:
        is_name = whole_name(_ALSO.sub("", match[1]), names) is not None
        return match[0] if is_name or _ALSO.match(match[1]) else " "

    outside = _BRACKETS.sub(kept, text)
    return outside if re.search(r"\w", outside) else text


def _alternative(text: str, names: dict[tuple[str, ...], str], question: str) -> str | None:
    """The one of two alternatives of a question ("a fruit or a vegetable?") that a text names without the other."""
    offered = _EITHER.search(question)
    sides = [offered[1], offered[2]] if offered else []
    for side, other in zip(sides, reversed(sides), strict=True):
        if alias := whole_name(side, names):
            for sentence in _own_sentences(text):
                if not sentence.rstrip().endswith("?") and _said(sentence, side) and not _said(sentence, other):
                    return alias
    return None


def _said(sentence: str, side: str) -> bool:
    found = mentions_of(sentence, names_of([side]))
    return any(not _DENIED_BEFORE.search(sentence[: entry.start]) for entry in found)


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
    bare = None if is_region else _bare_answer(text, asked)
    if bare is not None:
        return whole_name(bare, names) or next(
            (entry.alias for entry in _accepted(bare, mentions_of(bare, names), asked, titles)), None
        )
    needs_capital = _NAMES_ASKED.search(question) is not None and not is_one_case(text)
    for sentence in _own_sentences(text):
        found: Sequence[NamedPlace] = mentions_of(sentence, names)
        if needs_capital and not is_region:
            found = [entry for entry in found if not is_capital_name(entry.alias, sentence[entry.start : entry.end])]
        counted = _counted(sentence, question)
        if counted is not None:
            found = [entry for entry in found if counted[0] <= entry.start < counted[1]]
        other = gives_another(sentence, asked, found[0].start if found else len(sentence)) if asked else None
        for entry in _accepted(sentence, found, asked, titles):
            if other is None or entry.end <= other[0] or _CALLED.search(sentence[: entry.start]):
                return entry.alias
        if not is_region and (counted is not None or (other is not None and other[1])):
            return None
    return None


def _counted(sentence: str, question: str) -> tuple[int, int] | None:
    """Where a sentence gives the number of what the question counts ("six faces"); None where it does not."""
    asked = _HOW_MANY.search(question)
    counted = asked and re.search(rf"([\w-]+)\s+(?:\w+\s+)?{re.escape(asked[1])}", sentence, re.IGNORECASE)
    return counted.span() if counted and numerals(counted[0]) else None


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
        sentences = [sentence for sentence in _SENTENCE.split(line) if sentence]
        for sentence, following in zip(sentences, [*sentences[1:], ""], strict=True):
            is_denied = sentence.rstrip().endswith("?") and re.match(r"\W*no\b", following, re.IGNORECASE)
            if (
                not is_denied
                and not _OTHER_HEADING.match(sentence)
                and (":" in sentence or not OF_ONESELF.search(sentence))
            ):
                yield sentence


def _bare_answer(text: str, asked: set[str]) -> str | None:
    """The first sentence of a short reply where it is a few words without a verb: the answer, whatever follows."""
    pieces = [piece.strip() for piece in _SENTENCE.split(text) if piece and piece.strip()]
    if len(pieces) < 2 or len(text.split()) > 30:
        return None
    words = [word for word, _, _ in words_of(pieces[0])]
    if not 0 < len(words) <= 4 or pieces[0].endswith((":", "?")) or set(words) & asked:
        return None
    is_courtesy = words[0] in (
        "sure",
        "yes",
        "ok",
        "okay",
        "hello",
        "hi",
        "great",
        "good",
        "well",
        "dear",
        "certainly",
        "thanks",
        "thank",
    )
    has_verb = set(words) & {"is", "was", "are", "were", "it", "i", "has", "s", "not", "isn", "wasn", "my", "e"}
    return None if is_courtesy or has_verb else pieces[0].rstrip(".!;")


def _accepted(sentence: str, mentions: Sequence[NamedPlace], asked: set[str], titles: set[str]) -> Iterator[NamedPlace]:
    if not mentions:
        return
    clause = None if _INTRODUCTION.match(sentence) else _CLAUSE.match(sentence)
    if clause is not None and mentions[0].start < clause.end():
        clause = None
    if _is_list(sentence, mentions):
        return
    conceded = _CONCEDED.match(sentence)
    for entry in mentions:
        if conceded is not None and entry.end <= conceded.end():
            continue
        before, after = sentence[: entry.start], sentence[entry.end :]
        contrast = _CONTRAST.match(after)
        if contrast is not None and _answers_more(contrast[1], before, asked):
            continue
        if clause is not None and entry.start >= clause.end() - 8:
            continue
        denied = _DENIED_AFTER.match(after)
        is_asked = denied is not None and asked & {"second", "third", "next"} & set(denied[0].lower().split())
        if (_DENIED_BEFORE.search(before) and not _OTHER_THAN.search(before)) or (denied and not is_asked):
            continue
        if _is_offered(before, after, mentions, entry) or _is_part_of_a_name(sentence, entry):
            continue
        if (possessive := _POSSESSIVE.match(after)) and not _is_possessive_answer(
            before, after[possessive.end() :], asked, titles
        ):
            continue
        yield entry


def _answers_more(clause: str, before: str, asked: set[str]) -> bool:
    """Whether what follows "but" says more of what was asked than what stands before, and gives a name for it."""
    own, other = ({word for word, _, _ in words_of(text)} & asked for text in (before, clause))
    names = {word.lower() for word in re.findall(r"\b[A-Z]\w+", clause)} - asked - FILLER
    return len(other) > len(own) and bool(names)


def _is_list(sentence: str, mentions: Sequence[NamedPlace]) -> bool:
    """Whether the sentence is a bare list of three or more, of which a name is one."""
    items = [
        item.strip() for item in re.split(r",\s*(?:and\s+|or\s+)?|\s+and\s+", sentence.strip(" .!\"'")) if item.strip()
    ]
    if re.search(r"(?:^|,\s*)(?:not|the)\s", sentence[1:], re.IGNORECASE):
        return False
    if len(items) < 3 or any(len(item.split()) > 3 for item in items):
        return False
    return (
        not re.search(r"\b(?:is|was|are|were|it|has|had|so)\b|\d", sentence, re.IGNORECASE)
        and len(mentions) < len(items) - 1
    )


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
