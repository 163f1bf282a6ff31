"""Options by their words: in another case, with an article, in the plural, as a verb; formulas sign by sign.

Long options are seldom repeated whole: where a reply names none, words that only one option has stand for it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from forgetscope.mentions.marks import TEXT, Labels, hint
from forgetscope.mentions.plain import normal
from forgetscope.mentions.quantities import ORDINALS, SMALL

_ENDING = {1: "st", 2: "nd", 3: "rd"}
NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_IN_DIGITS = {word: str(number) for word, number in SMALL.items() if word != "oh"}
_IN_DIGITS |= {word: f"{number}{_ENDING.get(number, 'th')}" for word, number in ORDINALS.items()}
_SAME_NUMBER = _IN_DIGITS | {number: word for word, number in _IN_DIGITS.items()}
_LITTLE = frozenset(
    ("a", "an", "the", "in", "on", "at", "of", "to", "by", "from", "with", "its", "his", "her", "their")
)
_MANY = {"mouse": "mice", "child": "children", "man": "men", "woman": "women", "person": "people", "goose": "geese"}
_ONE = {many: one for one, many in _MANY.items()}
_OPTION_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*")


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(_OPTION_WORD.findall(normal(text).casefold()))


_NOT_AFTER = "".join(f"(?<!{word} )" for word in ("hot", "teddy", "upper", "lower"))
"""What makes something else of the word that follows: a hot dog is none."""


@lru_cache(maxsize=4096)
def _forms(options: tuple[str, ...], taken: str) -> tuple[re.Pattern[str] | None, dict[tuple[str, ...], int]]:
    """A pattern that finds the options' words, in any of their forms, and which option a form belongs to."""
    words = [_words_of(option) for option in options]
    surnames = [said[-1:] for option, said in zip(options, words, strict=True) if _PERSON.fullmatch(option)]
    belongs: dict[tuple[str, ...], set[int]] = {}
    for index, said in enumerate(words):
        for form in _forms_of(said):
            is_own = form == said or not any(_holds(other, form) for other in words if other != said)
            if is_own and not re.fullmatch(taken, " ".join(form)):
                belongs.setdefault(form, set()).add(index)
    for index, option in enumerate(options):
        surname = words[index][-1:]
        if _PERSON.fullmatch(option) and surnames.count(surname) == 1 and surname not in belongs:
            belongs[surname] = {index}
    known = {form: min(owners) for form, owners in belongs.items() if len(owners) == 1}
    if not known:
        return None, {}
    longest_first = sorted(known, key=lambda form: -len(" ".join(form)))
    between = r"[\W_]{1,3}(?:(?:the|an?)\s)?"
    any_form = "|".join(between.join(map(re.escape, form)) for form in longest_first)
    count = rf"(?:(?<![\w.])([1-9]|{'|'.join(NUMBER_WORDS[1:])})\s+)?"
    ending = r"(?:-(?:sized?|colou?red|shaped|hand))?(?![^\W_])(?!'s?\s+\w)(?!-[^\W\d_])"
    return re.compile(rf"{count}(?<![^\W_])(?<![^\W_]-){_NOT_AFTER}({any_form}){ending}", re.IGNORECASE), known


_PERSON = re.compile(
    r"(?:[A-Z][\w'-]*\.?\s)+(?:(?:van|von|de|da|del|di|der|la|le|bin|al|of)\s)*[A-Z][\w'-]*[a-z][\w'-]+"
)
"""A name of several words, as of a person: its last word alone is the name too."""


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
    if word.endswith("ing") and len(word) > 5:
        stem = word[:-3]
        yield from (f"{one}s" for one in (stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem))
    if word.endswith("e"):
        yield f"{word[:-1]}ing"


_THERE_IS = re.compile(
    r"\b(?:there(?:'s| is| are)|sees?|shows?|contains?|ha[sv]e?|with|displays?|features?|depicts?|counts?) $",
    re.IGNORECASE,
)


