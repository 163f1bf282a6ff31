"""The settings of a prospective run; the defaults are the paper's protocol."""

from typing import Annotated

from pydantic import ValidationInfo, field_validator

from forgetscope.benchmarks.prospective.data.conditions import CONDITION_NAMES, CONDITION_SETS
from forgetscope.benchmarks.prospective.loads.registry import LOADS, PAPER_LOADS
from forgetscope.benchmarks.prospective.prompts import SYSTEM_MESSAGES
from forgetscope.core.bounds import LARGEST
from forgetscope.core.errors import SettingError
from forgetscope.core.settings import Setting, Settings, place

MOST_REPEATS = 100
MOST_RUNS = 300
"""Seeds times repeats: of the paper's prompts 400,000 samples, which take a minute to plan."""
EXPERIMENTS = ("load", "stacking", "tension", "singles", "wordings")
"""The first three are the paper's and the default; the others are ours and optional."""
FAMILIES = ("ifeval", "ifbench")
SEEDS = (42, 137, 256)
"""One run each (paper, section 4.3)."""


class ProspectiveSettings(Settings):
    """Settings of the prospective benchmark."""

    experiments: Annotated[
        str,
        Setting(
            "Experiments; singles and wordings are not the paper's:", any_of=EXPERIMENTS, wrong="no such experiment"
        ),
    ] = "load,stacking,tension"
    conditions: Annotated[
        str,
        Setting(
            "Conditions of the load experiment; salience are eight cells, pure those that differ in one thing each:",
            any_of=CONDITION_NAMES,
            sets=CONDITION_SETS,
            wrong="no such condition",
        ),
    ] = "default"
    loads: Annotated[
        str,
        Setting(
            "What the model has to do besides, all are the paper's:",
            any_of=LOADS,
            sets={"all": PAPER_LOADS},
            wrong="no such load",
        ),
    ] = "all"
    prompts: Annotated[
        str,
        Setting(
            "The paper's six prompts of each type, or all of the file's.",
            one_of=("paper", "all"),
            wrong="no such choice of prompts",
        ),
    ] = "paper"
    constraints: Annotated[
        str,
        Setting(
            "Whose constraints: IFEval's, or IFBench's 58, which has the load experiment alone.",
            one_of=FAMILIES,
            wrong="no such constraints",
        ),
    ] = "ifeval"
    system_message: Annotated[
        str,
        Setting(
            "The system message, as one of the paper's appendices has it.",
            one_of=SYSTEM_MESSAGES,
            wrong="no such message",
        ),
    ] = "appendix_b"
    baseline: Annotated[
        str,
        Setting(
            "Prompts without load once, or again in each run: greedy replies need it once, hosted models may differ.",
            one_of=("once", "per_run"),
            wrong="no such way to send the baseline",
        ),
    ] = "once"
    repeats: Annotated[
        int,
        Setting(
            "How often each prompt is sent; 2 or more show how much replies vary.",
            least=1,
            most=MOST_REPEATS,
            wrong="not a number of times to send it",
        ),
    ] = 1
    temperature: Annotated[
        float, Setting("Of decoding; the paper's is 0, greedy.", least=0, most=2, wrong="no temperature")
    ] = 0.0
    seeds: Annotated[
        tuple[int, ...],
        Setting(
            "Run seeds, separated by commas.",
            least=0,
            wrong=f"seeds must be different, from 0 to {LARGEST}",
            option="seed",
        ),
    ] = SEEDS

    @field_validator("seeds")
    @classmethod
    def _few_runs(cls, seeds: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
        if (runs := len(seeds) * info.data.get("repeats", 1)) > MOST_RUNS:
            allowed = f"{MOST_RUNS} at most: seeds times repeats"
            raise SettingError("more runs than anybody sends", where=place(info), found=runs, allowed=allowed)
        return seeds
