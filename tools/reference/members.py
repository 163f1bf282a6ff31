"""Functions and classes of the package as Markdown, read off their source: signature, docstring, members.

Nothing is imported: what a page says is what stands in the files.
"""

import ast
import copy
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
SECTION = re.compile(r"^(Args|Attributes|Raises|Returns|Yields|Examples?|Source):\s*(.*)$")
_WIDTH = 100
_TITLES = {"Args": "Arguments", "Example": "For example", "Examples": "For example"}

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def member(path: str) -> str:
    """The section of a function or class, named with its module: `forgetscope.api.runs.plan`."""
    module, name = path.rsplit(".", 1)
    lines = [f"### {name}", "", f"`{path}`", "", *_described(_definition(module, name), SOURCE / _file(module))]
    return "\n".join(lines) + "\n"


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse((SOURCE / _file(module)).read_text(encoding="utf-8"))


def _file(module: str) -> str:
    parts = module.replace(".", "/")
    return f"{parts}/__init__.py" if (SOURCE / parts).is_dir() else f"{parts}.py"


def _definition(module: str, name: str) -> Definition:
    for node in _tree(module).body:
        if isinstance(node, Definition) and node.name == name:
            return node
    raise LookupError(f"{module} defines no {name}")


def _described(node: Definition, file: Path) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        yield from _class(node)
        return
    yield from ("```python", *_signature(node), "```", "")
    yield from markdown(_docstring(node, file))


def _docstring(node: Definition, file: Path) -> str:
    said = ast.get_docstring(node)
    if said is None:
        raise LookupError(f"{file}: {node.name} has no docstring")
    return said


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The call as the source has it, on one line where it fits, else an argument a line."""
    given = node.args
    first = [one for one in given.args if one.arg not in ("self", "cls")]
    defaults: list[ast.expr | None] = [None] * (len(given.args) - len(given.defaults)) + list(given.defaults)
    said = [_argument(one, value) for one, value in zip(given.args, defaults, strict=True) if one in first]
    if given.vararg:
        said.append(f"*{_argument(given.vararg, None)}")
    elif given.kwonlyargs:
        said.append("*")
    said += [_argument(one, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    if given.kwarg:
        said.append(f"**{_argument(given.kwarg, None)}")
    end = f") -> {_unquoted(node.returns)}" if node.returns else ")"
    line = f"{node.name}({', '.join(said)}{end}"
    return [line] if len(line) <= _WIDTH else [f"{node.name}(", *(f"    {one}," for one in said), end]


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    kind = f": {_unquoted(argument.annotation)}" if argument.annotation else ""
    value = f"{' = ' if kind else '='}{ast.unparse(default)}" if default else ""
    return f"{argument.arg}{kind}{value}"


def _unquoted(annotation: ast.expr) -> str:
    """An annotation, also where it stands in quotes."""
    return re.sub(r"'([^']*)'", r"\1", ast.unparse(annotation)) if _is_quoted(annotation) else ast.unparse(annotation)


def _is_quoted(annotation: ast.expr) -> bool:
    return not any(isinstance(part, ast.Name) and part.id == "Literal" for part in ast.walk(annotation))


def _class(node: ast.ClassDef) -> Iterator[str]:
    bases = [ast.unparse(base) for base in node.bases]
    yield from ("```python", f"class {node.name}({', '.join(bases)})" if bases else f"class {node.name}", "```", "")
    text = ast.get_docstring(node)
    said = dict(_attributes(text))
    yield from markdown(_without_attributes(text))
    fields = list(_fields(node, said))
    if fields:
        yield from ("| attribute | type | default | |", "|---|---|---|---|", *fields, "")
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
            yield from _method(part)


def _docstring_of(node: ast.FunctionDef) -> str:
    return ast.get_docstring(node) or ""


def _method(node: ast.FunctionDef) -> Iterator[str]:
    marks = {ast.unparse(mark).rpartition(".")[2] for mark in node.decorator_list}
    if marks & {"field_validator", "model_validator"} or any(mark.startswith("field_validator") for mark in marks):
        return
    if marks & {"property", "cached_property"}:
        kind = f" ({_unquoted(node.returns)})" if node.returns else ""
        first, *rest = _docstring_of(node).split("\n\n")
        yield from (
            f"**`{node.name}`**{kind.replace(' (', ', `', 1).replace(')', '`') if kind else ''}: {_flat(first)}",
            "",
        )
        yield from (line for part in rest for line in markdown(part))
        return
    yield from ("```python", *_signature(node), "```", "", *markdown(_docstring_of(node)))


def _fields(node: ast.ClassDef, said: dict[str, str]) -> Iterator[str]:
    """A row of the table for each public field of a record or member of an enumeration."""
    for part, after in zip(node.body, [*node.body[1:], None], strict=True):
        note = after.value.value if _is_text(after) else ""  # type: ignore[union-attr]
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            name, value = part.target.id, part.value
            kind, inside = _annotated(part.annotation)
        elif isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
            name, value, kind, inside = part.targets[0].id, part.value, "", ""
        else:
            continue
        if name.startswith("_") or name == "model_config":
            continue
        default, told = _default(value)
        meaning = said.get(name) or _flat(inspect.cleandoc(str(note))) or told or inside
        cells = (f"`{name}`", f"`{kind}`" if kind else "", f"`{default}`" if default else "", meaning)
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _is_text(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _default(value: ast.expr | None) -> tuple[str, str]:
    """The default of a field, and what a declaration says of it: `Field(...)`, `field(...)` are looked into."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) in ("Field", "field"):
        given = {one.arg: one.value for one in value.keywords}
        told = given.get("description")
        meaning = str(told.value) if isinstance(told, ast.Constant) else ""
        if (made := given.get("default_factory")) is not None:
            return f"{ast.unparse(made)}()", meaning
        found = value.args[0] if value.args else given.get("default")
        return ("" if found is None else ast.unparse(found)), meaning
    return ("" if value is None else ast.unparse(value)), ""


