"""What of a reply is the text that was asked for: without the chat before and after it; and whether there is any.

A person who asks for a letter of 150 words that ends with a certain sentence does not count "Sure! Here is your
letter:" nor mind "Let me know if you need more!" after it. What talks about the task, says it back or declines it does
none of it.
"""

import re

from forgetscope.benchmarks.in_context.scoring.unreadable import Unreadable, unreadable
from forgetscope.checkers.reading import folded, plain, sentences
from forgetscope.core.refusals import is_refusal

_TEXT = (
    r"(?:e-?mail|message|letter|note|poem|story|tale|speech|toast|text|list|plan|post|notice|recipe|poster|entry|label"
    r"|itinerary|draft|version|answer|response|reply|explanation|checklist|announcement|invitation|review|scene"
    r"|script|report|profile|description|summary|timeline|directions|complaint|pep talk|guide|quiz|statement|json)"
)
_THE = r"(?:the|your|an?|my|this|that)(?: [\w'-]+){0,3}"
_CHANGE = (
    r"(?=[^.!?\n]*\b(?:me to|anything|adjust\w*|chang\w+|edit\w*|tweak\w*|revis\w+|version|short(?:er|en\w*)|longer"
    r"|different|another|more|further|help|questions?|modif\w+|tone|draft|ideas|options|refine\w*|else|works?|looks?)\b)"
)
_WROTE = (
    r"i(?:'ve| have)? (?:just )?(?:written|wrote|drafted|prepared|created|put together|updated|revised|rewritten"
    r"|rewrote|adjusted|changed|kept|removed|replaced|left|included|followed|avoided|made sure)\b"
    rf"(?=[^.!\n]*\b(?:{_TEXT}|words?|you asked|requested|request|instructions?|as asked|limit|for you|mention\w*)\b)"
)


def _any_of(*alternatives: str, then: str = "") -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(alternatives) + ")" + then, re.IGNORECASE)


