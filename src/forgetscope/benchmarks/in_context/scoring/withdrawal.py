"""Whether a reply denies what it mentions, or mentions it only as taken back."""

import re

from forgetscope.core.refusals import acknowledges_forgetting
from forgetscope.mentions.same_wording import folded, mentions
from forgetscope.mentions.spelled import is_slip

_CLAUSES = re.compile(
    r"[.!?](?=\s|$)|[,:](?=\s|$)|[;()\n]|\s[-–]\s|—|\b(?:but|though|although|since|because|so)\b"
    r"|(?<!just )\bas(?= (?:i|you|we|he|she|it|they|this|that|per|far|asked|requested)\b)",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[.!?](?=[\s)]|$)|\n")
_NOT = r"(?:not|never|isn't|wasn't|aren't|weren't|no longer|rather than|instead of|other than)"
_FILLERS = r"(?: (?:an?|the|your|my|his|her|actually|really|called|in|from|at|to|on|of|necessarily|named|be|as|for))*"
_NOT_DOING = (
    r"(?:don't|doesn't|didn't|do not|does not|did not|never|aren't|are not|not|haven't|have not)(?: (?:actually"
    r"|really|ever))?"
    r" (?:speak|work as|follow\w*|support\w*|want\w*|like\w*|love\w*|play\w*|read|earn\w*|live|come from|study"
    r"|studied|plan\w*"
    r"|build\w*|born|own\w*|eat\w*|go\w*|make|be)(?: (?:to|in|as|for|from|up|at|and|raised|build|open|a line by))*"
)
_OWNER = (
    r"(?:husband|wife|partner|colleague|cousin|father|dad|mother(?! tongue)|mum|mom|sister|brother|son|daughter"
    r"|friend|neighbour"
    r"|boss|flatmate|classmate|someone else|somebody else|(?:another|other) (?:person|man)|co-dev|old office"
    r"|evening class)"
)
_TAKEN_BACK = re.compile(
    r"\b(?:took|taken|take|taking)(?: (?:it|that|this|them))? back\b|\b(?:retract|withdr[ae]w|recant)\w*"
    r"|\bcorrect(?:ed|ion)\b"
    r"|\b(?:clarified|confessed|admitted|owned up)\b|\b(?:joking|kidding|pretending|joke|in jest|winding me up"
    r"|wind-?up)\b"
    r"|\b(?:asked|told|wanted|want) (?:me |us )?to (?:drop|ignore|disregard|scrap|forget|discard|strike|wipe)\b"
    r"|\btale\b|\ba slip\b|\bto (?:sound|seem) \w+\b|\b(?:leave|left|leaving) (?:it |that |them )?out\b|\bnonsense\b"
    r"|\bmade (?:it|that|this) up\b|\bmistake\b|\bmistaken\b|\bmixed (?:it "
    r"|that )?up\b"
    r"|\bmix-up\b|\bmixing\b|\bmuddled?\b|\bconfused\b|\bin error\b|\ban error\b|(?<!if i'm )(?<!not )\bwrong\b"
    r"|\bincorrect\b"
    r"|\buntrue\b|\bfalse\b|\binaccurate\b|\bno longer (?:holds?|valid|counts?|appl\w+|stands?|true)\b"
    r"|\b(?:does|did|do)(?:n't| not) (?:count|hold|apply|stand|belong|open)\b"
    r"|(?:\bnot|n't)(?: actually| really| in fact)? (?:yours?|mine|true|right|so|the case|correct|set|fixed|real"
    r"|accurate)\b"
    r"|\b(?:asking|filling (?:it|this|that) in|speaking) (?:for|on behalf of)\b|\bfor (?:someone|somebody) else\b"
    rf"|\b(?:is|was|are|were|it's|that's|belongs? to|of)(?: actually| really)?(?: what)? (?:your|the"
    rf"|an?)? ?(?:\w+ ){{0,4}}?{_OWNER}\b"
    rf""
    rf"|\b{_OWNER}(?:'s|s') (?:plan|project|idea|club|team|age|degree|cv|language|dream|wish|goal|job|payslip|code"
    rf"|one)\b",
    re.IGNORECASE,
)
"""Says that the statement was false, or somebody else's."""
_REPORTED = re.compile(
    r"\b(?:you|i|you'd|you've|i'd|user)\b(?: \w+){0,3}? (?:said|told|mentioned|claimed|stated|named|gave|typed|listed"
    r"|called|described|wrote|referred|quoted|estimated|suggested|brought up|introduced)\b"
    r"|\b(?:earlier|previous|first|original|initial) (?:statement|figure|claim|answer|sum|estimate|mention)\b",
    re.IGNORECASE,
)


