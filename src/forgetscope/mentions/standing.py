"""How a reply mentions an option: denied, in passing, possible, shown, chosen, as its final answer; and of the past."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from forgetscope.mentions.marks import BOTH, IN_MARK, MARK, NO_OPTION, SEVERAL, TEXT, option_of
from forgetscope.mentions.plain import FINAL


class Standing(IntEnum):
    """How an option is mentioned; the highest wins."""

    DENIED = 0
    MENTIONED = 1
    POSSIBLE = 2
    SHOWN = 3
    HEADING = 4
    CHOSEN = 5
    FINAL = 6


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention in a marked text.

    Attributes:
        clause: What it stands in, for what else is said there.
        is_past: Whether it is told of the past, or of what is not the case.
    """

    standing: Standing
    mark: str
    clause: str = ""
    is_past: bool = False


def mentions(marked: str, options: int = 4) -> list[Mention]:
    """Every mention of a marked text in lower case, in order; of how many options."""
    found: list[Mention] = []
    asked = 0
    for sentence in _sentences(marked, min(3, options)):
        if asked and re.match(r"\W*no\b", sentence):
            found[-asked:] = [Mention(Standing.DENIED, entry.mark) for entry in found[-asked:]]
        if _ALL_DENIED.match(sentence):
            found = [
                entry if entry.standing >= Standing.CHOSEN else Mention(Standing.DENIED, entry.mark) for entry in found
            ]
        inside = list(_in_sentence(sentence, is_first=not found))
        found.extend(inside)
        asked = len(inside) if sentence.rstrip().endswith("?") else 0
    return found


_STOP = re.compile(r"(?<=[.!?])(?=\s|$)|(?<=[。！？])")
_WRONG = (
    rf"(?:not(?!\s+(?:(?:the|an?)\s+)?{MARK})|cannot|\w*n't|wrong|incorrect|false|no|unlikely|unlearned|forgotten"
    rf"|erased|removed|forbidden|restricted"
    r"|prohibited|banned|listed|on the list|off.limits|excluded|eliminated|ruled out|out)\b"
)
_RIGHT = (
    r"(?:(?:clearly|definitely|the|my|most|likely|probably|indeed)\s+)*"
    r"(?:yes|correct|right|true|best|answer|choice|letter|final|remains|match(?:es)?|fits?|likely|suitable|accurate"
    r"|appropriate)\b"
)
_WRONG_AFTER = re.compile(
    rf"{MARK}[\s\"'):(|–—→>-]{{0,5}}(?:(?:class|option|one|answer|itself)\W+)?(?:(?:is|are|was|were|(?:ha[sv]e?"
    rf"|had)(?! no\b)"
    rf"|does|do|can|could|would|should|must"
    rf"|may|seems?)\b[^,;.{IN_MARK}]{{0,30}}?\b)?{_WRONG}"
)
_RIGHT_AFTER = re.compile(
    rf"{MARK}[\s\"'):(|,–—-]{{0,6}}(?:(?:is|to be|seems|looks|would be|must be|has to be|appears to be"
    rf"|should be)\s+)?{_RIGHT}"
    rf"|{MARK}[\s\"')]{{0,3}}(?:is|would be)\s+(?:what (?:i|you)|where i|the one|how i|the way to go|the option that)\b"
    rf"|{MARK}[\s\"')]{{0,3}}(?:has it\b|takes it\b|wins\b|(?:comes )?first\s*(?:[,.;]|$))"
    rf"|{MARK}[\s\"')]{{0,3}}(?:is|would be)\s+(?:the|my|your)\s+(?!(?:wrong|worst|incorrect|second|other"
    rf"|old)\b)(?:[\w-]+\s+)?(?:pick|bet|winner|fit|match|choice)\b"
)
_SECOND = re.compile(
    rf"{MARK}\W+(?:as|is|was|being|comes?)\s+(?:[\w-]+\s+){{0,2}}?(?:runner-up|back-?up|alternative|close)\b"
)
_ALL_DENIED = re.compile(
    rf"\W*(?:all|both|none|neither|these|those|they|the others?|the rest)\b[^{IN_MARK}]{{0,30}}\b(?:wrong|incorrect"
    rf"|false|out|right|correct)\W*$"
)
_ROW = re.compile(rf"[\W_]*x?[\W_]*({MARK})(?:(?<=[{chr(BOTH)}-{NO_OPTION}])|\s*(?:[).:]|\s[-–—])\s*\S)")
"""A line that begins with an option's label and goes on."""
_VERDICT_ROW = re.compile(rf"[\W_]*({MARK})\W+(?:correct|wrong)\W*$")


