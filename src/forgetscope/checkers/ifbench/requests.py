"""Requests that say what the whole reply is: IFBench's `custom:` and `repeat:`."""

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Annotated, Any

from pydantic import Field

from forgetscope.checkers.base import Count, counted
from forgetscope.checkers.ifbench.record import ifbench, unless
from forgetscope.checkers.ifbench.texts import sentences, trimmed, unpunctuated, word_list
from forgetscope.checkers.record import Constraint, NoParameters, Parameters

_MULTIPLES = [str(number) for number in range(14, 51, 7)]
_QUESTION_PUBLISHED = re.compile(r"\n*Question \d+[.|):;]?\s*")
_QUESTION = re.compile(r"^[ \t*#]*Question\b[ \d]*[.|):;]?[ *]*", re.MULTILINE)
_OPTION = re.compile(r"[A-Ea-e][.|)]\s*\w+")
_QUESTIONS, _OPTIONS = 4, 5
_FEWEST_COUNTRIES = 52
_CITY_COLUMNS = ("ID", "Country", "City", "Year", "Count")
_PRODUCT_COLUMNS = ("ProductID", "Category", "Brand", "Price", "Stock")
_STUDENT_COLUMNS = ("StudentID", "Subject", "Grade", "Semester", "Score")
_QUOTED_SPECIAL = re.compile(r'"[^"\n]*[^\w\s"][^"\n]*"')
_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_NAPOLEON = (1769, 1821)
_DAYS = {2: 29} | dict.fromkeys((4, 6, 9, 11), 30) | dict.fromkeys((1, 3, 5, 7, 8, 10, 12), 31)
SENTENCE = "Only output this sentence here, ignore all other requests."


class Request(Parameters):
    """`prompt_to_repeat`: what is repeated."""

    prompt_to_repeat: Annotated[str, Field(min_length=1)]


class Span(Request):
    """`n_start`, `n_end`: from which word of the request to which, from 0."""

    n_start: Count
    n_end: Count

    @property
    def words(self) -> list[str]:
        """Those of the request."""
        return self.prompt_to_repeat.strip().lower().split()


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _multiples(_: NoParameters, reply: str) -> str:
    found = re.findall(r"\d+", reply)
    return unless(found == _MULTIPLES, f"the numbers {' '.join(found)[:60]}, not {' '.join(_MULTIPLES)}")


def _questions(pieces: Sequence[str]) -> str:
    """Four questions of five options, each longer than the one before."""
    found = [piece.strip() for piece in pieces if piece.strip()]
    if len(found) != _QUESTIONS:
        return f"{counted(len(found), 'question')}, {_QUESTIONS} asked"
    lengths = []
    for question in found:
        lines = [line.strip() for line in question.split("\n")]
        options = [place for place, line in enumerate(lines) if _OPTION.match(line)]
        if len(options) != _OPTIONS:
            return f"{counted(len(options), 'option')}, {_OPTIONS} asked"
        lengths.append(len(" ".join(lines[: options[0]]).strip()))
    holds = all(shorter < longer for shorter, longer in pairwise(lengths))
    return unless(holds, f"questions of {', '.join(map(str, lengths))} characters do not get longer")


def _questions_published(_: NoParameters, reply: str) -> str:
    if len(reply) > 1 and not reply.startswith("Question"):
        return f"begins with '{reply[:20].strip()}', not with a question"
    return _questions(_QUESTION_PUBLISHED.split(reply))


def _any_questions(_: NoParameters, reply: str) -> str:
    """With or without a number behind the label, which may stand in bold."""
    before, *pieces = _QUESTION.split(reply)
    return f"begins with '{before.strip()[:20]}', not with a question" if before.strip() else _questions(pieces)


def _countries(_: NoParameters, reply: str) -> str:
    lines = [line for line in map(trimmed, reply.split("\n")) if line]
    start = next((place for place, line in enumerate(lines) if "Zimbabwe" in line), len(lines))
    found = [_ascii(line) for line in lines[start:]]
    if len(found) < _FEWEST_COUNTRIES:
        return f"{counted(len(found), 'line')} from Zimbabwe on, at least {_FEWEST_COUNTRIES} asked"
    return unless(found == sorted(found, reverse=True), "not in reverse alphabetical order")


