"""The capitalised words beside a name: those of its fuller form, and those that make another name of it."""

import re
from collections.abc import Collection

from forgetscope.benchmarks.prospective.loads.reading.names import NamedPlace, is_one_case, words_of
from forgetscope.benchmarks.prospective.loads.reading.number_cues import MONTH

_DATE_BEFORE = re.compile(rf"(?:\b\d{{1,2}} )?\b{MONTH},? $", re.IGNORECASE)
_ORDINARY_WORDS = """
i it he she they we you this that there here these those my your his her its our their one who what which when where
why how in on at by during while although though since because after before according from for with as and but or so
if then also another other some many most all both no not yes sure okay ok well hello hi dear great good thank thanks
please hmm oh ah however first second today question answer let unfortunately of to response section title note
without botanically technically actually none mr mrs ms dr prof sir st wait hold hang ask ahoy arr aye ay och certes
forsooth verily behold lo alas hark nay yea yep yup nope nah ach blimey crikey cheers indeed bingo whoa wow hey right
alright 'twas twas tis best finest even only just maybe perhaps probably surely obviously naturally hint fact facts
near beside behind beyond opposite outside inside around between under above below over el los las les das die der il
"""
ORDINARY = frozenset(_ORDINARY_WORDS.split())
"""Words that are no name where they stand with a capital."""
_NOT_A_NAME_WORDS = """
the a an in on at by of to for and or but so it is was it's that's this that sir president king queen emperor empress
saint st mr mrs ms dr lord lady captain commander general pope planet astronaut cosmonaut city river lake mount
country state republic kingdom professor author writer poet composer singer band actor yes sure answer simply only not
no from with roman french british american english soviet german italian spanish greek russian us uk usa i we he she
they while because since although both either like as ancient modern old new great capital famous honest actually
master mistress madame old ol yon uncle aunt father definitely probably certainly clearly here when if maybe perhaps
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


def is_part_of_a_name(before: str, name: str, after: str, in_one_case: bool, full: set[str]) -> bool:
    """Whether capitalised words beside a name, none of a fuller one, make another of it: "Paris Hilton"."""
    if re.match(r"-\w", after) or re.search(r"[^\W\d]-$", before):
        return True
    if in_one_case or not name[0].isupper():
        return False
    if re.match(r"['’]s [A-Z]\w+\W*$", after) and not re.search(r"\w", before):
        return True
    following = re.match(r"[^\S\n]([A-Z][\w'’]*)", after)
    if following and following[1].lower().removesuffix("'s") not in _NOT_A_LAST_NAME:
        return True
    preceding = re.search(r"([\w.'’-]+)[^\S\n]$", before)
    if preceding is None or " " in name.strip() or not preceding[1][0].isupper():
        return False
    word = preceding[1].lower()
    return word not in _NOT_A_NAME | full and not word.endswith(("ly", ".", "'s", "’s"))


def is_a_namesake(text: str, place: NamedPlace, names: Collection[tuple[str, ...]], start: int) -> bool:
    """Whether the surname of a full name stands with another first name: "Percy Shelley" for Mary Shelley."""
    first = re.search(r"([A-Z][\w'-]+) (?:[A-Z]\w*\.? ){0,2}$", text[max(0, start - 60) : start])
    if first is None or " " in text[place.start : place.end] or not text[place.start].isupper() or is_one_case(text):
        return False
    before = [word for word, _, _ in words_of(first[0])]
    full = {word for name in names if len(name) > 1 and name[-1:] == words_of(place.alias)[-1][:1] for word in name}
    return bool(full) and not any(
        word in full or word in _NOT_A_NAME or word in ORDINARY or word.endswith("ly") for word in before
    )
