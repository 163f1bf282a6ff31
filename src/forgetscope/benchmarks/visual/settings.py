"""The settings of a visual run; the defaults are the paper's conditions with all corrections and controls."""

from typing import Annotated

from pydantic import ValidationInfo, field_validator

from forgetscope.benchmarks.visual.data.conditions import (
    CONDITION_SETS,
    CONDITIONS,
    Condition,
    Control,
    Mode,
    OracleTarget,
    VisualProbe,
)
from forgetscope.benchmarks.visual.data.forms import Design
from forgetscope.benchmarks.visual.prompts import PHRASINGS
from forgetscope.core.errors import SettingError
from forgetscope.core.settings import LARGEST_SEED, Group, Setting, Settings, place

ELIGIBILITY = 50
ELIGIBILITY_EMBEDDED = 20
"""Pictures a forget concept on which it is decided whether the model knows it (protocols.md, section 2)."""

PICTURES_EMBEDDED = 12
"""Pictures a forget concept that measure, of twenty: with fewer, none right of four options is not below guessing."""

GENERATED_TOKENS = 64
"""Of a reply: the paper's runner allows as many."""

NOTHING_LEFT = "nothing is left to ask"


class VisualSettings(Settings):
    """Settings of the visual benchmark."""

    data: Annotated[str, Setting("embedded, or a folder of splits.")] = "embedded"
    splits: Annotated[str, Setting("all, or names of splits, separated by commas.")] = "all"
    images: Annotated[
        str, Setting("Folder the pictures' paths start from, where the data folder does not hold them.")
    ] = ""
    conditions: Annotated[
        str,
        Setting(
            "Conditions, the baseline always among them:",
            any_of=CONDITIONS,
            sets=CONDITION_SETS,
            wrong="no such condition",
        ),
    ] = "all"
    controls: Annotated[
        str,
        Setting(
            "Grounding controls under the baseline:",
            any_of=tuple(control.value for control in Control if control is not Control.NONE),
            may_be_none=True,
            wrong="no such control",
        ),
    ] = "no_image,shuffled_image,option_only"
    vision_free: Annotated[
        bool, Setting("Ask the paper's other conditions, and restored permission, without the picture too.")
    ] = True
    probes: Annotated[
        str, Setting("How an item is asked for, by choice always:", any_of=VisualProbe, wrong="no such probe")
    ] = "choice,short_answer,indirect"
    modes: Annotated[str, Setting("How an answer is read:", any_of=Mode, wrong="no such mode")] = "generate"
    phrasings: Annotated[
        int,
        Setting(
            f"Wordings of the suppression texts, the paper's first; at most {PHRASINGS}.",
            least=1,
            most=PHRASINGS,
            wrong="so many are not written",
        ),
    ] = 2
    orders: Annotated[int, Setting("Orders of the options.", least=1, wrong=NOTHING_LEFT)] = 1
    oracle_target: Annotated[
        str,
        Setting(
            "What oracle texts name: the concept, or the class as in the authors' runner.",
            one_of=OracleTarget,
            wrong="no such target",
        ),
    ] = OracleTarget.CONCEPT.value
    eligibility: Annotated[
        int | None,
        Setting(
            f"Pictures a concept that decide whether it is known; {ELIGIBILITY_EMBEDDED} embedded, {ELIGIBILITY} "
            "otherwise.",
            least=1,
            wrong=NOTHING_LEFT,
        ),
    ] = None
    pictures: Annotated[
        int | None,
        Setting(
            "Pictures of each forget concept that are measured; items to keep are at least three times as many. "
            f"0: all. By default {PICTURES_EMBEDDED} of 20 (embedded), all (others).",
            least=0,
            wrong="no such number of pictures",
        ),
    ] = None
    intervention: Annotated[
        str,
        Setting(
            "What is done to the model while it is measured: system_prompt[=TEXT], output_filter[=NAMES], "
            "logit_mask or weights=FOLDER. Eligibility is always asked of the untouched model.",
            group=Group.MODEL,
        ),
    ] = ""
    seed: Annotated[
        int,
        Setting("Seed of random draws; the splits have their own.", least=0, most=LARGEST_SEED, wrong="no such seed"),
    ] = 42
    max_tokens: Annotated[
        int, Setting("Tokens of a reply, at most.", least=1, wrong="no room for a reply", group=Group.LIMITS)
    ] = GENERATED_TOKENS

    @field_validator("intervention")
    @classmethod
    def _known_intervention(cls, text: str) -> str:
        from forgetscope.benchmarks.visual.interventions import parse_intervention

        parse_intervention(text)
        return text

    @field_validator("conditions")
    @classmethod
    def _with_the_baseline(cls, text: str, info: ValidationInfo) -> str:
        if Condition.BASELINE_NORMAL not in text.split(","):
            raise SettingError(
                "every other condition is compared with the baseline",
                where=place(info),
                found=text,
                allowed=f"{Condition.BASELINE_NORMAL.value} among: {', '.join((*CONDITION_SETS, *CONDITIONS))}",
            )
        return text

    @field_validator("probes")
    @classmethod
    def _by_choice_always(cls, text: str) -> str:
        return ",".join(dict.fromkeys((VisualProbe.CHOICE.value, *text.split(","))))

    @property
    def design(self) -> Design:
        """What is asked of each item."""
        default = ELIGIBILITY_EMBEDDED if self.data == "embedded" else ELIGIBILITY
        measured = PICTURES_EMBEDDED if self.data == "embedded" else 0
        return Design(
            conditions=tuple(Condition(name) for name in self.conditions.split(",")),
            controls=tuple(Control(name) for name in self.controls.split(",") if name != Control.NONE.value),
            vision_free=self.vision_free,
            probes=tuple(VisualProbe(name) for name in self.probes.split(",")),
            phrasings=self.phrasings,
            orders=self.orders,
            modes=tuple(Mode(name) for name in self.modes.split(",")),
            oracle_target=OracleTarget(self.oracle_target),
            eligibility=self.eligibility if self.eligibility is not None else default,
            pictures=self.pictures if self.pictures is not None else measured,
        )
