"""Names in a text: the accepted ones, by their words, whatever their case, accents, hyphens, articles or plural s."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from forgetscope.benchmarks.prospective.loads.reading.number_cues import MONTH
from forgetscope.mentions.one_writing import in_one_writing
from forgetscope.mentions.spelled import is_same_sound, is_slip

_FLAT = re.compile(r"\b([A-Ga-g])[ -]?♭|\b([A-G])[ -]flat\b")
_TOKEN = re.compile(rf"{_FLAT.pattern}|[^\W_]+(?:[.](?=[^\W_][.]))?|[♭♯#+%°&€£$]+")
_DIGITS = {
    word: str(number)
    for number, word in enumerate(
        re.findall(r"\S+", "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"),
        start=2,
    )
}
"""Numbers in words are read as in digits; "one" is not, which is a pronoun as often."""
FILLER = frozenset(
    re.findall(
        r"\S+",
        "the a an of in on at to for and or is was are were be been by with from as that which who whom whose "
        "what when where how did do does has have had it its this these those first most name called known "
        "into us u s ",
    )
)


_PASTS = dict(
    re.findall(
        r"(\w+) (\w+)",
        "sank sink, sunk sink, wrote write, written write, won win, sang sing, sung sing, song sing, built build, "
        "fell fall, fallen fall, fought fight, drew draw, held hold, died death, dead death, began begin, made make, "
        "flew fly, flown fly, took take, born birth, founded found, spoke speak, spoken speak, known know, saw see, "
        "lay lie, lies lie, lying lie, stood stand, broke break, broken break, grew grow, grown grow, ran run",
    )
)
"""Words that say the same."""


def stems_of(text: str) -> set[str]:
    """The beginnings of a text's words, without those of any sentence."""
    words = (_PASTS.get(word, word) for word, _, _ in words_of(text) if word not in FILLER)
    return {re.sub(r"(?<=\w{3})(?:ing|ed|ers?|ors?|ies|es|s|e|y)$", "", word)[:5] for word in words}


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """Where an accepted name stands in a text."""

    start: int
    end: int
    alias: str


def _fold(text: str) -> str:
    """The text in lower case without accents, as long as it was where every letter stays one letter."""
    folded = []
    for letter in text:
        bare = "".join(
            part for part in unicodedata.normalize("NFKD", letter.lower()) if not unicodedata.combining(part)
        )
        folded.append(bare if len(bare) == 1 else letter)
    return "".join(folded)


def words_of(text: str) -> list[tuple[str, int, int]]:
    """The words of a text, folded, with their places; a note that is flat ("B♭", "B flat") as "Bb"."""
    found = (
        (_fold(f"{match[1] or match[2]}b" if match[1] or match[2] else match[0]), match.start(), match.end())
        for match in _TOKEN.finditer(text)
    )
    return [(_DIGITS.get(word, word), start, end) for word, start, end in found]


def names_of(aliases: Sequence[str]) -> dict[tuple[str, ...], str]:
    """The aliases by their words, articles left out."""
    names: dict[tuple[str, ...], str] = {}
    for alias in aliases:
        words = [word for word, _, _ in words_of(in_one_writing(alias))]
        while len(words) > 1 and words[0] in ("the", "a", "an"):
            words = words[1:]
        if words:
            names.setdefault(tuple(words), alias)
    return names


_TITLES = frozenset(
    re.findall(
        r"\S+",
        "king queen sir saint st pope emperor empress prince princess president lord lady captain doctor dr mount lake "
        "river planet",
    )
)
_ASKS_WHO = re.compile(
    r"\b(?:who|whose|whom)\b|\b(?:which|what)\s+(?:(?!(?:is|was|are|were|did|do|does|has|had|of|in|for)\b)[\w'’-]+\s+){0,3}?"
    r"(?:(?!(?:riv|wat|flow|numb|ord|pap|pow|lett|col|tow|summ|wint|feath|chapt|oth|ev|und|aft|met|cent|quart|theat|lay|err"
    r"|sect|fact|f|h)(?:er|or)s?\b)\w+(?:er|or|ist|ian)|king|queen|monarch|poet|actress|president|pope|emperor|detective"
    r"|man|woman|captain|minister)\b",
    re.IGNORECASE,
)


def asks_for_a_person(question: str) -> bool:
    """Whether a question asks who."""
    return _ASKS_WHO.search(question) is not None


