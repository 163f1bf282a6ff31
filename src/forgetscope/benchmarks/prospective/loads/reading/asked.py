"""What a word problem gives and asks for, and which numbers of a reply fit that: by their units and their clauses.

What the answer would be is not worked out: a wrong answer in the right words is to be read as one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from forgetscope.benchmarks.prospective.loads.reading.numbers import Numeral, numerals

_ASKING = re.compile(
    r"\b(?:how|what|which|who|when|find|calculate|determine|work\s+out|compute|by\s+what)\b[^.!?]*", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\bhow\s+(?:many|much)\s+(?:(?:more|fewer|less|other|additional|extra|full|whole|total|different)\s+)*"
    r"(?P<noun>[^\W\d]+(?:\s+[^\W\d]+){0,2}?)(?=\s+(?:of|do|does|did|are|is|was|were|will|would|can|could|has|have|had|should|must|may|in|on|for"
    r"|per|left|remain\w*|there|after|an?|the)\b|\s*[?.,]|\s*$)",
    re.IGNORECASE,
)
_IN_UNIT = re.compile(r"\bin\s+(?:square\s+|cubic\s+)?(?P<noun>[^\W\d]+)\s*(?:\?|$)", re.IGNORECASE)
_NO_NOUN = frozenset(
    re.findall(
        r"\w+",
        "do does did is are was were will would can could has have had should must money change profit it he "
        "she they in "
        "on all a an more of left",
    )
)
_SAYS_NO_NOUN = re.compile(
    r"how\s+much\b|what\s+(?:does|do|did|will|would|is\s+(?:the|his|her|their)\s+(?:bill|total))\b", re.IGNORECASE
)
_CURRENCY = re.compile(r"[$€£]|\b(?:dollars?|cents?|euros?|bucks?|usd|eur|chf|pence|rupees|yen|kr)\b", re.IGNORECASE)
_KINDS = {
    "money": re.compile(
        r"\b(?:dollars?|cents?|euros?|money|cost|costs|price|pay|paid|earn\w*|spen[dt]|charge\w*|profit|revenue|owe|change|salary|worth|save)\b",
        re.IGNORECASE,
    ),
    "percent": re.compile(r"%|\bpercent(?:age)?\b|\bper\s+cent\b", re.IGNORECASE),
    "time": re.compile(r"\bhow\s+(?:long|old)\b|\b(?:age|time)\b", re.IGNORECASE),
    "length": re.compile(r"\bhow\s+(?:far|tall|high|wide|deep)\b|\bdistance\b", re.IGNORECASE),
}
_KINDS_AFTER = {
    "money": re.compile(r"\s?(?:dollars?|cents?|euros?|bucks?|usd|eur|€|¢|kr)(?![^\W\d])", re.IGNORECASE),
    "percent": re.compile(r"\s?\\?(?:%|per\s?cent\b)", re.IGNORECASE),
    "time": re.compile(
        r"[\s-]?(?:h|hours?|hrs?|min|minutes?|mins?|seconds?|s|days?|weeks?|months?|years?|[ap]\.?m)\b", re.IGNORECASE
    ),
    "length": re.compile(
        r"[\s-]?(?:[kcm]?m|mi|miles?|(?:kilo|centi)?met(?:er|re)s?|feet|foot|ft|inch(?:es)?|yards?)\b", re.IGNORECASE
    ),
}
_SAME: dict[str, str] = dict(
    re.findall(
        r"(\w+) (\w{1,6})\w*",
        "h hour, hr hour, min minut, sec second, km kilometer, m meter, cm centimeter, kg kilogram, g gram, l liter, "
        "ml milliliter, ft feet, lb pound, litr liter, metr meter, sold sell, spent spend, bought bui, paid "
        "pai, gave giv, "
        "kept keep, made mak, got get, ran run",
    )
)
"""Beginnings of words that are others: short for them, or their past."""
_MEASURES = frozenset(
    re.findall(
        r"\w+",
        "hour minut second day week month year kilome centim meter mile feet foot inch yard liter millil gallon cup "
        "gram kilogr pound ounce ton degree point acre squar cubic spoon teaspo tables",
    )
)
"""Beginnings of the units of which there can be a part."""
_WORD = re.compile(r"[^\W\d_]+(?:['’]t\b)?")
_CLAUSE_END = re.compile(
    r"[,;()!?.–—|\n]\s|\s(?:and|but|so|which|while|as|because|since|leaving|making|giving|then|if)\s", re.IGNORECASE
)
_IDLE = frozenset(
    re.findall(
        r"\w+",
        "a an the is are was were be been being do does did have has had he she it they his her its their of "
        "to in on at by "
        "for with and or how many much what which will would can could there that this these those if than "
        "then from i you "
        "we",
    )
)
_QUALIFIERS = {
    "each": re.compile(
        r"\b(?:each|per|every|apiece|everyone|an?\s+(?:day|hour|week|month|year|piece|person))\b|/", re.IGNORECASE
    ),
    "left": re.compile(
        r"\b(?:left|leav\w+|remain\w*|rest|others?|still|stay\w*|unsold|change|back|not?)\b|n['’]t\b", re.IGNORECASE
    ),
    "all": re.compile(r"\b(?:total\w*|altogether|together|all|sum|combined|both|overall)\b", re.IGNORECASE),
    "more": re.compile(
        r"\b(?:more|fewer|less|difference|differ|older|younger|sav\w+|longer|taller|heavier|farther|further)\b",
        re.IGNORECASE,
    ),
    "week": re.compile(r"\b(?:week\w*)\b", re.IGNORECASE),
    "month": re.compile(r"\bmonth\w*\b", re.IGNORECASE),
    "year": re.compile(r"\b(?:year\w*|annual\w*)\b", re.IGNORECASE),
    "day": re.compile(r"\b(?:day|daily)\b", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class AskedProblem:
    """A word problem, taken apart.

    Attributes:
        given: The numbers that stand in it.
        nouns: The beginnings of the words that name what is counted: "cooki" of "how many cookies".
        kind: What is asked for without its name: `money` of "how much does she pay", or nothing.
        words: The beginnings of the words of the asking clause, and of all.
        qualifiers: Which of "each", "left", "all", "more" and spans of time the asking clause has.
    """

    text: str
    given: frozenset[float]
    nouns: frozenset[str]
    kind: str
    words: frozenset[str]
    all_words: frozenset[str]
    qualifiers: frozenset[str]

    @property
    def counts_things(self) -> bool:
        """Whether it asks for a number of things that are whole."""
        return bool(self.nouns) and not self.nouns & _MEASURES

    def is_told_in(self, sentence: str) -> bool:
        """Whether a sentence asks this, in other words perhaps."""
        words = set(stems(sentence))
        return len(words & self.all_words) >= 0.75 * len(words) and all(
            numeral.value in self.given for numeral in numerals(sentence)
        )


@lru_cache(maxsize=64)
def asked(question: str) -> AskedProblem | None:
    """What a problem gives and asks for; None where it has no text."""
    if not question.strip():
        return None
    clauses = [found[0] for found in _ASKING.finditer(question)]
    clause = next((found for found in reversed(clauses) if found), question)
    found = next((found for found in _IN_UNIT.finditer(clause) if found["noun"].lower() not in _NO_NOUN), None)
    found = found or next(iter(reversed(list(_COUNTED.finditer(clause)))), None)
    noun = found["noun"] if found and found["noun"].split()[0].lower() not in _NO_NOUN else ""
    kinds = [kind for kind, pattern in _KINDS.items() if pattern.search(clause)]
    counts = re.search(r"\bhow\s+many\b", clause, re.IGNORECASE)
    kind = ""
    if _CURRENCY.search(noun) and not noun.lower().startswith("cent"):
        noun, kind = "", "money"
    elif "percent" in kinds:
        noun, kind = "", "percent"
    elif counts and not noun:
        noun = next((word for word in (_next_word(question, numeral) for numeral in numerals(question)) if word), "")
    elif not noun:
        kind = next((kind for kind in ("time", "length") if kind in kinds), "")
        kind = kind or (
            "money" if _CURRENCY.search(question) and ("money" in kinds or _SAYS_NO_NOUN.match(clause)) else ""
        )
    nouns = frozenset(stems(noun))
    return AskedProblem(
        question.lower(),
        frozenset(numeral.value for numeral in numerals(question)),
        nouns,
        kind,
        frozenset(stems(clause)),
        frozenset(stems(question)),
        frozenset(name for name, pattern in _QUALIFIERS.items() if pattern.search(clause)),
    )


def _next_word(text: str, numeral: Numeral) -> str:
    found = re.match(r"\s([^\W\d]+)", text[numeral.end :])
    return found[1] if found and found[1].lower() not in _IDLE else ""


def stems(text: str) -> Iterator[str]:
    """The beginnings of a text's words, those that any sentence has left out."""
    for word in _WORD.findall(text.lower()):
        if word not in _IDLE:
            yield _stem(word)


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    if word in _SAME:
        return _SAME[word]
    stem = re.sub(r"(?<=[^\W\d]{3})s$", "", word)
    stem = re.sub(r"(?<=[^\W\d]{3})(?:ing|ed|e)$", "", stem)
    stem = re.sub(r"(?<=[^\W\d]{2})y$", "i", stem)[:6]
    return _SAME.get(stem, stem)


