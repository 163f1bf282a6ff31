"""What all tests share: where real data lies, when it is here."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("forgetbench", deadline=None)
settings.load_profile("forgetbench")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data sets: FORGETBENCH_DATA, or shared/data beside the repository."""
    folder = Path(os.environ.get("FORGETBENCH_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no real data here: set FORGETBENCH_DATA")
    return folder