def with_wordings(text: str, options: Sequence[str], labels: Labels) -> str:
    """The text with the options' words replaced; a number before them that counts ("2 dogs") goes with them.

    Args:
        text: The plain reply.
        options: As shown, without labels.
        labels: What they are labelled with, which is no option's wording.
    """
    by_signs = labels is Labels.LETTERS
    surnames = [_words_of(option)[-1:] for option in options if _PERSON.fullmatch(option)]
    pattern, known = _forms(tuple("" if by_signs and _is_formula(one) else one for one in options), labels.value)

    def marked(match: re.Match[str]) -> str:
        count, said = match[1], match[2].casefold()
        words = _words_of(said)
        index = known.get(words, known.get(tuple(word for word in words if word not in ("a", "an", "the"))))
        if index is None or (words in surnames and match[2].islower() and not text.islower()):
            return match[0]
        counts = said.endswith("s") or _THERE_IS.search(text, max(0, match.start() - 20), match.start())
        return chr(TEXT + index) if counts or not count else f"{count} {chr(TEXT + index)}"

    return text if pattern is None else pattern.sub(marked, text)


_SIGNS = re.compile(r"[\^=<>|&√°%/()\[\]+*$€£~]|(?<!\w)-|\d\s?[.,:]\s?\d")
_QUANTITY = re.compile(r"\s*([$€£]?\s?-?\d+(?:[.,:/]\d+)*)(?!st\b|nd\b|rd\b|th\b)\s?([^\W\d]*)\s*")
_SPOKEN_SIGNS = {
    "^2": re.compile(r"\s+squared\b", re.IGNORECASE),
    "^3": re.compile(r"\s+cubed\b", re.IGNORECASE),
    "": re.compile(r"(?<=[\w)])\s+times(?:\s+(?=[a-z]\b))", re.IGNORECASE),
    " = ": re.compile(r"(?<=\b[a-z])\s+(?:equals|is(?:\s+equal\s+to)?)\s+", re.IGNORECASE),
}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(word for word in SMALL if word != 'oh')})\b", re.IGNORECASE)
_ROUND_NUMBERS = {"hundred": "100", "thousand": "1000", "million": "1000000"}
_ROUND = re.compile(rf"\b(?:a|one)\s+({'|'.join(_ROUND_NUMBERS)})\b", re.IGNORECASE)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_TWO_WORDS = re.compile(rf"\b({_TENS})[\s-]({'|'.join(NUMBER_WORDS[1:])})\b", re.IGNORECASE)
_DRESS = re.compile(r"[`$~{}\\*\s]+")


def with_formulas(text: str, options: Sequence[str]) -> str:
    """The text with options that are numbers or formulas replaced where they stand whole: not 7 in "12 - 7 = 5".

    >>> with_formulas("bring it down: three times x squared", ("2x", "3x^2"))[-1] == chr(TEXT + 1)
    True
    """
    if any(_is_formula(option) and re.search(r"\d\s?[a-z]\b|\b[a-z]\s?[=^]", option) for option in options):
        text = _NUMBER_WORD.sub(lambda word: _IN_DIGITS[word[0].lower()], text)
        for sign, spoken in _SPOKEN_SIGNS.items():
            text = spoken.sub(sign, text)
    elif any(map(is_quantity, options)):
        text = _NUMBER_WORD.sub(
            lambda word: word[0] if word[0] in ("one", "One") else _IN_DIGITS[word[0].lower()],
            _TWO_WORDS.sub(
                lambda found: str(SMALL[found[1].lower()] + SMALL[found[2].lower()]),
                _ROUND.sub(lambda word: _ROUND_NUMBERS[word[1].lower()], text),
            ),
        )
    found = [_QUANTITY.fullmatch(option.casefold()) for option in options]
    numbers = [_DRESS.sub("", match[1]) for match in found if match]
    spelled: list[tuple[str, int]] = []
    for index, (option, match) in enumerate(zip(options, found, strict=True)):
        if match and numbers.count(_DRESS.sub("", match[1])) == 1:
            unit = rf"(?:\s?(?:{re.escape(match[2])}|°))?" if match[2] else ""
            spelled.append((_signs(match[1]) + unit, index))
        elif _is_formula(option):
            spelled.append((_signs(option), index))
    for pattern, index in sorted(spelled, key=lambda entry: -len(entry[0])):
        after = r"(?:\.0+)?(?:x\b)?(?![\w^%]|\)?\^|[.,:/]\d|\s?[-+*/×·÷^=]\s?[\w(])"
        whole = rf"(?<![\w.,^/:]){_NO_OPERATOR_BEFORE}[$€£]?{pattern}{after}"
        text = re.sub(whole, chr(TEXT + index), text, flags=re.IGNORECASE)
    return text