def clause_of(text: str, amount: Numeral) -> str:
    """The clause round a number."""
    start = max(0, amount.start - 150)
    start = max((end.end() for end in _CLAUSE_END.finditer(text, start, amount.start)), default=start)
    end = _CLAUSE_END.search(text, amount.end, amount.end + 100)
    clause = text[start : end.start() if end else amount.end + 100]
    return clause if _WORD.search(clause) else text[max(0, amount.start - 60) : amount.end + 60]


def fit(asked: AskedProblem, text: str, amount: Numeral) -> Iterator[str]:
    """The cues of how a number of a sentence fits what is asked."""
    yield "given" if amount.value in asked.given else "not given"
    if amount.value in asked.given and amount.value <= 10:
        yield "given and small"
    after = text[amount.end : amount.end + 40]
    kinds = {kind for kind, pattern in _KINDS_AFTER.items() if pattern.match(after)}
    if re.search(r"[$€£]\s?-?$", text[max(0, amount.start - 3) : amount.start + 2]) or text[amount.start] == "$":
        kinds.add("money")
    following = list(
        stems(re.split(r"[.,;:()=!?\n]|\s(?:is|are|was|were|and|or|in|for|at|from|to)\s", after, maxsplit=1)[0])
    )[:4]
    is_asked = asked.kind in kinds if asked.kind else "percent" not in kinds and asked.nouns & set(following)
    if is_asked:
        yield "unit asked"
    elif (asked.kind or asked.nouns) and (kinds or set(following[:2]) & asked.all_words):
        yield "other unit"
    sentence = set(stems(text[max(0, amount.start - 200) : amount.end + 200]))
    if len(sentence) >= 3 and not sentence & asked.all_words:
        yield "foreign"
    clause = clause_of(text, amount)
    if clause.strip(" \"'.?!").lower() in asked.text and len(clause.split()) >= 4:
        yield "said in the problem"
    has = {name for name, pattern in _QUALIFIERS.items() if pattern.search(clause)}
    if has & asked.qualifiers:
        yield "qualified as asked"
    if has - asked.qualifiers - (set() if asked.qualifiers else {"all"}):
        yield "qualified otherwise"
    said = set(stems(clause))
    shared, other = said & asked.words, said & (asked.all_words - asked.words)
    if asked.words and len(shared) >= 0.5 * len(asked.words):
        yield "says most of what is asked"
    elif shared:
        yield "says some of what is asked"
    if other:
        yield "says other things of the problem"
        if not shared:
            yield "says only other things"


def fit_together(asked: AskedProblem, found: Sequence[tuple[str, Numeral, set[str]]]) -> None:
    """Adds the cues of how the numbers of a reply fit what is asked compared with each other."""
    fitting = [cues for _, _, cues in found if {"not given", "unit asked"} <= cues]
    if fitting:
        fitting[0].add("first fitting")
        fitting[-1].add("last fitting")
    fits: list[tuple[str, float]] = []
    for text, amount, cues in found:
        if any(said != text and value != amount.value for said, value in fits):
            cues.add("after one that fits")
        if {"not given", "unit asked"} <= cues and cues & {"says most of what is asked", "opens"}:
            fits.append((text, amount.value))
    new = [cues for _, _, cues in found if "not given" in cues]
    if len(new) == 1:
        new[0].add("only new")
    shares = [len(asked.words & set(stems(clause_of(text, amount)))) for text, amount, _ in found]
    for share, (_, _, cues) in zip(shares, found, strict=True):
        if share and share == max(shares):
            cues.add("closest")
            if shares.count(share) == 1:
                cues.add("alone closest")
