"""Constraints on headings, bullets, parts, gaps, marks and JSON as a careful reader takes them.

As `reader_words`: both behaviours alike, none of them IFEval's.
"""

import re
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field

from forgetscope.checkers.base import FOLLOWED, Behaviour, Count, Relation, Verdict, broken, counted, judge_count
from forgetscope.checkers.constraints.reader_words import Wordings
from forgetscope.checkers.constraints.structure import judge_json_format
from forgetscope.checkers.filler import with_line
from forgetscope.checkers.reading import folded, occurs
from forgetscope.checkers.record import Constraint, NoParameters, Parameters
from forgetscope.checkers.wishes import Parts, Wishes

Word = Annotated[str, Field(min_length=1)]
Some = Annotated[int, Field(ge=1)]

_MARKER = r"^ {0,12}(?:[*+•‣◦▪●·–—-] {1,4}|[•‣◦▪●]|-(?=[^\W\d_]))"
_BULLET = re.compile(_MARKER + r"(?=[^\n]*\w).*$", re.MULTILINE)
_NUMBERED = re.compile(r"^ {0,12}\d{1,2}[.)] +\S.*$", re.MULTILINE)
_STARRED = re.compile(r"(?<![\w*])(\*{1,3})(?![\s*])([^\n*]*[^\s*])\1(?![\w*])")
_TIME = re.compile(r"\d{1,2}[:.]\d{2}")
_GAP = re.compile(r"(?<![-*+] )\[([^\[\]\n]{0,200})\](?!\()")
_HASHTAG = re.compile(r"(?<!\S)#\w+")


class HeadingParameters(Parameters):
    """Headings of a `word` and a number from 1: how many, exactly or at least; `each` is what every part mentions."""

    word: Word
    count: Some
    relation: Literal["exactly", "at least"] = "exactly"
    each: str = ""


