"""The repaired reading of a multiple-choice reply: which option it chooses, as a careful reader would say.

How an option is mentioned decides: as the final answer (boxed, under a key of JSON), before chosen ("the answer is 1",
a clause that says nothing else), before shown ("it is a dog"), before possible, before merely mentioned. What is denied
("not 0", "2 is wrong", "I cannot select the dog") is not chosen. Two options of one rank are no choice, unless the
reply takes the first one back ("no wait", "but I choose"); neither is a number that contradicts the words beside it
("2) dog", "2. The image shows a dog.") or that is no option.
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from forgetscope.benchmarks.visual.scoring.option_marks import (
    BOTH,
    FINAL,
    MARK,
    NO_OPTION,
    SEVERAL,
    TEXT,
    WORD,
    marked_reply,
    option_of,
)


class Rank(IntEnum):
    """How an option is mentioned; the highest wins."""

    DENIED = 0
    MENTIONED = 1
    POSSIBLE = 2
    SHOWN = 3
    CHOSEN = 4
    FINAL = 5


def stated_choice(reply: str, choices: Sequence[str]) -> int | None:
    """The index from 0 of the option that a reply chooses; None where it chooses none, or several.

    >>> stated_choice("I see 2 animals. 1", ("horse", "dog", "cat"))
    1
    >>> stated_choice("Not a horse: it's a dog!", ("horse", "dog", "cat"))
    1
    >>> stated_choice("0 or 1", ("horse", "dog", "cat")), stated_choice("2) dog", ("horse", "dog", "cat"))
    (None, None)
    """
    alone = reply.strip()
    if len(alone) == 1 and alone.isdecimal() and int(alone) < len(choices):  # as it was asked for: most replies
        return int(alone)
    marked = marked_reply(reply, choices).lower()
    return _decided([found for sentence in _sentences(marked) for found in _mentions(sentence)], marked)


_STOP = re.compile(r"(?<=[.!?])(?=\s|$)|(?<=[。！？])")
_WRONG = (
    rf"(?:not(?!\s+(?:(?:the|an?)\s+)?{MARK})|cannot|\w*n't|wrong|incorrect|false|no|unlikely|unlearned|forgotten|erased|removed|forbidden|restricted"
    r"|prohibited|banned|listed|on the list|off.limits|excluded|eliminated|ruled out|out)\b"
)
_RIGHT = (
    r"(?:(?:clearly|definitely|the|my|most|likely|probably|indeed)\s+)*"
    r"(?:yes|correct|right|true|best|answer|choice|final|remains|match(?:es)?|fits?|likely|suitable|accurate|appropriate)\b"
)
_WRONG_AFTER = re.compile(
    rf"{MARK}[\s\"'):(–—→>-]{{0,5}}(?:(?:class|option|one|answer|itself)\W+)?(?:(?:is|are|was|were|ha[sv]e?|had|does|do|can|could|would|should|must"
    rf"|may|seems?)\b[^,;.{MARK[1:]}{{0,30}}?\b)?{_WRONG}"
)
_RIGHT_AFTER = re.compile(rf"{MARK}[\s\"'):(,–—-]{{0,6}}(?:(?:is|seems|looks|would be|appears to be)\s+)?{_RIGHT}")


_ROW = re.compile(rf"[\W_]*x?[\W_]*({MARK})(?:(?<=[{chr(BOTH)}-{NO_OPTION}])|\s*[).:]\s*\S)")
"""A line that begins with an option's number and goes on."""


def _sentences(marked: str) -> Iterator[str]:
    """The sentences that mention an option; of a repeated list of options the rows that call theirs right."""
    lines = [line for line in marked.split("\n") if line.strip()]
    heads = [_ROW.match(line) for line in lines]
    rows = {match[1] for match in heads if match}
    for line, head in zip(lines, heads, strict=True):
        if len(rows) < 2 or head is None:
            yield from (sentence for sentence in _STOP.split(line) if re.search(MARK, sentence))
        elif line.strip(" [-").startswith("x") or (_RIGHT_AFTER.search(line) and not _WRONG_AFTER.search(line)):
            yield f"the answer is {head[1]}"


_NO_DENIAL = re.compile(
    r"\b(?:no doubt|without (?:a )?doubt|not only|not just|nothing but|no question)\b"
    r"|\b(?:i'm |i am )?not (?:(?:entirely|completely|totally|fully|very|really|100%|quite) )?(?:sure|certain)\b"
    r"(?: (?:if|whether|that))?|,?\s*(?:but )?less likely\b,?"
)
_CLAUSE_END = re.compile(
    r"[,;:()\[\]\"—–→!?]+|\.(?=\s|$)|\s-\s|[=-]>"
    r"|\b(?:but|so|because|since|as|however|therefore|thus|hence|although|though|while|whereas|which|then)\b"
)
_SIDE_BY_SIDE = re.compile(
    rf"(?:\b(?:both|either|neither|between|options?|choices?)\s+)*{MARK}"
    rf"(?:\s*(?:[,/&|]|[-–—](?=\s*{MARK})|,?\s*\b(?:and/or|and|or|nor|to|through|versus|vs\.?)\b)?\s*"
    rf"(?:(?:maybe|perhaps|even|an?|the|options?|choices?)\s+)*{MARK})+"
)