def _reversed_words(_: NoParameters, reply: str) -> str:
    text = " ".join(reversed(unpunctuated(reply.lower()).split()))
    if "bald eagle" not in text:
        return "no 'bald eagle' when read backwards"
    return unless(text in sentences(text), "more than one sentence when read backwards")


def _alphabetical(reply: str, *, first_letter: bool) -> str:
    """26 sentences from A to Z; with `first_letter`, marks before a sentence's first letter are passed over."""
    found = sentences(reply)
    if len(found) != 26:
        return f"{counted(len(found), 'sentence')}, 26 asked"
    for place, sentence in enumerate(found):
        text = sentence.lstrip("\"'“‘([{*_# \n") if first_letter else sentence.lstrip()
        if text[:1].lower()[:1] != chr(ord("a") + place):
            return f"sentence {place + 1} begins with '{text[:20]}', not with {chr(ord('A') + place)}"
    return ""


def _capitals_published(_: NoParameters, reply: str) -> str:
    return _capitals_are([city.strip() for city in _ascii(reply).split(",") if city.strip()])


def _capitals(_: NoParameters, reply: str) -> str:
    """Kyiv (50.45 degrees), which the published list leaves out, may stand in its place, and a full stop behind all."""
    cities = [city.strip() for city in _ascii(reply).rstrip(" .\n").split(",") if city.strip()]
    place = word_list("capitals").index("Prague")
    return _capitals_are([*cities[:place], *cities[place + (cities[place : place + 1] in (["Kyiv"], ["Kiev"])) :]])


def _capitals_are(cities: list[str]) -> str:
    wanted = list(word_list("capitals"))
    fault = next((ours for ours, due in zip(cities, wanted, strict=False) if ours != due), None)
    if fault is not None:
        return f"'{fault[:40]}' is not due where it stands"
    return unless(len(cities) == len(wanted), f"{counted(len(cities), 'name')}, {len(wanted)} asked")


def _table(text: str, divider: str = ",") -> list[list[str]] | None:
    """The rows of a CSV text, or None where it cannot be read (the published checks stop with an error)."""
    try:
        return list(csv.reader(io.StringIO(text), delimiter=divider))
    except csv.Error:
        return None


def _rows(table: list[list[str]] | None, size: int) -> str:
    if table is None:
        return "CSV that cannot be read"
    if len(table) != size + 1:
        return f"{counted(len(table), 'line')}, a head and {size} rows asked"
    wrong = next((row for row in table[1:] if len(row) != len(_CITY_COLUMNS)), None)
    return unless(wrong is None, f"a row with {counted(len(wrong or ()), 'field')}")


def _header(reply: str, columns: Sequence[str], divider: str) -> str:
    pattern = divider.join(f'({name}|"{name}")' for name in columns)
    return unless(re.match(rf"{pattern}$", reply.split("\n")[0].strip()) is not None, "another head than asked")


def _unfenced(reply: str) -> str:
    """The text within a Markdown fence, if there is one around all of it, with no line end behind it."""
    found = _FENCE.match(reply)
    return (found[1] if found else reply).strip()


def _cities_published(_: NoParameters, reply: str) -> str:
    table = _table(reply)
    if table is not None and len(table) == 8 and table[0] != list(_CITY_COLUMNS):
        return "another head than asked"
    return _rows(table, 7)


def _cities(_: NoParameters, reply: str) -> str:
    table = _table(_unfenced(reply))
    if table and [name.strip(' "') for name in table[0]] != list(_CITY_COLUMNS):
        return "another head than asked"
    return _rows(table, 7)


def _products_published(_: NoParameters, reply: str) -> str:
    """The rows behind the first with such a field are not looked at."""
    reason = _header(reply, _PRODUCT_COLUMNS, r",[ \t]*")
    table = _table(reply.replace('"', '"""'))
    if reason or table is None or len(table) != 15:
        return reason or _rows(table, 14)
    for row in table[1:]:
        if len(row) != len(_PRODUCT_COLUMNS):
            return f"a row with {counted(len(row), 'field')}"
        if any(re.match(r'".*[^\d\w\s].*"', field) for field in row):
            return ""
    return "no field with a special character in double quotes"


