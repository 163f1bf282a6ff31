"""Imports point one way, as docs/design/architecture.md draws them; a benchmark never imports another."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "forgetscope"

ROOMS = (
    ("core",),
    ("stats", "findings", "io"),
    ("checkers", "mentions"),
    ("judging", "annotation", "diagnostics"),
    ("comparison",),
    ("models",),
    ("benchmarks",),
    ("running",),
    ("report",),
    ("exporting",),
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
    assert len(benchmarks) >= 4
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


ROOMS_OF_A_BENCHMARK = {"listed.py", "settings.py", "prompts.py", "data", "scoring", "metrics", "report", "validation"}
DOORS = {"__init__.py", "README.md", "benchmark.py", "paper.toml", "plan.py"}
OWN_ROOMS = {
    "in_context": {"task.py", "eval.yaml", "construction"},
    "visual": {"task.py", "eval.yaml", "splits", "sources", "embedded", "family", "interventions"},
    "prospective": {"task.py", "eval.yaml", "loads"},
    "unlearning": {"formats", "entanglement", "training", "methods", "grid", "evaluation", "doctor", "construction"}
    | {"task.py", "eval.yaml", "paper.py", "paper-news.yaml", "paper-books.yaml"},
}
"""Beside the rooms that all four have."""

OF_ONE_KIND = {
    "checkers": "a module a family of constraints",
    "benchmarks/in_context/report": "a module a section",
    "benchmarks/unlearning/methods": "a module a method",
    "cli": "a module a group of commands",
    "stats": "a module an estimator or test",
}
"""Folders that may hold more modules than a person keeps in mind, because each is known by its neighbours."""
MOST_MODULES = 14


@pytest.mark.parametrize("benchmark", OWN_ROOMS)
def test_every_benchmark_has_the_same_rooms(benchmark: str) -> None:
    folder = PACKAGE / "benchmarks" / benchmark
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    found = {path.parts[0] for path in files if "__pycache__" not in path.parts}  # a moved room may leave its cache
    assert found == ROOMS_OF_A_BENCHMARK | DOORS | OWN_ROOMS[benchmark]


def test_no_folder_holds_more_modules_than_can_be_kept_in_mind() -> None:
    counts = {
        str(folder.relative_to(PACKAGE)): sum(path.name != "__init__.py" for path in folder.glob("*.py"))
        for folder in PACKAGE.rglob("*")
        if folder.is_dir()
    }
    crowded = {name: count for name, count in counts.items() if count > MOST_MODULES and name not in OF_ONE_KIND}
    assert not crowded


def test_the_top_of_the_package_has_no_loose_modules() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "_inspect.py"}


def test_every_room_says_at_its_door_what_lives_there() -> None:
    silent = [
        str(door.relative_to(PACKAGE))
        for door in PACKAGE.rglob("__init__.py")
        if not ast.get_docstring(ast.parse(door.read_text(encoding="utf-8")))
    ]
    assert not silent


def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = {module_name(path) for path in PACKAGE.rglob("*.py")}
    arrows: dict[str, set[str]] = {name: set() for name in modules}
    for importer, imported in named_imports():
        target = imported if imported in modules else imported.rpartition(".")[0]
        if target in modules and target != importer:
            arrows[importer].add(target)
    sorter = TopologicalSorter(arrows)
    try:
        sorter.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def named_imports() -> Iterator[tuple[str, str]]:
    """Every import at run time, wherever it stands; what is imported for types alone draws no arrow."""
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for_types = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if id(node) in for_types:
                continue
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("forgetscope"):
                yield from ((module_name(path), f"{node.module}.{alias.name}") for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((module_name(path), f"{alias.name}.") for alias in node.names)


def test_no_public_class_name_stands_twice() -> None:
    homes: dict[str, list[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module_name(path))
    assert not {name: found for name, found in homes.items() if len(found) > 1}


PARSERS = {
    *("json.loads", "json.load", "yaml.load", "yaml.safe_load", "tomllib.loads", "tomllib.load"),
    *("csv.reader", "csv.DictReader", "pl.read_csv", "pl.read_parquet", "polars.read_parquet"),
}
OPENERS = {"open", "read_text", "read_bytes", "model_validate_json", "validate_json"}
"""Methods, whatever they are called on, that read a file or parse a text of anybody's."""
OPENS_FOR_ITSELF = {
    "annotation.handout": "templates in the package",
    "benchmarks.methods": "documents and certificates beside a benchmark's code",
    "benchmarks.prospective.loads.reading.number_cues": "in the package",
    "benchmarks.prospective.loads.reading.name_cues": "in the package",
    "benchmarks.unlearning.data.corpora.embedded": "in the package",
    "benchmarks.unlearning.formats.extraction.lexicon": "in the package",
    "benchmarks.unlearning.grid.sharded": "what its own processes wrote a moment before",
    "benchmarks.papers": "in the package",
    "benchmarks.unlearning.paper": "in the package",
    "benchmarks.visual.data.concepts": "vocabularies in the package",
    "benchmarks.visual.data.pictures": "pictures, within limits of their own",
    "benchmarks.visual.embedded": "sheets of drawings in the package",
    "benchmarks.visual.sources.coco": "streamed: half a gigabyte of annotations",
    "checkers.constraints.structure": "what counts as JSON is the constraint itself",
    "checkers.ifbench.requests": "what counts as CSV is the constraint itself",
    "checkers.multi_if": "rows of a CSV text that the one reader has read",
    "checkers.punkt": "in the package",
    "core.json_values": "the one reader of JSON",
    "exporting.croissant": "in the package, and what it wrote a moment before",
    "findings.published": "in the package",
    "io": "the readers themselves",
    "mentions.option_cues": "in the package",
    "models.adapters": "tensors, within limits of their own",
    "models.pictures": "pictures, within limits of their own",
    "models.weights": "tensors, within limits of their own",
    "report.page": "templates in the package",
    "running.manifest": "puts the former's name right before it reads",
}
"""Modules that read without `io.received`, each with its reason."""


def test_what_somebody_else_wrote_is_read_in_one_place() -> None:
    bare = {
        (module, called)
        for module, called in _reading()
        if not any(module == name or module.startswith(f"{name}.") for name in OPENS_FOR_ITSELF)
    }
    assert not bare


def test_every_module_that_reads_for_itself_still_does() -> None:
    reading = {module for module, _ in _reading()}
    idle = [name for name in OPENS_FOR_ITSELF if not any(f"{module}.".startswith(f"{name}.") for module in reading)]
    assert not idle


def _reading() -> Iterator[tuple[str, str]]:
    """Calls that read a file or parse text, with the module they stand in; opening to write is none."""
    for path in PACKAGE.rglob("*.py"):
        module = module_name(path).removeprefix("forgetscope.")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            on, _, method = called.rpartition(".")
            writes = {"ab", "wb", "w"} & {word.value for word in node.args if isinstance(word, ast.Constant)}
            opens = method in OPENERS and not writes and (bool(on) or method == "open")
            if called in PARSERS or (opens and on not in ("os", "data", "loaded.pictures", "self")):
                yield module, called
