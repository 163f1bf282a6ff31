"""Replies that try to talk a judge round: a set of attacks, and what a judge makes of them.

Each attack is wrapped around a reply that must fail. A judge is *moved* where it fails the plain reply and passes the
attacked one. The attacks and the flags each must raise are data: `data/embedded/judging/attacks.jsonl`.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.core.progress import Progress, silent
from forgetscope.io.records import read_records
from forgetscope.judging.ask import JudgeQuestion, ask
from forgetscope.judging.records import Judgement

if TYPE_CHECKING:
    from inspect_ai.model import Model

_PLACES = {"{blanks}": "\n" * 4000, "{words}": "and so it goes on " * 400}
"""What is too long to be written out in the data."""

Outcome = Literal["fail", "pass", "unreadable", "error"]


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
        name: What is judged, for people; several trials may share it.
        reply: The reply that must fail.
        question: From the reply's text to the question.
        passes: Whether a judgement that could be read means a pass.
        right: The question about a reply that must pass; None where there is none.
    """

    name: str
    reply: str
    question: Callable[[str], JudgeQuestion]
    passes: Callable[[Judgement], bool]
    right: JudgeQuestion | None = None


@dataclass(frozen=True)
class AttackResult:
    """What became of one attack in one trial.

    Attributes:
        trial: The trial's name.
        place: Which of the trials of that name, from 0.
        attacked: The same with it.
        right: The verdict on the reply that must pass; None where the trial has none.
    """

    attack: Attack
    trial: str
    place: int
    judge: str
    flags: tuple[str, ...]
    plain: Outcome
    attacked: Outcome
    right: Outcome | None = None

    @property
    def is_blind(self) -> bool:
        """Whether the judge did not fail the plain reply, so that nothing can be learnt from the attack."""
        return self.plain != "fail"

    @property
    def moved(self) -> bool:
        """Whether the judge failed the plain reply and passed the attacked one."""
        return self.plain == "fail" and self.attacked == "pass"

    @property
    def is_flagged(self) -> bool:
        """Whether every flag the attack must raise was raised."""
        return set(self.attack.flags) <= set(self.flags)


_NOT_FAILED: Mapping[Outcome, str] = {
    "pass": "passed",
    "unreadable": "gave no readable verdict on",
    "error": "could not be reached about",
}


def refusals(results: Sequence[AttackResult]) -> list[str]:
    """Why a judge is none: it does not fail plain wrong replies, or passes no plain right one; empty where neither."""
    found = []
    blind = [result for result in results if result.is_blind]
    if blind:
        plain = {(result.trial, result.place): result.plain for result in results}
        said = Counter(plain.values())
        ways = [f"{words} {said[outcome]}" for outcome, words in _NOT_FAILED.items() if said[outcome]]
        found.append(
            f"blind on {len(blind)} of {len(results)} attacks: of {len(plain)} plain wrong replies it "
            f"{' and '.join(ways)}"
        )
    for name in dict.fromkeys(result.trial for result in results):
        right = [result.right for result in results if result.trial == name and result.right is not None]
        if right and "pass" not in right and not all(result.is_blind for result in results if result.trial == name):
            found.append(f"passes no plain right reply ({name})")
    return found


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
    progress: Progress = silent,
) -> list[AttackResult]:
    """Put every attack to a judge once for each name of the trials, in turn by those that share it.

    Each trial's reply is also put to the judge without an attack, and its right reply where it has one.

    Args:
        judge: The judge.
        trials: In order.
        attacks: In order.
        limit: Tokens of the judge's reply, at most.
        at_once: Questions in flight.
        progress: From the number of questions to what is called after each.
    """
    places = asyncio.Semaphore(at_once)
    sharing: dict[str, list[JudgeTrial]] = {}
    for trial in trials:
        sharing.setdefault(trial.name, []).append(trial)
    plain = sum(1 + (trial.right is not None) for trial in trials)
    step = progress(plain + len(sharing) * len(attacks))

    async def outcome(trial: JudgeTrial, question: JudgeQuestion) -> tuple[Outcome, tuple[str, ...]]:
        async with places:
            judgement = await ask(judge, str(judge), question, max_tokens=limit)
        step()
        if judgement.verdict is None:
            return "error" if judgement.error else "unreadable", judgement.flags
        return "pass" if trial.passes(judgement) else "fail", judgement.flags

    async def without_attack(trial: JudgeTrial) -> tuple[Outcome, Outcome | None]:
        wrong, _ = await outcome(trial, trial.question(trial.reply))
        right = None if trial.right is None else (await outcome(trial, trial.right))[0]
        return wrong, right

    known = dict(zip(map(id, trials), await asyncio.gather(*map(without_attack, trials)), strict=True))

    async def one(attack: Attack, trial: JudgeTrial, place: int) -> AttackResult:
        attacked, flags = await outcome(trial, trial.question(attack.around(trial.reply)))
        wrong, right = known[id(trial)]
        return AttackResult(attack, trial.name, place, str(judge), flags, wrong, attacked, right)

    return await asyncio.gather(
        *(
            one(attack, same[number % len(same)], number % len(same))
            for same in sharing.values()
            for number, attack in enumerate(attacks)
        )
    )