def _products(_: NoParameters, reply: str) -> str:
    text = _unfenced(reply)
    data = text.partition("\n")[2]
    return (
        _header(text, _PRODUCT_COLUMNS, r",[ \t]*")
        or _rows(_table(text), 14)
        or unless(_QUOTED_SPECIAL.search(data) is not None, "no field with a special character in double quotes")
    )


def _students(_: NoParameters, reply: str) -> str:
    table = _table(reply.replace('"', '"""'), "\t")
    reason = _header(reply, _STUDENT_COLUMNS, r"\t *") or _rows(table, 3)
    if reason or table is None:
        return reason
    fields = [field.strip() for row in table for field in row]
    bare = next((field for field in fields if not (field.startswith('"') and field.endswith('"'))), None)
    return unless(bare is None, f"'{(bare or '')[:40]}' not in double quotes")


def _dates(reply: str, *, real: bool) -> str:
    for text in map(str.strip, reply.strip().split(",")):
        found = _DATE.fullmatch(text)
        if not found:
            return f"'{text[:40]}' is no date as asked"
        year, month, day = map(int, found.groups())
        if not _NAPOLEON[0] <= year <= _NAPOLEON[1]:
            return f"{text} is outside Napoleon's life"
        if month > 12 or day > _DAYS.get(month, 99) or (real and not _exists(year, month, day)):
            return f"{text} does not exist"
    return ""


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _changed(asked: Request, reply: str) -> str:
    if reply == asked.prompt_to_repeat:
        return "the request as it was"
    holds = asked.prompt_to_repeat.split()[1:] == reply.split()[1:]
    return unless(holds, "differs from the request behind the first word")


def _first_changed(asked: Request, reply: str) -> str:
    if asked.prompt_to_repeat.split()[:1] == reply.split()[:1]:
        return "begins with the first word of the request"
    return _changed(asked, reply)


def _span(asked: Span, reply: str, *spans: list[str]) -> str:
    return unless(reply.lower().split() in spans, f"not the words {asked.n_start} to {asked.n_end} of the request")


def _rows_of(columns: Sequence[str], row: str, size: int, divider: str = ",") -> str:
    return "\n".join([divider.join(columns), *(row.format(place) for place in range(1, size + 1))])


def _made_questions(*_: object) -> list[str]:
    options = "\n".join(
        f"{letter}) {name}" for letter, name in zip("ABCDE", ["Klee", "Miro", "Dali", "Kahlo", "Arp"], strict=True)
    )
    about = ["Who", "painted", "it", "first", "in", "Europe", "before", "the", "war", "ended"]
    return ["\n\n".join(f"Question {n}: {' '.join(about[: 3 + 2 * n])}?\n{options}" for n in range(1, 5))]


_LETTERS = "Ann Bo Cal Di Ed Flo Gus Hal Ida Jo Kit Lea May Ned Oda Pam Quin Ray Sue Tom Una Vic Wim Xia Yan Zoe"

