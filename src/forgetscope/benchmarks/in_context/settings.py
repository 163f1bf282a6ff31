"""The settings of an in-context run, each value checked against what can be meant."""

from collections.abc import Sequence

from pydantic import field_validator

from forgetscope.benchmarks.base import Settings
from forgetscope.benchmarks.in_context.data.context import LENGTHS
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.data.samples import PreferenceQuestion
from forgetscope.benchmarks.in_context.prompts import STRATEGIES
from forgetscope.core.errors import SettingError

NATIVE = "native"
SCENARIOS = tuple(scenario.value for scenario in Scenario)
QUESTIONS = tuple(question.value for question in PreferenceQuestion)
PROBES = ("reask", "neighbour")
DIRECTIONS = ("forward", "reversed")
JUDGED = ("none", "needed", "all")


class InContextSettings(Settings):
    """Settings of the in-context benchmark.

    Attributes:
        scenarios: `all`, or any of the three, separated by commas.
        lengths: `native`, `all` (the paper's seven), or numbers of tokens.
        strategies: System messages: any of noforget, forget, none.
        questions: How preference is asked for: options, open, or both. The open form needs a judge.
        probes: Beyond the paper: the re-ask and the neighbour question of instructional forgetting; or `none`.
        direction: `forward` goes from the item's old preference to its new one.
        judged: What a judge is asked about: `none` (then samples that only a judge can score are not planned),
            `needed` (those samples alone), or `all` (verified ones too, so that judge and rule can be compared).
        judge_max_tokens: Of a judge's reply; None is 400 for models in this process and 2048 for others.
        allow_self_judge: Whether the model under test may judge its own replies.
        seed: Of filler and option order.
    """

    max_tokens: int = 1024
    scenarios: str = "all"
    lengths: str = NATIVE
    strategies: str = "noforget"
    questions: str = "options"
    probes: str = "reask,neighbour"
    direction: str = "forward"
    judged: str = "none"
    judge_max_tokens: int | None = None
    allow_self_judge: bool = False
    seed: int = 42

    @field_validator("judge_max_tokens")
    @classmethod
    def _verdicts_have_room(cls, limit: int | None) -> int | None:
        if limit is not None and limit < 1:
            raise SettingError("no room for a verdict", where="--judge-max-tokens", found=limit, allowed="1 or more")
        return limit

    @field_validator("scenarios")
    @classmethod
    def _known_scenarios(cls, text: str) -> str:
        return chosen(text, SCENARIOS, "--scenarios")

    @field_validator("strategies")
    @classmethod
    def _known_strategies(cls, text: str) -> str:
        return chosen(text, STRATEGIES, "--strategies")

    @field_validator("questions")
    @classmethod
    def _known_questions(cls, text: str) -> str:
        return chosen(text, QUESTIONS, "--questions")

    @field_validator("probes")
    @classmethod
    def _known_probes(cls, text: str) -> str:
        return "none" if text.strip() == "none" else chosen(text, PROBES, "--probes")

    @field_validator("direction")
    @classmethod
    def _known_direction(cls, text: str) -> str:
        if text not in DIRECTIONS:
            raise SettingError("no such direction", where="--direction", found=text, allowed=DIRECTIONS)
        return text

    @field_validator("judged")
    @classmethod
    def _known_judging(cls, text: str) -> str:
        if text not in JUDGED:
            raise SettingError("no such choice", where="--judge-what", found=text, allowed=JUDGED)
        return text

    @field_validator("lengths")
    @classmethod
    def _known_lengths(cls, text: str) -> str:
        if text.strip() == "all":
            return ",".join(map(str, LENGTHS))
        names = [part.strip() for part in text.split(",") if part.strip()]
        numbers = sorted({int(name) for name in names if name.isdecimal()})
        if not names or any(not name.isdecimal() and name != NATIVE for name in names) or 0 in numbers:
            raise SettingError("not lengths", where="--lengths", found=text, allowed="native, all, or tokens: 500,3000")
        return ",".join(([NATIVE] if NATIVE in names else []) + [str(number) for number in numbers])

    @property
    def controlled_lengths(self) -> tuple[int, ...]:
        """The lengths in tokens, without `native`, ascending."""
        return tuple(int(name) for name in self.lengths.split(",") if name != NATIVE)


def chosen(text: str, allowed: Sequence[str], option: str) -> str:
    """Names separated by commas, in the order of `allowed`; `all` is all of them.

    Raises:
        SettingError: a name is unknown, or there is none.
    """
    names = list(allowed) if text.strip() == "all" else [name.strip() for name in text.split(",") if name.strip()]
    if not names or any(name not in allowed for name in names):
        raise SettingError("unknown name", where=option, found=text, allowed=(*allowed, "all"))
    return ",".join(name for name in allowed if name in names)
