"""How a failing reply failed: the paper's five mechanisms (appendix F), by rule where a rule can tell.

The paper sorted 187 failures by hand. A rule needs evidence it can state; what no rule can tell stays
`unclassified`, for a person. The rules work on two sections of the reply: the part that answers the original task
and the part that answers the load, told apart by their words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from forgetscope.benchmarks.prospective.data.items import ProspectiveSample
from forgetscope.checkers import CONSTRAINTS, Category, PromptVerdict, Verdict, check


class Mechanism(StrEnum):
    """Appendix F, Table 10."""

    DOMAIN_SHIFT = "domain_shift"
    """Held in the original task, dropped at the transition to the load; or a rule of the load's domain won."""
    STRUCTURAL_ABANDON = "structural_abandon"
    """The format was kept for the first section and replaced in the second."""
    TERMINAL_OMISSION = "terminal_omission"
    """The required ending was written, and writing went on."""
    SPATIAL_COMPARTMENTALISATION = "spatial_compartmentalisation"
    """A constraint on the whole reply was applied to one section only."""
    CONTENT_LENGTH = "content_length"
    """Required elements are missing, or the length is not met."""
    UNCLASSIFIED = "unclassified"

    @property
    def words(self) -> str:
        """Its name for readers."""
        return "content or length" if self is Mechanism.CONTENT_LENGTH else self.value.replace("_", " ")


@dataclass(frozen=True)
class Failure:
    """A mechanism and the evidence it was read from."""

    mechanism: Mechanism
    evidence: str


MOSTLY = 0.8
"""A case kept on at least this share of letters (or sentence beginnings) slipped, rather than was ignored. Appendix
F.1's example keeps 95.1% of its letters."""

CASE_TYPES = frozenset({"change_case:english_capital", "change_case:english_lowercase"})
CONTENT_TYPES = frozenset({"keywords:existence", "length_constraints:number_words"})


def classify_failure(sample: ProspectiveSample, reply: str, verdict: PromptVerdict) -> Failure | None:
    """The mechanism of the first broken constraint, with evidence; None where there is no load to blame."""
    if sample.content is None or sample.experiment != "load":
        return None
    index = next(position for position, entry in enumerate(verdict.strict) if not entry.followed)
    instruction, kwargs = sample.instruction_types[index], sample.kwargs[index]
    broken = verdict.strict[index]
    original, load = split_sections(reply, sample) if sample.original_task else ("", reply)
    category = CONSTRAINTS[instruction].category

    def holds(text: str) -> bool:
        return bool(text.strip()) and check(instruction, kwargs, text).followed

    phrase = kwargs.get("end_phrase") or kwargs.get("postscript_marker")
    if category is Category.TERMINAL and phrase:
        return _terminal(str(phrase), reply, broken)
    if instruction in CASE_TYPES:
        return _case(instruction, original, load, holds(original), broken)
    if instruction == "startend:quotation":
        return _quotation(reply, broken)
    if instruction in CONTENT_TYPES:
        return Failure(Mechanism.CONTENT_LENGTH, broken.reason)
    if original and load and holds(original):
        if category in (Category.AVOIDANCE, Category.KEYWORD):
            return Failure(Mechanism.DOMAIN_SHIFT, f"held in the original task; {broken.reason} in the load's part")
        return Failure(Mechanism.STRUCTURAL_ABANDON, f"held in the original task; {broken.reason} in the whole reply")
    if original and load and holds(load):
        return Failure(Mechanism.SPATIAL_COMPARTMENTALISATION, f"held in the load's part only; {broken.reason}")
    if category is Category.COUNTING and _is_short_of(broken):
        return Failure(Mechanism.CONTENT_LENGTH, broken.reason)
    return Failure(Mechanism.UNCLASSIFIED, broken.reason)


def _terminal(phrase: str, reply: str, broken: Verdict) -> Failure:
    found = reply.casefold().rfind(phrase.casefold())
    after = len(reply[found + len(phrase) :].split()) if found >= 0 else 0
    if found >= 0 and after:
        return Failure(Mechanism.TERMINAL_OMISSION, f"{phrase!r} was written, and {after} words follow")
    if found < 0:
        return Failure(Mechanism.CONTENT_LENGTH, f"{phrase!r} was never written")
    return Failure(Mechanism.UNCLASSIFIED, broken.reason)


