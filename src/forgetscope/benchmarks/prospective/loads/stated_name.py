"""The repaired reading of factual questions: whether a reply gives one of the accepted names as its answer.

Where a reply says "the answer is", or has a JSON key for it, only what stands there counts. Elsewhere a name counts
unless it is denied ("not Paris"), one of several that are offered ("Paris or Lyon"), a part of another name ("Paris
Hilton"), a possessive ("Newton's law"), in a clause about another answer, or under a heading of something else. A name
whose words stand in the question is no answer by being repeated. Case, accents, hyphens, articles and a plural s make
no difference.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forgetscope.benchmarks.prospective.loads.passages import THINKING, plain
from forgetscope.benchmarks.prospective.loads.replies import fenced_json, json_leaves

_TOKEN = re.compile(r"[^\W_]+(?:[.](?=[^\W_][.]))?|[♭♯#+%°&€£$]+")
_DIGITS = {
    word: str(number)
    for number, word in enumerate(
        re.findall(r"\S+", "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"),
        start=2,
    )
}
"""Numbers in words are read as in digits; "one" is not, which is a pronoun as often."""
_FILLER = frozenset(
    re.findall(
        r"\S+",
        "the a an of in on at to for and or is was are were be been by with from as that which who whom whose "
        "what when where how did do does has have had it its this these those first most name called known "
        "into us u s ",
    )
)
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
    r"(?:\b(?:not|never|nor|neither|no\s+longer|rather\s+than|instead\s+of|unlike|before|followed|preceded|succeeded|opposed\s+to|contrary\s+to"
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
_LEAD = re.compile(
    r"^\W*(?:(?:i\s+(?:think|believe|guess|would\s+say)|it|that|this|is|was|are|were|were|there)(?:['’]s)?\s+)*",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"^(?:['’]s\b|['’](?=\s))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    end: int
    alias: str


def stated_name(reply: str, aliases: Sequence[str], question: str = "") -> str | None:
    """The accepted name a reply gives as its answer; None where it gives none of them.

    >>> stated_name("It was not Leibniz but Newton.", ("Isaac Newton", "Newton"), "Who wrote the Principia?")
    'Newton'
    >>> stated_name("Newton's law", ("Isaac Newton", "Newton"), "Who wrote the Principia?")
    """
    names = _names(aliases)
    fresh = {tokens: alias for tokens, alias in names.items() if not _stands_in(tokens, question)}
    text = THINKING.sub(" ", reply)
    found = fenced_json(text)
    if found is not None:
        leaves = [(path, str(leaf)) for path, leaf in json_leaves(found) if path]
        keyed = [leaf for path, leaf in leaves if re.search(r"answer|trivia|response", path[-1], re.IGNORECASE)]
        text = "\n".join(keyed or [leaf for _, leaf in leaves]) or text
    text = plain(text)
    regions = _answer_regions(text)
    given = (regions or [text])[-1]
    first = dict(list(_names(aliases[:1]).items())[:1])
    if not (first.keys() & fresh.keys()) and (alias := _whole(_LEAD.sub("", given), first)):
        return alias  # the answer itself stands in the question: "a fruit or a vegetable", "its first 5 years"
    if not fresh:  # every name stands in the question: only what is given as the answer counts
        return next((alias for region in (regions or [text])[-1:] if (alias := _whole(region, names))), None)
    whole = _whole(text, fresh)
    if whole is not None:
        return whole
    if regions:
        return _named_in(regions[-1], fresh, question, is_region=True)
    return _named_in(text, fresh, question, is_region=False)


def says_something(reply: str) -> bool:
    """Whether a reply holds more than the announcement of an answer."""
    text = _ANSWER_IS.sub(" ", plain(reply))
    return re.search(r"\w", text) is not None and (
        bool(_answer_regions(plain(reply))) or _ANSWER_IS.search(reply) is None
    )


def _fold(text: str) -> str:
    """The text in lower case without accents, as long as it was where every letter stays one letter."""
    folded = []
    for letter in text:
        bare = "".join(
            part for part in unicodedata.normalize("NFKD", letter.lower()) if not unicodedata.combining(part)
        )
        folded.append(bare if len(bare) == 1 else letter)
    return "".join(folded)


def _words(text: str) -> list[tuple[str, int, int]]:
    found = ((match[0], match.start(), match.end()) for match in _TOKEN.finditer(_fold(text)))
    return [(_DIGITS.get(word, word), start, end) for word, start, end in found]


def _names(aliases: Sequence[str]) -> dict[tuple[str, ...], str]:
    """The aliases by their words, articles left out."""
    names: dict[tuple[str, ...], str] = {}
    for alias in aliases:
        words = [word for word, _, _ in _words(alias)]
        while len(words) > 1 and words[0] in ("the", "a", "an"):
            words = words[1:]
        if words:
            names.setdefault(tuple(words), alias)
    return names


def _stands_in(tokens: tuple[str, ...], question: str) -> bool:
    """Whether a name says no more than the question: it stands there, or most of what its words say does."""
    asked = [word for word, _, _ in _words(question)]
    for place in range(len(asked) - len(tokens) + 1):
        if all(map(_same, asked[place : place + len(tokens)], tokens)):
            return True
    own = [word for word in tokens if word not in _FILLER or word == "first"]
    known = sum(word in asked for word in own)
    return len(own) >= 2 and known / len(own) > 0.6


def _same(word: str, wanted: str) -> bool:
    if word == wanted:
        return True
    longer, shorter = (word, wanted) if len(word) > len(wanted) else (wanted, word)
    return len(shorter) > 3 and longer in (shorter + "s", shorter + "es") and not shorter[-1].isdigit()


def _whole(text: str, names: dict[tuple[str, ...], str]) -> str | None:
    """The name that a text consists of."""
    words = [word for word, _, _ in _words(text)]
    while len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    for tokens, alias in names.items():
        if len(tokens) == len(words) and all(map(_same, words, tokens)):
            return alias
    return None


def _mentions(text: str, names: dict[tuple[str, ...], str]) -> list[_Mention]:
    """Where names stand, the longest where they overlap."""
    words = _words(text)
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for tokens, alias in names.items():
        by_first.setdefault(tokens[0][:3], []).append((tokens, alias))
    found: list[_Mention] = []
    place = 0
    while place < len(words):
        best: tuple[int, str] | None = None
        for tokens, alias in by_first.get(words[place][0][:3], ()):
            run = words[place : place + len(tokens)]
            if (
                len(run) == len(tokens)
                and all(run[i][0] == tokens[i] for i in range(len(tokens) - 1))
                and _same(run[-1][0], tokens[-1])
                and (best is None or len(tokens) > best[0])
            ):
                best = (len(tokens), alias)
        if best is None:
            place += 1
            continue
        found.append(_Mention(words[place][1], words[place + best[0] - 1][2], best[1]))
        place += best[0]
    return found


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
    asked = {word for word, _, _ in _words(question)} - _FILLER
    titles = set(re.findall(r"(?<!^)\b[A-Z][\w-]+", question)) - {"The"}
    text = re.sub(r"^\s*\d{1,2}[.)]\s+", "", text, flags=re.MULTILINE)
    bare = None if is_region else _bare_answer(text, asked)
    if bare is not None:
        return _whole(bare, names) or next((entry.alias for entry in _accepted(bare, names, asked, titles)), None)
    is_other = False
    for line in text.split("\n"):
        if not line.strip():
            continue
        heading = _OTHER_HEADING.match(line)
        if heading is not None:
            is_other = True
        elif not re.match(r"\s*(?:[-*•+]|\d+[.)])\s", line):
            is_other = False
        if is_other:
            continue
        sentences = [sentence for sentence in _SENTENCE.split(line) if sentence]
        for sentence, following in zip(sentences, [*sentences[1:], ""], strict=True):
            is_denied = sentence.rstrip().endswith("?") and re.match(r"\W*no\b", following, re.IGNORECASE)
            if not is_denied and not _OTHER_HEADING.match(sentence):
                for entry in _accepted(sentence, names, asked, titles):
                    return entry.alias
    return None


def _bare_answer(text: str, asked: set[str]) -> str | None:
    """The first sentence of a short reply where it is a few words without a verb: the answer, whatever follows."""
    pieces = [piece.strip() for piece in _SENTENCE.split(text) if piece and piece.strip()]
    if len(pieces) < 2 or len(text.split()) > 30:
        return None
    words = [word for word, _, _ in _words(pieces[0])]
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
    has_verb = set(words) & {"is", "was", "are", "were", "it", "i", "has", "s", "not", "isn", "wasn", "a", "my", "e"}
    return None if is_courtesy or has_verb else pieces[0].rstrip(".!;")


def _accepted(
    sentence: str, names: dict[tuple[str, ...], str], asked: set[str], titles: set[str]
) -> Iterator[_Mention]:
    mentions = _mentions(sentence, names)
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
        if clause is not None and entry.start >= clause.end() - 8:
            continue
        if (_DENIED_BEFORE.search(before) and not _OTHER_THAN.search(before)) or _DENIED_AFTER.match(after):
            continue
        if _is_offered(before, after, mentions, entry) or _is_part_of_a_name(sentence, entry):
            continue
        if (possessive := _POSSESSIVE.match(after)) and not _is_possessive_answer(
            before, after[possessive.end() :], asked, titles
        ):
            continue
        yield entry


def _is_list(sentence: str, mentions: Sequence[_Mention]) -> bool:
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


def _is_offered(before: str, after: str, mentions: Sequence[_Mention], entry: _Mention) -> bool:
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


def _is_part_of_a_name(sentence: str, entry: _Mention) -> bool:
    """Whether capitalised words beside the name make another name of it: "Paris Hilton", "Freddie Mercury"."""
    if re.match(r"-\w", sentence[entry.end :]):
        return True
    letters = [letter for letter in sentence if letter.isalpha()]
    if not sentence[entry.start].isupper() or sum(map(str.isupper, letters)) > 0.7 * len(letters):
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
    if not re.search(r"\w", after):
        return True
    following = re.match(r"\s+(?:The\s+)?([\w-]+)", after)
    if following and following[1] in titles:
        return True
    if not re.search(r"(?:\b(?:is|was|are|were)|['’]s)\s+(?:the\s+|sir\s+)?$", before, re.IGNORECASE):
        return False
    words = {word for word, _, _ in _words(before)}
    return bool(words & asked) or bool(following and following[1].lower() in asked)
