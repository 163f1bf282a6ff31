"""A reply with the options it mentions marked: where it speaks of which option, by number or by words.

Each mention becomes one character of its own, so that the rules of `stated_choice` are about sentences. A number is a
mention where it stands for an option ("1", "option 1", "1 because"), never where it counts ("2 animals") or names
something else ("step 1"); an option's own words are one in another case, with an article, in the plural, as a verb.

"The second option" is the second in the list, number 1: ordinals count, digits and "option two" are the numbers shown.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

LONGEST_READ = 8000
"""Characters: of a longer reply the first and the last half of so many are read."""

INDEX, TEXT, BOTH = 0xA000, 0xA100, 0xA200
"""An option by its number, by its words, by both: the character of option k is so many above (Yi, letters to `re`)."""
NO_OPTION = "\ua3ff"
"""A number that is no option, or one that contradicts the words beside it."""
SEVERAL = "\ua3fe"
"""Several options side by side, none of them chosen: "0 or 1"."""
MARK = "[\ua000-\ua3ff]"
_NUMBER, _WORDS = "[\ua000-\ua0ff]", "[\ua100-\ua1ff]"
WORD = r"[a-z0-9à-ɏ'-]+"
"""A word that is no mention."""


def marked_reply(reply: str, choices: Sequence[str]) -> str:
    """The reply as plain text in which every mention of an option is its character."""
    return _merged(_with_numbers(_with_texts(plain_reply(reply), tuple(choices)), choices))


def option_of(mark: str) -> int | None:
    """The option a character stands for; None for no option, and for several."""
    return None if mark in (NO_OPTION, SEVERAL) else (ord(mark) - INDEX) & 0xFF


FINAL = " final answer: "
_VERDICTS = str.maketrans({**dict.fromkeys("✅✔☑✓", " correct "), **dict.fromkeys("❌✗✘", " wrong ")})
_JSON_ANSWER = re.compile(
    r"[\"'](?:final_?)?(?:answer|choice|option|index|label|selected\w*|selection|prediction|digit|response|result|output)\w*[\"']"
    r"\s*:\s*[\"']?([^\"',}\]\n]+)",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"reply with a single digit\b[^\n]{0,60}?nothing else\.?|^\s*Q:[^\n]*$", re.IGNORECASE | re.MULTILINE
)


def plain_reply(reply: str) -> str:
    """The reply without what is not said: thoughts, markup, the prompt's own words; digits as 0-9."""
    if len(reply) > LONGEST_READ:
        reply = f"{reply[: LONGEST_READ // 2]}\n{reply[-LONGEST_READ // 2 :]}"
    text = "".join(_plain(letter) for letter in _normal(reply))
    text = re.sub(r"<think>.*?</think>", " ", text, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(r"<(?:final_?)?answer>", FINAL, text, flags=re.IGNORECASE)
    text = re.sub(r"<[/a-z!|][^<>\n]{0,40}>", "\n", text, flags=re.IGNORECASE)
    text = re.sub(r"\\(?:boxed|fbox)\s*\{", FINAL + "{", text)
    text = re.sub(
        r"\\(?:text|mathbf|mathrm|textbf)\b|\\[()\[\]]|[*`~{}]|__|\$(?=[^$\n]*\$)|(?<=[\w\s}.])\$(?!\s?\d)",
        " ",
        _json_answers(text),
    )
    text = re.sub(r"^[^\S\n]*(?:[-•>#|][^\S\n]+)+", "", text.translate(_VERDICTS), flags=re.MULTILINE)
    return _without_list_numbers(_TASK.sub(" ", text))


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")


def _plain(letter: str) -> str:
    """A digit of any script as 0-9; marks that only dress another character fall away."""
    if letter in "\ufe0f\u20e3\u200b\u200d\u2060\ufeff":
        return ""
    if "\ua000" <= letter <= "\ua3ff":
        return " "
    return letter if letter.isascii() else str(unicodedata.decimal(letter, letter))


def _json_answers(text: str) -> str:
    """Of a reply in JSON what stands under a key that names an answer; any other reply as it is."""
    inside = re.sub(r"^\s*```(?:json)?|```\s*$", "", text.strip(), flags=re.IGNORECASE).strip()
    if not inside.startswith(("{", "[")):
        return text
    return "\n".join(f"{FINAL}{found}" for found in _JSON_ANSWER.findall(inside)) or text


_NUMBERED_STEP = re.compile(r"^[^\S\n]*([1-9])[.)][^\S\n]+(?=\S+[^\S\n]+\S+[^\S\n]+\S)", re.MULTILINE)


def _without_list_numbers(text: str) -> str:
    """A reply's own list from 1 without its numbers: they are no options."""
    numbers = [int(match[1]) for match in _NUMBERED_STEP.finditer(text)]
    counts_up = len(numbers) >= 2 and numbers == list(range(1, len(numbers) + 1))
    return _NUMBERED_STEP.sub("", text) if counts_up and not re.search(r"^\W*0[.):]", text, re.MULTILINE) else text


_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SAME_NUMBER = {word: str(number) for number, word in enumerate(_NUMBER_WORDS)}
_SAME_NUMBER |= {number: word for word, number in _SAME_NUMBER.items()}
_LITTLE = frozenset(
    ("a", "an", "the", "in", "on", "at", "of", "to", "by", "from", "with", "its", "his", "her", "their")
)
_MANY = {"mouse": "mice", "child": "children", "man": "men", "woman": "women", "person": "people", "goose": "geese"}
_ONE = {many: one for one, many in _MANY.items()}
_OPTION_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*")


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(_OPTION_WORD.findall(_normal(text).casefold()))


_NOT_AFTER = "".join(f"(?<!{word} )" for word in ("hot", "teddy", "upper", "lower"))
"""What makes something else of the word that follows: a hot dog is none."""


@lru_cache(maxsize=4096)
def _forms(choices: tuple[str, ...]) -> tuple[re.Pattern[str] | None, dict[tuple[str, ...], int]]:
    """A pattern that finds the options' words, in any of their forms, and which option a form belongs to."""
    words = [_words_of(choice) for choice in choices]
    belongs: dict[tuple[str, ...], set[int]] = {}
    for index, said in enumerate(words):
        for form in _forms_of(said):
            is_own = form == said or not any(_holds(other, form) for other in words if other != said)
            if is_own and not re.fullmatch(r"\d", " ".join(form)):
                belongs.setdefault(form, set()).add(index)
    known = {form: min(owners) for form, owners in belongs.items() if len(owners) == 1}
    if not known:
        return None, {}
    longest_first = sorted(known, key=lambda form: -len(" ".join(form)))
    any_form = "|".join(r"[\W_]{1,3}".join(map(re.escape, form)) for form in longest_first)
    count = rf"(?:(?<![\w.])([1-9]|{'|'.join(_NUMBER_WORDS[1:])})\s+)?"
    ending = r"(?:-(?:sized?|colou?red|shaped|hand))?(?![^\W_])(?!'s?\s+\w)(?!-[^\W\d_])"
    return re.compile(rf"{count}(?<![^\W_])(?<![^\W_]-){_NOT_AFTER}({any_form}){ending}", re.IGNORECASE), known


def _holds(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    return any(words[start : start + len(part)] == part for start in range(len(words) - len(part) + 1))


def _forms_of(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """An option's words, also without its article or preposition, in the other number, as a verb in -s or -ing."""
    core = words
    while len(core) > 1 and core[0] in _LITTLE:
        core = core[1:]
    short = core[:-1] if len(core) == 2 and core[-1] in _LITTLE else core
    renumbered = tuple(_SAME_NUMBER.get(word, word) for word in words)
    for said in filter(None, dict.fromkeys((words, core, short, renumbered))):
        yield said
        yield from ((*said[:-1], other) for other in _other_number(said[-1]))
        if not any(word in _LITTLE for word in said):
            yield from ((other, *said[1:]) for other in _as_verb(said[0]))


_ENDINGS: tuple[tuple[str, str], ...] = (
    *(
        ("ies", "y"),
        ("ves", "f"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("sses", "ss"),
        ("xes", "x"),
        ("oes", "o"),
        ("s", ""),
    ),
    *(("", "s"), ("", "es"), ("y", "ies"), ("f", "ves"), ("fe", "ves")),
)


def _other_number(word: str) -> Iterator[str]:
    """The plural of a singular and the singular of a plural, by ending; what is no word does no harm."""
    if len(word) > 2:
        yield from (known[word] for known in (_MANY, _ONE) if word in known)
        kept = [(end, other) for end, other in _ENDINGS if word.endswith(end) and (end != "s" or word[-2] != "s")]
        yield from (word.removesuffix(end) + other for end, other in kept)


def _as_verb(word: str) -> Iterator[str]:
    if len(word) < 3 or not word.isalpha():
        return
    yield from (f"{word}ing", f"{word}{word[-1]}ing", f"{word}s")
    if word.endswith("e"):
        yield f"{word[:-1]}ing"


_THERE_IS = re.compile(
    r"\b(?:there(?:'s| is| are)|sees?|shows?|contains?|ha[sv]e?|with|displays?|features?|depicts?|counts?) $",
    re.IGNORECASE,
)


def _with_texts(text: str, choices: tuple[str, ...]) -> str:
    """The text with the options' words replaced; a number before them that counts ("2 dogs") goes with them."""
    pattern, known = _forms(choices)

    def marked(match: re.Match[str]) -> str:
        count, said = match[1], match[2].casefold()
        index = known.get(_words_of(said))
        if index is None:
            return match[0]
        counts = said.endswith("s") or _THERE_IS.search(text, max(0, match.start() - 20), match.start())
        return chr(TEXT + index) if counts or not count else f"{count} {chr(TEXT + index)}"

    return text if pattern is None else pattern.sub(marked, text)


_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "1st": 0, "2nd": 1, "3rd": 2, "4th": 3, "last": -1}
_ORDINAL = re.compile(
    rf"\b(?:the\s+)?({'|'.join(_ORDINALS)})\s+(?:option|choice|alternative|one(?=\W*$|\s*[,.;(]))(?!\w)"
    rf"(?!\s*(?::\s*{MARK}|is\s+{MARK}))",
    re.IGNORECASE | re.MULTILINE,
)
_CUE = r"(?:answers?|options?|choices?|numbers?|index|digit|label)"
_NUMBER_WORD = re.compile(
    rf"(?:^\W*|\b{_CUE}\s*(?:is|would be|must be|[:=])?\s*(?:option\s+|number\s+)?)({'|'.join(_NUMBER_WORDS)})\b"
    r"(?=\W*$|\s*[.,;:()](?!\d)|\s+(?:because|since|as)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_DIGIT = re.compile(
    r"(?<![0-9A-Za-zÀ-ɏ$€£.\-–/×])(?<!\d[,:])(?<!\d\d,\s)(?:#\s?)?([0-9])(?![0-9A-Za-zÀ-ɏ%°]|[,:]\d|\.(?!0\b)\d|\s?[/%]|\s?[-–]\s?\d|\s*o'clock)"
)
_SLASHED = re.compile(r"(?<![\w./])([0-9])\s?/\s?([0-9])(?![\w/])")
_AFTER_AN_OPTION = (
    r"is|was|are|remains|isn't|does|doesn't|has|can|cannot|can't|might|may|could|should|would|seems?|looks?|appears?|match(?:es)?|fits?"
    r"|because|since|as|for|if|and|or|nor|to|through|not|no|yes|rather|instead|over|than|but|then|so|therefore|it|it's|i|which"
    r"|maybe|perhaps|probably|possibly|correct|right|wrong|incorrect|best|the\s+(?:best|correct|right)|final|here|please"
)
_MAY_FOLLOW = re.compile(
    rf"[^\S\n]*(?:$|\n|[^\w\s'\"]|[\"'](?!\w))|[^\S\n]+(?:{_AFTER_AN_OPTION}|\d|(?:(?:an?|the|with)\s+)?{MARK})(?![^\W{MARK[1:]})",
    re.IGNORECASE,
)
_NUMBERED_THING = re.compile(
    r"\b(?:steps?|figure|fig\.|page|room|photo|image|picture|level|version|chapter|section|phase|part|point|line|row|column|note"
    r"|table|player|confidence|score|rating|probability|certainty|gate|route|exit|platform|track|lane|terminal|channel|episode"
    r"|season|volume|unit|floor|highway|(?:bus|train|tram|car|flight|house|jersey|shirt|phone|plate|player|street)\s+(?:number|no\.?)"
    r"|number of [\w ]+|count|total|at|around|about|by|\d of|out of|of (?:the|all|these|those)|aged?"
    rf"|{_WORDS}\s+(?:number|no\.?))\s*(?:[:=#(]\s*)?$",
    re.IGNORECASE,
)


def _with_numbers(text: str, choices: Sequence[str]) -> str:
    """The text with every number that stands for an option replaced by the option's character.

    Where options are digits themselves, a digit that counts or that no option has as its number is an option's text.
    """
    numbers = {choice.strip(): index for index, choice in enumerate(choices) if re.fullmatch(r"\s*\d\s*", choice)}

    def index(number: int) -> str:
        return chr(INDEX + number) if number < len(choices) else NO_OPTION

    def by_ordinal(match: re.Match[str]) -> str:
        return index(_ORDINALS[match[1].lower()] % len(choices))

    def by_word(match: re.Match[str]) -> str:
        return match[0][: match.start(1) - match.start()] + index(_NUMBER_WORDS.index(match[1].lower()))

    def by_digit(match: re.Match[str]) -> str:
        digit = match[1]
        before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 40]
        heads_reply = not text[: match.start()].strip() and re.match(r"\s+[A-Z]", after)
        is_option = (_MAY_FOLLOW.match(after) or heads_reply) and not _NUMBERED_THING.search(before)
        is_beside_a_number = re.search(r"(?<!\w)\d\s*[).:–-]\s*$", before)
        if digit in numbers and (not is_option or is_beside_a_number or int(digit) >= len(choices)):
            return chr(TEXT + numbers[digit])
        return index(int(digit)) if is_option else digit

    def by_slash(match: re.Match[str]) -> str:
        return f"{match[1]} or {match[2]}" if max(match[1], match[2]) < str(len(choices)) else "part"

    text = _NUMBER_WORD.sub(by_word, _ORDINAL.sub(by_ordinal, _SLASHED.sub(by_slash, text)))
    return _DIGIT.sub(by_digit, text)


_LINK = r"[\s\"'_]*(?:[).:,(\[\]=–—-]|\bis\b)?[\s\"'(_–—-]*(?:(?:an?|the|it's an?|it is an?|meaning|i\.e\.,?)\s+)?"
_NUMBER_THEN_WORDS = re.compile(rf"({_NUMBER})({_LINK})({_WORDS})[\")\]]?")
_WORDS_THEN_NUMBER = re.compile(
    rf"({_WORDS})(\s*[(\[]\s*|\s*[:=–—-]\s*|,\s+(?={_CUE}))(?:{_CUE}\s*)?({_NUMBER})[)\]]?", re.IGNORECASE
)


def _merged(text: str) -> str:
    """A number and the words beside it as one: the option where they agree, no option where they do not."""

    def one(match: re.Match[str], number: str, words: str, *, may_differ: bool) -> str:
        if option_of(number) == option_of(words):
            return f" {chr(ord(number) - INDEX + BOTH)} "
        return match[0] if may_differ else f" {NO_OPTION} "

    text = _NUMBER_THEN_WORDS.sub(lambda match: one(match, match[1], match[3], may_differ="," in match[2]), text)
    text = re.sub(rf"{NO_OPTION}\s*[).:-]\s*{_WORDS}", NO_OPTION, text)
    return _WORDS_THEN_NUMBER.sub(
        lambda match: one(match, match[3], match[1], may_differ=match[2].strip() not in ("(", "[", ",", "=")), text
    )
