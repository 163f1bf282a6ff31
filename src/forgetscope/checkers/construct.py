"""Replies that follow, or break, given instructions by construction; for reference models and tests. Deterministic."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from forgetscope.checkers.base import Behaviour
from forgetscope.checkers.filler import ENGLISH, FOREIGN, NAMES, SHORT_SENTENCES, cut_short, with_line
from forgetscope.checkers.loose import loose_variants
from forgetscope.checkers.registry import CONSTRAINTS
from forgetscope.checkers.wishes import Wishes
from forgetscope.core.errors import SettingError

BODY = "The answer is 42."
Instructions = Sequence[tuple[str, Mapping[str, object]]]


def satisfy(instruction_id: str, kwargs: Mapping[str, object], *, prompt: str, body: str = BODY) -> str:
    """A reply that follows one instruction and keeps `body` as far as the instruction allows.

    Raises:
        SettingError: No reply follows it ("less than 0 words", a request to be in a language without filler).
        UnknownNameError, DataError: As `check`.
    """
    reply = compose([(instruction_id, kwargs)], prompt=prompt, body=body)
    if reply is None:
        raise SettingError(f"no reply can be built that follows {instruction_id}", found=dict(kwargs))
    return reply


def compose(instructions: Instructions, *, prompt: str, body: str = BODY) -> str | None:
    """One reply in which all instructions hold, strictly and in both behaviours, or `None` when none was found.

    `body` stays readable: put in the case asked for, without commas or forbidden words, inside JSON or quotation
    marks; cut short only where the number of words demands it. `prompt` is the whole prompt the reply is for; no type
    of today needs more of it than its `kwargs` say.
    """
    del prompt
    wishes = gather(instructions)
    checks = [CONSTRAINTS[name].bind(kwargs) for name, kwargs in instructions]
    for reply in _attempts(wishes, body):
        if all(check(reply, behaviour).followed for check in checks for behaviour in Behaviour):
            return reply
    return None


def gather(instructions: Instructions) -> Wishes:
    """What all constraints of one prompt ask for.

    Raises:
        UnknownNameError, DataError: As `check`.
    """
    wishes = Wishes()
    for name, kwargs in instructions:
        CONSTRAINTS[name].wish(CONSTRAINTS[name].read(kwargs), wishes)
    return wishes


def _attempts(wishes: Wishes, body: str) -> Iterator[str]:
    """Replies to try, plainest first: with more or other filler, the body as it is, in lowercase, cut short."""
    fillers = [text for text in ENGLISH if _is_usable(text, wishes)] or [""]
    sentences = [text for text in SHORT_SENTENCES if _is_usable(text, wishes)] or [""]
    bodies = list(dict.fromkeys([body, body.lower(), *(" ".join(body.split()[:size]) for size in (20, 8, 3, 1))]))
    if wishes.language not in (None, "en"):
        fillers = [FOREIGN[wishes.language]] if wishes.language in FOREIGN else []
    seen: set[str] = set()
    for text, pads, filler, sentence in product(bodies, (0, 1, 3, 9), fillers, sentences[:2]):
        reply = _build(wishes, text, filler, pads, sentence)
        if reply.strip() and reply not in seen:
            seen.add(reply)
            yield reply


def _is_usable(text: str, wishes: Wishes) -> bool:
    lowered = text.lower()
    has_word = any(re.search(re.escape(word), lowered, re.IGNORECASE) for word in wishes.avoided)
    limited = [letter for letter, bounds in wishes.letters.items() if bounds.limit is not None]
    return not has_word and not any(letter in lowered for letter in limited)


def _build(wishes: Wishes, body: str, filler: str, pads: int, sentence: str) -> str:
    """Lay out one reply: request, head (title, body, counted things), paragraphs or sections, postscript, end."""
    head = _head(wishes, body, filler, pads)
    tail = [f"{marker} {filler or 'ok'}" for marker in wishes.postscripts]
    if wishes.end_phrase is not None:
        tail.append(wishes.end_phrase)
    repeated = [wishes.repeat] if wishes.repeat is not None else []

    def assemble(extra: list[str]) -> str:
        return _wrapped(wishes, _laid_out(wishes, [*repeated, *head, *extra], filler, tail))

    extra = _padding(wishes, assemble([]), filler, sentence)
    return assemble(extra)


def _head(wishes: Wishes, body: str, filler: str, pads: int) -> list[str]:
    """Title, body and what is counted; no digits of ours, because the last number of a reply may be its answer."""
    lines = [*wishes.first_lines, _trimmed(wishes, body), *wishes.lines]
    for word, bounds in wishes.keywords.items():
        lines.append(" ".join([word] * bounds.low))
    if wishes.placeholders:
        lines.append(" ".join(f"[{NAMES[index % len(NAMES)]}]" for index in range(wishes.placeholders)))
    if wishes.highlights:
        lines.append("see " + " ".join(["*this*"] * wishes.highlights))
    lines.extend(["* point"] * (wishes.bullets or 0))
    if wishes.capital_words.low:
        lines.append(" ".join(["YES"] * wishes.capital_words.low))
    lines.extend([filler] * pads)
    return [line for line in lines if line.strip()]


def _trimmed(wishes: Wishes, body: str) -> str:
    """The body without what the instructions exclude: marks that count, words and letters that are limited."""
    text = body.replace("***", "")
    if wishes.bullets is not None:
        text = re.sub(r"^\s*[*+-]+\s*", "", text, flags=re.MULTILINE)
    if wishes.parts is not None and not wishes.parts.divider.strip():
        text = re.sub(r"\n\s*\n", "\n", text)
    text = _without_unwanted(wishes, text)
    if wishes.sentences.limit is not None:
        text = re.sub(r"[.!?]+(?=\s)", ";", text).rstrip(".!?")
    for word in wishes.avoided:
        text = re.sub(re.escape(word), "", text, flags=re.IGNORECASE)
    for letter, bounds in wishes.letters.items():
        if bounds.limit is not None:
            text = re.sub(re.escape(letter), "", text, flags=re.IGNORECASE)
    return text


def _without_unwanted(wishes: Wishes, text: str) -> str:
    return "".join(character for character in text if character not in wishes.unwanted)


def _padding(wishes: Wishes, reply: str, filler: str, sentence: str) -> list[str]:
    """What a laid-out reply still lacks in letters, sentences and words."""
    extra = []
    for letter, bounds in wishes.letters.items():
        missing = bounds.low - reply.lower().count(letter)
        extra.append(" ".join([letter] * max(0, missing)))
    extra.append(" ".join([sentence] * wishes.sentences.low))
    have = len(re.findall(r"\w+", " ".join([reply, *extra])))
    missing_words = max(0, wishes.words.low - have)
    if missing_words:
        source = filler.split() or ["yes"]
        extra.append(" ".join(source[index % len(source)] for index in range(missing_words)))
    return [line for line in extra if line]


def _laid_out(wishes: Wishes, head: list[str], filler: str, tail: list[str]) -> str:
    """The head in its place among the paragraphs, sections or responses asked for, and the tail after the last."""
    part, parts, divider = filler or "more", ["\n".join(head)], "\n"
    if wishes.parts is not None:
        parts, divider = [*parts, *[part] * (wishes.parts.count - 1)], wishes.parts.divider
        if wishes.parts.opening is not None:
            nth, word = wishes.parts.opening
            parts[nth - 1] = f"{word} {parts[nth - 1]}"
    if wishes.sections is not None:
        word, count = wishes.sections
        parts[0] = "\n".join([f"{word} {n + 1}\n{part if n else parts[0]}" for n in range(count)] or [parts[0]])
    parts[-1] = "\n".join([parts[-1], *tail])
    return divider.join(parts)


def _wrapped(wishes: Wishes, text: str) -> str:
    """The whole text without what is unwanted, inside JSON or quotation marks, in the case asked for, and finished."""
    if wishes.repeat is None:
        text = _without_unwanted(wishes, text)
    if wishes.is_json and wishes.is_upper:
        text = text.replace("\n", " / ")  # an escaped newline holds a lowercase n
    if wishes.is_json:
        # A JSON text stands in double quotation marks and may end with any phrase: the form that goes with the rest.
        as_text = wishes.is_quoted or wishes.end_phrase is not None
        text = json.dumps(text if as_text else {"answer": text}, ensure_ascii=False)
    elif wishes.is_quoted:
        text = f'"{text}"'
    text = text.upper() if wishes.is_upper else text.lower() if wishes.is_lower else text
    for finish in wishes.finish:
        text = finish(text)
    return text


def violate(instruction_id: str, kwargs: Mapping[str, object], *, prompt: str, body: str = BODY) -> str:
    """A reply that breaks one instruction, strictly and loosely and in both behaviours, and keeps `body` if it can.

    Where every reply with text follows ("at least 1 sentence"), it is the empty reply, which never follows.

    Raises:
        UnknownNameError, DataError: As `check`.
    """
    del prompt
    check = CONSTRAINTS[instruction_id].bind(kwargs)
    for reply in _breaches(instruction_id, kwargs, body):
        variants = [variant for variant in loose_variants(reply) if variant.strip()]
        if variants and not any(check(variant, behaviour).followed for variant in variants for behaviour in Behaviour):
            return reply
    return ""


def _breaches(instruction_id: str, kwargs: Mapping[str, object], body: str) -> Iterator[str]:
    """Replies that may break it: the body alone, what its record says, a line more, another language, ever less."""
    constraint = CONSTRAINTS[instruction_id]
    yield f"Here it comes.\n\n{body}\n\nThat Was All."
    yield from constraint.breaches(constraint.read(kwargs), body)
    yield with_line(body, ENGLISH[0])
    yield "Das ist ein deutscher Satz und keine andere Sprache kommt darin vor, das ist doch klar.\n" * 3 + body
    yield from cut_short(body)
    yield re.sub(r"[\[\]*]", "", body)
    yield "ok"
    yield "7"
