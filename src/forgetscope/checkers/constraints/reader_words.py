"""Constraints on words and length as a careful reader takes them; both behaviours alike, none of them IFEval's.

They are for tasks in a person's words, such as the subtasks of in-context revision, where "the fog **bell**" is the fog
bell and "2015" no 15.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from forgetscope.checkers.base import FOLLOWED, Behaviour, Count, Relation, RelationField, Verdict, broken, judge_count
from forgetscope.checkers.detection import detect_language
from forgetscope.checkers.filler import ENGLISH, cut_short, with_line
from forgetscope.checkers.reading import folded, occurs, sentences
from forgetscope.checkers.record import Constraint, Parameters
from forgetscope.checkers.wishes import Wishes

Wordings = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]
Within = Literal["text", "sentence"]
_CAPITALS = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


class MentionParameters(Parameters):
    """`things`: what has to come up, each in any of its wordings ("mould|mold"), in the text or in one sentence."""

    things: Wordings
    within: Within = "text"


def judge_mentions(parameters: MentionParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Everything comes up, singular or plural; what is only said to be left out does not."""
    del behaviour
    return _judge_together(reply, parameters.things, parameters.within, partial(occurs, unless_taken_back=True))


def _judge_together(reply: str, wanted: tuple[str, ...], within: Within, stands: Callable[[str, str], bool]) -> Verdict:
    pieces = [reply] if within == "text" else sentences(reply)
    missing = ([wording for wording in wanted if not stands(piece, wording)] for piece in pieces)
    fewest = min(missing, key=len, default=list(wanted))
    return broken(f"without {_named(fewest)}") if fewest else FOLLOWED


class UseParameters(Parameters):
    """`words`: the words themselves, each in any of its wordings; an added plural or possessive does no harm."""

    words: Wordings
    within: Within = "text"


