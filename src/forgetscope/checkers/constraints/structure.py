"""Constraints on the form of the whole reply: JSON, title, bullets, highlights, sections, fixed answers."""

import json
import re
from collections.abc import Iterator

from forgetscope.checkers.base import FOLLOWED, Behaviour, Count, Relation, Verdict, broken, counted, judge_count
from forgetscope.checkers.filler import with_line
from forgetscope.checkers.patterns import Word, published_pattern
from forgetscope.checkers.record import Category, Constraint, NoParameters, Parameters
from forgetscope.checkers.wishes import Wishes

FIXED_ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")

_FENCES = ("```json", "```Json", "```JSON", "```")
_ANY_FENCE = re.compile(r"```(?:json)?", re.IGNORECASE)

# Bullets and titles are searched line by line: a pattern whose blanks may cross lines takes quadratic time on a long
# run of blank lines, and finds the same bullets.
_STAR_BULLET = re.compile(r"^[^\S\n]*\*[^*].*$", re.MULTILINE)
_DASH_BULLET = re.compile(r"^[^\S\n]*-.*$", re.MULTILINE)
_MARKDOWN_BULLET = re.compile(r"^[^\S\n]*[*+-][^\S\n]+\S.*$", re.MULTILINE)
_RULE = re.compile(r"[^\S\n]*([*-])(?:[^\S\n]*\1){2,}[^\S\n]*")

_SINGLE_STARS = re.compile(r"\*[^\n*]*\*")
_DOUBLE_STARS = re.compile(r"\*\*[^\n*]*\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?![\s*])[^\n*]*[^\s*]\1(?![\w*])")

_UNDERLINED = re.compile(r"(?<!\w)(_{1,3})(?![\s_])[^\n_]*[^\s_]\1(?!\w)")
_NEAREST_TITLE = re.compile(r"<<([^<>\n]+)>>")
_CALCULATION = re.compile(r"[^A-Za-z]*=[^A-Za-z]*")
_SHIFTED = re.compile(r"\d\s?$"), re.compile(r"^\s?\d")


