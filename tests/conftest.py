"""What all tests share: where real data lies, when it is here."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.tiers import tier_of

settings.register_profile("forgetbench", deadline=None)
settings.load_profile("forgetbench")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data sets: FORGETBENCH_DATA, or shared/data beside the repository."""
    folder = Path(os.environ.get("FORGETBENCH_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no real data here: set FORGETBENCH_DATA")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test carries the marker of its tier."""
    root = Path(__file__).parents[1]
    for item in items:
        path = item.path.relative_to(root).as_posix()
        item.add_marker(tier_of(path, {mark.name for mark in item.iter_markers()}))