_ASSERTS = r"\b(?:i'd say|i would say|so it's|but it's|still|the answer is)\W+(?:\w+\W+){0,3}"
_OTHERS = rf"(?:(?:some|other|many|most|several) (?:people|cooks|chefs|folks|families)|others|(?:your|my|the) {_OWNER})"
_ASKED_AND_DENIED = re.compile(r"(?<![^.!?\n])[^.!?\n]+\?+\s*(?=(?:no|nope)\b)", re.IGNORECASE)


def is_denied(text: str, wording: str) -> bool:
    """Whether every clause of a text that mentions a wording denies it.

    >>> is_denied("You are not a taxidermist.", "taxidermist"), is_denied("Not that: Basque.", "Basque")
    (True, False)
    """
    wanted = re.escape(folded(wording))
    denial = re.compile(
        rf"\b{_NOT}{_FILLERS} {wanted}(?= |$)"
        rf"|(?:^| ){wanted} (?:\w+ ){{0,2}}?(?:isn't|wasn't|aren't|weren't|is not|was not|are not|were not|no longer)\b"
    )
    return _everywhere(text, wording, denial)


def without_rejected(text: str) -> str:
    """A text without the questions that it answers with no.

    >>> without_rejected("39? No, 49.")
    'No, 49.'
    """
    return _ASKED_AND_DENIED.sub("", text)


def is_of_others(text: str, wording: str, asked: str = "") -> bool:
    """Whether every clause of a text that mentions a wording says it of somebody else, whom nobody asked about.

    >>> is_of_others("It is Spanish; your mother speaks Basque.", "Basque")
    True
    >>> is_of_others("You speak Basque with your mother.", "Basque")
    False
    """
    wanted = re.escape(folded(wording))
    return not re.search(_OWNER, asked) and _everywhere(
        text,
        wording,
        re.compile(rf"^{_OTHERS}\b(?: \w+){{0,4}}? {wanted}(?= |$)|(?:^| ){wanted} (?:\w+ ){{0,3}}?by {_OTHERS}\b"),
    )


_BESIDE = (
    r"(?:unlike|than|nearly as|just like|a (?:bit|lot|little) like|much like|(?:close|closer|similar|akin"
    r"|related|next|equal) to|borders? on"
    r"|bordering on|in common with|(?:relative|sibling|cousin|rival|neighbour|successor|predecessor"
    r"|counterpart) (?:of|to)|instead of"
    r"|(?:followed|preceded) by|reminiscent of|reminds \w+ of|resembles|like|same \w+ (?:\w+ )?as"
    r"|by the same \w+ as|just as"
    r"|works? (?:next to|with|alongside)|(?:hours?|miles?|minutes?|km|boat|road|far|away|train) from"
    r"|not far from|near|alternative to|compared to|before|after)"
)
_BESIDE_AFTER = (
    r"(?:would have been|is the one you (?:decided|turned|ruled|gave)|was (?:the|an) (?:alternative|other"
    r"|runner)|comes? second|(?:is|are) (?:a )?further"
    r"|came (?:second|later)|was second|is another)"
)


