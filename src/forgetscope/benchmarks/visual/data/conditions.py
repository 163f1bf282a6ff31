"""The conditions an item is asked in, the controls, probes and scoring modes they are crossed with.

The paper's five conditions (section 3.4, Table 2) and the corrections it lacks (protocols.md, section 2):

* a *placebo list* of the same length, from which the item's concept and choices are absent: what naming a list does;
* a *wrong oracle*, which names a distractor: what naming an option does;
* *permission restored*: the concepts are listed, then allowed again: access behind the suppression.

A *control* changes what the model sees: *vision-free* is any condition under `no_image`. Oracle conditions disclose
the answer: they measure obedience and are never evidence of leakage.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from forgetscope.benchmarks.visual.data.records import Side
from forgetscope.core.errors import UnknownNameError


class Condition(StrEnum):
    """What the model is told beside the question."""

    BASELINE_NORMAL = "baseline_normal"
    UNLEARN_SOFT = "unlearn_soft"
    UNLEARN_MEDIUM = "unlearn_medium"
    ORACLE_HARD = "oracle_hard"
    ORACLE_REVERSE = "oracle_reverse"
    PLACEBO_SOFT = "placebo_soft"
    PLACEBO_MEDIUM = "placebo_medium"
    WRONG_ORACLE_HARD = "wrong_oracle_hard"
    WRONG_ORACLE_REVERSE = "wrong_oracle_reverse"
    RESTORED_SOFT = "restored_soft"
    RESTORED_MEDIUM = "restored_medium"


@dataclass(frozen=True)
class ConditionInfo:
    """What a condition says, and on which sides it is asked.

    Attributes:
        wording: The paper's condition whose sentence it uses; the baseline has none.
        names: What stands in the sentence: the forget list, a placebo list, the item's own concept, a distractor.
        restores: Whether the concepts are allowed again afterwards.
        probe_level: The paper's P1 to P3 (section 3.3); empty for corrections.
    """

    sides: tuple[Side, ...]
    wording: Condition | None
    names: Literal["nothing", "forget_list", "placebo_list", "concept", "distractor"]
    restores: bool = False
    probe_level: str = ""

    @property
    def names_the_answer(self) -> bool:
        """Whether the text discloses the right answer of the very item."""
        return self.names == "concept"


_BOTH: tuple[Side, ...] = ("forget", "retain")
_FORGET: tuple[Side, ...] = ("forget",)
_C = Condition

CONDITIONS: dict[Condition, ConditionInfo] = {
    _C.BASELINE_NORMAL: ConditionInfo(_BOTH, None, "nothing", probe_level="P1"),
    _C.UNLEARN_SOFT: ConditionInfo(_BOTH, _C.UNLEARN_SOFT, "forget_list", probe_level="P1"),
    _C.UNLEARN_MEDIUM: ConditionInfo(_BOTH, _C.UNLEARN_MEDIUM, "forget_list", probe_level="P1"),
    _C.ORACLE_HARD: ConditionInfo(_FORGET, _C.ORACLE_HARD, "concept", probe_level="P3"),
    _C.ORACLE_REVERSE: ConditionInfo(_FORGET, _C.ORACLE_REVERSE, "concept", probe_level="P2"),
    _C.PLACEBO_SOFT: ConditionInfo(_FORGET, _C.UNLEARN_SOFT, "placebo_list"),
    _C.PLACEBO_MEDIUM: ConditionInfo(_FORGET, _C.UNLEARN_MEDIUM, "placebo_list"),
    _C.WRONG_ORACLE_HARD: ConditionInfo(_FORGET, _C.ORACLE_HARD, "distractor"),
    _C.WRONG_ORACLE_REVERSE: ConditionInfo(_FORGET, _C.ORACLE_REVERSE, "distractor"),
    _C.RESTORED_SOFT: ConditionInfo(_FORGET, _C.UNLEARN_SOFT, "forget_list", restores=True),
    _C.RESTORED_MEDIUM: ConditionInfo(_FORGET, _C.UNLEARN_MEDIUM, "forget_list", restores=True),
}

PAPER_CONDITIONS = tuple(name for name, info in CONDITIONS.items() if info.probe_level)
CORRECTIONS = tuple(name for name, info in CONDITIONS.items() if not info.probe_level)
SUPPRESSIONS = (_C.UNLEARN_SOFT, _C.UNLEARN_MEDIUM)
"""The conditions that ask for suppression without naming the answer: what the paper's figures are about."""

CONDITION_SETS: dict[str, tuple[Condition, ...]] = {
    "paper": PAPER_CONDITIONS,
    "corrections": CORRECTIONS,
    "all": tuple(CONDITIONS),
}


class Control(StrEnum):
    """What is taken away from, or put in place of, what the model sees."""

    NONE = "none"
    NO_IMAGE = "no_image"
    """The question without the picture. Under a suppression or oracle condition: the *vision-free* correction."""
    SHUFFLED_IMAGE = "shuffled_image"
    """The picture of an item of another concept, by a seeded derangement."""
    OPTION_ONLY = "option_only"
    """Neither picture nor question: the options and the instruction to answer."""

    @property
    def shows_a_picture(self) -> bool:
        """Whether any picture is sent."""
        return self in (Control.NONE, Control.SHUFFLED_IMAGE)


GROUNDING_CONTROLS = (Control.NO_IMAGE, Control.SHUFFLED_IMAGE, Control.OPTION_ONLY)


class VisualProbe(StrEnum):
    """How knowledge of the concept is asked for."""

    CHOICE = "choice"
    SHORT_ANSWER = "short_answer"
    """The name in the model's own words; aliases count."""
    INDIRECT = "indirect"
    """Options that describe the choices without naming any of them."""


class Mode(StrEnum):
    """How the reply becomes an index; part of every figure's name."""

    GENERATE = "generate"
    FIRST_TOKEN = "first_token"  # noqa: S105 - a way of scoring, no secret
    """Argmax over the digits' log-probabilities at the first token. It has no invalid answers."""


class OracleTarget(StrEnum):
    """What the oracle texts name where class and forget concept differ (attributes)."""

    CONCEPT = "concept"
    CLASS = "class"
    """The authors' runner: the class of what is shown, and "spatial" for SpatialMQA."""


def parse_condition(name: str) -> Condition:
    """The condition of this name; upper case and hyphens are understood.

    Raises:
        UnknownNameError: there is none.
    """
    written = name.strip().lower().replace("-", "_")
    if written not in [*Condition]:
        raise UnknownNameError("no such condition", where="--condition", found=name, allowed=[*Condition])
    return Condition(written)
