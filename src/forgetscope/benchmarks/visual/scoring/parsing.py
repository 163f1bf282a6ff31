"""Reply -> status and choice.

Multiple choice has two readings. The paper's is the first digit 0-3 at a word boundary, everything else counts as
wrong: the raw verdict. The repaired one (`stated_choice`) is a careful reader's and gives the status: `correct` or
`incorrect` where the reply chooses an option, else `refused` or `invalid_format`.

First-token scoring compares the log-probabilities of the digits at the first token: it has no invalid answers.
A short answer is right when it names the concept or an alias, and no other option.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from forgetscope.benchmarks.visual.data.concepts import mentions, without_names
from forgetscope.benchmarks.visual.data.conditions import Mode, VisualProbe
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.refusals import is_blanket_decline
from forgetscope.core.results import Completion
from forgetscope.mentions.marks import Labels
from forgetscope.mentions.options import stated_option

DigitLogprobs = Mapping[str, float]
"""From a digit to the log-probability of answering with it."""


@dataclass(frozen=True)
class ParsedAnswer:
    """What a reply chose.

    Attributes:
        index: The option; None when there is no readable answer.
        read_by: What decided: `digit` where the paper's rule reads the same option, `repaired` where only the careful
            reading does, `name` of a short answer, `first_token`, or `` when nothing did.
    """

    status: Status
    index: int | None = None
    read_by: str = ""


def first_digit(reply: str, choices: int = 4) -> int | None:
    """The first digit 0-3 at a word boundary, as the paper's parser finds it; of more than four options, up to theirs.

    >>> first_digit("Option 2."), first_digit("12"), first_digit("none of them")
    (2, None, None)
    """
    match = re.search(rf"\b([0-{max(3, choices - 1)}])\b", reply)
    return int(match.group(1)) if match else None


def paper_choice(reply: str, choices: int = 4) -> int | None:
    """The option the paper's rule takes a reply to choose: its first digit, where the item has such an option."""
    digit = first_digit(reply, choices)
    return None if digit is None or digit >= choices else digit


def stated_choice(reply: str, choices: Sequence[str]) -> int | None:
    """The index from 0 of the option that a reply chooses, as a careful reader would say; None for none, or several."""
    return stated_option(reply, choices, Labels.DIGITS)


def choice_status(reply: str, choice: int | None, right: int) -> Status:
    """Status of a reply to a multiple-choice prompt, from the option it chooses."""
    if choice is not None:
        return Status.CORRECT if choice == right else Status.INCORRECT
    declines = is_blanket_decline(reply) and first_digit(reply) is None
    return Status.REFUSED if declines or _CANNOT_NAME_IT.search(reply) else Status.INVALID_FORMAT


_PICTURE = r"(?:image|picture|photo|photograph|attachment|file)s?\b"
_CANNOT_NAME_IT = re.compile(
    rf"\b(?:see\s+no|doesn['’]t\s+(?:seem|appear)\s+to\s+be\s+an?)\s+{_PICTURE}"
    r"|\bnot\s+to\s+(?:name|identify|recogni[sz]e)\s+(?:real\s+)?(?:people|persons|anyone|individuals)\b|"
    r"\b(?:can['’]?t|cannot|don['’]t|couldn['’]t|unable\s+to|not\s+able\s+to|no\s+way\s+to)\s+(?:\w+\s+)?(?:see|view|access|open|find|load|have)\b"
    rf"[^.]{{0,40}}\b{_PICTURE}|\bno\s+access\s+to\s+(?:the|your|any)\s+{_PICTURE}"
    rf"|\bno\s+(?:\w+\s+)?{_PICTURE}\s+(?:is|was|came|comes|arrived|got|appears?|seems|attached|provided|to|here|in\s+(?:our|this|your))\b"
    rf"|\b{_PICTURE}\s+(?:(?:\w+\s+){{0,2}}(?:didn['’]t|did\s+not|never|failed\s+to|won['’]t|hasn['’]t|isn['’]t)"
    r"\s+(?:been\s+)?(?:load|open|come|c[ao]me|arrived?|get|got|make|made|go|gone|attach|upload|show|display|render|there|visible|reach)|(?:is|seems\s+to\s+be)\s+missing)",
    re.IGNORECASE,
)
"""A model that says it sees no picture, or names no people, declines to name what is on it."""


def read_choice(sample: VisualSample, reply: str) -> ParsedAnswer:
    """Status and choice of a generated reply to a multiple-choice prompt that was neither cut nor lost."""
    choice = stated_choice(reply, sample.choices)
    return ParsedAnswer(choice_status(reply, choice, sample.answer), choice, _how(sample, reply, choice))


def _how(sample: VisualSample, reply: str, choice: int | None) -> str:
    if choice is None:
        return ""
    return "digit" if paper_choice(reply, len(sample.choices)) == choice else "repaired"


