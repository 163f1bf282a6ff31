"""Text under judgement, fenced: what a model wrote is shown to a judge as data, and cannot close its own fence.

A fence carries a code made from the text itself, so it cannot be guessed by who writes the text; lines that look like
a fence, and the control tokens of chat templates, are taken out and flagged. Attempts to talk the judge round stay in
the text (they are part of what is judged) and are flagged too.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

REMOVED = "[removed]"

_FENCE_LIKE = re.compile(r"^.*(?:<{3,}|>{3,}|={5,}|\[\[)\s*/?\s*(?:BEGIN|END)\b.*$", re.IGNORECASE | re.MULTILINE)
_CONTROL_TOKENS = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|\[/?INST\]|<</?SYS>>|</?s>|<(?:start|end)_of_turn>|<\s*/?\s*(?:system|assistant|user)\s*>",
    re.IGNORECASE,
)
_SUSPECT = {
    "addresses_judge": re.compile(
        r"\b(?:dear|hey|hello|note to|message (?:to|for)|attention)[,:]?\s+(?:the\s+)?"
        r"(?:judge|grader|evaluator|reviewer)\b"
        r"|\b(?:judge|grader|evaluator)s?\b[^.\n]{0,60}\b(?:must|should|please|are to|will)\b"
        r"|\b(?:grade|score|rate|mark|judge|evaluate)\s+(?:this|me|my|the)\b[^.\n]{0,60}"
        r"\b(?:correct|right|yes|true|pass|full|perfect|highest)\b",
        re.IGNORECASE,
    ),
    "overrides_instructions": re.compile(
        r"\b(?:ignore|disregard|forget|override|skip)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your|the)\b"
        r"[^.\n]{0,30}\b(?:instruction|rubric|criteria|guideline|rule|prompt|evaluation)s?\b"
        r"|\bnew (?:instruction|rubric|system prompt|task)s?\s*:",
        re.IGNORECASE,
    ),
    "imitates_verdict": re.compile(
        r"[\"'](?:verdict|follows|common|revised_only|original_only|leak)[\"']\s*:"
        r"|\b(?:final\s+)?(?:verdict|judg(?:e)?ment)\s*(?::|is)\s*\**\s*(?:yes|no|true|false|correct|pass)",
        re.IGNORECASE,
    ),
}


@dataclass(frozen=True)
class Fenced:
    """A text between its fences, and what was noticed in it."""

    block: str
    flags: tuple[str, ...]


def fence(label: str, text: str) -> Fenced:
    """The text between two lines that carry its code; imitations of fences and control tokens are taken out.

    >>> print(fence("reply", "Lisbon").block.splitlines()[1])
    Lisbon
    """
    flags: list[str] = []
    visible, hidden = _without_hidden(text)
    if hidden:
        flags.append("hidden_characters")
    cleaned, count = _FENCE_LIKE.subn(REMOVED, visible)
    if count:
        flags.append("imitates_fence")
    cleaned, count = _CONTROL_TOKENS.subn(REMOVED, cleaned)
    if count:
        flags.append("control_tokens")
    flags.extend(name for name, pattern in _SUSPECT.items() if pattern.search(cleaned))
    code = hashlib.sha256(f"{label}\0{text}".encode()).hexdigest()[:10]
    name = f"{label.upper()} {code}"
    return Fenced(f"<<<BEGIN {name}>>>\n{cleaned}\n<<<END {name}>>>", tuple(sorted(flags)))


def _without_hidden(text: str) -> tuple[str, bool]:
    """The text without format characters (zero width, direction overrides, tags), and whether it had any."""
    kept = "".join(
        character for character in text if unicodedata.category(character) not in ("Cf", "Co") or character == "\u200d"
    )
    return kept, kept != text
