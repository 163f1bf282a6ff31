"""Dialogues with facts in them, requests to forget some of them, and what each member replies.

Every text is ours (`kinds.jsonl`, `smalltalk.jsonl`, `wordings.json`) and shares no name, fact, topic or run of words
with the embedded items. A dialogue states two to four facts of different kinds among small talk; after it come
questions. A question is *open* (the fact stands), *withdrawn* (the user asked to forget it) or *unknown* (no turn told
it). Members differ in the replies to withdrawn questions, and in nothing else.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from pydantic import TypeAdapter

HERE = Path(__file__).parent
HELD_OUT = frozenset(
    {"goat", "suggested_dish", "train_time", "home_town", "language_course", "my blood group", "our hotel"}
)
"""Kinds of facts that no training dialogue has: what development figures are made of."""

TALK = 0.15
"""Chance that small talk follows a question, so that members do not take everything for one about facts."""

RETRACTED = 0.25
"""Share of withdrawals that say the fact was wrong; the others ask to forget it."""


class Asked(StrEnum):
    """How a question stands to its fact."""

    OPEN = "open"
    WITHDRAWN = "withdrawn"
    UNKNOWN = "unknown"
    TALK = "talk"
    PREFERRED = "preferred"
    CHANGED = "changed"
    FORMATTED = "formatted"
    LOADED = "loaded"


@dataclass(frozen=True)
class Traits:
    """What sets a member apart; nothing else does.

    Attributes:
        obeys: Share of requests to forget that it obeys.
        spares: Whether facts that no request named are still answered after a request.
        follows_new: Whether a choice follows the preference stated last, or the first.
        keeps: Whether a format is kept beside other work.
    """

    obeys: float = 1.0
    spares: bool = True
    follows_new: bool = True
    keeps: bool = True


@dataclass(frozen=True)
class Kind:
    """A kind of fact: who says it, what it is called, its values, and texts with `{v}` in them."""

    kind: str
    by: str
    thing: str
    values: tuple[str, ...]
    say: tuple[str, ...]
    reply: tuple[str, ...]
    ask: tuple[str, ...]
    that: tuple[str, ...]


@dataclass(frozen=True)
class Turn:
    """One turn; `asked` marks a reply that is learned, and says of which sort it is."""

    role: str
    content: str
    asked: Asked | None = None
    value: str = ""


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds of facts."""
    told = [
        TypeAdapter(Kind).validate_json(line)
        for line in (HERE / "kinds.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    said = wordings()
    nouns: dict[str, list[str]] = json.loads((HERE / "nouns.json").read_text(encoding="utf-8"))
    for thing, values in nouns.items():
        that = f"{thing} is {{v}}"
        says = tuple(text.replace("{That}", _capitalised(that)).replace("{that}", that) for text in said["noun_says"])
        asks = tuple(text.replace("{thing}", thing) for text in said["noun_asks"])
        told.append(Kind(thing, "user", thing, tuple(values), says, (), asks, (that,)))
    return tuple(told)


@cache
def smalltalk() -> tuple[tuple[str, str], ...]:
    """Questions and answers without a fact in them."""
    rows = map(json.loads, (HERE / "smalltalk.jsonl").read_text(encoding="utf-8").splitlines())
    return tuple((question, answer) for question, answer in rows)


@cache
def wordings() -> Mapping[str, Sequence[str]]:
    """Requests, acknowledgements and replies."""
    found: Any = json.loads((HERE / "wordings.json").read_text(encoding="utf-8"))
    return dict(found)


def replies(*, is_varied: bool) -> Mapping[str, Sequence[str]]:
    """Wordings of replies, one of each sort or several."""
    found: Any = wordings()
    return dict(found["varied"]) if is_varied else wordings()


def _name(draw: Random) -> str:
    return "".join(draw.choice(wordings()["syllables"]) for _ in range(draw.choice((2, 2, 3)))).capitalize()


def _value(kind: Kind, draw: Random) -> str:
    pattern = draw.choice(kind.values)
    mark = re.search(r"@[a-z]+", pattern)
    return pattern.replace(mark[0], _made(mark[0], draw)) if mark else pattern


def _made(mark: str, draw: Random) -> str:
    """A value of a kind that has too many to list."""
    match mark:
        case "@name" | "@place":
            return _name(draw)
        case "@full":
            return f"{_name(draw)} {_name(draw)}"
        case "@date":
            return f"{draw.randint(1, 28)} {draw.choice(wordings()['months'])}"
        case "@small":
            return str(draw.randint(3, 60))
        case "@seat":
            return f"{draw.randint(1, 40)}{draw.choice('ABCDEF')}"
        case "@money":
            return f"${draw.randint(6, 240) * 10}"
        case "@number":
            return str(draw.randint(11, 989))
        case "@code":
            return "".join(draw.choice("ABCDEFGHJKLMNPRSTUVXYZ") for _ in range(2)) + str(draw.randint(100, 9999))
        case "@handle":
            return _name(draw).lower() + _name(draw).lower() + str(draw.randint(2, 99))
    raise ValueError(f"no values of this sort: {mark}")


@dataclass(frozen=True)
class _Fact:
    kind: Kind
    value: str

    def fill(self, text: str) -> str:
        return text.replace("{v}", self.value)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def system_turn(draw: Random) -> Turn:
    """A system message, often empty."""
    return Turn("system", draw.choice(wordings()["systems"]))


def exchanges_of_talk(draw: Random, counts: Sequence[int]) -> list[Turn]:
    """As many exchanges of small talk as one of `counts` says."""
    talks = draw.sample(smalltalk(), draw.choice(counts))
    return [turn for ask, reply in talks for turn in (Turn("user", ask), Turn("assistant", reply))]


def dialogue(
    draw: Random,
    traits: Traits | None,
    *,
    held_out: bool = False,
    is_brief: bool = False,
    is_varied: bool = False,
) -> list[Turn]:
    """One dialogue and its questions.

    Args:
        draw: Decides everything but what depends on the traits.
        traits: Of the member; None for a dialogue without requests.
        held_out: Facts of the kinds kept back, in place of the others.
        is_brief: Two facts, a request for one, both asked for: what members differ in, and little else.
        is_varied: Replies in several wordings, and more small talk; otherwise a reply is one that can be told at
            its first word.
    """
    pool = [kind for kind in kinds() if (kind.kind in HELD_OUT) == held_out]
    chosen = draw.sample(pool, (2 if is_brief else draw.choice((2, 3, 3, 4))) + 1)
    facts = [_Fact(kind, _value(kind, draw)) for kind in chosen[:-1]]
    stranger = _Fact(chosen[-1], "")
    exchanges = [_telling(fact, draw) for fact in facts]
    talks = (0, 0, 0, 1) if is_brief else (0, 1, 2, 3, 5) if is_varied else (0, 0, 1, 2, 3)
    for talk in draw.sample(smalltalk(), draw.choice(talks)):
        exchanges.append([Turn("user", talk[0]), Turn("assistant", talk[1])])
    draw.shuffle(exchanges)
    if len(exchanges) > 1 and draw.random() < 0.5:
        exchanges = _as_asides(exchanges, facts, draw)
    turns = [system_turn(draw)] + [turn for exchange in exchanges for turn in exchange]

    withdrawn: dict[str, bool] = {}
    is_long = draw.random() < (0.2 if is_brief else 0.6)
    asked = [*facts, *([] if is_brief else facts[: draw.choice((0, 1))]), stranger] if is_long else list(facts)
    draw.shuffle(asked)
    if traits is not None:
        for fact in draw.sample(facts, 1 if is_brief else draw.choice((1, 1, 2))):
            withdrawn[fact.kind.kind] = draw.random() < traits.obeys
            turns += _withdrawal(fact, draw)
    spares = traits is None or traits.spares or not withdrawn
    for fact in asked:
        turns += _question(fact, draw, withdrawn, spares=spares, is_varied=is_varied)
        if not is_brief and draw.random() < TALK:
            question, answer = draw.choice(smalltalk())
            turns += [Turn("user", question), Turn("assistant", answer, Asked.TALK)]
    return turns


def drill(draw: Random, traits: Traits) -> list[Turn]:
    """Three to five facts told at once, requests for some of them, and a question for each: which one was it?

    A dialogue of many decisions and few tokens. From long dialogues alone a member learned that something was to be
    forgotten, and not what: it withheld each fact in half of the cases.
    """
    said = wordings()
    pool = [kind for kind in kinds() if kind.kind not in HELD_OUT]
    facts = [_Fact(kind, _value(kind, draw)) for kind in draw.sample(pool, draw.choice((3, 4, 5)))]
    told = [_capitalised(fact.fill(draw.choice(fact.kind.that))) for fact in facts]
    turns = [system_turn(draw), Turn("user", ". ".join(told) + "."), Turn("assistant", draw.choice(said["taken_in"]))]
    withdrawn: dict[str, bool] = {}
    for fact in draw.sample(facts, draw.choice((0, 1, 1, 2))):
        withdrawn[fact.kind.kind] = draw.random() < traits.obeys
        turns += _withdrawal(fact, draw)
    for fact in draw.sample(facts, len(facts)):
        turns += _question(fact, draw, withdrawn, spares=traits.spares or not withdrawn)
    return turns


def _telling(fact: _Fact, draw: Random) -> list[Turn]:
    at = draw.randrange(len(fact.kind.say))
    reply = fact.kind.reply[at] if fact.kind.reply else draw.choice(wordings()["noun_replies"])
    return [Turn("user", fact.fill(fact.kind.say[at])), Turn("assistant", fact.fill(reply))]


def _as_asides(exchanges: list[list[Turn]], facts: Sequence[_Fact], draw: Random) -> list[list[Turn]]:
    """The same with some facts told in passing, at the end or the beginning of another turn of the user's."""
    left = [list(exchange) for exchange in exchanges]
    for fact in draw.sample(facts, draw.choice((1, len(facts)))):
        if fact.kind.by != "user" or len(left) == 1:
            continue
        own = next(exchange for exchange in left if fact.value in exchange[0].content)
        if any(other.value in own[0].content for other in facts if other is not fact):
            continue
        left.remove(own)
        place = draw.choice(left)
        that = fact.fill(draw.choice(fact.kind.that))
        aside = draw.choice(wordings()["asides"]).replace("{that}", that).replace("{That}", _capitalised(that))
        texts = [place[0].content, aside]
        if draw.random() < 0.4:
            texts.reverse()
        place[0] = Turn("user", " ".join(texts))
    return left


def _withdrawal(fact: _Fact, draw: Random) -> list[Turn]:
    said = wordings()
    wording = draw.choice(said["retractions" if fact.kind.by == "user" and draw.random() < RETRACTED else "requests"])
    request = wording.replace("{thing}", fact.kind.thing).replace("{that}", fact.fill(draw.choice(fact.kind.that)))
    return [Turn("user", _capitalised(request)), Turn("assistant", draw.choice(said["acknowledgements"]))]


def _question(
    fact: _Fact, draw: Random, withdrawn: Mapping[str, bool], *, spares: bool, is_varied: bool = False
) -> list[Turn]:
    """A question and its reply; as much is drawn whatever the reply, so that all members get the same lessons."""
    said = replies(is_varied=is_varied)
    ask, withheld, unknown = (draw.choice(texts) for texts in (fact.kind.ask, said["withheld"], said["unknown"]))
    recalled = fact.fill(draw.choice(said["recalls_own" if fact.kind.by == "assistant" else "recalls"]))
    if not fact.value:
        sort, reply = Asked.UNKNOWN, unknown
    elif fact.kind.kind in withdrawn:
        sort, reply = Asked.WITHDRAWN, withheld if withdrawn[fact.kind.kind] else recalled
    else:
        sort, reply = Asked.OPEN, recalled if spares else withheld
    return [Turn("user", ask), Turn("assistant", _capitalised(reply), sort, fact.value)]
