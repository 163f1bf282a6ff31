"""The passages of a reply and what each is about: the load, something else, or what is not said.

A reply that keeps a format brings more than the answer: a poem, tips, a letter, a postscript. A line's label
("Math problem:", "Here are 3 tips:") says what follows it, to the end of its passage; a heading says it of the next
passage too. A problem that is told again up to its question is not the answer to it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.core.reasoning import split_reasoning

SENTENCE_END = re.compile(r"(?<=[.!?;])(?<!\bi\.e\.)(?<!\be\.g\.)(?<!\bapprox\.)(?<!\bvs\.)[\"'”’)\]]*\s+|\n")
BREAK = re.compile(
    r"\n[^\S\n]*+\n|\n[^\S\n]*+(?:\*{3,}|-{3,}|_{3,}|={3,}|\*(?:\s?\*){2,})[^\S\n]*+(?:\n|$)|\n(?=SECTION\s+\w)"
)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL)
_CALCULATION_MARK = re.compile(r"<<[^<>\n]*=[^<>\n]*>>")
_STRUCK_OUT = re.compile(r"~~[^~\n]{1,200}~~")
_TITLE = re.compile(r"<<[^<>\n]*>>")
_EMPHASIS = re.compile(r"(?<![\d\s)])\*+|\*+(?![\d\s($*])|\*\*+|__+|`+")
_DECIMAL_COMMA = re.compile(
    r"(?<=\d),(?=\d{1,2}\s?(?:€|(?:euros?|eur|kr|km|kg|cm|m|l|liter|litres?|stunden|minuten)\b))", re.IGNORECASE
)
_EUROS = re.compile(r"(?<=€)\s?\d{1,3}(?:\.\d{3})*,\d\d(?!\d)")
_ANY_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d\d?(?![\d,]))")
"""In a text that has a decimal comma before a unit, every one."""
_POINT_OF_THOUSANDS = re.compile(
    r"(?<![\d.,])\d{1,3}[.'’]\d{3}(?=,\d\d\s?€|\s?(?:€|(?:euros?|eur|kr|chf|dollar|stunden|minuten|sekunden|tage|meter|kilometer|gramm)\b))",
    re.IGNORECASE,
)
_POINT_IN_THOUSANDS = re.compile(r"(?<=\d)[.'’](?=\d{3}(?![\d.]))")
_ANSWER_COLUMN = re.compile(r"answer|solution|result", re.IGNORECASE)
_BLANKS = re.compile(r"\s{3,}")
_LATEX_WORDS = re.compile(r"\\(?:text|math)(?:bf|rm|it)?\s*\{([^{}\n]*)\}")
_LATEX_SIGNS = {"\\approx": "≈", "\\times": "×", "\\cdot": "·", "\\div": "÷", "\\%": "%", "\\,": " ", "\\$": "$"}
_LATEX_LIMITS = re.compile(r"\\[()\[\]]|\$\$|(?<!\\)\$(?=[^$\n]*\\[a-z])(?=[^$\n]*\$)|(?<=[\w}])\$(?!\d)")
_FENCE_MARK = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)

_OTHER_THING = (
    r"(?:story|poem|haiku|essay|letter|blog|itinerary|title|r[eé]sum[eé]|limerick|songs?|lyrics|rap|e-?mail|facts?|tips?(?!\s*\(\d|\s*:\s*\$)"
    r"|advice|list|recipe|ingredients|riddle|joke|speech|(?:word|letter|character|line|sentence)\s+count|summary"
    r"|p\.?\s?(?:p\.?\s?)?s\b\.?|postscript|dear|notes?|ideas|ways|things|reasons|keywords?|quotes?"
    r"|slogan|motto|rating|review|phone|contact|schedule|agenda|packing|playlist|birthday|anniversary"
    r"|notice|announcement|reminder|invitation|menu|verse|chorus|stanza|chapter"
    r"|caption|references|sources|bibliography|hashtags?|tweet|subject|trivia|disclaimer)"
)
_OTHER_LABEL = re.compile(
    rf"^\W*(?:(?:for|as\s+for|regarding|about|on\s+to|now(?:\s+for)?)\s+(?:the|your|my|a)\s+)?(?:(?:[\w'’]+\s+){{0,3}}?\(?{_OTHER_THING}s?|(?:day|week)\s+\d+)\b"
    r"(?:[^:\n]{0,40}(?::|=>|→)|[^:.\n\d]{0,40}$)|^\W*dear\b[^\n]{0,40},",
    re.IGNORECASE,
)
_OFFERS_LIST = re.compile(
    rf"^\W*(?:(?:and\s+|now,?\s+|also,?\s+)?(?:here(?:['’]s|\s+are|\s+is)|these\s+are|top\s+\w+)[^:\n]{{0,60}}\b"
    rf"|(?=(?:\d|two|three|four|five|six|seven|ten)\s+(?:\w+\s+){{0,2}}(?:tip|fact|idea|way|thing|reason|quote|song)s\b)"
    rf"(?:\w+\s+){{1,3}}){_OTHER_THING}s?\b(?!\s+(?:is|are|makes?|gives?|costs?|each|at)\b)",
    re.IGNORECASE,
)
MATH_LABEL = re.compile(
    r"\b(?:math\w*|arithmetic|calculation|word\s+problem|problem|solution|answer|question)s?\b"
    r"[^:=\n]{0,40}(?::|$|\bis\b|=)",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"^\W*(?:explanation|reason(?:ing)?|rationale|because|(?:that|this|it)(?:['’]s|\s+is)\s+because|why\b|here(?:['’]s|\s+is)\s+(?:how|why|the\s+(?:work|reason))"
    r"|working|work|how\s+(?:i|we)\s+(?:got|get)|(?:i|we)\s+(?:got|get|found|obtained)\s+(?:this|that|it|the\s+answer)\s+by|breakdown|justification|details?)\b",
    re.IGNORECASE,
)
_CHECKS = re.compile(
    r"^\W*(?:(?:to|let\s+me|let['’]s|let\s+us|we\s+can|you\s+can|i)\s+|(?:quick|sanity|just\s+to|as\s+a)\s+)?(?:double[-\s]?|quickly\s+|cross[-\s]?)?"
    r"(?:check(?:ing|ed)?|verif(?:y|ied|ying|ication)|confirm(?:ing|ed)?|proof|test\s*:)\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(r"\b(?:answers?|result|solution|therefore|thus|hence|final)\b", re.IGNORECASE)
OF_ONESELF = re.compile(
    r"\b(?:my|mine)\b(?!\s+(?:\w+\s+)?(?:answer|solution|result|calculation|final|total|math))"
    r"|\bI\s+(?:have|had|am|was|own|want|live|lived|turned|saw|like|love|rate|work|worked|counted|wake|met)\b"
    r"|\bI['’]m\s+(?!sure|confident|certain)",
    re.IGNORECASE,
)
"""What a writer says of himself is no answer."""
_HEADING = re.compile(r"^\s*(?:#+\s|[^.!?]{0,50}:?\s*$)")
_QUESTION = re.compile(
    r"\b(?:how|what|which|find|calculate|determine)\b[^.!?]*(?<!about you)\?[\s\"”’*)]*$", re.IGNORECASE
)
_ASKS = re.compile(
    r"(?<!right)(?<!ok)(?<!okay)(?<!you)\?\W*$|\basks\s+(?:for|how|what|us)\b|(?<!\bnumber\s)(?<!\bwas\s)(?<!\bis\s)(?<!\bwere\s)\basked\s+(?:for|how|what|us)\b|\bwants?\s+to\s+know\b",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"^\s*(?:[-*+>#|•]\s*)*(?:(?:step|part|section|response|paragraph)\s*\w{1,5}\b\s*(?:\([^)\n]{0,30}\))?\s*[.:)-]?"
    r"|[(\[]?\d{1,2}\s*[.):](?=\s))\s*(?=\S)",
    re.IGNORECASE,
)
_STEP_NAME = re.compile(r"^\W*step\b|^\W*\d{1,2}\s*[.):]\s*[$€£]?\d+\s+[^\W\d]", re.IGNORECASE)

LONGEST_READ = 12_000
"""Characters of a reply that are read, half from its beginning and half from its end: answers stand in one of them."""
_ROW = re.compile(r"(\S.{0,15}?)\1{99,}|\s{200,}", re.DOTALL)


def said_aloud(reply: str) -> str:
    """A reply without its thinking, long rows of one sequence cut short, and of a very long one beginning and end."""
    said = split_reasoning(_both_ends(reply, 10 * LONGEST_READ))[1]
    said = _THINKING.sub(" ", said) if "</think>" in said else said
    return _both_ends(_ROW.sub(lambda row: (row[1] or "\n") * 20, said), LONGEST_READ)


def _both_ends(text: str, longest: int) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}\n{text[-half:]}"


class Topic(IntEnum):
    """What a sentence is about, as far as the reply says."""

    OTHER = -1
    OPEN = 0
    LOAD = 1


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a reply.

    Attributes:
        passage: The number of its passage.
        opens: Whether nothing but labels stands before it in the reply.
        explains: Whether it explains what stands before, by a word that says so.
        checks: Whether it only checks what stands before.
        retells: Whether it belongs to a problem that is told again, or is a question.
    """

    text: str
    topic: Topic
    passage: int
    opens: bool = False
    explains: bool = False
    checks: bool = False
    retells: bool = False


