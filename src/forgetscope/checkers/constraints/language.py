"""Constraint on the language of the reply."""

from typing import Annotated

from pydantic import AfterValidator

from forgetscope.checkers.base import FOLLOWED, Behaviour, Verdict, broken
from forgetscope.checkers.detection import detect_language, known_languages
from forgetscope.checkers.record import Constraint, Parameters
from forgetscope.checkers.wishes import Wishes
from forgetscope.core.errors import UnknownNameError


def _known_language(code: str) -> str:
    if code not in known_languages() and code != "zh":
        raise UnknownNameError("unknown language code", found=code, allowed=[*known_languages(), "zh"])
    return code


class LanguageParameters(Parameters):
    """`language`: ISO 639-1 code of the language asked for."""

    language: Annotated[str, AfterValidator(_known_language)]


def judge_response_language(parameters: LanguageParameters, reply: str, behaviour: Behaviour) -> Verdict:
    """The whole reply is in the language asked for, by langdetect's likeliest guess.

    Reference: unseeded, so unstable on mixed or short text (we seed it); a text without any evidence counts as
    followed; `zh` never matches, because langdetect answers `zh-cn` or `zh-tw`.
    Repaired: a text without evidence is not in the language; `zh` matches both scripts.
    """
    detected = detect_language(reply)
    if detected is None:
        if behaviour is Behaviour.REFERENCE:
            return FOLLOWED
        return broken(f"no language can be made out, {parameters.language} asked")
    found = detected.code
    if behaviour is Behaviour.REPAIRED and parameters.language == "zh":
        found = found.partition("-")[0]
    if found == parameters.language:
        return FOLLOWED
    return broken(f"reads as {detected.code}, {parameters.language} asked")


def _wish_language(parameters: LanguageParameters, wishes: Wishes) -> None:
    wishes.language = parameters.language


RESPONSE_LANGUAGE = Constraint(
    "language:response_language",
    LanguageParameters,
    judge_response_language,
    wording="Write your entire response in the language with the code {language}. No other language.",
    wish=_wish_language,
    place=19,
)
