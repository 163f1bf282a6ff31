"""Which of four options a reply chooses: by its text, by its label, or not at all.

What a reply says of options has three strengths, and the strongest there is decides:

1. *explicit*: a label alone on the first line, "my answer is B", "I'd go with B", "\\boxed{B}";
2. *worded*: an option's text, or its label before its own words ("B. Green tea");
3. *in passing*: a label where an answer stands ("..., so B.", "B, because", "(B)", "B suits you");

and where nothing of the kind is said, words that only one option has ("The gecko."). Two options of the same strength
are no choice. What is denied ("not D", "rather than A") or told of the past ("you used to like X (A)", "I'd have said
B") counts for nothing while something else does, and a label before words that nobody offered ("B. Lemonade") belongs
to an option the reply made up: nothing is chosen.
"""

import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from forgetscope.benchmarks.in_context.data.wordings import folded
from forgetscope.benchmarks.in_context.prompts import OPTION_LABELS
from forgetscope.core.refusals import is_refusal


class Strength(IntEnum):
    """How firmly a reply names an option."""

    IN_PASSING = 1
    WORDED = 2
    EXPLICIT = 3


_BOXED = re.compile(r"\$?\\boxed\{\s*(?:\\(?:text|textbf|mathrm|mathbf)\{)?\s*\(?([A-Da-d])\)?\.?\s*\}?\s*\}\$?")
_ALONE = re.compile(
    r"^\W*(?:(?:the\s+|my\s+)?(?:(?:best|right|correct|final)\s+)?(?:answer|option|choice|plan|letter|suggestion"
    r"|pick)(?:\s+is)?\W*(?:option\W*)?)?"
    r"([A-D1-4])\W*$",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"^\W*(?:(?:option|choice|answer)\s+)?([A-D1-4])\s*([.):]|[-–—])[*_\s]*(\S.*)?$", re.IGNORECASE | re.MULTILINE
)
_TAGS = re.compile(r"</?\w+>")
_ASIDE = re.compile(r"\b[A-D]\?\s+no\b", re.IGNORECASE)
_CORRECTION = re.compile(
    r"\b(?:wait|scratch that|correction|on second thoughts?|i mean|oops|no, actually|actually, no"
    r"|(?<=\.\.) ?actually)\b",
    re.IGNORECASE,
)