def _mentions(sentence: str) -> Iterator[tuple[Rank, str]]:
    """Every mention in a sentence with its rank."""
    sentence = re.sub(r"\banything (?:but|other than)\b", "not", _NO_DENIAL.sub(" ", sentence))
    sentence = _SIDE_BY_SIDE.sub(_one_or_several, sentence)
    sentence = re.sub(rf"({MARK})[\s,]{{0,4}}\b(rather than|instead of|over|not)\b", r"\1 , \2", sentence)
    is_final = re.search(rf"{FINAL.strip()}|\bfinal choice\b", sentence) is not None
    opens, start = True, 0
    for end, following in [*(match.span() for match in _CLAUSE_END.finditer(sentence)), (len(sentence), len(sentence))]:
        for match in re.finditer(MARK, sentence[start:end]):
            place = start + match.start()
            if _is_denied(sentence[start : place + 1], sentence[place:]):
                yield Rank.DENIED, match[0]
                continue
            rank = _rank(sentence, start, place, end, opens=opens and not sentence[:place].strip(" \"'([_"))
            yield Rank.FINAL if is_final and rank >= Rank.SHOWN else rank, match[0]
        opens, start = opens and not re.search(r"\w", sentence[start:end]), following


def _one_or_several(match: re.Match[str]) -> str:
    marks = re.findall(MARK, match[0])
    if len({option_of(mark) for mark in marks}) == 1:
        return f" {marks[0]} "
    if re.fullmatch(rf"{MARK},\s+{MARK}", match[0]) and (ord(marks[0]) < TEXT) != (ord(marks[1]) < TEXT):
        return match[0]
    return f" neither {SEVERAL} " if "neither" in match[0] else f" {SEVERAL} "


_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|no|never|neither|nor|cannot|without|unlike|except|besides|over|against|than|almost|nearly|doubt|avoid(?:ing)?|forget|exclud(?:e|ing)"
    r"|eliminat(?:e|ing)|rul(?:e|ed|ing) out|other than|rather than|instead of)\b|\w+n't\b)"
    rf"(?:\s+(?!i\b){WORD}){{0,6}}?\s+{MARK}$"
)


def _is_denied(upto: str, following: str) -> bool:
    if _DENIED_BEFORE.search(upto):
        return True
    return _WRONG_AFTER.match(following) is not None and _RIGHT_AFTER.match(following) is None


_CHOSEN_BEFORE = re.compile(
    r"\b(?:answers?|choice|option|pick|match|description|solution|result|selection"
    r"|respuesta|antwort|réponse|resposta|risposta)\b"
    rf"[^{MARK[1:]}{{0,60}}?(?:\b(?:is|are|be|as|es|ist|est|é|è|with)\b|[:=])\W*"
    rf"(?:(?:option|number|choice|the|an?|index|digit|therefore|clearly|definitely)\W+)*{MARK}$"
    r"|\b(?:choos(?:e|ing)|chose|pick(?:ing)?|select(?:ing)?|answer|guess|go(?:ing)?|opt|settled?|vote|conclude|respond|reply"
    r"|(?:i|i'd|i'll|would|will|must|let's) say)(?:\s+(?:with|for|on|that|is|it's|it is))*"
    rf"\s+(?:(?:option|number|choice|the|an?|index|digit)\s+)*{MARK}$"
    rf"|(?:答案|选|選|答え|정답)\w{{0,3}}\s*:?\s*{MARK}$"
)
_SHOWN_BEFORE = re.compile(
    r"(?:\b(?:is|are|was|be|there's|shows?|showing|shown|depicts?|depicting|displays?|features?|contains?|represents?"
    r"|portrays?|illustrates?|suggests?|indicates?|means|looks?|appears?|seems?|resembles?|see|seeing|called|named"
    r"|identified|believe|think|of)\b|'s\b)"
    rf"(?:\s+{WORD}){{0,5}}?\s+{MARK}$"
)
_ONLY_LIKE = re.compile(
    r"(?<!looks )(?<!look )(?<!seems )(?<!appears )\b(?:like|similar to|resembling|than|near|for)\s+"
    rf"(?:an?\s+|the\s+)?{MARK}$"
)
_MAYBE = re.compile(r"\b(?:maybe|perhaps|possibl[ey]|might|could|may|alternatively|glance|chance|or)\b")
_FILLERS = """
    i i'd i'm i'll id im my me a an the it it's its that that's this here is be been am has have would will must one
    so therefore thus hence then now ok okay well sure hmm um oh sorry yes no wait actually correction rather instead
    finally likely clearly definitely probably most mostly indeed obviously surely simply just only of course and
    guess say think believe mean meant pick choose select go going let make with for in to looks look like seems appears
    answer answers option choice number index digit label class category response reply output result prediction
    final correct right best assistant user bot ai model picture image photo object scene shown
"""
_SAYS_NOTHING_MORE = frozenset(_FILLERS.split())
"""What may stand beside the choice in a clause that says nothing else."""