def judge_headings(parameters: HeadingParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Every number has its heading: where a line or a table's cell begins, or after a sentence and before a colon."""
    del behaviour
    heads = [(folded(match[1]), match) for match in _heading(parameters.word).finditer(reply)]
    found = [(int(number), match) for number, match in heads if number.isdigit()]
    numbers, wanted = {number for number, _ in found}, set(range(1, parameters.count + 1))
    if not wanted <= numbers or (parameters.relation == "exactly" and numbers != wanted):
        return broken(f"{counted(len(numbers), 'heading')} '{parameters.word} X', {parameters.count} asked")
    if parameters.each:
        ends = [*(match.start() for _, match in found[1:]), len(reply)]
        parts = dict.fromkeys(sorted(numbers), "")
        for (number, match), end in zip(found, ends, strict=True):
            parts[number] += reply[match.end() : end] + "\n"
        bare = [number for number, part in parts.items() if not occurs(part, parameters.each)]
        if bare:
            return broken(f"{parameters.word} {bare[0]} without '{parameters.each}'")
    return FOLLOWED


@lru_cache
def _heading(word: str) -> re.Pattern[str]:
    at_start = r"(?:^|\|)[^\w\n|]{0,12}(?:\d{1,2}[.)] )?[*_]{0,3}"
    in_line = r"(?<=[.!?;]) (?=[^\n:]{0,20}:)"
    return re.compile(rf"(?:{at_start}|{in_line}){re.escape(word)} ?#?(\d+|[a-z]+)\b", re.MULTILINE | re.IGNORECASE)


class PointParameters(Parameters):
    """`count` of bullet points, exactly; at the end or anywhere; `lists`: whether numbered lines count too."""

    count: Count
    place: Literal["any", "end"] = "any"
    lists: Literal["bullets", "all"] = "bullets"


def judge_points(parameters: PointParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of bullet points of any shape; numbered lines are none."""
    del behaviour
    found = list(_BULLET.finditer(reply))
    if parameters.lists == "all":
        found += _NUMBERED.finditer(reply)
    if parameters.place == "end" and found:
        if re.search(r"\w", reply[found[-1].end() :]):
            return broken("does not end with its bullets")
        last = len(found) - 1
        while last and not re.search(r"\w", reply[found[last - 1].end() : found[last].start()]):
            last -= 1
        found = found[last:]
    if len(found) == parameters.count:
        return FOLLOWED
    return broken(f"{counted(len(found), 'bullet')}, {parameters.count} asked")


class NameParameters(Parameters):
    """A title in double angle brackets: on top or anywhere; `names`, of which it is one, if it may not be any."""

    place: Literal["top", "any"] = "any"
    names: tuple[Word, ...] = ()


def judge_name(parameters: NameParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """There is such a title."""
    del behaviour
    titles = [match for match in re.finditer(r"<<([^<>\n]+)>>", reply) if re.search(r"[^\W\d_]", match[1])]
    if not titles:
        return broken("no <<title>>")
    if parameters.place == "top" and re.search(r"\w", reply[: titles[0].start()]):
        return broken("the title is not on top")
    given = {folded(match[1]) for match in titles}
    if parameters.names and (len(given) > 1 or not given <= {folded(name) for name in parameters.names}):
        return broken(f"the title is <<{titles[0][1][:40]}>>")
    return FOLLOWED


class PartParameters(Parameters):
    """`count` of parts with `divider` between them; each a paragraph, or of any length."""

    count: Some
    divider: Word = "***"
    each: Literal["any", "paragraph"] = "any"


def judge_parts(parameters: PartParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """So many different parts that hold words; a heading is no paragraph."""
    del behaviour
    sign = re.escape(parameters.divider)
    parts = [part.strip() for part in re.split(rf"(?<![\S]){sign}(?!\S)", reply) if re.search(r"\w", part)]
    if len(parts) != parameters.count:
        return broken(f"{counted(len(parts), 'part')} between {parameters.divider}, {parameters.count} asked")
    if len(set(parts)) < len(parts):
        return broken("two parts are the same")
    if parameters.each == "paragraph" and any(len(_paragraphs(part, headings=False)) != 1 for part in parts):
        return broken("a part is not one paragraph")
    return FOLLOWED


def _paragraphs(text: str, *, headings: bool) -> list[str]:
    pieces = [piece.strip() for piece in re.split(r"\n\s*\n", text) if re.search(r"\w", piece)]
    return pieces if headings else [piece for piece in pieces if not _is_heading(piece)]


def _is_heading(piece: str) -> bool:
    return "\n" not in piece and (piece.startswith("#") or re.fullmatch(r"[*_]{1,3}[^*_]+[*_]{1,3}", piece) is not None)


class ParagraphOpening(Parameters):
    """`count` of paragraphs, a blank line between them; the `nth` begins with `first_word`."""

    count: Some
    nth: Some
    first_word: Word


def judge_paragraph_opening(parameters: ParagraphOpening, reply: str, behaviour: Behaviour) -> Verdict:
    """Exactly so many paragraphs, and the word opens the right one."""
    del behaviour
    found = _paragraphs(reply, headings=True)
    if len(found) != parameters.count or parameters.nth > len(found):
        return broken(f"{counted(len(found), 'paragraph')}, {parameters.count} asked")
    words = folded(found[parameters.nth - 1]).split()
    if words[:1] == [folded(parameters.first_word)]:
        return FOLLOWED
    return broken(f"paragraph {parameters.nth} does not begin with '{parameters.first_word}'")


class StarParameters(Parameters):
    """`count` of passages in asterisks at least; what has to be inside."""

    count: Some
    holding: Literal["anything", "time"] = "anything"


def judge_starred(parameters: StarParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Passages in a pair of like asterisks that hug them; a time of the day in double ones."""
    del behaviour
    found = list(_STARRED.finditer(reply))
    if parameters.holding == "time":
        found = [match for match in found if len(match[1]) > 1 and _TIME.search(match[2])]
    return judge_count(len(found), Relation.AT_LEAST, parameters.count, "passage", suffix="in asterisks")


class GapParameters(Parameters):
    """`count` of gaps in square brackets at least."""

    count: Some


def judge_gaps(parameters: GapParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Brackets that name what goes there, or hold blanks to be filled; no links, ticks or numbers."""
    del behaviour
    inside = [match[1] for match in _GAP.finditer(reply)]
    count = sum(bool(re.search(r"[^\W\d_]", text) or re.fullmatch(r"[\s_.…-]*", text)) for text in inside)
    return judge_count(count, Relation.AT_LEAST, parameters.count, "gap")


class ChoiceParameters(Parameters):
    """`sentences`, of which exactly one is to be given."""

    sentences: Wordings


def judge_choice(parameters: ChoiceParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """One of the sentences and no other, to the letter but for markup."""
    del behaviour
    text = re.sub(r"[*_]", "", reply)
    given = [sentence for sentence in parameters.sentences if sentence in text]
    return FOLLOWED if len(given) == 1 else broken(f"{counted(len(given), 'sentence')} of those to choose from")


class LineParameters(Parameters):
    """At least `count` lines that begin with `word`; or one for each heading of another word that there is."""

    word: Word
    count: Some
    under: str = ""


def judge_lines(parameters: LineParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """So many lines begin with the word, after markup."""
    del behaviour
    found = re.findall(rf"^[^\w\n]{{0,12}}{re.escape(parameters.word)}\b", reply, re.MULTILINE | re.IGNORECASE)
    headings = {folded(match[1]) for match in _heading(parameters.under).finditer(reply)} if parameters.under else set()
    return judge_count(len(found), Relation.AT_LEAST, len(headings) or parameters.count, "line")


class HashtagParameters(Parameters):
    """`count` of hashtags at least, at the end."""

    count: Some


def judge_hashtags(parameters: HashtagParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """So many hashtags, and nothing but hashtags from there to the end."""
    del behaviour
    found = list(_HASHTAG.finditer(reply))
    if len(found) < parameters.count:
        return broken(f"{counted(len(found), 'hashtag')}, at least {parameters.count} asked")
    rest = reply[found[-parameters.count].start() :]
    return FOLLOWED if not re.search(r"\w", _HASHTAG.sub("", rest)) else broken("the hashtags are not at the end")


class JsonParameters(Parameters):
    """What the JSON is: an `object`, or any value."""

    root: Literal["object", "any"] = "any"


def judge_json(parameters: JsonParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The whole reply is JSON, in a code fence or not."""
    del behaviour
    verdict = judge_json_format(NoParameters(), reply, Behaviour.REPAIRED)
    value = reply.strip().lstrip("`").lower().removeprefix("json").lstrip()
    if verdict.followed and parameters.root == "object" and not value.startswith("{"):
        return broken("JSON, but no object")
    return verdict


class EntryParameters(Parameters):
    """`entries` of a JSON text: keys, or `key=value`."""

    entries: Wordings


def judge_entries(parameters: EntryParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Every key is there, to the letter; and somewhere its value, or an object or list that holds it."""
    del behaviour
    missing = [entry for entry in parameters.entries if not _has_entry(reply, *entry.partition("=")[::2])]
    return broken(f"no entry {', '.join(missing)}") if missing else FOLLOWED


def _has_entry(reply: str, key: str, value: str) -> bool:
    found = re.findall(rf'"{re.escape(key)}"\s*:\s*("[^"]*"|\[[^\]]*\]|\{{[^}}]*\}}|[^,}}\n]*)', reply)
    return any(not value or occurs(held, value, inflected=False) for held in found)


def _wish_headings(asked: HeadingParameters, wishes: Wishes) -> None:
    wishes.sections = (asked.word, asked.count)
    if asked.each:
        heading = re.compile(rf"^({re.escape(asked.word)} \d+)$", re.MULTILINE)
        wishes.finish.append(lambda text: heading.sub(rf"\1\n{asked.each}", text))


def _wish_points(asked: PointParameters, wishes: Wishes) -> None:
    if asked.place == "any" or not asked.count:
        wishes.bullets = asked.count
        return
    wishes.bullets = 0
    wishes.finish.append(lambda text: "\n".join([text, *["* point"] * asked.count]))


def _wish_name(asked: NameParameters, wishes: Wishes) -> None:
    wishes.first_lines.insert(0, f"<<{asked.names[0] if asked.names else 'Answer'}>>")


def _wish_parts(asked: PartParameters, wishes: Wishes) -> None:
    wishes.parts = Parts(asked.count, f"\n\n{asked.divider}\n\n", (asked.count, "another"))


def _wish_paragraph(asked: ParagraphOpening, wishes: Wishes) -> None:
    wishes.parts = Parts(asked.count, "\n\n", (asked.nth, asked.first_word.lower()))


def _wish_starred(asked: StarParameters, wishes: Wishes) -> None:
    if asked.holding == "time":
        wishes.lines.append(" ".join(["**12:00**"] * asked.count))
    else:
        wishes.highlights = max(wishes.highlights, asked.count)


def _wish_gaps(asked: GapParameters, wishes: Wishes) -> None:
    wishes.placeholders = max(wishes.placeholders, asked.count)


def _wish_json(_: JsonParameters, wishes: Wishes) -> None:
    wishes.is_json = True


def _wish_entries(asked: EntryParameters, wishes: Wishes) -> None:
    pairs = ", ".join('"{}": "{}"'.format(*entry.partition("=")[::2]) for entry in asked.entries)
    wishes.finish.append(lambda text: f"{text[:-1]}, {pairs}}}" if text.startswith("{") else f"{text}\n{pairs}")


HEADINGS = Constraint(
    "reader:headings",
    HeadingParameters,
    judge_headings,
    wording="Write {relation} {count} parts, headed {word} 1 and so on, each with {each}.",
    wish=_wish_headings,
    place=111,
)
POINTS = Constraint(
    "reader:points",
    PointParameters,
    judge_points,
    wording="Write exactly {count} bullet points ({place} of the text; {lists} count).",
    wish=_wish_points,
    breaches=lambda asked, body: [with_line(body, "\n".join(["- more"] * (asked.count + 1)))],
    place=112,
)
NAME = Constraint(
    "reader:name",
    NameParameters,
    judge_name,
    wording="Put a title ({names}) in double angle brackets, {place} of the text.",
    wish=_wish_name,
    place=113,
)
PARTS = Constraint(
    "reader:parts",
    PartParameters,
    judge_parts,
    wording="Write exactly {count} different parts ({each}) with {divider} between them.",
    wish=_wish_parts,
    breaches=lambda asked, body: [f"\n\n{asked.divider}\n\n".join([body] * (asked.count + 3))],
    place=114,
)
PARAGRAPH_OPENING = Constraint(
    "reader:paragraph_opening",
    ParagraphOpening,
    judge_paragraph_opening,
    wording="Write exactly {count} paragraphs; number {nth} begins with the word {first_word}.",
    wish=_wish_paragraph,
    place=115,
)
STARRED = Constraint(
    "reader:starred",
    StarParameters,
    judge_starred,
    wording="Put at least {count} passages ({holding}) between asterisks.",
    wish=_wish_starred,
    place=116,
)
GAPS = Constraint(
    "reader:gaps",
    GapParameters,
    judge_gaps,
    wording="Leave at least {count} gaps in square brackets.",
    wish=_wish_gaps,
    place=117,
)
CHOICE = Constraint(
    "reader:choice",
    ChoiceParameters,
    judge_choice,
    wording="Give exactly one of these sentences: {sentences}",
    wish=lambda asked, wishes: wishes.lines.append(asked.sentences[0]),
    place=118,
)
LINES = Constraint(
    "reader:lines",
    LineParameters,
    judge_lines,
    wording="Begin at least {count} lines with the word {word}, or one for each heading {under} there is.",
    wish=lambda asked, wishes: wishes.lines.extend([asked.word] * asked.count),
    place=119,
)
HASHTAGS = Constraint(
    "reader:hashtags",
    HashtagParameters,
    judge_hashtags,
    wording="Put at least {count} hashtags at the end.",
    wish=lambda asked, wishes: wishes.finish.append(lambda text: text + "\n" + " ".join(["#thing"] * asked.count)),
    place=120,
)
JSON = Constraint(
    "reader:json",
    JsonParameters,
    judge_json,
    wording="Reply with nothing but JSON ({root}).",
    wish=_wish_json,
    place=121,
)
ENTRIES = Constraint(
    "reader:entries",
    EntryParameters,
    judge_entries,
    wording="Put these keys (and values) into the JSON: {entries}.",
    wish=_wish_entries,
    place=122,
)
