"""The printed page of the trained family, over a made-up result: every figure stands where a reader looks for it."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from forgetscope.benchmarks.visual.family.page import family_page
from forgetscope.benchmarks.visual.family.probing import ENCODER, LAST_STATE, PROJECTOR, ProbeFinding
from forgetscope.benchmarks.visual.family.validation import SeedResult
from forgetscope.benchmarks.visual.metrics.verdicts import AccessVerdict, ConceptVerdict
from forgetscope.models.glimpse.family import DOSES
from forgetscope.models.glimpse.hypotheses import (
    BASELINE,
    FAMILY,
    NO_PICTURE,
    PICTURE,
    SOFT,
    CellAnswers,
    HypothesisResult,
)
from forgetscope.models.glimpse.probes import ProbeResult


def _cell(right: int, items: int = 8) -> CellAnswers:
    return CellAnswers(np.arange(items) < right, np.array(["anchor"] * items))


def _result(seed: str = "0", *, holds: bool = True) -> SeedResult:
    cells = {
        **{(name, "forget", BASELINE, PICTURE): _cell(8 - 2 * place) for place, name in enumerate(FAMILY)},
        **{("glimpse-obedient", side, SOFT, PICTURE): _cell(1) for side in ("forget", "retain")},
    }
    for place, dose in enumerate(DOSES):
        cells[f"glimpse-dose-{dose}", "forget", BASELINE, PICTURE] = _cell(2 + place)
        cells[f"glimpse-dose-{dose}", "forget", BASELINE, NO_PICTURE] = _cell(2)
    verdicts = {
        name: (ConceptVerdict("family", "listed", "anchor", AccessVerdict.SUPPRESSED, (), paper_verdict=True),)
        for name in FAMILY
    }
    findings = (
        HypothesisResult("H1 knowledge", "glimpse-obedient", "access 20 or more", "+60.0 points", holds=True),
        HypothesisResult(
            "H6 obedience without knowledge", "glimpse-erased-stubborn", "within 5", "+6.0 points", holds=holds
        ),
    )
    return SeedResult(seed, "emojione", pl.DataFrame(), cells, verdicts, findings)


def _probed(result: SeedResult) -> SeedResult:
    places = [(FAMILY[0], ENCODER), *((name, place) for name in FAMILY for place in (PROJECTOR, LAST_STATE))]
    found = [
        ProbeFinding(name, place, "emojione", "others", ProbeResult(0.5 + 0.01 * number, 0.06, 1 / 16))
        for number, (name, place) in enumerate(places)
    ]
    return replace(result, probes=tuple(found))


def test_each_hypothesis_is_followed_by_every_seed() -> None:
    lines = list(family_page([_result("0"), _result("1", holds=False)]))
    start = lines.index("H6 obedience without knowledge, erased-stubborn: within 5")
    assert lines[start + 1 : start + 3] == ["  seed 0  holds  +6.0 points", "  seed 1  FAILS  +6.0 points"]
    assert "Seed 0: 2 of 2 announced figures hold; all hold" in lines
    assert "Seed 1: 1 of 2 announced figures hold; fails: H6 obedience without knowledge, erased-stubborn" in lines


def test_cells_stand_below_their_member_and_what_was_not_asked_is_empty() -> None:
    lines = list(family_page([_result()]))
    head = lines.index("Percent right")
    assert lines[head + 1].split() == ["erased-", "erased-"]
    assert lines[head + 2].split() == ["obedient", "stubborn", "obedient", "stubborn", "confused"]
    assert lines[head + 3].split() == ["forget,", "baseline", "100.0", "75.0", "50.0", "25.0"]
    assert [line.split()[-1] for line in lines if line.startswith(("  forget, soft", "  retain, soft"))] == ["12.5"] * 2
    assert len(lines[head + 2]) == 80, "as wide as a terminal"


@pytest.mark.parametrize(("changed", "said"), [(2, "monotone"), (9, "NOT monotone")])
def test_the_dose_curve_says_whether_it_is_monotone(changed: int, said: str) -> None:
    result = _result()
    blind = {("glimpse-dose-50", "forget", BASELINE, NO_PICTURE): _cell(min(changed, 8))}
    lines = list(family_page([replace(result, cells={**result.cells, **blind})]))
    assert any(line.strip().startswith(f"{said} ") and line.split()[-1] == "+50.0" for line in lines)


def test_the_papers_rule_is_printed_with_its_error_rate() -> None:
    lines = list(family_page([_result()]))
    assert any(line.split() == ["truth", "knows", "knows", "erased", "erased"] for line in lines)
    assert any(line.split() == ["wrong", "1", "1", "0", "0"] for line in lines)
    assert "  error rate 50% (2 of 4)" in lines


def test_probes_stand_beside_their_control_and_the_encoder_is_said_to_be_shared() -> None:
    lines = list(family_page([_probed(_result())]))
    assert any(line.split() == [*PROJECTOR.split(), "51.0", "53.0", "55.0", "57.0"] for line in lines)
    assert any(line.split() == [*LAST_STATE.split(), "52.0", "54.0", "56.0", "58.0"] for line in lines)
    assert sum(line.split()[:2] == ["shuffled", "labels"] for line in lines) == 2
    shared = "  chance 6.2; shared encoder, the same for all by construction: 50.0 (shuffled labels 6.0)"
    assert shared in lines


def test_without_trained_models_nothing_is_printed() -> None:
    assert not list(family_page([]))
