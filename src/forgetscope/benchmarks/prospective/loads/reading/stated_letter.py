"""The repaired reading of multiple-choice questions: which option a reply chooses.

Every letter and every option's text is a mention, with a rank by how it is given: boxed or after "the answer is";
chosen ("I'd go with B", "B is correct"); alone; at the head of a sentence; anywhere. What is denied ("not A", "A is
wrong") and letters of other things ("plan B", "vitamin B") are none. The highest rank wins, in it the last explicit
choice; two options of one lower rank are no choice.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from forgetscope.benchmarks.prospective.loads.reading.passages import SENTENCE_END, plain, said_aloud
from forgetscope.benchmarks.prospective.loads.reading.replies import fenced_json, json_leaves

LETTERS = "ABCD"
EXPLICIT, CHOSEN, ALONE, HEAD, ANYWHERE = 100, 90, 80, 65, 20
"""Ranks of a mention, by how it is given."""

_MARK = r"[\s*_\"'“”‘’(\[{<>$]*"
_OPTION_WORD = r"(?:(?:option|choice|letter|answer)\s+)?"
_ANSWER_WORD = (
    r"(?:answer|choice|option|letter|solution|result|ans|pick|final|verdict|conclusion|respuesta(?:\s+correcta)?|réponse|antwort"
    r"|correct(?:\s+one)?|right\s+one)"
)
_EXPLICIT = re.compile(
    rf"\b{_ANSWER_WORD}\b(?:[^.\n:=]{{0,50}}?\b(?:is|was|be|est|es|ist|remains)\b\s*:?|\s*[:=→—–-]|\s*\.(?=\s*\(?[A-D]\b))\s*"
    rf"(?:(?:clearly|definitely|therefore|indeed)\s+)?(?:the\s+)?{_OPTION_WORD}{_MARK}$",
    re.IGNORECASE,
)
_BOXED = re.compile(r"(?:\\boxed\s*\{\s*(?:\\text\s*\{)?\s*\(?|####\s*\(?)$")
_CHOSEN_BEFORE = re.compile(
    rf"(?:\b(?:choose|chose|pick|select|say|go(?:ing)?\s+(?:with|for)|went\s+with|opt\s+for|vote\s+for|settle[ds]?\s+on|prefer|conclude"
    rf"|(?:it|that|this|which)(?:['’]s|\s+is|\s+was|\s+must\s+be|\s+has\s+to\s+be|\s+would\s+be|\s+should\s+be)|\b(?:leaving|leaves|but|so|thus|therefore|hence),?))\s+"
    rf"(?:(?:clearly|definitely|obviously|rather)\s+)?(?:the\s+)?{_OPTION_WORD}{_MARK}$",
    re.IGNORECASE,
)
_CHOSEN_AFTER = re.compile(
    r"^[)\].*_\"'”’]*(?:\s*[,–—-]?\s*[^.,;\n]{0,80}?)?\s*(?:[(–—:-]\s*|\b(?:is|are|was|seems|looks)\s+(?:clearly\s+|definitely\s+|the\s+|my\s+|indeed\s+)*)"
    r"(?:correct|right|yes|best|one\s+I|true\s+answer|answer|choice|final\s+answer|pick|letter\s+of\s+the\s+correct)\b",
    re.IGNORECASE,
)
_OPTION_BEFORE = re.compile(rf"\b(?:option|choice|letter)\s*{_MARK}$", re.IGNORECASE)
_DENIED_BEFORE = re.compile(
    rf"(?:\b(?:not|never|neither|nor|cannot\s+be|rather\s+than|instead\s+of|except|unlike|over|against|exclude|without)|n['’]t(?:\s+be)?|\bmistake\s+is)\s+"
    rf"(?:\b(?:the|a|an)\s+)?{_OPTION_WORD}{_MARK}$",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(
    r"\b(?:rul(?:e|ed|ing)\s+out|eliminat(?:e|ed|ing)|exclud(?:e|ed|ing)|discard(?:ed|ing)?|neither)\b", re.IGNORECASE
)
_DENIED_AFTER = re.compile(
    r"^[)\].*_\"'”’]*[^.,;\n]{0,60}?(?:\b(?:is|are|was|were|seems?)\s+(?:also\s+|both\s+|all\s+|clearly\s+)*(?:not|wrong|incorrect|false|in\s+\w+\b)|n['’]t\b"
    r"|[(–—:-]\s*(?:incorrect|wrong|false|no)\b)",
    re.IGNORECASE,
)
_OTHER_THING = re.compile(
    r"\b(?:plan|vitamin|hepatitis|grade|section|part|group|type|class|appendix|exhibit|point|key\s+of|minor|major|side|team|schedule|had\s+an?"
    r"|got\s+an?|in\s+the\s+key\s+of|day\s+in|room|block|gate|platform|wing|row|level|figure|table|model|brand)\s+$",
    re.IGNORECASE,
)
_THING_AFTER = re.compile(
    r"^\s+(?:minor|major|flat|sharp|vitamins?|movies?|movie|side|plan|roll)\b|^[-.]?[A-Z]\.|^['’]\w", re.IGNORECASE
)
_LETTER = re.compile(r"(?<!\w)(?<!\w['’])([A-Da-d])(?!\w)")
_ARTICLE_AFTER = re.compile(
    r"^\s+(?!\()(?!because\b|since\b|as\b|which\b|for\b|and\b|or\b|is\b|was\b|rather\b|remains\b|not\b|but\b|would\b|seems\b|instead\b|over\b)[\w\"'“]",
    re.IGNORECASE,
)
_HEAD_AFTER = re.compile(
    r"^[)\].*_\"'”’}>:]*\s*(?:$|[,!?;:–—-]|because\b|since\b|as\b|remains\b|is\b|was\b|rather\b|of\s+course|,|\()",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^[\s*_\"'“”‘’(\[{<>#$|-]*(?:(?:\d{1,2}[.):]|\w+\s\d:|so|thus|therefore|hence|definitely|clearly|sure|ok(?:ay)?|well|i\s+(?:think|believe|guess)"
    r"|i['’]d\s+say|yes|the|option|letter|choice|then|finally|of\s+course|<?answer>?|section\s\d)[\s,:!.]*)*[\s*_\"'“”‘’(\[{<>#$|-]*$",
    re.IGNORECASE,
)
_JOINED = re.compile(
    rf"^[)\].*_\"'”’]*\s*(?:,|/|&|,?\s*(?:and|or|and/or))?\s*(?:maybe|perhaps|possibly|either)?\s*{_OPTION_WORD}{_MARK}$",
    re.IGNORECASE,
)
_PAIRED = re.compile(r"[)\].:,\s\"'“”*(\[–—-]{1,6}(?:option\s+|choice\s+|answer\s+)?[(\[]?")
_LETTERHEAD = re.compile(
    r"^[^\w\n]{0,4}dear\s\w+[^\w\n]{0,4}$"
    r"|^[^\w\n]{0,4}(?:yours(?:\s\w+)?|sincerely|(?:kind|best|warm)?\s?regards|best|love|cheers|from)\W{0,4}\n\W{0,4}\w+\W{0,4}$",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(r"^[^\S\n]*(?:[*_>#-]\s*)*[([]?([a-d])(?:[).\]:]|\s+[-–—])\s*\S", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:could|might|may|either|both|maybe|perhaps|possibl[ey]|cannot\s+decide|unsure)\b", re.IGNORECASE
)
_STOPS = re.compile(r"[.;!?]+(?=\s+\S)")
_KEY = re.compile(r"answer|option|choice|letter|correct|selected|pick", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Mention:
    rank: int
    letter: str | None
    """None where several are offered and none is chosen."""


def stated_letter(reply: str, choices: Sequence[str], question: str = "") -> str | None:
    """The option a reply chooses, or None; of several options in one sentence the one of which it says what was asked.

    >>> stated_letter("It is not A. I'd go with (c).", ("Lima", "Quito", "La Paz", "Bogota"))
    'C'
    >>> stated_letter("It could be A or C.", ("Lima", "Quito", "La Paz", "Bogota"))
    """
    text = said_aloud(reply)
    found = fenced_json(text)
    if found is not None:
        leaves = [(path, str(leaf)) for path, leaf in json_leaves(found) if path]
        for path, leaf in leaves:
            if _KEY.search(path[-1]) and (letter := _chosen(leaf, choices, question)):
                return letter
        text = "\n".join(f"{path[-1]}: {leaf}" for path, leaf in leaves) or text
    return _chosen(plain(text.replace("✅", " - correct").replace("❌", " - incorrect")), choices, question)


def _chosen(text: str, choices: Sequence[str], question: str) -> str | None:
    for choice in choices:  # an option of several sentences is one piece
        if (joined := _STOPS.sub("", choice)) != choice:
            text = re.sub(re.escape(choice), lambda _, joined=joined: joined, text, flags=re.IGNORECASE)  # type: ignore[misc]
    text = _LETTERHEAD.sub("", text)
    choices = [_STOPS.sub("", choice) for choice in choices]
    mentions = list(_mentions(text, choices))
    top = max((mention.rank for mention in mentions), default=0)
    best = [mention.letter for mention in mentions if mention.rank == top]
    if not best:
        return _one_word_of(text, choices)
    if top >= CHOSEN:
        return best[-1]
    return best[0] if len(set(best)) == 1 else _asked_for(text, choices, question) if top < HEAD else None


def _one_word_of(text: str, choices: Sequence[str]) -> str | None:
    """The option of which a reply of few words has a word that no other option has: "Pavlov"."""
    said = re.findall(r"[^\W\d_]{4,}", text.lower())
    if len(text.split()) > 6 or re.search(r"\b(?:not|no|or)\b|n['’]t\b", text, re.IGNORECASE):
        return None
    words = [set(re.findall(r"[^\W\d_]{4,}", choice.lower())) for choice in choices]
    found = {
        letter
        for letter, own in zip(LETTERS, words, strict=False)
        if any(word in own and sum(word in other for other in words) == 1 for word in said)
    }
    return found.pop() if len(found) == 1 else None


def _asked_for(text: str, choices: Sequence[str], question: str) -> str | None:
    """The option whose clause has most of the question's words: "Plants release oxygen and absorb carbon dioxide"."""
    asked = {word[:5] for word in re.findall(r"[^\W\d_]{4,}", question.lower())}
    shared: dict[str, int] = {}
    for clause in re.split(r"[.,;:!?\n]|\b(?:and|but|while|whereas)\b", text):
        words = {word[:5] for word in re.findall(r"[^\W\d_]{4,}", clause.lower())}
        for _, _, letter in _option_spans(clause, choices):
            shared[letter] = max(shared.get(letter, 0), len(words & asked))
    best = [letter for letter, count in shared.items() if count == max(shared.values()) > 0]
    return best[0] if len(best) == 1 else None