def short_names(names: dict[tuple[str, ...], str], question: str) -> dict[tuple[str, ...], str]:
    """How the names are said short: a person's surname, a name without its title or its kind."""
    asked, asks_who = stems_of(question), asks_for_a_person(question)
    short: dict[tuple[str, ...], str] = {}
    for words, alias in names.items():
        if not 1 < len(words) < 5 or not all(part[0].isupper() or "." in part for part in re.split(r"[\s-]+", alias)):
            continue
        if words[0] in _TITLES:
            short.setdefault(words[1:], alias)
        elif words[-1] != "city" and stems_of(words[-1]) & asked:
            short.setdefault(words[:-1], alias)
        elif asks_who and "," not in alias and len(words[-1]) > 3 and not re.search(r"\d|\b[IVX]+$", alias):
            short.setdefault(words[-1:], alias)
    return {
        words: alias for words, alias in short.items() if len("".join(words)) > 3 and not stands_in(words, question)
    }


def is_capital_name(alias: str, mention: str) -> bool:
    """Whether a name that has capitals stands in small letters: "a bolt", "was shining"."""
    return alias[:1].isupper() and mention == mention.lower() and any(map(str.isalpha, mention))


def is_letters(alias: str) -> bool:
    """Whether a name is an abbreviation of two or three capitals: "US", "OH"."""
    return len(alias) <= 3 and alias.isalpha() and alias.isupper()


def is_one_case(text: str) -> bool:
    """Whether a text is in capitals or in small letters throughout, so that capitals say nothing."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(map(str.isupper, letters)) > 0.7 * len(letters) or not any(map(str.isupper, letters))


def stands_in(tokens: tuple[str, ...], question: str) -> bool:
    """Whether a name says no more than the question: it stands there, or most of what its words say does."""
    asked = [word for word, _, _ in words_of(in_one_writing(question))]
    for place in range(len(asked) - len(tokens) + 1):
        if all(map(_same, asked[place : place + len(tokens)], tokens)):
            return True
    own = [word for word in tokens if word not in FILLER or word == "first"]
    known = sum(word in asked for word in own)
    return len(own) >= 2 and known / len(own) > 0.6


def _same(word: str, wanted: str) -> bool:
    if word == wanted:
        return True
    longer, shorter = (word, wanted) if len(word) > len(wanted) else (wanted, word)
    if len(shorter) > 3 and shorter[-1] == "a" and longer == shorter + "n":
        return True  # "Ethiopian"
    return len(shorter) > 3 and longer in (shorter + "s", shorter + "es") and not shorter[-1].isdigit()


def _alike(word: str, wanted: str, least: int) -> bool:
    """Whether a word is another, written by ear, or with one letter wrong: "Dostojewski", "Hitchock"."""
    shorter = min(len(word), len(wanted))
    is_slight = (
        (word[:3] == wanted[:3] or shorter > _LEAST_JOINED + 1)
        and shorter >= least + (len(word) == len(wanted))
        and is_slip(word, wanted)
    )
    return _same(word, wanted) or is_slight or is_same_sound(word, wanted)


def whole_name(text: str, names: dict[tuple[str, ...], str]) -> str | None:
    """The name that a text consists of."""
    words = [word for word, _, _ in words_of(text)]
    while len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    for tokens, alias in names.items():
        if len(tokens) == len(words) and all(map(_same, words, tokens)):
            return alias
    return None


def _is_name(words: Sequence[str], tokens: Sequence[str], *, is_alike: bool) -> bool:
    """Whether words are those of a name, or the same parted elsewhere: "chick-peas", "Tinkerbell"."""
    if len(words) != len(tokens):
        joined = "".join(tokens)
        return len(joined) >= _LEAST_JOINED and _same("".join(words), joined)
    least = _LEAST[len(tokens) > 1]
    pairs = zip(words, tokens, strict=True)
    return all(_alike(word, wanted, least) if is_alike else _same(word, wanted) for word, wanted in pairs)


_STOP = re.compile(r"(?:\w{4}[.]|[!?;])\s")
"""Between sentences, where no name goes on."""


_LEAST = (5, 4)
"""Letters of a name, and of a word of a longer one, that may have one letter too many or too few."""
_LEAST_JOINED = 6
"""Letters of a name that may be written as one word or as two."""
_FIRST_ALIKE = str.maketrans("cqstzpyiw", "kkkkkfjjv")


def mentions_of(text: str, names: dict[tuple[str, ...], str]) -> list[NamedPlace]:
    """Where names stand, the longest where they overlap; misspelled ones where none is spelled well."""
    exact = list(_mentions(text, names, is_alike=False))
    alike = list(_mentions(text, names, is_alike=True))
    return [
        one for one in alike if not exact or any(other.start < one.end and one.start < other.end for other in exact)
    ]


def _mentions(text: str, names: dict[tuple[str, ...], str], *, is_alike: bool) -> Iterator[NamedPlace]:
    words = words_of(text)
    has_cases = not is_one_case(text)
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for tokens, alias in names.items():
        by_first.setdefault(_beginning(tokens[0]), []).append((tokens, alias))

    def is_it(run: list[tuple[str, int, int]], tokens: tuple[str, ...], alias: str) -> bool:
        said = text[run[0][1] : run[-1][2]]
        is_small = has_cases and alias[:1].isupper() and said == said.lower() and len(said) < _LEAST_JOINED
        return (
            _is_name([word for word, _, _ in run], tokens, is_alike=is_alike and alias[:1].isupper() and not is_small)
            and not _STOP.search(said)
            and not (has_cases and is_letters(alias) and said != alias)  # "OH" is not "oh"
        )

    place = 0
    while place < len(words):
        best: tuple[int, str] | None = None
        for tokens, alias in by_first.get(_beginning(words[place][0]), ()):
            for length in range(max(1, len(tokens) - 1), len(tokens) + 2):
                run = words[place : place + length]
                if len(run) == length > (best[0] if best else 0) and is_it(run, tokens, alias):
                    best = (length, alias)
        if best is None:
            place += 1
            continue
        start, end = words[place][1], words[place + best[0] - 1][2]
        end -= 2 * (text[start:end].endswith(("'s", "’s")) and not best[1].endswith(("'s", "’s")))
        yield NamedPlace(start, end, best[1])
        place += best[0]


def _beginning(word: str) -> str:
    """The first letter, of letters that sound alike one."""
    return word[:1].translate(_FIRST_ALIKE)


_KINDS = (
    re.compile(r"^[A-Z]{2,5}$"),
    re.compile(r"^[A-Z][a-z]+(?:ian|ish|ese|ans?|eans?|ch)$"),
    re.compile(r"\d|\b[IVX]{2,}$"),
    re.compile(rf"^(?:{MONTH}|[A-Z]\w+day)$"),
)
"""Abbreviations, words for what belongs to a country, what has a number, months and days."""


def is_adjective_of_place(other: str, aliases: Sequence[str]) -> bool:
    """Whether a word is "Colombian", "Dutch" or the like, and no accepted name is."""
    return _KINDS[1].search(other) is not None and not any(map(_KINDS[1].search, aliases))


def is_other_kind(other: str, aliases: Sequence[str], question: str) -> bool:
    """Whether a name cannot be what the accepted ones are: "BBC", "Belgian", "July" beside a person's name."""
    if any(kind.search(other) and not any(map(kind.search, aliases)) for kind in _KINDS):
        return True
    return (
        asks_for_a_person(question)
        and other.startswith("The ")
        and not any(alias.startswith("The ") for alias in aliases)
    )


