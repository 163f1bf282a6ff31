"""Constraints on how a text begins and ends, as a careful reader takes them.

As `reader_words`: both behaviours alike, none of them IFEval's.
"""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from forgetscope.checkers.base import FOLLOWED, Behaviour, Verdict, broken
from forgetscope.checkers.reading import folded, occurs
from forgetscope.checkers.record import Constraint, NoParameters, Parameters
from forgetscope.checkers.wishes import Wishes

Phrase = Annotated[str, AfterValidator(str.strip), Field(min_length=1)]

_MARKUP = re.compile(r"[*_`~#>]")
_BEFORE_SENTENCE = re.compile(r"(?:^|[.!?:;…)\"'—–-]|\n)\s*$")
_VALEDICTION = re.compile(
    r"(?:(?:kind|best|warm)?(?:est)? ?(?:regards|wishes)|best|sincerely|yours|respectfully|(?:many )?thanks|thank you"
    r"|cheers|all the best|faithfully|with)\b",
    re.IGNORECASE,
)
_NAME_LINE = re.compile(r"\[[^\]\n]+\]|[A-Z\d][\w.'-]*(?:,? [A-Z\d][\w.'-]*){0,4}|\S+@\S+|\(?\+?[\d ()/-]{5,}")
"""A name, an address or a number under a letter."""
_POSTSCRIPT = re.compile(r"^[^\w\n]{0,12}p\. ?s\b|^[^\w\n]{0,12}ps\b", re.MULTILINE | re.IGNORECASE)


class ClosingParameters(Parameters):
    """`phrase`: the last words, or a last `sentence` of its own; whether a name may be signed under it."""

    phrase: Phrase
    unit: Literal["words", "sentence"] = "words"
    signature: Literal["none", "allowed"] = "none"


def judge_closing(parameters: ClosingParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The text ends so, word for word; case, commas, markup, the last mark and pictures do no harm."""
    del behaviour
    text, phrase = _bare(reply), _bare(parameters.phrase).rstrip(".!?… ")
    wanted = r"(?<!\w)" + r",?\s+".join(re.escape(word.rstrip(",")) for word in phrase.split()) + r"(?!\w)"
    last = max(re.finditer(wanted, text, re.IGNORECASE), key=re.Match.start, default=None)
    if last is None:
        return broken(f"does not end with '{parameters.phrase}'")
    before, after = text[: last.start()], text[last.end() :]
    if parameters.unit == "sentence" and not _BEFORE_SENTENCE.search(before):
        return broken(f"'{parameters.phrase}' is no sentence of its own")
    if re.search(r"\w", after) and not (parameters.signature == "allowed" and _is_signature(after)):
        return broken(f"goes on after '{parameters.phrase}'")
    return FOLLOWED


def _bare(text: str) -> str:
    """The text without markup, with one blank between words."""
    return re.sub(r"[^\S\n]+", " ", _MARKUP.sub("", text)).strip()


def _is_signature(text: str) -> bool:
    """Whether lines are a valediction and names, and no more."""
    lines = [line.strip(" ,.!-–—") for line in text.split("\n")]
    filled = [line for line in lines if line]
    return len(filled) <= 6 and all(
        len(line.split()) <= 6 and (_VALEDICTION.match(line) or _NAME_LINE.fullmatch(line)) for line in filled
    )


class OpeningParameters(Parameters):
    """`phrase`: the first words; whether quotation marks may stand around them."""

    phrase: Phrase
    quotes: Literal["none", "allowed"] = "none"


def judge_opening(parameters: OpeningParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The text begins so, word for word; case, markup and the last mark do no harm."""
    del behaviour
    text, phrase = " ".join(_bare(reply).split()), _bare(parameters.phrase).rstrip(".!?… ")
    if parameters.quotes == "allowed":
        text = text.lstrip("\"'")
    if not text.casefold().startswith(phrase.casefold()):
        return broken(f"does not begin with '{parameters.phrase}'")
    return broken("the first words go on") if re.match(r"\w", text[len(phrase) :]) else FOLLOWED


def judge_quoted(_: NoParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The whole text stands in double quotation marks; a heading above it does no harm."""
    del behaviour
    lines = reply.strip().split("\n")
    if len(lines) > 1 and re.match(r"#|\*\*[^*]+\*\*$|[^\"]{1,60}:$", lines[0].strip()):
        lines = lines[1:]
    text = re.sub(r"^[*_>\s]+|[*_\s]+$", "", "\n".join(lines))
    if len(text) > 2 and text[0] == text[-1] == '"' and re.search(r"\w", text):
        return FOLLOWED
    return broken("not in double quotation marks")


class PsParameters(Parameters):
    """`things`: what the postscript mentions, as in `reader:mentions`; `below`: words it stands under."""

    things: tuple[str, ...] = ()
    below: str = ""


def judge_postscript(parameters: PsParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """A line opens with P.S. (or PS), and from there on everything comes up."""
    del behaviour
    starts = [match.start() for match in _POSTSCRIPT.finditer(reply)]
    if not starts:
        return broken("no line begins with P.S.")
    text = reply[starts[-1] :]
    if len(folded(text).split()) < 4:
        return broken("the postscript says nothing")
    missing = [thing for thing in parameters.things if not occurs(text, thing)]
    if missing:
        return broken(f"nothing of '{missing[0]}' in the postscript")
    if parameters.below and not occurs(reply[: starts[-1]], parameters.below):
        return broken(f"the postscript is not below '{parameters.below}'")
    return FOLLOWED


def _wish_closing(asked: ClosingParameters, wishes: Wishes) -> None:
    wishes.end_phrase = asked.phrase


def _wish_opening(asked: OpeningParameters, wishes: Wishes) -> None:
    wishes.repeat = asked.phrase


def _wish_quoted(_: NoParameters, wishes: Wishes) -> None:
    wishes.is_quoted = True


def _wish_postscript(asked: PsParameters, wishes: Wishes) -> None:
    things = " ".join(thing.partition("|")[0].rstrip("*") for thing in asked.things)
    wishes.postscripts.append(f"P.S. {things}")
    wishes.lines.extend([asked.below] if asked.below else [])


CLOSING = Constraint(
    "reader:closing",
    ClosingParameters,
    judge_closing,
    wording="End with the {unit} (signature: {signature}): {phrase}",
    wish=_wish_closing,
    place=131,
)
OPENING = Constraint(
    "reader:opening",
    OpeningParameters,
    judge_opening,
    wording="Begin with (quotation marks: {quotes}): {phrase}",
    wish=_wish_opening,
    place=132,
)
QUOTED = Constraint(
    "reader:quoted",
    NoParameters,
    judge_quoted,
    wording="Put the whole text in double quotation marks.",
    wish=_wish_quoted,
    place=133,
)
POSTSCRIPT = Constraint(
    "reader:ps",
    PsParameters,
    judge_postscript,
    wording="Add a postscript that begins with P.S., below {below}, on {things}.",
    wish=_wish_postscript,
    place=134,
)
