"""Imports point one way, as docs/design/architecture.md draws them; a benchmark never imports another."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "forgetscope"

ROOMS = (
    ("core",),
    ("stats", "findings", "io"),
    ("checkers",),
    ("judging", "annotation", "diagnostics"),
    ("comparison",),
    ("models",),
    ("benchmarks",),
    ("running",),
    ("report",),
    ("api", "__init__"),
    ("cli", "_inspect"),
)
LEVELS = {name: level for level, names in enumerate(ROOMS) for name in names}

EXCEPTIONS = {
    ("annotation.handout", "report"),
}
"""Named on the page, each with its reason; a module below the first may import the second room."""


def imports() -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every import within the package, wherever it stands: the parts of the importer's name and of the imported."""
    for path in PACKAGE.rglob("*.py"):
        importer = path.relative_to(PACKAGE).with_suffix("").parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module == "forgetscope":
                names = [f"forgetscope.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                if name.startswith("forgetscope.") and not name.endswith("__version__"):
                    yield importer, tuple(name.split(".")[1:])


def test_a_room_knows_only_the_rooms_above_it() -> None:
    upside_down = {
        (".".join(importer), ".".join(imported))
        for importer, imported in imports()
        if LEVELS[imported[0]] > LEVELS[importer[0]] and not is_exception(importer, imported)
    }
    assert not upside_down


def is_exception(importer: tuple[str, ...], imported: tuple[str, ...]) -> bool:
    return any(".".join(importer).startswith(name) and imported[0] == room for name, room in EXCEPTIONS)


def test_every_exception_is_still_needed() -> None:
    found = list(imports())
    for name, room in EXCEPTIONS:
        assert any(".".join(importer).startswith(name) and imported[0] == room for importer, imported in found)


def test_a_benchmark_imports_no_other_benchmark() -> None:
    benchmarks = {path.name for path in (PACKAGE / "benchmarks").iterdir() if (path / "__init__.py").is_file()}
    assert len(benchmarks) == 4
    crossed = {
        (".".join(importer), ".".join(imported))
        for importer, imported in imports()
        if importer[0] == imported[0] == "benchmarks" and len(importer) > 2 and len(imported) > 1
        if imported[1] in benchmarks - {importer[1]}
    }
    assert not crossed


def test_every_room_stands_on_the_page() -> None:
    page = (PACKAGE.parents[1] / "docs" / "design" / "architecture.md").read_text(encoding="utf-8")
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert rooms == set(LEVELS)
    missing = [name for name in LEVELS if not name.startswith("_") and f"`{name}" not in page]
    assert not missing
