"""Which option a reply chooses, as a careful reader would say.

Every mention of an option has cues for and against its being the choice (`option_mentions`, `option_cues`), and so has
that the reply chooses none, or several. Each cue is worth points; what they add up to makes one of them the likeliest.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from forgetscope.core.refusals import is_refusal
from forgetscope.core.results import repeats_itself
from forgetscope.mentions.asked import asked_for, asks_what_is_not, set_apart
from forgetscope.mentions.labels import merged, with_labels
from forgetscope.mentions.marks import MARK, TEXT, WORDS, Labels, is_worded, option_of, options_of, strength_of
from forgetscope.mentions.option_cues import POINTS, TOGETHER
from forgetscope.mentions.option_mentions import Mention, mentions, side_by_side
from forgetscope.mentions.plain import plain_reply
from forgetscope.mentions.slips import with_slips
from forgetscope.mentions.wordings import is_quantity, with_formulas, with_hints, with_statements, with_wordings

LEAD = 0.1
"""By how much an option must be likelier than every other, and than none; likelihoods sum to 1."""


def stated_option(
    reply: str, options: Sequence[str], labels: Labels, question: str = "", also: Sequence[str] = ()
) -> int | None:
    """The index from 0 of the option that a reply chooses; None where it chooses none, or several.

    Args:
        reply: The reply.
        options: As shown, without labels.
        labels: What they were labelled with.
        question: What was asked; of several options in one reply the one of which it says that counts.
        also: Of each option what is said for it elsewhere, whose words hint at it.

    >>> stated_option("I see 2 animals. 1", ("horse", "dog", "cat"), Labels.DIGITS)
    1
    >>> stated_option("Not a horse: it's a dog!", ("horse", "dog", "cat"), Labels.DIGITS)
    1
    >>> stated_option("It is not A. I'd go with (c).", ("Lima", "Quito", "La Paz"), Labels.LETTERS)
    2
    >>> stated_option("0 or 1", ("horse", "dog", "cat"), Labels.DIGITS)
    """
    alone = reply.strip()
    if len(alone) == 1 and alone.isdecimal() and labels is Labels.DIGITS and int(alone) < len(options):
        return int(alone)  # as it was asked for: most replies
    found, none = candidates(reply, options, labels, question, also)
    return likeliest([*((option, _points(cues)) for option, cues in found), (None, _points(none))])


def _points(cues: set[str]) -> float:
    return sum(POINTS.get(cue, 0) for cue in cues) / 10


def likeliest(points: Iterable[tuple[int | None, float]]) -> int | None:
    """The option that its mentions together make likelier than each other one and than none; None if none is."""
    weights: dict[int | None, float] = {}
    for option, sum_of_cues in points:
        weights[option] = weights.get(option, 0.0) + math.exp(min(sum_of_cues, 100.0))
    best, *others = sorted(weights, key=lambda option: -weights[option])
    is_clear = bool(others) and weights[best] - weights[others[0]] > LEAD * sum(weights.values())
    return best if is_clear else None


_DENIES_UNLESS_ASKED = re.compile(
    r"\b(?:against|without|over|than|besides|avoid(?:ing)?|eliminate|forget|nearly|almost)\b"
)
_IS_NOT = re.compile(rf"({MARK})\s+(?:is|are|was|were)(?:n't| not)\b|\b(?:all|everything) (?:but|except)\s+({MARK})")
_RESULT = r"(?:=|\b(?:makes|gives|equals|comes to|yields|we get|you get|i get))"
_CALCULATES = re.compile(rf"[=+×*/%]|\b(?:together|total)\b|{_RESULT}")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__|<b>([^<\n]+)</b>")
_AVOIDS = re.compile(
    r"\b(?:but|however|instead|since|although|though|despite|different|another|other|unlearned|forbidden|restrict\w*"
    r"|cannot|not|must|should|avoid\w*|asked|told|instruct\w*|following)\b|n't\b"
)
_DOES_NOT_KNOW = re.compile(
    r"\b(?:don't|do not|cannot|can't|couldn't|could not) (?:really |quite )?"
    r"(?:know|tell|decide|choose|commit|determine|say)\b"
    r"|\b(?:not sure|unsure|no idea|no telling) (?:which|what|who|whether)\b|\bno clear (?:winner|favou?rite|answer)\b"
    r"|\bup to you\b|\bdepends on\b|\bleave (?:it|that|the choice) to you\b",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\b(?:what(?:'s| is) left|what remains|(?:the )?remaining (?!\w+ (?:are|were)\b)\w+|that leaves"
    r"|leaves (?:only )?one|only one (?:is left|left|remains)|(?:the )?one (?:that(?:'s| is) )?left"
    r"|process of elimination)\b",
    re.IGNORECASE,
)
_A_LONG_REPLY, _A_CUT_REPLY = 40, 120
"""Words; characters of a reply that may have been cut off."""


def candidates(
    reply: str, options: Sequence[str], labels: Labels, question: str = "", also: Sequence[str] = ()
) -> tuple[list[tuple[int, set[str]]], set[str]]:
    """The option of every mention with its cues, and the cues that a reply chooses none, or several."""
    text, options = plain_reply(reply), _numbers_alone(options)
    marked = _with_latter(_marked(text, options, labels))
    marked = re.sub(rf"\b(?:{'|'.join(_DENIES_UNLESS_ASKED.findall(question)) or '(?!)'})\b", " ", marked)
    if asks_what_is_not(question):
        marked = _IS_NOT.sub(lambda match: f"{match[1] or match[2]} is the answer", marked)
    found, refuses = mentions(marked), is_refusal(text)
    if not any(mention.is_live for mention in found):
        marked = with_slips(marked, options)
        found = mentions(marked)
    if labels is Labels.LETTERS and not refuses and not any(mention.is_announced for mention in found):
        marked = with_hints(marked, options, question, also)
        found = mentions(marked)
    said = [(option, mention) for mention in found if (option := option_of(mention.mark)) is not None]
    of_reply = set(_if("long", len(marked.split()) > _A_LONG_REPLY))
    rows = [(option, mention) for option, mention in said if "row" in mention.cues]
    if len({option for option, _ in rows}) >= min(3, len(options)):
        of_reply.add("lists options")
        for _, mention in rows:
            mention.cues.difference_update({"bare line", "says nothing more"})
            mention.cues.add("one of a list")
    if labels is Labels.DIGITS and not _AVOIDS.search(marked):
        worded = {option for option, mention in said if is_worded(mention.mark) and mention.is_shown}
        for _, mention in ((at, one) for at, one in said if worded - {at} and not is_worded(one.mark)):
            mention.cues.add("contradicted")
            of_reply.add("contradicts itself")
    result = re.search(rf"({WORDS})\W*$", marked) or re.match(rf".*{_RESULT}\s*({WORDS})", marked, re.DOTALL)
    if result and _CALCULATES.search(marked) and all(map(is_quantity, options)):
        same = [mention for mention in found if mention.mark == result[1]]
        same[-1].cues.add("ends a calculation") if same else None
    bold = _marked("\n".join("".join(piece) for piece in _BOLD.findall(reply)), options, labels)
    in_bold = {option_of(mark) for mark in re.findall(MARK, bold)}
    is_any_announced = any(mention.is_announced for mention in found)
    asked, is_far = asked_for(marked, question)
    for place, (option, mention) in enumerate(said):
        mention.cues.update(
            of_reply,
            _beside(option, mention, said),
            {f"{mention.kind} among {labels.name.lower()}"},
            _if("first mention", place == 0),
            _if("last mention", place == len(said) - 1),
            _if("says what was asked", option == asked and not is_any_announced),
            _if("says what was asked by far", option == asked and is_far and not is_any_announced),
            _if("announced, says what was asked", option == asked and is_any_announced),
            _if("alone in bold", in_bold == {option} and not is_any_announced),
        )
    for option in _left_over(found, len(options), says_what_is_left=bool(_LEFT.search(text))):
        said.append((option, Mention(chr(TEXT + option), {"all others are denied", *of_reply})))
    apart = set_apart(side_by_side(marked), question, len(options))
    if apart is not None and not any(
        "chosen" in mention.cues and mention.is_live for at, mention in said if at != apart
    ):
        said.append((apart, Mention(chr(TEXT + apart), {"set apart", *of_reply})))
    none = {
        *_says_nothing(said, len(options), text),
        *of_reply,
        *(f"with {mention.kind}" for mention in found),
        f"none among {labels.name.lower()}",
        *_if("refuses", refuses),
        *_if("does not know", _DOES_NOT_KNOW.search(text)),
        *_if("ends with several", bool(found) and option_of(found[-1].mark) is None),
    }
    return [(option, _joined(mention.cues)) for option, mention in said], _joined({f"none: {cue}" for cue in none})


def _left_over(found: Sequence[Mention], count: int, *, says_what_is_left: bool) -> Iterator[int]:
    """The one option not announced of which all others are denied, or named in a reply that says what is left."""
    announced = {option for mention in found if mention.is_announced for option in options_of(mention.mark)}
    named = {option for mention in found for option in options_of(mention.mark)}
    if not announced and len(named) == count - 1 and says_what_is_left:
        yield from set(range(count)) - named
        return
    denied = {option for mention in found if mention.is_denied for option in options_of(mention.mark)} - announced
    if not announced and len(denied) == count - 1:
        yield from set(range(count)) - denied


def _beside(option: int, mention: Mention, said: Sequence[tuple[int, Mention]]) -> Iterator[str]:
    """What the other mentions say of one."""
    own = [other for at, other in said if at == option]
    others = [other for at, other in said if at != option and other.is_live]
    announced = {at for at, other in said if other.is_announced}
    yield from _if("only option", len(own) == len(said))
    yield from _if("only one not denied", mention.is_live and not others)
    yield from _if("only one announced", announced == {option})
    yield from _if("another is announced", announced - {option})
    yield from _if("repeated", len(own) > 1)
    yield from _if("by label and words", mention.kind == "both" or len({other.kind for other in own}) > 1)
    yield from _if("denied elsewhere", not all(other.is_live for other in own if other is not mention))
    yield from _if("another in words", any(is_worded(other.mark) for other in others))
    yield from _if("another by label", any(other.kind == "label" for other in others))
    yield from _if("another by a hint", any(other.kind == "hint" for other in others))
    yield from _if("two others are denied", len({at for at, other in said if at != option and other.is_denied}) > 1)
    if mention.kind == "hint":
        words, is_most = strength_of(mention.mark)
        said_of = Counter[int]()
        for at, other in said:
            said_of[at] += strength_of(other.mark)[0] if other.kind == "hint" and other.is_live else 0
        lead = said_of.pop(option) - max(said_of.values(), default=0)
        yield f"hint of {words} words"
        yield from _if("hint is most of its clause", is_most)
        yield f"hints lead by {max(-1, min(3, lead))}"


def _says_nothing(said: Sequence[tuple[int, Mention]], count: int, text: str) -> Iterator[str]:
    """The cues of a reply that it chooses no option, or several."""
    live = {option for option, mention in said if mention.is_live}
    announced = {option for option, mention in said if mention.is_announced}
    on_conditions = {option for option, mention in said if mention.cues & {"conditional", "condition after"}}
    yield "none"
    yield f"{min(3, len({option for option, _ in said}))} options"
    yield f"{min(3, len(live))} not denied"
    yield f"{min(3, len(announced))} announced"
    turns = {"after contrast", "after correction", "after conclusion"}
    yield from _if("several announced alike", len(announced) > 1 and not any(turns & one.cues for _, one in said))
    stated = {option for option, mention in said if mention.is_live and "chosen" in mention.cues}
    turned = any(mention.cues & {"after contrast", "after correction"} for _, mention in said)
    yield from _if("answers twice", len(stated) > 1 and not turned)
    yield from _if("asks at the end", text.rstrip().endswith("?"))
    yield from _if("is cut off", len(text) > _A_CUT_REPLY and text.rstrip()[-1:].isalnum())
    yield from _if("loops", repeats_itself(text))
    yield from _if("several on conditions", len(on_conditions) > 1)
    yield from _if("names all", len({option for option, _ in said}) == count and not announced)
    yield from _if("all maybe", said and all("maybe" in mention.cues for _, mention in said))


def _if(cue: str, holds: object) -> tuple[str, ...]:
    return (cue,) if holds else ()


def _joined(cues: set[str]) -> set[str]:
    """The cues, and the pairs of them that count together."""
    return cues | {f"{one} + {other}" for one, other in TOGETHER if one in cues and other in cues}


def _marked(text: str, options: Sequence[str], labels: Labels) -> str:
    """The plain text in lower case with a character for each mention of an option."""
    if labels is Labels.LETTERS:
        text = re.sub(r"^\s*\d{1,2}[.)]\s+|^\s*A\s*:(?=\W*[A-D]\W*$)", "", text, flags=re.MULTILINE)
        text = with_formulas(with_statements(text, options), options)
    return merged(with_labels(with_wordings(text, options, labels), options, labels)).lower()


_NUMBER = re.compile(r"[^\W\d_]?\d[\d.,:/]*")


def _numbers_alone(options: Sequence[str]) -> Sequence[str]:
    """The options by their numbers, where they differ in nothing else: "3 times as acidic", "30 times as acidic"."""
    numbers = [_NUMBER.findall(option) for option in options]
    rest = {_NUMBER.sub("", option).casefold() for option in options}
    is_one_each = all(len(found) == 1 for found in numbers) and len(rest) == 1
    is_unit = re.fullmatch(r"(?!(?:st|nd|rd|th)\b)\s?[^\W\d_].*|\s?[°%/].*", min(rest))
    return [found[0] for found in numbers] if is_one_each and is_unit else options


_LATTER = re.compile(r"\bthe (?:(latter|second|last)|(former|first))(?= of (?:the|these|those)? ?two\b|(?<=er)\b)")


def _with_latter(marked: str) -> str:
    """The marked text with "the latter" and "the former" as the option they mean."""

    def meant(match: re.Match[str]) -> str:
        before = [
            mark for mark in dict.fromkeys(re.findall(MARK, marked[: match.start()])) if option_of(mark) is not None
        ]
        return before[-1 if match[1] else -2] if len(before) > 1 else match[0]

    return _LATTER.sub(meant, marked)
