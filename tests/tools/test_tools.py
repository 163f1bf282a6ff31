"""Tools make what the package ships: they know the package, it does not know them, and the wheel lacks them."""

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools"


def test_nothing_in_the_package_imports_a_tool_or_a_test() -> None:
    found = {
        (path.name, name)
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else _names(node))
        if name and name.split(".")[0] in ("tools", "tests")
    }
    assert not found


def _names(node: ast.AST) -> list[str | None]:
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def test_every_tool_stands_in_the_readme() -> None:
    readme = (TOOLS / "README.md").read_text(encoding="utf-8")
    tools = [path.name for path in TOOLS.glob("*.py") if path.name != "__init__.py"]
    tools += [f"tools.{path.parent.name}" for path in TOOLS.glob("*/__main__.py")]
    assert not [name for name in tools if name not in readme]


def test_tools_are_in_the_source_distribution_and_not_in_the_wheel() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert build["wheel"]["packages"] == ["src/forgetscope"]
    assert "tools" in build["sdist"]["include"]