def read_short_answer(sample: VisualSample, reply: str) -> ParsedAnswer:
    """Status of a name in the model's own words; none of the options named is `incorrect`.

    Several named, or no word at all (a digit, where no options were shown), is `invalid_format`: no answer was given.
    """
    own = (sample.labels[sample.answer], *sample.aliases)
    text = without_names(reply, sample.longer_names)
    named = [
        index
        for index, label in enumerate(sample.labels)
        if mentions(text, own if index == sample.answer else _outside(label, own, text))
    ]
    if len(named) > 1:
        return ParsedAnswer(Status.INVALID_FORMAT)
    if named:
        return _judged(sample, named[0], "name")
    if not any(letter.isalpha() for letter in reply):
        return ParsedAnswer(Status.INVALID_FORMAT)
    return ParsedAnswer(Status.REFUSED if is_blanket_decline(reply) else Status.INCORRECT)


def _outside(label: str, own: Iterable[str], text: str) -> list[str]:
    """The label, unless it is found only within one of the answer's own names."""
    return [label] if mentions(without_names(text, own), [label]) else []


def read_first_token(sample: VisualSample, logprobs: DigitLogprobs) -> ParsedAnswer:
    """The option whose digit is the likeliest first token; the lower digit where two are equally likely."""
    known = {index: logprobs[str(index)] for index in range(len(sample.choices)) if str(index) in logprobs}
    if not known:
        return ParsedAnswer(Status.MODEL_ERROR)
    return _judged(sample, max(known, key=lambda index: (known[index], -index)), "first_token")


def digit_logprobs(candidates: Iterable[tuple[str, float]], choices: int) -> dict[str, float]:
    """Log-probability of each digit from the first token's candidates; spellings of one digit (" 2") are added up."""
    found: dict[str, float] = {}
    for token, logprob in candidates:
        digit = token.replace("\N{LOWER ONE EIGHTH BLOCK}", "").replace("\u0120", "").strip()
        if digit in {str(index) for index in range(choices)} and not math.isnan(logprob):
            before = found.get(digit)
            found[digit] = logprob if before is None else _logaddexp(before, logprob)
    return found


def _logaddexp(one: float, other: float) -> float:
    high, low = max(one, other), min(one, other)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def _judged(sample: VisualSample, index: int, read_by: str) -> ParsedAnswer:
    return ParsedAnswer(Status.CORRECT if index == sample.answer else Status.INCORRECT, index, read_by)


def read_answer(sample: VisualSample, completion: Completion, logprobs: DigitLogprobs | None) -> ParsedAnswer:
    """Status and choice of what came back for a sample."""
    if sample.unsupported:
        return ParsedAnswer(Status.NOT_SENT)
    if sample.input_error:
        return ParsedAnswer(Status.INPUT_ERROR)
    lost = _status_without_reading(sample, completion)
    if lost is not None:
        return ParsedAnswer(lost)
    if sample.mode is Mode.FIRST_TOKEN:
        return read_first_token(sample, logprobs or {})
    if completion.finish_reason in (FinishReason.LENGTH, FinishReason.CONTEXT):
        return ParsedAnswer(Status.TRUNCATED)
    if not completion.has_text:
        return ParsedAnswer(Status.INVALID_FORMAT)
    read = read_short_answer if sample.probe is VisualProbe.SHORT_ANSWER else read_choice
    return read(sample, completion.reply)


_PICTURE_REFUSED = re.compile(
    r"(?:fail|invalid|corrupt|truncated|unsupported|malformed|unable|cannot|can['’]t|could\s+not|not\s+(?:a\s+)?valid)"
    r"[^.]{0,60}\b(?:image|picture)|\b(?:image|picture)\b[^.]{0,60}"
    r"(?:corrupt|truncated|unsupported|malformed|invalid|not\s+(?:a\s+)?(?:valid|supported)|could\s+not\s+be\s+(?:read|decoded|processed))",
    re.IGNORECASE,
)
"""How servers say that they could not read a picture: llama.cpp, vLLM, OpenAI, Anthropic, Google."""


def _status_without_reading(sample: VisualSample, completion: Completion) -> Status | None:
    """The status of a call of which nothing came back that could be read; None when something did."""
    if completion.finish_reason is FinishReason.ERROR and sample.image and _PICTURE_REFUSED.search(completion.error):
        return Status.INPUT_ERROR
    match completion.finish_reason:
        case FinishReason.ERROR:
            return Status.MODEL_ERROR
        case FinishReason.CONTENT_FILTER:
            return Status.POLICY_BLOCK
        case FinishReason.CONTEXT if not (completion.has_text or completion.output_tokens):
            return Status.NOT_SENT
        case _:
            return None


def raw_choice(sample: VisualSample, completion: Completion) -> int | None:
    """The option the paper's rule reads; None without text, and for a short answer, which has no options."""
    is_read = completion.has_text and not sample.input_error and not sample.unsupported
    if not is_read or sample.probe is VisualProbe.SHORT_ANSWER:
        return None
    return paper_choice(completion.reply, len(sample.choices))


def raw_verdict(sample: VisualSample, completion: Completion) -> bool | None:
    """Whether the paper's scorer calls the reply right: its first digit is the answer's; None without text.

    A short answer, which the paper does not ask for, has no digit: there it is whether the concept is named.
    """
    if not completion.has_text or sample.input_error or sample.unsupported:
        return None
    if sample.probe is VisualProbe.SHORT_ANSWER:
        return read_short_answer(sample, completion.reply).status is Status.CORRECT
    return raw_choice(sample, completion) == sample.answer
