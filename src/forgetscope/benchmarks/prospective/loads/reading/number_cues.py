"""The cues by which the answer is found among the numbers of a reply: patterns, and what each cue is worth."""

import json
from pathlib import Path

OPERATION = (
    r"(?:[-+−*×·÷/x^]|\\times|\\cdot|\\div|\btimes\b|\bplus\b|\bminus\b|\bmultiplied\s+by\b|\bdivided\s+by\b|\bmal\b)"
)
UNIT = r"(?:\s*\\?%|/?\s?[^\W\d]+){0,3}"
_ANSWER = (
    r"(?:answers?|solutions?|results?|ans|respuesta|réponse|antwort|risposta"
    r"|correct\s+(?:\w+\s)?(?:number|amount|total|value|figure|one|option|choice)|right\s+one)"
)
_IS = r"(?:\b(?:is|are|was|be|equals?|comes\s+(?:out\s+)?to|es|est|ist|lautet|of)\b|['’]s\b|[:=→—–]|\s-+>?)"
_TOTAL = (
    r"(?:total|altogether|overall|in\s+all|left(?!\s*-?over)|remain\w*|final\w*|sum|profit|income|revenue|net|average"
    r"|combined|all\s+told|together)"
)
_ABOUT = (
    r"(?:\s+(?:about|exactly|just|only|now|then|always|thus|roughly|approximately|therefore|simply|at\s+least"
    r"|us|you|her|him|them))*"
)
_TEXT_PART = (
    r"(?:words?|sentences?|paragraphs?|bullets?|bullet\s+points?|sections?|commas?|lines?|letters?|characters?"
    r"|placeholders?|tips?|facts?|stanzas?|verses?|responses?|answers?|solutions|keywords?|capitals?|caps|rules?"
    r"|instructions?|problems?|questions?|parts?|steps?|ways|methods?|highlights?|titles?|quotes?|quotation\s+marks?"
    r"|syllables?|parameters?|reasons?|ideas?|things|tasks?|requests?)"
)
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)