def _sentences(marked: str, listed: int) -> Iterator[str]:
    """The sentences; of a repeated list of options the rows that call theirs right."""
    lines = [line for line in marked.split("\n") if line.strip()]
    heads = [_ROW.match(line) or _VERDICT_ROW.match(line) for line in lines]
    rows = {option_of(match[1]) for match in heads if match}
    for line, head in zip(lines, heads, strict=True):
        if len(rows) < listed or head is None:
            tied = re.sub(rf"^([\W_]*{MARK})\.(?=\s+\S)", r"\1:", line)
            yield from (sentence for sentence in _STOP.split(tied) if sentence.strip())
        elif line.strip(" [-").startswith("x") or (_RIGHT_AFTER.search(line) and not _WRONG_AFTER.search(line)):
            yield f"the answer is {head[1]}"


_NO_DENIAL = re.compile(
    r"\bnone other than\b|\b(?:can't|cannot|couldn't) be (?:any\w*) (?:other than|but)\b|\b(?:no doubt"
    r"|without (?:a )?doubt|not only|not just|nothing but|no question)\b"
    r"|\b(?:i'm |i am )?not (?:(?:entirely|completely|totally|fully|very|really|100%|quite) )?(?:sure|certain)\b"
    r"(?: (?:if|whether|that))?|,?\s*(?:but )?less likely\b,?"
)
_CLAUSE_END = re.compile(
    r"[,;:()\[\]\"—–→!?]+|\.(?=\s|$)|\s-\s|[=-]>|⇒"
    rf"|\bas\b(?!\s+(?:(?:an?|the)\s+)?{MARK})"
    r"|\b(?:but|so|because|since|however|therefore|thus|hence|although|though|while|whereas|which|then)\b"
)
_SIDE_BY_SIDE = re.compile(
    rf"(?:\b(?:both|either|neither|between|options?|choices?)\s+)*{MARK}"
    rf"(?:\s*(?:[,/&|]|[-–—](?=\s*{MARK})|,?\s*\b(?:and/or|and|or|nor|to|through|versus|vs\.?)\b)?\s*"
    rf"(?:(?:maybe|perhaps|even|an?|the|options?|choices?)\s+)*{MARK})+"
)
_CHAIN = re.compile(rf"(?:[{chr(TEXT)}-{chr(BOTH - 1)}]\s*(?:->|=>|→)\s*)+(?=[{chr(TEXT)}-{chr(BOTH - 1)}])")
_BETWEEN = re.compile(rf"(\b(?:between|of|among)\s[^;]*?\band\s+(?:option\s+)?{MARK}),(?=\s*{MARK})")
_ALL_BUT = re.compile(
    rf"\b(?:everything|all|any|every \w+|all \w+)(?: \w+)? (?:but|except)(?: for)?\s+(?:option )?({MARK})\s+(?:is"
    rf"|are|can be)\b[^.]{{0,20}}\b(?:wrong|incorrect|false|out)\b"
)
_OF_SEVERAL = re.compile(rf"\b(?:between|of|among)\b[^,]*{SEVERAL}[^,;]*[,;][^,{IN_MARK}]{{0,30}}{MARK}$")
_IN_ORDER = re.compile(
    rf"(?<!\bif)(?<!\bif the)(?<!\bwhen) ?({MARK})((?:[^{IN_MARK}.]{{0,60}}?(?:,|\band)\s+(?:then|followed by"
    rf"|next)\s+(?:the\s+)?{MARK}(?:(?:,|\s(?:and"
    rf"|or))\s{MARK})*)+)"
)
_SET_APART = re.compile(
    rf"(\b(?:unlike|besides|apart from|in contrast to|as opposed to|compared (?:to|with)"
    rf"|not)\s[^,;]*?),(?=\s*{MARK}(?:[^,]*$|\s(?!or\b|and\b|nor\b)\w))"
)


