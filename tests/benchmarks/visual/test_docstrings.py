"""The examples in docstrings are true."""

import doctest
import importlib

import pytest

MODULES = ["data.concepts", "data.pictures", "prompts", "splits.quality", "scoring.parsing", "sources.lad"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name: str) -> None:
    module = importlib.import_module(f"forgetscope.benchmarks.visual.{name}")
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
