"""Whether a sentence gives another answer than the accepted names: "Venus is the closest planet, then Mercury".

The other answer stands at the head of the sentence: a name, or in a text of one case a few words, that is not in the
question, and of which the sentence says what was asked for.
"""

import re

from forgetscope.benchmarks.prospective.loads.reading.names import FILLER, is_one_case, words_of

_LEAD = re.compile(
    r"^\W*(?:(?:i\s+(?:think|believe|guess|would\s+say|am\s+\w+\s+it)|it|that|this|he|she|they|answer|of\s+course|well|sure|yes|so|hmm+|oh|ah)"
    r"(?:['’]s|\s+(?:is|was|are|were|would\s+be|must\s+be))?(?:\s+(?:from|by|called|named|in|on))?[\s,:]+)*(?:the\s+|a\s+|an\s+)?[\"“'‘(*]*",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z][\w.-]*(?:(?:\s+(?:of|the|de|van|von|da|di|and\s+the))*\s+[A-Z][\w.-]*)*")
_WORDS = re.compile(
    r"[^\W_][\w.-]*(?:\s+[^\W_][\w.-]*){0,3}?(?=\s*(?:[,;(]|$)|\s+(?:is|was|are|were|has|did|made|wrote|invented)\b)",
    re.I,
)
_NAMED_NOUN = re.compile(_NAME.pattern + r"(?:\s[a-z]+){1,2}(?=,)")
_APPOSED = re.compile(r"[\w-]+(?:\s[\w-]+){0,2}(?=,)")
_NO_NAME = frozenset(
    re.findall(
        r"\S+",
        "i it he she they we you this that there here these those my your his her its our their one who what "
        "which when where why how in on at by during while although though since because after before "
        "according from for with as and but or so if then also another other some many most all both no not "
        "yes sure okay ok well hello hi dear great good thank thanks please hmm oh ah p.s p.s. ps however "
        "first second today question answer let here's it's that's sorry unfortunately interesting fun built "
        "born known named called released written of to response section title note without no ",
    )
)
_ENDS = re.compile(r"^[\"”'’)*]*\s*(?:$|[,;(.!]|[–—]|\s-\s)")
_IS_THE = re.compile(
    r"^[\"”'’)*]*\s+(?:is|was|are|were)\s+(?:the|a|an|first|second|number|my|usually|generally|widely|often|considered)\b",
    re.I,
)
_DID_IT = re.compile(r"^\s+(?:\w+\s+)?\w+\s+(?:it|them|this|that)\b(?!\s+\w+ed\b)", re.IGNORECASE)
_DESCRIBES = re.compile(r"\b[A-Z]\w+(?:ish|ian|ean|ese|can|ch|man)(?:\s[a-z-]+){1,3}\s[\"'“*]*$")
"""A name may be described before it stands: "the British band Queen"."""
_OWNS = re.compile(r"^['’]s?\b")


def gives_another(sentence: str, asked: set[str], taken: int) -> tuple[int, bool] | None:
    """Where another answer ends, and whether it holds for the whole reply; None where the sentence gives none.

    Args:
        asked: The words of the question, fillers left out.
        taken: Where the first accepted name of the sentence stands.
    """
    begin = sentence.rfind(": ") + 1
    end = _head(sentence[begin:], asked)
    if end is None or begin + end > taken or _DESCRIBES.search(sentence[:taken], begin):
        return None
    rest = sentence[begin + end :]
    shared = {_stem(word) for word, _, _ in words_of(rest)} & {_stem(word) for word in asked}
    verb = re.match(r"\s+(\w{4,})", rest)
    if _OWNS.match(rest):
        decides = not re.search(r"\w", _OWNS.sub("", rest))
        return (begin + end, True) if decides else None
    if _IS_THE.match(rest):
        return begin + end, bool(shared)
    if _ENDS.match(rest):
        is_given = re.match(r"\W*(?:it|that)(?:['’]s|\s+(?:is|was))\s", sentence, re.IGNORECASE) is not None
        return begin + end, is_given or not re.search(r"\w", rest) or len(shared) >= 2
    decides = _DID_IT.match(rest) is not None or len(shared) >= 2 or (verb is not None and _stem(verb[1]) in shared)
    return (begin + end, True) if decides else None


def _head(sentence: str, asked: set[str]) -> int | None:
    """Where the name ends that a sentence begins with; None where it begins otherwise, or with the question's words."""
    lead = _LEAD.match(sentence)
    start = lead.end() if lead else 0
    patterns = (_WORDS,) if is_one_case(sentence) else (_NAMED_NOUN, _NAME, _APPOSED)
    for pattern in patterns:
        found = pattern.match(sentence, start)
        words = [word for word, _, _ in words_of(found[0])] if found else []
        if not words or (pattern in (_NAMED_NOUN, _APPOSED) and FILLER & set(words)):
            continue
        own = set(words) - FILLER
        is_name = own and not own <= asked and words[0] not in _NO_NAME and not words[0].endswith("ly")
        return found.end() if found and is_name else None
    return None


def _stem(word: str) -> str:
    return word[:5]