def _in_sentence(sentence: str, *, is_first: bool) -> Iterator[Mention]:
    """Every mention in a sentence with its standing."""
    sentence = _ALL_BUT.sub(r"the answer is \1", _NO_DENIAL.sub(" ", sentence))
    sentence = re.sub(r"\banything (?:but|other than)\b", "not", sentence)
    sentence = _BETWEEN.sub(r"\1;", _IN_ORDER.sub(lambda match: match[1] + re.sub(MARK, "", match[2]), sentence))
    sentence = _SET_APART.sub(r"\1;", sentence)
    sentence = _SIDE_BY_SIDE.sub(_one_or_several, _CHAIN.sub("", sentence))
    sentence = re.sub(rf"({MARK})[\s,]{{0,4}}\b(rather than|instead of|over|not)\b", r"\1 , \2", sentence)
    is_final = re.search(rf"{FINAL.strip()}|\bfinal choice\b", sentence) is not None
    opens, start = True, 0
    for end, following in [*(match.span() for match in _CLAUSE_END.finditer(sentence)), (len(sentence), len(sentence))]:
        for match in re.finditer(MARK, sentence[start:end]):
            place = start + match.start()
            clause = sentence[start:end]
            if _is_denied(sentence[start : place + 1], sentence[place:]) or _BESIDE_DENIED.search(sentence[:place]):
                yield Mention(Standing.DENIED, match[0], clause)
                continue
            standing = _standing(sentence, start, place, end, opens=opens and not sentence[:place].strip(" \"'([_"))
            standing = Standing.FINAL if is_final and standing >= Standing.SHOWN else standing
            standing = Standing.CHOSEN if is_first and standing is Standing.HEADING else standing
            yield Mention(standing, match[0], clause, _is_past(sentence, place))
        opens, start = opens and not re.search(r"\w", sentence[start:end]), following


_A_LOOP = 40
"""Mentions in a row."""


def _one_or_several(match: re.Match[str]) -> str:
    marks = re.findall(MARK, match[0])
    if len({option_of(mark) for mark in marks}) == 1 and len(marks) < _A_LOOP:
        return f" {marks[0]} "
    if re.fullmatch(rf"{MARK}\s*,\s*and\s+{MARK}", match[0]):
        return match[0]
    if re.fullmatch(rf"{MARK},\s+{MARK}", match[0]) and (ord(marks[0]) < TEXT) != (ord(marks[1]) < TEXT):
        return match[0]
    word = next((word for word in ("neither", "between") if word in match[0]), "")
    return f" {word} {SEVERAL} "


_WORD = r"[a-z0-9à-ɏ'-]+"
_BESIDE_DENIED = re.compile(r"\b(?:not|no|unlike|avoid|skip|over|instead of|rather than)\s+(?:[\w-]+\s+){1,2}\($")
"""The label of what is denied: "instead of barbells (B)"."""
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|no(?!\s+(?:\w+\s+){0,3}(?:i|you|we|it)\b)|never|neither|nor|cannot|without|unlike|except|besides"
    r"|over|against|than|almost|nearly|doubt|avoid(?:ing)?|forget|exclud(?:e|ing)"
    r"|eliminat(?:e|ing)|rul(?:e|ed|ing) out|other than|rather than|instead of|mistake (?:is|would be)|incorrect"
    r"|discard)\b|\w+n't\b)"
    rf"(?:\s+(?!i\b){_WORD}){{0,6}}?\s+{MARK}$"
)