def _mentions(text: str, choices: Sequence[str]) -> Iterator[_Mention]:
    lines = [line for line in text.split("\n") if line.strip()]
    listed = [match[1].upper() for line in lines if (match := _LISTED.match(line))]
    is_listing = len(set(listed)) >= 3
    carried, is_first = "", True
    for line in lines:
        if is_listing and (head := _LISTED.match(line)):
            if _CHOSEN_AFTER.match(line[head.end(1) :]) and not _DENIED_AFTER.match(line[head.end(1) :]):
                yield _Mention(CHOSEN, head[1].upper())
            continue
        sentences = [sentence for sentence in SENTENCE_END.split(_together(line)) if sentence.strip()]
        for sentence in sentences:
            yield from _in_sentence(sentence, carried, choices, is_first=is_first)
            is_first = False
            carried = ""
        if (
            re.search(rf"\b{_ANSWER_WORD}\b[^.\n]{{0,50}}(?:\bis\b\s*:?|:)?\s*$", line, re.IGNORECASE)
            and len(line) < 90
        ):
            carried = "answer: "


def _together(line: str) -> str:
    """The line with the letter that opens it tied to its option: "B. Quito" is one sentence."""
    return re.sub(
        r"(?<![\w.])([A-Da-d])\.(?=\s+[^\W\d_]*)(?=\s)",
        lambda match: match[1] + ")" if _ties(line, match) else match[0],
        line,
    )