def is_beside(text: str, wording: str) -> bool:
    """Whether every clause of a text that mentions a wording only compares something else with it.

    >>> is_beside("The Caro-Kann. It is close to the Scandinavian.", "Scandinavian"), is_beside("Basque.", "Basque")
    (True, False)
    """
    wanted = rf"(?: (?:an?|the|your|its|that|one|some|other))* {re.escape(folded(wording))}(?= |$)"
    apart = r"(?<!you )(?<!i )(?<!d )(?<!would )(?<!to )"
    beside = rf"\w.*{apart}\b{_BESIDE}{wanted}|^(?:much |just )?{_BESIDE}{wanted}"
    return _everywhere(
        text, wording, re.compile(rf"{beside}|(?:^| ){re.escape(folded(wording))} (?:\w+ ){{0,2}}?{_BESIDE_AFTER}")
    )


_ORDINARY = frozenset(
    [
        "the",
        "a",
        "an",
        "your",
        "my",
        "his",
        "her",
        "our",
        "their",
        "its",
        "it",
        "is",
        "was",
        "for",
        "to",
        "of",
        "in",
        "on",
        "at",
        "by",
        "and",
        "or",
        "but",
        "i",
        "you",
        "we",
        "he",
        "she",
        "they",
        "this",
        "that",
        "dear",
        "no",
        "yes",
        "so",
        "then",
        "well",
        "sure",
        "here",
        "try",
        "ask",
        "say",
        "call",
        "project",
        "terrier",
        "marathon",
    ]
)


def is_another_name(text: str, wording: str, value: str) -> bool:
    """Whether a text gives a part of a full name everywhere with another name beside it: "Isaura Pendragon".

    >>> is_another_name("Isaura Pendragon", "Isaura", "Isaura Penhallow")
    True
    >>> is_another_name("Isaura, I think.", "Isaura", "Isaura Penhallow")
    False
    """
    words = folded(value).split()
    own = folded(wording).split()
    if len(words) < 2 or not own or own == words or not set(own) < set(words) or value != value.title():
        return False
    after = r"(?:[ -]+([A-Z]\w+))?" if own[0] == words[0] else ""
    before = r"(?:([A-Z]\w+)[ -]+)?" if own[-1] == words[-1] else ""
    places = list(re.finditer(rf"{before}\b(?i:{re.escape(wording)})\b{after}", text))
    beside = [{folded(group) for group in place.groups() if group} - set(words) - _ORDINARY for place in places]
    return bool(places) and all(any(not _is_meant(word, words) for word in others) for others in beside)


def _is_meant(word: str, words: list[str]) -> bool:
    """Whether a word is one of a name's with a slip, or cut short: "Cresent", "Cres" for "Crescent"."""
    return any((len(word) > 2 and own.startswith(word)) or (len(word) > 4 and is_slip(word, own)) for own in words)


def says_withdrawn(text: str, wording: str) -> bool:
    """Whether a text mentions a wording only as something that was taken back.

    It denies it, says beside it that it was false or somebody else's, or reports it with the request to ignore it.

    >>> says_withdrawn("You said you were a taxidermist, then took it back.", "taxidermist")
    True
    >>> says_withdrawn("You are a taxidermist.", "taxidermist")
    False
    """
    text = text.replace("’", "'")
    if is_denied(text, wording) or _everywhere(
        text, wording, re.compile(rf"\b{_NOT_DOING}{_FILLERS} {re.escape(folded(wording))}(?= |$)")
    ):
        return True
    if re.search(_ASSERTS + re.escape(wording), text, re.IGNORECASE):
        return False
    sentences = _SENTENCES.split(text)
    places = [place for place, sentence in enumerate(sentences) if mentions(sentence, wording)]
    beside = " . ".join(sentence for place in places for sentence in sentences[max(0, place - 1) : place + 3])
    if _TAKEN_BACK.search(beside):
        return True
    return (
        bool(places) and all(_REPORTED.search(sentences[place]) for place in places) and acknowledges_forgetting(text)
    )


def _everywhere(text: str, wording: str, denial: re.Pattern[str]) -> bool:
    said = [folded(clause) for clause in _CLAUSES.split(text) if mentions(clause, wording)]
    return bool(said) and all(map(denial.search, said))
