"""What the documents tell a reader to type exists: commands with their options, tasks, modules, make targets, links."""

import inspect
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main
from typer.core import TyperGroup

from forgetscope.benchmarks import BENCHMARK_NAMES, settings_class
from forgetscope.cli.benchmark_options import BenchmarkCommand, BenchmarkCommands, benchmark_command
from forgetscope.cli.commands import app
from forgetscope.cli.specs import settings_from
from forgetscope.cli.usage import options_of
from forgetscope.core.errors import UserError
from forgetscope.core.version import FORMER_NAME

ROOT = Path(__file__).parents[1]
PLACES = ("*.md", "docs/**/*.md", "src/**/README.md", "src/**/eval.yaml", "examples/**/*.md", "examples/*.ipynb")

FENCE = re.compile(r"^(?P<indent> *)```[a-z]*\n(?P<body>.*?)^(?P=indent)```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`(?P<body>[^`\n]+(?:\n[^`\n]+)?)`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)(?P<target>[^)\s#]+)")
OPTIONAL = str.maketrans("", "", "[]")


@dataclass(frozen=True)
class Written:
    """A command as a document has it; in prose it may lack what it needs, in a block it may not."""

    path: Path
    text: str
    is_whole: bool

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}: {self.text}"

    @property
    def words(self) -> list[str]:
        """The command's words, without comments, brackets of what may be left out, and dots of what may follow.

        A number N is 1.
        """
        words = shlex.split(self.text.translate(OPTIONAL), comments=True)
        return ["1" if word == "N" else word.removesuffix("...") for word in words if word != "..."]


def documents() -> list[Path]:
    return sorted({path for place in PLACES for path in ROOT.glob(place)})


def written(program: str) -> Iterator[Written]:
    """Every command of a program in every document: lines of blocks, then spans of prose."""
    for path in documents():
        text = path.read_text(encoding="utf-8")
        for block in FENCE.finditer(text):
            for line in block["body"].replace("\\\n", " ").splitlines():
                command = line.strip().removeprefix("$ ").removeprefix(".venv/bin/")
                if command.startswith(f"{program} "):
                    yield Written(path, command, is_whole=True)
        for span in SPAN.finditer(FENCE.sub("", text)):
            command = " ".join(span["body"].split()).removeprefix(".venv/bin/")
            if command.startswith(f"{program} "):
                yield Written(path, command, is_whole=False)


def found(program: str) -> list[Written]:
    commands = list(written(program))
    assert commands, f"no document has a {program} command: are they read at all?"
    return commands


class LieError(AssertionError):
    """A document says what is not so."""


def taken_apart(command: Written, output: pytest.CaptureFixture[str]) -> Mapping[str, Any] | None:
    """The parameters the program would run a command with, without running it; None for a group of commands.

    Raises:
        LieError: the program would refuse it.
    """
    target = typer.main.get_command(app)
    words = command.words[1:]
    while isinstance(target, TyperGroup) and words and not words[0].startswith("-"):
        names = target.list_commands(typer.Context(target))
        if words[0] not in names:
            if isinstance(target, BenchmarkCommands) and not command.is_whole and words[0].isupper():
                return None
            raise LieError(f"{command}: no such command; there are {sorted(names)}")
        target = target.get_command(typer.Context(target), words.pop(0)) or target
    if isinstance(target, TyperGroup):
        known = {"--help"} | ({"--version"} if target.name == "forgetscope" else set())
        if isinstance(target, BenchmarkCommands):
            known |= {option for name in BENCHMARK_NAMES for option in options_of(benchmark_command(name, target.does))}
        unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]
        if unknown:
            raise LieError(f"{command}: No such option: {unknown[0]}")
        return None
    params: dict[str, Any] = {}
    target.callback = params.update
    for parameter in target.params:
        parameter.required = parameter.required and command.is_whole
    output.readouterr()
    try:
        with pytest.raises(SystemExit) as stopped:
            target.main(words, prog_name="forgetscope")
    except UserError as error:
        raise LieError(f"{command}: {error}") from None
    if stopped.value.code:
        raise LieError(f"{command}: {output.readouterr().err}")
    return {**params, "benchmark": target.name if isinstance(target, BenchmarkCommand) else None}


