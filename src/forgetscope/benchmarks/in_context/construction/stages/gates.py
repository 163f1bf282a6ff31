"""What a machine can tell about a built item: hard gates, which reject it with a reason, and warnings of style.

A hard gate is about meaning: an item that fails it would measure something else. The criteria of style and length in
appendix A are warnings, because the paper's own examples break them (protocols.md, section 1).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from forgetscope.benchmarks.in_context.construction.replies import Decomposition, DialogueAnswer, Guess, Target
from forgetscope.benchmarks.in_context.data.items import Fact, Neighbour, Turn
from forgetscope.benchmarks.in_context.scoring.forgetting import find_fact, recalls_all
from forgetscope.mentions.same_wording import folded, mentions


@dataclass(frozen=True)
class GateFinding:
    """A reason, which is counted, and what was found: why an item was rejected, or what to know about one."""

    reason: str
    detail: str = ""


_ASKS_TO_FORGET = re.compile(
    r"\b(?:forg[eo]t|disregard|ignore|erase|delete|drop|discard|scratch|strike|overlook|unlearn|set aside|wipe|remove"
    r"|never ?mind|take (?:that|it|this) back|don['’]t (?:remember|keep|use|bring up|mention|hold on to)"
    r"|do not (?:remember|keep|use|mention)|no longer|stop (?:remembering|using)|put (?:\w+ ){0,4}out of your mind"
    r"|(?:not|never) (?:really|actually)|actually,? (?:i|we|my|it)|i made (?:that|it) up"
    r"|that was(?:n['’]t| not)|was wrong|misspoke|i lied)\b",
    re.IGNORECASE,
)
_SPEAKS_OF_FORGETTING = re.compile(r"\b(?:forg[eo]t\w*|disregard\w*|erased?|deleted?|ignored?)\b", re.IGNORECASE)
_MEMORY_CUE = re.compile(
    r"\b(?:before|earlier|previous(?:ly)?|mentioned|told you|said|remember|just now|at the start|so far)\b",
    re.IGNORECASE,
)


def has_memory_cue(query: str) -> bool:
    """Whether a query says "before", "earlier", "you mentioned" or the like (appendix A.1)."""
    return bool(_MEMORY_CUE.search(query))


def check_request(request: str, query: str) -> GateFinding | None:
    """Whether the request asks to forget, and the query can be asked with and without it."""
    if folded(request) == folded(query):
        return GateFinding("request and query are the same", request)
    if not _ASKS_TO_FORGET.search(request):
        return GateFinding("does not ask to forget", request)
    if _SPEAKS_OF_FORGETTING.search(query):
        # Without the request in between, the NoForget form would make no sense.
        return GateFinding("the query speaks of forgetting", query)
    return None


def unverifiable(facts: Iterable[Fact], turns: Sequence[Turn], query: str) -> str:
    """Why the facts cannot be used to score by rule; empty where they can.

    Every value must stand in M, and no wording that counts as recall may stand in the query.
    """
    said = "\n".join(turn.content for turn in turns)
    for fact in facts:
        if not mentions(said, fact.value):
            return f"not in the dialogue: {fact.value}"
        for wording in (fact.value, *fact.aliases, *fact.paraphrases):
            if mentions(query, wording):
                return f"in the query: {wording}"
    return ""


def usable_neighbour(neighbour: Neighbour, facts: Sequence[Fact], turns: Sequence[Turn]) -> str:
    """Why a neighbour question cannot be used; empty where it can: its answers stand in M and are no fact."""
    said = "\n".join(turn.content for turn in turns)
    for answer in neighbour.answers:
        if not mentions(said, answer):
            return f"answer not in the dialogue: {answer}"
        if mentions(neighbour.query, answer):
            return f"answer in its own question: {answer}"
        if any(find_fact(answer, fact).leak.recalls or mentions(fact.value, answer) for fact in facts):
            return f"answer is what is to be forgotten: {answer}"
    return ""


def usable_reask(reask: str, facts: Sequence[Fact]) -> str:
    """Why the question put again cannot be used; empty where it can: it gives nothing away."""
    return next((f"gives it away: {reask}" for fact in facts if find_fact(reask, fact).leak.recalls), "")


def quoted_from(turns: Sequence[Turn], quote: str) -> Turn | None:
    """The first turn that holds a quotation, whatever its case and spacing; None where none does."""
    words = folded(quote).strip(" .!?\"'“”")
    return next((turn for turn in turns if words and f" {words} " in f" {folded(turn.content)} "), None)


def check_recall(answer: DialogueAnswer, facts: Sequence[Fact], turns: Sequence[Turn]) -> GateFinding | None:
    """Whether a reader found the answer in M: all facts where there are some, else words that do stand there."""
    if not answer.answerable:
        return GateFinding("not answerable from the dialogue", answer.answer)
    if facts:
        return None if recalls_all(answer.answer, facts) else GateFinding("answered otherwise", answer.answer)
    if quoted_from(turns, answer.evidence) is None:
        return GateFinding("the evidence is not in the dialogue", answer.evidence)
    return None


def check_target(
    target: Target, facts: Sequence[Fact], turns: Sequence[Turn], recalled: DialogueAnswer
) -> GateFinding | None:
    """Whether a reader of the request alone found the piece that the query needs."""
    if not target.named:
        return GateFinding("does not say what to forget", target.piece)
    if facts:
        found = any(find_fact(target.piece, fact).leak.recalls for fact in facts)
        return None if found else GateFinding("names another piece", target.piece)
    if quoted_from(turns, target.piece) is None:
        return GateFinding("the piece is not in the dialogue", target.piece)
    if not content_words(target.piece) & (content_words(recalled.answer) | content_words(recalled.evidence)):
        return GateFinding("names another piece", target.piece)
    return None


def check_closed_book(guess: Guess, facts: Sequence[Fact]) -> GateFinding | None:
    """Whether the query can be answered without M; where there are facts, only a right answer counts as one."""
    answered = recalls_all(guess.answer, facts) if facts else guess.answerable
    return GateFinding("answerable without the dialogue", guess.answer) if answered else None


_WORD = re.compile(r"[^\W_]{4,}")


def content_words(text: str) -> frozenset[str]:
    """Words of four letters or more, in lower case."""
    return frozenset(_WORD.findall(text.casefold()))


_OTHER_VERSION = re.compile(
    r"\b(?:original|modified|revised|previous|earlier|first) (?:instruction|version|prompt|request)\b"
    r"|\binstead of the (?:original|previous)\b",
    re.IGNORECASE,
)


LEAST_KEPT = 0.25
"""Share of the original's content words that a revision of a part must still have: far below any real one."""