def plain(text: str) -> str:
    """The text without marks of emphasis, calculator marks and titles, tables as lines of `name: value`."""
    text = _STRUCK_OUT.sub(" ", text).replace("\u20e3", ".").replace("\ufe0f", "").replace("\u2212", "-")
    if "\\" in text:
        text = _LATEX_LIMITS.sub("", _LATEX_WORDS.sub(r" \1", text))
        for sign, plain_sign in _LATEX_SIGNS.items():
            text = text.replace(sign, plain_sign)
    if _POINT_OF_THOUSANDS.search(text):
        text = _POINT_IN_THOUSANDS.sub("", text)
    text = _EUROS.sub(lambda found: found[0].replace(".", "").replace(",", "."), text)
    if _DECIMAL_COMMA.search(text):
        text = _ANY_DECIMAL_COMMA.sub(".", _DECIMAL_COMMA.sub(".", text))
    text = _BLANKS.sub(lambda run: "\n\n" if "\n" in run[0] else "  ", text)
    text = _FENCE_MARK.sub("", _CALCULATION_MARK.sub("", text))
    text = _TITLE.sub(" ", text) if _TITLE.sub("", text).strip() else text.replace("<<", "").replace(">>", "")
    text = _EMPHASIS.sub("", text)
    return "\n".join(_rows(text.split("\n"))) if "|" in text else text