_INTERJECTION = _any_of(
    r"sure(?: thing)?|certainly|of course|absolutely|ok(?:ay)?|got it|understood|no problem|gladly|great|alright|noted",
    r"(?:my|with) pleasure|happy to help|as (?:you )?(?:requested|asked)|thank(?:s| you) for [^.!:\n]{1,80}",
    r"i(?:'d| would| am|'m|'ll)?(?: be)? (?:more than )?(?:happy|glad|delighted) to (?:help|assist|do)[^.!:\n]{0,60}",
    then=r"([.!,:—-]+)\s*",
)
_PRESENTS = _any_of(
    r"(?:and |so )?here(?:'s| is| are| you go| it is| goes)\b(?! to\b)|below (?:is|are)|the following (?:is|are)",
    rf"(?:the|your)(?: [\w'-]+){{0,3}} {_TEXT}\s*(?:\(.*\))?:|this is {_THE} {_TEXT}\b|{_WROTE}",
)
_LABEL = _any_of(
    rf"[#*_ ]*(?:(?:revised|updated|final|new|suggested|draft|your|the|short|my) )*{_TEXT}(?: \w+){{0,2}}",
    then=r" ?[*_]*:[*_ ]*",
)
_RULE = re.compile(r"\s*(?:[-=_]{3,}|\*{3,})\s*")
_FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)
_OFFERS = _any_of(
    rf"(?:please |just |and )*let me know(?= (?:if|what|whether|how)\b){_CHANGE}|is there anything|anything else\b",
    r"(?:please )?feel free to (?:adjust|change|edit|tweak|modify|customi[sz]e|adapt|swap|replace|fill|ask|use)",
    r"(?:i )?hope (?:(?:this|it) (?:helps|works|is|fits|meets|captures|gives|suits|makes|reads)|that helps"
    r"|you (?:find|like|enjoy) (?:this|it))\b",
    rf"(?:would you like|do you (?:want|need)|(?:want|need) (?:me to|any|more|another))\b{_CHANGE}",
    rf"(?:shall|should|can|may) i\b{_CHANGE}",
    rf"i(?:'d| would|'m| am|'ll)(?: be)? (?:happy|glad) to\b{_CHANGE}|happy to (?:help|adjust|revise|tweak)",
    r"i can (?:also |always )?(?:adjust|make|revise|tweak|change|shorten|provide)\b",
    rf"if you(?:'d| would)? (?:like|want|need|prefer|have)\b{_CHANGE}",
    r"(?:enjoy|(?:good|best of) luck|have (?:fun|a (?:great|good|nice|lovely|wonderful))|sweet dreams|safe travels"
    r"|happy (?:baking|cooking|planting|gardening|training|running|playing|sewing|sailing|writing|travels))"
    r"\b[^.!?\n]{0,30}[.!]?\W*$",
)
_REMARKS = _any_of(
    r"(?:total |approximate |approx\. )?(?:word|sentence|character) count\b",
    r"(?:total: |about |approximately |~ ?)?\d+ words\b",
    _WROTE,
    r"(?:quick |side |a few |key )?notes?\b[^\n]{0,12}:"
    r"(?=[\s\S]*\b(?:i've|i (?:kept|left|removed|changed|used|made)|requested|you asked"
    r"|version|word count|under \d+ words|placeholders?|instructions?)\b)",
    r"(?:just |remember to |don't forget to |be sure to |simply |please )?(?:fill in|replace|swap out|customi[sz]e) "
    r"(?:the\b|any\b|your\b|in\b|\[)(?=[^\n]*\b(?:brackets?|bracketed|placeholders?|details|blanks?|gaps?)\b)",
    rf"(?:this|the|your)(?: [\w'-]+){{0,2}} {_TEXT} (?:is (?:now |about |under |exactly |below )?\d|has \d|keeps"
    r"|stays|uses|includes|meets|follows|comes|contains|avoids|omits|leaves|no longer)\b",
    r"this (?:keeps|meets|stays|comes|follows|is under|is about)\b",
    r"(?:all|your) (?:the )?(?:requirements|constraints)\b",
)
_APPENDED = re.compile(
    r"\n\n[^\w\n]*(?:(?:english )?translation\b[^\n]{0,20}|in english|(?:key |main )?changes\b[^\n]{0,20}"
    r"|what (?:i )?changed[^\n]{0,20}|why this works|how (?:this|it) meets [^\n]{0,40}"
    r"|requirements?\b[^\n]{0,20})[*_]*:",
    re.IGNORECASE,
)
"""What opens an appendix of the one who wrote it, in one paragraph or several."""
_INTENDS = _any_of(
    r"(?:i|we)(?:'ll| will| would| can| could|'d|'m going to| am going to| need to| should|'m| am)"
    r"(?: (?:now|then|(?:be )?(?:happy|glad|delighted) to|gladly|happily|also|just|start by|begin by|try to|love to"
    r"|like to|help(?: you)?(?: to)?))*"
    r" (?:writ(?:e|ing)|draft(?:ing)?|mak(?:e|ing)|creat(?:e|ing)|put(?:ting)? together|includ(?:e|ing)|compos(?:e|ing)"
    r"|prepar(?:e|ing)|produc(?:e|ing)|revis(?:e|ing)|rewrit(?:e|ing)|updat(?:e|ing)|structur(?:e|ing)|turn(?:ing)?)"
    rf"(?: you| up)? (?:it\b|{_THE} {_TEXT}\b|these notes)",
    rf"(?:to|when) (?:write|writing|do|make|making|create|creating|draft|drafting) {_THE} {_TEXT}\b",
    r"(?:you|one) (?:could|should|can|might|(?:may|will) want to|need to) (?:write|start|begin|mention|include|open)\b",
    rf"(?:the|your|an?|this|my)(?: [\w'-]+){{0,2}} {_TEXT} (?:should|would|could|needs to|must|will|can)\b",
    r"before i (?:write|start|begin|draft)|(?:the|this|your) (?:task|request|instructions?|prompt) ",
    r"the user (?:wants|asks)|you(?:'ve|'d)? (?:want|asked|would like|like|need) me to\b|you(?:'re| are) asking\b",
    r"(?:could|can|would) you (?:please )?(?:tell|share|provide|give|clarify|confirm|let me know)",
)
_ONLY_PRESENTS = re.compile(rf"here(?:'s| is) {_THE} {_TEXT}\b[^:]*[.:]?", re.IGNORECASE)
_FEW_WORDS = 40
_ECHO = 0.85


