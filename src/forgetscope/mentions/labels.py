"""Options by their labels: digits from 0 or letters from A, where they stand for an option.

Never where a digit counts ("2 animals") or a letter is an article ("A dog"), nor as a part of another name ("step 1",
"vitamin C", "D minor"). "The second option" is the second of the list: ordinals count.
"""

import re
from collections.abc import Callable, Sequence

from forgetscope.mentions.marks import BOTH, IN_MARK, INDEX, LABEL, MARK, NO_OPTION, TEXT, WORDS, Labels, option_of
from forgetscope.mentions.wordings import NUMBER_WORDS

_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "1st": 0, "2nd": 1, "3rd": 2, "4th": 3, "last": -1}
_ORDINAL = re.compile(
    rf"\b(?:the\s+)?({'|'.join(_ORDINALS)})\s+(?:option|choice|alternative|one(?=\W*$|\s*[,.;(]|\s+is\s+(?:true|correct|right)))(?!\w)"
    rf"(?!\s*(?::\s*{MARK}|(?:is|would\s+be)\s+(?:{MARK}|[A-D]\b)))",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED_OPTION = re.compile(
    r"\b(?:option|choice|answer|number)\s+(?:number\s+|no\.?\s+)?([1-4])\b(?![.,]\d)", re.IGNORECASE
)
CUE = r"(?:answers?|options?|choices?|numbers?|index|digit|label|letter)"
_NUMBER_WORD = re.compile(
    rf"(?:^\W*|\b{CUE}\s*(?:is|would be|must be|[:=])?\s*(?:option\s+|number\s+)?)({'|'.join(NUMBER_WORDS)})\b"
    r"(?=\W*$|\s*[.,;:()](?!\d)|\s+(?:because|since|as)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_DIGIT = re.compile(
    r"(?<![0-9A-Za-zÀ-ɏ$€£.\-–/×])(?<!\d[,:])(?<!\d\d,\s)(?:#\s?)?([0-9])"
    r"(?![0-9A-Za-zÀ-ɏ%°]|[,:]\d|\.(?!0\b)\d|\s?[/%]|\s?[-–]\s?\d|\s*o'clock)"
)
_LETTER = re.compile(
    r"(?<![\w.&])(?<![+×·*])(?<![+×·*]\s)(?<!\w')(?<!\w-)([A-Da-d])(?!\w|'\w|\.\w|[+-]\w|\+|\s?[&^*]\s?\w|\s?-\s?[A-Z]\b)"
)
_SLASHED = re.compile(r"(?<![\w./])([0-9A-D])\s?/\s?([0-9A-D])(?![\w/])")
_AFTER_AN_OPTION = (
    r"is|was|are|remains|isn't|does|doesn't|has|can|cannot|can't|might|may|could|should|would|seems?|looks?"
    r"|appears?|match(?:es)?|fits?|both|all"
    r"|because|since|as|for|if|and|or|nor|to|through|not|no|yes|rather|instead|over|than|but|then|so|therefore|it"
    r"|it's|i|which"
    r"|maybe|perhaps|probably|possibly|correct|right|wrong|incorrect|best|the\s+(?:best|correct|right)|final|here"
    r"|please"
)
_MAY_FOLLOW = re.compile(
    rf"[^\S\n]*(?:$|\n|[^\w\s'\"]|[\"'](?!\w))|[^\S\n]+(?:{_AFTER_AN_OPTION}|\d|(?:(?:an?|the"
    rf"|with)\s+)?{MARK})(?![^\W{IN_MARK}])",
    re.IGNORECASE,
)
_AFTER_A_LETTER = re.compile(
    r"\s+(?:will|suits?|works?|sounds?|follows?|keeps?|gets?|makes?|means|requires?|describes?|refers|definitely"
    r"|clearly|only|all|again"
    r"|[A-D]\b|of\s+course|in\s+(?:this|my|the\s+list)|first|followed|wins|instead|due|given|considering|based"
    r"|unless|who|that's|with|must|did|either|too|also|[a-z]{3,}s)\b|\s?[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]",
    re.IGNORECASE,
)
_NUMBERED_THING = re.compile(
    r"\b(?:steps?|figure|fig\.|page|room|photo|image|picture|level|version|chapter|section|phase|part|point|line"
    r"|row|column|note"
    r"|table|player|confidence|score|rating|probability|certainty|gate|route|exit|platform|track|lane|terminal"
    r"|channel|episode"
    r"|season|volume|unit|floor|highway|(?:bus|train|tram|car|flight|house|jersey|shirt|phone|plate|player"
    r"|street)\s+(?:number|no\.?)"
    r"|number of [\w ]+|count|total|at|around|about|by|\d of|out of|of (?:the|all|these|those)|aged?"
    rf"|{WORDS}\s+(?:number|no\.?))\s*(?:[:=#(]\s*)?$",
    re.IGNORECASE,
)
_LETTERED_THING = re.compile(
    r"\b(?:plan|vitamins?|hepatitis|grade|section|part|group|type|class|appendix|exhibit|point|minor|major|side"
    r"|team|schedule|key|had\s+an?|blood\s+(?:group|type)(?:\s+is)?"
    r"|got\s+an?|day\s+in|room|block|gate|platform|wing|row|level|figure|table|model|brand|in\s+the\s+key\s+of"
    r"|in)[^\S\n]+$",
    re.IGNORECASE,
)
_THING_AFTER = re.compile(
    r"\s+(?:minor|major|flat|sharp|vitamins?|movies?|side|roll|negative|positive)\b|\s*=(?!\s*[\"'(]?MARK)".replace(
        "MARK", MARK
    ),
    re.IGNORECASE,
)
_NOT_AN_ARTICLE = re.compile(
    rf"[^\S\n]*\n|\s+(?:is|was|remains|isn't|does|would|because|since|as|for|and|or|but|not|rather|instead|over"
    rf"|seems|it\s+is|i\s+(?:think|guess|believe)"
    rf"|suits|fits|matches|looks|works|sounds|then|here|definitely|of\s+course|so|if|keeps|gets|makes|will|first"
    rf"|[A-D])\b|\s*[^\w\s{IN_MARK}]|\s*$"
)
_ASKS_FOR_A_LETTER = re.compile(
    r"(?:答案|选|選|答え|正解|정답)\w{0,3}\s*:?\s*$|\b(?:options?|choices?|letter|answers?|pick|final|correct|ans\.?)\s*(?:(?:is|was|be|remains"
    r"|[:=-])\s*)*[\s\"'(\[{]*$"
    r"|\b(?:choose|chose|select|say|go(?:ing)?\s+(?:with|for)|went\s+with|opt\s+for|settled?\s+on|thus|hence|so"
    r"|therefore|(?:is|be|'s)(?:\s+then)?)\s+[\"'(\[{]*$",
    re.IGNORECASE,
)


def with_labels(text: str, options: Sequence[str], labels: Labels) -> str:
    """The text with every label that stands for an option replaced by the option's character."""

    def index(number: int) -> str:
        return chr(INDEX + number) if number < len(options) else NO_OPTION

    def by_slash(match: re.Match[str]) -> str:
        first, last = match[1], match[2]
        is_pair = first.isdigit() == last.isdigit() and (first.isalpha() or max(first, last) < str(len(options)))
        return f"{first} or {last}" if is_pair else "part"

    if labels is Labels.LETTERS and not any(re.search(r"\d", option) for option in options):
        text = _NUMBERED_OPTION.sub(lambda match: index(int(match[1]) - 1), text)
    text = _ORDINAL.sub(lambda match: index(_ORDINALS[match[1].lower()] % len(options)), text)
    if labels is Labels.LETTERS:
        text = re.sub(r"(?<![\w/])([A-D])\s?/\s?([A-D])(?![\w/])", by_slash, text)
        return _LETTER.sub(lambda match: _lettered(match, text, index), text)
    text = _SLASHED.sub(by_slash, text)
    text = _NUMBER_WORD.sub(
        lambda match: match[0][: match.start(1) - match.start()] + index(NUMBER_WORDS.index(match[1].lower())), text
    )
    return _with_digits(text, options, index)


def _with_digits(text: str, options: Sequence[str], index: Callable[[int], str]) -> str:
    """Where options are digits themselves, one that counts or that no option has as its number is an option's text."""
    in_words = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
    told = [in_words.get(option.strip().lower(), option.strip()) for option in options]
    numbers = {option: place for place, option in enumerate(told) if re.fullmatch(r"\d", option)}

    def by_digit(match: re.Match[str]) -> str:
        digit = match[1]
        before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 40]
        heads_reply = not text[: match.start()].strip() and re.match(r"\s+[A-Z]", after)
        is_option = (_MAY_FOLLOW.match(after) or heads_reply) and not _NUMBERED_THING.search(before)
        is_beside_a_number = re.search(r"(?<!\w)\d\s*[).:–-]\s*$", before)
        if digit in numbers and (not is_option or is_beside_a_number or int(digit) >= len(options)):
            return chr(TEXT + numbers[digit])
        return index(int(digit)) if is_option else digit

    return _DIGIT.sub(by_digit, text)