def _rows(lines: list[str]) -> Iterator[str]:
    """The lines, of tables `name: value`, the value from the column that is headed as the answer or the last."""
    column = -1
    for place, line in enumerate(lines):
        if not line.lstrip().startswith("|"):
            column = -1
            yield line
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if all(re.fullmatch(r":?-+:?|", cell) for cell in cells):
            continue
        if place + 1 < len(lines) and re.match(r"\s*\|\s*:?-", lines[place + 1]):
            column = max((at for at, cell in enumerate(cells) if at and _ANSWER_COLUMN.search(cell)), default=-1)
        if len(cells) > 2 and all(re.fullmatch(r"[$€£]?\d[\d.,]+(?:\s?[^\W\d]*|%)", cell) for cell in cells):
            yield ", ".join(cells)
        elif len(cells) > 1:
            yield f"{cells[0]}: {cells[column if column < len(cells) else -1]}"
        else:
            yield cells[0]


def sentences(text: str) -> list[Sentence]:
    """The sentences of a reply in order, without list numbers.

    >>> [(found.text, found.topic.name) for found in sentences("Math: 12.\\n\\nTips:\\n- Walk 5 miles")]
    [('Math: 12.', 'LOAD'), ('Tips:', 'OTHER'), ('- Walk 5 miles', 'OTHER')]
    """
    found: list[Sentence] = []
    has_list = re.search(r"^\s*1\s*[.):]", text, re.MULTILINE) is not None
    has_numbers = explains = False
    for number, passage in enumerate(_passages(text)):
        own: list[Sentence] = []
        checks = False
        for line, topic in passage:
            unmarked = _STEP.sub("", line) if has_list or not re.match(r"\s*\d\d", line) else line
            opens = not found and not own and (unmarked == line or _STEP_NAME.search(line) is None)
            inner = Topic.OPEN
            for sentence in SENTENCE_END.split(unmarked if has_list or numerals(unmarked) else line):
                if sentence and sentence.strip():
                    inner = _topic(sentence) or inner
                    concludes = _CONCLUDES.search(sentence) is not None
                    explains = has_numbers and bool(_EXPLAINS.match(sentence) or (explains and not concludes))
                    checks = has_numbers and bool(_CHECKS.match(sentence) or (checks and not concludes))
                    own.append(Sentence(sentence, inner or topic, number, opens, explains, checks))
                    opens = False
                    has_numbers = has_numbers or bool(numerals(sentence))
        found.extend(_told_again(own))
    return found


