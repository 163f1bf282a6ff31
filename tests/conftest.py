"""What all tests share: where real data lies, when it is here, and a collection that costs what the tier needs."""

import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.tiers import TIERS, may_hold, tier_of

ROOT = Path(__file__).parents[1]

settings.register_profile("forgetscope", deadline=None)
settings.load_profile("forgetscope")


@pytest.fixture(scope="session", autouse=True)
def own_record(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The record of started runs is the tests' own, for processes they start too."""
    os.environ["FORGETSCOPE_STATE"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data sets: FORGETSCOPE_DATA, or shared/data beside the repository."""
    folder = Path(os.environ.get("FORGETSCOPE_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no real data here: set FORGETSCOPE_DATA")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collected without garbage collection; then what the imports left is never walked through again.

    With every test module imported one full collection takes 0.8 s, and Inspect's tests collect after each module.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`-m` with one tier's name alone: files that can hold none of its tests are not even imported."""
    tier = config.option.markexpr
    if tier not in {one.name for one in TIERS} or collection_path.suffix != ".py":
        return None
    return None if may_hold(tier, collection_path.relative_to(ROOT).as_posix()) else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test carries the marker of its tier."""
    for item in items:
        path = item.path.relative_to(ROOT).as_posix()
        item.add_marker(tier_of(path, {mark.name for mark in item.iter_markers()}))