_SENTENCE_START = re.compile(r"(?:^|[.!?]\s|\n)[\s*#>\"'(\d.)-]{0,40}([A-Za-z])")


def _case(instruction: str, original: str, load: str, held_before: bool, broken: Verdict) -> Failure:
    if held_before and load.strip():
        return Failure(Mechanism.DOMAIN_SHIFT, f"held in the original task; {broken.reason} in the whole reply")
    text = original + load
    if instruction == "change_case:english_capital":
        letters = [character for character in text if character.isalpha()]
        what = "letters lowercase"
    else:
        # Ordinary prose is 97% lowercase letters, so a slip shows in how sentences begin, not in letters.
        letters = _SENTENCE_START.findall(text)
        what = "sentences begin with a capital"
    wrong = sum(
        letter.islower() if instruction == "change_case:english_capital" else letter.isupper() for letter in letters
    )
    if letters and wrong / len(letters) <= 1 - MOSTLY:
        return Failure(Mechanism.DOMAIN_SHIFT, f"{wrong} of {len(letters)} {what}; {broken.reason}")
    return Failure(Mechanism.UNCLASSIFIED, broken.reason)


def _quotation(reply: str, broken: Verdict) -> Failure:
    paragraphs = [paragraph.strip() for paragraph in reply.split("\n\n") if paragraph.strip()]
    quoted = sum(paragraph.startswith('"') and paragraph.endswith('"') for paragraph in paragraphs)
    if quoted:
        return Failure(
            Mechanism.SPATIAL_COMPARTMENTALISATION, f"{quoted} of {len(paragraphs)} paragraphs quoted, not the whole"
        )
    if reply.strip().startswith('"'):
        return Failure(Mechanism.SPATIAL_COMPARTMENTALISATION, "opens with a quotation mark that does not close it")
    return Failure(Mechanism.UNCLASSIFIED, broken.reason)


_SHORT_OF = re.compile(r"^(\d+) .*?(\d+) asked")


def _is_short_of(broken: Verdict) -> bool:
    """Whether the reason says that fewer were given than asked."""
    match = _SHORT_OF.match(broken.reason)
    return match is not None and int(match.group(1)) < int(match.group(2))


_WORD = re.compile(r"[a-z0-9]{3,}")
_TRANSITION = re.compile(
    r"^[\s*#>\"_-]*(?:also\b|now\b|next\b|as for\b|regarding\b|for the (?:math|task|question|second|following)|"
    r"(?:problem|question|answer|solution|summary|task)\b|to (?:solve|answer|find|summari[sz]e)\b)",
    re.IGNORECASE,
)


def split_sections(reply: str, sample: ProspectiveSample) -> tuple[str, str]:
    """The part of the reply that answers the original task, and the part that answers the load.

    The boundary is the paragraph break that best parts words of the load from words of the original prompt; a
    paragraph that opens like a transition counts for the load. All in one part when no break separates them.
    """
    if sample.content is None:
        return reply, ""
    blocks = list(_blocks(reply))
    if len(blocks) < 2:
        return reply, ""
    golds = " ".join(gold[0] for gold in sample.content.golds)
    load_words = set(_WORD.findall(f"{sample.content.text} {golds}".casefold()))
    own_words = set(_WORD.findall(sample.original_prompt.casefold()))
    leanings = [_leaning(text, load_words - own_words, own_words - load_words) for _, text in blocks]
    total = sum(leanings)
    best, boundary, running = 0.0, len(reply), 0.0
    for (start, _), leaning in zip(blocks, leanings, strict=True):
        # Everything before `start` is the original task's, everything from it the load's.
        separation = (total - running) - running
        if start > 0 and separation > best:
            best, boundary = separation, start
        running += leaning
    return reply[:boundary], reply[boundary:]


def _blocks(reply: str) -> Sequence[tuple[int, str]]:
    """Paragraphs with their offsets."""
    return [(match.start(), match.group()) for match in re.finditer(r"(?:[^\n]+\n?)+", reply)]


def _leaning(text: str, load_words: set[str], own_words: set[str]) -> float:
    """Positive when a paragraph speaks of the load, negative when of the original task."""
    words = _WORD.findall(text.casefold())
    score = sum(word in load_words for word in words) - sum(word in own_words for word in words)
    return score + (3 if _TRANSITION.match(text) else 0)
