"""The settings of a visual run; the defaults are the paper's conditions with all corrections and controls.

With the paper's five conditions alone (`conditions=paper`) what is not named is not asked: no control, no other probe
or wording, nothing without the picture, no pictures set aside for eligibility.
"""

from typing import Annotated

from pydantic import ValidationInfo, field_validator

from forgetscope.benchmarks.visual.data.conditions import (
    CONDITION_SETS,
    CONDITIONS,
    GROUNDING_CONTROLS,
    PAPER_CONDITIONS,
    Condition,
    Control,
    Mode,
    OracleTarget,
    VisualProbe,
)
from forgetscope.benchmarks.visual.data.forms import Design
from forgetscope.benchmarks.visual.prompts import PHRASINGS
from forgetscope.core.bounds import MOST_TOKENS
from forgetscope.core.errors import SettingError
from forgetscope.core.settings import Group, Setting, Settings, place

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
        str,
        Setting(
            "Folder the pictures' paths start from, or one with such a folder a source (coco, ...), where the data "
            "folder does not hold them."
        ),
    ] = ""
    conditions: Annotated[
        str,
        Setting(
            "Conditions, the baseline always among them; with paper alone nothing else is asked unless it is named:",
            any_of=CONDITIONS,
            sets=CONDITION_SETS,
            wrong="no such condition",
        ),
    ] = "all"
    controls: Annotated[
        str | None,
        Setting(
            "Grounding controls under the baseline, by default every one:",
            any_of=tuple(control.value for control in Control if control is not Control.NONE),
            may_be_none=True,
            wrong="no such control",
        ),
    ] = None
    vision_free: Annotated[
        bool | None,
        Setting("Ask the paper's other conditions, and restored permission, without the picture too; the default."),
    ] = None
    probes: Annotated[
        str | None,
        Setting(
            "How an item is asked for, by choice always, by default in every way:",
            any_of=VisualProbe,
            wrong="no such probe",
        ),
    ] = None
    modes: Annotated[str, Setting("How an answer is read:", any_of=Mode, wrong="no such mode")] = "generate"
    phrasings: Annotated[
        int | None,
        Setting(
            f"Wordings of the suppression texts, the paper's first; 2 by default, at most {PHRASINGS}.",
            least=1,
            most=PHRASINGS,
            wrong="so many are not written",
        ),
    ] = None
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
            "otherwise. 0: the baseline's own decide.",
            least=0,
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
        Setting("Seed of random draws; the splits have their own.", least=0, wrong="no such seed"),
    ] = 42
    max_tokens: Annotated[
        int,
        Setting(
            "Tokens of a reply, at most.",
            least=1,
            most=MOST_TOKENS,
            wrong="no such room for a reply",
            group=Group.LIMITS,
        ),
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
    def _by_choice_always(cls, text: str | None) -> str | None:
        return text and ",".join(dict.fromkeys((VisualProbe.CHOICE.value, *text.split(","))))

    @property
    def is_the_papers(self) -> bool:
        """Whether the paper's five conditions are asked and no other."""
        return self.conditions == ",".join(PAPER_CONDITIONS)

    @property
    def design(self) -> Design:
        """What is asked of each item: what was named, and of what was not, nothing of ours beside the paper's five."""
        known = ELIGIBILITY_EMBEDDED if self.data == "embedded" else ELIGIBILITY
        ours = Design(
            controls=GROUNDING_CONTROLS, vision_free=True, probes=tuple(VisualProbe), phrasings=2, eligibility=known
        )
        default = Design() if self.is_the_papers else ours
        controls = default.controls if self.controls is None else map(Control, self.controls.split(","))
        probes = default.probes if self.probes is None else map(VisualProbe, self.probes.split(","))
        measured = PICTURES_EMBEDDED if self.data == "embedded" else 0
        return Design(
            conditions=tuple(Condition(name) for name in self.conditions.split(",")),
            controls=tuple(name for name in controls if name is not Control.NONE),
            vision_free=default.vision_free if self.vision_free is None else self.vision_free,
            probes=tuple(probes),
            phrasings=default.phrasings if self.phrasings is None else self.phrasings,
            orders=self.orders,
            modes=tuple(Mode(name) for name in self.modes.split(",")),
            oracle_target=OracleTarget(self.oracle_target),
            eligibility=default.eligibility if self.eligibility is None else self.eligibility,
            pictures=measured if self.pictures is None else self.pictures,
        )
