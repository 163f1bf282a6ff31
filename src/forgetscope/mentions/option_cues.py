"""The cues by which the option that a reply chooses is found among its mentions: patterns, and what each cue is worth.

A pattern is matched against the text up to and with the mention, from the mention on, or the clause or sentence it
stands in; lower case, each option one character (`marks`).
"""

import json
import re
from pathlib import Path

from forgetscope.mentions.marks import BOTH, IN_MARK, LABEL, MARK, NO_OPTION, SEVERAL
from forgetscope.mentions.plain import FINAL

_WORD = r"[a-z0-9à-ɏ'-]+"
_WRONG = (
    rf"(?:not(?!\s+(?:(?:the|an?)\s+)?{MARK})|cannot|\w*n't|wrong|incorrect|false|no|unlikely|unlearned|forgotten"
    rf"|erased|removed|forbidden|restricted"
    r"|prohibited|banned|listed|on the list|off.limits|excluded|eliminated|ruled out"
    r"|(?<=[:–—-] )out|(?<=is )out|(?<=are )out|(?<=all )out|too(?!\W*$))\b"
)
_RIGHT = (
    r"(?:(?:clearly|definitely|the|my|most|likely|probably|indeed)\s+)*"
    r"(?:yes|correct|right|true|best|answer|choice|letter|final|remains|match(?:es)?|fits?|likely|suitable|accurate"
    r"|appropriate)\b"
)
_LABELLED = r"(?:option|number|choice|letter|the|an?|index|digit|therefore|clearly|definitely)"