def without_other_things(text: str) -> str:
    """The text without lines that are labelled as something else than the load."""
    kept = ("\n".join(line for line, topic in passage if topic is not Topic.OTHER) for passage in _passages(text))
    return "\n\n".join(passage for passage in kept if passage)


def _passages(text: str) -> Iterator[list[tuple[str, Topic]]]:
    """The lines of each passage, and what each is about."""
    carried = heads = Topic.OPEN
    for passage in BREAK.split(text):
        topic = carried
        lines = []
        for line in passage.split("\n"):
            if line.strip():
                topic = _topic(line) or topic
                lines.append((line, topic))
        if not lines:
            continue
        yield lines
        if re.match(r"\s*#+\s", passage):
            heads = lines[0][1]
        is_heading = len(lines) == 1 and _topic(lines[0][0]) and _HEADING.match(passage)
        carried = lines[0][1] if is_heading else heads


def _topic(text: str) -> Topic:
    if _OTHER_LABEL.match(text) or _OFFERS_LIST.match(text):
        return Topic.OTHER
    return Topic.LOAD if MATH_LABEL.search(text[:120]) else Topic.OPEN


def _told_again(passage: list[Sentence]) -> Iterator[Sentence]:
    """The sentences of a passage, those up to its first question marked as the problem told again."""
    first = next((place for place, sentence in enumerate(passage) if _QUESTION.search(sentence.text)), -1)
    for place, sentence in enumerate(passage):
        answers = re.search(r"\b(?:answer|so|thus|therefore)\b|=", sentence.text, re.IGNORECASE) is not None
        asks = place <= first or _ASKS.search(sentence.text) is not None
        yield replace(sentence, retells=asks and not answers)


