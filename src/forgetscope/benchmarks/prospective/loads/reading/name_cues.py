"""The cues by which the answer is found among the names of a reply: patterns, and what each cue is worth."""

import json
from pathlib import Path

ANSWER_IS = (
    r"\b(?:answers?|response|solution|respuesta|réponse|antwort)\b(?:(?:\s+(?:to|for|of|in|on|at|used|given|here|i|you|we|that"
    r"|therefore|then|\w+ly)\b[^.\n:=?]{0,80}?|\s*)\b(?:is|was|are|would\s+be|must\s+be|should\s+be|est|es|ist)\b\s*:?"
    r"|[^.\n:=?]{0,60}?[:=→—–]|\s+-)\s*|\\boxed\s*\{\s*(?:\\text\s*\{)?|^\s*A\s*:\s*|####\s*"
)
_ARTICLE = (
    r"(?:\s+(?:the|an?|actually|really|in\s+fact|indeed|of\s+course|probably|simply|just|only|also|sir|mount|mr|king"
    r"|queen|president|captain|planet))*"
)
_SAYING = "".join(
    rf"(?<!\b{verb}\s)"
    for verb in ("you", "say", "said", "know", "think", "believe", "sure", "certain", "remember", "guess", "note")
)
_END = r"\s*[\"'“‘(*]*$"