UPTO_IN_CLAUSE = {
    "denied before": (
        r"(?:\b(?:not|no(?!\s+(?:\w+\s+){0,3}(?:i|you|we|it)\b)|never|neither|nor|cannot|without|unlike|except|besides"
        r"|over|against|than|almost|nearly|doubt|avoid(?:ing)?|forget|exclud(?:e|ing)|contrast (?:to|with)|opposed to"
        r"|eliminat(?:e|ing)|rul(?:e|ed|ing) out|other than|rather than|instead of|mistake (?:is|would be)|incorrect"
        r"|discard|lacks|lacking|too \w+ (?:for|to be))\b|\w+n't\b)"
        rf"(?:\s+(?!i\b){_WORD}){{0,6}}?\s+{MARK}$"
    ),
}
UPTO = {
    "chosen": (
        r"\b(?:answers?|choice|option|pick|match|description|solution|result|selection|letter|(?:right|correct"
        r"|best) one|conclusion|recommendation|suggestion"
        r"|respuesta|antwort|reponse|resposta|risposta|choix)\b"
        rf"[^{IN_MARK}]{{0,60}}?(?:\b(?:is|are|be|as|es|ist|est|e|with)\b|[:=])\W*(?:{_LABELLED}\W+)*{MARK}$"
        r"|\b(?:choos(?:e|ing)|chose|pick(?:ing)?|select(?:ing)?|answer|guess|go(?:ing)?|opt|settled?|vote|conclude"
        r"|respond|reply|recommend|suggest|take|leaning"
        r"|(?:i|i'd|i'll|would|will|must|let's) (?:have to )?say)(?:\s+(?:with|for|on|goes to|that|is|it's|it is"
        rf"|towards?|you))*\s+(?:{_LABELLED}\s+)*{MARK}$"
        rf"|\b(?:leaves?|leaving|left(?: over)? is|remains|remaining \w+ is)\s+(?:us with\s+)?(?:only\s+)?"
        rf"(?:{_LABELLED}\s+)*{MARK}$"
        rf"|(?:\b(?:it|that|this|answer|which|must|has to|would|will|so)(?: be| is| was)|\b(?:it|that)'s)\s+"
        rf"(?:(?:probably|definitely|clearly|then|likely|got to be)\s+)?(?:{_LABELLED}\s+)*{LABEL}$"
        rf"|^\W*(?:definitely|certainly|clearly|surely|obviously|undoubtedly|probably|most likely|likely)\s+"
        rf"(?:(?:the|an?)\s+)?{MARK}$"
        rf"|(?:答案|选|選|答え|正解|정답)\w{{0,3}}\s*:?\s*{MARK}$|\bans(?:wer)?\b\W{{0,3}}{MARK}$"
    ),
    "asked to choose": (r"\b(?:please|can|could|may|might|to|reply with) (?:choose|pick|select|take|answer)\b[^.]*$"),
    "of several": rf"\b(?:between|of|among)\b[^,]*{SEVERAL}[^,;]*[,;][^,{IN_MARK}]{{0,30}}{MARK}$",
    "shown": (
        r"(?:\b(?:is|are|was|be|there's|shows?|showing|shown|depicts?|depicting|displays?|features?|contains?"
        r"|represents?|portrays?|illustrates?|suggests?|indicates?|means|looks?|appears?|seems?|resembles?|see|seeing"
        r"|called|named|identified|believe|think|of)\b|'s\b|=)"
        rf"(?:\s+{_WORD}){{0,5}}?\s*{MARK}$"
    ),
    "like": (
        r"(?<!looks )(?<!look )(?<!seems )(?<!appears )\b(?:like|similar to|resembling|than|near|for)\s+"
        rf"(?:an?\s+|the\s+)?{MARK}$"
    ),
    "about": (
        rf"(?<!this )(?<!it )(?<!how )(?<!what )(?<!^)\b(?:describ\w+|about|regarding|mention\w*|explain\w*"
        rf"|nam(?:e|ing)|contain\w*|including)\s+(?:the\s+)?(?:option\s+)?{MARK}$"
    ),
    "in brackets": rf"\([^()]*[a-z]{{2}}[^()]*{MARK}$",
    "label of what is denied": (
        rf"\b(?:not|no|unlike|avoid|skip|over|instead of|rather than)\s+(?:[\w-]+\s+){{1,2}}\({MARK}$"
    ),
    "glosses": rf"\w\s*\(\s*{MARK}$",
    "listed as something else": (
        rf"\b(?:runner-?up|second(?: choice| best| place)?|alternatives?|back-?up|not (?:for|my|so|the)\b[\w ]{{0,20}}"
        rf"|worst|avoid|rejected|ruled out|wrong|incorrect|eliminated|out)\s*:\s*{MARK}$"
    ),
    "conditional": rf"\b(?:if|else|otherwise|in case|unless|provided)\b[^.;:]*{MARK}$",
    "opens": rf"^\W*{MARK}$",
}
ON = {
    "denied after": (
        rf"{MARK}[\s\"'):(|–—→>-]{{0,5}}(?:(?:class|option|one|answer|itself)\W+)?(?:(?:is|are|was|were|(?:ha[sv]e?"
        rf"|had)(?! no\b)"
        rf"|does|do|can|could|would|should|must"
        rf"|may|seems?)\b[^,;.{IN_MARK}]{{0,30}}?\b)?{_WRONG}"
        rf"|{MARK}[^.;?!{IN_MARK}]{{0,60}}[:–—]\s*no\b(?=\s*[,.;!]|\s*$)"
    ),
    "right": (
        rf"{MARK}[\s\"'):(|,–—-]{{0,6}}(?:(?:is|to be|seems|looks|would be|must be|has to be|appears to be"
        rf"|should be)\s+)?{_RIGHT}"
        rf"|{MARK}[\s\"')]{{0,3}}(?:is|would be)\s+(?:what (?:i|you)|where i"
        rf"|the one(?! (?:in|with|who|whose|where|for)\b)|how i"
        rf"|the way to go"
        rf"|the option that)\b"
        rf"|{MARK}[\s\"')]{{0,3}}(?:has it\b|it is\b|takes it\b|wins\b|(?:comes )?first\s*(?:[,.;]|$))"
        rf"|{MARK}[\s\"')]{{0,3}}(?:is|would be|seems(?: like)?|sounds like|looks like)\s+(?:the|my|your)\s+(?!(?:wrong"
        rf"|worst|incorrect|second|other"
        rf"|old)\b)(?:[\w-]+\s+)?(?:pick|bet|winner|fit|match|choice)\b"
    ),
    "second": (
        rf"{MARK}\W+(?:as|is|was|being|comes?)\s+(?:[\w-]+\s+){{0,2}}?(?:runner-up|back-?up|alternative|close)\b"
    ),
    "spoken about": (
        rf"{MARK}\W{{0,3}}\s(?:forgets|ignores|overlooks|confuses|applies|refers|describes)\b|"
        rf"{MARK}[)\]\"']*\s+(?!(?:because|since|as|for|if|given|due|considering|over|rather|instead|not|and|or|nor|but"
        rf"|please|of|all|here|again|now|today|then|too"
        r"|definitely|clearly|it|i|so|by|with|in|have a|only|first)\b)[a-z]"
        rf"|{MARK},\s[^.;:]{{1,60}}?,\s(?:is|was|are|were|has|had|does|did|means|can|will|would)\b"
    ),
    "reason after": (
        rf"{MARK}\W{{0,3}}(?:\b(?:because|since|as|for|given|so|it|that|which)\b|[,:–—-]\s*\w+\s\w+\s\w+)"
    ),
    "condition after": rf"{MARK}[^.;{IN_MARK}]{{0,40}}\b(?:would|could|might)\b[^.;{IN_MARK}]{{0,40}}\b(?:if|had)\b|"
    rf"{MARK}\W{{0,3}}(?:is \w+ |works |only )?(?:if|when|unless|in case)\b",
    "ends sentence": rf"{MARK}\W*$",
}
CLAUSE = {
    "maybe": (
        r"\b(?:maybe|perhaps|possibl[ey]|might|could|may|alternatively|glance|chance|or|torn|tempting"
        r"|seems attractive)\b"
    ),
    "one of several": rf"{MARK}[^{IN_MARK}]*{MARK}",
}
SENTENCE = {
    "aside": (
        r"\b(?:(?:by|in) (?:contrast|comparison)|on the other hand|conversely|meanwhile"
        r"|the (?:reverse|opposite|converse)"
        r"|(?:confus|mix)\w* (?:it|them|him|her|up|this|that)?\s?(?:up )?with|not to be confused|for comparison"
        r"|also|as well)\b"
    ),
    "asks": r"\?\W*$",
    "final": rf"{FINAL.strip()}|\bfinal choice\b",
}
LINE = {
    "bare line": rf"[\W_]*{MARK}[\W_]*$",
    "row": rf"[\W_]*x?[\W_]*{MARK}(?:(?<=[{chr(BOTH)}-{NO_OPTION}])|\s*(?:\)|[.:](?=\s)|\s[-–—])\s*\S)",
    "row with a cross": rf"[\W_]*x[\W_]*{MARK}",
    "row called right": rf"[\W_]*x?[\W_]*{MARK}\W+correct\b",
    "row called wrong": rf"[\W_]*x?[\W_]*{MARK}\W+wrong\b",
    "row says no": rf"[\W_]*{MARK}.*(?:\b(?:too|but|wrong|incorrect|not|no|would)\b|n't\b)",
}
SINCE = {
    "taking back": (
        r"\b(?:scratch|strike) that|\bsorry\b|\bsecond thoughts?\b|\b(?:kidding|joking|jokes aside)\b|\bno, wait\b"
        r"|\bwait, no\b"
        r"|[.?!…-]\W*(?:oh,? |wait,? |actually,? )?no\b(?=\s*[,.!:;–—-])"
    ),
    "contrast": r"\b(?:but|now|however|instead|yet|today|nowadays|(?<!even )though|these days)\b",
    "conclusion": r"\b(?:so|therefore|thus|hence|final(?:ly)?|in the end|answer|conclusion|overall)\b",
    "correction": (
        r"\b(?:wait|hold on|hmm+|actually|i mean|correction|corrected|correct that|second thoughts?|closer|sorry|rather"
        r"|nope|reflection|(?:just )?kidding|joking|jokes aside|strike that|scratch that"
        r"|let me (?:re\w*|think again|correct))\b"
        r"|(?:^|[.!?,;:–—-])\W*(?:oh,? )?no\b(?! (?:other|doubt|need|more|longer|question|matter|one)\b)"
    ),
}
"""What stands between the mention and the one before it; both of them have the cue, the former as "later"."""

