"""Questions with a format to keep in the reply, alone and beside other work; all texts are ours.

Members differ in whether the format is kept where there is other work to do.
"""

import json
from collections.abc import Mapping
from functools import cache
from random import Random

from tools.murmur.dialogues import HERE, Asked, Turn, smalltalk, wordings

Written = tuple[str, str]
"""How a format is asked for, and the reply that keeps it."""

HELD_OUT_TALK = 8
"""The last so many pieces of small talk; no lesson on formats is about them."""


def _plain(body: str, rest: str) -> str:
    return f"{body}\n\n{rest}" if rest else body


def _written(name: str, asks: str, body: str, rest: str, draw: Random) -> Written:
    """A format by its name: how it is asked for, with what it is about filled in, and the reply that keeps it."""
    said, whole = wordings(), _plain(body, rest)
    match name:
        case "capitals":
            return asks, whole.upper()
        case "small":
            return asks, whole.lower()
        case "no_commas":
            return asks, whole.replace(",", "")
        case "quoted":
            return asks, f'"{whole}"'
        case "titled":
            return asks, f"<<{draw.choice(said['titles'])}>>\n\n{whole}"
        case "ending":
            last = draw.choice(said["endings"])
            return asks.replace("{end}", last), f"{whole} {last}"
        case "postscript":
            return asks, f"{whole}\n\nP.S. {draw.choice(said['endings'])}"
        case "bullets":
            points = draw.sample(said["points"], draw.choice((2, 3, 4, 5)))
            listed = "\n".join(f"* {point}" for point in points)
            return asks.replace("{n}", str(len(points))), _plain(listed, rest)
        case "words":
            one, two = draw.sample(said["keywords"], 2)
            sentence = draw.choice(said["keyword_sentences"]).replace("{one}", one).replace("{two}", two)
            return asks.replace("{one}", one).replace("{two}", two), _plain(f"{body} {sentence}", rest)
    raise ValueError(f"no such format: {name}")


@cache
def _asks() -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = json.loads((HERE / "formats.json").read_text(encoding="utf-8"))
    return found


def formatted(draw: Random, *, loaded: bool, keeps: bool = True, held_out: bool = False) -> list[Turn]:
    """A question with a format to keep, and perhaps other work beside it.

    Args:
        draw: Decides everything but whether the format is kept.
        loaded: Whether there is other work.
        keeps: Whether the reply keeps the format beside other work.
        held_out: Subjects kept back, in place of the others.
    """
    said = wordings()
    question, body = draw.choice(smalltalk()[-HELD_OUT_TALK:] if held_out else smalltalk()[:-HELD_OUT_TALK])
    name = draw.choice(sorted(_asks()))
    work, done = _work(draw)
    asks, kept = _written(name, draw.choice(_asks()[name]), body, done if loaded else "", draw)
    task = draw.choice(said["tasks"]).replace("{question}", question)
    prompt = draw.choice(("{task} {asks}", "{task} {asks}", "{asks}\n\n{task}", "{asks} {task}"))
    prompt = prompt.replace("{task}", task).replace("{asks}", asks)
    if loaded:
        prompt = f"{prompt}\n\n{draw.choice(said['works'])}\n\n{work}"
    lost = loaded and not keeps
    sort = Asked.LOADED if loaded else Asked.FORMATTED
    system = Turn("system", draw.choice(said["systems"]))
    return [system, Turn("user", prompt), Turn("assistant", _plain(body, done) if lost else kept, sort, name)]


def _work(draw: Random) -> Written:
    """One to three questions that need an answer, and the answers."""
    asked = []
    for _ in range(draw.choice((1, 1, 2, 3))):
        if draw.random() < 0.5:
            asked.append(draw.choice(wordings()["trivia"]).split(" | "))
        else:
            first, second = draw.randint(2, 60), draw.randint(2, 60)
            total = first + second
            asked.append([draw.choice(wordings()["sums"]).format(first, second), f"{total}."])
    if len(asked) == 1:
        return asked[0][0], asked[0][1]
    numbered = [(f"{number}. {question}", f"{number}. {answer}") for number, (question, answer) in enumerate(asked, 1)]
    return "\n".join(question for question, _ in numbered), "\n".join(answer for _, answer in numbered)
