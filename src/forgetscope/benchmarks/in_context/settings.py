"""The settings of an in-context run."""

from typing import Annotated

from pydantic import ValidationInfo, field_validator

from forgetscope.benchmarks.in_context.data.probes import RUNGS
from forgetscope.benchmarks.in_context.data.scenarios import LENGTHS, PreferenceQuestion, Scenario
from forgetscope.benchmarks.in_context.prompts import ACKNOWLEDGED, CONSECUTIVE, STRATEGIES
from forgetscope.core.bounds import MOST_TOKENS
from forgetscope.core.errors import SettingError
from forgetscope.core.settings import ALL, Group, Setting, Settings, place

NATIVE = "native"
LONGEST = MOST_TOKENS
"""Tokens of a dialogue, at most; the longest contexts there are hold as many."""


class InContextSettings(Settings):
    """Settings of the in-context benchmark. Without a judge, samples that only a judge can score are not planned."""

    scenarios: Annotated[str, Setting("Scenarios:", any_of=Scenario, wrong="no such scenario")] = "all"
    lengths: Annotated[
        str,
        Setting("Lengths of the dialogue, any of: native, all (the paper's seven), numbers of tokens: 500,3000."),
    ] = NATIVE
    strategies: Annotated[
        str, Setting("What the system message asks for:", any_of=STRATEGIES, wrong="no such strategy")
    ] = "noforget"
    crossed: Annotated[
        bool,
        Setting("Ask every strategy at every length; otherwise all of them at native length and the first elsewhere."),
    ] = True
    questions: Annotated[
        str,
        Setting(
            "How preference is asked for, open with a judge only:", any_of=PreferenceQuestion, wrong="no such question"
        ),
    ] = "options"
    probes: Annotated[
        str,
        Setting(
            "What instructional forgetting asks beyond the paper:",
            any_of=("reask", "neighbour"),
            may_be_none=True,
            wrong="no such probe",
        ),
    ] = "reask,neighbour"
    arms: Annotated[
        str,
        Setting(
            "What the two forms are set against: the same never told, a request to forget something else.",
            any_of=("never", "placebo"),
            may_be_none=True,
            wrong="no such arm",
        ),
    ] = "never,placebo"
    pressure: Annotated[
        str,
        Setting(
            "Further ways to ask for what was to be forgotten, each in every arm:",
            any_of=RUNGS,
            may_be_none=True,
            wrong="no such way to ask",
        ),
    ] = "none"
    direction: Annotated[
        str,
        Setting(
            "From the old preference to the new one, or back.",
            one_of=("forward", "reversed"),
            wrong="no such direction",
        ),
    ] = "forward"
    consecutive: Annotated[
        str,
        Setting(
            "Between two user turns in a row: a fixed reply of the assistant, or nothing (raw), as the paper's rows.",
            one_of=CONSECUTIVE,
            wrong="no such choice",
        ),
    ] = ACKNOWLEDGED
    judged: Annotated[
        str,
        Setting(
            "What a judge is asked about; needed is what no rule can score, all the default where there is a judge.",
            one_of=("none", "needed", "all"),
            wrong="no such choice",
            option="judge-what",
            group=Group.JUDGE,
        ),
    ] = "none"
    judge_max_tokens: Annotated[
        int | None,
        Setting(
            "Tokens of a judge's reply, at most; 400 for models in this process, 2048 for others.",
            least=1,
            most=MOST_TOKENS,
            wrong="no such room for a verdict",
            group=Group.JUDGE,
        ),
    ] = None
    allow_self_judge: Annotated[bool, Setting("Let the model under test judge its own replies.", group=Group.JUDGE)] = (
        False
    )
    seed: Annotated[int, Setting("Seed of filler and option order.", least=0, wrong="no such seed")] = 42
    max_tokens: Annotated[
        int,
        Setting(
            "Tokens of a reply, at most.",
            least=1,
            most=MOST_TOKENS,
            wrong="no such room for a reply",
            group=Group.LIMITS,
        ),
    ] = 1024

    @field_validator("lengths")
    @classmethod
    def _known_lengths(cls, text: str, info: ValidationInfo) -> str:
        written = [part.strip() for part in text.split(",") if part.strip()]
        names = [name for part in written for name in (map(str, LENGTHS) if part == ALL else (part,))]
        numbers = sorted({int(name) for name in names if name.isdecimal()})
        is_named = bool(names) and all(name.isdecimal() or name == NATIVE for name in names)
        if not is_named or any(not 0 < number <= LONGEST for number in numbers):
            allowed = f"native, all, or tokens up to {LONGEST:,}: 500,3000"
            raise SettingError("not lengths", where=place(info), found=text, allowed=allowed)
        return ",".join(([NATIVE] if NATIVE in names else []) + [str(number) for number in numbers])

    @property
    def controlled_lengths(self) -> tuple[int, ...]:
        """The lengths in tokens, without `native`, ascending."""
        return tuple(int(name) for name in self.lengths.split(",") if name != NATIVE)

    def strategies_at(self, length: int | None) -> list[str]:
        """What the system messages ask for at a length, None for native."""
        named = self.strategies.split(",")
        return named if self.crossed or length is None else named[:1]