_TURN = re.compile(
    r"\b(?:but|now|however|yet|so|today|nowadays|therefore|although|though|while|whereas|i'd(?! have)"
    r"|i would(?! have)|i'll|because|since|as you|given)\b|[;!?]|\.\s"
)
_OTHERS = (
    r"(?:(?:most|many|some|few|lots of|a lot of|other|a|an|my|your|one|the|careless|beginning)\s+)*"
    r"(?:people|students?|readers?|pupils?|learners?|folks|beginners|candidates|test-takers|others?|colleagues?|friends?"
    r"|teachers?|textbooks?|everyone|everybody|many|most|some)"
)
"""Whose view is not the reply's own."""
_PAST = re.compile(
    r"\b(?:(?:earlier|previously|formerly|before),? (?:you|i)|you (?:used to|once|preferred|liked|wanted|loved"
    r"|favou?red|asked|had|said(?! (?:last|now|just|lately))|told|mentioned|previously|originally|initially)"
    r"|you've (?:said|told)"
    r"|used to (?:like|love|prefer|be|want)"
    r"|(?:would|i'd|you'd|'d) have (?:said|chosen|picked|recommended|suggested|gone|been|done|wanted|liked|preferred)"
    r"|(?:the|your|my) (?:old|earlier|previous|original|former|initial|first)"
    r" (?:one|you|preference|taste|habit|choice|answer|wish|thought|guess)|at first|initially|originally|no longer"
    r"|back then|in the past|until recently|tempt(?:ed|ing)|(?:first|initial) (?:impulse|instinct|inclination)"
    r"|i was (?:going|about|inclined|leaning)"
    r"|thought (?:of|it)|i considered|first thought"
    r"|(?:common|popular|frequent|usual|typical) (?:guess|mistake|error|answer|choice|slip|misconception|belief)"
    rf"|{_OTHERS}\s+(?:(?:would|might|may|often|sometimes|usually|tend to|wrongly|mistakenly|will|could|be|are|is)\s+)*"
    r"(?:say|says|think|thinks|guess|believe|believes|assume|claim|claims|pick|choose|chose|answer|reply|go for|select"
    r"|tempted|confused?|mistake|expect|recall|remember|said|picked|thought)"
    r"|(?:says?|said|claims?|according to|thinks?|suggests?) (?:my|the|a|some|your|one) \w+)\b"
)
_SUPPOSED = re.compile(
    r"\bif (?:you|it|this|that|we|they|the \w+) (?:still|were|was|had|wanted|liked|meant)\b(?:(?!\bbut\b|\bnow\b"
    r"|\bhowever\b)[^.;])*$"
)
_CONCEDED = re.compile(r"\W*(?:(?:even )?though|although|while|whereas|despite)\b[^,]*$")


