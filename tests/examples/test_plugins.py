"""A plug-in is an installed package with an entry point, and nothing else."""

from pathlib import Path

from tests.examples.plugins import installed, python

PROJECT = """
[project]
name = "forgetscope-nothing"
version = "0.1"
[project.entry-points."forgetscope.nothing"]
zero = "nothing_at_all:ZERO"
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[tool.setuptools]
py-modules = ["nothing_at_all"]
"""

ASKING = """
from forgetscope.core.registry import Registry
parts = Registry("nothing", "forgetscope.nothing", {}, int)
print(list(parts), parts["zero"], parts.origin("zero"))
"""


def test_an_installed_package_brings_a_part(tmp_path: Path) -> None:
    example = tmp_path / "example"
    example.mkdir()
    (example / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (example / "nothing_at_all.py").write_text("ZERO = 0\n", encoding="utf-8")
    environment = installed(example, tmp_path)
    assert python(ASKING, environment, tmp_path) == "['zero'] 0 forgetscope-nothing 0.1\n"