def judge_uses(parameters: UseParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Every word stands in the reply, whatever is said of it."""
    del behaviour
    return _judge_together(reply, parameters.words, parameters.within, partial(occurs, inflected=False))


class AvoidParameters(Parameters):
    """`words` that are not to be used."""

    words: Wordings


def judge_avoids(parameters: AvoidParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """None of the words stands in the reply, nor its plural or possessive."""
    del behaviour
    found = [word for word in parameters.words if occurs(reply, word, inflected=False)]
    return broken(f"uses {_named(found)}") if found else FOLLOWED


class FigureParameters(Parameters):
    """`figures`: what is worked out, each as `label=value`; a label may have several wordings."""

    figures: Annotated[tuple[Annotated[str, Field(pattern=r"^[^=]+=[^=]*$")], ...], Field(min_length=1)]


def judge_figures(parameters: FigureParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Every value is given to its own label: no other of the labels stands nearer before it, or its own follows.

    A label without a value is only another one that may stand before a value.
    """
    del behaviour
    pairs = [figure.split("=") for figure in parameters.figures]
    said = folded(reply)
    labels = sorted((match.end(), label) for label, _ in pairs for match in _words(label).finditer(said))
    missing = [f"{label}={value}" for label, value in pairs if value and not _is_given(said, label, value, labels)]
    return broken(f"without {_named(missing)}") if missing else FOLLOWED


def _is_given(said: str, label: str, value: str, labels: list[tuple[int, str]]) -> bool:
    follows = re.compile(r" (?:[^ ]+ ){0,2}?(?:is|as|are) (?:the |their )?" + _words(label).pattern)
    for match in re.finditer(rf"(?<![^ ]){re.escape(folded(value))}(?![^ ])", said):
        nearest = [name for end, name in labels if end <= match.start()][-1:]
        if nearest == [label] or follows.match(said, match.end()):
            return True
    return False


def _words(wordings: str) -> re.Pattern[str]:
    return re.compile(r"(?<![^ ])(?:" + "|".join(re.escape(folded(one)) for one in wordings.split("|")) + r")(?![^ ])")


class TimesParameters(Parameters):
    """`word`: the word itself; at least so many `times`."""

    word: Annotated[str, Field(min_length=1)]
    times: Count


def judge_times(parameters: TimesParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The word stands so often, spelled exactly so."""
    del behaviour
    count = f" {folded(reply)} ".replace(" ", "  ").count(" " + folded(parameters.word).replace(" ", "  ") + " ")
    verdict = judge_count(count, Relation.AT_LEAST, parameters.times, "time")
    return verdict if verdict.followed else broken(f"'{parameters.word}' {verdict.reason}")


class LengthParameters(Parameters):
    """How many words, and in which relation."""

    words: Count
    relation: RelationField


def judge_length(parameters: LengthParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The number of words; a hyphenated word is one or two, whichever holds."""
    del behaviour
    counts = sum(any(map(str.isalnum, word)) for word in reply.split()), len(re.findall(r"\w+(?:'\w+)*", reply))
    count = min(counts) if parameters.relation is Relation.LESS_THAN else max(counts)
    return judge_count(count, parameters.relation, parameters.words, "word")


class CaseParameters(Parameters):
    """`case`: of every letter."""

    case: Literal["upper", "lower"]


def judge_case(parameters: CaseParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """Every letter that has a case is in this one, and there are letters; in any language."""
    del behaviour
    wrong = str.islower if parameters.case == "upper" else str.isupper
    count = sum(map(wrong, reply))
    if count:
        return broken(f"{count} letters not in {parameters.case} case")
    return FOLLOWED if any(map(str.isalpha, reply)) else broken("no letters")


_EUROPEAN = ("de", "en", "es", "fi", "fr", "it", "nl", "pt", "sv")


class TongueParameters(Parameters):
    """`language` of the text, `besides` names and phrases that stay as they are in any."""

    language: Literal["de", "en", "es", "fi", "fr", "it", "pt"]
    besides: tuple[str, ...] = ()


def judge_tongue(parameters: TongueParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The likeliest of nine European languages; names, numbers and markup are no evidence."""
    del behaviour
    text = reply
    for name in parameters.besides:
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    text = " ".join(re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text)).lower()
    found = detect_language(text, _EUROPEAN)
    if found is not None and found.code == parameters.language:
        return FOLLOWED
    return broken(f"reads as {found.code if found else 'none'}, {parameters.language} asked")


class CapitalParameters(Parameters):
    """`words`: at least so many in capitals."""

    words: Count


def judge_capitals(parameters: CapitalParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """So many words in capitals; "I" and "A" count only beside another one."""
    del behaviour
    words = _CAPITALS.findall(reply)
    shouted = [word.isupper() and len(word) > 1 for word in words]
    count = sum(
        loud or (word.isupper() and any(shouted[max(0, place - 1) : place + 2]))
        for place, (word, loud) in enumerate(zip(words, shouted, strict=True))
    )
    return judge_count(count, Relation.AT_LEAST, parameters.words, "word", suffix="in capitals")


def _named(wordings: list[str]) -> str:
    return ", ".join(f"'{wording.partition('|')[0].rstrip('*')}'" for wording in wordings)


def first_wordings(wordings: tuple[str, ...]) -> list[str]:
    """The plainest wording of each, as a reply would have it."""
    return [wording.partition("|")[0].rstrip("*") for wording in wordings]


def _wish_mentions(asked: MentionParameters, wishes: Wishes) -> None:
    wishes.lines.append(" ".join(first_wordings(asked.things)))


def _wish_uses(asked: UseParameters, wishes: Wishes) -> None:
    if asked.within == "sentence":
        wishes.lines.append(" ".join(first_wordings(asked.words)))
        return
    for word in first_wordings(asked.words):
        wishes.keyword(word).narrow(Relation.AT_LEAST, 1)


def _wish_figures(asked: FigureParameters, wishes: Wishes) -> None:
    pairs = [figure.partition("|")[0].partition("=")[0] + "=" + figure.partition("=")[2] for figure in asked.figures]
    wishes.lines.extend(pair.replace("=", " is ") for pair in pairs if not pair.endswith("="))


def _wish_tongue(asked: TongueParameters, wishes: Wishes) -> None:
    wishes.language = asked.language


def _wish_case(asked: CaseParameters, wishes: Wishes) -> None:
    wishes.is_upper |= asked.case == "upper"
    wishes.is_lower |= asked.case == "lower"


def _wrong_length(asked: LengthParameters, body: str) -> Iterator[str]:
    if asked.relation is Relation.LESS_THAN:
        yield with_line(body, ENGLISH[0])
        yield with_line(body, "more " * max(asked.words, 1))


MENTIONS = Constraint(
    "reader:mentions",
    MentionParameters,
    judge_mentions,
    wording="Bring up all of these in one {within}: {things}.",
    wish=_wish_mentions,
    place=101,
)
USES = Constraint(
    "reader:uses",
    UseParameters,
    judge_uses,
    wording="Use these words in one {within}: {words}.",
    wish=_wish_uses,
    breaches=lambda _, body: cut_short(body),
    place=102,
)
AVOIDS = Constraint(
    "reader:avoids",
    AvoidParameters,
    judge_avoids,
    wording="Do not use these words: {words}.",
    wish=lambda asked, wishes: wishes.forbidden.extend(first_wordings(asked.words)),
    breaches=lambda asked, body: (with_line(body, word) for word in first_wordings(asked.words)),
    place=103,
)
FIGURES = Constraint(
    "reader:figures",
    FigureParameters,
    judge_figures,
    wording="Give each of these: {figures}.",
    wish=_wish_figures,
    place=108,
)
TIMES = Constraint(
    "reader:times",
    TimesParameters,
    judge_times,
    wording="Use the word {word} at least {times} times.",
    wish=lambda asked, wishes: wishes.keyword(asked.word).narrow(Relation.AT_LEAST, asked.times),
    place=104,
)
LENGTH = Constraint(
    "reader:length",
    LengthParameters,
    judge_length,
    wording="Write {relation} {words} words.",
    wish=lambda asked, wishes: wishes.words.narrow(asked.relation, asked.words),
    breaches=_wrong_length,
    counts=True,
    place=105,
)
CASE = Constraint(
    "reader:case",
    CaseParameters,
    judge_case,
    wording="Write everything in {case} case.",
    wish=_wish_case,
    place=106,
)
TONGUE = Constraint(
    "reader:tongue",
    TongueParameters,
    judge_tongue,
    wording="Write in the language with the code {language}, but for {besides}.",
    wish=_wish_tongue,
    place=109,
)
CAPITALS = Constraint(
    "reader:capitals",
    CapitalParameters,
    judge_capitals,
    wording="Write at least {words} words in capitals.",
    wish=lambda asked, wishes: wishes.capital_words.narrow(Relation.AT_LEAST, asked.words),
    counts=True,
    place=107,
)
