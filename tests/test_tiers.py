"""Every test is in one tier."""

import pytest

from tests.tiers import TIERS, tier_of


@pytest.mark.parametrize(
    ("path", "markers", "tier"),
    [
        ("tests/stats/test_paired.py", (), "unit"),
        ("tests/report/test_in_browser.py", ("browser",), "browser"),
        ("tests/benchmarks/unlearning/test_training.py", (), "models"),
        ("tests/benchmarks/unlearning/test_validation.py", (), "validate"),
        ("tests/models/test_smollm2.py", ("real_model",), "models"),
        ("tests/examples/test_notebooks.py", ("slow",), "slow"),
        ("tests/test_documentation.py", (), "docs"),
    ],
)
def test_what_a_test_costs_decides_its_tier(path: str, markers: tuple[str, ...], tier: str) -> None:
    assert tier_of(path, markers) == tier


def test_each_test_carries_the_marker_of_its_tier(request: pytest.FixtureRequest) -> None:
    names = {tier.name for tier in TIERS}
    for item in request.session.items:
        assert len(names & {mark.name for mark in item.iter_markers()}) == 1
