"""The passages of a reply and what each is about: the load, something else, or what is not said.

A reply that keeps a format brings more than the answer: a poem, tips, a letter, a postscript. A line's label
("Math problem:", "Here are 3 tips:") says what follows it, to the end of its passage; a heading says it of the next
passage too. A problem that is told again up to its question is not the answer to it.
"""

import re
from collections.abc import Iterator
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
    r"^\W*(?:explanation|reason(?:ing)?|because|here(?:['’]s|\s+is)\s+(?:how|why|the\s+(?:work|reason))|working|work|how\s+i\s+got"
    r"|breakdown|justification|details?)\b",
    re.IGNORECASE,
)
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
    r"(?<!right)(?<!ok)(?<!okay)(?<!you)\?\W*$|\bask(?:s|ed)\s+(?:for|how|what|us)\b|\bwants?\s+to\s+know\b",
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
        explains: Whether its passage says it explains what stands before.
        retells: Whether it belongs to a problem that is told again, or is a question.
    """

    text: str
    topic: Topic
    passage: int
    opens: bool = False
    explains: bool = False
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
    text = _DECIMAL_COMMA.sub(".", text)
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
    for number, passage in enumerate(_passages(text)):
        explains = bool(passage) and _EXPLAINS.match(passage[0][0]) is not None
        own: list[Sentence] = []
        for line, topic in passage:
            unmarked = _STEP.sub("", line) if has_list or not re.match(r"\s*\d\d", line) else line
            opens = not found and not own and (unmarked == line or _STEP_NAME.search(line) is None)
            inner = Topic.OPEN
            for sentence in SENTENCE_END.split(unmarked if has_list or numerals(unmarked) else line):
                if sentence and sentence.strip():
                    inner = _topic(sentence) or inner
                    own.append(Sentence(sentence, inner or topic, number, opens, explains))
                    opens = False
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
