"""How the text is laid out and marked: IFBench's `format:`."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from forgetscope.checkers.base import counted, straight_quotes
from forgetscope.checkers.ifbench.nesting import brackets, brackets_published, quotes
from forgetscope.checkers.ifbench.record import ifbench, unless
from forgetscope.checkers.ifbench.texts import (
    bare_words,
    ends_in_emoji,
    ends_with,
    is_emoji,
    one_sentence,
    plain_quotes,
    sentences,
    tokens,
    trimmed,
    unpunctuated,
)
from forgetscope.checkers.record import Constraint, NoParameters, Parameters

_LETTERED = re.compile(r"\W*[aA]\W*[bB]\W*[cC]\W*")
_OR = re.compile(r"\s+or\s+|/|,\s*")
_THESIS = re.compile(r"\s*<(i|em)>\s*[^<\s].*?</\1>\s*[^\s<]", re.DOTALL)
_POINT = re.compile(r"^[ \t]*\*[ \t]+(?=\S)", re.MULTILINE)
_SUB_POINT = re.compile(r"^[ \t]*-[ \t]+\S", re.MULTILINE)
_TEMPLATE = ("My Answer:", "My Conclusion:", "Future Outlook:")
_DIGITS_AND_PUNCTUATION = "0123456789!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_MINOR_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "but",
        "or",
        "nor",
        "for",
        "so",
        "yet",
        "as",
        "at",
        "by",
        "in",
        "of",
        "off",
        "on",
        "per",
        "to",
        "up",
        "via",
        "from",
        "into",
        "like",
        "near",
        "onto",
        "over",
        "past",
        "than",
        "till",
        "upon",
        "with",
        "if",
        "is",
    ]
)


class Options(Parameters):
    """`options`: in one string, between `/`, `or` or commas."""

    options: Annotated[str, Field(min_length=1)]


class Separator(Parameters):
    """`sep`: what stands before each item."""

    sep: Annotated[str, Field(min_length=1)]


def _options(asked: Options) -> list[str]:
    text = asked.options
    divider = "/" if "/" in text else "or" if "or" in text else ","
    return [option.strip() for option in text.split(divider)]


def _option_published(asked: Options, reply: str) -> str:
    options = _options(asked)
    if _LETTERED.match(asked.options):
        holds = reply in options
    else:
        holds = trimmed(reply).lower() in [trimmed(option).lower() for option in options]
    return unless(holds, f"'{' '.join(reply.split())[:40]}' is none of the options")


def _option(asked: Options, reply: str) -> str:
    """The divider is a word of its own; blanks and a full stop around a lettered option do not count."""
    options = [option.strip() for option in _OR.split(asked.options) if option.strip()]
    text = reply.strip()
    if _LETTERED.match(asked.options):
        holds = text.rstrip(".") in options
    else:
        holds = trimmed(text).lower() in [trimmed(option).lower() for option in options]
    return unless(
        holds or not _option_published(asked, text), f"'{' '.join(text.split())[:40]}' is none of the options"
    )


def _lines_published(_: NoParameters, reply: str) -> str:
    text = unpunctuated(reply).strip()
    lines = [line for line in text.split("\n") if line]
    words = len(text.split())
    return unless(len(lines) == words, f"{counted(words, 'word')} in {counted(len(lines), 'line')}")


def _lines(_: NoParameters, reply: str) -> str:
    full = next((line for line in reply.split("\n") if len(bare_words(line)) > 1), None)
    return unless(full is None, f"more than a word in the line '{(full or '').strip()[:40]}'")


def _emoji_published(_: NoParameters, reply: str) -> str:
    """One of the last two characters of a sentence is an emoji, or the first of the next; punctuation aside."""
    found = [unpunctuated(sentence).strip() for sentence in sentences(reply)]
    for place, sentence in enumerate(found):
        if not sentence:
            return "a sentence of punctuation alone"
        if any(map(is_emoji, sentence[-2:])):
            continue
        following = found[place + 1 : place + 2]
        if not following or not following[0] or not is_emoji(following[0][0]):
            return f"no emoji at the end of '{sentence[-40:]}'"
    return ""


def _emoji(_: NoParameters, reply: str) -> str:
    """The same with flags and keycaps, and where a mark stands behind the emoji or alone."""
    found = [text for sentence in sentences(reply) if (text := unpunctuated(sentence).strip(" \n“”‘’…—–"))]
    for place, sentence in enumerate(found):
        following = found[place + 1][0] if place + 1 < len(found) else ""
        if not ends_in_emoji(sentence) and not (following and (is_emoji(following) or ends_in_emoji(following))):
            return f"no emoji at the end of '{sentence[-40:]}'"
    return unless(bool(found), "no sentence")


def _without_some_blank(lines: Sequence[str]) -> list[str]:
    """The lines as the published check leaves them: of blank lines that follow each other, every second stays."""
    kept: dict[int, str] = dict(enumerate(lines))
    standing: dict[str, list[int]] = {}
    heads: Counter[str] = Counter()
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.strip():
            place += 1
            continue
        standing.setdefault(line, []).append(place)
        del kept[standing[line][heads[line]]]
        heads[line] += 1
        if place + 1 < len(lines) and not lines[place + 1].strip():
            standing.setdefault(lines[place + 1], []).append(place + 1)
        place += 2
    return list(kept.values())


def _stairs(lines: Sequence[str], blanks: str, least: int) -> str:
    depths = [len(line) - len(line.lstrip(blanks)) for line in lines]
    if len(lines) < least:
        return f"{counted(len(lines), 'line')}, no stairs"
    fault = next((place for place in range(1, len(depths)) if depths[place] <= depths[place - 1]), None)
    return unless(fault is None, f"line {(fault or 0) + 1} is indented no deeper than the one before")


def _explained(_: NoParameters, reply: str) -> str:
    text = "".join(reply.replace("'\"'", "").split())
    if '""' in text:
        return "two quotations without a word between them"
    return unless(not text.strip(_DIGITS_AND_PUNCTUATION).endswith('"'), "ends with a quotation")


def _thesis_published(_: NoParameters, reply: str) -> str:
    start = reply.find("<i>" if "<i>" in reply else "<em>")
    if start < 0:
        return "nothing in italics"
    text = reply[start:]
    end = text.find("</i>" if "</i>" in text else "</em>")
    if end < 0:
        return "italics that do not end"
    if not text[3:end].strip():
        return "nothing in italics"
    return unless(bool(text[end + 4 :].strip()), "nothing behind the italics")


def _thesis(_: NoParameters, reply: str) -> str:
    """Every section, which a Markdown heading begins, or the reply where there is none, begins in italics."""
    sections = re.split(r"^#+ .*$", reply, flags=re.MULTILINE)
    sections = [section for section in (sections[1:] or sections) if section.strip()]
    wrong = next((section for section in sections if not _THESIS.match(section)), None)
    if wrong is None and sections:
        return ""
    return f"a section begins with '{' '.join((wrong or reply).split())[:40]}', not with a statement in italics"


def _sub_bullets_published(_: NoParameters, reply: str) -> str:
    without = next((piece for piece in reply.split("*")[1:] if "-" not in piece), None)
    return unless(without is None, "an asterisk without a dash behind it")


def _sub_bullets(_: NoParameters, reply: str) -> str:
    points = _POINT.split(reply)[1:]
    if not points:
        return "no bullet point *"
    without = next((point for point in points if not _SUB_POINT.search(point)), None)
    return unless(without is None, f"no sub-point - below '{(without or '').strip()[:40]}'")


def _points_published(_: NoParameters, reply: str) -> str:
    """Two sentences before the first bullet, and from the first blank line or bullet on nothing but bullets."""
    found = points = 0
    only_points = False
    for line in map(str.strip, reply.split("\n")):
        if line.startswith("*"):
            only_points = True
            if found < 2:
                return f"{counted(found, 'sentence')} before the first bullet point, 2 asked"
            points += 1
        elif only_points:
            return f"'{line[:40]}' is no bullet point"
        else:
            size = len(sentences(line))
            only_points = size == 0
            found += size
    return unless(points >= 2, f"{counted(points, 'bullet point')}, 2 asked")


def _points(_: NoParameters, reply: str) -> str:
    before, *points = _POINT.split(reply)
    found = sum(ends_with(sentence, ".") for sentence in sentences(before))
    if found < 2:
        return f"{counted(found, 'sentence')} with a full stop before the first bullet point, 2 asked"
    return unless(len(points) >= 2, f"{counted(len(points), 'bullet point')}, 2 asked")


def _title_case_published(_: NoParameters, reply: str) -> str:
    for token in tokens(reply):
        if (
            token[0].isalpha()
            and token[0].islower()
            and (len(token) == 1 or token[1:].islower() or token[1:].isupper())
        ):
            return f"'{token[:40]}' begins with a small letter"
    return ""


def _title_case(_: NoParameters, reply: str) -> str:
    words = bare_words(reply)
    for place, word in enumerate(words):
        is_minor = word.lower() in _MINOR_WORDS and 0 < place < len(words) - 1
        if word[0].islower() and not is_minor:
            return f"'{word[:40]}' begins with a small letter"
    return ""


def _template(_: NoParameters, reply: str) -> str:
    missing = [label for label in _TEMPLATE if label not in reply]
    return unless(not missing, f"no {', '.join(missing)}")


def _whole_template(_: NoParameters, reply: str) -> str:
    filled = re.search(r"\W*\w.*?".join([*map(re.escape, _TEMPLATE), ""]), reply, re.DOTALL)
    return _template(NoParameters(), reply) or unless(filled is not None, "its parts out of order or empty")


def _titled(body: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda found: found[0].capitalize(), re.sub(r"['’]", "", body))


def _climbing(_: NoParameters, body: str) -> list[str]:
    lines = [line.strip() for line in [*body.split("\n"), "That is all."] if line.strip()]
    return ["\n".join(" " * depth + line for depth, line in enumerate(lines))]


_POINTS = "* one\n* two"

TABLE: tuple[Constraint[Any], ...] = (
    ifbench(
        "format:parentheses",
        NoParameters,
        brackets_published,
        "Nest parentheses, [brackets] and {{braces}} at least five levels deep.",
        repaired=brackets,
        follow=lambda _, body: [f"{body}\n([{{([so])}}])", "([{([so])}])"],
    ),
    ifbench(
        "format:quotes",
        NoParameters,
        lambda _, reply: quotes(reply),
        "Put a quotation into a quotation into a quotation, with double and single quotation marks in turn.",
        repaired=lambda _, reply: quotes(plain_quotes(reply)),
        follow=lambda _, body: [f'{body}\n"He said \'I heard "no" from her\' and left"'],
    ),
    ifbench(
        "format:options",
        Options,
        _option_published,
        "Answer with one of these options alone, without an explanation: {options}.",
        repaired=_option,
        follow=lambda asked, _: [*_options(asked), asked.options],
    ),
    ifbench(
        "format:newline",
        NoParameters,
        _lines_published,
        "Write each word on a line of its own.",
        repaired=_lines,
        follow=lambda _, body: ["\n".join(bare_words(body)), "Yes"],
    ),
    ifbench(
        "format:emoji",
        NoParameters,
        _emoji_published,
        "End every sentence with an emoji.",
        repaired=_emoji,
        follow=lambda _, body: [f"{one_sentence(body)} 😀"],
    ),
    ifbench(
        "format:line_indent",
        NoParameters,
        lambda _, reply: _stairs(_without_some_blank(reply.split("\n")), " ", 0),
        "Indent each line a little more than the one before, so that stairs come about.",
        repaired=lambda _, reply: _stairs([line for line in reply.split("\n") if line.strip()], " \t", 2),
        follow=_climbing,
    ),
    ifbench(
        "format:quote_unquote",
        NoParameters,
        _explained,
        "Let an explanation that is not quoted follow each quotation.",
        repaired=lambda asked, reply: _explained(asked, straight_quotes(reply)),
        follow=lambda _, body: [f'{body.replace(chr(34), "")}\nHe calls it "so", which means that it is.'],
        spoil=lambda _: 'He said "yes" "no"',
    ),
    ifbench(
        "format:list",
        Separator,
        lambda asked, reply: unless(reply.count(asked.sep) >= 2, f"{counted(reply.count(asked.sep), 'separator')}"),
        "Answer with a list, and put {sep} before each item in place of a bullet point.",
        repaired=lambda asked, reply: _items(asked, reply),
        follow=lambda asked, body: [f"{body}\n{asked.sep} one\n{asked.sep} two"],
    ),
    ifbench(
        "format:thesis",
        NoParameters,
        _thesis_published,
        "Begin each section with a thesis in italics, written with HTML's tags.",
        repaired=_thesis,
        follow=lambda _, body: [f"<i>It is so.</i> {re.sub(r'^#+ ', '', body, flags=re.MULTILINE)}"],
    ),
    ifbench(
        "format:sub-bullets",
        NoParameters,
        _sub_bullets_published,
        "Use bullet points that begin with *, and below each of them one or more that begin with -.",
        repaired=_sub_bullets,
        follow=lambda _, body: [f"{body.replace('*', '')}\n* one\n- of it"],
        spoil=lambda _: "* one",
    ),
    ifbench(
        "format:no_bullets_bullets",
        NoParameters,
        _points_published,
        "Write two or more sentences with a full stop, and then two or more bullet points that begin with *.",
        repaired=_points,
        follow=lambda _, body: [f"{one_sentence(body).lstrip('*-+ ')} and so on. That is all of it.\n{_POINTS}"],
    ),
    ifbench(
        "format:title_case",
        NoParameters,
        _title_case_published,
        "Write your whole response in title case.",
        repaired=_title_case,
        follow=lambda _, body: [_titled(body)],
    ),
    ifbench(
        "format:output_template",
        NoParameters,
        _template,
        "Use this template, filled in, for your response: My Answer: [answer] My Conclusion: [conclusion] Future "
        "Outlook: [outlook]",
        repaired=_whole_template,
        follow=lambda _, body: [f"My Answer: {body}\nMy Conclusion: It holds.\nFuture Outlook: It will hold."],
    ),
    ifbench(
        "format:no_whitespace",
        NoParameters,
        lambda _, reply: unless(not any(map(str.isspace, reply)), "white space"),
        "Use no white space in your response.",
        follow=lambda _, body: ["".join(body.split())],
    ),
)


def _items(asked: Separator, reply: str) -> str:
    items = sum(line.lstrip().startswith(asked.sep) for line in reply.split("\n"))
    return unless(items >= 2, f"{counted(items, 'line')} beginning with {asked.sep}, at least 2 asked")