_DANGLING = re.compile(
    r"(?:\b(?:we|which|the|to|by|and|of|is|are|an?|her|his|its|their|so|that|for|with|from|in|on|then|as|at|or|if|it|she|he|they|be|has|have|costs?|gives|makes?|made"
    r"|gets?|earns?|pays?|paid|sells?|sold|takes?|spends?|will|would|can|must|than|equals|per|another|because|since|but|needs?|find|know|also|when|how|what|while|until"
    r"|into|where|after|before|plus|minus|times|divided|multiplied|eats?|was|were|had|who|this|these|those|there|our|your|my|not|let|does|do|adding|subtracting|multiplying|dividing)"
    r"(?:\s+(?:us|him|her|them|the|an?))?|(?<=\s)\*|[-=+×/÷−·,(\[&]|(?<!\d)(?<!\d\s)[$€£]|\\(?:times|cdot|div|frac|text)\W*)\s*$",
    re.IGNORECASE,
)
_WORKS_ON = re.compile(
    r"(?:^|[.!?]\s+|\n\W*)(?:to\s+(?:find|solve|get|calculate|work)|first|next|then|now|let['’]?s?|we|when|since)\b"
    r"[^.!?\n=:]*[^\W\d]\s*$"
    r"|\bwe\s+(?:(?:need|have|want)\s+to\s+|can\s+|must\s+|should\s+)?(?:add|subtract|multiply|divide|take)\b[^.!?=\n:]*\w\s*$",
    re.IGNORECASE,
)
NO_ANSWER = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "refuses": (
            r"\b(?:can(?:['’]t|not)|unable|couldn['’]t|don['’]t\s+know|not\s+(?:enough|able|sure|certain)|for\s+certain|hard\s+to\s+(?:tell|say)|insufficient|lacks|impossible"
            r"|undetermined|won['’]t|(?:I['’]?\s?a?m\s+)?sorry,?\s+(?:but\s+)?(?:I|as)\b"
            r"|no\s+idea|not\s+possible|need\s+(?:more|to\s+know)|please\s+provide|missing|beyond\s+me|(?:do|does)\s+not\s+(?:have|allow))\b"
        ),
        "asks for more": (
            r"\b(?:please|could\s+you|can\s+you|would\s+you|if\s+you)\s+(?:\w+\s+){0,2}?(?:send|share|provide|upload|attach|clarify|tell\s+me|give\s+me|specify|paste)\b"
            r"|\bonce\s+(?:I|you)\b|\bI\s+(?:don['’]t|do\s+not)\s+see\b|\bI(?:['’]d|\s+would)?\s+need\b"
        ),
        "leaves it open": (
            r"\b(?:depends|ambiguous|unclear|possibilit\w+|either\b[^.]{0,40}\bor|two\s+(?:possible\s+)?answers|leave\s+it|open\s+question"
            r"|(?:does|do|did)(?:n['’]t|\s+not)\s+(?:say|tell|state|specify|mention|give)|(?:is|are|was|were)(?:n['’]t|\s+not)\s+(?:given|told|stated|specified|mentioned|clear))\b"
        ),
        "says nothing of a problem": r"(?s)^(?!.*(?:=|\b(?:math|answer|problem|total|so|solution)))",
    }.items()
}
_UNFINISHED = re.compile(r"(?:[-+×/÷·=(]|\b(?:the|and|of|to|which|is|so|her|his|their))\s*$", re.IGNORECASE)
_ENDED = re.compile(r"[.!?:;…。！？)\]}\"”'’»>✓✅✔☑|~-]\W*$|[^\w\s]\s*$")
_AT_WORK = re.compile(
    r"\d|\b(?:we|find|add|subtract|multiply|divide|calculat\w*|then|next|now|first|total|so|remaining|each|number\s+of|amount)\b",
    re.IGNORECASE,
)
_PROSE = re.compile(r"[^\W\d]+(?:\W+[^\W\d]+){3,}")
_ENDS_IN_NUMBER = re.compile(r"\d[^.!?]{0,3}(?:\s[^\W\d]+){0,4}\W*$")
_ENDS_IN_RESULT = re.compile(r"[=≈]\s*[$€£]?\s*-?\d[\d,.]*\s?%?(?:\s[^\W\d]+){0,5}\W*$")


def cues_of_no_answer(text: str, said: Sequence[Sentence]) -> Iterator[str]:
    """What the whole text, and its last sentence, say of its giving no answer."""
    yield from (name for name, pattern in NO_ANSWER.items() if pattern.search(text[:4_000]))
    if not said:
        return
    if not numerals(said[-1].text):
        yield "ends without a number"
    if said[-1].topic is Topic.OTHER:
        return
    if is_cut_off(said):
        yield "is cut off"
    elif lacks_its_stop(text):
        yield "lacks its stop"
    else:
        return
    if _AT_WORK.search(said[-1].text):
        yield "is cut off at work"


def is_cut_off(said: Sequence[Sentence]) -> bool:
    """Whether a text about one thing ends in the middle of a sentence, as the last words show."""
    if not said or said[-1].topic is Topic.OTHER:
        return False
    last = said[-1].text
    if _ENDS_IN_RESULT.search(last) and not _UNFINISHED.search(last):
        return False
    return _DANGLING.search(last[-80:]) is not None or _WORKS_ON.search(last) is not None


def lacks_its_stop(text: str) -> bool:
    """Whether the last line is prose without the stop in which every earlier line of prose ends."""
    lines = [line.strip() for line in text.splitlines() if _PROSE.search(line)]
    last = text.rstrip().rpartition("\n")[2].strip()
    if not lines or lines[-1] != last or _ENDED.search(last):
        return False
    begun = re.split(r"[.!?]\s+", last)
    if _ENDS_IN_NUMBER.search(last):
        return False
    if len(begun) > 1:
        return len(begun[-1].split()) >= 3
    return len(lines) > 1 and all(_ENDED.search(line) for line in lines[:-1])