@pytest.mark.parametrize("command", found("forgetscope"), ids=str)
def test_a_documented_command_is_one_the_program_takes(command: Written, capsys: pytest.CaptureFixture[str]) -> None:
    check(command, capsys)


def check(command: Written, output: pytest.CaptureFixture[str]) -> None:
    """Options exist and have values; those of one benchmark are not given to another, and may have these values."""
    params = taken_apart(command, output)
    if params is None or params["benchmark"] is None or "--help" in command.words:
        return
    given = {name: params[name] for name in settings_class(params["benchmark"]).model_fields}
    try:
        settings_from(params["benchmark"], given, params.get("judge") if command.is_whole else ["some/judge"])
    except UserError as error:
        raise LieError(f"{command}: {error}") from None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("forgetscope forget me", "no such command"),
        ("forgetscope build out-of-context --out X", "no such command"),
        ("forgetscope run prospective --model m --depth 3", "No such option: --depth"),
        ("forgetscope run prospective", "Missing option"),
        (
            "forgetscope run prospective --model m --lengths native",
            "found '--lengths'; allowed: with in-context",
        ),
        ("forgetscope run prospective --model m --loads moon", "moon"),
        ("forgetscope resume", "Missing argument"),
        ("forgetscope resume DIR and more", "unexpected extra argument"),
        ("forgetscope plan in-context --limit many", "valid integer"),
    ],
)
def test_a_lie_is_found(text: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(LieError) as lie:
        check(Written(ROOT / "README.md", text, is_whole=True), capsys)
    assert says.lower() in str(lie.value).lower()


@pytest.mark.parametrize("text", ["forgetscope run prospective --depth", "forgetscope resume --shard"])
def test_in_prose_a_lie_is_found_too(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(LieError, match="No such option"):
        check(Written(ROOT / "README.md", text, is_whole=False), capsys)


@pytest.mark.parametrize("command", found("inspect"), ids=str)
def test_a_documented_inspect_command_names_a_task_and_its_arguments(command: Written) -> None:
    from forgetscope import _inspect

    words = command.words
    if words[1] != "eval":
        return
    package, _, task = words[2].partition("/")
    if package == FORMER_NAME and command.path.name in ("CHANGELOG.md", "lab-notes.md"):
        return  # what was typed when the program had its first name
    assert package == "forgetscope"
    if task == "":
        return
    assert task in _inspect.TASKS
    arguments = [words[at + 1].partition("=")[0] for at, word in enumerate(words) if word == "-T"]
    assert set(arguments) <= set(inspect.signature(_inspect.TASKS[task]).parameters)


@pytest.mark.parametrize(
    "module", sorted({entry.words[2] for entry in found("python -m") if entry.words[2].startswith("forgetscope")})
)
def test_a_documented_module_can_be_run(module: str) -> None:
    spec = find_spec(module)
    assert spec is not None
    assert spec.submodule_search_locations is None or find_spec(f"{module}.__main__")


@pytest.mark.parametrize("target", sorted({entry.words[1] for entry in found("make")}))
def test_a_documented_make_target_is_there(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("document", [path for path in documents() if path.suffix == ".md"], ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    text = FENCE.sub("", document.read_text(encoding="utf-8"))
    broken = [link["target"] for link in LINK.finditer(text) if not (document.parent / link["target"]).exists()]
    assert not broken


def test_the_readme_and_the_first_page_say_the_same_lines_to_install_with() -> None:
    blocks = [
        re.search(r"^## Install\n(.*?)\n## |^## Install\n(.*?)What is missing", text, re.DOTALL | re.MULTILINE)
        for text in ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/index.md"))
    ]
    readme, index = (re.findall(r"^pip install .*$", block[0], re.MULTILINE) for block in blocks if block)
    assert readme == index
    assert len(index) == 4
