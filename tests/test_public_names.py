"""`import forgetscope`: what it offers, and that it costs nothing until used."""

import re
import subprocess
import sys

import pytest

import forgetscope as fs

HEAVY = ("polars", "pandas", "pydantic", "inspect_ai", "torch", "numpy", "scipy", "datasets", "openvino_genai")


def modules_after(statement: str) -> set[str]:
    """The modules in a fresh interpreter after a statement."""
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_imports_its_version_and_nothing_else() -> None:
    loaded = modules_after("import forgetscope")
    assert {name for name in loaded if name.startswith("forgetscope")} == {
        "forgetscope",
        "forgetscope.core",
        "forgetscope.core.version",
    }
    assert not loaded.intersection(HEAVY)


def test_errors_and_statuses_come_without_the_heavy_libraries() -> None:
    assert not modules_after("import forgetscope as fs; fs.UserError, fs.Status, fs.Figure").intersection(HEAVY)


def test_planning_and_loading_do_not_import_inspect_or_torch() -> None:
    loaded = modules_after("import forgetscope as fs; fs.plan, fs.load, fs.Run")
    assert not loaded.intersection({"inspect_ai", "torch", "openvino_genai", "datasets"})


def test_the_list_imports_no_benchmark() -> None:
    loaded = modules_after(
        "from forgetscope.benchmarks import listed; from forgetscope.models import provider; listed()"
    )
    assert not loaded.intersection({*HEAVY, "nltk"})


@pytest.mark.parametrize("name", ["prospective", "in-context", "visual"])
def test_a_benchmark_is_planned_without_what_only_runs_and_reports_need(name: str) -> None:
    loaded = modules_after(f"from forgetscope.benchmarks import get_benchmark; get_benchmark({name!r})")
    assert not loaded.intersection({"inspect_ai", "scipy.stats", "scipy.optimize", "statsmodels", "nltk", "pandas"})


@pytest.mark.parametrize("name", fs.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(fs, name)
    assert name in dir(fs)
    if callable(value):
        assert value.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'forget'"):
        getattr(fs, "forget")  # noqa: B009 - a name that mypy would refuse


def test_every_lazy_name_is_public_and_the_other_way_round() -> None:
    assert {*fs._HOMES, "__version__"} == set(fs.__all__)


def test_the_examples_in_the_docstrings_hold() -> None:
    """In an interpreter of their own: Inspect keeps the display of whatever ran before."""
    modules = ["forgetscope.findings.figure_table", "forgetscope.api.runs"]
    program = (
        f"import doctest, importlib\nfor name in {modules!r}:\n"
        "    found = doctest.testmod(importlib.import_module(name))\n"
        "    print('examples:', name, found.attempted, found.failed)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    counted = dict(re.findall(r"^examples: (\S+) (\d+ \d+)$", done.stdout, re.MULTILINE))
    assert list(counted) == modules
    for attempted, failed in (map(int, counts.split()) for counts in counted.values()):
        assert attempted > 0
        assert failed == 0, done.stdout
