"""Interrupted calls leave streams of anyio behind, which warn when they are collected: here, not in another test."""

import gc
import warnings
from collections.abc import Iterator

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/cli/" in item.path.as_posix():
            item.add_marker(pytest.mark.filterwarnings("ignore:Unclosed:ResourceWarning"))


@pytest.fixture(autouse=True, scope="module")
def _collect_here() -> Iterator[None]:
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
