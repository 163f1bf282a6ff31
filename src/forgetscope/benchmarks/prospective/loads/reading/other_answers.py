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
_NO_NAME = frozenset(
    re.findall(
        r"\S+",
        "i it he she they we you this that there here these those my your his her its our their one who what "
        "which when where why how in on at by during while although though since because after before "
        "according from for with as and but or so if then also another other some many most all both no not "
        "yes sure okay ok well hello hi dear great good thank thanks please hmm oh ah p.s p.s. ps however "
        "first second today question answer let here's it's that's sorry unfortunately interesting fun built "
        "born known named called released written of to response section title note ",
    )
)
_ENDS = re.compile(r"^[\"”'’)*]*\s*(?:$|[,;(.!]|[–—]|\s-\s)")
_IS_THE = re.compile(
    r"^[\"”'’)*]*\s+(?:is|was|are|were)\s+(?:the|a|an|first|second|number|my|usually|generally|widely|often|considered)\b",
    re.I,
)
_DID_IT = re.compile(r"^\s+(?:\w+\s+)?\w+\s+(?:it|them|this|that)\b(?!\s+\w+ed\b)", re.IGNORECASE)
_OWNS = re.compile(r"^['’]s?\b")


def gives_another(sentence: str, asked: set[str], taken: int) -> tuple[int, bool] | None:
    """Where another answer ends, and whether it holds for the whole reply; None where the sentence gives none.

    Args:
        asked: The words of the question, fillers left out.
        taken: Where the first accepted name of the sentence stands.
    """
    lead = _LEAD.match(sentence)
    start = lead.end() if lead else 0
    found = (_WORDS if is_one_case(sentence) else _NAME).match(sentence, start)
    if found is None or found.end() > taken:
        return None
    words = [word for word, _, _ in words_of(found[0])]
    own = [word for word in words if word not in FILLER]
    if not own or set(own) <= asked or words[0] in _NO_NAME or words[0].endswith("ly"):
        return None
    rest = sentence[found.end() :]
    shared = {_stem(word) for word, _, _ in words_of(rest)} & {_stem(word) for word in asked}
    if _OWNS.match(rest):
        after = _OWNS.sub("", rest)
        return None if re.search(r"\w", after) else (found.end(), True)
    if _DID_IT.match(rest):
        return found.end(), True
    if _IS_THE.match(rest):
        return found.end(), len(shared) >= 1
    if _ENDS.match(rest):
        return found.end(), not re.search(r"\w", rest) or len(shared) >= 2
    return (found.end(), True) if len(shared) >= 2 else None


def _stem(word: str) -> str:
    return word[:5]