_DATE_BEFORE = re.compile(rf"(?:\b\d{{1,2}} )?\b{MONTH},? $", re.IGNORECASE)
_ORDINARY_WORDS = """
i it he she they we you this that there here these those my your his her its our their one who what which when where
why how in on at by during while although though since because after before according from for with as and but or so
if then also another other some many most all both no not yes sure okay ok well hello hi dear great good thank thanks
please hmm oh ah could would should
might may can mme mlle either neither possible surprisingly however
first second today question answer let unfortunately of to response section title note
without botanically technically actually none mr mrs ms dr gen col capt lt rev hon prof sir st
wait hold hang ask ahoy arr aye ay och certes
forsooth verily behold lo alas hark nay yea yep yup nope nah ach blimey crikey cheers indeed bingo whoa wow hey right
alright 'twas twas tis best finest even only just maybe perhaps probably surely obviously naturally hint fact facts
wrong correct true false mistaken certain contrary
near beside behind beyond opposite outside inside around between under above below over el los las les das die der il
"""
ORDINARY = frozenset(_ORDINARY_WORDS.split())
"""Words that are no name where they stand with a capital."""
_NOT_A_NAME_WORDS = """
the a an in on at by of to for and or but so it is was it's that's this that sir president king queen emperor empress
saint st mr mrs ms dr gen gen. col col. capt capt. rev rev. prof lord lady
captain commander general pope planet astronaut cosmonaut city river lake mount
country state republic kingdom professor author writer poet composer singer band actor yes sure answer simply only not
no from with roman french british american english soviet german italian spanish greek russian us uk usa i we he she
they while because since although both either like as ancient modern old new great capital famous honest actually
miss madame mme mlle monsieur herr frau signor
master mistress old ol yon uncle aunt father definitely probably certainly clearly here when if maybe perhaps
island sea ocean province county region artist
painter inventor scientist physicist prime minister director novelist element metal gas god goddess saint's le la el
il der die das
"""
_NOT_A_NAME = frozenset(_NOT_A_NAME_WORDS.split())
_NOT_A_LAST_NAME_WORDS = """
the a an in on at by of to for and or but so it is was this that from with as he she they we i not also later first
then who which what where has have had did do does are were be been will would wrote recorded built played won made
directed starred sang became invented discovered painted founded composed lies stands located born died ii iii iv
completes has plays walked took state city usa uk
"""
_NOT_A_LAST_NAME = frozenset(_NOT_A_LAST_NAME_WORDS.split())