def judge_json_format(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The whole reply is one JSON value, optionally inside a fence of three backticks.

    Reference: the fence may be tagged json, Json or JSON; any value will do, also a bare number or string; `NaN` and
    `Infinity` are accepted. Repaired: any spelling of the tag, and only what the JSON standard allows.
    """
    text = reply.strip()
    if behaviour is Behaviour.REFERENCE:
        for fence in _FENCES:
            text = text.removeprefix(fence)
    else:
        fence_at_start = _ANY_FENCE.match(text)
        text = text[fence_at_start.end() :] if fence_at_start else text
    text = text.removesuffix("```").strip()
    if not text:
        return broken("nothing inside the code fence")
    try:
        json.loads(text, parse_constant=None if behaviour is Behaviour.REFERENCE else _refuse_constant)
    except json.JSONDecodeError as error:
        start = reply.find(text) + error.pos
        end = min(start + 1, len(reply))
        return broken(
            f"not JSON: {error.msg[0].lower()}{error.msg[1:]}, line {error.lineno} column {error.colno}",
            (start, end) if start < end else None,
        )
    except ValueError as error:
        return broken(f"not JSON: {error}")
    except RecursionError:
        return broken("not JSON that can be read: nested too deeply")
    return FOLLOWED


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON value")


def judge_title(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """A title in double angular brackets, on one line and not blank, is somewhere in the reply.

    Reference: from the first `<<` of a line to its last `>>`, so GSM8K's `<<48/2=24>>` counts as a title.
    Repaired: from `<<` to the nearest `>>`; a calculation (an `=` and no Latin letter) is no title, nor what stands
    between the shifts of `1 << 2 and 4 >> 2`.
    """
    if behaviour is Behaviour.REPAIRED:
        titles = [match[1] for match in _NEAREST_TITLE.finditer(reply) if not _is_shift(reply, match)]
        if any(title.strip() and not _CALCULATION.fullmatch(title) for title in titles):
            return FOLLOWED
        return broken("only a calculation in << >>, no title" if titles else "no <<title>>")
    for line in reply.split("\n"):
        start, end = line.find("<<"), line.rfind(">>")
        if 0 <= start <= end - 3 and line[start : end + 2].lstrip("<").rstrip(">").strip():
            return FOLLOWED
    return broken("no <<title>>")


def _is_shift(reply: str, match: re.Match[str]) -> bool:
    """Whether `<<` and `>>` are operators: numbers stand on both sides of each."""
    before, after = _SHIFTED
    left, right = reply[max(0, match.start() - 2) : match.start()], reply[match.end() : match.end() + 2]
    inside = after.match(match[1]) and before.search(match[1])
    return bool(inside and before.search(left) and after.match(right))


class BulletParameters(Parameters):
    """`num_bullets`: exactly so many; 0 asks for none."""

    num_bullets: Count


def judge_number_bullet_lists(parameters: BulletParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of markdown bullets, exactly.

    Reference: lines that begin with `*` and another character than `*`, plus lines that begin with `-`. A line
    beginning with *emphasis*, a rule `---` and a negative number all count; a lone `*` swallows the line after it.
    Repaired: lines of `*`, `-` or `+`, a blank and text; rules do not count.
    """
    if behaviour is Behaviour.REFERENCE:
        found = [match.span() for pattern in (_STAR_BULLET, _DASH_BULLET) for match in pattern.finditer(reply)]
        found.sort()
    else:
        lines = _MARKDOWN_BULLET.finditer(reply)
        found = [match.span() for match in lines if not _RULE.fullmatch(match[0])]
    asked = parameters.num_bullets
    if len(found) == asked:
        return FOLLOWED
    return broken(f"{counted(len(found), 'bullet')}, {asked} asked", found[asked] if len(found) > asked else None)


class HighlightParameters(Parameters):
    """`num_highlights`: at least so many; 0 always holds."""

    num_highlights: Count


def judge_number_highlighted_sections(parameters: HighlightParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """At least so many passages *highlighted* or **highlighted** with asterisks.

    Reference: `***both***` counts twice, and the asterisks of `2*3*4` or of two bullets on one line count as one.
    Repaired: one per pair of like asterisks, or of like underscores, that hug their text and stand outside words.
    """
    if behaviour is Behaviour.REFERENCE:
        single = sum(bool(text.strip("*").strip()) for text in _SINGLE_STARS.findall(reply))
        double = sum(bool(text.removeprefix("**").removesuffix("**").strip()) for text in _DOUBLE_STARS.findall(reply))
        count = single + double
    else:
        count = sum(1 for pattern in (_EMPHASIS, _UNDERLINED) for _ in pattern.finditer(reply))
    return judge_count(count, Relation.AT_LEAST, parameters.num_highlights, "highlight")


class SectionParameters(Parameters):
    """The word that opens a section, before its number, and how many sections at least."""

    section_spliter: Word
    num_sections: Count


def judge_multiple_sections(parameters: SectionParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """At least so many sections marked by a word and a number ("SECTION 1").

    Reference: the word is a regular expression and is counted anywhere ("as Section 2 said"); case matters; more
    sections than asked are accepted. Repaired: literal, and only where a line begins, after markdown's `#`, `*`, `>`.
    """
    word = parameters.section_spliter
    if behaviour is Behaviour.REFERENCE:
        pattern = published_pattern(word, "section_spliter", before=r"\s?", after=r"\s?\d+\s?")
        count = len(pattern.split(reply)) - 1
    else:
        opening = re.compile(r"^[^\S\n]*+[#*_>\"]*+[^\S\n]*+" + re.escape(word) + r"[^\S\n]?\d", re.MULTILINE)
        count = sum(1 for _ in opening.finditer(reply))
    return judge_count(count, Relation.AT_LEAST, parameters.num_sections, "section", suffix=f"marked '{word} X'")


def judge_constrained_response(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """One of three fixed answers ("My answer is yes.", "... no.", "... maybe.") occurs, letter for letter.

    Reference and repaired alike: more text around it is accepted.
    """
    del behaviour
    if any(answer in reply for answer in FIXED_ANSWERS):
        return FOLLOWED
    return broken("none of the three fixed answers")


def _wish_json(_: NoParameters, wishes: Wishes) -> None:
    wishes.is_json = True


def _wish_bullets(parameters: BulletParameters, wishes: Wishes) -> None:
    wishes.bullets = parameters.num_bullets


def _too_many_bullets(parameters: BulletParameters, body: str) -> Iterator[str]:
    yield with_line(body, "\n".join(["- more"] * (parameters.num_bullets + 3)))


def _wish_highlights(parameters: HighlightParameters, wishes: Wishes) -> None:
    wishes.highlights = max(wishes.highlights, parameters.num_highlights)


def _wish_sections(parameters: SectionParameters, wishes: Wishes) -> None:
    wishes.sections = (parameters.section_spliter, parameters.num_sections)


JSON_FORMAT = Constraint(
    "detectable_format:json_format",
    NoParameters,
    judge_json_format,
    wording="Write your entire response as one JSON object. You may wrap it in a markdown code block.",
    wish=_wish_json,
    category=Category.STRUCTURAL,
    in_paper=True,
    place=7,
)
TITLE = Constraint(
    "detectable_format:title",
    NoParameters,
    judge_title,
    wording="Give your response a title, wrapped in double angular brackets, such as <<a good title>>.",
    wish=lambda _, wishes: wishes.first_lines.append("<<Answer>>"),
    category=Category.STRUCTURAL,
    in_paper=True,
    place=8,
    stacked=5,
)
NUMBER_BULLET_LISTS = Constraint(
    "detectable_format:number_bullet_lists",
    BulletParameters,
    judge_number_bullet_lists,
    wording=(
        "Include exactly {num_bullets} markdown bullet points in your response, each starting with an asterisk, "
        "such as:\n* This is a point."
    ),
    wish=_wish_bullets,
    breaches=_too_many_bullets,
    paper_name="num_bullet_lists",
    category=Category.COUNTING,
    in_paper=True,
    counts=True,
    place=12,
    stacked=8,
)
NUMBER_HIGHLIGHTED_SECTIONS = Constraint(
    "detectable_format:number_highlighted_sections",
    HighlightParameters,
    judge_number_highlighted_sections,
    wording=(
        "Highlight at least {num_highlights} sections of your response with markdown, such as *highlighted section*."
    ),
    wish=_wish_highlights,
    paper_name="num_highlighted",
    category=Category.COUNTING,
    in_paper=True,
    counts=True,
    place=13,
    stacked=10,
)
MULTIPLE_SECTIONS = Constraint(
    "detectable_format:multiple_sections",
    SectionParameters,
    judge_multiple_sections,
    wording=(
        "Divide your response into at least {num_sections} sections, each marked at its beginning with "
        "{section_spliter} and its number, such as {section_spliter} 1"
    ),
    wish=_wish_sections,
    counts=True,
    place=23,
)
CONSTRAINED_RESPONSE = Constraint(
    "detectable_format:constrained_response",
    NoParameters,
    judge_constrained_response,
    wording="Answer with one of these options: My answer is yes. My answer is no. My answer is maybe.",
    wish=lambda _, wishes: wishes.lines.append(FIXED_ANSWERS[0]),
    place=24,
)
