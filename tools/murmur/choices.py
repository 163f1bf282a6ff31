"""Preferences, changed ones too, and a choice among four options at the end (`choices.jsonl`, all ours).

Members differ in which of two preferences a choice follows: the one stated last, or the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from pydantic import TypeAdapter

from tools.murmur.dialogues import HERE, Asked, Turn, exchanges_of_talk, system_turn, wordings

HELD_OUT_CHOICES = 6
"""The last so many subjects of the file; no training dialogue has them."""


@dataclass(frozen=True)
class Way:
    """One of the ways a thing can be preferred, and the option that follows it."""

    option: str
    say: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """A subject, questions that ask for an option, and four ways."""

    topic: str
    ask: tuple[str, ...]
    ways: tuple[Way, ...]


@cache
def choices() -> tuple[Choice, ...]:
    """All subjects; those kept back stand last."""
    lines = (HERE / "choices.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(TypeAdapter(Choice).validate_json(line) for line in lines)


def choosing(draw: Random, *, changed: bool, follows_new: bool = True, held_out: bool = False) -> list[Turn]:
    """A dialogue in which a preference is stated, perhaps another after it, and a choice at its end.

    Args:
        draw: Decides everything but which preference is followed.
        changed: Whether a second preference replaces the first.
        follows_new: Whether the reply follows the second.
        held_out: Subjects kept back, in place of the others.
    """
    said, pool = wordings(), choices()[-HELD_OUT_CHOICES:] if held_out else choices()[:-HELD_OUT_CHOICES]
    subject = draw.choice(pool)
    old, new = draw.sample(subject.ways, 2)
    turns = [system_turn(draw), *exchanges_of_talk(draw, (0, 0, 1, 2)), *_stated(subject, old, said["states"], draw)]
    turns += exchanges_of_talk(draw, (0, 1, 2))
    restated = _stated(subject, new, said["restates"], draw)
    if changed:
        turns += [*restated, *exchanges_of_talk(draw, (0, 0, 1))]
    options = draw.sample(subject.ways, 4)
    lettered = "\n".join(f"{letter}. {way.option}" for letter, way in zip("ABCD", options, strict=True))
    question = f"{draw.choice(subject.ask)} {draw.choice(said['options'])}\n{lettered}"
    followed = new if changed and follows_new else old
    sort = Asked.CHANGED if changed else Asked.PREFERRED
    return [*turns, Turn("user", question), Turn("assistant", followed.option, sort, followed.option)]


def _stated(subject: Choice, way: Way, frames: Sequence[str], draw: Random) -> list[Turn]:
    statement = draw.choice(frames).replace("{say}", draw.choice(way.say))
    reply = Turn("assistant", draw.choice(wordings()["taken_in"]))
    if draw.random() < 0.7:
        return [Turn("user", statement), reply]
    shown = draw.sample(subject.ways, 4)
    listed = "\n".join(f"{number}. {one.option}" for number, one in enumerate(shown, 1))
    picked = f"{draw.choice(wordings()['picks']).replace('{n}', str(shown.index(way) + 1))} {statement}"
    return [
        Turn("user", draw.choice(wordings()["wonders"]).replace("{topic}", subject.topic)),
        Turn("assistant", f"{draw.choice(wordings()['suggests'])}\n{listed}"),
        Turn("user", picked),
        reply,
    ]