def first_word(text: str, place: NamedPlace, full: set[str]) -> int:
    """Where a name begins with the first names and initials, a year with the day and month, that stand before it."""
    start = place.start
    if re.fullmatch(r"\d{4}", place.alias):
        before = _DATE_BEFORE.search(text[max(0, start - 20) : start])
        return start - len(before[0]) if before else start
    initials = {word[0] for word in full}
    while before := re.search(r"(?<![\w'’-])([A-Z][\w'’-]*)\.?[^\S\n]?$", text[max(0, start - 40) : start]):
        word = before[1].lower()
        if word not in full and not (len(word) <= 3 and before[1].isupper() and initials.issuperset(word)):
            break
        start -= len(before[0])
    return start


_SENTENCE_END = re.compile(r"(?<=\w{2}[.!?;])\s+|\n")


def is_part_of_a_name(
    text: str, start: int, end: int, full: set[str], *, known: str = "", asks_surname: bool = False
) -> bool:
    """Whether capitalised words beside a name, none of a fuller one, make another of it: "Paris Hilton"."""
    before, name, after = _SENTENCE_END.split(text[:start])[-1], text[start:end], _SENTENCE_END.split(text[end:])[0]
    whole = _OF_IT.search(before)
    if is_a_twin(after, known) or (whole and not stems_of(whole[1]) & stems_of(known)):
        return True
    if re.match(r"-\w", after) or re.search(r"[^\W\d]-$", before):
        return True
    if is_one_case(text) or not name[0].isupper():
        return False
    if re.match(r"['’]s [A-Z]\w+\W*$", after) and not re.search(r"\w", before):
        return True
    following = re.match(r"[^\S\n]([A-Z][\w'’]*)", after)
    if following and following[1].lower().removesuffix("'s") not in _NOT_A_LAST_NAME:
        return True
    preceding = re.search(r"([\w.'’-]+)[^\S\n]$", before)
    if asks_surname or preceding is None or " " in name.strip() or not preceding[1][0].isupper():
        return False
    word = preceding[1].lower()
    return word not in _NOT_A_NAME | full and not word.endswith(("ly", ".", "'s", "’s"))


_STATES = re.compile(
    r"^,? \(?(Alabama|Arkansas|California|Colorado|Connecticut|Florida|Georgia|Idaho|Illinois|Indiana|Iowa|Kansas"
    r"|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Nebraska|Nevada"
    r"|New [A-Z]\w+|North [CD]\w+|Ohio|Oklahoma|Oregon|Pennsylvania|South [CD]\w+|Tennessee|Texas|Utah|Vermont|Virginia"
    r"|Wisconsin|Ontario|USA)\b"
)
_AMERICA = re.compile(r"\b(?:U\.?S\.?(?:A\b)?|America\w*|United\sStates)")


_OF_IT = re.compile(
    r"\b(?!the\s)[a-z]+\s(?!(?:Duke|Earl|Lord|King|Queen|Prince|Princess|Emperor|Empress|President|Minister|Bishop|Archbishop"
    r"|Kingdom|Republic|City|State|Isle|Island|County|Province|Union)\b)([A-Z]\w+)\sof\s$"
)
"""Before what makes a name the end of another: "in Port of Spain"."""


def is_a_twin(after: str, known: str) -> bool:
    """Whether the state that follows makes another place of a name, one that nothing known speaks of."""
    state = _STATES.match(after)
    return state is not None and state[1] not in known and _AMERICA.search(known) is None


def is_a_namesake(text: str, place: NamedPlace, names: Collection[tuple[str, ...]], start: int) -> bool:
    """Whether the surname of a full name stands with another first name: "Percy Shelley" for Mary Shelley."""
    first = re.search(r"\b([A-Z][\w'-]*\.?) (?:[A-Z]\w*\.? ){0,2}$", text[max(0, start - 60) : start])
    if first is None or " " in text[place.start : place.end] or not text[place.start].isupper() or is_one_case(text):
        return False
    before = [word for word, _, _ in words_of(first[0])]
    full = {word for name in names if len(name) > 1 and name[-1:] == words_of(place.alias)[-1][:1] for word in name}
    initials = {word[0] for word in full}
    return bool(full) and not any(
        word in full | initials or word in _NOT_A_NAME or word in ORDINARY or word.endswith("ly") for word in before
    )