def _rank(sentence: str, start: int, place: int, end: int, *, opens: bool) -> Rank:
    """How the option at a place is mentioned, from its clause, what came before and what follows.

    Args:
        sentence: With the mention.
        start: Of the clause.
        place: Of the mention.
        end: Of the clause.
        opens: Whether nothing was said before the mention.
    """
    clause, before, following = sentence[start:end], sentence[max(0, place - 120) : place + 1], sentence[place:]
    mark = sentence[place]
    is_text = TEXT <= ord(mark) < BOTH
    if _MAYBE.search(clause) or sentence[end : end + 1] == "?":
        return Rank.POSSIBLE
    if _CHOSEN_BEFORE.search(before) or _RIGHT_AFTER.match(following) or (opens and not is_text):
        return Rank.CHOSEN
    if is_text and _SHOWN_BEFORE.search(before):
        return Rank.MENTIONED if _ONLY_LIKE.search(before) else Rank.SHOWN
    words = re.findall(r"[^\W\d_][\w']*", re.sub(MARK, " ", clause))
    if all(word in _SAYS_NOTHING_MORE for word in words) and len(re.findall(MARK, clause)) == 1:
        return Rank.CHOSEN
    ends_clause = not re.search(r"\w", sentence[place + 1 : end])
    return Rank.SHOWN if ord(mark) >= BOTH or (ends_clause and not is_text) else Rank.MENTIONED


_CORRECTS = re.compile(
    r"\b(?:no|wait|actually|i mean|correction|corrected|second thoughts?|closer|sorry|but|however|instead|rather"
    r"|final(?:ly)?|so|therefore|thus|hence|since|because)\b"
)
_CORRECTS_WHAT_WAS_SHOWN = re.compile(
    r"\b(?:no|wait|actually|i mean|correction|second thoughts?|closer|glance|at first|initially|thought)\b"
)
_AVOIDS = re.compile(
    r"\b(?:but|however|instead|since|although|though|despite|different|another|other|unlearned|forbidden|restrict\w*"
    r"|cannot|not|must|should|avoid\w*|asked|told|instruct\w*|following)\b|n't\b"
)


MOST_WORDS_AROUND_A_MENTION = 40
"""In a longer reply an option that is merely mentioned is not taken for its choice."""


def _decided(found: Sequence[tuple[Rank, str]], marked: str) -> int | None:
    """The option of the highest rank, unless the reply says two things of equal weight."""
    denied = {option_of(mark) for rank, mark in found if rank == Rank.DENIED}
    ranked = [(Rank.MENTIONED if mark == SEVERAL else rank, mark) for rank, mark in found if rank > Rank.DENIED]
    top = max((rank for rank, _ in ranked), default=Rank.MENTIONED)
    best = [mark for rank, mark in ranked if rank == top]
    if not best or (len({option_of(mark) for mark in best}) > 1 and not _is_taken_back(best, top, marked)):
        return None
    choice, is_number = option_of(best[-1]), ord(best[-1]) < TEXT
    worded = [(rank, option_of(mark)) for rank, mark in ranked if ord(mark) >= TEXT and option_of(mark) is not None]
    others = {option for _, option in worded} - {choice}
    if top == Rank.MENTIONED and (is_number or choice in denied or len(marked.split()) > MOST_WORDS_AROUND_A_MENTION):
        return None
    if top == Rank.SHOWN and others and TEXT <= ord(best[-1]) < BOTH and len(set(best)) == 1:
        return None
    if is_number and choice not in {option for _, option in worded}:
        is_contradicted = any(rank >= Rank.SHOWN for rank, _ in worded)
        return None if is_contradicted and not _AVOIDS.search(marked) else choice
    return choice


def _is_taken_back(best: Sequence[str], top: Rank, marked: str) -> bool:
    """Whether words between the first and the last of several options take the first one back."""
    said = _CORRECTS if top >= Rank.CHOSEN else _CORRECTS_WHAT_WAS_SHOWN
    return said.search(marked, marked.find(best[0]) if top >= Rank.CHOSEN else 0, marked.rfind(best[-1])) is not None