# what stands before a name in its sentence
BEFORE = {
    "begins": r"^\W*(?:the\s+|an?\s+|in\s+|at\s+|by\s+|on\s+)*$",
    "after a lead": (
        r"^\W*(?:(?:well|yes|sure|oh|ok|okay|so|ah|um|hmm|easy|simple|certainly|of\s+course|i\s+(?:think"
        r"|believe|guess|would\s+say|know|say)|i'd\s+say|i'm\s+\w+\s+sure"
        r"|probably|maybe|perhaps|definitely|it|that|this|he|she|they|there|is|was|were|are|be|would|must"
        r"|has\s+to|'s|will|the|an?)\b\W*)+$"
    ),
    "is": rf"(?:\b(?:is|was|are|were|be|been|being|it['’]?s|es|est|ist|é|è)|['’]s){_ARTICLE}{_END}",
    "it is": rf"\b(?:it|that|this|he|she)(?:['’]s|\s+(?:is|was|would\s+be|must\s+be|has\s+to\s+be)){_ARTICLE}{_END}",
    "the one is": (
        rf"\bthe\s+(?:(?:right|correct|only|other)\s+)?(?:one|winner|latter)\b[^.;,]{{0,60}}\b(?:is|was|are|were|goes\s+to)\b{_ARTICLE}{_END}"
    ),
    "is such a": rf"\b(?:it|that|this|he|she)(?:['’]s|\s(?:is|was))\s(?:an?|the)(?:\s+(?!not\b)[a-z]+){{1,3}}{_END}",
    "called": (
        rf"\b(?:(?:called|named|calling)(?:\s+\w+sel(?:f|ves))?|titled|entitled|known\s+as|spelled|namely|i\.e\.,?|that\s+is(?:\s+to\s+say)?,|in\s+other\s+words,?|(?:in|auf|en)\s+(?:english|englisch|anglais|inglés)[:,]?|that\s+is,?"
        rf"|as\s+in){_ARTICLE}{_END}"
    ),
    "announced": rf"(?:{ANSWER_IS}){_ARTICLE}{_END}",
    "colon": rf"[:=→—–]{_ARTICLE}{_END}|\s-{_ARTICLE}{_END}",
    "by": rf"\bby{_ARTICLE}{_END}",
    "of": rf"\bof{_ARTICLE}{_END}",
    "in or at": rf"\b(?:in|at|on|into|within|inside)(?:\s+(?:early|late|about|around))?{_ARTICLE}{_END}",
    "in a capital place": r"\b(?:in|at|near|from|outside|around)\s(?:the\s)?(?:(?!(?:In|At)\b)[A-Z][\w'’.]*,?\s)*$",
    "done by": (
        rf"\b(?:was|were|is|are|been|be)\s(?:\w+ly\s)?\w+(?:ed|en|ld|nt|wn|de|ought|ung|unk|ound)\s(?:by|in|at|on|from|to){_ARTICLE}"
        rf"(?:\s[\w-]+){{0,2}}{_END}"
    ),
    "with": rf"\b(?:with|alongside|together\s+with|and\s+then|plus|featuring|including|such\s+as){_ARTICLE}{_END}",
    "beside": (
        rf"\b(?:beyond|near|behind|beside|besides|opposite|next\s+to|close\s+to|across\s+(?:[\w ]+\s)?from"
        rf"|outside|above|below|under"
        rf"|(?:north|south|east|west|ahead|short|capital|instead|out)\s+of|around|past|between|among|along"
        rf"|bordering|borders|neighbou?rs?|towards?){_ARTICLE}{_END}"
    ),
    "compared": (
        rf"\b(?:than|like|unlike|as\s+\w+\s+as|similar\s+to|compared\s+(?:to|with)|resembl\w+|versus|vs\.?"
        rf"|equivalent\s+(?:of|to)|related\s+to"
        rf"|confused\s+with|mistaken\s+for|mixed\s+up\s+with|opposed\s+to|contrary\s+to|rival\w*"
        rf"|counterpart){_ARTICLE}{_END}"
    ),
    "in order": (
        rf"\b(?:before|after|until|since|follow(?:s|ed|ing)(?:\s+by)?|precede[sd]?(?:\s+by)?|succeed(?:s"
        rf"|ed)(?:\s+by)?|replaced|beats?|beating|tops|outranks|exceeds|outdoes|trumps|defeated|over(?:took|taken)|surpassed"
        rf"|inspired\s+by|influenced\s+by|based\s+on|taught\s+by|married(?:\s+to)?|later|earlier"
        rf"|years?\s+after){_ARTICLE}{_END}|>{_END}"
    ),
    "relation": (
        rf"\b(?:son|daughter|friend|wife|husband|brother|sister|father|mother|rival|student|teacher|pupil"
        rf"|successor|predecessor|colleague|reverse|opposite|inverse|cousin|ancestor|version|imitation|copy|suburb|twin|moon"
        rf"|neighbou?r|fan|assistant)s?\s+(?:of|to|was|is)?{_ARTICLE}{_END}"
    ),
    "denied": (
        r"(?:\b(?:not|never|nor|neither|no(?:\s+(?:longer|way|chance))?|rather\s+than|instead\s+of|isn['’]?t|cannot|without"
        r"|except|apart\s+from|forget|ignor\w+|dismiss\w*|discard\w*|exclud\w+|eliminat\w+|reject\w*"
        r"|(?:rul|cross|strik)\w*\s+out)\b|n['’]t\b)"
        r"(?:\s+(?:be|been|by|in|for|at|on|to|from|of|that|with|quite|mind|true|say(?:ing)?|(?:think|believe|true|say|way|case"
        rf"|chance)(?:\s+that)?\s+it(?:['’]s|\s+(?:is|was))|\w+ed|\w+ly|call(?:ed)?))*{_ARTICLE}{_END}"
        r"|\b(?:no\s+way|no\s+chance|not\s+a\s+chance|refuse\s+to\s+believe|(?<!no\s)(?<!a\s)(?<!without\s)doubt)(?:\s+that)?\s+it(?:['’]s|\s+(?:is|was))"
        rf"{_ARTICLE}{_END}"
    ),
    "denied in clause": r"(?:\b(?:not|never|nor|neither|cannot|no|nothing|nobody|aside)\b|n['’]t\b)[^,;:.()—]*$",
    "but after a denial": r"\b(?:not|no|n['’]t)\b[^.;]*\b(?:but|it['’]s|rather)\b[^.;,]{0,40}$",
    "other than": rf"\b(?:none|other|else|but)\s+(?:other\s+)?(?:than|but){_ARTICLE}{_END}",
    "others say": (
        r"\b(?:(?:many|most|some|others?|people|folks)\b(?!\s+of\b)|they\s+(?:say|think|call)|every(?:one|body)|any(?:one|body)|nobody|a\s+few"
        r"|commonly|often|popular\w*|obvious|wrongly|erroneously|mistak\w+|(?:myth|misconception|used\s+to)|rumou?rs?|legend|you['’]d"
        r"|(?:you|one|it)\s+(?:may|might|would|could)|name\s+suggests|sounds?\s+like|tempt\w+|confuse\w*|assume\w*"
        r"|expect\w*|(?<!\bi\s)(?<!['’]d\s)(?<!['’]ll\s)(?:says|said|told|tell|thinks|claims|insists|shouts?|answers|answered|blurt"
        r"|guess(?:es)?|names?))\b[^.;:]*$"
    ),
    "in brackets": r"\([^()]*\w[^()]*$",
    "first thought": (
        r"\b(?:at\s+first|initially|(?:first|initial)\s+(?:time|thought|guess|instinct|answer)|i\s+(?:first|previously)|i\s+(?:thought"
        r"|considered|used\s+to)|i['’]d\s+have|(?:would|had|could)\s+(?:\w+\s+)?(?:have|been)|(?:was|were)\s+(?:going|about)\s+to"
        r"|asked\s+me|(?:almost|nearly)\s+\w+|keep\s+\w+ing|if\s+(?:it|the)|see\s+why|above|earlier|previously)\b[^.;:]*$"
    ),
    "that other": (
        r"\b(?:no|not|wrong|sorry|wait|oops|hang\s+on|hmm)\b[^.;]{0,40}\b(?:that|he|she|they)"
        r"(?:['’](?:s|re)|\s+(?:is|was|are|were|would\s+be))[^.;]*$"
    ),
    "leans": (
        r"\b(?:go(?:ing)?\s+(?:with|for)|settled?\s+(?:on|for)|stick(?:ing)?\s+(?:with|to)|commit\w*\s+to|left\s+with|pick|vote"
        r"|bet|money\s+on|writ(?:e|ing)(?:\s+down)?|mean|meant|choose|lean(?:ing)?\s+(?:to|towards?)|i(?:['’](?:d|ll)|\s+(?:would|will))\s+(?:\w+\s+)?say"
        rf"|i\s+said|has\s+to\s+be|must\s+be|got\s*ta\s+be|(?:belongs|goes)\s+to){_ARTICLE}{_END}"
    ),
    "over another": (
        r"\b(?:say|pick|choose|prefer\w*|take|beats|trust|edges\s+out|sure|answer)\b[^.;]{0,40}"
        rf"\b(?:over|beats|out){_ARTICLE}{_END}"
    ),
    "labelled wrong": (
        r"\b(?:wrong|incorrect|possible|candidates?|plausible|options?|considered|common|obvious|people['’]s|popular|tempting|runner-?up|rejected|not|first|previous|old|second"
        r"|next|later|other|former|friends?|related)\b"
        r"[^.:\n]{0,30}:\W*$"
    ),
    "maybe": r"\b(?:maybe|perhaps|possibly|might|could|may|probably|likely|either|wonder|if)\b[^.;,]{0,40}$",
    "and before": rf"(?:\band|&|,\s*and){_ARTICLE}{_END}",
    "comma before": rf",{_ARTICLE}{_END}",
    "but": r"\b(?:but|however|yet|actually|in\s+fact|in\s+reality|really|though|instead)\b[^.;]{0,60}$",
    "so": (
        r"\b(?:so|therefore|thus|hence|in\s+(?:short|the\s+end)|finally|which\s+(?:makes|means|leaves)|leaving"
        r"|leaves|that['’]s|i\.e\.?)\b[^.;]{0,50}$"
    ),
    "before then": (
        r"\b(?:before|previous\w*|prior|until|up)\s*(?:to\s+)?(?:that|then|this)?\b[^.;:]{0,25}\b(?:it|that|this|there|he|she)?\s*(?:had|was|were)\b[^.;:]{0,15}$"
        r"|\bused\s+to\s+be\b[^.;:]{0,15}$|\b(?:had|has)\s+been\b[^.;:]{0,15}$"
    ),
    "after turning back": (
        r"\b(?:wait|actually|correction|sorry|scratch\s+that|hold\s+on|oops|no,|all\s+right|let\s+me"
        r"|on\s+second\s+thou?ghts?|i\s+mean|rather|make\s+that|hang\s+on)\b[^.]{0,60}$"
    ),
    "subordinate": (
        r"\b(?:which|who|whom|whose|where|while|whereas|although|though|unlike|despite|if|when|since|because|(?<!known\s)as"
        rf"|(?<=\w\s){_SAYING}that(?!['’]\w|\s+(?:is|was|would|it)))\b"
        r"(?!\s+\w+(?:\s+\w+){0,6}?\s+(?:is|was|are|were)(?:\s+(?:the|an?|called))?\W*$)[^,;:.()—]*$"
    ),
    "sentence concedes": (
        r"^\W*(?:while|whereas|although|though|unlike|despite|if|even\s+though|besides|apart\s+from"
        r"|in\s+addition\s+to|contrary\s+to|many|most|some|people)\b[^,]*$"
    ),
    "in quotes": r"(?:^|\s)[\"“‘'][^\"”’]{0,40}$",
    "list item": r"^\s*(?:[-*•+–]|\d{1,2}[.)])\s*$",
    "labelled": r"^[^:.]{1,60}:\s*[\"'“(*]*$",
    "other time": (
        r"\b(?:today|now|modern|current|formerly|then|later|at\s+birth|newborn|first|originally"
        r"|ancient)\b[^.;,]{0,40}$"
    ),
    "capital before": r"[A-Z][\w'’-]*\s$",
    "lower before": r"[a-z]\s+$",
    "hyphen before": r"[^\W\d]-$",
    "kind of it": r"\b[a-z]+-[a-z]+(?:ed|ing|n)\s$",
    "says role": (
        r"\b(?:starr(?:ed|ing)|acted|act(?:or|ress)|script|screenplay|music|novel|cast|produc(?:ed|er)"
        r"|assist\w*|help\w*|studied|guest|cameo|cover(?:ed)?|portrait|statue|stripes?)\b[^.;]{0,40}$"
    ),
    "my own": r"\b(?:my|mine|i\s+(?:have|had|am|was|own|want|live|lived|saw|like|love|visited|met))\b[^.]*$",
}
# what stands after it
AFTER = {
    "is follows": r"^[\"'”’)*]*(?:\s+(?:is|was|are|were|has|had|remains)\b(?!\s*n['’o]t)|['’]s\s+(?:the|an?)\b)",
    "verb follows": (
        r"^[\"'”’)*]*\s+(?:[a-z]+ed|[a-z]{3,}s|won|wrote|made|sang|built|led|gave|took|held|sank|fell|found"
        r"|discovered|came|did|does)\b"
    ),
    "does it": r"^[\"'”’)*]*\s+(?:\w+\s+)?\w{3,}\s+(?:it|them)\b(?!['’])",
    "is the answer": (
        r"^[\"'”’)*]*\s+(?:is|was)\s+(?:the\s+)?(?:\w+\s+)?(?:answer|correct|right|one|who|what|name|called|only"
        r"|candidate|it)\b|^\s+(?:does|did|is|was|has|can|will)\s*(?=[,.;!]|$)|^[\"'”’)*]*\s+instead\b|^[^.]{0,20}\bthat['’]s\s+(?:the|my|it)\b"
    ),
    "possessive": r"^['’]s?\s+(?!the\b|an?\b|it\b)\w",
    "or after": r"^[\"'”’)*]*,?\s+or\b",
    "and after": r"^[\"'”’)*]*,?\s+(?:and|&)\s",
    "no longer": r"^[\"'”’)*]*,?\s+(?:used\s+to|was\s+once|formerly|no\s+longer|until)\b",
    "for a time": (
        r"^(?:(?!\b(?:and|but)\b)[^.;,]){0,40}?\b(?:(?:un)?till?\b|for\s+(?:a\s+(?:short\s+|long\s+)?(?:while|time)|(?:some|many|several|\w+)\s+(?:years|decades|centuries))"
        r"|before\s+(?:that|then)|originally|formerly|at\s+the\s+time|back\s+then|at\s+one\s+point)\b"
    ),
    "comma follows": r"^[\"'”’)*]*,",
    "denied after": (
        r"^(?:(?!\b(?:and|but|which|who|while|or)\b)[^.;,]){0,40}?(?:\b(?:is|was|were|did|does|do|has|had|are|would|could|can)(?:n['’]t|\s+not"
        r"|\s+never)\b|\bcannot\b"
        r"|\b(?:is|was)\s+(?:wrong|mistaken|incorrect|out|false|a\s+(?:myth|mistake|common))\b|\s(?:came|was"
        r"|is)\s+(?:later|earlier|second|next|third|only)\b|\b(?:ruled|crossed)\s+out\b|\b(?:excluded|eliminated)\b"
        r"|\bnever\s+was\b|\bnothing\s+to\s+do\b|^\s+aside\b|\bbe\s+damned\b)"
    ),
    "came later": (
        r"^[^.;,]{0,30}\b(?:later|second|next|third|runner-up|followed|afterwards|only|merely|just"
        r"|comes?\s+close|close\s+behind)\b"
    ),
    "others say so": (
        r"^[^.;]{0,40}?\b(?:people|many|most|some|folks|tempting|plausible|mind|glance|(?:I['’]d|would)\s+have|would\s+(?:be|cost)"
        r"|common\w*|often|mix-?up|mistak\w+|confus\w+|guess\w*|deserves|popular|feeling|instinct|first\s+\w+|nearly|almost|distant|runner)\b"
    ),
    "ends sentence": r"^[\"'”’)*\]]*\s*[.!]*\W*$",
    "ends clause": r"^[\"'”’)*\]]*\s*[,;:.()—]",
    "hyphen after": r"^-\w",
    "capital after": r"^\s[A-Z]",
    "lower noun after": (
        r"^\s+(?!is|was|and|or|in|of|are|has|for|with|by|to|as|at|on|that|which|who|because|were|had)[a-z]{3,}"
    ),
    "lower noun ends": r"^\s[a-z]{4,}\W*$",
    "asked": r"^[^.!;]*\?",
    "took back": (
        r"^[^\n]{0,25}?(?:\b(?:wait|no[,.]|actually|sorry|scratch|correction|oops|hold\s+on|i\s+mean|rather"
        r"|hmm)\b|(?:\.\.\.|…)\s*\w)"
    ),
    "ticked": r"^[^\n]{0,40}(?:✅|✔|✓|☑)",
    "crossed": r"^[^\n]{0,40}(?:❌|✗|✘)",
    "yes follows": (
        r"^[\"'”’)*]*\s*[:,(—–-]\s*(?:yes|correct|right(?!\s+\w)|that['’]s\s+(?:it|right|the\s+one))\b|^\s+it\s+(?:is"
        r"|was)\b\W*$"
    ),
    "no follows": r"^[\"'”’)*]*\s*[:,(—–-]\s*(?:(?:no|not)(?=\W*(?:[.,;!)]|$))|(?:nope|wrong|incorrect)\b)",
    "role follows": (
        r"^[^.;:]{0,40}?,?\s+(?:being|as|comes?|came|was|is)\s+(?:the\s+)?(?:second|third|next|other|later"
        r"|runner)\b"
    ),
    "but follows": r"^[^.;]{0,60}\b(?:but|however|though|although|whereas|while|yet)\b",
    "in translation": (
        r"^[\"'”’)*]*,?\s+(?:in\s+english(?=\s*(?:[.,;)!]|$|\bor\b|\band\b))|or\s+[\w ]+\s+in\s+\w+\b)"
        r"|^[^.]{0,12}\b(?:as\s+)?(?:you['’]d|we|you|they|the\s+english)\s+(?:say|call)\b"
    ),
}
# what its sentence says
SENTENCE = {
    "question": r"\?\W*$",
    "other heading": (
        r"^\W*(?:(?:for|as\s+for|regarding)\s+(?:the|your)\s+)?(?:my\s+|a\s+|your\s+)?(?:\w+\s+){0,3}?"
        r"(?:story|poem|haiku|essay|letter|blog|itinerary|title|resume|résumé|limerick|song|e-?mail|fun\s+fact"
        r"|tips?|list|recipe|riddle|joke|speech|sights?|places|things|trip|plan|see\s+also"
        r"|visit)\b[^:\n]{0,40}:"
    ),
    "about oneself": (
        r"\b(?:my|mine)\b(?!\s+(?:\w+\s+)?(?:answer|guess|final|dear|best|first|lord|liege|lady|friend|good|hearty))|\bI\s+(?:have|had|am|was|own"
        r"|want|live|lived|saw|like|love|met)\b"
    ),
}
# what the whole text says where it gives no answer
NO_ANSWER = {
    "refuses": (
        r"\b(?:can(?:['’]t|not)\s+(?:\w+\s+)?(?:answer|say|tell|help|share|recall|remember|determine)|unable"
        r"|don['’]t\s+(?:\w+\s+)?(?:know|remember|recall|have(?!\s+an?\b))|no\s+idea|not\s+sure|won['’]t|sorry|unknown"
        r"|nobody\s+knows)\b"
    ),
    "either or": r"\beither\b[^.;\n]{1,60}\bor\b",
    "takes it back": r"\b(?:take\s+(?:that|it)\s+back|mixed\s+up|my\s+mistake|scratch\s+that|i\s+was\s+wrong)\b",
    "leaves it open": (
        r"\bwhich\s+(?:one\s+)?of\b|(?:\bnot|n['’]t)\s+(?:\w+\s+){0,2}(?:sure|certain|know|tell|say|recall|remember)\s+(?:which|who|if"
        r"|whether)\b|\b(?:one|any|either|all|none)\s+of\s+(?:those|these|them)\b|\bnarrow\b|\btake\s+your\s+pick\b|\bhard\s+to\s+(?:say|choose)\b"
        r"|(?:\bnot|n['’]t)\s+(?:\w+\s+){0,2}(?:decide|choose|pick|settle|make\s+up)\b|\btoss[-\s]?up\b|\bone\s+(?:or\s+the\s+other|of\s+(?:those|these|them|the\s+(?:two|three|four)))\b(?=\W*(?:$|\n))|\b(?:between|among)\s+(?:those|these|them|the\s+(?:two|three))\b"
    ),
}
AFFIRMED = frozenset(
    ("asked label", "does it", "is the answer", "announced", "ticked", "yes follows", "leans", "but after a denial")
)
DENIED = frozenset(
    (
        "denied",
        "denied after",
        "no follows",
        "crossed",
        "others say",
        "others say so",
        "first thought",
        "labelled wrong",
    )
)
"""Cues that a name is given as the answer, and that it is said not to be it."""
# cues that count when both hold
TOGETHER = (
    ("most asked words", "only of its kind"),
    ("in a capital place", "asked who"),
    ("short reply", "lower noun ends"),
    ("begins", "first sentence"),
    ("begins", "ends sentence"),
    ("begins", "possessive"),
    ("is", "most asked words"),
    ("in or at", "begins"),
    ("last", "so"),
    ("is", "subordinate"),
    ("last", "is"),
    ("alone names what is asked", "own"),
    ("last", "but"),
    ("others before", "but"),
    ("others before", "denied in clause"),
    ("subordinate", "others before"),
    ("comma before", "ends clause"),
    ("denied", "only of its kind"),
    ("asked label", "others before"),
    ("another opens the reply", "called"),
    ("in a series", "own"),
    ("alone in its clause", "own"),
    ("alone in its clause", "others before"),
    ("alone in its clause", "last"),
    ("opens the reply", "comma follows"),
    ("comma follows", "first"),
    ("capital after", "own"),
    ("own", "only of its kind"),
    ("own", "others before"),
    ("own", "and after"),
    ("own", "and before"),
    ("own", "or after"),
    ("announced", "last announced"),
    ("bare line", "others before"),
    ("question", "only of its kind"),
    ("asked", "only of its kind"),
)
POINTS: dict[str, int] = json.loads(Path(__file__).with_name("name_cue_points.json").read_text(encoding="utf-8"))
"""What each cue adds to a name, or to that there is no answer; fitted by `benchmarks/name_cue_points.py`."""
