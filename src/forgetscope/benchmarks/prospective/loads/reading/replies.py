"""What is not the model's answer in a reply (a repeated prompt, JSON round the text, a postscript), for all scorers.

Every load has two scorers side by side, the paper's and a repaired one (paper, appendix B.3). The paper reads an answer
from anywhere in the reply: the last number, the first lone letter, an alias inside any word. A reply that also carries
a formatted original task trips these rules for reasons that have nothing to do with arithmetic or knowledge. The
repaired scorers look for the answer where it is given. Both verdicts are kept: the part of a published effect that is a
parser artefact is a finding.
"""

import re
from collections.abc import Iterator

from forgetscope.core.json_values import json_value

LINE_START = r"^(?:[^\S\n]|[*#>\"'_-])*+"
"""Blanks and marks before a label. Within the line, and possessive: a reply may be a megabyte of line ends."""

_POSTSCRIPT = re.compile(r"\n[^\S\n]*+\**+P\.?[^\S\n]?(?:P\.?[^\S\n]?)?S\b.*", re.IGNORECASE | re.DOTALL)
ECHO_WORDS = 8
"""A run of prompt lines in the reply counts as an echo when a line has at least this many words."""


def without_echo(reply: str, prompt: str) -> str:
    """The reply without lines of the prompt it repeats word for word (in any case), as repeat_prompt asks.

    Option lines ("A. Paris") are removed too when at least two of them are repeated.
    """
    lines = {line.strip().casefold() for line in prompt.splitlines() if line.strip()}
    long_lines = {line for line in lines if len(line.split()) >= ECHO_WORDS}
    options = {line for line in lines if re.match(r"[a-d]\. ", line)}
    kept = reply.splitlines()
    repeated = sum(line.strip().casefold() in options for line in kept)
    echoed = long_lines | options if repeated >= 2 else long_lines
    kept = [line for line in kept if line.strip().casefold() not in echoed]
    text = "\n".join(kept)
    whole = prompt.strip()
    return text if not whole else text.replace(whole, " ")


_NEXT_QUESTION = re.compile(
    rf"{LINE_START}(?:next[^\S\n]+)?(?:question|q|human|user)(?:[^\S\n]*\d+)?\**:\**[^\S\n]*(?P<told>[^\n]+)",
    re.IGNORECASE | re.MULTILINE,
)


SAME_QUESTION = 0.8
"""Share of the words of two questions in common from which one is the other, echoed."""


def before_next_question(reply: str, question: str) -> str:
    r"""The reply up to a line that puts another question, as models go on that were only trained to continue text.

    >>> before_next_question("Paris\n\nQuestion: Who wrote Emma?\nAnswer: Austen", "What is the capital of France?")
    'Paris'
    """
    own = {*re.findall(r"\w+", question.casefold())}
    for found in _NEXT_QUESTION.finditer(reply):
        told = {*re.findall(r"\w+", found["told"].casefold())}
        is_echo = told <= own or len(own & told) >= SAME_QUESTION * len(own | told)
        if own and reply[: found.start()].strip() and not is_echo:
            return reply[: found.start()].rstrip()
    return reply


_FENCE = "```"


def without_json(reply: str) -> str:
    """The text inside a reply that is one JSON value, a line for each key; any other reply as it is.

    >>> without_json('{"answer": "B", "steps": ["one", 2]}')
    'answer: B\\nsteps:\\none\\n2'
    """
    found = fenced_json(reply)
    return reply if found is None else "\n".join(_leaves(found))


_FENCED = re.compile(r"```(?:json)?[^\S\n]*+\n([^`]*+)```", re.IGNORECASE)


def fenced_json(reply: str) -> object | None:
    """The JSON object or list a reply consists of, or brings in a code fence; None where there is none."""
    text = reply.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) >= 2 * len(_FENCE):
        text = text[len(_FENCE) : -len(_FENCE)]
        text = (text[4:] if text[:4].lower() == "json" else text).strip()
    elif fenced := _FENCED.search(text):
        text = fenced[1].strip()
    if not text.startswith(("{", "[")):
        return None
    try:
        return json_value(text)
    except ValueError:  # no JSON, a number of thousands of digits, nested too deeply
        return None


def json_leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every value of a JSON value with the keys that lead to it."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from json_leaves(inner, (*path, str(key)))
        case list():
            for inner in value:
                yield from json_leaves(inner, path)
        case None | bool():
            return
        case _:
            yield path, value


def _leaves(value: object) -> Iterator[str]:
    match value:
        case dict():
            for key, inner in value.items():
                text = "\n".join(_leaves(inner))
                yield f"{key}:\n{text}" if "\n" in text else f"{key}: {text}"
        case list():
            for inner in value:
                yield from _leaves(inner)
        case _:
            yield str(value)


def without_postscript(reply: str) -> str:
    """The reply up to a postscript, whose numbers are no answer."""
    return _POSTSCRIPT.sub("", reply)