_BOTH_VERDICTS = re.compile(r"\W*(true|false)\W+(true|false)\W*", re.IGNORECASE)
_ONE_OF_TWO = r"\b(?:statements?\s+(?:1|2|one|two|I|II)|first|1st|second|2nd|both|neither)\b"
_SAID_OF_STATEMENT = re.compile(rf"(only\s+(?:the\s+)?)?({_ONE_OF_TWO})(.*?)(?={_ONE_OF_TWO}|[.;\n]|$)", re.IGNORECASE)
_FALSE = re.compile(r"\b(?:false|wrong|incorrect|fails?|untrue|invalid|not)\b|n't\b", re.IGNORECASE)
_TRUE = re.compile(r"\b(?:true|right|correct|holds?|valid|does|is|are)\b", re.IGNORECASE)


def with_statements(text: str, options: Sequence[str]) -> str:
    """The text with the option that it tells of two statements one by one: "The first holds, the second doesn't."

    >>> with_statements("The first holds, the second doesn't.", ("True, True", "True, False"))[-12:]
    'True, False.'
    """
    pairs = [_BOTH_VERDICTS.fullmatch(option) for option in options]
    verdicts: dict[int, str] = {}
    for only, subject, said in _SAID_OF_STATEMENT.findall(text) if all(pairs) else ():
        if not (_FALSE.search(said) or _TRUE.search(said)):
            continue
        is_true = _FALSE.search(said) is None and subject.lower() != "neither"
        places = (
            (0, 1)
            if subject.lower() in ("both", "neither")
            else (int(subject.lower().endswith(("2", "two", " ii", "second", "2nd"))),)
        )
        verdicts |= dict.fromkeys(places, "true" if is_true else "false")
        verdicts |= {1 - places[0]: "false"} if only and is_true else {}
    for option, pair in zip(options, pairs, strict=True):
        if pair and [said.lower() for said in pair.groups()] == [verdicts.get(0), verdicts.get(1)]:
            return f"{text}\nAnswer: {option}."
    return text


def is_quantity(option: str) -> bool:
    """Whether an option is a number, maybe with a unit."""
    return _QUANTITY.fullmatch(option.casefold()) is not None


def _is_formula(option: str) -> bool:
    return is_quantity(option) or _SIGNS.search(option) is not None


_NO_OPERATOR_BEFORE = "".join(rf"(?<![-+*/×·÷^]{gap})" for gap in ("", r"\s"))


def _signs(text: str) -> str:
    """A pattern for a text sign by sign, blanks where they may stand; "x = 4" also as the end of "x = 8/2 = 4"."""
    signs = r"\s?".join(re.escape(sign) for sign in _DRESS.sub("", normal(text)))
    return re.sub(r"^([a-z]\\s\?=)", r"\1(?:[^=,;\\n]{1,30}=)?", signs)


_PLAIN = """
    the and for with from into over under out off that which who whose this these those are was were been its you your
    our they their his she her them him one two all any some not nothing only just very more most each every than then
    when while where what how did does have has had will would can could should may might must let get take make use put
    give try yes choose option best answer pick recommend suggest say now here there new old own good about order time
    work
"""
_PLAIN_WORDS = frozenset(_PLAIN.split())
"""Words that tell no option from another."""
_PIECES = re.compile(
    r"(?<=[.!?;,:()\n])|(?=[,;:()])|\s[-–—]\s|(?=\b(?:because|since|as|which|so|or|but|if|and not|rather|instead)\b)",
    re.IGNORECASE,
)