def _lettered(match: re.Match[str], text: str, index: Callable[[int], str]) -> str:
    """The option's character where a letter is a label, else the letter as it is."""
    letter = match[1]
    mark = index("abcd".index(letter.lower()))
    before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 40]
    is_asked = _ASKS_FOR_A_LETTER.search(before) is not None
    if re.search(r"\b[A-D]\s+(?:and|or|nor)\s+(?:option\s+)?$", before) and letter.isupper():
        return mark
    sits_in = before.endswith((" in ", " at ")) and after[:1] in (".", ";")
    if (_LETTERED_THING.search(before) and not sits_in) or (_THING_AFTER.match(after) and not is_asked):
        return letter
    is_bracketed = after[:1] in (")", "]") and (before[-1:] in ("(", "[") or not before.rsplit("\n", 1)[-1].strip())
    if letter.isupper() and letter != "A" and is_asked:
        return mark
    if letter.isupper():
        is_initial = re.search(r"\b[A-Z][a-z]+ $", before) and re.match(r"\.\s[A-Z][a-z]", after) and not is_asked
        is_word = letter == "A" and not _NOT_AN_ARTICLE.match(after)
        may_follow = _MAY_FOLLOW.match(after) or _AFTER_A_LETTER.match(after)
        return mark if (may_follow or is_bracketed) and not is_word and not is_initial else letter
    stands_alone = re.search(r"(?:^|\n)[\W_]*$", before) and re.match(rf"[\W_]*(?:\n|$)|[.:)]\s*{MARK}|[.:]\s", after)
    is_said = is_asked and re.match(r"\s*(?:$|[^\w\s]|\n|because\b|since\b)", after)
    return mark if is_bracketed or stands_alone or is_said else letter


