"""What can be set for a visual run, and what is said of the rest."""

import pytest

from forgetscope.benchmarks.visual.data.conditions import CORRECTIONS, PAPER_CONDITIONS
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