def with_hints(text: str, options: Sequence[str], question: str, also: Sequence[str] = ()) -> str:
    """The text with words that tell one option from the others, and the question has not, replaced by a hint at it.

    Words of one option alone tell it; where a sentence has none, so do words that no other has as many of: "the English
    voices, and captions off".
    """
    asked = content(question)
    stems = [content(option) - asked for option in options]
    if also:
        stems = [of_option | content(wish) - asked for of_option, wish in zip(stems, also, strict=True)]
    held = Counter(stem for of_option in stems for stem in of_option)
    own = [{stem for stem in of_option if held[stem] == 1} for of_option in stems]

    def in_piece(piece: str) -> str:
        said = content(piece)
        pieces, end = "", 0
        for at, start, stop in _runs(piece, said, own):
            shared = len({stem for stem in stems[at] if any(_is_same(stem, word) for word in said)})
            if shared > 1 or 2 * shared >= len(said):
                pieces, end = f"{pieces}{piece[end:start]}{hint(at, shared, is_most=2 * shared > len(said))}", stop
        return pieces + piece[end:]

    switches = [_switched(option) for option in options]
    wholes = [(content(option) - asked) | switch for option, switch in zip(options, switches, strict=True)]
    held_whole = Counter(stem for whole in wholes for stem in whole)

    def as_whole(sentence: str) -> str:
        if _DENIES.search(sentence):
            return sentence
        claim = _REASON.sub("", sentence)
        said = content(claim) | _switched(claim)
        shares = [sum(1 / held_whole[stem] for stem in whole & said) for whole in wholes]
        best = max(range(len(options)), key=shares.__getitem__)
        lead = shares[best] - max((*shares[:best], *shares[best + 1 :]), default=0.0)
        shared = len(wholes[best] & said)
        return f"{hint(best, shared, is_most=True)} {sentence}" if lead > _LEAD and shared > 1 else sentence

    for unit, way in ((_PIECES, in_piece), (_SENTENCES, as_whole), (_NOTHING, as_whole)):
        found = "".join(way(part) for part in unit.split(text) if part)
        if found != text:
            return found
    return text


_SENTENCES = re.compile(r"(?<=[.!?\n])(?=\s)")
_NOTHING = re.compile(r"(?!)")
_REASON = re.compile(r"\b(?:because|since|as you|given that|now that)\b[^.!?\n]*", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|never|instead|rather|unlike|used to)\b|n't\b", re.IGNORECASE)
_LEAD = 0.3
"""By how much more of an option's words than of any other's, one that two have counting half."""


def _switched(text: str) -> set[str]:
    """Whether a text switches something off, as "without" and "no" do."""
    return {"off"} & {"off" if word in ("no", "without") else word for word in _words_of(text)}


def _is_same(stem: str, word: str) -> bool:
    """Whether an option's word is said, as a part of a longer one too, whose rest can be a word: "smartphone"."""
    short, long = sorted((stem, word), key=len)
    return short == long or (len(short) > 3 and len(long) - len(short) > 2 and long.endswith(short))


def _runs(piece: str, said: set[str], own: Sequence[set[str]]) -> Iterator[tuple[int, int, int]]:
    """Of the words of its own that stand in a row for one option: the option, where they start and end."""
    run: list[int] = []
    for word in _OPTION_WORD.finditer(piece):
        stem = _stem(word[0].casefold())
        found = (at for at, stems in enumerate(own) if any(_is_same(one, stem) for one in stems))
        at = next(found, None) if stem in said else None
        if at is None:
            continue
        if run and run[0] == at:
            run[2] = word.end()
        else:
            if run:
                yield run[0], run[1], run[2]
            run = [at, *word.span()]
    if run:
        yield run[0], run[1], run[2]


def content(text: str) -> set[str]:
    """The stems of the words of a text that tell options apart."""
    words = [(word, _CONTRACTED.sub("", word)) for word in _words_of(text)]
    return {
        _stem(word) for word, bare in words if not {word, bare} & _PLAIN_WORDS and (len(bare) > 2 or bare.isdigit())
    }


_CONTRACTED = re.compile(r"(?:n't|'(?:d|ll|m|re|s|ve))$")


def _stem(word: str) -> str:
    word = _IN_DIGITS.get(word, word.removesuffix("'s"))
    for ending in ("ing", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word.removesuffix(ending)
            return stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "ls" else stem.removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word