def requested_text(reply: str, *, to_its_end: bool = False) -> str:
    """The text that was asked for, with straight quotation marks and plain blanks.

    Args:
        reply: The whole reply.
        to_its_end: Whether what follows counts, unless a rule parts it from the text.

    >>> requested_text("Sure! Here is the note:\\n\\n**Back at 5.**\\n\\n---\\n\\nLet me know if you want it longer!")
    '**Back at 5.**'
    """
    text = _without_fence(plain(reply).strip())
    if (appended := _APPENDED.search(text)) is not None:
        text = text[: appended.start()]
    while (shorter := _without_remark(_without_lead(text), parted=to_its_end)) != text:
        text = shorter
    return text


def is_attempt(reply: str, instruction: str) -> bool:
    """Whether a reply does any of the task: not one that declines, says nothing, says the task back or speaks of it."""
    opening = " ".join(sentences(reply)[:2])
    if (is_refusal(reply) and is_refusal(opening)) or unreadable(reply, instruction) is Unreadable.EMPTY:
        return False
    text = requested_text(reply)
    return not _is_echo(text, instruction) and not _only_intends(text)


def _without_fence(text: str) -> str:
    """The inside of a code fence that holds most of the reply."""
    inside = "\n\n".join(_FENCE.findall(text))
    return inside.strip() if len(inside.split()) * 2 > len(text.split()) else text


def _without_lead(text: str) -> str:
    """Without interjections, what presents the text, a label of what it is, or a rule."""
    line, _, rest = text.partition("\n")
    if _says_something(rest) and (_RULE.fullmatch(line) or _LABEL.fullmatch(line)):
        return rest.strip()
    start, mark = 0, "."
    while (opener := _INTERJECTION.match(line.lstrip("*_ "), start)) is not None:
        start, mark = opener.end(), opener[1]
    head = line.lstrip("*_ ")[start:]
    presents_last = _PRESENTS.match(sentences(head)[-1]) if _says_something(head) else None
    if presents_last and head.rstrip(" *_").endswith(":") and _says_something(rest) and len(line.split()) <= _FEW_WORDS:
        return rest.strip()
    if _PRESENTS.match(head):
        is_whole = head.rstrip(" *_").endswith((":", "…", "...")) or (
            rest.startswith("\n") and head.rstrip("*_ ")[-1:] in ".!"
        )
        if _says_something(rest) and is_whole and len(head.split()) <= _FEW_WORDS:
            return rest.strip()
        _, colon, tail = head.partition(": ")
        if start and colon and _says_something(tail):
            return f"{tail.strip()}\n{rest}".strip()
    if start and not mark.startswith(",") and _says_something(head + rest):
        return f"{head}\n{rest}".strip()
    return text


def _without_remark(text: str, *, parted: bool) -> str:
    """Without a last paragraph, line or sentence that offers help or comments on the text, or a rule."""
    for divider in ("\n\n", "\n"):
        body, _, last = text.rpartition(divider)
        bare = re.sub(r"^[^\w\"]+", "", last)
        is_remark = _OFFERS.match(bare) or _REMARKS.match(bare)
        if parted and not _RULE.fullmatch(body.rstrip().rpartition("\n")[2]):
            is_remark = None
        if _says_something(body) and (_RULE.fullmatch(last) or is_remark):
            return body.rstrip()
    if parted:
        return text
    *_, last = sentences(text) or [""]
    body = text[: text.rfind(last)]
    return body.rstrip() if _OFFERS.match(last.strip(" *_(")) and _says_something(body) else text


def _says_something(text: str) -> bool:
    return re.search(r"\w", text) is not None


def _is_echo(text: str, instruction: str) -> bool:
    """Whether nearly all of a text is the instruction's."""
    said, asked = folded(text).split(), f" {folded(instruction)} "
    runs = [" ".join(said[start : start + 4]) for start in range(len(said) - 3)]
    known = sum(f" {run} " in asked for run in runs)
    return known > _ECHO * len(runs) if len(said) >= 20 else len(said) >= 8 and known == len(runs)


def _only_intends(text: str) -> bool:
    """Whether a text says what it will or should be, and little follows."""
    first, _, rest = text.lstrip(' *_#"').partition("\n")
    opener = _INTERJECTION.match(first)
    said = first[opener.end() :] if opener else first
    if not _says_something(rest) and _ONLY_PRESENTS.fullmatch(said):
        return True
    return _INTENDS.match(said) is not None and len(rest.split()) < _FEW_WORDS // 2