def _ties(line: str, match: re.Match[str]) -> bool:
    """Whether a stop after a letter belongs to it as a label: it stands at the head, and no other letter follows."""
    return _LEAD.match(line[: match.start()]) is not None and not re.match(r"\s+[A-D]\b\s", line[match.end() :])


def _in_sentence(sentence: str, carried: str, choices: Sequence[str], *, is_first: bool) -> Iterator[_Mention]:
    text = carried + sentence
    spans = _option_spans(text, choices)
    marks = [
        (match.start(), match.end(), match[1].upper())
        for match in _LETTER.finditer(text)
        if not any(start <= match.start() < end for start, end, _ in spans) and _is_option_letter(text, match)
    ]
    found: list[tuple[int, int, str, int]] = []
    denied_to = -1
    for start, end, letter in sorted([*marks, *spans]):
        between = text[denied_to:start] if denied_to >= 0 else ""
        goes_on = re.search(r"\b(?:and|or|nor)\b|/", between) is not None and _JOINED.match(between) is not None
        if _DENIED_BEFORE.search(text[:start][-120:]) or goes_on:
            denied_to = end  # "not A or B", "unlike A and B" deny both
            continue
        rank = _rank(text, start, end, is_text=(start, end, letter) in spans, is_first=is_first)
        if rank is not None:
            found.append((start, end, letter, rank))
        elif _DENIED_AFTER.match(text[end:][:140]):  # "B, C and D are wrong" denies all three
            while found and found[-1][3] < CHOSEN and _JOINED.match(text[found[-1][1] : start]):
                start = found.pop()[0]
    for place, (first, second) in enumerate(pairwise(found)):
        is_pair = first[2] == second[2] and _PAIRED.fullmatch(text[first[1] : second[0]]) is not None
        if is_pair and (first[:3] in spans) != (second[:3] in spans):  # "B) Quito", "Quito (B)"
            is_all = is_first and re.match(r"\W*(?:$|[.,;—–-]|because\b|since\b)", text[second[1] :]) is not None
            rank = first[3] if first[3] < HEAD else CHOSEN + 5 if is_all else ALONE
            found[place] = (*first[:3], max(first[3], rank))
    outside = (match for match in _RULED_OUT.finditer(text) if not any(s <= match.start() < e for s, e, _ in spans))
    ruled = next(outside, None)
    kept = [entry for entry in found if ruled is None or entry[0] < ruled.start() or entry[3] >= CHOSEN]
    joined = _joined(text, kept)
    if not kept:
        return
    if joined and len({letter for _, _, letter, _ in joined}) > 1:
        rank = max(entry[3] for entry in joined)
        others = [entry for entry in kept if entry not in joined and entry[3] >= CHOSEN]
        if others:
            yield _Mention(others[-1][3], others[-1][2])
        elif apart := [entry for entry in kept if entry not in joined and entry[3] > max(rank, HEAD)]:
            yield _Mention(apart[0][3], apart[0][2])
        elif len({letter for _, _, letter, _ in joined}) < 3 or rank >= CHOSEN:
            yield _Mention(max(rank, HEAD if _HEDGED.search(text) or is_first else ANYWHERE), None)
        return
    for _, _, letter, rank in kept:
        yield _Mention(rank, letter)