_LINK = (
    r"[\s\"'_]*(?:[).:,(\[\]=–—-]|\)?\s*\bis\b)?[\s\"'(_–—-]*(?:(?:an?|the|it's an?|it is an?|meaning|i\.e\.,?)\s+)?"
)
_LABEL_THEN_WORDS = re.compile(rf"({LABEL})({_LINK})({WORDS})[\")\]]?")
_WORDS_THEN_LABEL = re.compile(
    rf"({WORDS})(\s*[(\[]\s*|\s*[:=–—-]\s*|,\s+(?={CUE}))(?:{CUE}\s*)?({LABEL})[)\]]?", re.IGNORECASE
)


def merged(text: str) -> str:
    """A label and the words beside it as one: the option where they agree, no option where they do not."""

    def one(match: re.Match[str], label: str, words: str, *, may_differ: bool) -> str:
        if option_of(label) == option_of(words):
            glossed = "glossed" if re.search(r"\bis\s", match[2]) else ""
            return f" {glossed} {chr(ord(label) - INDEX + BOTH)} "
        return match[0] if may_differ else f" {NO_OPTION} "

    def label_first(match: re.Match[str]) -> str:
        heads = not re.search(r"\w", text[: match.start()].rsplit("\n", 1)[-1])
        goes_on = re.match(r"\s+\w", text[match.end() :]) or re.search(r"\b(?:An?|The)\b", match[2])
        ends_sentence = "." in match[2] and not heads and goes_on
        return one(match, match[1], match[3], may_differ="," in match[2] or bool(ends_sentence))

    text = _LABEL_THEN_WORDS.sub(label_first, text)
    text = re.sub(rf"{NO_OPTION}\s*[).:-]\s*{WORDS}", NO_OPTION, text)
    return _WORDS_THEN_LABEL.sub(
        lambda match: one(match, match[3], match[1], may_differ=match[2].strip() not in ("(", "[", ",", "=")), text
    )