# what stands before a number
BEFORE = {
    "announced": rf"\b{_ANSWER}\b(?:\s\#?\d\b)?[^.\n:=\d]{{0,60}}?{_IS}\s*:?{_ABOUT}\s*$",
    "announced far": rf"\b{_ANSWER}\b[^.\n]{{0,60}}?{_IS}.*$",
    "answer label": rf"\b{_ANSWER}\b\s*[,(]?\s*$|^\W*A\s*[:.]\s*$",
    "my answer": rf"\b(?:my|our|the|your)\s+(?:final\s+|math\s+)?{_ANSWER}\b[^.]{{0,40}}$",
    "equals": r"(?:[=≈]|\bequals?)\s*$",
    "maths label": r"\b(?:math\w*|arithmetic|puzzle|word\s+problem)\b[^:=.\d]{0,30}[:=]\s*$",
    "arrow": r"(?:→|->|=>|⟹|⇒|\\Rightarrow|➜)\s*$",
    "is": rf"(?:\b(?:is|are|was|were|be)|['’]s){_ABOUT}\s*$",
    "gives": (
        r"\b(?:makes?|making|gives?|giving|(?:leaves?|leaving)(?:\s+(?:\w+\s+){1,3}with)?|get|got|find|yields?|comes?\s+(?:out\s+)?to|works?\s+out\s+(?:to|at)|amounts?\s+to|totals?"
        r"|totall?ing|adds?\s+up\s+to|up\s+to|down\s+to|drops?\s+to|rises?\s+to|grows?\s+to|falls?\s+to|brings?\s+in|brings?\s+\w+(?:\s\w+)?\s+to"
        rf"|becomes?|results?\s+in|ergibt|for\s+a\s+total\s+of){_ABOUT}\s*$"
    ),
    "acts": (
        r"\b(?:gets?|earns?|needs?|pays?|costs?|spends?|spent|receives?|sells?|sold|takes?|took|owes?|uses?|used|collects?|saves?|saved|scores?"
        r"|lasts?|travels?|walks?|walked|drives?|drove|weighs?|holds?|produces?|requires?|reads?|eats?|ate|must|bakes?|baked|plants?|planted"
        r"|keeps?|kept|ends?\s+up\s+with|left\s+with|will\s+be|would\s+be|has|have|had|made|needed|paid|earned)"
        r"(?:\s+(?:about|exactly|just|only|a\s+total\s+of|to\s+\w+|at\s+least|him|her|it|them|us|you|me))*\s*$"
    ),
    "has": r"\b(?:has|have|had)\s*$",
    "there are": r"\bthere\s+(?:are|were|is|was|will\s+be)(?:\s+only)?\s*$",
    "labelled": r"\w[^:=]{0,40}:\s*$",
    "total of": rf"\b{_TOTAL}\b(?:\s+(?:of|is|are|was|cost|comes\s+(?:out\s+)?(?:to|at)|number|amount))*\s*[:=]?\s*$",
    "so": (
        r"(?:\b(?:so|therefore|thus|hence|consequently|finally|in\s+(?:conclusion|total|all|the\s+end)|altogether|overall)\b"
        r"|∴)[^.\d]{0,80}$"
    ),
    "said again": (
        r"(?:\bwhich\s+(?:is|equals)|\bi\.e\.|\bthat\s+is|\bor|\bequivalent\s+to|\bequal\s+to|\bthat['’]s)[,:]?"
        r"(?:\s+(?:about|also|the\s+same\s+as))?\s*$"
    ),
    "preposition": (
        r"\b(?:at|for|in|after|with|by|from|over|during|than|within|on|out\s+of|until|per|into|among|between|using|since|before)"
        r"(?:\s+(?:the|her|his|all|these|those|each|every|of|only))*\s*$"
    ),
    "of": r"(?<!\btotal )(?<!\bsum )(?<!\ball )(?<!\bresult )(?<!\banswer )\bof(?:\s+(?:the|her|his|these|those))?\s*$",
    "premise": (
        r"^\W*(?:if|given|since|each|every|first|suppose|assuming|because|let|when|after|before|although|while)\b"
        r"[^,=]{0,60}$"
    ),
    "subordinate": r"\b(?:if|since|because|although|where|when|who|while|whether|unless)\b[^,;=.]{0,40}$",
    "denied": (
        r"(?:\b(?:not|isn['’]t|never|unlike|nor|neither)|\b(?:rather\s+than|instead\s+of|no\s+longer)|n['’]t(?:\s+be)?)"
        r"(?:\s+(?:the|a|exactly|just))?\s*$"
    ),
    "but after a denial": r"\bnot\b[^.;]{0,30}\bbut(?:\s+rather)?\s*$",
    "doubted": (
        r"\b(?:thought|might|could|may|some\s+(?:people|say)|many|most\s+people|at\s+first|first\s+(?:thought|guess|total|answer|result|try|attempt|sum|figure|(?:i|we)\s+\w+)|would(?:\s+have)?|maybe"
        r"|perhaps|tempting|mistake\w*)\b[^.;]{0,40}$"
    ),
    "in quotes": r"\w[^\"“”]*[\"“][^\"”]*$",
    "in brackets": r"\([^()]*$",
    "operand after": (
        rf"[\d)}}%½]{UNIT}\s*(?![-–]){OPERATION}\s*\(?\s*$|\S\s*[+×÷*]\s*\(?\s*$|[\d)}}%½]\s?[^\W\d]?\s*-\s*\(?\s*$"
    ),
    "sentence begins": r"^\W*$",
    "one word before": r"^\W*\w+\W*$",
    "line label": r"^[^:]{0,40}:\s*$",
    "subject is": r"^\W*(?:the\s+)?(?:\w+\s+){1,4}(?:is|are)\s*$",
    "text part before": (
        rf"\b(?!(?:answers?|solutions|problems?|questions?)\s*:){_TEXT_PART}\s*(?:count)?\s*(?:#|no\.?|number)?\s*[:#]?\s*$"
    ),
    "numbered thing": (
        r"\b(?:day|week|chapter|page|season|episode|version|agent|area|room|table|bus|verse|song|age|aged|number|no\.|top|phone|year"
        r"|confidence)\s*[:#=]?\s*$|#\s*$"
    ),
    "article": r"\b(?:a|an|the|this|that|my|his|her|our|their|your|these|those|all|both)\s*$",
    "compared": r"\b(?:than|least|most|under|over|only|nearly|almost|about|approximately|roughly|around)\s*$",
    "variable": r"(?:^|[\s,(→⇒⟹$])[a-z]\s*=\s*$",
    "with unknown": r"(?:\d\s?[a-z]\b|\b[a-z]\s*[-+*×/(])[^=]{0,30}=\s*$",
    "from one to": r"\bfrom\s+\W?\d[\d.,]*\s+(?:[^\W\d]+\s+)?to\s*$",
    "may or must": r"\b(?:can|could|will|must|should|(?:needs?|has|have|able|had)\s+to|['’]ll)\s+(?:\w+\s+){0,3}$",
    "rounds": r"\bround\w*\b[^.\d]{0,20}$",
    "like a verb": r"\b(?!(?:is|was|has|this|his|its|plus|minus|times|less|equals|need)\b)[a-z]{2,}(?:ed|s)\s*$",
    "final": r"\bfinal\b[^.\d]{0,40}$",
    "maths near": r"\b(?:math\w*|arithmetic|puzzle|word\s+problem|problem|calculation)\b[^.\d]{0,60}$",
    "settles": (
        r"\b(?:(?:go|going|stick|sticking|end\s+up|left)\s+with|(?:settle|land|arrive|end\s+up)\s+(?:on|at)|conclude|opt\s+for)\b[^.\d]{0,15}$"
    ),
    "for example": r"\b(?:like|e\.g\.|for\s+(?:example|instance)|such\s+as)\b[^.]{0,15}$",
    "each before": r"\b(?:each|every|per)\b[^.;:\d]{0,30}$",
    "other subject": r"\b(?:others?|another|rest|remaining|remainder)\b[^.;:\d]{0,25}$",
    "not asked": r"\b(?:not|n['’]t)\b[^.;:,\d]{0,30}$",
    "compound end": r"\d\s?(?:hours?|hrs?|h|minutes?|min|weeks?|days?|feet|ft|foot|years?)\s*(?:and\s+)?$",
    "in the end": (
        r"\b(?:in\s+(?:fact|reality|truth)|now|today|currently|finally|in\s+the\s+end|eventually|actually|really|indeed"
        r"|correct\w*)\b[^.\d]{0,30}$"
    ),
}
# what stands after it
AFTER = {
    "left": r"^\s*(?:[^\W\d]+\s+){0,3}?(?:(?:are|is|were|was)\s+)?(?:left|remain\w*)\b",
    "in total": (
        r"^\s*(?:[^\W\d]+\s+){0,3}(?:in\s+(?:all|total)|altogether|all\s+told|together|total|overall|combined"
        r"|in\s+the\s+end)\b"
    ),
    "compound": (
        r"^\s?(?:hours?|hrs?|h)\b\s*(?:and\s+)?\d+\s?m|^\s?(?:minutes?|min)\b\s*(?:and\s+)?\d+\s?s|^\s?(?:weeks?)\b\s*(?:and\s+)?\d+\s?d"
        r"|^\s?(?:days?)\b\s*(?:and\s+)?\d+\s?h|^\s?(?:feet|ft|foot)\b\s*(?:and\s+)?\d+\s?i|^\s?(?:years?)\b\s*(?:and\s+)?\d+\s?m"
    ),
    "a day": r"^\s*(?:[^\W\d]+\s+){0,2}(?:per|each|an?|every|apiece)\b|^\s*/\s*[a-z]",
    "of others": r"^\s*(?:[^\W\d]+\s+)?(?:of|out\s+of)\b",
    "left of equals": r"^[^=≈.\n]{0,30}[=≈]",
    "is worked out": rf"^{UNIT}\s*=\s*[^=\d\n]{{0,3}}\d[\d.,]*{UNIT}\s*{OPERATION}",
    "operand before": (
        rf"^{UNIT}\s*\)?\s*(?![-–]){OPERATION}\s*[\($€£]?\s*(?:\d|$)|^\s*{OPERATION}\s*(?:[\($\w]|$)"
        rf"|^{UNIT}\s*[-–]\s*[\($€£]?\s*\d[^=.;]*="
    ),
    "bracket follows": r"^\s*(?:[^\W\d]+\s*){0,3}\(",
    "denied after": (
        r"^\s*(?:[^\W\d]+\s+){0,3}(?:is|are|was|were|would|do|does|did)(?:n['’]t|\s+not)\b"
        r"|^[^.,;]{0,30}\b(?:too\s+(?:few|many|much|low|high)|wrong|incorrect|mistaken)\b|^[^.;\d]{0,40}(?:n['’]t|\bnot)\s+(?:quite\s+)?enough\b"
    ),
    "as answer": r"^[^.]{0,12}\bas\s+(?:the|my|our)\s+(?:final\s+)?(?:answer|result)\b",
    "is what": r"^\s*(?:[^\W\d]+\s+){0,2}(?:is|are)\s+(?:what|the|how|my|our|correct|right)\b",
    "money": r"^\s*(?:dollars?|bucks?|cents?|euros?|pounds?|usd|kr|%|percent)\b",
    "time of day": r"^\s*(?:a\.?m\b|p\.?m\b|o['’]clock|:\d\d)",
    "text part after": rf"^\s*(?:[^\W\d]+\s+)?{_TEXT_PART}\b",
    "ago": r"^\s*(?:years?|days?|months?)\s+(?:ago|old|later)\b",
    "and follows": r"^\s*(?:[^\W\d]+\s+){0,3}and\b",
    "or follows": r"^\s*(?:[^\W\d]+\s+){0,2}or\b",
    "because": r"^[^.]{0,30}\b(?:because|since)\b",
    "preposition after": r"^\s*(?:[^\W\d]+\s+){0,3}(?:for|from|at|with|by|on)\b",
}
# what its sentence says
SENTENCE = {
    "concludes": (
        r"^\W*(?:so|therefore|thus|hence|consequently|finally|in\s+(?:conclusion|total|all|the\s+end|short)|altogether|overall|that['’]?s"
        r"|that\s+(?:is|makes)|this\s+(?:gives|makes|means)|∴)\b"
    ),
    "says answer": rf"\b{_ANSWER}\b",
    "answer line": rf"^\W*(?:(?:the|my|final|so|and)\s+)*{_ANSWER}\s*[:=–—-]",
    "checks": r"\b(?:check|verify|verification|proof|double-check\w*|plug\w*|substitut\w*)\b",
    "tells a difference": (
        r"\b(?:more|fewer|less|higher|lower|older|younger|longer|shorter|taller|cheaper|better|up|down)\s+(?:than|from)\b"
        r"|\b(?:increase|decrease|rise|drop|difference|gain|saving)s?\s+of\b"
    ),
    "asks": r"\?\W*$",
    "leads on": r":\W*$",
    "calculates": (
        rf"\d{UNIT}\s*(?![-–]\s*\d+\s[^\W\d]){OPERATION}\s*[\($€£]?\s*\d"
        r"|\w\s(?:times|plus|minus|multiplied\s+by|divided\s+by)\s\w"
    ),
    "counts text": r"\b(?:word|letter|character|line|sentence)s?\s+count\b|\bwords\b|\bsentences\b|\bparagraphs?\b",
    "says total": rf"\b{_TOTAL}\b",
    "remark": (
        r"^\W*(?:note|fun\s+fact|did\s+you\s+know|tip|p\.?\s?s|bonus|by\s+the\s+way|btw|hope|thank|happy|dear|remember|please|fact"
        r"|disclaimer)\b"
    ),
    "about the reply": (
        r"\b(?:my|this|the|your|whole|entire)\s+(?:response|reply|answer|message|letter|essay|text|poem|paragraph|section)s?\b"
        r"[^.]{0,30}\b(?:contains?|has|have|uses?|with|keeps?|consists|counts?)\b"
    ),
    "hesitates": r"\b(?:wait|actually|correction|oops|sorry|hold\s+on|scratch|hmm|kidding|recount\w*|fix)\b",
    "hypothetical": (
        r"\bif\b[^.]*\b(?:would|could|might)\b|\b(?:would|could)\s+have\b|['’]d\s+(?:be|have|need|get|owe|earn|pay)\b|\bhad\b[^.]*\bwould\b"
        r"|\bwould\b[^.]*\bif\b"
    ),
    "aside": (
        r"\bnot?\s+(?:what\s+(?:was|is)\s+)?asked\b|\b(?:not|n['’]t)\s+(?:the|my|our|your)\s+question\b|\bby\s+the\s+way\b|\bincidentally\b"
        r"|\bfor\s+(?:fun|comparison|reference|context)\b|\bin\s+case\s+you\b|\bif\s+you\s+(?:want|care|wonder|prefer|like|need)\b|\bbonus\b|\bfyi\b"
    ),
    "tried": (
        r"\btoo\s+(?:small|big|few|many|much|low|high|large|little|short|long)\b|\b(?:does|do|did)(?:n['’]t"
        r"|\s+not)\s+(?:fit|work)\b"
    ),
    "asks for a number": (
        r"\b(?:once|as\s+soon\s+as|when)\s+(?:I|you)\s+(?:have|know|get|send|tell)\b"
        r"|\b(?:could|can|would|please)\s+(?:you\s+)?(?:tell|send|give|provide|share)\b"
    ),
    "offers": (
        r"\b(?:let\s+me\s+know|feel\s+free|i\s+hope|would\s+you\s+like|want\s+me\s+to|anything\s+else"
        r"|happy\s+to|glad\s+to)\b"
    ),
    "names the question": (
        r"\b(?:you\s+(?:asked|wanted|want)|the\s+question\s+(?:is|was|asks|asked|wants)|asked\s+(?:for|about|how)"
        r"|(?:what|number|amount|figure)\s+(?:we|you)(?:['’]re|\s+(?:are|were))\s+looking\s+for)\b"
    ),
    "each in sentence": r"\b(?:each|every|per|apiece)\b",
    "general": r"^\W*(?:an?(?!\s(?:third|quarter|half|fifth|tenth|total))|most|some|many|people|did\s+you)\s",
}
# cues that count when both hold, and when the first holds without the second
TOGETHER = (
    ("announced", "given"),
    ("answer line", "only"),
    ("answer line", "last in sentence"),
    ("announced", "no other value"),
    ("equals", "given"),
    ("equals", "used later"),
    ("equals", "goes into a later one"),
    ("made", "may or must"),
    ("opens", "may or must"),
    ("acts", "first in sentence"),
    ("after a claim", "gives"),
    ("bare", "opens"),
    ("hypothetical", "premise"),
    ("hypothetical", "not given"),
    ("tried", "last with numbers"),
    ("first in sentence", "opens"),
    ("is", "last in sentence"),
    ("labelled", "only"),
    ("labelled", "made"),
    ("last in sentence", "made of all others"),
    ("first in sentence", "made of all others"),
    ("last made", "last in passage"),
    ("made", "last with numbers"),
    ("made", "so"),
    ("only", "last in passage"),
    ("opens", "only"),
    ("opens", "premise"),
    ("says a result again", "last in passage"),
    ("says a result again", "only"),
    ("shares no word", "general"),
)
WITHOUT = (
    ("equals", "left of equals"),
    ("later passage", "of the load"),
    ("hypothetical", "first with numbers"),
    ("hypothetical", "says most of what is asked"),
    ("said again", "calculates"),
)
POINTS: dict[str, int] = json.loads(Path(__file__).with_name("number_cue_points.json").read_text(encoding="utf-8"))
"""What each cue adds to a number, or to that there is no answer; fitted by `benchmarks/number_cue_points.py`."""
