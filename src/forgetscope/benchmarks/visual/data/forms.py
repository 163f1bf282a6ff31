"""Which forms an item is asked in: conditions crossed with controls, probes, phrasings, option orders and modes.

The full product would be thousands of samples an item, most of which answer no question. What is asked, and why:

* every condition, as the paper does and with the corrections;
* under the baseline the grounding controls; under the paper's other conditions, and with permission restored (which
  names the right option again), the same without the picture (*vision-free*), on the forget side;
* under baseline, soft and medium on the forget side: the short answer and the indirect probe, the paraphrases of the
  suppression texts; and on both sides other orders of the options;
* for eligibility, on pictures of their own: the baseline and its grounding controls.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from forgetscope.benchmarks.visual.data.conditions import (
    CONDITIONS,
    PAPER_CONDITIONS,
    SUPPRESSIONS,
    Condition,
    Control,
    Mode,
    OracleTarget,
    VisualProbe,
)
from forgetscope.benchmarks.visual.data.records import Item, Side


@dataclass(frozen=True)
class QuestionForm:
    """One way of asking an item, before the scoring mode."""

    condition: Condition
    control: Control = Control.NONE
    probe: VisualProbe = VisualProbe.CHOICE
    phrasing: int = 0
    order: int = 0


@dataclass(frozen=True)
class Design:
    """What a run asks.

    Attributes:
        controls: Grounding controls, under the baseline.
        vision_free: Whether the paper's other conditions are also asked without the picture.
        probes: Beside multiple choice, which is always asked.
        phrasings: Wordings of the suppression texts, the paper's first.
        orders: Orders of the options; each shifts them by one more place.
        eligibility: Pictures a forget concept, from the train part, on which it is decided whether the model knows it.
        pictures: Pictures a forget concept, from the test part, that measure; 0 for all.
    """

    conditions: tuple[Condition, ...] = PAPER_CONDITIONS
    controls: tuple[Control, ...] = ()
    vision_free: bool = False
    probes: tuple[VisualProbe, ...] = (VisualProbe.CHOICE,)
    phrasings: int = 1
    orders: int = 1
    modes: tuple[Mode, ...] = (Mode.GENERATE,)
    oracle_target: OracleTarget = OracleTarget.CONCEPT
    eligibility: int = 0
    pictures: int = 0


def effect_forms(item: Item, side: Side, design: Design) -> Iterator[QuestionForm]:
    """The forms that measure what the conditions do to an item of this side."""
    asked = [condition for condition in design.conditions if side in CONDITIONS[condition].sides]
    yield from (QuestionForm(condition) for condition in asked)
    yield from (QuestionForm(Condition.BASELINE_NORMAL, control) for control in design.controls)
    compared = [c for c in asked if c is Condition.BASELINE_NORMAL or c in SUPPRESSIONS]
    yield from (
        QuestionForm(condition, order=order)
        for order in range(1, min(design.orders, len(item.choices)))
        for condition in compared
    )
    if side == "retain":
        return
    if design.vision_free:
        yield from (
            QuestionForm(condition, Control.NO_IMAGE)
            for condition in asked
            if condition is not Condition.BASELINE_NORMAL
            and (condition in PAPER_CONDITIONS or CONDITIONS[condition].restores)
        )
    yield from (
        QuestionForm(condition, phrasing=phrasing)
        for phrasing in range(1, design.phrasings)
        for condition in asked
        if condition in SUPPRESSIONS
    )
    for probe in design.probes:
        if probe is VisualProbe.CHOICE or (probe is VisualProbe.INDIRECT and not item.clues):
            continue
        yield from (QuestionForm(condition, probe=probe) for condition in compared)
        if Control.NO_IMAGE in design.controls:
            yield QuestionForm(Condition.BASELINE_NORMAL, Control.NO_IMAGE, probe)


def eligibility_forms(design: Design) -> Iterator[QuestionForm]:
    """The forms that decide whether the untouched model knows a concept: the baseline and its controls."""
    yield QuestionForm(Condition.BASELINE_NORMAL)
    yield from (QuestionForm(Condition.BASELINE_NORMAL, control) for control in design.controls)