_LABEL_BEFORE_WORDS = re.compile(r"(?<![\w'’.])([A-D])[)*_\"']*\s*[.:)–—-]\s*[*_\"']*(\S[^\n]*)")
_LABEL = re.compile(
    r"(?<![\w'’.])(?:([A-D])|(?<=\()([a-d])(?=\))|(?<=\boption )([a-d])|(?<=\banswer: )([a-d])"
    r"|(?<= is )([a-d])(?=\W*$))(?![\w'’]|\.\w)",
    re.MULTILINE,
)
_ARTICLE = re.compile(
    r"^\s+(?!(?:is|was|would|will|seems?|suits?|fits?|matches|looks|sounds|works|because|since|as|for|and|or|but|if"
    r"|it|best|then|here|definitely|clearly|over|not|rather|instead|only|all|again|keeps?|gets?|has|does|makes?"
    r"|follows|means)\b)[a-z]"
)
_CHOOSING = re.compile(
    r"(?:\b(?:answer|choice|choose|chose|chosen|choosing|pick|picking|select|selecting|selection|recommend"
    r"|recommendation"
    r"|suggest|suggestion|propose|offer(?: \w+)?|vote goes|want|plan|go(?:ing)? (?:with|for)|opt(?:ing)? for"
    r"|settle (?:on|for)|vote(?: is)?(?: for)?|favou?r"
    r"|i(?:'d| would|'ll| do| really)* (?:have to say|say|take|like|prefer|have|order|try|do)|best(?: option| choice"
    r"| fit| match| one| bet)?"
    r"|right(?: option| choice| one)?|correct(?: option| choice| one)?|leaves|left with|conclusion|so|thus|hence"
    r"|therefore|only)\b"
    r"(?:[\s:\"'(*_`,–—-]|\b(?:is|was|be|would|should|must|will|for|you|to|with|therefore|definitely|clearly"
    r"|probably|then|now"
    r"|option|choice|letter|answer|number|the|of|course|here|go|choose|pick|me|that|it|it's)\b)*)$",
    re.IGNORECASE,
)
_ASKED_TO_CHOOSE = re.compile(
    r"\b(?:please|can|could|may|might|to|which|reply with) (?:choose|pick|select|take|answer)\b[^.]*$",
    re.IGNORECASE,
)
_HERE_IT_STANDS = re.compile(
    r"(?:^|[\n.!?:(\[\"“”'*—–,→-]|\b(?:so|thus|hence|therefore|i\.?e\.?|namely|then|is|it's|that's|it is|that is|but"
    r"|be|as|means|makes it|follow|latter|definitely|probably|clearly|certainly|perhaps|maybe|likely|go|do|now|today"
    r"|simply|just|think|case))\s*[*_\"'(]*(?:\b(?:option|choice|letter|answer|plan)\s+[*_\"'(]*)?$",
    re.IGNORECASE,
)
_SUITS = re.compile(
    r"^[)*_\"'’\].]*\s*(?:$|[.,:;!?()\n–—-]|(?:over|rather|instead|not|and not|please|because|since|as|for|given|if"
    r"|so|it|here|then|best|again|definitely|clearly|of course|only|all the way|please|and hence)\b"
    r"|(?:is|would be|seems|suits|fits|matches|looks|sounds|works|follows|keeps|gets|makes)\b(?! (?:too|out|wrong"
    r"|not|no|less|for the old|never|only|the wrong|incorrect|also)\b))",
    re.IGNORECASE,
)
_WELL = re.compile(
    r"^[)*_\"']*\s*(?:it is\b|(?:is|would (?:be|suit|fit|work for|match)|seems|suits|fits|matches|looks"
    r"|works(?: for)?)\s+(?:(?:the|your|a|an|my|clearly|definitely|to be)\s+)*(?:best|better|right|ideal|perfect"
    r"|most|correct|you\b|what|my\b|answer|good|great|it\b))",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:not|no|never|nor|neither|avoid|rather than|instead of|except|over|without|unlike|against|than|(?:any"
    r"|every)thing but|all but|isn't"
    r"|wasn't|don't|wouldn't|won't|skip|drop|"
    r"ruled? out|ruling out|exclude)\s+(?:\w+\s+){0,2}?[(\"'*]*(?:option\s+)?[(\"'*]*|\b(?:incorrect|wrong|other"
    r"|rejected|excluded)\b[^.!?\n]{0,40})$",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"^[)*_\"'.]*\s*(?:(?:no|not|nope)\b|(?:is|was|are|would be|seems|looks)\s+(?:too|out|wrong|not|no|less"
    r"|for the old|never|incorrect|only)\b|(?:isn't|wasn't|doesn't|don't|aren't|won't|wouldn't|can't|cannot|do not"
    r"|does not|was)\b)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:used to|once|earlier|before|previous(?:ly)?|original(?:ly)?|former(?:ly)?|old you|(?:would|i'd|'d) have"
    r"|back then|in the past|at first|initial(?:ly)?"
    r"|no longer|your old|old (?:preference|taste|habit|wish|choice)|you(?:'d|'ve| had| have)? (?:said|told"
    r"|mentioned|stated)|if you still|until (?:recently|now))\b",
    re.IGNORECASE,
)
_SENTENCES = re.compile(
    r"(?<=[.!?;])\s+|\n+|,?\s+(?=so\b)|(?<!thing),?\s+(?:but|now|however|yet)\b[,:]?(?=\s)|,(?=\s+(?:i'd|i would"
    r"|i'll|i)\b)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"^(?:because|since|as|for|given|considering|based|if|so|it|its|this|that|these|those|they|there|you|your|i|my"
    r"|we|which"
    r"|is|would|will|and|but|though|thank|thanks|sure|hope|enjoy|let|yes|the (?:answer|best|correct|most|right|only))\b"
)
_PLAIN_WORDS = frozenset(
    word
    for line in (
        "a an the and or of to in on at by for with from into over under up out off that which who whose this these "
        "those",
        "is are was be been it its you your i my we our they their he his she her them him me us one two all any "
        "some no",
        "not nothing only just very more most each every so than then as if when while where what how do does did "
        "have has",
        "had will would can could should may might must let get go take make use put give try yes choose option "
        "best answer",
        "pick recommend suggest say now here there new old own good about",
    )
    for word in line.split()
)
"""Words that tell no option from another."""


def chosen_option(reply: str, options: Sequence[str], question: str = "") -> int | None:
    """The index of the option a reply chooses, None where it chooses none or several.

    Args:
        reply: The reply.
        options: As shown, labelled A to D; a number from 1 to 4 counts alone or before the words of its option.
        question: What was asked; its words tell no option.

    >>> chosen_option("B.", ("Tea", "Coffee", "Milk", "Water"))
    1
    >>> chosen_option("B. Lemonade", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    >>> chosen_option("Tea or coffee, both are fine.", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    """
    text = _BOXED.sub(lambda found: f" answer: {found.group(1).upper()} ", _own_text(reply))
    text = _ASIDE.sub("", text).strip()
    exact = [index for index, option in enumerate(options) if folded(text) == folded(option)]
    if exact:
        return exact[0]
    if _contradicts_itself(text, options):
        return None
    corrected = _CORRECTION.split(text)
    if len(corrected) > 1 and corrected[0].strip():
        meant = chosen_option(corrected[-1].strip(" ,:.-–—"), options, question)
        if meant is not None:
            return meant
    first = _ALONE.match(text.split("\n", 1)[0])
    if first and not _is_list(text):
        return _index_of(first.group(1))
    said = list(_said(text, options))
    current = [entry for entry in said if not entry[2]] or said
    if current:
        firmest = max(how for _, how, _ in current)
        named = {index for index, how, _ in current if how is firmest}
        return named.pop() if len(named) == 1 else None
    return None if is_refusal(reply) else _by_its_words(text, options, question)


def _own_text(reply: str) -> str:
    """A reply without code marks; of a JSON object, what stands in its fields."""
    text = _TAGS.sub(" ", reply.replace("`", "")).replace("’", "'").strip().removeprefix("json\n")
    if text.startswith("{"):
        with contextlib.suppress(ValueError):
            text = "\n".join(str(value) for value in json.loads(text).values())
    return text


def _contradicts_itself(text: str, options: Sequence[str]) -> bool:
    """Whether a label stands directly before another option's text: "D. Green tea" where that is B."""
    for found in _LABEL_BEFORE_WORDS.finditer(text):
        own, wording = folded(options[_index_of(found.group(1))]), f"{folded(found.group(2))} "
        others = [folded(option) for option in options if folded(option) != own]
        if not wording.startswith(f"{own} ") and any(wording.startswith(f"{other} ") for other in others):
            return True
    return False


def _is_list(text: str) -> bool:
    """Whether several labels stand on lines of their own."""
    return len({found.group(1).upper() for line in text.splitlines() if (found := _ALONE.match(line))}) > 1


def _said(text: str, options: Sequence[str]) -> Iterator[tuple[int | None, Strength, bool]]:
    """Each option a text names, how firmly, and whether of the past; None for one that nobody offered."""
    lines = list(_labelled_lines(text, options))
    rest = _LINE.sub(lambda line: line.group(3) or line.group(), text)
    in_sentences = list(_in_sentences(rest))
    if not in_sentences and any(index is None for index, _, _ in lines):
        yield None, Strength.EXPLICIT, False
    yield from in_sentences
    yield from (entry for entry in lines if entry[0] is not None)
    sentences = _SENTENCES.split(text)
    past = [folded(sentence) for sentence in sentences if _PAST.search(sentence)]
    now = folded(" ".join(sentence for sentence in sentences if not _PAST.search(sentence)))
    for index in _contained(folded(text), options):
        wording = f" {folded(options[index])} "
        yield index, Strength.WORDED, wording not in f" {now} " and any(wording in f" {one} " for one in past)


def _in_sentences(text: str) -> Iterator[tuple[int | None, Strength, bool]]:
    for sentence in _SENTENCES.split(text):
        is_past = bool(_PAST.search(sentence))
        for labels, before, after in _groups(sentence):
            strength = _strength(before, after)
            if strength is not None:
                for label in labels:
                    yield _index_of(label), strength, is_past


def _labelled_lines(text: str, options: Sequence[str]) -> Iterator[tuple[int | None, Strength, bool]]:
    for line in _LINE.finditer(text):
        index, mark, wording = _index_of(line.group(1)), line.group(2), line.group(3) or ""
        if _words_option(wording, options, index):
            yield index, Strength.WORDED, False
        elif line.group(1).isupper() and line.group(1).isalpha():
            if not folded(wording):
                yield index, Strength.EXPLICIT, False
            elif _REASON.match(folded(wording)) and not _DENIES.match(wording):
                yield index, Strength.WORDED, False
            elif mark in ".):" and not _DENIES.match(wording):
                yield None, Strength.WORDED, False
            elif not any(_words_option(wording, options, other) for other in range(len(options))):
                yield index, Strength.IN_PASSING, False


def _groups(sentence: str) -> Iterator[tuple[list[str], str, str]]:
    """Labels of a sentence, those of one list together, with what stands before and after them."""
    found = [mark for mark in _LABEL.finditer(sentence) if not _is_article(mark, sentence)]
    while found:
        group = [found.pop(0)]
        while found and _LISTED.fullmatch(sentence[group[-1].end() : found[0].start()]):
            group.append(found.pop(0))
        before, after = sentence[: group[0].start()][-_NEAR:], sentence[group[-1].end() :][:_NEAR]
        yield list({mark.group().upper() for mark in group}), before, after


_LISTED = re.compile(
    r"[)*_\"']*\s*(?:,|/|&|\bor\b|\band\b)(?:\s*(?:or|and|maybe|perhaps|possibly|even"
    r"|also)\b)*\s*(?:option\s+)?[(*_\"']*",
    re.I,
)


_NEAR = 150
"""Characters on either side of a label that say how it is meant."""


def _is_article(mark: re.Match[str], sentence: str) -> bool:
    return mark.group() == "A" and _ARTICLE.match(sentence[mark.end() : mark.end() + _NEAR]) is not None


def _strength(before: str, after: str) -> Strength | None:
    if _DENIED.search(before) or _DENIES.match(after):
        return None
    if _CHOOSING.search(before) and not _ASKED_TO_CHOOSE.search(before):
        return Strength.EXPLICIT
    if _WELL.match(after):
        return Strength.WORDED
    return Strength.IN_PASSING if _HERE_IT_STANDS.search(before) and _SUITS.match(after) else None


def _contained(said: str, options: Sequence[str]) -> Iterator[int]:
    """The options whose text stands in a folded reply, not denied; one within another counts where it stands alone."""
    rest = f" {said} "
    for index in sorted(range(len(options)), key=lambda place: -len(options[place])):
        wording = f" {folded(options[index])} "
        if wording.strip() and wording in rest:
            if not re.search(
                r"\b(?:not|than|instead of|avoid|no)(?: the| a| an| to| option [a-d]| [a-d])?$", rest.split(wording)[0]
            ):
                yield index
            rest = rest.replace(wording, " | ")


def _words_option(wording: str, options: Sequence[str], index: int) -> bool:
    """Whether words after a label are those of its option: its text, its beginning, or more of its words than of "
    "others'."""
    whole = folded(wording)
    said, option = folded(re.split(r"(?<=\w)[.!?](?:\s|$)", wording)[0]), folded(options[index])
    if not said:
        return False
    if option.startswith(said) or f"{whole} ".startswith(f"{option} "):
        return True
    words = set(said.split())
    shared = [len(words & (own := set(folded(one).split()))) / len(own) if folded(one) else 0.0 for one in options]
    own_words = _own_words(options, index)
    alike = shared[index] >= 0.5 or bool(own_words & _content(whole))
    return alike and all(share < shared[index] for place, share in enumerate(shared) if place != index)


def _by_its_words(text: str, options: Sequence[str], question: str) -> int | None:
    """The one option of whose own words a clause is mostly made, if no clause is of another's."""
    asked = _content(question)
    named = set()
    sentences = _SENTENCES.split(text)
    for sentence in [one for one in sentences if not _PAST.search(one)] or sentences:
        for clause in _CLAUSES.split(sentence):
            said = _content(clause) - asked
            for index, option in enumerate(options):
                is_named = _own_words(options, index) & said and 2 * len(_content(option) & said) > len(said)
                denied = set(_NEGATION.findall(clause.casefold())) - set(folded(option).split())
                if is_named and not denied:
                    named.add(index)
    return named.pop() if len(named) == 1 else None


_CLAUSES = re.compile(r"[,;:()]|\s[-–—]\s|\b(?:because|since|as|which|so|or|if)\b", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|avoid|none|neither|no|never|without|than|instead)\b|n't\b", re.IGNORECASE)


def _own_words(options: Sequence[str], index: int) -> set[str]:
    """Content words that one option has and the others have not."""
    others = set().union(*(_content(option) for place, option in enumerate(options) if place != index))
    return _content(options[index]) - others


def _content(text: str) -> set[str]:
    return {_stem(word) for word in folded(text).split() if word not in _PLAIN_WORDS and len(word) > 2}


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _index_of(label: str) -> int:
    return OPTION_LABELS.index(label.upper()) if label.isalpha() else int(label) - 1
