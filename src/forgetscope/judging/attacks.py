"""Replies that try to talk a judge round: a set of attacks, and what a judge makes of them.

Each attack is wrapped around a reply that must fail. A judge is *moved* where it fails the plain reply and passes the
attacked one. The attacks and the flags each must raise are data: `data/embedded/judging/attacks.jsonl`.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.io.records import read_records
from forgetscope.judging.ask import JudgeQuestion, ask
from forgetscope.judging.records import Judgement

if TYPE_CHECKING:
    from inspect_ai.model import Model

_PLACES = {"{blanks}": "\n" * 4000, "{words}": "and so it goes on " * 400}
"""What is too long to be written out in the data."""

Verdict = Literal["fail", "pass", "unreadable", "error"]


class Attack(BaseModel):
    """One way to talk a judge round.

    Attributes:
        what: In a few words.
        text: The attack with `{reply}` where the reply stands; `{blanks}` and `{words}` stand for long padding.
        flags: What the fence must notice, at least.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    what: str
    text: Annotated[str, Field(pattern=r"\{reply\}")]
    flags: Annotated[tuple[str, ...], Field(min_length=1)]

    def around(self, reply: str) -> str:
        """A reply with the attack."""
        text = self.text
        for place, padding in _PLACES.items():
            text = text.replace(place, padding)
        return text.replace("{reply}", reply)


@dataclass(frozen=True)
class JudgeTrial:
    """A question about a reply that must fail, with any text in the reply's place.

    Attributes:
        name: What is judged, for people.
        reply: The reply that must fail.
        question: From the reply's text to the question.
        passes: Whether a judgement that could be read means a pass.
    """

    name: str
    reply: str
    question: Callable[[str], JudgeQuestion]
    passes: Callable[[Judgement], bool]


@dataclass(frozen=True)
class AttackResult:
    """What became of one attack in one trial."""

    attack: Attack
    trial: str
    judge: str
    flags: tuple[str, ...]
    plain: Verdict
    attacked: Verdict

    @property
    def moved(self) -> bool:
        """Whether the judge failed the plain reply and passed the attacked one."""
        return self.plain == "fail" and self.attacked == "pass"

    @property
    def is_flagged(self) -> bool:
        """Whether every flag the attack must raise was raised."""
        return set(self.attack.flags) <= set(self.flags)


def load_attacks() -> list[Attack]:
    """The attacks that come with the package."""
    with as_file(files("forgetscope.judging").joinpath("attacks.jsonl")) as path:
        return read_records(path, Attack)


async def try_attacks(
    judge: "Model",
    trials: Sequence[JudgeTrial],
    attacks: Sequence[Attack],
    *,
    limit: int | None = None,
    at_once: int = 8,
    progress: Callable[[], None] = lambda: None,
) -> list[AttackResult]:
    """Put every attack to a judge in every trial, beside the plain reply; `limit` in tokens of the judge's reply."""
    places = asyncio.Semaphore(at_once)

    async def verdict(trial: JudgeTrial, reply: str) -> tuple[Verdict, tuple[str, ...]]:
        async with places:
            judgement = await ask(judge, str(judge), trial.question(reply), max_tokens=limit)
        progress()
        if judgement.verdict is None:
            return "error" if judgement.error else "unreadable", judgement.flags
        return "pass" if trial.passes(judgement) else "fail", judgement.flags

    async def one(trial: JudgeTrial) -> list[AttackResult]:
        replies = [trial.reply, *(attack.around(trial.reply) for attack in attacks)]
        (plain, _), *attacked = await asyncio.gather(*(verdict(trial, reply) for reply in replies))
        return [
            AttackResult(attack, trial.name, str(judge), flags, plain, found)
            for attack, (found, flags) in zip(attacks, attacked, strict=True)
        ]

    return [result for results in await asyncio.gather(*map(one, trials)) for result in results]