class _Plain(ast.NodeTransformer):
    """Makes `Annotated[T, ...]` T and keeps what the annotation says first in words."""

    def __init__(self) -> None:
        self.said = ""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not (
            isinstance(node.value, ast.Name) and node.value.id == "Annotated" and isinstance(node.slice, ast.Tuple)
        ):
            return node
        kind, *notes = node.slice.elts
        words = [one.args[0] for one in notes if isinstance(one, ast.Call) and one.args]
        self.said = self.said or next((str(word.value) for word in words if isinstance(word, ast.Constant)), "")
        return kind


def _annotated(annotation: ast.expr) -> tuple[str, str]:
    """A field's type, and what its declaration says of it."""
    plain = _Plain()
    return _unquoted(plain.visit(copy.deepcopy(annotation))), plain.said


def markdown(docstring: str | None) -> Iterator[str]:
    """A docstring in Google's style as Markdown: paragraphs, sections as lists, examples as code."""
    for title, block in _sections(docstring or ""):
        text = inspect.cleandoc("\n".join(block)) if title else "\n".join(block).strip()
        if not text:
            continue
        if title:
            yield from (f"*{_TITLES.get(title, title)}*", "")
        if title in ("Args", "Attributes", "Raises"):
            yield from (f"- `{name}`: {said}" for name, said in _entries(text))
        elif title in ("Example", "Examples"):
            yield from ("```python", text, "```")
        else:
            yield from _paragraphs(text)
        yield ""


def _paragraphs(text: str) -> Iterator[str]:
    """Prose as it stands; indented pieces after `::` and doctests as code."""
    code = False
    for piece in text.split("\n\n"):
        is_code = piece.startswith((">>> ", "    ")) or (code and piece.startswith("    "))
        if is_code:
            yield from ("```python", inspect.cleandoc(piece) if piece.startswith("    ") else piece, "```", "")
        elif piece.rstrip().endswith("::"):
            yield from (piece.rstrip().removesuffix("::").rstrip() + ":", "")
        else:
            yield from (*piece.splitlines(), "")
        code = is_code


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """What stands before the first section, then each section with its lines."""
    title, lines = "", list[str]()
    for line in text.splitlines():
        if found := SECTION.match(line):
            yield title, lines
            title, lines = found[1], ([found[2]] if found[2] else [])
        elif title and line and not line.startswith(" "):
            yield title, lines
            title, lines = "", [line]
        else:
            lines.append(line)
    yield title, lines


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """The names of a section and what is said of each."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        head = re.match(r"^([\w*., ]+?):\s+(.*)$", line) if not line.startswith(" ") else None
        if head:
            found.append((head[1], [head[2]]))
        elif found and line.strip():
            found[-1][1].append(line.strip())
    return ((name, " ".join(said)) for name, said in found)


def _attributes(text: str | None) -> Iterable[tuple[str, str]]:
    for title, block in _sections(text or ""):
        if title == "Attributes":
            for names, said in _entries(inspect.cleandoc("\n".join(block))):
                yield from ((name.strip(), said) for name in names.split(","))


def _without_attributes(text: str | None) -> str:
    kept = [(title, block) for title, block in _sections(text or "") if title != "Attributes"]
    return "\n".join("\n".join([f"{title}:"] * bool(title) + block) for title, block in kept)


def _flat(text: str) -> str:
    return " ".join(text.split())
