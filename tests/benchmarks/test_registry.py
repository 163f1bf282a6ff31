"""Benchmarks by name: ours, and those that installed packages bring."""

from importlib.metadata import EntryPoint

import pytest

import forgetscope.benchmarks
from forgetscope.benchmarks import BENCHMARKS, GRIDS, get_benchmark, listed, package_of
from forgetscope.core import registry
from forgetscope.core.errors import UnknownNameError
from forgetscope.core.registry import Registry


def test_every_benchmark_is_known_by_its_own_name() -> None:
    assert all(benchmark.name == name for name, benchmark in BENCHMARKS.items())
    assert {"in-context", "prospective", "visual"} <= set(forgetscope.benchmarks.BENCHMARK_NAMES)


def test_the_list_says_of_each_benchmark_what_the_benchmark_says_itself() -> None:
    said = listed()
    for name, chosen in BENCHMARKS.items():
        one = said[name]
        assert (one.title, one.command) == (chosen.title, "")
        assert (one.models, one.judges) == (chosen.reference_models, chosen.reference_judges)
    assert (said["unlearning"].title, said["unlearning"].command) == (GRIDS["unlearning"].title, "forgetscope unlearn")


def test_a_benchmark_of_another_package_stands_beside_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("other", "forgetscope.benchmarks.visual.benchmark:BENCHMARK", BENCHMARKS.group)
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [entry] if group == BENCHMARKS.group else [])
    found = Registry(BENCHMARKS.kind, BENCHMARKS.group, BENCHMARKS._own, BENCHMARKS._part)
    monkeypatch.setattr(forgetscope.benchmarks, "BENCHMARKS", found)
    assert forgetscope.benchmarks.BENCHMARK_NAMES[-1] == "other"
    assert get_benchmark("other").name == "visual"


def test_a_benchmark_knows_its_package_and_the_name_of_its_task() -> None:
    chosen = get_benchmark("in-context")
    assert (chosen.package, chosen.task_name) == ("forgetscope.benchmarks.in_context", "in_context")
    assert package_of("unlearning") == "forgetscope.benchmarks.unlearning"
    assert package_of("../prospective") == ""


def test_a_name_nearly_right_is_suggested() -> None:
    with pytest.raises(UnknownNameError, match=r"no such benchmark; found 'prospectiv' \(did you mean prospective\?\)"):
        get_benchmark("prospectiv")
