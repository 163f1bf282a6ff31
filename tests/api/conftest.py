"""Two small runs of reference models, made once by the functions under test."""

from pathlib import Path

import pytest

import forgetscope as fs


def _made(folder: Path, model: str) -> fs.Run:
    return fs.run(
        "prospective",
        f"forgetscope/reference/{model}",
        out=folder,
        limit=2,
        seed=42,
        loads=["mmlu"],
        experiments="load",
    )


@pytest.fixture(scope="session")
def perfect(tmp_path_factory: pytest.TempPathFactory) -> fs.Run:
    return _made(tmp_path_factory.mktemp("api") / "perfect", "perfect")


@pytest.fixture(scope="session")
def fading(tmp_path_factory: pytest.TempPathFactory) -> fs.Run:
    return _made(tmp_path_factory.mktemp("api") / "fading", "fading")
