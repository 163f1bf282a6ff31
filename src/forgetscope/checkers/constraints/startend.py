"""Constraints on how the reply begins and ends, and on commas: end phrase, quotation marks, postscript."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from forgetscope.checkers.base import FOLLOWED, Behaviour, Verdict, broken, straight_quotes
from forgetscope.checkers.patterns import Word, published_pattern
from forgetscope.checkers.record import Category, Constraint, NoParameters, Parameters
from forgetscope.checkers.wishes import Wishes

_TAIL_SHOWN = 30


class EndParameters(Parameters):
    """`end_phrase`: the phrase that must end the reply."""

    end_phrase: Annotated[str, AfterValidator(str.strip), Field(min_length=1)]


def judge_end_checker(parameters: EndParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The reply ends with the phrase, in any case; blanks and double quotation marks around the reply are ignored.

    Reference: the marks are stripped from the reply only, so a phrase that itself ends in `"` never holds, nor one
    followed by a blank inside the marks. Repaired: both hold; curly marks are read as straight ones.
    """
    phrase = parameters.end_phrase.lower()
    if reply.strip().strip('"').lower().endswith(phrase):
        return FOLLOWED
    if behaviour is Behaviour.REPAIRED:
        plain, phrase = straight_quotes(reply).strip().lower(), straight_quotes(phrase)
        if plain.endswith(phrase) or plain.strip('"').strip().endswith(phrase):
            return FOLLOWED
    phrase = parameters.end_phrase.lower()
    text = reply.rstrip()
    lowered = text.lower()
    last = lowered.rfind(phrase) if len(lowered) == len(text) else -1
    span = (last + len(phrase), len(text)) if last >= 0 else (max(0, len(text) - len(phrase)), len(text))
    return broken(f"ends with {_tail(text)}", span)


def _tail(text: str) -> str:
    tail = " ".join(text[-4 * _TAIL_SHOWN :].split())
    shown = tail if len(tail) <= _TAIL_SHOWN else "..." + tail[-_TAIL_SHOWN:].lstrip()
    return f"'{shown}'"


def judge_quotation(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The whole reply stands between double quotation marks.

    Reference: straight ones. Repaired: curly ones too, which models write as often.
    """
    opening, closing = ('"', '"') if behaviour is Behaviour.REFERENCE else ('"“', '"”')
    text = reply.strip()
    start = len(reply) - len(reply.lstrip())
    end = start + len(text)
    if text[0] not in opening:
        return broken(f"begins with '{text[0]}', not with a double quotation mark", (start, start + 1))
    if len(text) == 1:
        return broken("a single quotation mark", (start, end))
    if text[-1] not in closing:
        return broken(f"ends with {_tail(text)}, not with a double quotation mark", (end - 1, end))
    return FOLLOWED


class PostscriptParameters(Parameters):
    """`postscript_marker`: what opens the postscript, `P.S.` or `P.P.S`."""

    postscript_marker: Word


_KNOWN_MARKERS = {"P.S.": r"p\.\s?s\.", "P.P.S": r"p\.\s?p\.\s?s"}
_LINE_START = r"^[^\w\n]*"


def judge_postscript(parameters: PostscriptParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """A postscript marker is in the reply, in any case; a blank may follow each of its points.

    Reference: the marker is found anywhere, also inside a sentence, and a marker other than P.S. and P.P.S is read
    as a regular expression. Repaired: it opens a line (after markdown's signs or a quotation mark) and is literal.
    """
    marker = parameters.postscript_marker
    text = reply.lower()
    if behaviour is Behaviour.REPAIRED:
        literal = _KNOWN_MARKERS.get(marker) or re.escape(marker.lower())
        if re.search(_LINE_START + literal, text, re.MULTILINE):
            return FOLLOWED
        return broken(f"no line begins with '{marker}'")
    known = _KNOWN_MARKERS.get(marker)
    pattern = re.compile(known) if known else published_pattern(marker.lower(), "postscript_marker", flags=re.MULTILINE)
    return FOLLOWED if pattern.search(text) else broken(f"no postscript '{marker}'")


def _wish_end(parameters: EndParameters, wishes: Wishes) -> None:
    wishes.end_phrase = parameters.end_phrase


def _wish_quotation(_: NoParameters, wishes: Wishes) -> None:
    wishes.is_quoted = True


POSTSCRIPT = Constraint(
    "detectable_content:postscript",
    PostscriptParameters,
    judge_postscript,
    wording="At the very end of your response, add a postscript that starts with {postscript_marker}",
    wish=lambda asked, wishes: wishes.postscripts.append(asked.postscript_marker),
    category=Category.TERMINAL,
    in_paper=True,
    place=5,
    stacked=4,
    clashes=frozenset({"startend:quotation"}),
)
END_CHECKER = Constraint(
    "startend:end_checker",
    EndParameters,
    judge_end_checker,
    wording="End your response with exactly this phrase, and write nothing after it: {end_phrase}",
    wish=_wish_end,
    category=Category.TERMINAL,
    in_paper=True,
    place=6,
)
QUOTATION = Constraint(
    "startend:quotation",
    NoParameters,
    judge_quotation,
    wording="Wrap your entire response in double quotation marks.",
    wish=_wish_quotation,
    category=Category.STRUCTURAL,
    in_paper=True,
    place=9,
    stacked=11,
)