def _is_denied(upto: str, following: str) -> bool:
    if _DENIED_BEFORE.search(upto) or _SECOND.match(following):
        return True
    return _WRONG_AFTER.match(following) is not None and _RIGHT_AFTER.match(following) is None


_TURN = re.compile(
    r"\b(?:but|now|however|yet|so|today|nowadays|therefore|although|though|while|whereas|i'd(?! have)"
    r"|i would(?! have)|i'll)\b|[;!?]|\.\s"
)
_PAST = re.compile(
    r"\b(?:(?:earlier|previously|formerly|before),? (?:you|i)|you (?:used to|once|preferred|liked|wanted|loved"
    r"|favou?red|asked|had|said|told|mentioned|previously|originally|initially)|you've (?:said|told)"
    r"|used to (?:like|love|prefer|be|want)"
    r"|(?:would|i'd|'d) have (?:said|chosen|picked|recommended|suggested|gone|been)|(?:the|your|my) (?:old|earlier"
    r"|previous|original|former|initial|first)"
    r" (?:one|you|preference|taste|habit|choice|answer|wish|thought|guess)|at first|initially|originally|no longer"
    r"|back then|in the past|until recently"
    r"|thought (?:of|it)|you(?:'d| would| might) (?:think|guess|expect)|first thought|common (?:mistake|error)"
    r"|(?:most|many|some|others?)(?: people)?(?: would| might| may)? (?:say|think|guess|believe|assume|claim))\b"
)
_SUPPOSED = re.compile(
    r"\bif (?:you|it|this|that|we|they|the \w+) (?:still|were|was|had|wanted|liked|meant)\b(?:(?!\bbut\b|\bnow\b"
    r"|\bhowever\b)[^.;])*$"
)


def _is_past(sentence: str, place: int) -> bool:
    start = max((turn.end() for turn in _TURN.finditer(sentence, 0, place)), default=0)
    following = _TURN.search(sentence, place)
    if _SUPPOSED.search(sentence[:place]) or (_CONCEDED.match(sentence[:place]) and "," in sentence[place:]):
        return True
    return _PAST.search(sentence, start, following.start() if following else len(sentence)) is not None