def _joined(text: str, found: Sequence[tuple[int, int, str, int]]) -> list[tuple[int, int, str, int]]:
    """The mentions that stand in one list: "A or C", "B, C"."""
    joined: list[tuple[int, int, str, int]] = []
    for first, second in pairwise(found):
        between = text[first[1] : second[0]]
        if (
            first[2] != second[2]
            and _JOINED.match(between)
            and re.search(r"[,/&]|and|or|\s", between)
            and "(" not in between
        ):
            joined.extend(entry for entry in (first, second) if entry not in joined)
    return joined


def _option_spans(text: str, choices: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where the options' texts stand, the longest where they overlap."""
    lowered = text.lower()
    spans: list[tuple[int, int, str]] = []
    if len(lowered) != len(text):
        return spans
    for letter, choice in zip(LETTERS, choices, strict=False):
        words = choice.lower().strip(" .").split()
        words = (
            words[1:] if len(words) > 1 and words[0] in ("a", "an", "the") and words[1] not in ("and", "or") else words
        )
        if words and choice.strip(" .").upper() not in LETTERS:
            pattern = r"(?<![\w.])" + r"\s+".join(re.escape(word) for word in words) + r"(?![\w]|\.\d)"
            spans.extend((match.start(), match.end(), letter) for match in re.finditer(pattern, lowered))
    return [
        span
        for span in sorted(spans)
        if not any(
            other != span and other[0] <= span[0] and span[1] <= other[1] and other[1] - other[0] > span[1] - span[0]
            for other in spans
        )
    ]


def _is_option_letter(text: str, match: re.Match[str]) -> bool:
    before, after = text[: match.start()][-60:], text[match.end() :][:60]
    if _OTHER_THING.search(before) or (_THING_AFTER.match(after) and not _EXPLICIT.search(before)):
        return False
    is_marked = after[:1] in (")", "]", "}") or bool(_BOXED.search(before))
    is_asked = bool(_EXPLICIT.search(before) or _CHOSEN_BEFORE.search(before) or _OPTION_BEFORE.search(before))
    if match[1] == "A" and not is_marked and _ARTICLE_AFTER.match(after):
        return False
    if match[1].islower() and not is_marked:
        if re.match(r"^\s*(?:=|must\b|is\b|can\b|should\b|has\b)", after) and not _OPTION_BEFORE.search(before):
            return False
        is_alone = _LEAD.match(before) is not None and not re.search(r"\w", after)
        if match[1] == "a" and _ARTICLE_AFTER.match(after):
            return False
        return is_alone or is_asked or (_LEAD.match(before) is not None and re.match(r"^[.:]\s", after) is not None)
    return True


def _rank(text: str, start: int, end: int, *, is_text: bool, is_first: bool) -> int | None:
    before, after = text[:start][-120:], text[end:][:140]
    if (
        _BOXED.search(before)
        or _EXPLICIT.search(before)
        or (re.match(r"^\s*A\s*:\s*\(?$", before) and not re.search(r"\w", after))
    ):
        return EXPLICIT
    if _CHOSEN_BEFORE.search(before) or (_CHOSEN_AFTER.match(after) and not _DENIED_AFTER.match(after)):
        return CHOSEN
    if not is_text and _DENIED_AFTER.match(after):
        return None
    leads = _LEAD.match(before) is not None
    if leads and not re.search(r"\w", after):
        return ALONE + 3 * is_first
    if leads and (after[:1] in (")", "]", "}") or _HEAD_AFTER.match(after) or (is_text and is_first)):
        return HEAD + 5 * (not is_text) + 3 * is_first
    if _OPTION_BEFORE.search(before):
        return HEAD + 10
    return ANYWHERE + 10 * is_text