def check_revision(original: str, revised: str) -> GateFinding | None:
    """Whether the revision is another whole instruction in the same script that does not speak of its original."""
    if folded(original) == folded(revised):
        return GateFinding("unchanged", revised)
    spoken = _OTHER_VERSION.search(revised)
    if spoken and not _OTHER_VERSION.search(original):
        return GateFinding("speaks of another version", spoken.group())
    if _script(original) != _script(revised):
        return GateFinding("in another script", f"{_script(revised)} for {_script(original)}")
    words = content_words(original)
    kept = len(words & content_words(revised))
    if words and kept < LEAST_KEPT * len(words):
        return GateFinding("keeps too little of the original", f"{kept} of {len(words)} words: {revised}")
    return None


def _script(text: str) -> str:
    """The script most letters are of, by the first word of their Unicode names: LATIN, CJK, ..."""
    names = Counter(unicodedata.name(letter, "OTHER").split()[0] for letter in text if letter.isalpha())
    return names.most_common(1)[0][0] if names else ""


_LISTED = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s", re.MULTILINE)


def revision_warnings(original: str, revised: str) -> list[GateFinding]:
    """What appendix A.2 asks of a revision beyond its meaning."""
    warnings = []
    listed = len(_LISTED.findall(revised)), len(_LISTED.findall(original))
    if listed[0] > listed[1] + 1:
        warnings.append(GateFinding("lists its subtasks", f"{listed[0]} lines for {listed[1]}"))
    if not 0.5 <= len(revised) / len(original) <= 2:
        warnings.append(GateFinding("of another length", f"{len(revised)} characters for {len(original)}"))
    return warnings


def check_decomposition(parts: Decomposition) -> GateFinding | None:
    """Whether the revised instruction asks for something and differs in a subtask, and no subtask is in two groups."""
    if not (parts.original_special_subtasks or parts.modified_special_subtasks):
        return GateFinding("no subtask differs")
    if not (parts.common_subtasks or parts.modified_special_subtasks):
        return GateFinding("the revised instruction has no subtask")
    groups = (parts.common_subtasks, parts.original_special_subtasks, parts.modified_special_subtasks)
    seen: set[str] = set()
    for group in groups:
        subtasks = {folded(subtask) for subtask in group}
        if subtasks & seen:
            return GateFinding("a subtask in two groups", ", ".join(sorted(subtasks & seen)))
        seen |= subtasks
    return None


_REASONING = re.compile(r"\b(?:because|therefore|since|thus|hence|so|as a result|due to|in order to)\b", re.IGNORECASE)
_HEDGING = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|could|somewhat|sort of|kind of|tend to|usually|sometimes|i guess)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|I['’](?:m|d|ve|ll)|my|me|mine|myself|we|our)\b", re.IGNORECASE)
_PREFIX = re.compile(
    r"^\W*(?:(?:new|rewritten|restated|revised) )?(?:preference|statement|sentence)\b.{0,12}:", re.IGNORECASE
)
LENGTH_TOLERANCE = 5
"""Characters (appendix A.3, rule 8)."""


def restatement_warnings(original: str, restated: str) -> list[GateFinding]:
    """What appendix A.3 asks of a restated preference beyond its meaning.

    Reasoning and hedging words count only where the original, whose structure is to be kept, has none.
    """
    found = {
        "not in the first person": not _FIRST_PERSON.search(restated),
        "another opening": folded(original).split()[:2] != folded(restated).split()[:2],
        "not one sentence": len(re.findall(r"[.!?](?=\s|$)", restated)) > 1,
        "gives a reason": bool(_REASONING.search(restated)) and not _REASONING.search(original),
        "hedges": bool(_HEDGING.search(restated)) and not _HEDGING.search(original),
        "has an introduction": bool(_PREFIX.search(restated)),
        f"not within {LENGTH_TOLERANCE} characters": abs(len(restated) - len(original)) > LENGTH_TOLERANCE,
    }
    return [GateFinding(warning, restated) for warning, holds in found.items() if holds]


def check_restatement(original: str, restated: str) -> GateFinding | None:
    """Whether the restated preference is another one."""
    return GateFinding("the same preference", restated) if folded(original) == folded(restated) else None


def check_expression(turns: Sequence[Turn], options: Sequence[str]) -> GateFinding | None:
    """Whether a written conversation leaves the options of the question unsaid: copying one would be no preference."""
    said = "\n".join(turn.content for turn in turns)
    for option in options:
        if mentions(said, option.rstrip(" .")):
            return GateFinding("says an option of the question", option)
    return None