def is_past(sentence: str, place: int) -> bool:
    """Whether what stands at a place of a sentence is told of the past, or of what is not the case."""
    start = max((turn.end() for turn in _TURN.finditer(sentence, 0, place)), default=0)
    following = _TURN.search(sentence, place)
    if _SUPPOSED.search(sentence[:place]) or (_CONCEDED.match(sentence[:place]) and "," in sentence[place:]):
        return True
    return _PAST.search(sentence, start, following.start() if following else len(sentence)) is not None


_FILLERS = """
    i i'd i'm i'll id im my me a an the it it's its that that's this here is be been am has have would will must one
    so therefore thus hence then now ok okay well sure hmm um oh sorry yes no wait actually correction rather instead
    finally likely clearly definitely probably most mostly indeed obviously surely simply just only of course and
    guess say think believe mean meant pick choose select go going let make with for in to looks look like seems appears
    answer answers option choice number index digit label letter class category response reply output result prediction
    final correct right best assistant user bot ai model picture image photo object scene shown i.e yourself question
    means should making leaving leaves left remains again
"""
SAYS_NOTHING_MORE = frozenset(_FILLERS.split())
"""What may stand beside the choice in a clause that says nothing else."""

DENIED = frozenset(
    {
        "denied before",
        "denied after",
        "second",
        "label of what is denied",
        "all denied",
        "row called wrong",
        "listed as something else",
        "withdrawn",
    }
)
"""Cues that an option is denied."""
ANNOUNCED = frozenset(
    {"chosen", "right", "final", "row called right", "row with a cross", "says nothing more", "bare line"}
)
"""Cues that an option is announced."""


TOGETHER = (
    ("alone in the first sentence", "says what was asked"),
    ("alone in the last sentence", "says what was asked"),
    ("alone in the first sentence", "words"),
    ("alone in the first sentence", "shown"),
    ("hint", "only one announced"),
    ("first mention", "past"),
    ("only one not denied", "words among digits"),
    ("hint of 1 words", "last mention"),
    ("hint is most of its clause", "hints lead by 1"),
    ("contradicts itself", "says nothing more"),
    ("ends sentence", "opens"),
    ("another by label", "words"),
    ("hint", "spoken about"),
    ("none: 1 not denied", "none: none among letters"),
)
"""Cues that count together more, or less, than each alone."""
POINTS: dict[str, int] = json.loads(Path(__file__).with_name("option_cue_points.json").read_text(encoding="utf-8"))
"""What each cue adds to an option, or to that none is chosen; fitted by `benchmarks/option_cue_points.py`."""