_CONCEDED = re.compile(r"\W*(?:(?:even )?though|although|while|whereas|despite)\b[^,]*$")
_CHOSEN_BEFORE = re.compile(
    r"\b(?:answers?|choice|option|pick|match|description|solution|result|selection|letter|(?:right|correct"
    r"|best) one|conclusion|recommendation|suggestion"
    r"|respuesta|antwort|réponse|resposta|risposta|choix)\b"
    rf"[^{IN_MARK}]{{0,60}}?(?:\b(?:is|are|be|as|es|ist|est|é|è|with)\b|[:=])\W*"
    rf"(?:(?:option|number|choice|letter|the|an?|index|digit|therefore|clearly|definitely)\W+)*{MARK}$"
    r"|\b(?:choos(?:e|ing)|chose|pick(?:ing)?|select(?:ing)?|answer|guess|go(?:ing)?|opt|settled?|vote|conclude"
    r"|respond|reply|recommend|suggest|take|leaning"
    r"|(?:i|i'd|i'll|would|will|must|let's) (?:have to )?say)(?:\s+(?:with|for|on|that|is|it's|it is|towards?|you))*"
    rf"\s+(?:(?:option|number|choice|letter|the|an?|index|digit)\s+)*{MARK}$"
    rf"|(?:答案|选|選|答え|정답)\w{{0,3}}\s*:?\s*{MARK}$|\bans(?:wer)?\b\W{{0,3}}{MARK}$"
)
_ASKED_TO_CHOOSE = re.compile(
    r"\b(?:please|can|could|may|might|to|reply with) (?:choose|pick|select|take|answer)\b[^.]*$"
)
_SHOWN_BEFORE = re.compile(
    r"(?:\b(?:is|are|was|be|there's|shows?|showing|shown|depicts?|depicting|displays?|features?|contains?|represents?"
    r"|portrays?|illustrates?|suggests?|indicates?|means|looks?|appears?|seems?|resembles?|see|seeing|called|named"
    r"|identified|believe|think|of)\b|'s\b|=)"
    rf"(?:\s+{_WORD}){{0,5}}?\s*{MARK}$"
)
_ONLY_LIKE = re.compile(
    r"(?<!looks )(?<!look )(?<!seems )(?<!appears )\b(?:like|similar to|resembling|than|near|for)\s+"
    rf"(?:an?\s+|the\s+)?{MARK}$"
)
_MAYBE = re.compile(
    r"\b(?:maybe|perhaps|possibl[ey]|might|could|may|alternatively|glance|chance|or|torn|tempting|seems attractive)\b"
)
_ABOUT = re.compile(
    rf"(?<!this )(?<!it )\b(?:describ\w+|about|regarding|mention\w*|explain\w*"
    rf"|including)\s+(?:the\s+)?(?:option\s+)?{MARK}$"
)
_FILLERS = """
    i i'd i'm i'll id im my me a an the it it's its that that's this here is be been am has have would will must one
    so therefore thus hence then now ok okay well sure hmm um oh sorry yes no wait actually correction rather instead
    finally likely clearly definitely probably most mostly indeed obviously surely simply just only of course and
    guess say think believe mean meant pick choose select go going let make with for in to looks look like seems appears
    answer answers option choice number index digit label letter class category response reply output result prediction
    final correct right best assistant user bot ai model picture image photo object scene shown i.e yourself question
    means should making leaving leaves left remains again
"""
_SAYS_NOTHING_MORE = frozenset(_FILLERS.split())
"""What may stand beside the choice in a clause that says nothing else."""
_SUBJECT_AFTER = re.compile(
    rf"{MARK}[)\]\"']*\s+(?!(?:because|since|as|for|if|given|due|considering|over|rather|instead|not|and|or|nor|but"
    rf"|please|of|all|here|again|now|today|then|too"
    r"|definitely|clearly|it|i|so|by|with|in|have a|only|first)\b)[a-z]"
)
"""A label that is spoken about."""


def _standing(sentence: str, start: int, place: int, end: int, *, opens: bool) -> Standing:
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
    is_asked = sentence[end : end + 1] == "?" or (sentence.rstrip().endswith("?") and " or " in sentence)
    if _MAYBE.search(clause) or is_asked:
        return Standing.POSSIBLE
    is_chosen = _CHOSEN_BEFORE.search(before) and not _ASKED_TO_CHOOSE.search(before)
    is_subject = ord(mark) < TEXT and _SUBJECT_AFTER.match(following) is not None
    if is_chosen or _OF_SEVERAL.search(before) or _RIGHT_AFTER.match(following):
        return Standing.CHOSEN
    if opens and not is_text and not is_subject:
        return Standing.HEADING if re.search(r"\w", sentence[place + 1 :]) else Standing.CHOSEN
    if is_text and _SHOWN_BEFORE.search(before):
        return Standing.MENTIONED if _ONLY_LIKE.search(before) else Standing.SHOWN
    words = re.findall(r"[^\W_][\w']*", re.sub(MARK, " ", clause))
    if not is_subject and all(word in _SAYS_NOTHING_MORE for word in words) and len(re.findall(MARK, clause)) == 1:
        return Standing.CHOSEN
    ends_clause = not re.search(r"\w", sentence[place + 1 : end]) and len(re.findall(MARK, clause)) == 1
    if ord(mark) >= BOTH:
        return Standing.SHOWN
    return Standing.POSSIBLE if ends_clause and not is_text and not _ABOUT.search(before) else Standing.MENTIONED
