"""What can be set for a visual run, and what is said of the rest."""

import pytest

from forgetscope.benchmarks.visual.data.conditions import (
    CORRECTIONS,
    GROUNDING_CONTROLS,
    PAPER_CONDITIONS,
    Control,
    VisualProbe,
)
from forgetscope.benchmarks.visual.data.forms import Design
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.core.errors import UnknownNameError


def test_sets_and_names_give_conditions_in_one_order() -> None:
    assert VisualSettings(conditions="paper").conditions == ",".join(PAPER_CONDITIONS)
    both = ",".join((*PAPER_CONDITIONS, *CORRECTIONS))
    assert VisualSettings(conditions="corrections,paper").conditions == both == VisualSettings().conditions
    assert VisualSettings(conditions="UNLEARN_SOFT, baseline-normal").conditions == "baseline_normal,unlearn_soft"


def test_without_the_baseline_nothing_can_be_compared() -> None:
    with pytest.raises(ValueError, match="compared with the baseline"):
        VisualSettings(conditions="unlearn_soft")


def test_controls_and_probes_are_read_in_the_factors_order() -> None:
    assert VisualSettings(controls="option_only,no_image").controls == "no_image,option_only"
    assert VisualSettings(controls="none").design.controls == ()
    assert VisualSettings(probes="indirect").probes == "choice,indirect"
    with pytest.raises(UnknownNameError, match="probes: no such probe"):
        VisualSettings(probes="oral")
    with pytest.raises(ValueError, match="no such control: none is named"):
        VisualSettings(controls=" , ")


def test_with_the_papers_conditions_alone_nothing_of_ours_is_asked_unless_it_is_named() -> None:
    paper = VisualSettings(data="splits", conditions="paper")
    assert paper.design == Design()
    assert VisualSettings(data="splits", conditions="paper", controls="no_image").design.controls == (Control.NO_IMAGE,)
    everything = VisualSettings(data="splits").design
    assert (everything.controls, everything.probes) == (GROUNDING_CONTROLS, tuple(VisualProbe))
    assert (everything.vision_free, everything.phrasings, everything.eligibility) == (True, 2, 50)
