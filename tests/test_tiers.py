"""Every test is in one tier."""

import pytest

from tests.tiers import TIERS, may_hold, tier_of


@pytest.mark.parametrize(
    ("path", "markers", "tier"),
    [
        ("tests/stats/test_paired.py", (), "unit"),
        ("tests/report/test_in_browser.py", ("browser",), "browser"),
        ("tests/benchmarks/unlearning/test_training.py", (), "models"),
        ("tests/benchmarks/unlearning/validation/test_validation.py", (), "validate"),
        ("tests/models/test_smollm2.py", ("real_model",), "models"),
        ("tests/examples/test_notebooks.py", ("slow",), "slow"),
        ("tests/test_documentation.py", (), "docs"),
    ],
)
def test_what_a_test_costs_decides_its_tier(path: str, markers: tuple[str, ...], tier: str) -> None:
    assert tier_of(path, markers) == tier


@pytest.mark.parametrize(
    ("path", "tiers"),
    [
        ("tests/stats/test_paired.py", {"slow", "browser", "models", "unit"}),
        ("tests/benchmarks/unlearning/test_training.py", {"slow", "browser", "models"}),
        ("tests/benchmarks/unlearning/validation/test_validation.py", {"slow", "browser", "validate"}),
        ("tests/examples/test_notebooks.py", {"slow", "browser", "docs"}),
    ],
)
def test_a_files_place_decides_which_tiers_may_hold_its_tests(path: str, tiers: set[str]) -> None:
    assert {tier.name for tier in TIERS if may_hold(tier.name, path)} == tiers


def test_a_tier_that_is_not_there_holds_nothing() -> None:
    with pytest.raises(ValueError, match="no tier 'quick'"):
        may_hold("quick", "tests/test_tiers.py")


def test_each_test_carries_the_marker_of_its_tier_and_lies_where_that_may_be(request: pytest.FixtureRequest) -> None:
    names = {tier.name for tier in TIERS}
    for item in request.session.items:
        (tier,) = names & {mark.name for mark in item.iter_markers()}
        assert may_hold(tier, item.path.relative_to(request.config.rootpath).as_posix())