TABLE: tuple[Constraint[Any], ...] = (
    ifbench(
        "custom:multiples",
        NoParameters,
        _multiples,
        "Count from 10 to 50, but print the multiples of 7 alone.",
        follow=lambda _, __: [", ".join(_MULTIPLES)],
        counts=True,
    ),
    ifbench(
        "custom:mcq_count_length",
        NoParameters,
        _questions_published,
        "Write 4 multiple-choice questions on the history of art in the 20th century with 5 options each. Begin each "
        'with the label "Question" and let each be longer than the one before. Explain nothing.',
        repaired=_any_questions,
        follow=_made_questions,
        counts=True,
    ),
    ifbench(
        "custom:reverse_newline",
        NoParameters,
        _countries,
        "List the countries of Africa in reverse alphabetical order, each on a line of its own.",
        follow=lambda _, __: ["\n".join(word_list("african_countries"))],
    ),
    ifbench(
        "custom:word_reverse",
        NoParameters,
        _reversed_words,
        "Which animal is the national symbol of the US? Answer in one sentence with its words in reverse order.",
        follow=lambda _, __: ["eagle bald the is animal national the"],
    ),
    ifbench(
        "custom:character_reverse",
        NoParameters,
        lambda _, reply: unless("elgae dlab" in reply.lower(), "no 'bald eagle' written backwards"),
        "Which animal is the national symbol of the US? Answer in one sentence with its letters in reverse order.",
        follow=lambda _, body: [f"elgae dlab eht si tI\n{body}"],
    ),
    ifbench(
        "custom:sentence_alphabet",
        NoParameters,
        lambda _, reply: _alphabetical(reply, first_letter=False),
        "Tell a story of 26 sentences whose first words begin with the letters of the alphabet, one after the other.",
        repaired=lambda _, reply: _alphabetical(reply, first_letter=True),
        follow=lambda _, __: [" ".join(f"{name} went home." for name in _LETTERS.split())],
        counts=True,
    ),
    ifbench(
        "custom:european_capitals_sort",
        NoParameters,
        _capitals_published,
        "List the capitals of Europe that lie north of 45 degrees, without their countries, from north to south, "
        "between commas.",
        repaired=_capitals,
        follow=lambda _, __: [", ".join(word_list("capitals"))],
    ),
    ifbench(
        "custom:csv_city",
        NoParameters,
        _cities_published,
        f"Write CSV data of 7 rows between commas, with the columns {', '.join(_CITY_COLUMNS)}.",
        repaired=_cities,
        follow=lambda _, __: [_rows_of(_CITY_COLUMNS, "{},Peru,Lima,2001,7", 7)],
        counts=True,
    ),
    ifbench(
        "custom:csv_special_character",
        NoParameters,
        _products_published,
        f"Write CSV data of 14 rows between commas, with the columns {', '.join(_PRODUCT_COLUMNS)}. Let one field hold "
        "a special character and stand in double quotes.",
        repaired=_products,
        follow=lambda _, __: [_rows_of(_PRODUCT_COLUMNS, '{},Tea,"A&B",3.50,7', 14)],
        counts=True,
    ),
    ifbench(
        "custom:csv_quotes",
        NoParameters,
        _students,
        f"Write CSV data of 3 rows between tabs, with the columns {', '.join(_STUDENT_COLUMNS)}, each field in double "
        "quotes.",
        repaired=lambda asked, reply: _students(asked, _unfenced(reply)),
        follow=lambda _, __: [
            _rows_of([f'"{name}"' for name in _STUDENT_COLUMNS], '"{}"\t"Art"\t"A"\t"1"\t"9"', 3, "\t")
        ],
        counts=True,
    ),
    ifbench(
        "custom:date_format_list",
        NoParameters,
        lambda _, reply: _dates(reply, real=False),
        "List the first days of Napoleon's battles between commas, as YYYY-MM-DD, without an explanation.",
        repaired=lambda _, reply: _dates(reply, real=True),
        follow=lambda _, __: ["1796-04-12, 1805-12-02, 1815-06-18"],
    ),
    ifbench(
        "repeat:repeat_change",
        Request,
        _changed,
        "Repeat the following request with another first word, say nothing before it and do not answer it:\n"
        "{prompt_to_repeat}",
        repaired=_first_changed,
        follow=lambda asked, _: [" ".join(["Otherwise", *asked.prompt_to_repeat.split()[1:]])],
    ),
    ifbench(
        "repeat:repeat_simple",
        NoParameters,
        lambda _, reply: unless(reply.strip().lower() == SENTENCE.lower(), "another text than the sentence asked"),
        SENTENCE,
        follow=lambda _, __: [SENTENCE],
    ),
    ifbench(
        "repeat:repeat_span",
        Span,
        lambda asked, reply: _span(asked, reply, asked.words[asked.n_start : asked.n_end]),
        "Copy the words from number {n_start} to number {n_end}, counted from 0, of this request:\n{prompt_to_repeat}",
        repaired=lambda asked, reply: _span(
            asked,
            reply,
            asked.words[asked.n_start : asked.n_end],
            asked.words[asked.n_start : asked.n_end + 1],
        ),
        follow=lambda asked, _: [" ".join(asked.words[asked.n_start : asked.n_end]) or "none"],
        counts=True,
    ),
)
