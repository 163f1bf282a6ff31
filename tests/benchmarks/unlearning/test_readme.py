"""What the README says can be typed can be typed, and its configuration is one."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
import yaml  # type: ignore[import-untyped]

import forgetscope.benchmarks.unlearning
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.cli.commands import app

FOLDER = Path(forgetscope.benchmarks.unlearning.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def commands() -> Iterator[str]:
    """Every command of the page: in blocks, and within sentences."""
    blocks = re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line.split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    yield from (line for line in lines if line.startswith("forgetscope "))
    yield from re.findall(r"`(forgetscope [^`]+)`", README)


@pytest.mark.parametrize("line", sorted(set(commands())))
def test_a_command_of_the_page_is_understood(line: str) -> None:
    command, words = typer.main.get_command(app), shlex.split(line)[1:]
    context = command.make_context("forgetscope", list(words), resilient_parsing=False)
    while hasattr(context.command, "resolve_command"):
        name, found, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None, name
        context = found.make_context(name, list(rest), parent=context)
    assert not context.args


def test_there_are_commands_on_the_page() -> None:
    assert len(set(commands())) >= 10


def test_the_configuration_of_the_page_is_one() -> None:
    (text,) = re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    settings = settings_of(yaml.safe_load(text))
    assert settings.experiments[0].data.corpus.model_dump()["repeats"] == 1
    assert settings.seeds == (0, 1, 2)


def test_rooms_and_pages_named_on_the_page_exist() -> None:
    root = FOLDER.parents[3]
    named = set(re.findall(r"`([a-z_]+/|[a-z_]+\.py|[a-z_]+/[a-z_]+\.py)`", README))
    assert len(named) > 15
    assert not {name for name in named if not (FOLDER / name).exists()}
    if (root / "docs").is_dir():
        assert not {name for name in re.findall(r"`(docs/[^`]+)`", README) if not (root / name).exists()}
